"""Files that stand alone, written and appended to by the same discipline as those of a store (DESIGN 5)."""

from __future__ import annotations

import os

from memctl.disk.appends import append_line
from memctl.disk.files import Directory
from memctl.disk.images import Edit, image_at
from memctl.disk.locking import FileChange, Locking, settle
from memctl.disk.reads import NotRegular, failure
from memctl.disk.walk import is_at_risk
from memctl.errors import InvalidInput


def write_file(path: str, old: bytes | None, new: bytes, locking: Locking, *, store: str = "") -> None:
    """Replace or create a single file by the same discipline. Raises MemctlError.

    `old` is what was read (None: there was none); a file that is no longer so is left alone (Busy). `store` is the
    address under which the history keeps it.
    """
    folder, name = os.path.split(path)
    with _open_folder(folder) as directory:
        directory.lock(locking)
        if locking.lock:
            directory.sweep(directory.names(), locking.tell)
        _, errors = directory.commit_all([Edit(name, old, new)], locking, store)
        if errors:
            raise errors[0]


def _open_folder(folder: str) -> Directory:
    return Directory(folder or ".", walk=is_at_risk(folder))


def append_file(path: str, line: bytes, locking: Locking, *, store: str = "") -> None:
    """Append a line, which ends with LF, to a file that others append to as well, in one write. Raises MemctlError.

    A file whose last line has no end is given 50 ms to get one from whoever is writing it, then gets one from us, so
    that our line is never glued to another (DESIGN 5). A missing file is created. A short write is finished, never
    taken back: what came behind it is another's.
    """
    folder, name = os.path.split(path)
    with _open_folder(folder) as directory:
        directory.sweep_if_free(locking)
        directory.lock(locking, shared=True)
        numbers = []
        try:
            if locking.recorder:
                before = image_at(directory.descriptor, name)
                after = before._replace(data=(before.data or b"") + line)
                intent = FileChange(store, path, before, after)
                numbers = locking.recorder.intend([intent])
            try:
                while not append_line(directory.descriptor, name, line):
                    pass  # the file was replaced meanwhile by one without our line
            except (OSError, NotRegular):
                if locking.recorder and image_at(directory.descriptor, name).is_like(before):
                    settle(locking.recorder, [(number, False) for number in numbers])
                raise
        except NotRegular as error:
            raise InvalidInput(f"'{path}' is {error.kind}, not a file", path=path) from None
        except OSError as error:
            raise failure(error, path, "write") from None
        if locking.recorder:
            settle(locking.recorder, [(number, True) for number in numbers])
        directory.sync(f"'{path}' is written", path)
