"""The only writes of files: one new, replaced, removed or appended to, so that nobody ever sees half of it."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import NamedTuple

from memctl.disk.lease import Lease
from memctl.disk.reads import KINDS, NotRegular, failure, kind_at, read_at
from memctl.errors import Busy, IoFailure, Protected

TEMP_PREFIX = ".memctl-"
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)
_LINE_END = 0.05
_TEMP_NAME_LENGTH = len(TEMP_PREFIX) + 16


class Image(NamedTuple):
    """What a file is at one moment: its bytes (None: there is none), mode and owner; `link` of a symlink, with its target."""

    data: bytes | None
    mode: int | None = None
    uid: int | None = None
    gid: int | None = None
    link: bool = False

    def is_like(self, other: Image) -> bool:
        """Return whether both have the same bytes; mode and owner do not matter."""
        return (self.data, self.link) == (other.data, other.link)


ABSENT = Image(None)


class Edit(NamedTuple):
    """One file that changes: `old` is what was read (None: no such file), `new` what it becomes (None: it goes).

    `link` marks the removal of a symlink, whose target is then `old`. `model` has the mode and owner that a file shall
    get which comes back; its `link` makes it a symlink to `new`.
    """

    file: str
    old: bytes | None
    new: bytes | None
    link: bool = False
    model: Image | None = None


def image_at(directory: int, name: str) -> Image:
    """Return what a name in an open directory is now. Raises NotRegular for what is neither file nor symlink, OSError."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        link = stat.S_ISLNK(status.st_mode)
        data = os.fsencode(os.readlink(name, dir_fd=directory)) if link else read_at(directory, name, follow=False)
    except FileNotFoundError:
        return ABSENT
    return Image(data, stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid, link)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back the signals that end a run, so that none leaves a file between its two names."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def changed(path: str) -> Busy:
    """Return the error for a file that is no longer what was read."""
    message = f"'{path}' changed while memctl worked; nothing was overwritten"
    return Busy(message, path=path, hint="look at it, then try again")


def _temp_name() -> str:
    return TEMP_PREFIX + os.urandom(8).hex()


def is_temp_name(name: str) -> bool:
    """Return whether a name is one of _temp_name(): nobody else's `.memctl-notes.md` is swept."""
    digits = name.removeprefix(TEMP_PREFIX)
    return len(name) == _TEMP_NAME_LENGTH and len(digits) == 16 and not digits.strip("0123456789abcdef")


def unlink_quietly(directory: int, name: str) -> None:
    """Remove a name if that can be done."""
    try:
        os.unlink(name, dir_fd=directory)
    except OSError:
        pass


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of the data, however short the writes are. Raises OSError."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _write_new(directory: int, name: str, data: bytes, model: Image | None) -> None:
    """Write a file that must not exist, with the mode and owner of `model`; without one, those that the HQ would give."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, 0o600 if model else 0o666, dir_fd=directory)
    try:
        try:
            write_all(descriptor, data)
            give(descriptor, directory, model)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        unlink_quietly(directory, name)
        raise


def give(descriptor: int, directory: int, model: Image | None) -> None:
    """Give a new file the mode and owner of `model`; without one root gives the owner of the directory. Raises OSError."""
    mine = os.fstat(descriptor)
    # Root writes as the one whose directory it is; anybody else's new file is his own.
    whose = os.fstat(directory) if os.geteuid() == 0 else mine
    uid, gid = (whose.st_uid, whose.st_gid) if model is None else (model.uid, model.gid)
    if uid is not None and gid is not None and (mine.st_uid, mine.st_gid) != (uid, gid):
        os.fchown(descriptor, uid, gid)
    if model is not None and model.mode is not None:
        os.fchmod(descriptor, model.mode)


def replace_file(directory: int, name: str, old: bytes, new: bytes, path: str, given: Image | None = None) -> None:
    """Replace a file that is still `old`, in one step. Raises Busy where it is not, Protected for a symlink, OSError."""
    try:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        raise changed(path) from None
    model = given or Image(None, stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid)
    if not stat.S_ISREG(status.st_mode):
        kind = KINDS.get(stat.S_IFMT(status.st_mode), "no regular file")
        raise Protected(f"'{path}' is {kind}; memctl does not write through it", path=path)
    temp, aside = _temp_name(), _temp_name()
    with uninterrupted():
        try:
            _write_new(directory, temp, new, model)
            with _leased(directory, name, path) as lease:
                try:
                    linked = _link(directory, name, aside)
                    same = read_at(directory, aside if linked else name, follow=False) == old
                except FileNotFoundError:
                    raise changed(path) from None
                if not same or lease.is_wanted():
                    raise changed(path)
                os.replace(temp, name, src_dir_fd=directory, dst_dir_fd=directory)
                # A writer that had the old file open may have written while it was replaced, and one that opens it now
                # waits for the lease. (Where there are no hard links the comparison before the replace stands alone.)
                if linked and (lease.is_wanted() or not _is_still(directory, aside, old)):
                    os.replace(aside, name, src_dir_fd=directory, dst_dir_fd=directory)
                    raise changed(path)
        finally:
            unlink_quietly(directory, temp)
            unlink_quietly(directory, aside)


def _leased(directory: int, name: str, path: str) -> Lease:
    """Return a lease on a file. Raises Busy where somebody has it open for writing, or it is gone."""
    try:
        return Lease(directory, name)
    except BlockingIOError:
        raise Busy(f"another program has '{path}' open for writing", path=path, hint="try again") from None
    except FileNotFoundError:
        raise changed(path) from None


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


def create_file(directory: int, name: str, new: bytes, path: str, given: Image | None = None) -> None:
    """Create a file, or the symlink that `given` says it was; one that is there is never replaced (Busy). Raises OSError."""
    temp = _temp_name()
    with uninterrupted():
        try:
            if given is not None and given.link:
                os.symlink(os.fsdecode(new), name, dir_fd=directory)
                if given.uid is not None and given.gid is not None and os.geteuid() == 0:
                    os.chown(name, given.uid, given.gid, dir_fd=directory, follow_symlinks=False)
                return
            _write_new(directory, temp, new, given)
            if not _link(directory, temp, name):
                _write_new(directory, name, new, given)
        except FileExistsError:
            hint = "look at it, then try again"
            raise Busy(f"'{path}' appeared while memctl worked", path=path, hint=hint) from None
        finally:
            unlink_quietly(directory, temp)


def remove_file(directory: int, edit: Edit, path: str) -> None:
    """Remove a file or symlink that is still `edit.old`. Raises Busy where it is not, OSError."""
    # Compared twice: a kill between the rename and the second look must not take what another wrote before it.
    if not _is_as_read(directory, edit.file, edit):
        raise changed(path)
    aside = _temp_name()
    with uninterrupted(), nullcontext() if edit.link else _leased(directory, edit.file, path) as lease:
        try:
            os.rename(edit.file, aside, src_dir_fd=directory, dst_dir_fd=directory)
        except FileNotFoundError:
            raise changed(path) from None
        if _is_as_read(directory, aside, edit) and not (lease and lease.is_wanted()):
            try:
                os.unlink(aside, dir_fd=directory)
            except OSError:
                _put_back(directory, aside, edit.file, path)
                raise
            return
        _put_back(directory, aside, edit.file, path)
    raise changed(path)


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
        unlink_quietly(directory, aside)


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


def append_line(directory: int, name: str, line: bytes) -> bool:
    """Append to the file that has the name now; return whether the line is in the file that has it afterwards."""
    flags = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(name, flags | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=directory)
        give(descriptor, directory, None)
    except FileExistsError:
        try:
            descriptor = os.open(name, flags, dir_fd=directory)
        except FileNotFoundError:
            return False  # it went since
        except OSError as error:
            if error.errno in (errno.ENXIO, errno.ELOOP, errno.EISDIR):
                raise NotRegular(kind_at(directory, name)) from None
            raise
    with uninterrupted():
        try:
            mine = os.fstat(descriptor)
            if not stat.S_ISREG(mine.st_mode):
                raise NotRegular(KINDS.get(stat.S_IFMT(mine.st_mode), "no regular file"))
            if _lacks_line_end(descriptor):
                time.sleep(_LINE_END)
                if _lacks_line_end(descriptor):
                    line = b"\n" + line
            write_all(descriptor, line)
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


def make_private(directory: str, path: str) -> None:
    """Create a file of memctl's own, and its directory, that only this user can read; root gives it the directory's owner.

    Raises OSError, MemctlError.
    """
    if not os.path.isdir(directory):
        make_directory(directory)
        os.chmod(directory, 0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        mine, whose = os.fstat(descriptor), os.stat(directory)
        if os.geteuid() == 0 and mine.st_size == 0 and (mine.st_uid, mine.st_gid) != (whose.st_uid, whose.st_gid):
            os.fchown(descriptor, whose.st_uid, whose.st_gid)
        if mine.st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def set_aside(paths: list[str]) -> str:
    """Give damaged files of memctl's own names that nothing reads; return that of the first. What is not there is left out."""
    mark = f".damaged-{os.urandom(4).hex()}"
    for path in paths:
        try:
            os.rename(path, path + mark)
        except OSError:
            pass
    return paths[0] + mark
