"""Roots and addresses to stores: where the data folders are, and which agent or memory a word means."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, Union

from memctl.core.address import AgentWord, Known, PathWord, UserWord, parse_word, resolve_agent
from memctl.core.env import Env
from memctl.core.text import in_order
from memctl.disk.reads import failure
from memctl.disk.stores import DataFolder, DirectoryStore
from memctl.errors import InvalidInput, MemctlError, NotFound, Protected, UsageError

if TYPE_CHECKING:
    from memctl.disk.user_store import FileStore

DEMO_HINT = "memctl demo DIR makes a small data folder to try"


# No file system of Linux or macOS has longer names.
_COMPONENT_MAX = 255


class Root(NamedTuple):
    """A place where stores are: all directories of a data folder's `memory/`, or one agent's directory (`only`)."""

    folder: DataFolder
    only: str | None


Store = Union[DirectoryStore, "FileStore"]


class Target(NamedTuple):
    """What an address means: a store, and the NAME in it, which may be a pattern (None: the whole store).

    In the user memory a NAME is the number of a note.
    """

    store: Store
    name: str | None
    word: str


def default_folders(env: Env) -> list[str]:
    """Return the places where an HQ keeps its data folder, whether or not they exist (DESIGN 8)."""
    places = []
    if dash_home := env.vars.get("DASH_HOME", "").strip():
        places.append(os.path.join(env.cwd, dash_home, "gateway"))
    if env.home:
        places.append(os.path.join(env.home, ".dash", "gateway"))
        squads = os.path.join(env.home, ".dashsquad")
        try:
            places += [os.path.join(squads, name) for name in in_order(os.listdir(squads))]
        except OSError:
            places.append(os.path.join(squads, "*"))
    return list(dict.fromkeys(places))


def is_data_folder(path: str) -> bool:
    """Return whether a directory looks like the data folder of an HQ."""
    return os.path.isdir(os.path.join(path, "memory")) or os.path.isfile(os.path.join(path, "agents.json"))


def find_roots(given: Sequence[str], env: Env) -> tuple[list[Root], list[MemctlError]]:
    """Return the roots that were given, else those at the default places, and what is wrong with any of them.

    Raises NotFound, with the places where it looked, if there is none.
    """
    errors: list[MemctlError] = []
    roots: list[Root] = []
    for path in given or [place for place in default_folders(env) if is_data_folder(place)]:
        try:
            roots.append(open_root(os.path.join(env.cwd, path), env))
        except MemctlError as error:
            errors.append(error)
    if not roots and errors:
        raise errors[0]
    if not roots:
        looked = default_folders(env)
        hint = f"looked in {', '.join(looked)}" if looked else "there is no home directory to look in"
        raise NotFound("no data folder of an HQ found", hint=f"{hint}; {_other_user(env)}{DEMO_HINT}")
    return roots, errors


def _other_user(env: Env) -> str:
    """Under sudo: say that the user who called it has a data folder, which root does not look at by itself."""
    name = env.vars.get("SUDO_USER", "")
    if env.uid != 0 or not name or name == "root":
        return ""
    import pwd

    try:
        home = pwd.getpwnam(name).pw_dir
    except KeyError:
        return ""
    theirs = [place for place in default_folders(Env({}, home, env.cwd, env.uid)) if is_data_folder(place)]
    return f"the user '{name}' has one: --root {theirs[0]}; " if theirs else ""


def open_root(path: str, env: Env) -> Root:
    """Return the root at an absolute path: a data folder, a `memory/` directory of many agents, or one agent's directory.

    Raises NotFound, InvalidInput where it is no directory, IoFailure where it cannot be read.
    """
    path = os.path.normpath(path)
    try:
        names = os.listdir(path)
    except NotADirectoryError:
        raise InvalidInput(f"the root '{path}' is not a directory", path=path) from None
    except FileNotFoundError:
        raise NotFound(f"the root '{path}' does not exist", path=path, hint=DEMO_HINT) from None
    except OSError as error:
        raise failure(error, path, "read") from None
    except ValueError:  # a NUL, which a settings file can hold
        raise InvalidInput(f"no directory can have the path {path!a}", path=ascii(path)) from None
    foreign = is_foreign(path, env)
    if is_data_folder(path):
        memory = os.path.join(path, "memory")
        if foreign and os.path.islink(memory):
            raise Protected(f"'{memory}' is a symlink, which is not followed in another user's store", path=memory)
        return Root(DataFolder(path, memory, foreign=foreign), None)
    if is_agent_directory(path, names):
        return Root(folder_of(path, env), os.path.basename(path))
    return Root(DataFolder(_registry_folder(path), path, foreign=foreign), None)


def is_agent_directory(path: str, names: Sequence[str]) -> bool:
    """Return whether a directory with these names is one agent's, not one of many agents."""
    if "MEMORY.md" in names or ".legacy-imported" in names:
        return True
    if os.path.basename(path) == "memory":
        return False
    plain = [name for name in names if not name.startswith(".")]
    return any(name.endswith(".md") for name in plain) and not any(
        os.path.isdir(os.path.join(path, name)) for name in plain
    )


def folder_of(directory: str, env: Env) -> DataFolder:
    """Return the data folder that an agent's directory belongs to."""
    memory = os.path.dirname(directory)
    return DataFolder(_registry_folder(memory), memory, foreign=is_foreign(directory, env))


def store_at(directory: str, env: Env) -> DirectoryStore:
    """Return the store of an agent's directory that no root has; its path is its address."""
    name = os.path.basename(directory)
    return DirectoryStore(name, directory, directory, folder_of(directory, env), is_foreign(directory, env))


def _registry_folder(memory: str) -> str | None:
    """Return the data folder that has this directory as its `memory/`; None where it stands alone."""
    parent = os.path.dirname(memory)
    return parent if os.path.basename(memory) == "memory" else None


def is_foreign(path: str, env: Env) -> bool:
    """Return whether something belongs to another user than the one who runs memctl. False where nothing is."""
    try:
        # Of a symlink both: one's own link can lead into another user's store.
        return any(status(path).st_uid != env.uid for status in (os.lstat, os.stat))
    except OSError:
        return False


class Fleet:
    """The agents of all roots. Directories are listed, and registries read, when they are first asked for."""

    def __init__(self, roots: Sequence[Root], env: Env, *, exact: bool = False) -> None:
        """`exact` takes ids and registry names only: a changing command without a terminal."""
        self.roots = tuple(roots)
        self.env = env
        self.exact = exact
        self._listed: dict[str, list[str]] = {}
        self.errors: list[MemctlError] = []
        # The symlinks in the roots that lead to nothing: perhaps agents whose disk is not mounted.
        self.nowhere: list[str] = []

    def problems(self) -> list[MemctlError]:
        """Return what went wrong with directories and registries so far."""
        folders = {id(root.folder): root.folder for root in self.roots}.values()
        return self.errors + [folder.problem for folder in folders if folder.problem]

    def directories(self, root: Root) -> list[str]:
        """Return the names of the directories of a root, in the HQ's sort order; hidden ones are no agents'."""
        if root.only is not None:
            return [root.only]
        memory = root.folder.memory
        if memory not in self._listed:
            found = []
            try:
                with os.scandir(memory) as entries:
                    for entry in entries:
                        if not entry.name.startswith(".") and self._is_directory(entry):
                            found.append(entry.name)
                        elif entry.is_symlink() and not os.path.exists(entry.path):
                            self.nowhere.append(entry.path)
            except FileNotFoundError:
                pass  # a data folder whose agents have saved nothing yet
            except OSError as error:
                self.errors.append(failure(error, memory, "read"))
            self._listed[memory] = in_order(found)
        return self._listed[memory]

    def _is_directory(self, entry: os.DirEntry[str]) -> bool:
        try:
            return entry.is_dir()
        except OSError as error:  # a circle of symlinks, or one to where we may not look
            self.errors.append(failure(error, entry.path, "read"))
            return False

    def known(self) -> list[Known]:
        """Return all agents: those with a directory, and those that only a registry names."""
        found: dict[str, Known] = {}  # by path: two roots may hold the same agent
        for root in self.roots:
            directories = self.directories(root)
            registered = [root.only] if root.only is not None else [agent.id for agent in root.folder.registry.agents]
            for agent_id in in_order(list({*directories, *filter(_is_component, registered)})):
                agent = root.folder.agent(agent_id)
                path = os.path.join(root.folder.memory, agent_id)
                found.setdefault(path, Known(agent_id, agent.name if agent else None, path))
        return list(found.values())

    def stores(self) -> list[DirectoryStore]:
        """Return the stores of all agents, root by root, by id."""
        folders = {root.folder.memory: root.folder for root in self.roots}
        known = self.known()
        times: dict[str, int] = {}
        for agent in known:
            times[agent.id] = times.get(agent.id, 0) + 1
        return [
            self._store(agent.id, folders[os.path.dirname(agent.path)], shared=times[agent.id] > 1) for agent in known
        ]

    def _store(self, agent_id: str, folder: DataFolder, *, shared: bool = False) -> DirectoryStore:
        path = os.path.join(folder.memory, agent_id)
        foreign = folder.foreign or is_foreign(path, self.env)
        return DirectoryStore(agent_id, path, path if shared else agent_id, folder, foreign)

    def agent(self, word: str) -> DirectoryStore:
        """Return the store of the agent that `word` means. Raises UsageError (ambiguous), NotFound."""
        # An exact id is the first rule, and needs no registry.
        holders = [root for root in self.roots if word in self.directories(root)]
        if len(holders) == 1 and not any(self._names(root, word) for root in self.roots if root is not holders[0]):
            return self._store(word, holders[0].folder)
        known = resolve_agent(word, self.known(), exact=self.exact)
        return next(store for store in self.stores() if store.path == known.path)

    def _names(self, root: Root, agent_id: str) -> bool:
        """Return whether the registry of a root has an agent, which needs no directory for that."""
        return root.only in (None, agent_id) and root.folder.agent(agent_id) is not None

    def at_path(self, path: str) -> Target:
        """Return what a path means: an agent's directory, or a memory's file. Raises NotFound, InvalidInput."""
        full = os.path.normpath(os.path.join(self.env.cwd, expand(path, self.env.home)))
        if os.path.isdir(full):
            if is_data_folder(full):
                message = f"'{path}' is a data folder, not an agent's directory"
                raise UsageError(message, path=full, hint=f"memctl --root {path} takes all of its agents")
            if self._is_of_many(full):
                message = f"'{path}' is the directory of many agents, not of one"
                raise UsageError(message, path=full, hint=f"memctl --root {path} takes all of them")
            if not self._can_be_agent(full):
                raise UsageError(f"'{path}' is no agent's directory: it holds no memories", path=full)
            return Target(self._at(full), None, path)
        if not os.path.lexists(full):
            raise NotFound(f"no such file or directory: '{path}'", path=full)
        name = os.path.basename(full)
        if name == "MEMORY.md":
            raise UsageError(f"'{path}' is an index, not a memory", path=full, hint="memctl reindex renders it anew")
        if not name.endswith(".md"):
            raise InvalidInput(f"'{path}' is no memory: its name does not end with .md", path=full)
        return Target(self._at(os.path.dirname(full)), name[:-3], path)

    def _can_be_agent(self, directory: str) -> bool:
        """Return whether a directory holds memories, or stands where an agent's would stand."""
        memory, name = os.path.split(directory)
        if name and (os.path.basename(memory) == "memory" or memory in [root.folder.memory for root in self.roots]):
            return True
        try:
            return bool(name) and is_agent_directory(directory, os.listdir(directory))
        except OSError:
            return True  # what is wrong with it is said when it is opened

    def _is_of_many(self, directory: str) -> bool:
        if any(root.only is None and root.folder.memory == directory for root in self.roots):
            return True
        try:
            return os.path.basename(directory) == "memory" and not is_agent_directory(directory, os.listdir(directory))
        except OSError:
            return False  # who reads the store meets it again

    def _at(self, directory: str) -> DirectoryStore:
        for root in self.roots:
            name = os.path.basename(directory)
            if os.path.dirname(directory) == root.folder.memory and root.only in (None, name):
                # A hidden directory is no agent's of the root, but a path may name it all the same.
                for store in self.stores():
                    if store.path == directory:
                        return store
        return store_at(directory, self.env)

    def target(self, word: str, *, agent: str | None = None, memory: bool = False) -> Target:
        """Return what an address means.

        `agent` is the agent that a bare NAME means (MEMCTL_AGENT); with `memory` a word without a slash is a NAME
        where there is one agent only. Raises UsageError, NotFound.
        """
        parsed = parse_word(word)
        if isinstance(parsed, PathWord):
            return self.at_path(parsed.path)
        if isinstance(parsed, UserWord):
            raise UsageError(f"'{word}' is no agent", hint="memctl help addresses")
        if parsed.name is not None:
            return Target(self.agent(parsed.agent), parsed.name, word)
        return self._bare(parsed, word, agent=agent, memory=memory)

    def _bare(self, parsed: AgentWord, word: str, *, agent: str | None, memory: bool) -> Target:
        if not memory:
            try:
                return Target(self.agent(parsed.agent), None, word)
            except NotFound:
                # One that is no agent may be the NAME of a memory, where it is clear whose.
                holder = self._only_agent(agent)
                if holder is None or not _has_file(holder, word):
                    raise
                return Target(holder, word, word)
        holder = self._only_agent(agent)
        if holder is not None:
            return Target(holder, word, word)
        self.agent(parsed.agent)  # raises where it is no agent either
        raise UsageError(
            f"'{word}' is an agent, not a memory",
            hint=f"name the memory: {word}/NAME, or a pattern in quotes: '{word}/*'",
        )

    def _only_agent(self, agent: str | None) -> DirectoryStore | None:
        if agent:
            return self.agent(agent)
        stores = self.stores()
        return stores[0] if len(stores) == 1 else None


def _has_file(store: DirectoryStore, name: str) -> bool:
    return _is_component(name) and os.path.lexists(os.path.join(store.path, name + ".md"))


def _is_component(name: str) -> bool:
    """Return whether a name can be that of one directory: ids of the registry are not trusted to be."""
    if not name or name in (".", "..") or "/" in name or "\0" in name:
        return False
    try:
        return len(os.fsencode(name)) <= _COMPONENT_MAX
    except UnicodeEncodeError:  # half a surrogate pair
        return False


def expand(path: str, home: str | None) -> str:
    """Return a path with `~` and `~/x` in the home, where there is one."""
    return home + path[1:] if home and (path == "~" or path.startswith("~/")) else path


def each_word(words: Sequence[str], lines: Iterator[str] | None) -> Iterator[str]:
    """Yield the words of the command line; `-` stands for the lines of standard input."""
    for word in words:
        if word == "-" and lines is not None:
            yield from (line for line in lines if line)
        else:
            yield word
