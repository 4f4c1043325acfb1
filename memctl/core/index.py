"""The index MEMORY.md: rendered from the memories, cut to 4,000 code units from its end (spec/hq.md 9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memctl.core.limits import INDEX_MAX
from memctl.core.memory import Memory, MemoryType
from memctl.core.text import WHITESPACE, length

_TITLE = "# Memory index"


class Index(NamedTuple):
    """The text of an index, the memories it lists, in its order, and those that did not fit."""

    text: str
    listed: tuple[Memory, ...]
    omitted: tuple[Memory, ...]


def escape_tag(text: str, tag: str = "memory") -> str:
    """Return `text` with each `</tag>` as `&lt;/tag&gt;`, white space and case inside it ignored.

    Letters are compared in ASCII only, as the HQ does: no other character counts as an s or an i.
    """
    if "<" not in text:
        return text
    out: list[str] = []
    at = 0
    while (start := text.find("<", at)) >= 0:
        out.append(text[at:start])
        end = _closing_tag_end(text, start, tag)
        out.append(f"&lt;/{tag}&gt;" if end else "<")
        at = end or start + 1
    out.append(text[at:])
    return "".join(out)


def _closing_tag_end(text: str, start: int, tag: str) -> int:
    """Return where the closing tag that begins at `start` ends, 0 if none begins there."""
    at = _skip_blank(text, start + 1)
    if text[at : at + 1] != "/":
        return 0
    at = _skip_blank(text, at + 1)
    word = text[at : at + len(tag)]
    if not word.isascii() or word.lower() != tag:
        return 0
    at = _skip_blank(text, at + len(tag))
    return at + 1 if text[at : at + 1] == ">" else 0


def _skip_blank(text: str, at: int) -> int:
    while at < len(text) and text[at] in WHITESPACE:
        at += 1
    return at


def entry(memory: Memory) -> str:
    """Return the line that lists a memory, without its end."""
    return f"- **{memory.name}** — {escape_tag(memory.description)}"


def render_index(memories: Sequence[Memory], *, max_chars: int = INDEX_MAX, tools: bool = True) -> Index:
    """Return the index of `memories`, which are in the HQ's order.

    `max_chars` counts UTF-16 code units; `tools` is false for an agent that can only read, whose last line differs.
    What does not fit is dropped strictly from the end; a cut index is at most `max_chars - 1` long, since the HQ
    counts one line feed more than it writes (spec/hq.md 9).
    """
    if not memories:
        return Index(f"{_TITLE}\n\n_No memories yet._\n", (), ())
    ordered = [memory for kind in MemoryType for memory in memories if memory.type is kind]
    lines = [_TITLE, ""]
    # After each memory: how many lines there are, and the length of "title, blank, then per group: heading, entries,
    # blank", all joined with line feeds.
    ends: list[tuple[int, int]] = []
    total = len(_TITLE) + 1
    group = None
    for memory in ordered:
        if memory.type is not group:
            if group is not None:
                lines.append("")
            group = memory.type
            lines.append(f"## {group.capitalize()}")
            total += len(lines[-1]) + 2
        lines.append(entry(memory))
        total += length(lines[-1]) + 1
        if total > max_chars:
            break
        ends.append((len(lines), total))
    else:
        return Index("\n".join([*lines, ""]), tuple(ordered), ())
    while ends and ends[-1][1] + 1 + len(_footer(len(ordered) - len(ends), tools=tools)) > max_chars:
        ends.pop()
    kept = len(ends)
    text = "\n".join(lines[: ends[-1][0]] if ends else [_TITLE]).rstrip("\n")
    text += "\n" + _footer(len(ordered) - kept, tools=tools)
    return Index(text, tuple(ordered[:kept]), tuple(ordered[kept:]))


def _footer(dropped: int, *, tools: bool) -> str:
    return f"- …and {dropped} more — use recall_memory\n" if tools else f"- …and {dropped} more, not shown\n"
