"""Files that the HQ skips: the rule, the line, and what mends it."""

from __future__ import annotations

import pytest

from memctl.core.checks.rule import Fix, FixKind, Severity
from memctl.core.checks.subject import Kind, Link
from memctl.core.memory import NotLoaded
from tests.core.checks.subjects import a_memory, a_subject, an_item, codes, found

GOOD = "---\nname: a\ndescription: d\ntype: user\nsource: agent\ncreated: 2026-01-01\nupdated: 2026-01-01\n---\nbody\n"


def test_a_good_file_breaks_no_rule() -> None:
    assert codes(a_subject({"a.md": GOOD})) == []


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "words"),
    [
        ("# Heading\n\nbody\n\n---\n\nmore", "N001", 1, None, "no front matter"),
        ("", "N001", 1, None, "the file is empty"),
        ("\n---\nname: a\n---\n", "N001", 1, None, "no front matter"),
        ("---\nname: a\ntype: user\nbody\n", "N002", 1, None, "not closed"),
        (b"\xef\xbb\xbf" + GOOD.encode(), "N003", 1, None, "BOM"),
        ("---\nname: a\ntype: todo\n---\nx\n", "N004", 3, 7, "did you mean 'project'?"),
        ("---\nname: a\ntype: note\n---\nx\n", "N004", 3, 7, "did you mean 'reference'?"),
        ('---\nname: a\ntype: "user"\n---\nx\n', "N004", 3, 7, "did you mean 'user'?"),
        ("---\nname: a\ntype: User\n---\nx\n", "N004", 3, 7, "did you mean 'user'?"),
        ("---\nname: a\ntype: user # a person\n---\nx\n", "N004", 3, 7, "did you mean 'user'?"),
        ("---\nname: a\ntype: [user]\n---\nx\n", "N004", 3, 7, "a list"),
        ("---\nname: a\ntype: zzzzzzzz\n---\nx\n", "N004", 3, 7, "is not one of user, feedback, project, reference"),
        ("---\ntype: user\nname: a\ntype: nope\n---\nx\n", "N004", 4, 7, "'nope'"),
        ("---\nname: a\nmetadata:\n  node_type: memory\n  type: user\n---\nx\n", "N005", 5, None, "nested"),
        ("---\nname: a\n---\nx\n", "N005", 1, None, "no type"),
        ("---\nname: a\ntype:\n---\nx\n", "N004", 3, 6, "empty"),
        ('---\nname: "a"\ntype: user\n---\nx\n', "N006", 2, 7, "did you mean 'a'?"),
        ("---\nname: My Note!\ntype: user\n---\nx\n", "N006", 2, 7, "did you mean 'my-note'?"),
        ("---\nname: ---\ntype: user\n---\nx\n", "N006", 2, 7, "is not a legal one"),
    ],
)
def test_each_reason_has_its_rule_and_its_line(
    text: str | bytes, code: str, line: int, column: int | None, words: str
) -> None:
    (finding,) = list(found(a_subject({"a.md": text}), code))
    assert (finding.file, finding.line, finding.column) == ("a.md", line, column)
    assert finding.severity is Severity.ERROR
    assert words in finding.message
    assert finding.message.startswith("the HQ does not load it: ")


def test_a_byte_order_mark_is_not_called_missing_front_matter_and_can_be_mended() -> None:
    (finding,) = found(a_subject({"a.md": b"\xef\xbb\xbf" + GOOD.encode()}), "N003")
    assert "no front matter:" not in finding.message
    assert finding.fix == Fix(FixKind.BOM, "a.md")


def test_a_rule_further_down_is_no_front_matter() -> None:
    subject = a_subject({"a.md": "# Heading\n\n---\ntype: user\n---\n"})
    assert codes(subject, "N") == ["N001"]


def test_what_is_no_file_is_told_without_a_line() -> None:
    directory = an_item("x.md", None, kind=Kind.DIRECTORY, record=NotLoaded("not-a-file", "a directory, not a file"))
    (finding,) = found(a_subject(items=[directory]), "N007")
    assert (finding.line, finding.message) == (None, "the HQ does not load it: a directory, not a file")


def test_a_dangling_link_is_not_loaded() -> None:
    problem = NotLoaded("dangling-link", "a symlink to 'gone', where nothing is")
    link = an_item("x.md", None, kind=Kind.SYMLINK, record=problem, link=Link("gone", "gone"))
    assert [finding.rule for finding in found(a_subject(items=[link]), "N007")] == ["N007"]


def test_one_bad_file_hides_no_finding_of_another() -> None:
    files = {"a.md": "", "b.md": a_memory("c"), "d.md": "---\ntype: todo\n---\n"}
    assert codes(a_subject(files), "NF") == ["N001", "F001", "N004"]
