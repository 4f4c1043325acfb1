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
from memctl.disk.walk import is_at_risk, open_walked
from memctl.errors import Busy, IoFailure, Protected

TEMP_PREFIX = ".memctl-"
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)
_LINE_END = 0.05
_TEMP_NAME_LENGTH = len(TEMP_PREFIX) + 16
_NAME_MAX = 255
_HEX = "0123456789abcdef"
# What a replaced file has besides its bytes, mode and owner, where the system has such things.
_ACL = "system.posix_acl_access"
_NO_ATTRIBUTES = (errno.EOPNOTSUPP, errno.ENOSYS, getattr(errno, "ENODATA", errno.ENOENT))


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
    return len(name) == _TEMP_NAME_LENGTH and len(digits) == 16 and not digits.strip(_HEX)


class Aside(NamedTuple):
    """What the name of a file put aside says: the digest of what it was read as, and its name ('': that was too long)."""

    digest: str
    file: str


def _aside_name(name: str, data: bytes) -> str:
    """Return a name to put a file aside under, which a later run can judge it by: `.memctl-*-DIGEST-NAME~`."""
    start = f"{_temp_name()}-{_digest(data)}-"
    fits = len(start) + len(os.fsencode(name)) < _NAME_MAX
    return f"{start}{name if fits else ''}~"


def aside_of(name: str) -> Aside | None:
    """Return what a name of _aside_name() says; None for any other name."""
    temp, digest, file = name[:_TEMP_NAME_LENGTH], name[_TEMP_NAME_LENGTH:][:18], name[_TEMP_NAME_LENGTH + 18 :]
    if not is_temp_name(temp) or len(digest) != 18 or digest[0] + digest[-1] != "--" or not file.endswith("~"):
        return None
    return None if digest[1:-1].strip(_HEX) else Aside(digest[1:-1], file[:-1])


def _digest(data: bytes) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest()[:16]


def sweep_aside(directory: int, name: str, aside: Aside) -> str | None:
    """Drop what a killed run put aside, if that is what it had read; return the name under which anything else is kept.

    What another program wrote at the moment of the kill is nowhere else: it gets its name back, and where that is taken
    by now, one beside it. None: it was dropped, or cannot be judged now and stays. Only under the lock. Raises OSError.
    """
    try:
        found = image_at(directory, name)
        # A writer that had it open when its name went may not be at its end yet.
        lease = nullcontext() if found.link else Lease(directory, name)
    except (OSError, NotRegular):
        return None
    with uninterrupted(), lease:
        try:
            data = image_at(directory, name).data
        except (OSError, NotRegular):
            data = None
        if data is None:
            return None
        if _digest(data) != aside.digest and not _is_same(directory, name, aside.file):
            return _put_back(directory, name, aside.file)
        unlink_quietly(directory, name)
    return None


def _is_same(directory: int, name: str, other: str) -> bool:
    """Return whether two names are the same file, or the second has the bytes of the first."""
    try:
        return bool(other) and (
            _is_one(directory, name, other) or image_at(directory, name).is_like(image_at(directory, other))
        )
    except (OSError, NotRegular):
        return False


def _is_one(directory: int, name: str, other: str) -> bool:
    try:
        first, second = (os.stat(one, dir_fd=directory, follow_symlinks=False) for one in (name, other))
    except OSError:
        return False
    return os.path.samestat(first, second)


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


def _write_new(directory: int, name: str, data: bytes, model: Image | None, like: int | None = None) -> None:
    """Write a file that must not exist, with the mode and owner of `model`; without one, those that the HQ would give.

    `like` is a descriptor of a file whose access list and user attributes it gets. Raises OSError: then it is not there.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(name, flags, 0o600 if model else 0o666, dir_fd=directory)
    try:
        try:
            write_all(descriptor, data)
            give(descriptor, directory, model, like)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        unlink_quietly(directory, name)
        raise


def give(descriptor: int, directory: int, model: Image | None, like: int | None = None) -> None:
    """Give a new file the mode and owner of `model`; without one root gives the owner of the directory.

    `like` is a file whose access list and user attributes it gets as well. Raises OSError.
    """
    mine = os.fstat(descriptor)
    # Root writes as the one whose directory it is; anybody else's new file is his own.
    whose = os.fstat(directory) if os.geteuid() == 0 else mine
    uid, gid = (whose.st_uid, whose.st_gid) if model is None else (model.uid, model.gid)
    if uid is not None and gid is not None and (mine.st_uid, mine.st_gid) != (uid, gid):
        os.fchown(descriptor, uid, gid)
    if like is not None and hasattr(os, "listxattr"):
        _give_attributes(descriptor, like)
    if model is not None and model.mode is not None:
        os.fchmod(descriptor, model.mode)


def _give_attributes(descriptor: int, like: int) -> None:
    """Make the access list of a new file, and its user attributes, those of another. Raises OSError.

    A list that the directory gave it, and the other has not, goes: it would let in whom the old file kept out.
    """
    theirs, mine = (
        {name for name in _attributes(file) if name == _ACL or name.startswith("user.")} for file in (like, descriptor)
    )
    for name in mine - theirs:
        os.removexattr(descriptor, name)
    for name in theirs:
        try:
            os.setxattr(descriptor, name, os.getxattr(like, name))
        except OSError as error:
            # An access list that is lost lets others in; of the rest no write shall fail.
            if error.errno not in _NO_ATTRIBUTES and (name == _ACL or error.errno not in (errno.EPERM, errno.EACCES)):
                raise


def _attributes(descriptor: int) -> list[str]:
    try:
        return os.listxattr(descriptor)
    except OSError as error:
        if error.errno in _NO_ATTRIBUTES:
            return []
        raise


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
    temp, aside = _temp_name(), _aside_name(name, old)
    with uninterrupted():
        try:
            _write_like(directory, name, temp, new, model, path)
            with _leased(directory, name, path) as lease:
                try:
                    linked = _link(directory, name, aside)
                    same = read_at(directory, aside if linked else name, follow=False) == old
                except FileNotFoundError:
                    raise changed(path) from None
                if not same or lease.is_wanted():
                    raise changed(path)
                if linked and not _is_one(directory, aside, name):
                    # Somebody put another file in its place: what is aside is what was read, and theirs is the newer one.
                    unlink_quietly(directory, aside)
                    raise changed(path)
                os.replace(temp, name, src_dir_fd=directory, dst_dir_fd=directory)
                # A writer that had the old file open may have written while it was replaced, and one that opens it now
                # waits for the lease. (Where there are no hard links the comparison before the replace stands alone.)
                if linked and (lease.is_wanted() or not _is_still(directory, aside, old)):
                    _take_back(directory, name, aside, new, path)
                    raise changed(path)
                unlink_quietly(directory, aside)
        finally:
            unlink_quietly(directory, temp)
            # Where something failed, what was put aside may be the only copy: then it is left for sweep_aside().
            if _is_one(directory, aside, name):
                unlink_quietly(directory, aside)


def _write_like(directory: int, name: str, temp: str, new: bytes, model: Image, path: str) -> None:
    """Write the text that shall replace a file, with what that file has besides its bytes. Raises Busy, OSError."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    except FileNotFoundError:
        raise changed(path) from None
    try:
        _write_new(directory, temp, new, model, descriptor)
    finally:
        os.close(descriptor)


def _take_back(directory: int, name: str, aside: str, new: bytes, path: str) -> None:
    """Give the file put aside its name back in the place of memctl's own text. Raises Busy, OSError.

    Somebody may have written into that since it was put there: then both are kept.
    """
    mine = _aside_name(name, new)
    try:
        os.link(name, mine, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        _kept(_put_back(directory, aside, name), path, "replaced")
        return
    if _is_still(directory, mine, new):
        os.replace(aside, name, src_dir_fd=directory, dst_dir_fd=directory)
        aside = mine
    if aside == mine and _is_still(directory, mine, new):
        unlink_quietly(directory, mine)
        return
    if aside != mine:
        unlink_quietly(directory, mine)
    _kept(_put_back(directory, aside, name), path, "replaced")


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
    aside = _aside_name(edit.file, edit.old or b"")
    with uninterrupted(), nullcontext() if edit.link else _leased(directory, edit.file, path) as lease:
        try:
            os.rename(edit.file, aside, src_dir_fd=directory, dst_dir_fd=directory)
        except FileNotFoundError:
            raise changed(path) from None
        try:
            if _is_as_read(directory, aside, edit) and not (lease and lease.is_wanted()):
                os.unlink(aside, dir_fd=directory)
                return
        except BaseException:
            _kept(_put_back(directory, aside, edit.file), path, "removed")
            raise
        _kept(_put_back(directory, aside, edit.file), path, "removed")
    raise changed(path)


def _is_as_read(directory: int, name: str, edit: Edit) -> bool:
    try:
        if edit.link:
            return os.fsencode(os.readlink(name, dir_fd=directory)) == edit.old
        return read_at(directory, name, follow=False) == edit.old
    except (OSError, NotRegular):
        return False


def _put_back(directory: int, aside: str, name: str) -> str:
    """Give a file its name back, unless another has it by now: then neither is lost. Return the name. Raises OSError."""
    try:
        if name:
            os.link(aside, name, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
            unlink_quietly(directory, aside)
            return name
    except FileExistsError:
        pass
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if not _exists(directory, name):
            os.rename(aside, name, src_dir_fd=directory, dst_dir_fd=directory)
            return name
    end = f".conflict-{os.urandom(4).hex()}"
    kept = os.fsdecode(os.fsencode(name or "memctl")[: _NAME_MAX - len(end)]) + end
    os.rename(aside, kept, src_dir_fd=directory, dst_dir_fd=directory)
    return kept


def _exists(directory: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


def _kept(name: str, path: str, doing: str) -> None:
    """Raise Busy where a file did not get its own name back."""
    if name != os.path.basename(path):
        message = f"'{path}' was written anew while memctl {doing} it; the text it had before is kept as '{name}'"
        raise Busy(message, path=path)


def make_directory(path: str, *, like_parent: bool = True) -> None:
    """Create a directory and its missing parents, as the HQ does; root gives each the owner of its parent.

    No symlink on the way is followed that could be a trap (walk). Raises MemctlError where that fails.
    """
    missing = []
    at = path
    while not os.path.isdir(at):
        missing.append(at)
        parent = os.path.dirname(at)
        if parent == at:
            break
        at = parent
    if not missing:
        return
    try:
        parent_descriptor = open_directory(at)
    except OSError as error:
        raise failure(error, at, "write") from None
    try:
        for step in reversed(missing):
            made = _make_step(parent_descriptor, step, like_parent=like_parent)
            parent_descriptor, gone = made, parent_descriptor
            os.close(gone)
    finally:
        os.close(parent_descriptor)


def open_directory(path: str) -> int:
    """Return a descriptor of a directory that is written to, whatever its name leads through. Raises Protected, OSError."""
    if is_at_risk(path):
        return open_walked(path)
    return os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)


def _make_step(parent: int, path: str, *, like_parent: bool) -> int:
    """Make one directory in an open one, unless it is there by now, and return a descriptor of it. Raises MemctlError."""
    name = os.path.basename(path)
    made = True
    try:
        with uninterrupted():
            try:
                os.mkdir(name, dir_fd=parent)
            except FileExistsError:
                made = False
            descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
            try:
                if made and like_parent and os.geteuid() == 0:
                    owner = os.fstat(parent)
                    os.fchown(descriptor, owner.st_uid, owner.st_gid)
            except BaseException:
                os.close(descriptor)
                raise
    except OSError as error:
        if not made and error.errno in (errno.ENOTDIR, errno.ELOOP):
            raise IoFailure(f"'{path}' is in the way: it is no directory", path=path) from None
        raise failure(error, path, "write") from None
    return descriptor


def append_line(directory: int, name: str, line: bytes) -> bool:
    """Append to the file that has the name now; return whether the line is in the file that has it afterwards.

    Where there is none one is made, whole at once. Raises NotRegular for what is no file, OSError.
    """
    try:
        descriptor = os.open(
            name, os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory
        )
    except FileNotFoundError:
        try:
            create_file(directory, name, line, name)
        except Busy:
            return False  # it is there since
        return True
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

    One that is there is not opened: to close any descriptor of a file drops all locks that SQLite has on it in this
    process (sqlite.org/howtocorrupt.html, 2.2). Raises OSError, MemctlError.
    """
    if not os.path.isdir(directory):
        make_directory(directory)
        os.chmod(directory, 0o700)
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        status = os.lstat(path)
        if not stat.S_ISREG(status.st_mode):
            number = errno.EISDIR if stat.S_ISDIR(status.st_mode) else errno.ELOOP
            raise OSError(number, os.strerror(number)) from None
        if status.st_mode & 0o077:
            os.chmod(path, 0o600)
        return
    try:
        mine, whose = os.fstat(descriptor), os.stat(directory)
        if os.geteuid() == 0 and (mine.st_uid, mine.st_gid) != (whose.st_uid, whose.st_gid):
            os.fchown(descriptor, whose.st_uid, whose.st_gid)
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
