"""The only reads and writes of files: bytes read once, written atomically, removed after a comparison, under a lock."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from memctl.errors import Busy, InvalidInput, IoFailure, MemctlError, NotFound, Protected

TEMP_PREFIX = ".memctl-"

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)
_NO_LOCKS = (errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
_PAUSE = 0.02
_LINE_END = 0.05
_TEMP_NAME_LENGTH = len(TEMP_PREFIX) + 16
# Node reads no file of 2 GiB or more, so the HQ skips it; a sparse one must not eat the memory either.
_READ_MAX = (1 << 31) - 1

KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFLNK: "a symlink",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class NotRegular(Exception):
    """A name is there, but no regular file: `kind` says what it is, `a FIFO`."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


class NotDurable(IoFailure):
    """The change is there, but the system failed to say that it will survive a loss of power."""


class Locking(NamedTuple):
    """How a store is locked: seconds to wait, whether at all, and who is told of a wait."""

    wait: float = 10.0
    lock: bool = True
    on_wait: Callable[[str], None] | None = None


class Edit(NamedTuple):
    """One file that changes: `old` is what was read (None: no such file), `new` what it becomes (None: it goes).

    `link` marks the removal of a symlink, whose target is then `old`.
    """

    file: str
    old: bytes | None
    new: bytes | None
    link: bool = False


def failure(error: OSError, path: str, doing: str) -> MemctlError:
    """Return the error of memctl for one of the system: `doing` is `read`, `write`, `remove`, `lock`."""
    reason = (error.strerror or str(error)).lower()
    message = f"cannot {doing} '{path}': {reason}"
    if error.errno == errno.ENOENT and doing == "read":
        return NotFound(f"no such file or directory: '{path}'", path=path)
    if error.errno in (errno.EACCES, errno.EPERM) and doing != "read":
        return Protected(message, path=path)
    return IoFailure(message, path=path)


# Reading


def read_at(directory: int | None, name: str, *, follow: bool = True) -> bytes:
    """Return the bytes of a regular file, by its name in an open directory (None: a path).

    Never hangs on a FIFO. Raises NotRegular (a symlink too unless `follow`), else OSError.
    """
    try:
        descriptor = os.open(name, _READ if follow else _READ | os.O_NOFOLLOW, dir_fd=directory)
    except OSError as error:
        # ENXIO: a socket, or a device without a driver. ELOOP: a symlink that is not followed, or a circle of them.
        if error.errno in (errno.ENXIO, errno.ELOOP, errno.ENODEV):
            raise NotRegular(_kind_at(directory, name)) from None
        raise
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise NotRegular(KINDS.get(stat.S_IFMT(status.st_mode), "no regular file"))
        # One byte more than its size: a read that returns less has met the end, without a call to see it.
        size = status.st_size + 1
        if size > _READ_MAX:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        data = os.read(descriptor, size)
        if len(data) < size and len(data) == status.st_size:
            return data
        chunks = [data]
        while chunk := os.read(descriptor, 1 << 20):
            chunks.append(chunk)
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def _kind_at(directory: int | None, name: str) -> str:
    mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    return KINDS.get(stat.S_IFMT(mode), "no regular file")


def read_file(path: str, *, follow: bool = True) -> bytes:
    """Return the bytes of the file at `path`. Raises MemctlError: NotFound, InvalidInput (no regular file), IoFailure."""
    try:
        return read_at(None, path, follow=follow)
    except NotRegular as error:
        raise InvalidInput(f"'{path}' is {error.kind}, not a file", path=path) from None
    except OSError as error:
        raise failure(error, path, "read") from None
    except ValueError:
        raise _impossible(path) from None


def _impossible(path: str) -> InvalidInput:
    # A NUL, or half a surrogate pair: the registry can name a workspace so.
    return InvalidInput(f"no file can have the path {path!a}", path=ascii(path))


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
            raise _impossible(self.path) from None

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
            if _is_temp_name(name):
                _unlink_quietly(self.descriptor, name)

    def commit(self, edit: Edit) -> None:
        """Carry out one edit.

        Raises Busy where the file is no longer what was read, Protected, IoFailure; NotDurable once it is done.
        """
        path = os.path.join(self.path, edit.file)
        doing = "remove" if edit.new is None else "write"
        try:
            if edit.new is None:
                _remove(self.descriptor, edit, path)
            elif edit.old is None:
                _create(self.descriptor, edit.file, edit.new, path)
            else:
                _replace(self.descriptor, edit.file, edit.old, edit.new, path)
        except NotRegular:
            raise _changed(path) from None
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


def read_file_at(directory: int, name: str, where: str, *, follow: bool = True) -> bytes:
    """Return the bytes of a file by its name in the open directory `where`. Raises MemctlError as read_file() does."""
    path = os.path.join(where, name)
    try:
        return read_at(directory, name, follow=follow)
    except NotRegular as error:
        raise InvalidInput(f"'{path}' is {error.kind}, not a file", path=path) from None
    except OSError as error:
        raise failure(error, path, "read") from None


# Writing


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Hold back the signals that end a run, so that none leaves a file between its two names."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _changed(path: str) -> Busy:
    message = f"'{path}' changed while memctl worked; nothing was overwritten"
    return Busy(message, path=path, hint="look at it, then try again")


def _temp_name() -> str:
    return TEMP_PREFIX + os.urandom(8).hex()


def _is_temp_name(name: str) -> bool:
    """Return whether a name is one of _temp_name(): nobody else's `.memctl-notes.md` is swept."""
    digits = name.removeprefix(TEMP_PREFIX)
    return len(name) == _TEMP_NAME_LENGTH and len(digits) == 16 and not digits.strip("0123456789abcdef")


def _unlink_quietly(directory: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=directory)
    except OSError:
        pass


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _write_new(directory: int, name: str, data: bytes, model: os.stat_result | None) -> None:
    """Write a file that must not exist, with the mode and owner of `model`; without one, those that the HQ would give."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, 0o600 if model else 0o666, dir_fd=directory)
    try:
        try:
            _write_all(descriptor, data)
            _give(descriptor, directory, model)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        _unlink_quietly(directory, name)
        raise


def _give(descriptor: int, directory: int, model: os.stat_result | None) -> None:
    mine = os.fstat(descriptor)
    # Root writes as the one whose directory it is; anybody else's new file is his own.
    wanted = model or (os.fstat(directory) if os.geteuid() == 0 else mine)
    if (mine.st_uid, mine.st_gid) != (wanted.st_uid, wanted.st_gid):
        os.fchown(descriptor, wanted.st_uid, wanted.st_gid)
    if model is not None:
        os.fchmod(descriptor, stat.S_IMODE(model.st_mode))


def _replace(directory: int, name: str, old: bytes, new: bytes, path: str) -> None:
    try:
        model = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        raise _changed(path) from None
    if not stat.S_ISREG(model.st_mode):
        kind = KINDS.get(stat.S_IFMT(model.st_mode), "no regular file")
        raise Protected(f"'{path}' is {kind}; memctl does not write through it", path=path)
    temp, aside = _temp_name(), _temp_name()
    with _uninterrupted():
        try:
            _write_new(directory, temp, new, model)
            try:
                linked = _link(directory, name, aside)
                same = read_at(directory, aside if linked else name, follow=False) == old
            except FileNotFoundError:
                raise _changed(path) from None
            if not same:
                raise _changed(path)
            os.replace(temp, name, src_dir_fd=directory, dst_dir_fd=directory)
            # A writer that had the old file open may have written while it was replaced. (Where there are no hard
            # links the comparison before the replace stands alone.)
            if linked and not _is_still(directory, aside, old):
                os.replace(aside, name, src_dir_fd=directory, dst_dir_fd=directory)
                raise _changed(path)
        finally:
            _unlink_quietly(directory, temp)
            _unlink_quietly(directory, aside)


def _is_still(directory: int, name: str, data: bytes) -> bool:
    try:
        return read_at(directory, name, follow=False) == data
    except OSError:
        # What cannot be compared comes back to its name: a byte too many is better than one too few.
        return False


def _link(directory: int, name: str, other: str) -> bool:
    """Give a file a second name; return False where the file system has no hard links."""
    try:
        os.link(name, other, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except OSError as error:
        if error.errno in _NO_LINKS:
            return False
        raise
    return True


def _create(directory: int, name: str, new: bytes, path: str) -> None:
    temp = _temp_name()
    with _uninterrupted():
        try:
            _write_new(directory, temp, new, None)
            try:
                if not _link(directory, temp, name):
                    _write_new(directory, name, new, None)
            except FileExistsError:
                raise Busy(
                    f"'{path}' appeared while memctl worked", path=path, hint="look at it, then try again"
                ) from None
        finally:
            _unlink_quietly(directory, temp)


def _remove(directory: int, edit: Edit, path: str) -> None:
    # Compared twice: a kill between the rename and the second look must not take what another wrote before it.
    if not _is_as_read(directory, edit.file, edit):
        raise _changed(path)
    aside = _temp_name()
    with _uninterrupted():
        try:
            os.rename(edit.file, aside, src_dir_fd=directory, dst_dir_fd=directory)
        except FileNotFoundError:
            raise _changed(path) from None
        if _is_as_read(directory, aside, edit):
            try:
                os.unlink(aside, dir_fd=directory)
            except OSError:
                _put_back(directory, aside, edit.file, path)
                raise
            return
        _put_back(directory, aside, edit.file, path)
    raise _changed(path)


def _is_as_read(directory: int, name: str, edit: Edit) -> bool:
    try:
        if edit.link:
            return os.fsencode(os.readlink(name, dir_fd=directory)) == edit.old
        return read_at(directory, name, follow=False) == edit.old
    except (OSError, NotRegular):
        return False


def _put_back(directory: int, aside: str, name: str, path: str) -> None:
    """Give a file its name back, unless another has it by now: then neither is lost."""
    try:
        os.link(aside, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except FileExistsError:
        kept = f"{name}.conflict-{os.urandom(4).hex()}"
        os.rename(aside, kept, src_dir_fd=directory, dst_dir_fd=directory)
        message = f"'{path}' was written anew while memctl removed it; the text it had before is kept as '{kept}'"
        raise Busy(message, path=path) from None
    except OSError:
        os.rename(aside, name, src_dir_fd=directory, dst_dir_fd=directory)
    else:
        _unlink_quietly(directory, aside)


def make_directory(path: str, *, like_parent: bool = True) -> None:
    """Create a directory and its missing parents, as the HQ does; root gives each the owner of its parent.

    Raises MemctlError where that fails.
    """
    missing = []
    at = path
    while not os.path.isdir(at):
        missing.append(at)
        parent = os.path.dirname(at)
        if parent == at:
            break
        at = parent
    for step in reversed(missing):
        try:
            os.mkdir(step)
            if like_parent and os.geteuid() == 0:
                owner = os.stat(os.path.dirname(step) or ".")
                os.chown(step, owner.st_uid, owner.st_gid, follow_symlinks=False)
        except FileExistsError:
            if not os.path.isdir(step):
                raise IoFailure(f"'{step}' is in the way: it is no directory", path=step) from None
        except OSError as error:
            raise failure(error, step, "write") from None


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
            while not _append(directory.descriptor, name, line):
                pass  # the file was replaced meanwhile by one without our line
        except NotRegular as error:
            raise InvalidInput(f"'{path}' is {error.kind}, not a file", path=path) from None
        except OSError as error:
            raise failure(error, path, "write") from None
        directory.sync(f"'{path}' is written", path)


def _append(directory: int, name: str, line: bytes) -> bool:
    """Append to the file that has the name now; return whether the line is in the file that has it afterwards."""
    flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(name, flags | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=directory)
        _give(descriptor, directory, None)
    except FileExistsError:
        try:
            descriptor = os.open(name, flags, dir_fd=directory)
        except FileNotFoundError:
            return False  # it went since
        except OSError as error:
            if error.errno in (errno.ENXIO, errno.ELOOP, errno.EISDIR):
                raise NotRegular(_kind_at(directory, name)) from None
            raise
    with _uninterrupted():
        try:
            mine = os.fstat(descriptor)
            if not stat.S_ISREG(mine.st_mode):
                raise NotRegular(KINDS.get(stat.S_IFMT(mine.st_mode), "no regular file"))
            if _lacks_line_end(descriptor):
                time.sleep(_LINE_END)
                if _lacks_line_end(descriptor):
                    line = b"\n" + line
            _write_all(descriptor, line)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    try:
        there = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino) or line in read_at(directory, name, follow=False)


def _lacks_line_end(descriptor: int) -> bool:
    size = os.fstat(descriptor).st_size
    return size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"


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
            _give(descriptor, directory.descriptor, None)
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
            _write_all(descriptor, text)
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
            _write_all(descriptor, text)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise failure(error, path, "write") from None
