"""What fixes make of the bytes of a store."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.checks.engine import check_store
from memctl.core.checks.mending import Plan, diff, mended, plan
from memctl.core.checks.rule import Finding, Fix, FixKind, Severity
from memctl.core.checks.subject import Kind, Link, Subject
from memctl.core.dialects import hq
from memctl.core.memory import Memory
from tests.core.checks.subjects import EVERY, a_memory, a_subject, an_item, user_memory

TOKEN = "AKIA" + "QX7Z" * 4
PLACE = "/hq/memory/1a2b3c4d"
NONE: frozenset[FixKind] = frozenset()


def made(subject: Subject, *, unsafe: bool = False, without: frozenset[FixKind] = NONE) -> Plan:
    return plan(subject, check_store(subject, EVERY).findings, unsafe=unsafe, without=without)


@pytest.mark.parametrize(
    ("data", "kind", "result"),
    [
        (b"\xef\xbb\xbf---\n", FixKind.BOM, b"---\n"),
        (b"---\n\xef\xbb\xbf", FixKind.BOM, b"---\n\xef\xbb\xbf"),
        (b"a\r\nb\rc\n", FixKind.LINE_ENDS, b"a\nb\rc\n"),
        (b"a", FixKind.FINAL_NEWLINE, b"a\n"),
        (b"a\n\n\r\n", FixKind.FINAL_NEWLINE, b"a\n"),
    ],
)
def test_a_fix_of_text_changes_that_alone(data: bytes, kind: FixKind, result: bytes) -> None:
    assert mended(data, {kind}) == result
    assert mended(mended(data, {kind}), {kind}) == result
    assert mended(data, set()) == data


@given(st.text(st.characters(codec="utf-8")))
def test_a_fix_of_line_ends_and_of_the_end_never_changes_what_the_hq_reads(text: str) -> None:
    data = hq.write(a_memory("a", content=text)).replace(b"\n", b"\r\n")
    before = hq.read(data, "a")
    assert hq.read(mended(data, {FixKind.LINE_ENDS, FixKind.FINAL_NEWLINE}), "a") == before


def test_only_safe_fixes_are_planned_unless_the_others_are_wanted() -> None:
    subject = a_subject({"b.md": a_memory("a"), "c.md": hq.write(a_memory("c")) + b"\n"}, items=[an_item("x~", "x")])
    assert [mend.item.name for mend in made(subject).mends] == ["c.md"]
    assert [(mend.item.name, mend.to) for mend in made(subject, unsafe=True).mends] == [
        ("b.md", "a.md"),
        ("c.md", ""),
        ("x~", ""),
    ]
    without = frozenset({FixKind.RENAME, FixKind.FINAL_NEWLINE})
    assert [mend.item.name for mend in made(subject, unsafe=True, without=without).mends] == ["x~"]


def test_several_fixes_of_a_file_are_one() -> None:
    data = b"\xef\xbb\xbf" + hq.write(a_memory("a")).replace(b"\n", b"\r\n")
    (mend,) = made(a_subject(items=[an_item("a.md", data, mode=0o666)])).mends
    assert (mend.data, mend.mode) == (hq.write(a_memory("a")), 0o644)
    assert mend.kinds == {FixKind.BOM, FixKind.LINE_ENDS, FixKind.MODE}


def test_links_and_what_was_not_read_are_not_mended() -> None:
    data = hq.write(a_memory("a")) + b"\n"
    items = [
        an_item("a.md", data, kind=Kind.SYMLINK, link=Link("/x", None)),
        an_item("b.md", data, link=Link("MEMORY.md", "MEMORY.md")),
    ]
    assert [(mend.item.name, mend.data) for mend in made(a_subject(items=items)).mends] == [("b.md", None)]
    gone = Finding("F016", Severity.INFO, "gone.md", "m", "e", fix=Fix(FixKind.FINAL_NEWLINE, "gone.md"))
    unread = gone._replace(fix=Fix(FixKind.MODE, "c.md"))
    subject = a_subject(items=[an_item("c.md", None)])
    assert plan(subject, [gone, unread], unsafe=False, without=NONE).mends == ()


def test_a_fix_that_would_make_another_memory_is_not_done() -> None:
    # Without the mark the file has a front matter, and another text: that is a fix only of what was not loaded.
    item = an_item("a.md", b"\xef\xbb\xbf" + hq.write(a_memory("a")))
    item = item._replace(record=a_memory("a", content="something else"))
    finding = Finding("N003", Severity.ERROR, "a.md", "m", "e", fix=Fix(FixKind.BOM, "a.md"))
    assert plan(a_subject(items=[item]), [finding], unsafe=False, without=NONE).mends == ()


def test_findings_of_the_index_are_kept_apart() -> None:
    done = made(a_subject({"a.md": a_memory("a")}, index="by hand\n"))
    assert [finding.rule for finding in done.of_index] == ["I002", "I003"]
    assert (done.mends, done.redacts_index) == ((), False)


def test_a_secret_is_redacted_first_and_the_rest_is_mended_from_that() -> None:
    text = hq.write(a_memory("a", content=f"aws_access_key_id = {TOKEN}")) + b"\n"
    done = made(a_subject({"a.md": text}), unsafe=True)
    (redaction,), (mend,) = done.redactions, done.mends
    assert redaction.data is not None
    assert mend.data == redaction.data[:-1]
    assert TOKEN.encode() not in mend.data
    assert isinstance(hq.read(mend.data, "a"), Memory)
    assert made(a_subject({"a.md": text})).redactions == ()


def test_a_secret_in_the_index_has_it_rendered_without_history() -> None:
    done = made(a_subject({"a.md": a_memory("a")}, index=f"aws_access_key_id = {TOKEN}\n"), unsafe=True)
    assert done.redacts_index is True


def test_a_redaction_that_changes_nothing_is_none() -> None:
    finding = Finding("S003", Severity.WARNING, "a.md", "m", "e", fix=Fix(FixKind.REDACT, "a.md"))
    done = plan(a_subject({"a.md": a_memory("a")}), [finding], unsafe=True, without=NONE)
    assert (done.redactions, done.mends) == ((), ())
    linked = a_subject(items=[an_item("a.md", f"aws_access_key_id = {TOKEN}", kind=Kind.SYMLINK)])
    assert plan(linked, [finding], unsafe=True, without=NONE).redactions == ()


def test_a_file_that_is_there_under_its_new_name_already_goes() -> None:
    data = hq.write(a_memory("b"))
    (mend,) = made(a_subject({"a.md": data, "b.md": data}), unsafe=True).mends
    assert (mend.item.name, mend.data, mend.to) == ("a.md", None, "")


def test_a_user_memory_has_no_index() -> None:
    (mend,) = made(user_memory("- a\r\n- b\n")).mends
    assert mend.data == b"- a\n- b\n"


def test_a_diff_shows_each_change_and_no_secret() -> None:
    files = {
        "a.md": hq.write(a_memory("a", content=f"aws_access_key_id = {TOKEN}")),
        "b.md": hq.write(a_memory("b")) + b"\n\n",
        "c.md": hq.write(a_memory("d")),
        "e.md": hq.write(a_memory("e")).replace(b"\n", b"\r\n"),
    }
    items = [an_item("x~", "x"), an_item("f.md", hq.write(a_memory("f")), mode=0o666)]
    subject = a_subject(files, items=items, index="by hand\n")
    lines = list(diff(subject, made(subject, unsafe=True)))
    text = "\n".join(lines)
    assert TOKEN not in text
    assert "+aws_access_key_id = [redacted]" in lines
    assert f"rename {PLACE}/c.md to {PLACE}/d.md" in lines
    assert f"remove {PLACE}/x~" in lines
    assert f"mode 0666 to 0644 {PLACE}/f.md" in lines
    assert f"write LF line ends: {PLACE}/e.md" in lines
    assert "-by hand" in text.split("\n")
    assert list(diff(subject, Plan((), (), (), redacts_index=False))) == []


def test_findings_of_the_index_without_a_diff_show_none() -> None:
    subject = a_subject({"a.md": a_memory("a")}, index=None)
    assert list(diff(subject, made(subject))) == []
