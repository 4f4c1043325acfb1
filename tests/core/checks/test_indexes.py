"""MEMORY.md against the memories."""

from __future__ import annotations

import pytest

from memctl.core.checks.rule import Fix, FixKind, Severity
from memctl.core.checks.subject import Kind, Link, Subject
from memctl.core.index import render_index
from memctl.core.memory import NotLoaded
from tests.core.checks.subjects import a_memory, a_subject, an_item, codes, found, user_memory

A, B = a_memory("a"), a_memory("b")
BOTH = render_index([A, B]).text


def store(index: bytes | str | None, **changes: object) -> Subject:
    return a_subject({"a.md": A, "b.md": B}, index=index, **changes)


def test_the_index_that_the_hq_would_render_breaks_no_rule() -> None:
    assert codes(store(""), "I") == []


def test_a_missing_index_is_told_where_there_are_memories() -> None:
    (finding,) = found(store(None), "I001")
    assert (finding.severity, finding.file, finding.fix) == (Severity.WARNING, "", Fix(FixKind.REINDEX, "MEMORY.md"))
    assert finding.message == "no MEMORY.md, with 2 memories in the directory"
    (finding,) = found(a_subject({"a.md": A}, index=None), "I001")
    assert finding.message == "no MEMORY.md, with 1 memory in the directory"
    assert codes(a_subject({}, index=None), "I") == []


def test_an_index_that_lacks_a_memory_is_stale_with_a_diff() -> None:
    (finding,) = found(store(render_index([A]).text), "I002")
    assert (finding.severity, finding.file, finding.line) == (Severity.WARNING, "MEMORY.md", 5)
    assert finding.message == "the index is stale: it lacks 'b'"
    assert "+- **b** — Move b to the new payments API" in finding.detail.splitlines()
    assert found(store(render_index([A]).text), "I003") == []


def test_an_index_that_lists_what_is_gone_is_stale() -> None:
    gone = [a_memory(f"c{at}") for at in range(5)]
    (finding,) = found(store(render_index([A, B, *gone]).text), "I002")
    assert finding.message == "the index is stale: it lists 'c0', 'c1', 'c2' and 2 more, not there"


def test_an_index_in_another_order_is_stale() -> None:
    (finding,) = found(store(render_index([B, A]).text), "I002")
    assert (finding.message, finding.line) == ("the index is stale", 4)


def test_an_index_without_its_last_line_end_is_stale() -> None:
    (finding,) = found(store(BOTH.rstrip("\n")), "I002")
    assert (finding.message, finding.line) == ("the index is stale", 5)


def test_lines_that_no_memory_gives_were_written_by_hand() -> None:
    text = BOTH + "Remember to ask Zoë.\n"
    (finding,) = found(store(text), "I003")
    assert (finding.severity, finding.line) == (Severity.WARNING, 6)
    assert finding.message == (
        "the index was edited by hand: it has lines that no memory gives, and the next save writes it anew"
    )
    assert "-Remember to ask Zoë." in finding.detail.splitlines()
    assert found(store(text), "I002") == []


def test_an_index_by_hand_in_a_directory_without_memories_is_told() -> None:
    assert codes(a_subject({}, index="Call Zoë.\nAsk for the key of the door.\n"), "I") == ["I003"]


def test_an_index_of_another_form_is_told_with_what_it_lacks() -> None:
    assert codes(store("- [A](a.md) — hook"), "I") == ["I002", "I003"]


def test_an_entry_changed_by_hand_is_told_at_its_line() -> None:
    text = BOTH.replace("Move b to", "Do not move b to")
    (finding,) = found(store(text), "I003")
    assert (finding.line, finding.message.split(",")[0]) == (
        5,
        "the index was edited by hand: of 'b' it says what the memory does not",
    )
    assert codes(store(text), "I") == ["I003"]


def test_an_entry_of_a_memory_that_is_younger_than_the_index_is_stale() -> None:
    subject = store(BOTH.replace("Move b to", "Do not move b to"))
    items = [item._replace(mtime=2.0 if item.name == "b.md" else 1.0) for item in subject.items]
    assert codes(subject._replace(items=items), "I") == ["I002"]


def test_an_index_with_other_line_ends_is_told_so() -> None:
    (finding,) = found(store(BOTH.replace("\n", "\r\n")), "I002")
    assert finding.message == "the index has other line ends than the HQ writes"


def test_a_store_that_could_not_be_read_and_a_user_memory_have_no_index() -> None:
    assert codes(store(None, problem="permission denied"), "I") == []
    assert codes(user_memory("- note\n"), "I") == []


def test_an_index_that_is_there_and_cannot_be_read_is_not_called_missing() -> None:
    subject = store("")
    items = [item._replace(data=None, text=None) if item.name == "MEMORY.md" else item for item in subject.items]
    assert codes(subject._replace(items=items, index_data=None), "I") == []


def test_a_long_diff_is_cut() -> None:
    lines = "".join(f"line {at}\n" for at in range(1000))
    (finding,) = found(store(lines), "I003")
    assert len(finding.detail.splitlines()) == 200


@pytest.mark.parametrize(
    "reason", ["a directory, not a file", "a FIFO, not a file", "a symlink to 'gone.md', where nothing is"]
)
def test_an_index_that_is_no_file_is_an_error(reason: str) -> None:
    code = "dangling-link" if "symlink" in reason else "not-a-file"
    link = Link("gone.md", "gone.md") if "symlink" in reason else None
    item = an_item("MEMORY.md", None, kind=Kind.SYMLINK if link else Kind.DIRECTORY, link=link)
    subject = a_subject({"a.md": a_memory("a")}, items=[item], index=None, index_problem=NotLoaded(code, reason))
    (finding,) = found(subject, "I001")
    assert (finding.severity, finding.file, finding.fix) == (Severity.ERROR, "MEMORY.md", None)
    assert finding.message == f"MEMORY.md is {reason}: move it away, then memctl reindex"
    assert codes(subject) == ["I001"]


def test_an_index_that_is_a_link_out_of_the_store_or_unreadable_is_told_by_the_rules_on_access() -> None:
    outside = an_item("MEMORY.md", None, kind=Kind.SYMLINK, link=Link("/gone", None))
    gone = NotLoaded("dangling-link", "a symlink to '/gone', where nothing is")
    assert codes(a_subject(items=[outside], index=None, index_problem=gone)) == ["A005"]
    unread = NotLoaded("unreadable", "unreadable: permission denied")
    subject = a_subject({"a.md": a_memory("a")}, items=[an_item("MEMORY.md", None)], index=None, index_problem=unread)
    assert codes(subject) == ["A008"]
    assert found(subject, "A008")[0].file == "MEMORY.md"
