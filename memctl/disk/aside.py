"""The second names of a file that changes: those of new texts and of what is put aside, and what killed runs left there."""

from __future__ import annotations

import errno
import os
from contextlib import nullcontext
from typing import NamedTuple

from memctl.disk.images import image_at
from memctl.disk.lease import Lease
from memctl.disk.new_file import uninterrupted, unlink_quietly
from memctl.disk.reads import NotRegular

TEMP_PREFIX = ".memctl-"
_NO_LINKS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV)
_TEMP_NAME_LENGTH = len(TEMP_PREFIX) + 16
_NAME_MAX = 255
_HEX = "0123456789abcdef"


def temp_name() -> str:
    """Return a new name for a text that is not yet in place."""
    return TEMP_PREFIX + os.urandom(8).hex()


def is_temp_name(name: str) -> bool:
    """Return whether a name is one of temp_name(): nobody else's `.memctl-notes.md` is swept."""
    digits = name.removeprefix(TEMP_PREFIX)
    return len(name) == _TEMP_NAME_LENGTH and len(digits) == 16 and not digits.strip(_HEX)


class Aside(NamedTuple):
    """What the name of a file put aside says: the digest of what it was read as, and its name ('': that was too long)."""

    digest: str
    file: str


def aside_name(name: str, data: bytes) -> str:
    """Return a name to put a file aside under, which a later run can judge it by: `.memctl-*-DIGEST-NAME~`."""
    start = f"{temp_name()}-{_digest(data)}-"
    fits = len(start) + len(os.fsencode(name)) < _NAME_MAX
    return f"{start}{name if fits else ''}~"


def aside_of(name: str) -> Aside | None:
    """Return what a name of aside_name() says; None for any other name."""
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
            return put_back(directory, name, aside.file)
        unlink_quietly(directory, name)
    return None


def _is_same(directory: int, name: str, other: str) -> bool:
    """Return whether two names are the same file, or the second has the bytes of the first."""
    try:
        return bool(other) and (
            is_one(directory, name, other) or image_at(directory, name).is_like(image_at(directory, other))
        )
    except (OSError, NotRegular):
        return False


def is_one(directory: int, name: str, other: str) -> bool:
    """Return whether two names are the same file, as far as both can be looked at."""
    try:
        first, second = (os.stat(one, dir_fd=directory, follow_symlinks=False) for one in (name, other))
    except OSError:
        return False
    return os.path.samestat(first, second)


def link_at(directory: int, name: str, other: str) -> bool:
    """Give a file a second name; return False where the file system has no hard links."""
    try:
        os.link(name, other, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except OSError as error:
        if error.errno in _NO_LINKS:
            return False
        raise
    return True


def put_back(directory: int, aside: str, name: str) -> str:
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
