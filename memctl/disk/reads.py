"""The only reads of files of stores: bytes read once, by name in an open directory or by path."""

from __future__ import annotations

import errno
import os
import stat

from memctl.disk.walk import open_walked
from memctl.errors import InvalidInput, IoFailure, MemctlError, NotFound, Protected

_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK
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


def no_file(error: NotRegular, *, follow: bool) -> str:
    """Return what stands where a memory's file should: `a FIFO, not a file`. `follow`: whether links are followed."""
    if error.kind == "a symlink":
        return "a symlink that leads in a circle" if follow else "a symlink that is not followed"
    return f"{error.kind}, not a file"


def failure(error: OSError, path: str, doing: str) -> MemctlError:
    """Return the error of memctl for one of the system: `doing` is `read`, `write`, `remove`, `lock`."""
    reason = (error.strerror or str(error)).lower()
    message = f"cannot {doing} '{path}': {reason}"
    if error.errno == errno.ENOENT and doing == "read":
        return NotFound(f"no such file or directory: '{path}'", path=path)
    if error.errno in (errno.EACCES, errno.EPERM) and doing != "read":
        return Protected(message, path=path)
    return IoFailure(message, path=path)


def read_with_status(directory: int | None, name: str, *, follow: bool = True) -> tuple[bytes, os.stat_result]:
    """Return the bytes of a regular file, by its name in an open directory (None: a path), and what the system says of it.

    Never hangs on a FIFO. Raises NotRegular (a symlink too unless `follow`), else OSError.
    """
    try:
        descriptor = os.open(name, _READ if follow else _READ | os.O_NOFOLLOW, dir_fd=directory)
    except OSError as error:
        # ENXIO: a socket, or a device without a driver. ELOOP: a symlink that is not followed, or a circle of them.
        if error.errno in (errno.ENXIO, errno.ELOOP, errno.ENODEV):
            raise NotRegular(kind_at(directory, name)) from None
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
            return data, status
        chunks = [data]
        while chunk := os.read(descriptor, 1 << 20):
            chunks.append(chunk)
        return b"".join(chunks), status
    finally:
        os.close(descriptor)


def read_at(directory: int | None, name: str, *, follow: bool = True) -> bytes:
    """Return the bytes of a regular file alone. Raises as read_with_status()."""
    return read_with_status(directory, name, follow=follow)[0]


def kind_at(directory: int | None, name: str) -> str:
    """Return what a name is in words, a symlink not followed: `a FIFO`. Raises OSError."""
    mode = os.stat(name, dir_fd=directory, follow_symlinks=False).st_mode
    return KINDS.get(stat.S_IFMT(mode), "no regular file")


def read_file(path: str, *, follow: bool = True) -> bytes:
    """Return the bytes of the file at `path`. Raises MemctlError: NotFound, InvalidInput (no regular file), IoFailure.

    Without `follow` it is no symlink, and on the way to it only those of root and of this user are followed (Protected).
    """
    try:
        if follow:
            return read_at(None, path)
        folder, name = os.path.split(path)
        directory = open_walked(folder)
        try:
            return read_at(directory, name, follow=False)
        finally:
            os.close(directory)
    except NotRegular as error:
        raise InvalidInput(f"'{path}' is {error.kind}, not a file", path=path) from None
    except OSError as error:
        raise failure(error, path, "read") from None
    except ValueError:
        raise impossible(path) from None


def impossible(path: str) -> InvalidInput:
    """Return the error for a path that no file can have."""
    # A NUL, or half a surrogate pair: the registry can name a workspace so.
    return InvalidInput(f"no file can have the path {path!a}", path=ascii(path))


def read_file_at(directory: int, name: str, where: str, *, follow: bool = True) -> bytes:
    """Return the bytes of a file by its name in the open directory `where`. Raises MemctlError as read_file() does."""
    path = os.path.join(where, name)
    try:
        return read_at(directory, name, follow=follow)
    except NotRegular as error:
        raise InvalidInput(f"'{path}' is {error.kind}, not a file", path=path) from None
    except OSError as error:
        raise failure(error, path, "read") from None
