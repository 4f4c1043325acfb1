"""Words of the command line to values, and numbers to words."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import TypeVar

from memctl.cli.context import Run
from memctl.core.ages import cutoff
from memctl.core.filters import Filters
from memctl.core.memory import MemoryType, Source
from memctl.errors import UsageError

Kind = TypeVar("Kind", bound=StrEnum)


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 memory`, `2 memories`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def to_bytes(text: str) -> bytes:
    """Return text as it goes to stdout: UTF-8, undecodable file names as the bytes that they are."""
    return text.encode("utf-8", "surrogateescape")


def choices(words: Sequence[str] | None, kind: type[Kind], what: str) -> tuple[Kind, ...]:
    """Return the members that the words name, commas allowed. Raises UsageError for another word."""
    found = []
    for word in [part for given in words or () for part in given.split(",")]:
        if word not in [*kind]:
            from memctl.core.nearest import nearest

            near = nearest(word, [*kind])
            known = f"they are {', '.join(kind)}"
            raise UsageError(f"'{word}' is no {what}", hint=f"did you mean '{near}'? {known}" if near else known)
        found.append(kind(word))
    return tuple(found)


def filters(
    run: Run,
    types: Sequence[str] | None,
    sources: Sequence[str] | None,
    names: Sequence[str] | None,
    text: str = "",
    older_than: str | None = None,
    since: str | None = None,
) -> Filters:
    """Return the filters that options ask for. Raises UsageError."""
    return Filters(
        choices(types, MemoryType, "type"),
        choices(sources, Source, "source"),
        tuple(names or ()),
        text,
        older_than=cutoff(older_than, run.now) if older_than is not None else None,
        since=cutoff(since, run.now) if since is not None else None,
    )
