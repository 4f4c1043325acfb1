"""What `list` and `prune` select memories by."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from memctl.core.ages import is_older, is_since
from memctl.core.memory import Memory, MemoryType, Source
from memctl.core.text import length

if TYPE_CHECKING:
    from memctl.core.dialects.notes import Note


class Filters(NamedTuple):
    """Conditions that all must hold; the values of one are alternatives, and an empty one always holds.

    `names` are shell patterns over names; `text` is looked for in name and description, `matching` in the content as well, case ignored.
    `older_than` and `since` are moments (UTC), compared with the last update.
    """

    types: tuple[MemoryType, ...] = ()
    sources: tuple[Source, ...] = ()
    names: tuple[str, ...] = ()
    text: str = ""
    older_than: datetime | None = None
    since: datetime | None = None
    matching: str = ""

    @property
    def active(self) -> bool:
        """Whether any condition is set."""
        return self != Filters()

    def match(self, memory: Memory) -> bool:
        """Return whether the memory is selected."""
        if self.types and memory.type not in self.types:
            return False
        if self.sources and memory.source not in self.sources:
            return False
        if self.names and not matches_name(memory.name, self.names):
            return False
        if self.text:
            text = self.text.casefold()
            if text not in memory.name.casefold() and text not in memory.description.casefold():
                return False
        if self.matching:
            text = self.matching.casefold()
            whole = "\n".join((memory.name, memory.description, memory.content))
            if text not in whole.casefold():
                return False
        if self.older_than and not is_older(memory.last_update, self.older_than):
            return False
        return not (self.since and not is_since(memory.last_update, self.since))

    def match_note(self, note: Note) -> bool:
        """Return whether a note of the user memory is selected: it has a text and a stamp, and nothing else.

        A note without a stamp is neither old nor since anything.
        """
        from memctl.core.dialects.notes import read_stamp

        moment = read_stamp(note.stamp or "")
        text = note.text.casefold()
        if self.text.casefold() not in text or self.matching.casefold() not in text:
            return False
        if self.older_than and not (moment and moment < self.older_than):
            return False
        return not (self.since and not (moment and moment >= self.since))


def matches_name(name: str, patterns: tuple[str, ...]) -> bool:
    """Return whether a name fits any of the shell patterns, case-sensitively."""
    import fnmatch

    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


SORT_KEYS: dict[str, Callable[[Memory], object]] = {
    "name": lambda memory: memory.name,
    "updated": lambda memory: memory.last_update,
    "created": lambda memory: memory.created,
    "size": lambda memory: length(memory.content),
}
