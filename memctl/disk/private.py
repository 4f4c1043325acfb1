"""Files of memctl's own, and texts that it keeps for somebody: only this user can read them."""

from __future__ import annotations

import errno
import os
import stat

from memctl.disk.directories import make_directory
from memctl.disk.new_file import write_all
from memctl.disk.reads import failure


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
