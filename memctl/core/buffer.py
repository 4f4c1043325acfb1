"""The text of a memory in an editor: description and type as front matter, the content below, budgets as comments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memctl.core.dialects import hq
from memctl.core.limits import CONTENT_MAX, DESCRIPTION_MAX
from memctl.core.memory import Memory, MemoryType
from memctl.core.text import length, trim
from memctl.errors import InvalidInput

_COMMENT = "# "
_PROBLEM = "# ! "


class Changes(NamedTuple):
    """What somebody wants to be different; None leaves a field as it is."""

    description: str | None = None
    type: str | None = None
    content: str | None = None


def write_buffer(memory: Memory, place: str) -> str:
    """Return the text to edit. `place` says where the memory stands in the index."""
    comments = [
        f"{memory.name}, written by {memory.source}, last updated {memory.last_update or 'on an unknown day'}",
        f"description {length(memory.description):,} of {DESCRIPTION_MAX:,}, content {length(memory.content):,} of {CONTENT_MAX:,}"
        " (UTF-16 units)",
        f"type is one of {', '.join(MemoryType)}",
        place,
    ]
    post = {"description": _value(memory.description), "type": str(memory.type)}
    handler = hq.handler()
    head = handler.export(post)
    notes = "\n".join(_comment(_COMMENT, comment) for comment in comments)
    return f"---\n{head}\n{notes}\n---\n{memory.content}\n"


def read_buffer(text: str) -> Changes:
    """Return what an edited text says. Raises InvalidInput where it has no front matter."""
    handler = hq.handler()
    try:
        head, content = handler.split(text)
    except ValueError as error:
        raise InvalidInput(
            f"the text cannot be read: {error}", hint="keep the two lines --- around description and type"
        ) from None
    lines = head.split("\n")
    values: dict[str, str] = {}
    for key, value, start, _ in hq.scan(lines):
        # A list in brackets is what somebody meant as text: the check of the round trip says why it cannot stay.
        values[key] = value if isinstance(value, str) else trim(lines[start].partition(":")[2])
    return Changes(values.get("description", ""), values.get("type", ""), content)


def with_problems(text: str, problems: Sequence[str]) -> str:
    """Return the text with the problems on top of its front matter, those of an earlier round taken away."""
    lines = text.replace("\r\n", "\n").split("\n")
    marks = [_comment(_PROBLEM, problem) for problem in problems]
    at = 1 if lines[0] == "---" else 0
    rest = at
    while rest < len(lines) and lines[rest].startswith(_PROBLEM):
        rest += 1
    return "\n".join([*lines[:at], *marks, *lines[rest:]])


def _comment(mark: str, text: str) -> str:
    """Return one line without a colon, so that the HQ's dialect passes over it too."""
    return mark + " ".join(text.replace(":", "").split())


def _value(description: str) -> str:
    # `[todo]` or `|` can stand in a block only.
    if not description:
        return ""
    _, read, _, _ = hq.scan(f"description: {description}".split("\n"))[0]
    if read == description:
        return description
    return "|\n" + "\n".join(f"  {line}" for line in description.split("\n"))
