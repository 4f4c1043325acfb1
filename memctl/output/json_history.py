"""Changes, and what takes them back, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memctl.disk.history_tables import Change
    from memctl.disk.locking import FileChange
    from memctl.ops.undo import UndoPlan


def history(changes: Iterable[Change]) -> dict[str, Any]:
    """Return the data of `history`; no bytes of a file are in it."""
    return {"changes": [_change(one) for one in changes]}


def _change(one: Change) -> dict[str, Any]:
    return {
        "id": one.id,
        "time": one.time,
        "command": one.command,
        "user": one.origin.user,
        "uid": one.origin.uid,
        "host": one.origin.host,
        "session": one.origin.session,
        "kind": one.kind,
        "target": one.target,
        "done": one.done,
        "undone_by": one.undone_by,
        "files": [
            {"store": file.store, "path": file.path, "action": _action(file), "changed": file.settled}
            for file in one.files
        ],
    }


def _action(file: FileChange) -> str:
    if file.before.data is None:
        return "created"
    return "removed" if file.after.data is None else "changed"


def forgotten(ids: Iterable[int]) -> dict[str, Any]:
    """Return the data of `history --forget` and `--prune`."""
    return {"forgotten": list(ids)}


def undone(plan: UndoPlan, paths: Iterable[str], *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `undo` and `redo`: the files that came back, and those that had changed since."""
    return {
        "undone": plan.change.id,
        "files": list(paths),
        "changed_since": [restore.file.path for restore in plan.blocked],
        "dry_run": dry_run,
    }
