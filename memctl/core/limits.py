"""The limits of the documents, and validate(), with the HQ's own sentences."""

from __future__ import annotations

from typing import NamedTuple

from memctl.core.memory import MemoryType, Source
from memctl.core.text import length, trim
from memctl.errors import InvalidInput

# All lengths in UTF-16 code units (spec/hq.md 6).
NAME_MAX = 64
DESCRIPTION_MAX = 200
CONTENT_MAX = 2048
IMPORT_CONTENT_MAX = 8192
PER_AGENT = 200
INDEX_MAX = 4000
RECALL_MAX = 5

_NAME_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789-"


class Draft(NamedTuple):
    """A memory as somebody wants it saved: nothing trimmed, nothing checked."""

    name: str
    description: str
    type: str
    source: str
    content: str


def is_name(text: str) -> bool:
    """Return whether `text` is a legal memory name: `[a-z0-9][a-z0-9-]{0,63}` (spec/hq.md 5)."""
    # strip() leaves something only where a character outside the set stands; a regular expression costs a start.
    return 0 < len(text) <= NAME_MAX and text[0] != "-" and not text.strip(_NAME_CHARACTERS)


def content_limit(source: str) -> int:
    """Return how long the content of a save with this source may be, in UTF-16 code units."""
    return IMPORT_CONTENT_MAX if source == Source.IMPORT else CONTENT_MAX


def problems(draft: Draft) -> list[InvalidInput]:
    """Return all that the HQ would refuse `draft` for, in its order and its sentences (spec/hq.md 6)."""
    found = []
    description = trim(draft.description)
    limit = content_limit(draft.source)
    if not is_name(draft.name):
        found.append(f'Memory name "{draft.name}" must be lowercase letters, digits and hyphens (max {NAME_MAX} chars)')
    if not description or length(description) > DESCRIPTION_MAX or "\n" in description:
        found.append(f"Memory description must be a single line of 1–{DESCRIPTION_MAX} chars")
    if draft.type not in [*MemoryType]:
        found.append(f"Memory type must be one of {', '.join(MemoryType)}")
    if draft.source not in [*Source]:
        found.append(f"Memory source must be one of {', '.join(Source)}")
    # The content is counted before it is trimmed, the description after: that is how the HQ does it.
    if not trim(draft.content) or length(draft.content) > limit:
        found.append(f"Memory content must be 1–{limit} chars")
    return [InvalidInput(sentence) for sentence in found]


def validate(draft: Draft) -> None:
    """Raise InvalidInput with the sentence that the HQ gives: the first of its checks that fails."""
    for problem in problems(draft):
        raise problem
