"""Memories, and what commands do with them, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memctl.core.memory import Memory
from memctl.core.text import length
from memctl.disk.stores import DirectoryStore, Unloaded
from memctl.ops.results import (
    Card,
    Edited,
    EditedNotes,
    Gone,
    GoneNote,
    Imported,
    Listed,
    Reindexed,
    Removed,
    RemovedNotes,
    ShownFile,
    ShownMemory,
    ShownNote,
    ShownUserMemory,
)
from memctl.output.json_user import note, shown_user

if TYPE_CHECKING:
    from memctl.ops.recall import Recall
    from memctl.ops.show import Shown


def memory(store: DirectoryStore, file: str, record: Memory) -> dict[str, Any]:
    """Return one memory; a missing date is null."""
    return {
        "address": store.memory_address(file[:-3]),
        "path": f"{store.path}/{file}",
        "name": record.name,
        "file": file,
        "description": record.description,
        "type": record.type,
        "source": record.source,
        "created": record.created or None,
        "updated": record.updated or None,
        "size": length(record.content),
    }


def not_loaded(store: DirectoryStore, file: Unloaded) -> dict[str, Any]:
    """Return one file that the HQ skips."""
    return {"file": file.file, "path": f"{store.path}/{file.file}", "reason": file.problem.reason}


def agent(store: DirectoryStore) -> dict[str, Any]:
    """Return who a store belongs to; `registered` is null where no registry can be read."""
    return {"id": store.id, "name": store.agent.name if store.agent else None, "registered": store.registered}


def listed(result: Listed) -> dict[str, Any]:
    """Return one of the `stores` of `list`."""
    store = result.store
    return {
        "address": store.address,
        "path": store.path,
        "agent": agent(store),
        "memories": [memory(store, entry.file, entry.memory) for entry in result.entries],
        "not_loaded": [not_loaded(store, file) for file in result.unloaded],
    }


def places(found: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the data of `path`: each address with its path."""
    return {"paths": [{"address": address, "path": path} for address, path in found]}


def shown(results: Sequence[Shown]) -> dict[str, Any]:
    """Return the data of `show`: `memory` is set where exactly one was asked for."""
    memories = [_shown_memory(result) for result in results if isinstance(result, ShownMemory)]
    files = [
        {"address": result.store.memory_address(result.file.stem), **not_loaded(result.store, result.file)}
        for result in results
        if isinstance(result, ShownFile)
    ]
    cards = [_card(result) for result in results if isinstance(result, Card)]
    single = memories[0] if len(results) == len(memories) == 1 else None
    data = {"memory": single, "memories": memories, "not_loaded": files, "agents": cards}
    notes = [note(result.store, result.note) for result in results if isinstance(result, ShownNote)]
    users = [shown_user(result) for result in results if isinstance(result, ShownUserMemory)]
    return data | ({"notes": notes, "user_memories": users} if notes or users else {})


def _shown_memory(result: ShownMemory) -> dict[str, Any]:
    place = result.place
    return memory(result.store, result.entry.file, result.entry.memory) | {
        "content": result.entry.memory.content,
        "index": {"line": place.line, "listed": place.listed, "omitted": place.omitted},
    }


def _card(card: Card) -> dict[str, Any]:
    store = card.store
    known = store.agent
    return {
        "address": store.address,
        "path": store.path,
        "agent": agent(store),
        "workspace": known.workspace if known else None,
        "model": known.model if known else None,
        "auto_memory": known.enabled if known else None,
        "mode": known.sweep if known else None,
        "sweeps": card.sweeps,
        "why": card.why,
        "memories": card.memories,
        "types": card.by_type,
        "sources": card.by_source,
        "oldest": card.oldest,
        "newest": card.newest,
        "index": {
            "state": card.index_state,
            "size": card.index_units,
            "listed": card.listed,
            "omitted": card.omitted,
        },
        "legacy_imported": card.imported,
        "not_loaded": [not_loaded(store, file) for file in card.unloaded],
    }


def edited(results: Sequence[Edited | EditedNotes], *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `edit`: the keys of one edit, and all of them in `edits`."""
    edits = [_edited(result) for result in results]
    empty = dict.fromkeys(("address", "path", "action", "memory"))
    return (edits[0] if len(edits) == 1 else empty) | {"edits": edits, "dry_run": dry_run}


def _edited(result: Edited | EditedNotes) -> dict[str, Any]:
    if isinstance(result, EditedNotes):
        return {"address": result.address, "path": result.store.path, "action": result.action, "memory": None}
    return {
        "address": result.store.memory_address(result.file[:-3]),
        "path": f"{result.store.path}/{result.file}",
        "action": result.action,
        "memory": memory(result.store, result.file, result.memory) | {"content": result.memory.content},
    }


def removed(results: Sequence[Removed | RemovedNotes], *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `delete` and `prune`."""
    return {
        "removals": [_gone(gone) for result in results for gone in result.gone],
        "kept": sum(result.kept for result in results),
        "directories": [result.store.path for result in results if result.closed],
        "dry_run": dry_run,
    }


def _gone(gone: Gone | GoneNote) -> dict[str, Any]:
    return {"address": gone.address, "path": gone.path, "reasons": list(gone.reasons)}


def reindexed(result: Reindexed) -> dict[str, Any]:
    """Return one of the `stores` of `reindex`."""
    return {
        "address": result.store.address,
        "path": result.store.path,
        "changed": result.changed,
        "listed": result.listed,
        "omitted": result.omitted,
    }


def imported(result: Imported) -> dict[str, Any]:
    """Return one of the `imports` of `import-legacy`."""
    return {
        "address": result.store.address,
        "imported": result.imported,
        "reason": result.reason,
        "truncated": result.truncated,
        "source": result.source,
    }


def recalled(result: Recall) -> dict[str, Any]:
    """Return the data of `recall`: its `memories`, best first."""
    hits = [
        {"address": hit.address, "path": hit.path, "score": hit.score, "words": list(hit.words), "about": hit.about}
        for hit in result.hits
    ]
    return {"memories": hits}


def prompt(text: str | None) -> dict[str, Any]:
    """Return the data of `prompt`."""
    return {"text": text}
