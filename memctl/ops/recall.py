"""The verb `recall`: the memories that fit a message, with the words that matched."""

from __future__ import annotations

from typing import NamedTuple

from memctl.core.env import Env
from memctl.core.recall import rank, words_in
from memctl.disk.locate import Store
from memctl.disk.native_tree import read_tree, tree_root, workspace_id
from memctl.disk.stores import DirectoryStore
from memctl.disk.user_store import FileStore
from memctl.errors import MemctlError


class Hit(NamedTuple):
    """One memory, note or entry that fits."""

    address: str
    path: str
    score: int
    words: tuple[str, ...]
    about: str


class Recall(NamedTuple):
    """What fits, best first."""

    hits: tuple[Hit, ...]
    errors: tuple[MemctlError, ...] = ()


def recall(store: Store, message: str, env: Env, *, today: str, scope: str | None) -> Recall:
    """Return what the HQ would recall for a message; of the user memory, what holds all of its words.

    With `scope` the entries of CodeWhale's native tree are looked through. Raises MemctlError where nothing can be read.
    """
    if not isinstance(store, DirectoryStore):
        return Recall(tuple(_of_user(store, message, env, scope)))
    snapshot = store.read()
    found = rank([entry.memory for entry in snapshot.entries], message, today=today)
    files = {id(entry.memory): entry.file for entry in snapshot.entries}
    hits = [
        Hit(
            store.memory_address(files[id(hit.memory)][:-3]),
            f"{store.path}/{files[id(hit.memory)]}",
            hit.score,
            hit.words,
            hit.memory.description,
        )
        for hit in found
    ]
    return Recall(tuple(hits), tuple(snapshot.errors))


def _of_user(store: FileStore, message: str, env: Env, scope: str | None) -> list[Hit]:
    wanted = words_in(message)  # newest first: both grow at their end
    if scope is None:
        texts = [(store.note_address(note.number), store.path, note.text) for note in store.read().notes[::-1]]
    else:
        workspace = workspace_id(env.cwd) if scope != "global" else None
        files = read_tree(tree_root(store.facts.path, env), scope, workspace)
        texts = [
            (f"{file.scope}:{entry.line}", file.path, entry.text) for file in files for entry in file.entries[::-1]
        ]
    return [
        Hit(address, path, len(wanted), tuple(sorted(wanted)), text.partition("\n")[0])
        for address, path, text in texts
        if wanted and wanted <= words_in(text)
    ]
