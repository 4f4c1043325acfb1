from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.dialects.native import PROMPT_BYTES, PROMPT_ENTRIES, Entry, prompt_block, read_entries
from memctl.core.dialects.notes import trim

HEAD = prompt_block([("/m", [Entry(1, "x" * PROMPT_BYTES)])])
TEXTS = st.text(st.sampled_from("- \t\r\n*#a\u3000\ufeff\x0b"), max_size=60) | st.text(max_size=60)


@given(TEXTS)
def test_entries_are_lines_that_say_something_in_their_order(content: str) -> None:
    lines = content.split("\n")
    entries = read_entries(content)
    assert [entry.line for entry in entries] == sorted({entry.line for entry in entries})
    for entry in entries:
        assert entry.text == trim(entry.text) != ""
        assert trim(lines[entry.line - 1]).endswith(entry.text)
    said = [number for number, line in enumerate(lines, 1) if trim(line).strip("- \t\r\u3000\x0b")]
    assert {entry.line for entry in entries} >= {number for number in said if trim(lines[number - 1])[:1] != "-"}


@pytest.mark.parametrize(
    ("content", "entries"),
    [
        ("# Head\n- a\n\n- - b\n* c\n", [(1, "# Head"), (2, "a"), (4, "b"), (5, "* c")]),
        ("---\n- ---\n- \n-\n----\n-x\n", [(3, "-"), (4, "-"), (5, "----"), (6, "-x")]),
        ("- a\r\n  b\rc\n", [(1, "a"), (2, "b\rc")]),
        ("\ufeff- a\n", [(1, "\ufeff- a")]),
        ("", []),
    ],
)
def test_every_line_is_an_entry_but_blanks_and_rules(content: str, entries: list[tuple[int, str]]) -> None:
    assert read_entries(content) == [Entry(*entry) for entry in entries]


def test_the_block_has_the_last_entries_global_ones_first() -> None:
    many = [Entry(number, f"n{number}") for number in range(1, PROMPT_ENTRIES + 3)]
    block = prompt_block([("/g", many), ("/w", [Entry(1, "mine")])])
    assert block is not None
    assert "[source=/g line=3]" not in block
    lines = [line for line in block.splitlines() if line.startswith("- ")]
    assert lines[0] == "- [source=/g line=4] n4"
    assert lines[-1] == "- [source=/w line=1] mine"
    assert len(lines) == PROMPT_ENTRIES


def test_the_budget_is_for_each_entry_and_ends_at_the_first_that_is_too_long() -> None:
    kilo = [Entry(number, "k" * 1000) for number in range(1, PROMPT_ENTRIES + 1)]
    block = prompt_block([("/g", kilo)])
    assert block is not None
    assert len(block) > 2 * PROMPT_BYTES
    cut = prompt_block([("/g", [Entry(1, "old"), Entry(2, "é" * (PROMPT_BYTES // 2)), Entry(3, "new")])])
    assert cut is not None
    assert [line for line in cut.splitlines() if line.startswith("- ")] == ["- [source=/g line=3] new"]


def test_an_entry_may_fill_the_budget_to_the_byte() -> None:
    block = prompt_block([("/é", [Entry(1, "é")])])
    assert block is not None
    full = len(block.encode()) - len("</native_memory_recall>")
    assert prompt_block([("/é", [Entry(1, "é")])], budget=full) == block
    assert prompt_block([("/é", [Entry(1, "é")])], budget=full - 1) == HEAD


def test_a_newest_entry_that_is_too_long_leaves_the_frame_and_no_entries_leave_nothing() -> None:
    assert HEAD is not None
    assert HEAD.splitlines()[-1] == "</native_memory_recall>"
    assert "- [" not in HEAD
    assert prompt_block([("/g", [])]) is None
