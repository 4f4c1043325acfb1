"""What the verbs return: frozen, without a word for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from memctl.core.memory import Memory
from memctl.disk.stores import DirectoryStore, Entry, Unloaded
from memctl.errors import MemctlError

if TYPE_CHECKING:
    from memctl.core.dialects.notes import Note
    from memctl.disk.user_store import FileStore

Errors = tuple[MemctlError, ...]


class Listed(NamedTuple):
    """The memories of one store that were asked for; `skipped` counts its files that are not loaded."""

    store: DirectoryStore
    entries: list[Entry]
    unloaded: list[Unloaded]
    skipped: int
    errors: Errors


class IndexPlace(NamedTuple):
    """Where a memory stands in the index: its line among the listed ones, from 1; None where it did not fit."""

    line: int | None
    listed: int
    omitted: int


class ShownMemory(NamedTuple):
    """One memory in full, and its place in the index."""

    store: DirectoryStore
    entry: Entry
    place: IndexPlace


class ShownFile(NamedTuple):
    """A file that the HQ does not load; `errors` says where it could not even be read."""

    store: DirectoryStore
    file: Unloaded
    errors: tuple[MemctlError, ...] = ()


class Card(NamedTuple):
    """What is to know of an agent. `index_units` is the length of the index as it would be rendered (UTF-16 units)."""

    store: DirectoryStore
    exists: bool
    memories: int
    by_type: dict[str, int]
    by_source: dict[str, int]
    oldest: str | None
    newest: str | None
    index_units: int
    listed: int
    omitted: int
    index_state: Literal["current", "stale", "missing"]
    imported: bool
    sweeps: bool | None
    why: str
    unloaded: tuple[Unloaded, ...]
    errors: Errors


class Edited(NamedTuple):
    """A memory after an edit. `memory` is what the file now holds (in a dry run: would hold)."""

    store: DirectoryStore
    file: str
    memory: Memory
    action: Literal["updated", "unchanged"]
    errors: Errors = ()

    @property
    def address(self) -> str:
        """The address of what was edited."""
        return self.store.memory_address(self.file[:-3])


class EditedNotes(NamedTuple):
    """The user memory after an edit of one note, or of the whole file (`note` is None: as it was read)."""

    store: FileStore
    note: Note | None
    action: Literal["updated", "unchanged"]
    errors: Errors = ()

    @property
    def address(self) -> str:
        """The address of what was edited."""
        return self.store.address if self.note is None else self.store.note_address(self.note.number)


class Gone(NamedTuple):
    """A file that was removed (in a dry run: would be), and why. `memory` is None for one that was not loaded."""

    store: DirectoryStore
    file: str
    reasons: tuple[str, ...]
    memory: Memory | None

    @property
    def address(self) -> str:
        """The address that it had."""
        return self.store.memory_address(self.file[:-3])

    @property
    def path(self) -> str:
        """The path that it had."""
        return f"{self.store.path}/{self.file}"

    @property
    def about(self) -> str:
        """What a person knows it by."""
        return self.memory.description if self.memory else "not loaded"


class Removed(NamedTuple):
    """What went from one agent's directory, how many memories stay, what failed, and whether the directory went too."""

    store: DirectoryStore
    gone: tuple[Gone, ...]
    kept: int
    errors: Errors = ()
    closed: bool = False


class GoneNote(NamedTuple):
    """A note that was taken out (in a dry run: would be), and why."""

    store: FileStore
    note: Note
    reasons: tuple[str, ...]

    @property
    def address(self) -> str:
        """The address that it had."""
        return self.store.note_address(self.note.number)

    @property
    def path(self) -> str:
        """The path of the file that it was in."""
        return self.store.path

    @property
    def about(self) -> str:
        """What a person knows it by."""
        return self.note.text.partition("\n")[0]


class RemovedNotes(NamedTuple):
    """What went from the user memory, how many notes stay, and what failed."""

    store: FileStore
    gone: tuple[GoneNote, ...]
    kept: int
    errors: Errors = ()
    closed: bool = False


class ListedNotes(NamedTuple):
    """The notes of the user memory that were asked for; `size` is the file's in bytes, None where there is no file."""

    store: FileStore
    size: int | None
    notes: list[Note]
    outside: int
    errors: Errors


class ShownNote(NamedTuple):
    """One note in full."""

    store: FileStore
    note: Note


class ShownUserMemory(NamedTuple):
    """The whole user memory: its bytes and its notes."""

    store: FileStore
    data: bytes
    notes: list[Note]


class Reindexed(NamedTuple):
    """The index of one store: whether it differs from the files (and was written), and both texts for a diff."""

    store: DirectoryStore
    changed: bool
    listed: int
    omitted: int
    before: bytes | None
    after: bytes
    errors: Errors = ()


class Imported(NamedTuple):
    """An import of old notes: done, or the word and the sentence for why not."""

    store: DirectoryStore
    imported: bool
    reason: str | None
    why: str
    truncated: bool
    source: str | None
    errors: Errors = ()


class Step(NamedTuple):
    """One thing that decides: a stable word for it, and what it says."""

    key: str
    text: str


class UserState(NamedTuple):
    """CodeWhale's switch of the user memory, why it stands so, and the configuration file where it is set."""

    store: FileStore
    enabled: bool
    why: str
    path: str
    changed: bool = False


class AgentState(NamedTuple):
    """An agent's sweep mode and automatic memory, with the reason of each, and for a change the way it was made."""

    store: DirectoryStore
    mode: str
    model: str
    sweeps: bool
    why: str
    enabled: bool
    why_enabled: str
    changed: bool = False
    way: Literal["api", "file"] | None = None
    errors: Errors = ()
