"""The one-time import of the MEMORY.md that a workspace has from before (spec/hq.md 11)."""

from __future__ import annotations

from datetime import UTC, datetime
from enum import StrEnum

from memctl.core.limits import IMPORT_CONTENT_MAX, Draft
from memctl.core.memory import MemoryType, Source
from memctl.core.text import cut, decode, length, trim

LEGACY_NAME = "legacy-memory-md"
MARKER_NAME = ".legacy-imported"
DESCRIPTION = "Notes imported from the old workspace MEMORY.md file"
TRUNCATED = "\n\n[truncated]"


class NoImport(StrEnum):
    """Why nothing is imported, in the order in which the HQ looks."""

    NO_WORKSPACE = "no-workspace"
    MISSING = "missing"
    EMPTY = "empty"
    IMPORTED_BEFORE = "imported-before"
    HAS_MEMORIES = "has-memories"


def plan_legacy(
    notes: bytes | None, *, has_workspace: bool, marker: bool, count: int, whole_characters: bool = False
) -> Draft | NoImport:
    """Return the memory that the HQ would save for the old notes, or why it saves none.

    `notes` are the bytes of `<workspace>/MEMORY.md` (None: it cannot be read), `marker` whether `.legacy-imported`
    exists in the agent's directory, `count` the number of its valid memories. Notes over 8,192 UTF-16 code units are
    cut to 8,179 and a marker; `whole_characters` drops the half of a surrogate pair that such a cut can leave, which
    the HQ writes as U+FFFD (DESIGN 4.6).
    """
    if not has_workspace:
        return NoImport.NO_WORKSPACE
    if notes is None:
        return NoImport.MISSING
    content = trim(decode(notes))
    if not content:
        return NoImport.EMPTY
    if marker:
        return NoImport.IMPORTED_BEFORE
    if count > 0:
        return NoImport.HAS_MEMORIES
    if length(content) > IMPORT_CONTENT_MAX:
        head = cut(content, IMPORT_CONTENT_MAX - len(TRUNCATED))
        if whole_characters and "\ud800" <= head[-1] <= "\udbff":
            head = head[:-1]
        content = head + TRUNCATED
    return Draft(LEGACY_NAME, DESCRIPTION, MemoryType.PROJECT, Source.IMPORT, content)


def is_truncated(content: str) -> bool:
    """Return whether the content of an imported memory ends with the marker of a cut."""
    return content.endswith(TRUNCATED.strip())


def marker_text(now: datetime) -> bytes:
    """Return the bytes of the marker file: the time of the import, as JavaScript writes it, and a line feed."""
    moment = now.astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z\n".encode()
