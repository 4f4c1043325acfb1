"""The verb `show`: a memory in full, or an agent's card."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memctl.core.ages import read_date
from memctl.core.dialects.notes import note_at
from memctl.core.legacy import MARKER_NAME
from memctl.core.sweep import sweeps
from memctl.core.text import encode, length
from memctl.disk.locate import Target
from memctl.disk.stores import DirectoryStore, Entry, Snapshot
from memctl.errors import NotFound
from memctl.ops.pick import pick
from memctl.ops.results import Card, IndexPlace, ShownFile, ShownMemory, ShownNote, ShownUserMemory

if TYPE_CHECKING:
    from memctl.disk.user_store import FileStore


Shown = ShownMemory | ShownFile | Card | ShownNote | ShownUserMemory


def show(target: Target) -> list[Shown]:
    """Return what an address means: one memory, those that fit a pattern, the agent's card, a note, the user memory.

    Raises NotFound, IoFailure where the directory cannot be read.
    """
    store = target.store
    if not isinstance(store, DirectoryStore):
        return [_show_user(store, target.name)]
    snapshot = store.read()
    if target.name is None:
        return [card(store, snapshot)]
    return [
        ShownMemory(store, file, place_in_index(snapshot, file))
        if isinstance(file, Entry)
        else ShownFile(
            store, file, tuple(error for error in snapshot.errors if error.path == f"{store.path}/{file.file}")
        )
        for file in pick(store, snapshot, target.name)
    ]


def _show_user(store: FileStore, number: str | None) -> ShownNote | ShownUserMemory:
    snapshot = store.read()
    if number is not None:
        return ShownNote(store, note_at(snapshot.notes, int(number)))
    if snapshot.data is None:
        hint = "memctl remember NOTE begins it; memctl explain @user says where it is looked for"
        raise NotFound(f"there is no user memory at '{store.path}'", path=store.path, hint=hint)
    return ShownUserMemory(store, snapshot.data, snapshot.notes)


def place_in_index(snapshot: Snapshot, entry: Entry) -> IndexPlace:
    """Return where a memory stands in the index that the HQ would render."""
    index = snapshot.rendered()
    line = next((at for at, memory in enumerate(index.listed, 1) if memory is entry.memory), None)
    return IndexPlace(line, len(index.listed), len(index.omitted))


def card(store: DirectoryStore, snapshot: Snapshot) -> Card:
    """Return the card of an agent. Raises NotFound for an agent with neither a directory nor an entry in a registry."""
    memories = [entry.memory for entry in snapshot.entries]
    exists = store.exists()
    if not exists and store.agent is None:
        raise NotFound(f"no agent '{store.id}'", path=store.path, hint="memctl list shows the agents")
    index = snapshot.rendered()
    dates = sorted(memory.last_update for memory in memories if read_date(memory.last_update))
    agent = store.agent
    answer = sweeps(agent.sweep, agent.model) if agent else None
    if snapshot.index_data is None:
        state = "missing"
    else:
        state = "current" if snapshot.index_data == encode(index.text) else "stale"
    return Card(
        store,
        exists,
        len(memories),
        _counts(str(memory.type) for memory in memories),
        _counts(str(memory.source) for memory in memories),
        dates[0] if dates else None,
        dates[-1] if dates else None,
        length(index.text),
        len(index.listed),
        len(index.omitted),
        state,  # type: ignore[arg-type]
        MARKER_NAME in snapshot.names,
        answer.sweeps if answer else None,
        answer.why if answer else "not in the registry",
        tuple(snapshot.unloaded),
        tuple(snapshot.errors),
    )


def _counts(values: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return counts
