"""A new file, whole or not there at all: its bytes, its mode and owner, its access list."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from memctl.disk.images import Image
from memctl.errors import IoFailure

# What a replaced file has besides its bytes, mode and owner, where the system has such things.
_ACL = "system.posix_acl_access"
_NO_ATTRIBUTES = (errno.EOPNOTSUPP, errno.ENOSYS, getattr(errno, "ENODATA", errno.ENOENT))


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Hold back the signals that end a run, so that none leaves a file between its two names."""
    import signal

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


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


def write_new(directory: int, name: str, data: bytes, model: Image | None, like: int | None = None) -> None:
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


class NotDurable(IoFailure):
    """The change is there, but the system failed to say that it will survive a loss of power."""


def sync_directory(descriptor: int, done: str, path: str) -> None:
    """Make durable what was done in an open directory. Raises NotDurable, which says that it is `done`."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:
            reason = (error.strerror or str(error)).lower()
            raise NotDurable(f"{done}, but not durable yet: {reason}", path=path) from None
