"""Which files of a store a NAME means."""

from __future__ import annotations

from memctl.core.address import is_pattern, resolve_name
from memctl.core.nearest import nearest
from memctl.disk.stores import DirectoryStore, Entry, Snapshot, Unloaded
from memctl.errors import NotFound


def pick(store: DirectoryStore, snapshot: Snapshot, name: str) -> list[Entry | Unloaded]:
    """Return the memories, and the files that are not loaded, that NAME means: one, or all that fit a pattern.

    Raises NotFound where none fits, or where two call themselves so.
    """
    found: list[Entry | Unloaded] = [*snapshot.entries, *snapshot.unloaded]
    files = [file.stem for file in found]
    names = [file.memory.name if isinstance(file, Entry) else "" for file in found]
    hits = resolve_name(name, files, names)
    if is_pattern(name) and hits:
        return [found[at] for at in hits]
    if len(hits) == 1:
        return [found[hits[0]]]
    if hits:
        paths = ", ".join(f"{store.path}/{found[at].file}" for at in hits)
        raise NotFound(f"two memories of agent '{store.id}' are named '{name}': {paths}", hint="give one of the paths")
    if is_pattern(name):
        raise NotFound(f"no memory of agent '{store.id}' fits '{name}'", hint=f"memctl list {store.address}")
    near = nearest(name, [*files, *filter(None, names)])
    hint = f"did you mean '{store.memory_address(near)}'?" if near else f"memctl list {store.address}"
    raise NotFound(f"no memory named '{name}' in agent '{store.id}'", hint=hint)
