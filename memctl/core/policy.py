"""Prune policies: which memories go, for which reasons, and what keeps the others (DESIGN 6, "Prune, exactly")."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from memctl.core.ages import is_older, read_date
from memctl.core.dialects.notes import Note, read_stamp
from memctl.core.filters import Filters
from memctl.core.memory import Memory

_DIGITS = 9  # int() refuses thousands of them

_EPOCH = datetime(1, 1, 1, tzinfo=UTC)


class Policy(NamedTuple):
    """What may go and what stays. Moments are UTC.

    Reasons add up: `older_than` (last update before that), `over` (beyond the newest N), `orphans` (the agent is gone).
    `filters` narrow. Keeps win over both: `keep_last` newest, `keep_within` (updated since), user-authored memories
    unless `include_user_authored`, and the newest one of an agent unless `no_floor`. The words are for the reasons' texts.
    """

    older_than: datetime | None = None
    older_than_word: str = ""
    over: int | None = None
    orphans: bool = False
    filters: Filters = Filters()
    keep_last: int = 0
    keep_within: datetime | None = None
    include_user_authored: bool = False
    no_floor: bool = False

    @property
    def has_reason(self) -> bool:
        """Whether anything may go at all."""
        return self.older_than is not None or self.over is not None or self.orphans


class Removal(NamedTuple):
    """The position of a memory that goes, and why, a sentence for each reason."""

    position: int
    reasons: tuple[str, ...]


def select(memories: Sequence[Memory], policy: Policy, *, orphaned: bool = False) -> list[Removal]:
    """Return what the policy removes of one agent's loaded memories, in their order.

    Keeps count all loaded memories, not the filtered ones; the newest is that with the latest readable date, ties go
    by name; a memory without a readable date is never old, and counts as the newest. `orphaned` says that there is no
    such agent any more: then nobody needs its newest one.
    """
    newest = sorted(range(len(memories)), key=lambda at: memories[at].name)
    newest.sort(key=lambda at: _age_key(memories[at]), reverse=True)
    rank = {at: place for place, at in enumerate(newest)}
    orphaned = orphaned and policy.orphans
    kept_places = max(policy.keep_last, 0 if policy.no_floor or orphaned else 1)
    removals = []
    for at, memory in enumerate(memories):
        reasons = _reasons(memory, rank[at], policy)
        if orphaned:
            reasons = (*reasons, "no such agent in the registry")
        if reasons and policy.filters.match(memory) and not _kept(memory, rank[at], kept_places, policy):
            removals.append(Removal(at, reasons))
    return removals


def _age_key(memory: Memory) -> tuple[bool, str]:
    day = read_date(memory.last_update)
    return (day is None, memory.last_update if day else "")


def _reasons(memory: Memory, rank: int, policy: Policy) -> tuple[str, ...]:
    reasons = []
    if policy.older_than is not None and is_older(memory.last_update, policy.older_than):
        reasons.append(f"last updated {memory.last_update}, older than {policy.older_than_word}")
    if policy.over is not None and rank >= policy.over:
        reasons.append(f"over the newest {policy.over}")
    return tuple(reasons)


def _kept(memory: Memory, rank: int, kept_places: int, policy: Policy) -> bool:
    if memory.user_authored and not policy.include_user_authored:
        return True
    if rank < kept_places:
        return True
    # What is never old is always recent.
    return policy.keep_within is not None and not is_older(memory.last_update, policy.keep_within)


def select_notes(notes: Sequence[Note], policy: Policy) -> list[Removal]:
    """Return what the policy removes of the user memory's notes, in their order, by their stamps.

    A note without a stamp is never old, and counts as the newest. Nobody's authorship protects a note.
    """
    moments = [read_stamp(note.stamp or "") for note in notes]
    newest = sorted(range(len(notes)), key=lambda at: (moments[at] is None, moments[at] or _EPOCH, at), reverse=True)
    rank = {at: place for place, at in enumerate(newest)}
    kept_places = max(policy.keep_last, 0 if policy.no_floor else 1)
    removals = []
    for at, note in enumerate(notes):
        moment = moments[at]
        reasons = []
        if policy.older_than is not None and moment is not None and moment < policy.older_than:
            reasons.append(f"written {note.stamp}, older than {policy.older_than_word}")
        if policy.over is not None and rank[at] >= policy.over:
            reasons.append(f"over the newest {policy.over}")
        recent = policy.keep_within is not None and (moment is None or moment >= policy.keep_within)
        if reasons and policy.filters.match_note(note) and rank[at] >= kept_places and not recent:
            removals.append(Removal(at, tuple(reasons)))
    return removals


class MaxRemoved(NamedTuple):
    """The most that one run may remove: a number, or a percentage of all loaded memories."""

    value: int
    percent: bool = False

    def allows(self, removed: int, total: int) -> bool:
        """Return whether removing `removed` of `total` memories is within the bound."""
        if self.percent:
            return removed * 100 <= self.value * total
        return removed <= self.value

    def __str__(self) -> str:
        return f"{self.value}%" if self.percent else str(self.value)


def parse_max_removed(text: str) -> MaxRemoved | None:
    """Return the bound that `N` or `N%` means, None where it is neither."""
    digits = text.removesuffix("%")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
        return None
    return MaxRemoved(int(digits), text.endswith("%"))
