from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.buffer import Changes, read_buffer, with_problems, write_buffer
from memctl.core.dialects import hq
from memctl.core.memory import Memory, MemoryType
from memctl.core.revising import revise
from memctl.errors import InvalidInput
from tests.core.making import MEMORIES, memory

PLACE = "entry 3 of 12 in the index"


def test_the_text_to_edit_has_the_fields_and_the_budgets() -> None:
    text = write_buffer(memory(description="How: it is built", content="😀\n\nText."), PLACE)
    assert text == (
        "---\n"
        "description: How: it is built\n"
        "type: project\n"
        "# build-checks, written by agent, last updated 2026-05-02\n"
        "# description 16 of 200, content 9 of 2,048 (UTF-16 units)\n"
        "# type is one of user, feedback, project, reference\n"
        "# entry 3 of 12 in the index\n"
        "---\n"
        "😀\n\nText.\n"
    )


def test_a_memory_without_dates_was_updated_on_an_unknown_day() -> None:
    assert "last updated on an unknown day\n" in write_buffer(memory(created="", updated=""), PLACE)


def unchanged(found: Memory) -> Changes:
    return Changes(found.description, str(found.type), found.content)


@given(MEMORIES, st.text())
def test_a_text_that_is_saved_as_it_was_changes_nothing(found: Memory, place: str) -> None:
    assert read_buffer(write_buffer(found, place)) == unchanged(found)


@pytest.mark.parametrize("description", ["", "[todo]", "|", ">-", "two\nlines", "a\n  b\n\nc", "|\n  x", "[a\nb]"])
def test_a_description_of_any_shape_that_a_file_can_hold_is_kept(description: str) -> None:
    found = memory(description=description)
    assert read_buffer(write_buffer(found, PLACE)) == unchanged(found)


@pytest.mark.parametrize("day", ["2026: spring", "one\n---\ntwo: x", "\n"])
def test_a_date_that_is_any_text_does_not_break_the_front_matter(day: str) -> None:
    found = memory(updated=day)
    assert read_buffer(write_buffer(found, PLACE)) == unchanged(found)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("---\ndescription: New\ntype: user\n---\nText\n", Changes("New", "user", "Text")),
        ("---\r\ntype: user\r\ndescription: New\r\n---\r\nText\r\n", Changes("New", "user", "Text")),
        ("---\ndescription: [todo, later]\ntype: user\n---\nText", Changes("[todo, later]", "user", "Text")),
        ("---\ndescription: [todo: later]\ntype: user\n---\nText", Changes("[todo: later]", "user", "Text")),
        ("---\ndescription: |\n  one\n  two\ntype: user\n---\nText", Changes("one\ntwo", "user", "Text")),
        ("---\ntype: user\n---\nText", Changes("", "user", "Text")),
        ("---\ndescription: New\n---\nText", Changes("New", "", "Text")),
        ("---\ndescription: New\ntype:\n---\n", Changes("New", "", "")),
    ],
)
def test_an_edited_text_says_what_is_to_change(text: str, changes: Changes) -> None:
    assert read_buffer(text) == changes


@pytest.mark.parametrize("text", ["", "Text only", "description: New\n---\n", "---\ndescription: New\n"])
def test_a_text_without_front_matter_is_invalid(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"^the text cannot be read: ") as raised:
        read_buffer(text)
    assert raised.value.hint == "keep the two lines --- around description and type"


def test_problems_stand_on_top_of_the_front_matter() -> None:
    text = with_problems("---\ntype: note\n---\nText\n", ["Memory type must be: one of", "two\nlines"])
    assert text == "---\n# ! Memory type must be one of\n# ! two lines\ntype: note\n---\nText\n"
    assert read_buffer(text) == Changes("", "note", "Text")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_problems_of_an_earlier_round_go_and_lines_of_the_content_stay(newline: str) -> None:
    text = newline.join(["---", "# ! old", "# ! older", "type: user", "---", "# ! A heading", ""])
    assert with_problems(text, ["new"]) == "---\n# ! new\ntype: user\n---\n# ! A heading\n"
    assert with_problems(text, []) == "---\ntype: user\n---\n# ! A heading\n"


def test_problems_stand_first_where_the_front_matter_is_gone() -> None:
    assert with_problems("Text", ["keep the lines"]) == "# ! keep the lines\nText"
    assert with_problems("# ! keep the lines", []) == ""


@given(MEMORIES, st.lists(st.text()))
def test_problems_change_nothing_that_is_read(found: Memory, problems: list[str]) -> None:
    text = write_buffer(found, PLACE)
    marked = with_problems(text, problems)
    assert read_buffer(marked) == unchanged(found)
    assert with_problems(marked, []) == text


@given(MEMORIES)
def test_a_text_that_is_saved_as_it_was_leaves_the_file(found: Memory) -> None:
    data = hq.write(found)
    assert revise(data, "x", read_buffer(write_buffer(found, PLACE)), "2026-09-15") == (found, data)


def test_a_type_can_be_changed_in_the_text() -> None:
    text = write_buffer(memory(), PLACE).replace("type: project", "type: user")
    assert read_buffer(text) == unchanged(memory(type=MemoryType.USER))
