"""The stores of today: an agent's memory directory, read at one moment."""

from __future__ import annotations

import errno
import os
from typing import NamedTuple

from memctl.core.address import is_pattern
from memctl.core.dialects import hq
from memctl.core.index import Index, render_index
from memctl.core.legacy import MARKER_NAME
from memctl.core.memory import HQ_MEMORIES, Memory, NotLoaded, Traits
from memctl.disk.files import Directory
from memctl.disk.reads import NotRegular, failure, no_file, read_at
from memctl.disk.registry import RegisteredAgent, Registry, read_registry
from memctl.errors import InvalidInput, IoFailure, MemctlError, NotFound, Protected, UsageError

# What the HQ itself keeps beside the memories.
GENERATED = (hq.INDEX_NAME, MARKER_NAME)


class Entry(NamedTuple):
    """A memory that the HQ loads: its file's name, the record and the bytes it was read from."""

    file: str
    memory: Memory
    data: bytes

    @property
    def stem(self) -> str:
        """The name that the file gives it, the NAME of an address."""
        return self.file[:-3]


class Unloaded(NamedTuple):
    """A `.md` file that the HQ skips: why, and its bytes where it has any; `link` is the target of a symlink."""

    file: str
    problem: NotLoaded
    data: bytes | None
    link: str | None = None

    @property
    def stem(self) -> str:
        """The file's name without `.md`."""
        return self.file[:-3]


class Snapshot(NamedTuple):
    """A store as it was at one moment, in the HQ's order.

    `index_data` is MEMORY.md (None: missing), `names` all names in the directory, `errors` the files that could not be
    read (exit code 74); each of these is in `unloaded` too.
    """

    entries: list[Entry]
    unloaded: list[Unloaded]
    index_data: bytes | None
    names: list[str]
    errors: list[MemctlError]

    def rendered(self) -> Index:
        """Return the index that the HQ would render."""
        return render_index([entry.memory for entry in self.entries])


class DataFolder:
    """The folder of one HQ: where its agents' directories are, and its registry, read when it is first asked for."""

    def __init__(self, path: str | None, memory: str, *, foreign: bool) -> None:
        """`path` is the folder itself (None: the directories stand alone), `memory` the directory of the stores."""
        self.path = path
        self.memory = memory
        self.foreign = foreign
        self._registry: Registry | None = None
        self._agents: dict[str, RegisteredAgent] = {}

    @property
    def registry(self) -> Registry:
        """The registry of the folder; one without a problem and without agents where there is none."""
        if self._registry is None:
            if self.path is None:
                self._registry = Registry("", (), None, present=False)
            else:
                self._registry = read_registry(self.path, follow=not self.foreign)
            self._agents = {agent.id: agent for agent in self._registry.agents}
        return self._registry

    @property
    def own_path(self) -> str:
        """The path that stands for the folder among what is checked: its registry's, that of `memory/` if it has none."""
        return self.registry.path if self.registry.present else self.memory

    @property
    def problem(self) -> MemctlError | None:
        """What is wrong with the registry, if it has been read."""
        return self._registry.problem if self._registry else None

    def agent(self, agent_id: str) -> RegisteredAgent | None:
        """Return the entry of an agent, None where it has none."""
        return self._agents.get(agent_id) if self.registry.present else None


class DirectoryStore(NamedTuple):
    """The memory directory of one agent.

    `path` is absolute and unresolved; `address` is what names it for a machine: its id, or its path where two data
    folders share the id. `foreign` is set where it belongs to another user: then no symlink is followed (DESIGN 5).
    """

    id: str
    path: str
    address: str
    folder: DataFolder
    foreign: bool = False
    traits: Traits = HQ_MEMORIES

    @property
    def agent(self) -> RegisteredAgent | None:
        """Its entry in the registry."""
        return self.folder.agent(self.id)

    @property
    def registered(self) -> bool | None:
        """Whether the registry has it; None where no registry can be read, or what it has may be this agent."""
        registry = self.folder.registry
        if self.agent is not None:
            return True
        return False if registry.present and registry.problem is None and not registry.odd else None

    @property
    def name(self) -> str:
        """The name for a person: the registry's, else the id."""
        return self.agent.name if self.agent else self.id

    @property
    def automatic_memory(self) -> bool:
        """Whether automatic memory is on: it is, unless the registry says no."""
        return self.agent is None or self.agent.enabled

    def memory_address(self, stem: str) -> str:
        """Return the address of the memory in the file `<stem>.md`."""
        return f"{self.path}/{stem}.md" if self.address == self.path else f"{self.address}/{stem}"

    def open(self) -> Directory:
        """Return the open directory. Raises NotFound where there is none, IoFailure."""
        return Directory(self.path, follow=not self.foreign, agent=True)

    def file_path(self, name: str) -> str:
        """Return the path that the memory of a NAME has, or would have. Raises UsageError for what is no file's name."""
        if "/" in name or is_pattern(name):
            raise UsageError(f"'{name}' is no name of one memory")
        return f"{self.path}/{name}.md"

    def link_target(self, file: str) -> str | None:
        """Return the target of a file that is a symlink, None for any other."""
        try:
            return os.readlink(os.path.join(self.path, file))
        except OSError:
            return None

    def exists(self) -> bool:
        """Return whether there is a directory; an agent that only the registry names has none yet."""
        return os.path.isdir(self.path)

    def read(self) -> Snapshot:
        """Return what the directory holds; a missing one is empty. Raises IoFailure where it cannot be read."""
        try:
            directory = self.open()
        except NotFound:
            return Snapshot([], [], None, [], [])
        with directory:
            return read_directory(directory)


def read_directory(directory: Directory) -> Snapshot:
    """Return what an open directory holds. Raises IoFailure where it cannot be listed."""
    names = directory.names()
    descriptor, follow = directory.descriptor, directory.follow
    entries: list[Entry] = []
    failed: list[str] = []
    emptied = False
    read, parse = read_at, hq.read
    for name in hq.memory_files(names):
        try:
            data = read(descriptor, name, follow=follow)
        except (OSError, NotRegular):
            failed.append(name)
            continue
        memory = parse(data, name[:-3])
        if type(memory) is Memory:
            entries.append(Entry(name, memory, data))
        else:
            failed.append(name)
            emptied = emptied or not data
    if emptied:
        directory.wait_for_writer()
    unloaded: list[Unloaded] = []
    errors: list[MemctlError] = []
    for name in failed:
        # The HQ truncates and writes in place, so a file is looked at twice before it is said to be broken.
        found = _look_again(directory, name, errors)
        if isinstance(found, Entry):
            entries.append(found)
        elif found:
            unloaded.append(found)
    if len(entries) > 1 and failed:
        order = {name: at for at, name in enumerate(hq.memory_files(names))}
        entries.sort(key=lambda entry: order[entry.file])
    return Snapshot(entries, unloaded, _index(directory, names, errors), names, errors)


def why_unread(
    directory: Directory, name: str, link: str | None, error: OSError | NotRegular, errors: list[MemctlError]
) -> NotLoaded | None:
    """Return why a memory's file that could not be read is not loaded, None where it was removed meanwhile.

    `link` is the target of a symlink. What the system refuses is added to `errors` too.
    """
    if isinstance(error, NotRegular):
        return NotLoaded("not-a-file", no_file(error, follow=directory.follow))
    if error.errno == errno.ENOENT:
        return None if link is None else NotLoaded("dangling-link", f"a symlink to '{link}', where nothing is")
    errors.append(failure(error, os.path.join(directory.path, name), "read"))
    return NotLoaded("unreadable", f"unreadable: {(error.strerror or str(error)).lower()}")


def _look_again(directory: Directory, name: str, errors: list[MemctlError]) -> Entry | Unloaded | None:
    link = _link_target(directory, name)
    try:
        data = read_at(directory.descriptor, name, follow=directory.follow)
    except (OSError, NotRegular) as error:
        problem = why_unread(directory, name, link, error, errors)
        return problem and Unloaded(name, problem, None, link)
    memory = hq.read(data, name[:-3])
    if isinstance(memory, Memory):
        return Entry(name, memory, data)
    return Unloaded(name, memory, data, link)


def _link_target(directory: Directory, name: str) -> str | None:
    try:
        return os.readlink(name, dir_fd=directory.descriptor)
    except OSError:
        return None


def _index(directory: Directory, names: list[str], errors: list[MemctlError]) -> bytes | None:
    if hq.INDEX_NAME not in names:
        return None
    try:
        data = directory.read(hq.INDEX_NAME)
        if data is None and _link_target(directory, hq.INDEX_NAME) is not None:
            path = os.path.join(directory.path, hq.INDEX_NAME)
            raise InvalidInput(f"'{path}' is a symlink to nothing, not a file", path=path)
        return data
    except InvalidInput as error:
        errors.append(Protected(error.message, path=error.path, hint="move it away, then run memctl reindex"))
    except IoFailure as error:
        errors.append(error)
    return None
