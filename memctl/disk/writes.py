"""One file made, replaced or removed, so that nobody ever sees half of it and nothing that another wrote is lost."""

from __future__ import annotations

import os
import stat
from contextlib import nullcontext

from memctl.disk.aside import aside_name, is_one, link_at, put_back, temp_name
from memctl.disk.images import Edit, Image
from memctl.disk.lease import Lease
from memctl.disk.new_file import uninterrupted, unlink_quietly, write_new
from memctl.disk.reads import KINDS, NotRegular, read_at
from memctl.errors import Busy, Protected


def changed(path: str) -> Busy:
    """Return the error for a file that is no longer what was read."""
    message = f"'{path}' changed while memctl worked; nothing was overwritten"
    return Busy(message, path=path, hint="look at it, then try again")


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
    temp, aside = temp_name(), aside_name(name, old)
    with uninterrupted():
        try:
            _write_like(directory, name, temp, new, model, path)
            with _leased(directory, name, path) as lease:
                try:
                    linked = link_at(directory, name, aside)
                    same = read_at(directory, aside if linked else name, follow=False) == old
                except FileNotFoundError:
                    raise changed(path) from None
                if not same or lease.is_wanted():
                    raise changed(path)
                if linked and not is_one(directory, aside, name):
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
            if is_one(directory, aside, name):
                unlink_quietly(directory, aside)


def _write_like(directory: int, name: str, temp: str, new: bytes, model: Image, path: str) -> None:
    """Write the text that shall replace a file, with what that file has besides its bytes. Raises Busy, OSError."""
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=directory)
    except FileNotFoundError:
        raise changed(path) from None
    try:
        write_new(directory, temp, new, model, descriptor)
    finally:
        os.close(descriptor)


def _take_back(directory: int, name: str, aside: str, new: bytes, path: str) -> None:
    """Give the file put aside its name back in the place of memctl's own text. Raises Busy, OSError.

    Somebody may have written into that since it was put there: then both are kept.
    """
    mine = aside_name(name, new)
    try:
        os.link(name, mine, src_dir_fd=directory, dst_dir_fd=directory, follow_symlinks=False)
    except FileNotFoundError:
        _kept(put_back(directory, aside, name), path, "replaced")
        return
    if _is_still(directory, mine, new):
        os.replace(aside, name, src_dir_fd=directory, dst_dir_fd=directory)
        aside = mine
    if aside == mine and _is_still(directory, mine, new):
        unlink_quietly(directory, mine)
        return
    if aside != mine:
        unlink_quietly(directory, mine)
    _kept(put_back(directory, aside, name), path, "replaced")


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


def create_file(directory: int, name: str, new: bytes, path: str, given: Image | None = None) -> None:
    """Create a file, or the symlink that `given` says it was; one that is there is never replaced (Busy). Raises OSError."""
    temp = temp_name()
    with uninterrupted():
        try:
            if given is not None and given.link:
                os.symlink(os.fsdecode(new), name, dir_fd=directory)
                if given.uid is not None and given.gid is not None and os.geteuid() == 0:
                    os.chown(name, given.uid, given.gid, dir_fd=directory, follow_symlinks=False)
                return
            write_new(directory, temp, new, given)
            if not link_at(directory, temp, name):
                write_new(directory, name, new, given)
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
    aside = aside_name(edit.file, edit.old or b"")
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
            _kept(put_back(directory, aside, edit.file), path, "removed")
            raise
        _kept(put_back(directory, aside, edit.file), path, "removed")
    raise changed(path)


def _is_as_read(directory: int, name: str, edit: Edit) -> bool:
    try:
        if edit.link:
            return os.fsencode(os.readlink(name, dir_fd=directory)) == edit.old
        return read_at(directory, name, follow=False) == edit.old
    except (OSError, NotRegular):
        return False


def _kept(name: str, path: str, doing: str) -> None:
    """Raise Busy where a file did not get its own name back."""
    if name != os.path.basename(path):
        message = f"'{path}' was written anew while memctl {doing} it; the text it had before is kept as '{name}'"
        raise Busy(message, path=path)
