"""Directories made and opened to be written in, on a way that no symlink can turn aside."""

from __future__ import annotations

import errno
import os

from memctl.disk.images import Image
from memctl.disk.new_file import sync_directory, uninterrupted
from memctl.disk.reads import failure
from memctl.disk.walk import is_at_risk, open_walked
from memctl.errors import IoFailure


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


def make_again(path: str, model: Image) -> None:
    """Create a directory that memctl took away, with the mode and owner that it had. Raises MemctlError."""
    if os.path.isdir(path):
        return
    make_directory(path, like_parent=False)
    try:
        descriptor = open_directory(path)
        try:
            status = os.fstat(descriptor)
            if model.uid is not None and model.gid is not None and (status.st_uid, status.st_gid) != model[2:4]:
                os.fchown(descriptor, model.uid, model.gid)
            if model.mode is not None:
                os.fchmod(descriptor, model.mode)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise failure(error, path, "write") from None


def remove_empty(path: str) -> bool:
    """Remove a directory if it is empty; return whether it is gone. Raises MemctlError."""
    folder, name = os.path.split(path)
    try:
        parent = open_directory(folder)
        try:
            os.rmdir(name, dir_fd=parent)
            sync_directory(parent, f"'{path}' is removed", path)
        finally:
            os.close(parent)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            return False
        raise failure(error, path, "remove") from None
    return True


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
