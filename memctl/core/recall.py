"""What the HQ recalls for a message: the memories whose name and description share its words (spec/hq.md 10)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memctl.core.limits import RECALL_MAX
from memctl.core.memory import Memory

STOP_WORDS = frozenset(
    "the and for with that this from have has you your are was were what when where which who how why can could should"
    " would about into onto please tell does did not but all any some use using used want need like just also there"
    " here they them our out get got let make made one two its then than too".split()
)
_ALPHABET = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


class Recalled(NamedTuple):
    """A memory that matches a message: how many words, and which, in alphabetical order."""

    memory: Memory
    score: int
    words: tuple[str, ...]


def tokenize(text: str) -> list[str]:
    """Return the distinct words of `text` that count, in their order: ASCII, at least three characters, no stop words.

    Every other character splits words, accents too; there is no stemming (spec/hq.md 10).
    """
    spaced = "".join([character if character in _ALPHABET else " " for character in text.lower()])
    return [word for word in dict.fromkeys(spaced.split()) if len(word) >= 3 and word not in STOP_WORDS]


def recall_text(name: str, found: Memory | None, known: Iterable[str]) -> str:
    """Return what the HQ's recall_memory tool answers; `known` are the names of all memories, in list order."""
    if found is None:
        return f'Memory "{name}" not found. Known memories: {", ".join(known) or "(none)"}'
    return f"# {found.name} ({found.type})\n{found.description}\n\n{found.content}"


def rank(memories: Iterable[Memory], message: str, *, today: str, most: int | None = RECALL_MAX) -> list[Recalled]:
    """Return the memories that the HQ recalls for `message`, best first, at most `most` (None: all that match).

    The score is the number of distinct words of name and description that the message has; ties go to the later
    `updated` (compared as text; a missing date is `today`), then by name.
    """
    wanted = set(tokenize(message))
    found = []
    for memory in memories:
        words = wanted.intersection(tokenize(f"{memory.name} {memory.description}"))
        if words:
            found.append(Recalled(memory, len(words), tuple(sorted(words))))
    found.sort(key=lambda hit: hit.memory.name)
    found.sort(key=lambda hit: (hit.score, hit.memory.dated(today).updated), reverse=True)
    return found[:most]


def words_in(text: str) -> set[str]:
    """Return the words of a text in any script, case folded: runs of letters and digits."""
    spaced = "".join([character if character.isalnum() else " " for character in text.casefold()])
    return set(spaced.split())
