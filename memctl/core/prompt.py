"""The blocks that agents get in their prompt."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from memctl.core.dialects.notes import LIMIT, trim

_ELLIPSIS = "\n…(truncated, raise [memory].max_size or trim memory.md)"


class Rules(StrEnum):
    """Which release's truncation a user-memory block follows: the first release that has it (spec/codewhale.md 1.3)."""

    V0_8_8 = "0.8.8"
    V0_8_17 = "0.8.17"
    V0_8_21 = "0.8.21"


class Payload(NamedTuple):
    """What of a file stands in the block: the bytes `head`, and behind them the marker of a cut (None: not cut).

    `head` is None where the program itself fails: release 0.8.8 ends in a panic when the cut halves a character.
    """

    head: bytes | None
    marker: str | None


def user_memory_payload(content: str, source: str, rules: Rules = Rules.V0_8_21) -> Payload:
    """Return what of the content stands between the tags; the cap of 102,400 counts bytes of the untrimmed content."""
    data = content.encode()
    if len(data) <= LIMIT:
        return Payload(trim(content).encode(), None)
    if rules is Rules.V0_8_8:
        return Payload(data[:LIMIT] if _is_boundary(data, LIMIT) else None, _ELLIPSIS)
    if rules is Rules.V0_8_17:
        return Payload(data[: _boundary(data, LIMIT)], _ELLIPSIS)
    # The marker stands within the cap and names how much it displaces, so both are found together.
    cut = _boundary(data, LIMIT)
    while True:
        marker = f'\n<truncated bytes={len(data) - cut} source="{source}">'
        shorter = _boundary(data, max(min(cut, LIMIT - len(marker.encode())), 0))
        if shorter == cut:
            return Payload(data[:cut], marker)
        cut = shorter


def user_memory_block(content: str, source: str, rules: Rules = Rules.V0_8_21) -> str | None:
    """Return the block `<user_memory>` for a file's content, None where there is none; nothing is escaped.

    `source` is the path as CodeWhale shows it. Raises ValueError where release 0.8.8 would panic.
    """
    if not trim(content):
        return None
    head, marker = user_memory_payload(content, source, rules)
    if head is None:
        raise ValueError("release 0.8.8 panics: the cut at 102,400 bytes halves a character")
    return f'<user_memory source="{source}">\n{head.decode()}{marker or ""}\n</user_memory>'


def _is_boundary(data: bytes, at: int) -> bool:
    return data[at] & 0xC0 != 0x80


def _boundary(data: bytes, at: int) -> int:
    """Return the last place up to `at` that does not halve a character."""
    while not _is_boundary(data, at):  # the first byte of a text always is one
        at -= 1
    return at
