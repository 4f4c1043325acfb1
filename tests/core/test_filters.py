from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from memctl.core.dialects.notes import Note
from memctl.core.filters import SORT_KEYS, Filters, matches_name
from memctl.core.memory import MemoryType, Source
from tests.core.making import memory

MAY_2 = datetime(2026, 5, 2, 12, tzinfo=UTC)
MAY_3 = datetime(2026, 5, 3, tzinfo=UTC)


def test_filters_that_say_nothing_match_all_and_are_not_active() -> None:
    assert Filters().match(memory())
    assert not Filters().active


@pytest.mark.parametrize(
    ("conditions", "selected"),
    [
        ({"types": (MemoryType.USER, MemoryType.PROJECT)}, True),
        ({"types": (MemoryType.USER,)}, False),
        ({"sources": (Source.SWEEP, Source.AGENT)}, True),
        ({"sources": (Source.IMPORT,)}, False),
        ({"names": ("x", "build-*")}, True),
        ({"names": ("Build-*",)}, False),
        ({"text": "CHECKS"}, True),
        ({"text": "BUILD IS"}, True),
        ({"text": "before a push"}, False),
        ({"matching": "BEFORE a push"}, True),
        ({"matching": "how the BUILD"}, True),
        ({"matching": "build-checks"}, True),
        ({"matching": "after a push"}, False),
        ({"matching": "x"}, False),
        ({"older_than": MAY_3}, True),
        ({"older_than": MAY_2}, False),
        ({"since": MAY_2}, True),
        ({"since": MAY_3}, False),
    ],
)
def test_a_condition_selects_by_its_field(conditions: dict[str, Any], selected: bool) -> None:
    filters = Filters(**conditions)
    assert filters.active
    assert filters.match(memory(updated="2026-05-02")) is selected


def test_text_folds_case_as_unicode_does() -> None:
    assert Filters(text="STRASSE").match(memory(description="Die Straße"))


def test_all_conditions_must_hold() -> None:
    filters = Filters(types=(MemoryType.PROJECT,), text="build", since=MAY_2)
    assert filters.match(memory())
    assert not filters.match(memory(type=MemoryType.USER))
    assert not filters.match(memory(updated="2026-04-01"))


def test_age_goes_by_created_where_updated_is_missing_and_no_date_is_neither() -> None:
    assert Filters(older_than=MAY_3).match(memory(created="2026-05-02", updated=""))
    for filters in (Filters(older_than=MAY_3), Filters(since=MAY_3)):
        assert not filters.match(memory(updated="some day"))


@pytest.mark.parametrize(
    ("name", "patterns", "matched"), [("a-1", ("a-?",), True), ("a-1", ("a",), False), ("a", (), False)]
)
def test_a_name_fits_any_of_the_patterns(name: str, patterns: tuple[str, ...], matched: bool) -> None:
    assert matches_name(name, patterns) is matched


@pytest.mark.parametrize(
    ("key", "names"),
    [("name", "a b c"), ("updated", "c a b"), ("created", "b c a"), ("size", "b c a")],
)
def test_memories_are_sorted_by_the_key_that_is_named(key: str, names: str) -> None:
    memories = [
        memory("a", created="2026-03-03", updated="2026-04-02", content="😀😀"),
        memory("b", created="2026-03-01", updated="2026-04-03", content="ab"),
        memory("c", created="2026-03-02", updated="2026-04-01", content="abc"),
    ]
    assert " ".join(memory.name for memory in sorted(memories, key=SORT_KEYS[key])) == names  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("conditions", "stamped", "by_hand"),
    [
        ({}, True, True),
        ({"text": "STRASSE"}, True, True),
        ({"text": "avenue"}, False, False),
        ({"matching": "strasse", "text": "straße"}, True, True),
        ({"matching": "avenue"}, False, False),
        ({"older_than": MAY_3}, True, False),
        ({"older_than": MAY_2}, False, False),
        ({"since": MAY_2}, True, False),
        ({"since": MAY_3}, False, False),
    ],
)
def test_a_note_is_selected_by_its_text_and_its_stamp(conditions: dict[str, Any], stamped: bool, by_hand: bool) -> None:
    filters = Filters(**conditions)
    assert filters.match_note(Note(1, 1, "2026-05-02 12:00 UTC", "Die Straße", 0, 9)) is stamped
    assert filters.match_note(Note(1, 1, None, "Die Straße", 0, 9)) is by_hand
