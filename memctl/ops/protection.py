"""What a protection forbids, said before anything is touched."""

from __future__ import annotations

import os

from memctl.disk.stores import DirectoryStore
from memctl.errors import Protected


def require_automatic_memory(store: DirectoryStore) -> None:
    """Raise Protected where automatic memory is off for the agent: its memories can be seen and removed only."""
    if not store.automatic_memory:
        raise Protected(
            f"automatic memory is off for agent '{store.name}', so its memories can be seen and deleted, not written",
            path=store.path,
            hint=f"memctl auto-memory {store.address} on",
        )


def require_own_file(store: DirectoryStore, file: str) -> None:
    """Raise Protected where a memory's file is a symlink: memctl never writes through one."""
    path = os.path.join(store.path, file)
    if os.path.islink(path):
        target = os.readlink(path)
        raise Protected(f"'{path}' is a symlink to '{target}'; memctl does not write through it", path=path)
