"""What changes do to files, as unified diffs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.core.text import decode
from memctl.ops.results import Reindexed

if TYPE_CHECKING:
    from memctl.disk.history_tables import Change
    from memctl.ops.undo import UndoPlan


def index_diff(result: Reindexed) -> str:
    """Return a unified diff from the index that is there to the one that should be."""
    path = f"{result.store.path}/MEMORY.md"
    return _diff(result.before, result.after, "/dev/null" if result.before is None else path, f"{path} (rendered)")


def change_diff(one: Change) -> str:
    """Return what a change did to its files, as unified diffs."""
    return "".join(_file_diff(file.path, file.before.data, file.after.data) for file in one.files)


def undo_diff(plan: UndoPlan) -> str:
    """Return what an undo would do to the files, as unified diffs."""
    return "".join(_file_diff(restore.file.path, restore.now.data, restore.then.data) for restore in plan.restores)


def _file_diff(path: str, before: bytes | None, after: bytes | None) -> str:
    return _diff(before, after, "/dev/null" if before is None else path, "/dev/null" if after is None else path)


def _diff(before: bytes | None, after: bytes | None, old: str, new: str) -> str:
    from difflib import unified_diff

    one, other = (decode(data or b"").splitlines(keepends=True) for data in (before, after))
    lines = unified_diff(one, other, old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
