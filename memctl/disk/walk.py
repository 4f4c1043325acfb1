"""The way to a directory, name by name, so that nobody's symlink leads elsewhere (DESIGN 5)."""

from __future__ import annotations

import errno
import os
import stat

from memctl.errors import Protected

# As many as Linux follows in one path.
_LINKS_MAX = 40
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# What is opened with O_PATH can be a symlink itself, and needs no permission to read. macOS has no such thing.
_PATH = getattr(os, "O_PATH", 0)


def is_at_risk(path: str) -> bool:
    """Return whether the way to a directory can be somebody else's trap: always for root, else where it is not one's own."""
    user = os.geteuid()
    if user == 0:
        return True
    try:
        return os.stat(path or ".").st_uid != user
    except (OSError, ValueError):
        return False


def open_walked(path: str, *, last: bool = True) -> int:
    """Return a descriptor of a directory; a symlink on the way is followed only if root or this user owns it.

    Without `last` the last name may be no symlink at all. Raises Protected, which names the symlink, and OSError.
    """
    steps, way = _steps(path), "/" if path.startswith("/") else ""
    at = os.open(way or ".", _PATH | _DIRECTORY)
    links = 0
    try:
        while steps:
            name = steps.pop()
            descriptor, target, owner = _step(at, name)
            if target is None:
                # In this order: a signal after the close must not have it closed again.
                at, gone = descriptor, at
                os.close(gone)
                way = os.path.join(way, name)
                continue
            if not steps and not last:
                raise Protected(f"'{path}' is a symlink, which is not followed in another user's store", path=path)
            if owner not in (0, os.geteuid()):
                link = os.path.join(way, name)
                hint = "if you trust where it leads, name that directory itself"
                raise Protected(f"'{link}' is a symlink of another user, which is not followed", path=link, hint=hint)
            links += 1
            if links > _LINKS_MAX:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
            if target.startswith("/"):
                at, gone = -1, at
                os.close(gone)
                at, way = os.open("/", _PATH | _DIRECTORY), "/"
            steps += _steps(target)
        return os.open(".", _DIRECTORY, dir_fd=at)
    finally:
        if at >= 0:
            os.close(at)


def _steps(path: str) -> list[str]:
    """Return the names of a path, the last one first."""
    return [name for name in reversed(path.split("/")) if name not in ("", ".")]


def _step(at: int, name: str) -> tuple[int, str | None, int]:
    """Return a descriptor of a name in an open directory, or of a symlink where it leads and who owns it. Raises OSError."""
    if not _PATH:
        status = os.stat(name, dir_fd=at, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            return -1, os.readlink(name, dir_fd=at), status.st_uid
        return os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=at), None, status.st_uid
    descriptor = os.open(name, _PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISLNK(status.st_mode):
            found, descriptor = descriptor, -1
            return found, None, status.st_uid
        # Of the very symlink that was looked at: one that was swapped meanwhile is not read.
        return -1, os.readlink("", dir_fd=descriptor), status.st_uid
    finally:
        if descriptor >= 0:
            os.close(descriptor)
