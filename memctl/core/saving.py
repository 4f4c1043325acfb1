"""What a save or a removal does, as the HQ decides it, and who keeps the source."""

from __future__ import annotations

from typing import Literal, NamedTuple

from memctl.core.limits import PER_AGENT, Draft, is_name, validate
from memctl.core.memory import USER_AUTHORED, Memory, MemoryType, Source
from memctl.core.text import trim
from memctl.errors import LimitReached


class Saved(NamedTuple):
    """The record that a save writes, and whether it is a new one."""

    memory: Memory
    action: Literal["created", "updated"]


def kept_source(existing: Memory | None, source: Source) -> Source:
    """Return the source that a memory has after a save: agents and the sweep never take a user's (spec/hq.md 7)."""
    if existing is not None and existing.source in USER_AUTHORED and source not in USER_AUTHORED:
        return existing.source
    return source


def plan_save(draft: Draft, existing: Memory | None, count: int, today: str) -> Saved:
    """Return what the HQ's save() would write for `draft`.

    `existing` is the valid memory of the file `<name>.md`, `count` the number of valid memories of the agent,
    `today` the UTC date. Raises InvalidInput or LimitReached with the HQ's sentence (spec/hq.md 6 and 7).
    """
    validate(draft)
    if existing is None and count >= PER_AGENT:
        raise LimitReached(
            f"This agent already has {PER_AGENT} memories; update or forget one first",
            hint="memctl list AGENT --sort updated -r shows the oldest",
        )
    memory = Memory(
        name=draft.name,
        description=trim(draft.description),
        type=MemoryType(draft.type),
        source=kept_source(existing, Source(draft.source)),
        created=existing.dated(today).created if existing else today,
        updated=today,
        content=trim(draft.content),
    )
    return Saved(memory, "updated" if existing else "created")


class Forgotten(NamedTuple):
    """Whether the HQ's forget_memory tool removes the file, and the text that it answers."""

    removed: bool
    text: str


def removes(name: str, existing: Memory | None) -> bool:
    """Return whether the HQ's remove() deletes the file `<name>.md`, whose valid memory is `existing` (spec/hq.md 8).

    It is the file's name that counts; a file that the HQ does not load stays.
    """
    return is_name(name) and existing is not None


def plan_forget(name: str, existing: Memory | None) -> Forgotten:
    """Return what the agent's tool does: it never deletes a user-authored memory (spec/hq.md 8)."""
    if existing is None or not removes(name, existing):
        return Forgotten(False, f'Memory "{name}" not found.')
    if existing.user_authored:
        return Forgotten(
            False,
            f'Memory "{name}" was written by the user, so you cannot delete it. If you believe it is wrong or out of'
            " date, raise it with them instead of deleting it.",
        )
    return Forgotten(True, f'Forgot memory "{name}".')
