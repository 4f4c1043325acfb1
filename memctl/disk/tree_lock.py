"""The lock file of a tree that another program changes under it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from memctl.disk.files import Directory
from memctl.disk.locking import NO_LOCKS, PAUSE, Locking
from memctl.disk.new_file import give
from memctl.disk.reads import failure
from memctl.errors import Busy


@contextmanager
def tree_lock(path: str, locking: Locking) -> Iterator[None]:
    """Hold the lock file of another program: an exclusive flock on the whole of it. Raises Busy, Protected, IoFailure.

    The program unlinks it while it holds it when all is deleted, so what was locked is compared with what is there
    (spec/codewhale.md 2.12).
    """
    if not locking.lock:
        yield
        return
    import fcntl

    deadline = time.monotonic() + locking.wait
    while True:
        try:
            descriptor = _open_lock(path)
        except FileExistsError:
            continue  # made by another since we looked, or gone since: look again
        except OSError as error:
            raise failure(error, path, "lock") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            there = os.stat(path)
            mine = os.fstat(descriptor)
            if (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino):
                break
        except (BlockingIOError, FileNotFoundError):
            pass
        except OSError as error:
            os.close(descriptor)
            if error.errno in NO_LOCKS:
                message = f"the file system of '{path}' has no locks"
                raise Busy(message, path=path, hint="--no-lock goes on with comparisons alone") from None
            raise failure(error, path, "lock") from None
        os.close(descriptor)
        if time.monotonic() >= deadline:
            raise Busy(f"'{path}' is locked by CodeWhale", path=path, hint="try again, or --wait SECONDS longer")
        time.sleep(PAUSE)
    try:
        yield
    finally:
        os.close(descriptor)


def _open_lock(path: str) -> int:
    """Open a lock file; a new one has the owner that its program gives it. Raises FileExistsError: try again."""
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        pass
    with Directory(os.path.dirname(path)) as directory:
        descriptor = os.open(os.path.basename(path), flags | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=directory.descriptor)
        try:
            give(descriptor, directory.descriptor, None)
        except BaseException:
            os.close(descriptor)
            raise
    return descriptor
