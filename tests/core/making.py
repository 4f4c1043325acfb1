"""Memories made for tests: one with defaults, and hypothesis strategies of what the HQ can write and read back."""

from __future__ import annotations

from hypothesis import strategies as st

from memctl.core.dialects import hq
from memctl.core.limits import is_name
from memctl.core.memory import Memory, MemoryType, Source
from memctl.core.text import trim

NAMES = st.from_regex(r"[a-z0-9][a-z0-9-]{0,63}", fullmatch=True)
WRITABLE = st.characters(exclude_categories=["Cs"])


def memory(
    name: str = "build-checks",
    description: str = "How the build is checked",
    type: MemoryType = MemoryType.PROJECT,
    source: Source = Source.AGENT,
    created: str = "2026-03-01",
    updated: str = "2026-05-02",
    content: str = "Run the checks before a push.",
) -> Memory:
    assert is_name(name)
    return Memory(name, description, type, source, created, updated, content)


def _survives(description: str) -> bool:
    """A description that stands on one line and is text to the HQ, not a list or the mark of a block."""
    return [value for _, value, _, _ in hq.scan([f"description: {description}"])] == [description]


DESCRIPTIONS = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1, max_size=60)
    .map(trim)
    .filter(bool)
    .filter(_survives)
)
CONTENTS = st.text(WRITABLE, min_size=1, max_size=200).map(lambda text: trim(text.replace("\r", " "))).filter(bool)
DAYS = st.dates().map(str)
MEMORIES = st.builds(
    Memory, NAMES, DESCRIPTIONS, st.sampled_from(MemoryType), st.sampled_from(Source), DAYS, DAYS, CONTENTS
)
