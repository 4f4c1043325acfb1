"""Open directories and single files, locked, read and changed by the one discipline (DESIGN 5)."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from memctl.disk.reads import NotRegular, failure, impossible, read_file_at
from memctl.disk.writes import (
    Edit,
    append_line,
    changed,
    create_file,
    give,
    is_temp_name,
    remove_file,
    replace_file,
    unlink_quietly,
    write_all,
)
from memctl.errors import Busy, InvalidInput, IoFailure, NotFound, Protected

_NO_LOCKS = (errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
_PAUSE = 0.02


class NotDurable(IoFailure):
    """The change is there, but the system failed to say that it will survive a loss of power."""


class Locking(NamedTuple):
    """How a store is locked: seconds to wait, whether at all, and who is told of a wait."""

    wait: float = 10.0
    lock: bool = True
    on_wait: Callable[[str], None] | None = None


class Directory:
    """An open directory; all work in it goes relative to its descriptor. A context manager that closes it."""

    def __init__(self, path: str, *, follow: bool = True) -> None:
        """Open `path`. Raises NotFound, or IoFailure where it cannot be read or is no directory."""
        self.path = path
        self.follow = follow
        self.descriptor = self._open()

    def _open(self) -> int:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        try:
            return os.open(self.path, flags if self.follow else flags | os.O_NOFOLLOW)
        except OSError as error:
            if not self.follow and error.errno in (errno.ELOOP, errno.ENOTDIR) and os.path.islink(self.path):
                message = f"'{self.path}' is a symlink, which is not followed in another user's store"
                raise Protected(message, path=self.path) from None
            raise failure(error, self.path, "read") from None
        except ValueError:
            raise impossible(self.path) from None

    def __enter__(self) -> Directory:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)

    def names(self) -> list[str]:
        """Return the names in the directory, in no order."""
        try:
            return os.listdir(self.descriptor)
        except OSError as error:
            raise failure(error, self.path, "read") from None

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file in it, None where there is none. Raises MemctlError as read_file() does."""
        try:
            return read_file_at(self.descriptor, name, self.path, follow=self.follow)
        except NotFound:
            return None

    def lock(self, locking: Locking, *, shared: bool = False) -> None:
        """Take the lock of the directory, which ends with this process at the latest. Raises Busy, IoFailure.

        It is an flock on the directory itself: it leaves nothing behind and works across users (DESIGN 5). `shared`
        is for those who only append: they keep out whoever replaces a file, and not each other.
        """
        if not locking.lock:
            return
        import fcntl

        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        deadline = time.monotonic() + locking.wait
        told = False
        while True:
            try:
                fcntl.flock(self.descriptor, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    message = f"'{self.path}' is locked by another memctl"
                    raise Busy(message, path=self.path, hint="try again, or wait longer with --wait SECONDS") from None
                if not told and locking.on_wait:
                    locking.on_wait(f"waiting for another memctl that works in '{self.path}'")
                told = True
                time.sleep(_PAUSE)
                continue
            except OSError as error:
                if error.errno in _NO_LOCKS:
                    message = f"the file system of '{self.path}' has no locks"
                    raise Busy(message, path=self.path, hint="--no-lock goes on with comparisons alone") from None
                raise failure(error, self.path, "lock") from None
            if self._is_current():
                return
            # The directory was replaced while we waited: lock the one that is there now.
            gone, self.descriptor = self.descriptor, self._open()
            os.close(gone)

    def _is_current(self) -> bool:
        mine = os.fstat(self.descriptor)
        try:
            there = os.stat(self.path)
        except OSError:
            return False
        return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino)

    def sweep(self, names: list[str]) -> None:
        """Remove the temp files of killed runs among `names`; only under the lock, when no run can still use them."""
        for name in names:
            if is_temp_name(name):
                unlink_quietly(self.descriptor, name)

    def commit(self, edit: Edit) -> None:
        """Carry out one edit.

        Raises Busy where the file is no longer what was read, Protected, IoFailure; NotDurable once it is done.
        """
        path = os.path.join(self.path, edit.file)
        doing = "remove" if edit.new is None else "write"
        try:
            if edit.new is None:
                remove_file(self.descriptor, edit, path)
            elif edit.old is None:
                create_file(self.descriptor, edit.file, edit.new, path)
            else:
                replace_file(self.descriptor, edit.file, edit.old, edit.new, path)
        except NotRegular:
            raise changed(path) from None
        except OSError as error:
            raise failure(error, path, doing) from None
        self.sync(f"'{path}' is {'removed' if edit.new is None else 'written'}", path)

    def sync(self, done: str, path: str) -> None:
        """Make what was done in it durable. Raises NotDurable, which says that it is `done`."""
        try:
            os.fsync(self.descriptor)
        except OSError as error:
            if error.errno != errno.EINVAL:
                reason = (error.strerror or str(error)).lower()
                raise NotDurable(f"{done}, but not durable yet: {reason}", path=path) from None


def write_file(path: str, old: bytes | None, new: bytes, locking: Locking) -> None:
    """Replace or create a single file outside the stores, by the same discipline. Raises MemctlError.

    `old` is what was read (None: there was none); a file that is no longer so is left alone (Busy).
    """
    folder, name = os.path.split(path)
    with Directory(folder or ".") as directory:
        directory.lock(locking)
        directory.commit(Edit(name, old, new))


def append_file(path: str, line: bytes, locking: Locking) -> None:
    """Append a line, which ends with LF, to a file that others append to as well, in one write. Raises MemctlError.

    A file whose last line has no end is given 50 ms to get one from whoever is writing it, then gets one from us, so
    that our line is never glued to another (DESIGN 5). A missing file is created. A short write is finished, never
    taken back: what came behind it is another's.
    """
    folder, name = os.path.split(path)
    with Directory(folder or ".") as directory:
        directory.lock(locking, shared=True)
        try:
            while not append_line(directory.descriptor, name, line):
                pass  # the file was replaced meanwhile by one without our line
        except NotRegular as error:
            raise InvalidInput(f"'{path}' is {error.kind}, not a file", path=path) from None
        except OSError as error:
            raise failure(error, path, "write") from None
        directory.sync(f"'{path}' is written", path)


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
            if error.errno in _NO_LOCKS:
                message = f"the file system of '{path}' has no locks"
                raise Busy(message, path=path, hint="--no-lock goes on with comparisons alone") from None
            raise failure(error, path, "lock") from None
        os.close(descriptor)
        if time.monotonic() >= deadline:
            raise Busy(f"'{path}' is locked by CodeWhale", path=path, hint="try again, or --wait SECONDS longer")
        time.sleep(_PAUSE)
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


def keep_private(directory: str, prefix: str, text: bytes) -> str:
    """Write `text` to a new file that only this user can read, and return its path: for an editor, or to keep a text."""
    import tempfile

    try:
        descriptor, path = tempfile.mkstemp(prefix=prefix, suffix=".md", dir=directory)
    except OSError as error:
        raise failure(error, directory, "write") from None
    try:
        try:
            write_all(descriptor, text)
        finally:
            os.close(descriptor)
    except BaseException as error:
        os.unlink(path)
        if isinstance(error, OSError):
            raise failure(error, path, "write") from None
        raise
    return path


def overwrite_private(path: str, text: bytes) -> None:
    """Write `text` over a file that keep_private() made. Raises MemctlError."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            write_all(descriptor, text)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise failure(error, path, "write") from None
