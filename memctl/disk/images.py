"""What a file is at one moment, and what a change makes of it."""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from memctl.disk.reads import read_at


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
    get which comes back; its `link` makes it a symlink to `new`. Of an index that goes with its directory it has the mode
    and owner of that.
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
