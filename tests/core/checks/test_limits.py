"""What is over a limit of the documents, or nearly."""

from __future__ import annotations

import pytest

from memctl.core.checks.rule import Severity
from memctl.core.checks.subject import Agent, UserFacts
from memctl.core.checks.table import DEFAULT
from memctl.core.limits import CONTENT_MAX, DESCRIPTION_MAX, IMPORT_CONTENT_MAX
from memctl.core.memory import Memory, MemoryType, Source
from tests.core.checks.subjects import EVERY, a_memory, a_subject, codes, found, user_memory


def many(count: int) -> dict[str, Memory]:
    return {f"m-{at:03d}.md": a_memory(f"m-{at:03d}", description="d") for at in range(count)}


@pytest.mark.parametrize(
    ("count", "code", "words"),
    [
        (179, None, ""),
        (180, "L002", "180 memories of 200: 20 more, then the HQ saves no new one"),
        (200, "L002", "200 memories of 200: the HQ saves no new one"),
        (201, "L001", "201 memories, over the limit of 200: the HQ saves no new one"),
    ],
)
def test_the_number_of_memories_is_told_from_nine_tenths(count: int, code: str | None, words: str) -> None:
    subject = a_subject(many(count))
    told = [*found(subject, "L001"), *found(subject, "L002")]
    assert [(finding.rule, finding.message, finding.file) for finding in told] == ([(code, words, "")] if code else [])


@pytest.mark.parametrize(("letter", "units"), [("x", 1), ("é", 1), ("😀", 2)])
def test_a_description_is_counted_in_utf16_code_units(letter: str, units: int) -> None:
    fits = letter * (DESCRIPTION_MAX // units)
    assert codes(a_subject({"a.md": a_memory("a", description=fits)}), "L") == []
    (finding,) = found(a_subject({"a.md": a_memory("a", description=fits + letter)}), "L003")
    assert (finding.severity, finding.line, finding.column) == (Severity.ERROR, 3, 14)
    assert f"has {DESCRIPTION_MAX + units} characters, over the limit of 200" in finding.message


def test_a_description_of_several_lines_is_refused_by_the_hq() -> None:
    text = "---\ndescription: |\n  one\n  two\ntype: user\n---\nx\n"
    (finding,) = found(a_subject({"a.md": text}), "L003")
    assert finding.message == "the description has several lines: the HQ refuses it at the next save"
    long = text.replace("one", "o" * 200)
    (finding,) = found(a_subject({"a.md": long}), "L003")
    assert finding.message.startswith("the description has 204 characters, over the limit of 200 and several lines")


def test_the_content_has_the_limit_of_its_source() -> None:
    fits = a_memory("a", content="x" * CONTENT_MAX)
    assert codes(a_subject({"a.md": fits}), "L") == []
    (finding,) = found(a_subject({"a.md": fits._replace(content="x" * (CONTENT_MAX + 1))}), "L004")
    assert (finding.line, finding.severity) == (9, Severity.ERROR)
    assert finding.message.startswith("the content has 2,049 characters, over the limit of 2,048:")
    imported = a_memory("a", source=Source.IMPORT, content="x" * IMPORT_CONTENT_MAX)
    assert codes(a_subject({"a.md": imported}), "L") == []
    (finding,) = found(a_subject({"a.md": imported._replace(content="x" * (IMPORT_CONTENT_MAX + 1))}), "L004")
    assert "over the limit of 8,192 of an import" in finding.message


def test_a_user_edit_of_an_import_is_explained() -> None:
    edited = a_memory("legacy-memory-md", source=Source.USER, content="x" * 3000)
    (finding,) = found(a_subject({"legacy-memory-md.md": edited}), "L004")
    assert "an imported one may have 8,192 until somebody edits it" in finding.message


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_line_of_the_content_is_right_with_any_line_end(ending: str) -> None:
    text = "---\ntype: user\nname: a\n---\n" + "x" * 2049 + "\n"
    (finding,) = found(a_subject({"a.md": text.replace("\n", ending)}), "L004")
    assert finding.line == 5


def test_an_import_that_was_cut_names_the_original_where_the_workspace_is_known() -> None:
    cut = a_memory("legacy-memory-md", source=Source.IMPORT, content="notes\n\n[truncated]")
    (finding,) = found(a_subject({"legacy-memory-md.md": cut}), "L006")
    assert (finding.severity, finding.line, finding.column, finding.length) == (Severity.WARNING, 11, 1, 11)
    assert finding.message == "the import was cut; the rest is in the workspace's old MEMORY.md"
    agent = Agent("billing-bot", True, "auto", "/srv/work")
    (finding,) = found(a_subject({"legacy-memory-md.md": cut}, agent=agent), "L006")
    assert finding.message == "the import was cut; the rest is in '/srv/work/MEMORY.md'"
    (finding,) = found(a_subject({"legacy-memory-md.md": cut}, agent=agent._replace(workspace=None)), "L006")
    assert "workspace's old" in finding.message


def test_a_marker_in_a_memory_that_is_no_import_is_text() -> None:
    assert codes(a_subject({"a.md": a_memory("a", content="it ends with [truncated]")}), "L") == []


def test_what_the_index_does_not_list_is_named_the_newest_first() -> None:
    files = {
        f"m-{at:02d}.md": a_memory(
            f"m-{at:02d}", type=MemoryType.REFERENCE, description="d" * 190, updated=f"2026-{1 + at % 12:02d}-01"
        )
        for at in range(40)
    }
    (finding,) = found(a_subject(files), "L005")
    assert (finding.severity, finding.file) == (Severity.INFO, "MEMORY.md")
    assert finding.message.startswith("the index does not list 21 of 40 memories, the newest first: m-35, m-23, ")
    assert finding.message.endswith(" and 11 more")
    assert finding.detail.splitlines()[0] == "2026-12-01  m-35"
    assert len(finding.detail.splitlines()) == 21


def test_of_very_many_that_do_not_fit_not_all_are_listed() -> None:
    files = {f"m-{at:03d}.md": a_memory(f"m-{at:03d}", description="d" * 190) for at in range(230)}
    (finding,) = found(a_subject(files), "L005", EVERY._replace(enabled=DEFAULT))
    assert len(finding.detail.splitlines()) == 201
    assert finding.detail.endswith("\n… and 11 more")


def test_a_few_that_do_not_fit_are_all_named() -> None:
    files = {f"m-{at:02d}.md": a_memory(f"m-{at:02d}", description="d" * 190) for at in range(20)}
    (finding,) = found(a_subject(files), "L005")
    assert finding.message == "the index does not list 1 of 20 memories, the newest first: m-19"


def test_an_index_that_just_fits_is_not_told() -> None:
    files = {f"m-{at:02d}.md": a_memory(f"m-{at:02d}", description="d" * 180) for at in range(19)}
    assert found(a_subject(files), "L005") == []


FACTS = UserFacts(True, (), "", False)


def test_a_user_memory_over_its_limit_names_the_notes_that_are_cut() -> None:
    text = "".join(f"- note {at:05d} {'x' * 88}\n" for at in range(1100))
    # Without the rules that compare each note with each other.
    (finding,) = found(user_memory(text, user=FACTS), "L007", EVERY._replace(enabled=DEFAULT))
    assert finding.severity is Severity.ERROR
    assert "and 97 of 1,100 notes: @user/1004 to @user/1100" in finding.message
    assert finding.line == 1004
    assert finding.detail.startswith("@user/1004  note 01003 ")


def test_a_user_memory_up_to_its_limit_is_whole() -> None:
    assert codes(user_memory("x" * 102_400, user=FACTS), "L") == []
    (finding,) = found(user_memory("x" * 102_401, user=FACTS), "L007")
    assert finding.message == "102,401 bytes; CodeWhale loads the first 102,400 and cuts the last 1"


def test_the_file_of_the_native_tree_has_no_limit() -> None:
    assert codes(user_memory("x" * 200_000, user=FACTS._replace(native=True)), "L") == []


def test_an_import_that_was_cut_stays_so_when_somebody_edits_it() -> None:
    cut = a_memory("legacy-memory-md", source=Source.USER, content="notes, mended\n\n[truncated]")
    (finding,) = found(a_subject({"legacy-memory-md.md": cut}), "L006")
    assert finding.line == 11
    assert codes(a_subject({"other.md": cut._replace(name="other")}), "L") == []
    assert codes(a_subject({"legacy-memory-md.md": cut._replace(content="notes")}), "L") == []
