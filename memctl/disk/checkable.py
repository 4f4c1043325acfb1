"""What the words of `check` mean: a path first, then an agent; data folders, directories, single files (DESIGN 2)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memctl.core.address import USER, AgentWord, UserWord, parse_word, resolve_name
from memctl.core.dialects import hq
from memctl.core.env import Env
from memctl.core.legacy import MARKER_NAME
from memctl.core.text import in_order
from memctl.disk.inspect import dangling, is_shared
from memctl.disk.locate import Fleet, Root, expand, folder_of, is_foreign, open_root, store_at
from memctl.disk.reads import failure
from memctl.disk.recognition import (
    REGISTRY,
    can_list,
    holds_memories,
    holds_stores,
    is_agents,
    is_plain_fleet,
    is_store,
    names_in,
)
from memctl.disk.stores import DataFolder, DirectoryStore
from memctl.errors import MemctlError, NotFound, UsageError

if TYPE_CHECKING:
    from memctl.disk.user_store import FileStore

_NOTES = "memory.md"
# Below a directory that is no store itself stores are looked for so deep, hidden directories left out but for these.
_DEPTH = 8
_HIDDEN = (".dash", ".dashsquad", ".memory")
_FOREIGN_TREES = ("node_modules", "site-packages", "__pycache__")


class Aim(NamedTuple):
    """One thing to check: a store, or a data folder for its registry.

    `only` are the names of the files that are meant, None for all. `beside` is the directory beside which settings are
    looked for, None where there is none. `gone` is a store that is none any more: only that it is gone is said of it.
    """

    place: DirectoryStore | FileStore | DataFolder
    only: frozenset[str] | None = None
    beside: str | None = None
    gone: bool = False


class Aims(NamedTuple):
    """What words mean, what is wrong with any of them, and the files that are passed over, each with the reason.

    `roots` are the directories that were named, whose stores are all meant, also those that are not there any more.
    """

    found: list[Aim]
    errors: list[MemctlError]
    passed_over: list[str]
    roots: list[str]


def find_all(fleet: Fleet | None, user: FileStore | None) -> list[Aim]:
    """Return all agents of a fleet, each data folder's registry before them, and the user memory if it is there."""
    there = user is not None and os.path.lexists(user.path)
    return [*(_of_fleet(fleet) if fleet else ()), *([Aim(user)] if user is not None and there else ())]


def _of_fleet(fleet: Fleet, beside: str | None = None) -> Iterator[Aim]:
    seen: set[int] = set()
    registered: set[str] = set()
    for store in fleet.stores():
        registered.add(store.path)
        if id(store.folder) not in seen:
            seen.add(id(store.folder))
            yield from _registry(store.folder, beside)
        yield Aim(store, None, beside or store.folder.memory)
    for root in fleet.roots:  # one without an agent
        if root.only is None and id(root.folder) not in seen:
            yield from _registry(root.folder, beside)
    for path in fleet.nowhere:
        if path not in registered:
            yield _unreadable(path, fleet.env)
    for error in fleet.errors:
        if error.path is not None:
            yield _unreadable(error.path, fleet.env)


def _unreadable(path: str, env: Env) -> Aim:
    """Return a directory that cannot be read as a store: who checks it says so."""
    return Aim(store_at(path, env))


def _registry(folder: DataFolder, beside: str | None) -> Iterator[Aim]:
    if (folder.path is not None and folder.registry.present) or is_shared(folder):
        yield Aim(folder, None, beside or folder.path or folder.memory)


def find_words(words: Sequence[str], env: Env, fleet: Callable[[], Fleet], user: Callable[[], FileStore]) -> Aims:
    """Return what words mean; one that means nothing is an error, the others go on.

    `fleet` and `user` are asked for where a word needs them. A file that is not there is passed over: a hook names
    deleted ones too.
    """
    aims = Aims([], [], [], [])
    for word in dict.fromkeys(words):
        try:
            aims.found.extend(_word(word, env, fleet, user, aims))
        except MemctlError as error:
            aims.errors.append(error)
    return aims._replace(found=_once(aims.found))


def _word(word: str, env: Env, fleet: Callable[[], Fleet], user: Callable[[], FileStore], aims: Aims) -> Iterator[Aim]:
    parsed = parse_word(word)
    if isinstance(parsed, UserWord):
        if parsed.note is not None:
            raise UsageError(f"'{word}' is one note; check takes {USER} as a whole", hint=f"memctl check {USER}")
        yield Aim(user())
        return
    path = os.path.normpath(os.path.join(env.cwd, expand(word, env.home)))
    there = _is_there(path)
    if there:
        found = list(_at(path, env, user, aims))
        if found:
            yield from found
            return
    # A hook names deleted files too.
    deleted = not there and word.endswith((".md", ".json"))
    if isinstance(parsed, AgentWord) and not deleted and not os.path.isfile(path):
        store = None
        try:
            store = fleet().agent(parsed.agent)
        except NotFound as error:
            if not there and "/" not in word:
                aims.roots.append(path)
                raise NotFound(f"no file, directory or agent '{word}'", path=path, hint=error.hint) from None
        if store is not None:
            only = None if parsed.name is None else _named(store, parsed.name, parsed.agent)
            yield Aim(store, only, store.folder.memory)
            return
    if os.path.isdir(path):
        hint = "a store is a directory of .md files, a memory/ directory or a data folder; --allow-empty takes none"
        raise NotFound(f"no memories found in '{word}'", path=path, hint=hint)
    if there:
        aims.passed_over.append(f"'{word}' is in no store")
    elif deleted:
        aims.passed_over.append(f"'{word}' is not there")
    else:
        aims.roots.append(path)
        raise NotFound(f"no such file or directory: '{word}'", path=path)


def _is_there(path: str) -> bool:
    """Return whether there is such a name. Raises IoFailure where that cannot be told."""
    try:
        os.lstat(path)
    except PermissionError as error:
        raise failure(error, path, "read") from None
    except OSError:
        return False
    return True


def _named(store: DirectoryStore, name: str, agent: str) -> frozenset[str]:
    """Return the files of an agent that a NAME means. Raises NotFound."""
    with store.open() as directory:
        files = hq.memory_files(directory.names())
    stems = [file[:-3] for file in files]
    found = frozenset(files[at] for at in resolve_name(name, stems, [""] * len(stems)))
    if not found:
        raise NotFound(f"no memory '{name}' in agent '{store.name}'", hint=f"memctl list {agent}")
    return found


def _at(path: str, env: Env, user: Callable[[], FileStore], aims: Aims) -> Iterator[Aim]:
    """Yield what is to be checked at an absolute path: nothing where no memories are."""
    if os.path.isdir(path):
        aims.roots.append(path)
        yield from _directory(path, env)
        return
    directory, name = os.path.split(path)
    if name == REGISTRY:
        folder = DataFolder(directory, os.path.join(directory, "memory"), foreign=is_foreign(directory, env))
        yield Aim(folder, None, directory)
    elif (memory := _user_at(path, user)) is not None:
        yield Aim(memory, None, directory)
    elif name == _NOTES and not is_agents(directory):
        # Another's user memory, a copy, one among dotfiles: what CodeWhale's configuration here says is not about it.
        yield Aim(_notes(path, env), frozenset((name,)), directory)
    elif dangling(path) and not name.endswith(".md"):
        yield _unreadable(path, env)
    elif name.endswith(".md") or (can_list(directory) and is_store(directory, names_in(directory))):
        yield Aim(agent_at(directory, env), frozenset((name,)), directory)


def _user_at(path: str, user: Callable[[], FileStore]) -> FileStore | None:
    """Return the user memory if a path is its file; what is wrong with its configuration is none of a path's business."""
    try:
        store = user()
    except MemctlError:
        return None
    return store if store.path == path else None


def _notes(path: str, env: Env) -> FileStore:
    """Return the user memory at a path that is not the one of this user."""
    from memctl.disk.codewhale import find_facts
    from memctl.disk.user_store import open_user_store

    return open_user_store(find_facts(env, given=path), env)


def _directory(path: str, env: Env) -> Iterator[Aim]:
    try:
        names = names_in(path)
    except MemctlError:
        yield _unreadable(path, env)
        return
    if is_store(path, names):
        yield Aim(agent_at(path, env), None, path)
        return
    memory = os.path.join(path, "memory")
    if REGISTRY in names:
        yield from _data_folder(path, env)
    elif "memory" in names and os.path.isdir(memory) and not can_list(memory):
        yield _unreadable(memory, env)
    elif "memory" in names and os.path.isdir(memory) and holds_stores(memory):
        yield from _of_many(open_root(memory, env), env, path)
    elif os.path.basename(path) == "memory" or is_plain_fleet(path, names):
        folder = folder_of(os.path.join(path, "agent"), env)
        yield from _of_many(Root(folder, None), env, path)
    else:
        yield from _below(path, names, env, _DEPTH)


def _data_folder(path: str, env: Env) -> Iterator[Aim]:
    memory = os.path.join(path, "memory")
    if os.path.isdir(memory) and can_list(memory) and is_store(memory, names_in(memory)):
        folder = DataFolder(path, memory, foreign=is_foreign(path, env))
        yield Aim(folder, None, path)
        yield Aim(agent_at(memory, env), None, path)
    else:
        yield from _of_many(open_root(path, env), env, path)


def _of_many(root: Root, env: Env, beside: str) -> Iterator[Aim]:
    yield from _of_fleet(Fleet([root], env), beside)


def _below(path: str, names: list[str], env: Env, depth: int) -> Iterator[Aim]:
    """Yield the stores in a tree that is none of the HQ's: directories that hold something which reads as a memory."""
    for name in in_order(names):
        below = os.path.join(path, name)
        if (name.startswith(".") and name not in _HIDDEN) or name in _FOREIGN_TREES:
            continue
        if os.path.islink(below) or not os.path.isdir(below):
            continue
        try:
            inside = names_in(below)
        except MemctlError:
            yield _unreadable(below, env)
            continue
        if REGISTRY in inside and "memory" in inside:
            yield from _data_folder(below, env)
        elif MARKER_NAME in inside or holds_memories(below, inside):
            yield Aim(agent_at(below, env), None, below)
        elif depth:
            yield from _below(below, inside, env, depth - 1)


def agent_at(directory: str, env: Env) -> DirectoryStore:
    """Return the store at a path; where it stands in a data folder with a registry its id is its address."""
    store = store_at(directory, env)
    known = store.folder.path is not None and store.folder.registry.present
    return store._replace(address=store.id) if known else store


def _once(aims: Sequence[Aim]) -> list[Aim]:
    """Return each place once, with all files that are meant of it; ids that two stores share become paths."""
    merged: dict[tuple[type, str], Aim] = {}
    for aim in aims:
        place = aim.place
        key = (type(place), (place.path or place.memory) if isinstance(place, DataFolder) else place.path)
        known = merged.get(key)
        if known is None:
            merged[key] = aim
        elif known.only is not None:
            merged[key] = known._replace(only=None if aim.only is None else known.only | aim.only)
    times: dict[str, int] = {}
    for aim in merged.values():
        if isinstance(aim.place, DirectoryStore):
            times[aim.place.address] = times.get(aim.place.address, 0) + 1
    return [
        aim._replace(place=aim.place._replace(address=aim.place.path))
        if isinstance(aim.place, DirectoryStore) and times[aim.place.address] > 1
        else aim
        for aim in merged.values()
    ]
