"""The verb `list`: the memories of a store that fit some conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.core.filters import SORT_KEYS, Filters
from memctl.core.text import length
from memctl.disk.locate import Store
from memctl.disk.stores import DirectoryStore
from memctl.errors import MemctlError, UsageError
from memctl.ops.results import Listed, ListedNotes

if TYPE_CHECKING:
    from memctl.disk.user_store import FileStore


class ListRequest(NamedTuple):
    """What to list: `sort` is a key of SORT_KEYS, None for the HQ's order."""

    filters: Filters = Filters()
    sort: str | None = None
    reverse: bool = False


def list_any(store: Store, request: ListRequest) -> Listed | ListedNotes:
    """Return what a store of either kind holds of what is asked for. Never raises: what failed is in `errors`."""
    return list_store(store, request) if isinstance(store, DirectoryStore) else list_notes(store, request)


def list_notes(store: FileStore, request: ListRequest) -> ListedNotes:
    """Return the notes that are asked for. Never raises: what failed is in `errors`; notes have no type, source or name."""
    filters = request.filters
    try:
        if filters.types or filters.sources or filters.names:
            raise UsageError(
                "notes of the user memory have no type and no source", hint="--filter, --older-than, --since"
            )
        snapshot = store.read()
    except MemctlError as error:
        return ListedNotes(store, None, [], 0, (error,))
    found = [note for note in snapshot.notes if filters.match_note(note)]
    if request.sort in ("updated", "created"):
        found.sort(key=lambda note: note.stamp or "")
    elif request.sort == "size":
        found.sort(key=lambda note: length(note.text))
    if request.reverse:
        found.reverse()
    size = None if snapshot.data is None else len(snapshot.data)
    return ListedNotes(store, size, found, snapshot.outside, ())


def list_store(store: DirectoryStore, request: ListRequest) -> Listed:
    """Return what a store holds of what is asked for. Never raises: what failed is in `errors`.

    Files that are not loaded have no fields to filter by, so they are left out, and only counted, under a filter.
    """
    try:
        snapshot = store.read()
    except MemctlError as error:
        return Listed(store, [], [], 0, (error,))
    entries = snapshot.entries
    if request.filters.active:
        entries = [entry for entry in entries if request.filters.match(entry.memory)]
    if request.sort:
        key = SORT_KEYS[request.sort]
        entries = sorted(entries, key=lambda entry: key(entry.memory))  # type: ignore[arg-type,return-value]
    if request.reverse:
        entries = entries[::-1]
    unloaded = [] if request.filters.active else snapshot.unloaded
    return Listed(store, entries, unloaded, len(snapshot.unloaded), tuple(snapshot.errors))
