"""The verb `reindex`: MEMORY.md rendered anew, written only where it differs."""

from __future__ import annotations

from typing import NamedTuple

from memctl.core.text import encode
from memctl.disk.change import reindex
from memctl.disk.locking import Locking
from memctl.disk.stores import DirectoryStore, Snapshot
from memctl.errors import MemctlError
from memctl.ops.results import Reindexed


class ReindexRequest(NamedTuple):
    """`write` is False for a check or a dry run."""

    write: bool
    locking: Locking = Locking()


def reindex_store(store: DirectoryStore, request: ReindexRequest) -> Reindexed:
    """Render the index of a store. Never raises: what failed is in `errors`.

    An agent without a directory has no index, and none is made for it.
    """
    try:
        if request.write and store.exists():
            snapshot, changed = reindex(store, request.locking)
        else:
            snapshot = store.read()
            changed = store.exists() and snapshot.index_data != encode(snapshot.rendered().text)
    except MemctlError as error:
        return Reindexed(store, False, 0, 0, None, b"", (error,))
    return _result(store, snapshot, changed)


def _result(store: DirectoryStore, snapshot: Snapshot, changed: bool) -> Reindexed:
    index = snapshot.rendered()
    return Reindexed(
        store,
        changed,
        len(index.listed),
        len(index.omitted),
        snapshot.index_data,
        encode(index.text),
        tuple(snapshot.errors),
    )
