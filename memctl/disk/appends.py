"""A line appended to a file to which others append as well."""

from __future__ import annotations

import errno
import os
import stat
import time

from memctl.disk.new_file import uninterrupted, write_all
from memctl.disk.reads import KINDS, NotRegular, kind_at, read_at
from memctl.disk.writes import create_file
from memctl.errors import Busy

_LINE_END = 0.05


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
