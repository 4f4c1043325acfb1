"""A lease on a file that is about to be replaced: on Linux it keeps writers out that come without a lock (DESIGN 5)."""

from __future__ import annotations

import errno
import os
import time

_TRIES = 20
_PAUSE = 0.005


class Lease:
    """A read lease on a file, while it is put aside. A context manager; it never blocks readers.

    Whoever opens the file for writing meanwhile waits until the lease is given back, and `is_wanted()` says so: then
    the file gets its name back first, and the write lands in it. Where leases are not to be had (another system or
    file system, another user's file) it does nothing, and the comparisons stand alone.
    """

    def __init__(self, directory: int, name: str) -> None:
        """Take the lease. Raises BlockingIOError where the file stays open for writing, OSError where it cannot be opened."""
        self._descriptor: int | None = None
        self._handler: object = None
        try:
            import fcntl
            import signal

            take, kind, broken = fcntl.F_SETLEASE, fcntl.F_RDLCK, signal.SIGIO
        except (ImportError, AttributeError):
            return
        try:
            # What the kernel sends where somebody wants the file would end the process.
            self._handler = signal.signal(broken, signal.SIG_IGN)
        except ValueError:
            return  # not the main thread
        try:
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
        except BaseException:
            self.__exit__()
            raise
        self._descriptor = descriptor
        for attempt in range(_TRIES):
            try:
                fcntl.fcntl(descriptor, take, kind)
            except OSError as error:
                if error.errno != errno.EAGAIN:
                    break  # there are none here
                if attempt == _TRIES - 1:
                    self.__exit__()
                    raise
                time.sleep(_PAUSE)
            else:
                return
        os.close(descriptor)
        self._descriptor = None

    def is_wanted(self) -> bool:
        """Return whether somebody waits to write to the file; true where that cannot be told."""
        if self._descriptor is None:
            return False
        import fcntl

        try:
            return fcntl.fcntl(self._descriptor, fcntl.F_GETLEASE) != fcntl.F_RDLCK
        except OSError:
            return True

    def __enter__(self) -> Lease:
        return self

    def __exit__(self, *_: object) -> None:
        if self._descriptor is not None:
            try:
                os.close(self._descriptor)
            except OSError:
                pass  # nothing was written by it, and what it was for is done
            self._descriptor = None
        if self._handler is not None:
            import signal

            signal.signal(signal.SIGIO, self._handler)  # type: ignore[arg-type]
            self._handler = None
