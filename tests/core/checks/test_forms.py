"""The form of loaded files."""

from __future__ import annotations

from datetime import date

import pytest

from memctl.core.checks.rule import Fix, FixKind, Severity
from memctl.core.checks.subject import UserFacts
from memctl.core.dialects import hq
from memctl.core.memory import Memory, NotLoaded
from tests.core.checks.subjects import EVERY, a_memory, a_subject, an_item, codes, found, user_memory


def head(*lines: str, body: str = "text\n") -> str:
    """Return a file that has the six fields but for those that are given."""
    fields = {
        "name": "name: a",
        "description": "description: d",
        "type": "type: user",
        "source": "source: agent",
        "created": "created: 2026-01-01",
        "updated": "updated: 2026-01-02",
    }
    for line in lines:
        key = line.partition(":")[0]
        if line == f"-{key[1:]}":
            del fields[key[1:]]
        elif key in fields:
            fields[key] = line
        else:
            fields[line] = line
    return "---\n" + "\n".join(fields.values()) + f"\n---\n{body}"


def test_a_file_as_the_hq_writes_it_breaks_no_rule() -> None:
    assert codes(a_subject({"a.md": head()}), "F") == []


def test_a_name_that_differs_is_renamed_where_the_new_name_is_free() -> None:
    (finding,) = found(a_subject({"my-note.md": a_memory("my-notes")}), "F001")
    assert (finding.severity, finding.line, finding.column) == (Severity.WARNING, 2, 7)
    assert finding.message == "the name 'my-notes' is not that of the file, 'my-note'"
    assert finding.fix == Fix(FixKind.RENAME, "my-note.md", "my-notes.md")


@pytest.mark.parametrize(
    "others",
    [{"b.md": a_memory("b", content="other")}, {"B.md": a_memory("c")}, {"c.md": a_memory("b"), "d.md": a_memory("d")}],
)
def test_a_name_that_is_taken_is_no_name_to_rename_to(others: dict[str, Memory]) -> None:
    findings = list(found(a_subject({"a.md": a_memory("b"), **others}), "F001"))
    assert findings[0].file in ("a.md", "B.md")
    assert all(finding.fix is None for finding in findings if finding.file == "a.md")


def test_a_rename_that_was_cut_short_can_be_finished() -> None:
    data = hq.write(a_memory("b"))
    (finding,) = found(a_subject({"a.md": data, "b.md": data}), "F001")
    assert finding.fix == Fix(FixKind.RENAME, "a.md", "b.md")
    (other,) = found(a_subject({"a.md": data, "b.md": a_memory("b", content="other")}), "F001")
    assert other.fix is None


def test_two_files_of_one_name_name_each_other() -> None:
    findings = found(a_subject({"a.md": a_memory("style"), "b.md": a_memory("style"), "c.md": a_memory("c")}), "F002")
    assert [(finding.file, finding.severity, finding.related) for finding in findings] == [
        ("a.md", Severity.ERROR, ("b.md",)),
        ("b.md", Severity.ERROR, ("a.md",)),
    ]
    assert findings[0].message == "the name 'style' is that of 'b.md' too"


def test_names_that_differ_in_case_only_are_told() -> None:
    findings = found(a_subject({"Style.md": "---\n", "style.md": a_memory("style")}), "F003")
    assert [finding.file for finding in findings] == ["Style.md", "style.md"]
    assert findings[0].message == "'Style.md' differs from 'style.md' in case only"


def test_a_memory_named_memory_is_told() -> None:
    assert [finding.file for finding in found(a_subject({"memory.md": a_memory("memory")}), "F004")] == ["memory.md"]


@pytest.mark.parametrize(
    ("line", "words", "at"),
    [
        ("source: human", "the source 'human' is none of agent, sweep, user, import", (5, 9)),
        ('source: "user"', """the source '"user"' is none of""", (5, 9)),
        ("source:", "no source; the HQ takes it for agent", (5, 8)),
        ("-source", "no source; the HQ takes it for agent", (1, None)),
    ],
)
def test_an_unknown_source_counts_as_agent(line: str, words: str, at: tuple[int, int | None]) -> None:
    (finding,) = found(a_subject({"a.md": head(line)}), "F005")
    assert finding.message.startswith(words)
    assert (finding.line, finding.column) == at


@pytest.mark.parametrize(
    ("line", "message", "at"),
    [
        ("updated: 2026-13-45", "'updated' is '2026-13-45', not a date (YYYY-MM-DD)", 7),
        ("created: yesterday", "'created' is 'yesterday', not a date (YYYY-MM-DD)", 6),
        ("-updated", "no 'updated' date: the HQ takes that of created", 1),
        ("created:", "no 'created' date: the HQ takes today", 6),
    ],
)
def test_a_date_that_is_none_is_told(line: str, message: str, at: int) -> None:
    (finding,) = found(a_subject({"a.md": head(line)}), "F006")
    assert (finding.message, finding.line) == (message, at)


def test_tomorrow_is_no_future_since_somewhere_it_is_today() -> None:
    assert codes(a_subject({"a.md": head("updated: 2026-12-01")}), "F") == []
    (finding,) = found(a_subject({"a.md": head("updated: 2026-12-02")}), "F007")
    assert finding.message == "'updated' is 2026-12-02, in the future"


def test_the_day_of_the_run_decides_what_is_future() -> None:
    later = EVERY._replace(today=date(2027, 1, 1))
    assert codes(a_subject({"a.md": head("updated: 2026-12-02")}), "F", later) == []


def test_dates_that_run_backwards_are_told() -> None:
    (finding,) = found(a_subject({"a.md": head("created: 2026-05-01", "updated: 2026-04-01")}), "F008")
    assert finding.message == "updated 2026-04-01 is before created 2026-05-01"


def test_a_repeated_key_is_told_at_its_second_place() -> None:
    (finding,) = found(a_subject({"a.md": head("tags: a").replace("tags: a", "type: project")}), "F009")
    assert (finding.line, finding.message) == (
        8,
        "the key 'type' stands a second time (first on line 4); the last one counts",
    )


def test_an_unknown_key_is_told_and_cut_where_it_is_long() -> None:
    (finding,) = found(a_subject({"a.md": head(f"{'k' * 60}: x")}), "F010")
    assert (finding.line, finding.severity) == (8, Severity.INFO)
    assert f"'{'k' * 39}…'" in finding.message


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("description: [todo]", "the HQ reads the description '[todo]' as a list, and loses it"),
        ("description: |", "as the mark of a block, and loses it"),
        ("description: >-", "as the mark of a block, and loses it"),
        ("description:", "the description is empty"),
        ("-description", "no description"),
    ],
)
def test_a_description_that_is_lost_is_told_once(line: str, words: str) -> None:
    (finding,) = found(a_subject({"a.md": head(line)}), "F011")
    assert words in finding.message


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("description: first\n  second line", "reads 'first' as the description, and skips line 4: a value is one"),
        ("description: first\n\n  second\n\tthird", "'first' as the description, and skips lines 5 to 6"),
        ("description: first\nsecond line", "'first' as the description, and skips line 4"),
        ('description: "first\n  second"', "reads '\"first' as the description, and skips line 4"),
        ("description: |\n    first\n  second", "'first' as the description, and skips line 5"),
        ("description:\n  first", "reads no description, and skips line 4"),
        ("description:\n  - first", "reads the description '' as a list, and loses it"),
        ("description: first\n  # a comment", ""),
        ("description: >\n  first\n  second", ""),
    ],
)
def test_a_description_that_goes_on_is_read_to_the_end_of_its_line(lines: str, words: str) -> None:
    findings = found(a_subject({"a.md": head(lines).replace("description: d\n", "")}), "F011")
    assert [finding.line for finding in findings] == ([3] if words else [])
    assert all(words in finding.message and finding.severity is Severity.WARNING for finding in findings)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ('"in quotes"', "the quotes"),
        ("'it''s in quotes'", "the quotes"),
        ('"with a \\" in it"', "the quotes"),
        ("a text # a comment", "the comment '# a comment'"),
        ("null", "the word 'null'"),
        ("~", "the word '~'"),
        ('"', ""),
        ('"one" and "two"', ""),
        ("'s Gravenhage # 12", ""),
        ("the pull request #12", ""),
        ("a \"quoted\" 'word'", ""),
    ],
)
def test_what_is_no_part_of_a_value_in_yaml_is_kept(value: str, words: str) -> None:
    text = head(f"description: {value}", "tags: x")
    findings = found(a_subject({"a.md": text}), "F011")
    assert [(finding.message, finding.severity) for finding in findings] == (
        [(f"the HQ keeps {words} in the description", Severity.INFO)] if words else []
    )
    written = hq.write(a_memory("a", description=value))
    assert len(found(a_subject({"a.md": written}), "F011")) == (words == "the quotes")


def test_a_description_as_a_block_is_not_lost() -> None:
    assert codes(a_subject({"a.md": head("description: |\n  one line")}), "F") == []
    assert found(a_subject({"a.md": head("description: |\n  one\n  two")}), "F011") == []


def test_crlf_is_info_and_mixed_line_ends_are_a_warning() -> None:
    text = head()
    (crlf,) = found(a_subject({"a.md": text.replace("\n", "\r\n")}), "F012")
    assert (crlf.severity, crlf.fix) == (Severity.INFO, Fix(FixKind.LINE_ENDS, "a.md"))
    (mixed,) = found(a_subject({"a.md": text.replace("\n", "\r\n", 3)}), "F013")
    assert (mixed.severity, mixed.line, mixed.fix) == (Severity.WARNING, 1, Fix(FixKind.LINE_ENDS, "a.md"))
    assert mixed.message == "mixed line ends: 3 CRLF, 6 LF"
    (mostly,) = found(a_subject({"a.md": text.replace("\n", "\r\n")[:-2] + "\n"}), "F013")
    assert mostly.line == 9


def test_a_lone_cr_is_a_character_that_no_fix_touches() -> None:
    (finding,) = found(a_subject({"a.md": head(body="one\rtwo\n")}), "F013")
    assert (finding.line, finding.fix) == (9, None)
    assert finding.message.endswith("1 lone CR")
    (last,) = found(a_subject({"a.md": head(body="one\rtwo")}), "F013")
    assert last.line == 9


def test_control_characters_are_told_by_their_kind() -> None:
    findings = found(a_subject({"a.md": head(body="a\x1b[31mb\x1b[0m\nc\x00\n")}), "F014")
    assert [(finding.message, finding.line, finding.column) for finding in findings] == [
        ("the control character U+001B, 2 times", 9, 2),
        ("the control character U+0000", 10, 2),
    ]


def test_control_characters_beyond_ascii_are_found_in_a_file_of_the_hq_too() -> None:
    written = hq.write(a_memory("a", content="caf\u00e9 \u0085 here"))
    assert [finding.message for finding in found(a_subject({"a.md": written}), "F014")] == [
        "the control character U+0085"
    ]
    assert codes(a_subject({"a.md": hq.write(a_memory("a", content="caf\u00e9"))}), "F") == []


def test_a_byte_that_is_not_utf8_is_told_by_its_offset() -> None:
    data = head(body="x\n").encode() + b"caf\xe9 au lait\n"
    (finding,) = found(a_subject({"a.md": data}), "F015")
    assert (finding.severity, finding.line, finding.column) == (Severity.ERROR, 10, 4)
    assert finding.message == f"byte {data.index(0xE9)} (E9) is not UTF-8"


@pytest.mark.parametrize(
    ("body", "words", "line"),
    [("text", "no line feed", 9), ("text\n\n", "more than one", 9), ("a\nb", "no line feed", 10)],
)
def test_a_file_ends_with_one_line_feed(body: str, words: str, line: int) -> None:
    (finding,) = found(a_subject({"a.md": head(body=body)}), "F016")
    assert finding.message.startswith(words)
    assert (finding.line, finding.fix) == (line, Fix(FixKind.FINAL_NEWLINE, "a.md"))


def test_a_memory_without_content_is_told_at_its_end() -> None:
    (finding,) = found(a_subject({"a.md": head(body="\n")}), "F018")
    assert (finding.line, finding.message) == (8, "the memory has no content")


def test_a_user_memory_has_the_rules_of_bytes_alone() -> None:
    assert codes(user_memory("- (2026-01-31 10:30 UTC) a note\n"), "F") == []
    assert codes(user_memory(b"- caf\xe9\r\n- b\n"), "F") == ["F013", "F015"]


def test_a_user_memory_ends_with_a_line_feed_since_codewhale_appends() -> None:
    (finding,) = found(user_memory("- one\n- two"), "F016")
    assert (finding.line, finding.fix) == (2, Fix(FixKind.FINAL_NEWLINE, "memory.md"))
    assert finding.message == "no line feed at its end: CodeWhale glues the next note to the last line"
    native = UserFacts(True, (), "", True)
    for subject in (user_memory("- one\n\n"), user_memory(""), user_memory("- one", user=native)):
        assert codes(subject, "F") == []


def test_what_is_not_loaded_still_has_its_bytes_checked() -> None:
    assert codes(a_subject({"a.md": b"caf\xe9\n"}), "NF") == ["N001", "F015"]


def test_a_file_without_text_has_no_form() -> None:
    unread = an_item("a.md", None, record=NotLoaded("unreadable", "unreadable: permission denied"))
    assert codes(a_subject(items=[unread]), "F") == []


CONFLICT = "<<<<<<< HEAD\nThe region is Berlin.\n=======\nThe region is Toronto.\n>>>>>>> laptop\n"


@pytest.mark.parametrize(
    "data",
    [
        hq.write(a_memory("a", content=f"Regions.\n{CONFLICT}")),
        head(f"{CONFLICT.rstrip()}").encode(),
        hq.write(a_memory("a", content=CONFLICT)).replace(b"\n", b"\r\n"),
        CONFLICT.replace("=======", "||||||| base\nold\n=======").encode(),
    ],
)
def test_a_merge_conflict_is_told_wherever_it_stands(data: bytes) -> None:
    (finding,) = found(a_subject({"a.md": data}), "F019")
    first = data.split(b"\n").index(b"<<<<<<< HEAD\r" if b"\r" in data else b"<<<<<<< HEAD") + 1
    assert (finding.severity, finding.line, finding.column, finding.length) == (Severity.WARNING, first, 1, 7)
    assert (
        finding.message.startswith(f"a merge conflict that nobody resolved: lines {first}, {first + 2}") or b"|" in data
    )


def test_merge_conflicts_are_one_finding_of_a_file_of_a_user_memory_too() -> None:
    (finding,) = found(user_memory(f"{CONFLICT}- a note\n{CONFLICT}"), "F019")
    assert finding.message == "a merge conflict that nobody resolved: lines 1, 3 and 5 mark it; 1 more below"


@pytest.mark.parametrize(
    "text",
    [
        "<<<<<<< HEAD\nx\n",
        ">>>>>>> a\n=======\n<<<<<<< HEAD\n",
        "a <<<<<<< HEAD\n=======\n>>>>>>> a\n",
        "<<<<<<<< HEAD\n=======\n>>>>>>> a\n",
        "<<<<<<< HEAD\n======= =\n>>>>>>> a\n",
        "<<<<<<< HEAD\n>>>>>>> a\n=======\n",
        "Title\n=======\n",
    ],
)
def test_what_is_no_whole_conflict_is_none(text: str) -> None:
    assert found(a_subject({"a.md": hq.write(a_memory("a", content=text))}), "F019") == []


def test_no_message_has_half_a_word_of_a_long_value() -> None:
    long = "the token of the relay is Kx7mQ2pz9Lw4Rt8Yb3Nc6 and more"
    (finding,) = found(a_subject({"a.md": head(f"description: {long}\n  second")}), "F011")
    assert "'the token of the relay is…'" in finding.message
