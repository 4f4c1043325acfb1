from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.legacy import NoImport, is_truncated, marker_text, plan_legacy
from memctl.core.limits import Draft, problems
from memctl.core.text import decode, encode, length, trim


def plan(notes: bytes | None, *, whole: bool = True) -> Draft | NoImport:
    return plan_legacy(notes, has_workspace=True, marker=False, count=0, whole_characters=whole)


@pytest.mark.parametrize(
    ("notes", "has_workspace", "marker", "count", "why"),
    [
        (None, False, True, 9, NoImport.NO_WORKSPACE),
        (None, True, True, 9, NoImport.MISSING),
        (b"\xef\xbb\xbf \r\n", True, True, 9, NoImport.EMPTY),
        (b"notes", True, True, 9, NoImport.IMPORTED_BEFORE),
        (b"notes", True, False, 1, NoImport.HAS_MEMORIES),
    ],
)
def test_the_first_reason_that_holds_is_why_nothing_is_imported(
    notes: bytes | None, has_workspace: bool, marker: bool, count: int, why: NoImport
) -> None:
    assert plan_legacy(notes, has_workspace=has_workspace, marker=marker, count=count) is why


def test_old_notes_become_one_project_memory_of_source_import() -> None:
    assert plan(b"\n# Notes\r\n- one\r\n") == Draft(
        "legacy-memory-md",
        "Notes imported from the old workspace MEMORY.md file",
        "project",
        "import",
        "# Notes\r\n- one",
    )


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.integers(8100, 8300))
def test_an_import_is_the_notes_or_their_beginning_and_always_valid(end: str, size: int) -> None:
    text = ("x" * size + end) if len(end) < 60 else end * 200
    draft = plan(text.encode())
    assert isinstance(draft, Draft)
    assert problems(draft) == []
    if length(trim(text)) <= 8192:
        assert draft.content == trim(text)
    else:
        head = draft.content.removesuffix("\n\n[truncated]")
        assert is_truncated(draft.content)
        assert trim(text).startswith(head)
        assert 8178 <= length(head) <= 8179


@pytest.mark.parametrize("pair", ["\U00010000", "😀", "\U0010ffff"])
def test_a_cut_that_would_halve_a_pair_drops_that_unit_or_keeps_it_as_the_hq_does(pair: str) -> None:
    notes = ("a" * 8178 + pair + "b" * 20).encode()
    whole, halved = plan(notes), plan(notes, whole=False)
    assert isinstance(whole, Draft)
    assert isinstance(halved, Draft)
    assert whole.content == "a" * 8178 + "\n\n[truncated]"
    assert decode(encode(halved.content)) == "a" * 8178 + "\ufffd\n\n[truncated]"
    assert length(halved.content) == 8192


@pytest.mark.parametrize("end", ["aa", "😀", "\ue000\uffff", "\ud7ff\ud7ff"])
def test_a_cut_beside_a_pair_drops_nothing(end: str) -> None:
    draft = plan(("a" * 8177 + end + "b" * 20).encode())
    assert isinstance(draft, Draft)
    assert draft.content == "a" * 8177 + end + "\n\n[truncated]"


@pytest.mark.parametrize(
    ("content", "truncated"), [("a\n\n[truncated]", True), ("a [truncated] b", False), ("a", False)]
)
def test_a_content_is_truncated_if_it_ends_so(content: str, truncated: bool) -> None:
    assert is_truncated(content) is truncated


@pytest.mark.parametrize(
    ("now", "text"),
    [
        (datetime(2026, 9, 15, 10, 30, tzinfo=UTC), b"2026-09-15T10:30:00.000Z\n"),
        (datetime(2026, 1, 1, 1, 2, 3, 45999, timezone(timedelta(hours=2))), b"2025-12-31T23:02:03.045Z\n"),
    ],
)
def test_the_marker_is_the_moment_in_utc_as_javascript_writes_it(now: datetime, text: bytes, elsewhere: None) -> None:
    assert marker_text(now) == text
