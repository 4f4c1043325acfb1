"""A store against what it was: what counts as it was, and what it lost."""

from __future__ import annotations

import pytest

from memctl.core.checks.comparing import Earlier, Lost, Was, earlier, lost
from memctl.core.checks.rule import Severity
from memctl.core.checks.subject import Kind, Link, Subject
from memctl.core.dialects import hq
from memctl.core.memory import Memory, NotLoaded
from tests.core.checks.subjects import a_memory, a_subject, an_item, user_memory

ENTRIES = "".join(f"- entry {number}\n" for number in range(28))


def was(name: str, data: bytes | str | Memory, kind: Kind = Kind.FILE) -> Was:
    if isinstance(data, Memory):
        data = hq.write(data)
    return Was(name, kind, data.encode() if isinstance(data, str) else data)


def of(subject: Subject) -> list[Was]:
    """Return a store as a copy of it has it."""
    return [Was(item.name, item.kind, item.data, item.link.target if item.link else None) for item in subject.items]


def compared(before: Subject, now: Subject) -> Lost:
    return lost(earlier(now, of(before)).subject, now, "main")


def test_a_store_that_did_not_change_is_the_same_with_its_items() -> None:
    now = a_subject({"a.md": a_memory("a"), "b.md": a_memory("b")})
    before = earlier(now, reversed(of(now)))
    assert before == Earlier(now, 0, True)
    assert all(one is other for one, other in zip(before.subject.items, now.items, strict=True))


def test_what_a_copy_does_not_keep_is_as_it_is_now() -> None:
    now = a_subject(
        items=[an_item("a.md", hq.write(a_memory("a")), mode=0o666, uid=7, mtime=9.0), an_item("b.md", b"new")],
        mode=0o777,
        registered=False,
    )
    before = earlier(now, [was("a.md", a_memory("a", content="another")), was("b.md", b"old")]).subject
    item, other = before.items
    assert (item.mode, item.uid, item.mtime) == (0o666, 7, 9.0)
    assert isinstance(item.record, Memory)
    assert item.record.content == "another"
    assert isinstance(other.record, NotLoaded)
    assert (before.mode, before.registered) == (0o777, False)


def test_a_file_that_is_gone_was_nobody_elses() -> None:
    now = a_subject(uid=5)
    (item,) = (item for item in earlier(now, [was("a.md", a_memory("a"))]).subject.items if item.name == "a.md")
    assert (item.mode, item.uid, item.mtime) == (0o600, 5, 0.0)


def test_items_come_in_the_order_of_the_disk() -> None:
    names = ["z.txt", "b.md", "MEMORY.md", "a.md", "B.md"]
    before = earlier(a_subject(), [was(name, b"x") for name in names]).subject
    assert [item.name for item in before.items] == ["B.md", "a.md", "b.md", "MEMORY.md", "z.txt"]
    assert before.index_data == b"x"


def test_the_index_that_was_not_there_is_missing() -> None:
    assert earlier(a_subject(), []).subject.index_data is None


@pytest.mark.parametrize(("here", "there"), [(b"a\r\nb\r\n", b"a\nb\n"), (b"a\nb\n", b"a\r\nb\r\n")])
def test_line_ends_alone_are_no_difference(here: bytes, there: bytes) -> None:
    now = a_subject({"a.md": here, "b.md": b"b"}, index=None)
    assert earlier(now, [was("a.md", there), was("b.md", b"b")]) == Earlier(now, 1, True)


def test_a_file_that_was_empty_is_another() -> None:
    now = a_subject({"a.md": b"\r\n"}, index=None)
    before = earlier(now, [was("a.md", b"")])
    assert before.line_ends == 0
    assert not before.same


def test_a_second_name_of_the_index_is_new() -> None:
    alias = an_item("notes.md", b"# Memory index\n", link=Link("MEMORY.md", "MEMORY.md"))
    now = a_subject(items=[alias], index=b"# Memory index\n")
    before = earlier(now, [was("notes.md", b"# Memory index\n"), was("MEMORY.md", b"# Memory index\n")])
    assert before.subject.items[0].link is None
    assert not before.same


def test_a_symlink_is_what_it_was_where_it_leads_to_the_same() -> None:
    link = an_item("b.md", hq.write(a_memory("a")), kind=Kind.SYMLINK, link=Link("a.md", "a.md"))
    now = a_subject({"a.md": a_memory("a")}, items=[link], index=None)
    names = [was("a.md", a_memory("a")), Was("b.md", Kind.SYMLINK, None, "a.md")]
    assert earlier(now, names).same


@pytest.mark.parametrize(
    ("target", "link", "loaded"),
    [
        ("a.md", Link("a.md", "a.md"), True),
        ("/etc/passwd", Link("/etc/passwd", None), False),
        (None, Link("", None), False),
    ],
)
def test_a_symlink_that_led_elsewhere_is_read_in_the_store_only(
    target: str | None, link: Link, *, loaded: bool
) -> None:
    now = a_subject(items=[an_item("b.md", None, kind=Kind.SYMLINK, link=Link("c.md", "c.md"))])
    names = [was("a.md", a_memory("a")), Was("b.md", Kind.SYMLINK, None, target)]
    item = earlier(now, names).subject.items[1]
    assert item.link == link
    assert isinstance(item.record, Memory) is loaded


def test_a_directory_is_what_it_was() -> None:
    folder = an_item("b.md", None, kind=Kind.DIRECTORY)
    now = a_subject(items=[folder], index=None)
    assert earlier(now, [Was("b.md", Kind.DIRECTORY, None)]) == Earlier(now, 0, True)


def test_what_became_a_file_was_none() -> None:
    now = a_subject({"b.md": b"x"}, index=None)
    before = earlier(now, [Was("b.md", Kind.DIRECTORY, None)])
    assert before.subject.items[0].kind is Kind.DIRECTORY
    assert not before.same


def test_the_user_memory_is_no_memory_of_the_hq() -> None:
    before = earlier(user_memory("- a\n"), [was("memory.md", "- a\n- b\n")]).subject
    assert [(item.text, item.record) for item in before.items] == [("- a\n- b\n", None)]


def test_nothing_is_lost_where_nothing_changed() -> None:
    now = a_subject({"a.md": a_memory("a")})
    assert compared(now, now) == Lost([], 0, 1)


def test_memories_that_are_gone_are_one_finding_at_the_index() -> None:
    before = a_subject({f"m{number:02}.md": a_memory(f"m{number:02}") for number in range(40)})
    now = a_subject({f"m{number:02}.md": a_memory(f"m{number:02}") for number in range(17)})
    found, removed, total = compared(before, now)
    (one,) = found
    assert (removed, total) == (23, 40)
    assert (one.rule, one.severity, one.file, one.line) == ("C001", Severity.ERROR, "MEMORY.md", 1)
    assert one.message == "23 of 40 memories are gone since 'main': 'm17', 'm18', 'm19' and 20 more"
    assert one.related == tuple(f"m{number}.md" for number in range(17, 40))


def test_one_memory_is_named_at_the_directory_where_no_index_is() -> None:
    (one,) = compared(a_subject({"a.md": a_memory("a")}), a_subject(index=None)).findings
    assert (one.file, one.line) == ("", None)
    assert one.message == "1 of 1 memories is gone since 'main': 'a'"


def test_a_memory_under_another_name_is_not_lost() -> None:
    now = a_subject({"b.md": a_memory("a")._replace(name="b"), "broken.md": "x"})
    assert compared(a_subject({"a.md": a_memory("a")}), now) == Lost([], 0, 1)


def test_a_file_that_was_no_memory_is_no_loss() -> None:
    assert compared(a_subject({"a.md": "no front matter", "x.txt": "stray"}), a_subject()) == Lost([], 0, 0)


def test_of_a_store_that_cannot_be_read_nothing_is_said() -> None:
    now = a_subject(index=None, problem="permission denied")
    assert compared(a_subject({"a.md": a_memory("a")}), now) == Lost([], 0, 0)


@pytest.mark.parametrize(
    ("old", "new", "how"),
    [
        (ENTRIES, "".join(ENTRIES.splitlines(keepends=True)[:5]), "from 28 lines to 5"),
        ("x" * 1000, "x" * 100, "from 1,000 characters to 100"),
        ("short", "", "to nothing"),
    ],
)
def test_a_memory_that_lost_most_of_its_text_shrank(old: str, new: str, how: str) -> None:
    before = a_subject({"a.md": a_memory("a", content=old)})
    now = a_subject({"a.md": a_memory("a", content=new)})
    (one,) = compared(before, now).findings
    assert (one.rule, one.severity, one.file) == ("C002", Severity.ERROR, "a.md")
    assert one.line == (9 if new else 1)
    assert one.message == f"the text shrank {how} since 'main'"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (ENTRIES, "".join(ENTRIES.splitlines(keepends=True)[:14])),
        ("a\nb\nc\nd\ne", "a"),
        ("x" * 150, "x"),
        ("x" * 1000, "x" * 500),
        ("short", "longer than it was"),
        ("a\n" + "\n" * 40, "a"),
    ],
)
def test_a_memory_that_was_shortened_did_not_shrink(old: str, new: str) -> None:
    before = a_subject({"a.md": a_memory("a", content=old)})
    assert compared(before, a_subject({"a.md": a_memory("a", content=new)})).findings == []


def test_a_memory_cut_short_by_a_write_shrank_though_it_is_no_longer_loaded() -> None:
    before = a_subject({"a.md": a_memory("a", content=ENTRIES)})
    found = compared(before, a_subject({"a.md": ""})).findings
    assert [(one.rule, one.line, one.message) for one in found] == [
        ("C002", 1, "the text shrank to nothing since 'main'")
    ]


def test_a_file_that_cannot_be_read_did_not_shrink() -> None:
    before = a_subject({"a.md": a_memory("a", content=ENTRIES)})
    assert compared(before, a_subject(items=[an_item("a.md", None)])).findings == []


def test_a_file_whose_bytes_no_copy_kept_did_not_shrink() -> None:
    link = Was("a.md", Kind.SYMLINK, None, "/elsewhere")
    now = a_subject({"a.md": a_memory("a")})
    assert lost(earlier(now, [link]).subject, now, "main").findings == []


@pytest.mark.parametrize(
    ("new", "how"), [("".join(ENTRIES.splitlines(keepends=True)[:5]), "from 28 lines to 5"), ("", "to nothing")]
)
def test_a_user_memory_shrinks_as_a_whole(new: str, how: str) -> None:
    (one,) = compared(user_memory(ENTRIES), user_memory(new)).findings
    assert (one.rule, one.file, one.line) == ("C002", "memory.md", 1)
    assert one.message == f"the text shrank {how} since 'main'"


def test_a_user_memory_that_is_gone_shrank_to_nothing() -> None:
    (one,) = compared(user_memory(ENTRIES), user_memory("")._replace(items=())).findings
    assert one.message == "the text shrank to nothing since 'main'"


def test_a_user_memory_that_cannot_be_read_did_not_shrink() -> None:
    now = user_memory("")._replace(items=(an_item("memory.md", None),))
    assert compared(user_memory(ENTRIES), now).findings == []
