"""The user memory as JSON, and CodeWhale's other memories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memctl.core.dialects.notes import Note
    from memctl.disk.native_tree import NativeFile, Structured
    from memctl.disk.user_store import FileStore
    from memctl.ops.import_native import ImportedTree
    from memctl.ops.results import ListedNotes, ShownUserMemory


def note(store: FileStore, one: Note) -> dict[str, Any]:
    """Return one note of the user memory; a note without a stamp has null."""
    return {
        "address": store.note_address(one.number),
        "number": one.number,
        "line": one.line,
        "stamp": one.stamp,
        "text": one.text,
    }


def _limit() -> int:
    from memctl.core.dialects.notes import LIMIT

    return LIMIT


def listed_notes(result: ListedNotes) -> dict[str, Any]:
    """Return the user memory as one of the `stores` of `list`; `bytes` is null where there is no file."""
    return {
        "address": result.store.address,
        "path": result.store.path,
        "bytes": result.size,
        "limit": _limit(),
        "notes": [note(result.store, one) for one in result.notes],
        "outside": result.outside,
    }


def shown_user(result: ShownUserMemory) -> dict[str, Any]:
    """Return one of the `user_memories` of `show`."""
    return {
        "address": result.store.address,
        "path": result.store.path,
        "bytes": len(result.data),
        "limit": _limit(),
        "notes": [note(result.store, one) for one in result.notes],
        "content": result.data.decode("utf-8", "replace"),
    }


def listed_native(file: NativeFile) -> dict[str, Any]:
    """Return one file of CodeWhale's native tree as one of the `stores` of `list`."""
    return {
        "address": "@user",
        "scope": file.scope,
        "path": file.path,
        "bytes": None if file.data is None else len(file.data),
        "entries": [{"line": entry.line, "text": entry.text} for entry in file.entries],
    }


def listed_structured(path: str, memories: Sequence[Structured]) -> dict[str, Any]:
    """Return CodeWhale's structured store as one of the `stores` of `list`."""
    return {"address": "@user", "scope": "store", "path": path, "memories": [one._asdict() for one in memories]}


def shown_native(files: Iterable[NativeFile]) -> dict[str, Any]:
    """Return the data of `show @user --scope`."""
    return {"native": [listed_native(file) for file in files]}


def remembered(store: FileStore, notes: Sequence[str], *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `remember`."""
    return {"address": store.address, "path": store.path, "notes": list(notes), "dry_run": dry_run}


def cleared(store: FileStore, size: int, notes: int, *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `clear @user`: what the file had."""
    return {"address": store.address, "path": store.path, "bytes": size, "notes": notes, "dry_run": dry_run}


def imported_tree(result: ImportedTree, *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `import-legacy @user`."""
    entry = {
        "address": "@user",
        "imported": result.imported,
        "reason": result.reason,
        "truncated": False,
        "source": result.source,
    }
    return {"imports": [entry], "dry_run": dry_run}
