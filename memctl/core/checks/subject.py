"""What is checked: a store as it was at one moment, with all that the rules ask of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from memctl.core.dialects.hq import INDEX_NAME
from memctl.core.index import Index, render_index
from memctl.core.memory import Memory, NotLoaded


class Kind(StrEnum):
    """What a name in a directory is, a symlink not followed."""

    FILE = "a file"
    SYMLINK = "a symlink"
    DIRECTORY = "a directory"
    OTHER = "a special file"


class Link(NamedTuple):
    """Where a symlink leads: its text, and the path of the file below the store, None where it is outside of it."""

    target: str
    inside: str | None


class Item(NamedTuple):
    """One name in a store.

    `text` is `data` as the HQ decodes it; both are None where nothing was read (a directory, an unreadable file, a file
    too large). `record` is what the HQ makes of a memory's file; None for a file that it does not take for one.
    `mode` are the permission bits, of a symlink its own; `mtime` is in seconds. `link` is also set for
    a second hard link of MEMORY.md.
    """

    name: str
    data: bytes | None
    text: str | None
    record: Memory | NotLoaded | None
    kind: Kind
    mode: int
    uid: int
    mtime: float
    link: Link | None = None
    gid: int = 0

    @property
    def stem(self) -> str:
        """The file's name without `.md`."""
        return self.name[:-3]


class Stray(NamedTuple):
    """What kind of stray file a name is, and of which file it is a copy ('': of none that is known)."""

    kind: str
    base: str = ""


class Agent(NamedTuple):
    """What the registry says of an agent: its name, its switches, and its workspace where it has one."""

    name: str
    enabled: bool
    sweep: str
    workspace: str | None


class StoreKind(StrEnum):
    """What kind of store: an agent's directory, or the user memory."""

    AGENT = "agent"
    USER = "user"


_NO_STRAYS: Mapping[str, Stray] = {}


class Subject(NamedTuple):
    """A store at one moment.

    `items` are all names in the directory, the memories first, in the HQ's order; of the user memory its one file.
    `index_data` are the bytes of MEMORY.md, None where it is missing or is no file that can be read. `mode` and `uid` are
    the directory's; `link` is where it leads if it, or the directory of all agents, is a symlink. `registered` is None
    where no registry can be read, `switched` when the registry was last written (seconds). `problem` says why the store
    could not be read, '' where it was. `user` are the facts of a user memory. `rendered` is the index that the HQ would
    render, where the engine has made it for all rules. `strays` are the names that are stray files, where the engine has
    looked for them: those have no other finding of form. `index_problem` says why a MEMORY.md that is there was not read.
    """

    kind: StoreKind
    address: str
    path: str
    items: Sequence[Item]
    index_data: bytes | None
    mode: int
    uid: int
    link: str | None = None
    registered: bool | None = None
    agent: Agent | None = None
    switched: float | None = None
    problem: str = ""
    user: UserFacts | None = None
    rendered: Index | None = None
    strays: Mapping[str, Stray] = _NO_STRAYS
    index_problem: NotLoaded | None = None

    @property
    def memories(self) -> list[Memory]:
        """The memories that the HQ loads, in its order."""
        return [item.record for item in self.items if type(item.record) is Memory]

    @property
    def misnamed(self) -> list[Item]:
        """What is no loaded memory in a file of its name; empty where that is the index alone, as in most stores."""
        odd = [item for item in self.items if type(item.record) is not Memory or item.record.name != item.stem]
        return [] if len(odd) == 1 and odd[0].name == INDEX_NAME else odd

    @property
    def whole_index(self) -> Index:
        """The index that the HQ would render."""
        return self.rendered or render_index(self.memories)


class UserFacts(NamedTuple):
    """What decides about a user memory.

    `misplaced` are keys that CodeWhale ignores where they stand: (key, what would count, the file, the line). `unread` is
    the sentence why no release that runs reads the file, '' where one does; `native` is set where the file is the native
    tree's, which has no limit; `newer` is the sentence on a newer layout beside it, `shadowed` the path of an older user
    memory that it hides.
    """

    enabled: bool
    misplaced: Sequence[tuple[str, str, str, int | None]]
    unread: str
    native: bool
    newer: str = ""
    shadowed: str = ""


class Folder(NamedTuple):
    """A data folder: its registry's path, what keeps it from being read ('': nothing), and the agents that it has.

    `agents` are (id, what is said of it, the line of its id in the file). `odd` are the entries that are no agents: which
    one it is, what it is, its line. `twice` are the ids that several entries have, with the line of the last. `shared` is
    what all agents have in common: path, mode, what it is called. `gone` is the path of `memory/` and where it leads if
    that is a symlink to nothing.
    """

    registry: str
    problem: str
    line: int | None
    agents: tuple[tuple[str, Agent, int | None], ...]
    odd: tuple[tuple[int, str, int | None], ...] = ()
    twice: tuple[tuple[str, int | None], ...] = ()
    shared: tuple[tuple[str, int, str], ...] = ()
    gone: tuple[str, str] | None = None


class CheckSettings(NamedTuple):
    """What a run of `check` goes by: the UTC day, the rules that are on, and the settings of rules.

    `key` (at most 64 bytes) keys the fingerprints of secrets; without one they are made without the value. `severities` are those that
    the settings give to rules. `stale_days` and `near` (a ratio from 0 to 1) belong to the hygiene rules. `reads_secrets`
    says that A003 was chosen and the rules on secrets were not: then it looks for secrets by itself.
    """

    today: date
    enabled: frozenset[str]
    key: bytes | None = None
    severities: tuple[tuple[str, str], ...] = ()
    stale_days: int = 180
    near: float = 0.9
    reads_secrets: bool = False
