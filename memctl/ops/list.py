"""The verb `list`: the memories of a store that fit some conditions."""

from __future__ import annotations

from typing import NamedTuple

from memctl.core.filters import SORT_KEYS, Filters
from memctl.disk.stores import DirectoryStore
from memctl.errors import MemctlError
from memctl.ops.results import Listed


class ListRequest(NamedTuple):
    """What to list: `sort` is a key of SORT_KEYS, None for the HQ's order."""

    filters: Filters = Filters()
    sort: str | None = None
    reverse: bool = False


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
