"""A memory, and what it can be told apart by: its type and its source."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class MemoryType(StrEnum):
    """What a memory is about, in the order in which the HQ groups them."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


class Source(StrEnum):
    """Who wrote a memory."""

    AGENT = "agent"
    SWEEP = "sweep"
    USER = "user"
    IMPORT = "import"


USER_AUTHORED = (Source.USER, Source.IMPORT)


class Memory(NamedTuple):
    """One fact, as its file has it.

    `created` and `updated` are the text of the file, '' where it has none: the HQ never checks that they are
    dates (spec/hq.md 5). `content` is trimmed. A tuple, since a fleet has them by the hundred thousand.
    """

    name: str
    description: str
    type: MemoryType
    source: Source
    created: str
    updated: str
    content: str

    @property
    def user_authored(self) -> bool:
        """Whether agents and the sweep may not delete it."""
        return self.source in USER_AUTHORED

    @property
    def last_update(self) -> str:
        """The text of the date of the last change: `updated`, else `created`, else ''."""
        return self.updated or self.created

    def dated(self, today: str) -> Memory:
        """Return the record as the HQ has it: a missing `created` is today, a missing `updated` is `created`."""
        created = self.created or today
        return self._replace(created=created, updated=self.updated or created)


class Traits(NamedTuple):
    """What a kind of store holds, in words, as data: no verb asks which product a store is."""

    unit: str
    units: str


HQ_MEMORIES = Traits("memory", "memories")
USER_NOTES = Traits("note", "notes")


class NotLoaded(NamedTuple):
    """Why the HQ skips a file: a stable word for it, and the sentence for a person."""

    code: str
    reason: str
