from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.dialects import notes
from memctl.core.dialects.notes import Note, drop, lines_outside, note_at, read_notes, read_stamp, replace
from memctl.errors import InvalidInput, NotFound

BOM = "\ufeff".encode()
NOW = datetime(2026, 5, 3, 22, 14, 59, 999_999, UTC)


def brief(data: bytes) -> list[tuple[int, str | None, str]]:
    return [(note.line, note.stamp, note.text) for note in read_notes(data)]


# Files as programs, people and editors leave them, and anything else.
LINES = st.sampled_from(
    [
        b"- (2026-05-03 22:14 UTC) prefer pytest over unittest",
        b"- (2026-05-03 22:14 UTC)",
        b"- (2026-02-30 10:00 UTC) no such day",
        "- 4-space indentation — everywhere 😀".encode(),
        b"* star",
        b"+\tplus",
        b"  - nested",
        b"  goes on",
        b"goes on lazily",
        b"# Heading",
        b"---",
        b"-",
        b"- ",
        b"-no bullet",
        b"",
        b"   ",
        b"- \xff\xfe",
        b"a\rb",
        b"\xc2\xa0",
    ]
)
FILES = st.one_of(
    st.binary(max_size=200),
    st.builds(
        lambda bom, parts, last: bom + b"".join(line + end for line, end in parts) + last,
        st.sampled_from([b"", BOM]),
        st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r\n"])), max_size=12),
        st.just(b"") | LINES,
    ),
)


@given(FILES)
def test_notes_are_parts_of_the_file_in_its_order_that_begin_with_a_marker(data: bytes) -> None:
    found = read_notes(data)
    assert [note.number for note in found] == list(range(1, len(found) + 1))
    at = 0
    for note in found:
        assert at <= note.start < note.end <= len(data)
        assert data[note.start : note.start + 1] in (b"-", b"*", b"+")
        assert data[: note.start] in (b"", BOM) or data[: note.start].endswith(b"\n")
        assert data[: note.end].endswith(b"\n") or note.end == len(data)
        assert note.line == data[: note.start].count(b"\n") + 1
        at = note.end


@given(FILES)
def test_every_bullet_at_the_start_of_a_line_begins_a_note(data: bytes) -> None:
    found = {note.line for note in read_notes(data)}
    bullets = {
        number
        for number, line in enumerate(data.removeprefix(BOM).split(b"\n"), 1)
        if line[:1] in (b"-", b"*", b"+") and line[1:2] in (b" ", b"\t")
    }
    assert found == bullets


@given(FILES)
def test_a_note_read_alone_is_the_same_note(data: bytes) -> None:
    for note in read_notes(data):
        assert brief(data[note.start : note.end]) == [(1, note.stamp, note.text)]


@given(FILES, st.data())
def test_dropping_notes_touches_no_other_byte(data: bytes, draw: st.DataObject) -> None:
    found = read_notes(data)
    gone = draw.draw(st.lists(st.sampled_from(found), unique=True)) if found else []
    kept = [byte for at, byte in enumerate(data) if not any(note.start <= at < note.end for note in gone)]
    assert drop(data, gone) == bytes(kept)


@given(FILES, st.data())
def test_after_a_drop_the_other_notes_are_still_there(data: bytes, draw: st.DataObject) -> None:
    found = read_notes(data)
    if not found:
        return
    gone = draw.draw(st.sampled_from(found))
    left = [(note.stamp, data[note.start : note.end]) for note in found if note is not gone]
    after = drop(data, [gone])
    there = [(note.stamp, after[note.start : note.end]) for note in read_notes(after)]
    # What stood behind a blank line and now follows another note is taken in by that one, as Markdown does.
    assert len(there) == len(left)
    for (stamp, text), (old_stamp, old_text) in zip(there, left, strict=True):
        assert stamp == old_stamp
        assert text.startswith(old_text)


TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.lists(
        st.sampled_from(["plain", "  indented", "", "- bullet", "# heading", "(2026-05-03 22:14 UTC) x", "a\r", "-"]),
        max_size=4,
    ).map("\n".join),
)


@given(FILES, TEXTS, st.data())
def test_a_replaced_note_is_read_back_or_refused_and_no_other_byte_is_touched(
    data: bytes, text: str, draw: st.DataObject
) -> None:
    found = read_notes(data)
    if not found:
        return
    note = draw.draw(st.sampled_from(found))
    try:
        new = replace(data, note, text)
    except InvalidInput:
        return
    wanted = text.replace("\r\n", "\n").rstrip("\n")
    after = read_notes(new)
    assert brief(new)[note.number - 1] == (note.line, note.stamp, wanted)
    assert new[: note.start + 2] == data[: note.start + 2]
    assert new[after[note.number - 1].end :] == data[note.end :]
    for old, there in zip(found, after, strict=True):
        if old.number != note.number:
            assert new[there.start : there.end] == data[old.start : old.end]


@given(FILES, st.from_regex(r"[a-z][a-z ]{0,20}[a-z]", fullmatch=True))
def test_a_plain_line_replaces_any_note_that_ends_as_lines_do(data: bytes, text: str) -> None:
    for note in read_notes(data):
        new = replace(data, note, text)
        assert note_at(read_notes(new), note.number)[2:4] == (note.stamp, text)


@given(FILES)
def test_lines_outside_are_those_that_say_something_and_belong_to_no_note(data: bytes) -> None:
    found = read_notes(data)
    inside = sum(note.text.count("\n") + 1 for note in found)
    assert 0 <= lines_outside(data, found) <= data.count(b"\n") + 1 - inside or not data


# The stamps


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-05-03 22:14 UTC", datetime(2026, 5, 3, 22, 14, tzinfo=UTC)),
        ("2024-02-29 00:00 UTC", datetime(2024, 2, 29, tzinfo=UTC)),
        ("2000-02-29 23:59 UTC", datetime(2000, 2, 29, 23, 59, tzinfo=UTC)),
        ("0001-01-01 00:00 UTC", datetime(1, 1, 1, tzinfo=UTC)),
        ("9999-12-31 23:59 UTC", datetime(9999, 12, 31, 23, 59, tzinfo=UTC)),
        ("2026-02-29 10:00 UTC", None),
        ("1900-02-29 10:00 UTC", None),
        ("0000-01-01 00:00 UTC", None),
        ("2026-05-03 24:00 UTC", None),
        ("2026-05-03 23:60 UTC", None),
        ("2026-05-03 22:14", None),
        ("2026-05-03 22:14 utc", None),
        ("2026-05-03T22:14 UTC", None),
        ("2026-05-03 22.14 UTC", None),
        ("2026-05-03 22:14 CET", None),
        ("2026-05-03 22:14 UTC ", None),
        ("2026-05-03 2:014 UTC", None),
        ("2026-05-03 +2:14 UTC", None),
        ("2026-05-03 ٢٢:14 UTC", None),
        ("2026-05-03 2²:14 UTC", None),
        ("2026-05-3 22:14 UTC", None),
        ("", None),
    ],
)
def test_a_stamp_is_a_real_moment_in_the_form_of_the_program(text: str, moment: datetime | None) -> None:
    assert read_stamp(text) == moment


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_bullet_is_read_back_with_its_stamp(now: datetime) -> None:
    [note] = read_notes(notes.bullet("# use tabs", now))
    assert note.stamp is not None
    assert read_stamp(note.stamp) == now.replace(second=0, microsecond=0)
    assert note.text == "use tabs"


def test_a_bullet_has_the_moment_in_utc_and_drops_the_seconds(elsewhere: None) -> None:
    assert notes.bullet("x", NOW) == b"- (2026-05-03 22:14 UTC) x\n"
    there = NOW.astimezone(timezone(timedelta(hours=5, minutes=30)))
    assert notes.bullet("x", there) == b"- (2026-05-03 22:14 UTC) x\n"


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ("## X ray", "X ray"),
        ("#XX", "XX"),
        ("  # kept", "# kept"),
        ("tabs # here", "tabs # here"),
        ("caf\udce9", "caf\udce9"),
    ],
)
def test_an_entry_loses_the_number_signs_that_it_begins_with_and_no_byte_more(entry: str, line: str) -> None:
    assert notes.bullet(entry, NOW) == f"- (2026-05-03 22:14 UTC) {line}\n".encode(errors="surrogateescape")


@pytest.mark.parametrize(
    ("line", "taken"), [(" \u3000# a", True), ("\x1c# a", False), ("# \x1c", True), ("# \x85", False)]
)
def test_blanks_around_a_quick_note_are_those_of_the_program(line: str, taken: bool) -> None:
    assert notes.is_quick_add(line) is taken


def test_a_file_is_shown_without_the_blanks_at_its_end() -> None:
    assert notes.program_show("/m", "- a\x1c \u3000\n\n".encode()) == "/m\n\n- a\x1c"


@pytest.mark.parametrize("entry", ["", "#", "###", " \t", "# \u3000", "#\x85"])
def test_an_entry_of_which_nothing_is_left_is_refused_with_the_sentence_of_the_program(entry: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        notes.bullet(entry, NOW)
    assert caught.value.message == "memory entry is empty after stripping `#` prefix"


# The forms that hands give


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("- (2026-05-03 22:14 UTC) a\n", [(1, "2026-05-03 22:14 UTC", "a")]),
        ("- (2026-05-03 22:14 UTC)\n", [(1, None, "(2026-05-03 22:14 UTC)")]),
        ("- (2026-05-03 22:14 UTC) \n", [(1, "2026-05-03 22:14 UTC", "")]),
        ("- (2026-05-03 22:14 UTC)x\n", [(1, None, "(2026-05-03 22:14 UTC)x")]),
        ("- 2026-05-03 22:14 UTC) x\n", [(1, None, "2026-05-03 22:14 UTC) x")]),
        ("- [2026-05-03 22:14 UTC) a\n", [(1, None, "[2026-05-03 22:14 UTC) a")]),
        ("- (2026-02-30 22:14 UTC) a\n", [(1, None, "(2026-02-30 22:14 UTC) a")]),
        ("-  (2026-05-03 22:14 UTC) a\n", [(1, None, " (2026-05-03 22:14 UTC) a")]),
        ("- (yesterday) a\n", [(1, None, "(yesterday) a")]),
        ("* star\n+ plus\n-\ttab\n", [(1, None, "star"), (2, None, "plus"), (3, None, "tab")]),
        ("- a\n  goes on\nlazily\n- b\n", [(1, None, "a\n  goes on\nlazily"), (4, None, "b")]),
        ("- a\n\n  its second paragraph\n\nprose\n", [(1, None, "a\n\n  its second paragraph")]),
        ("- a\n\n\tits second paragraph\n", [(1, None, "a\n\n\tits second paragraph")]),
        ("- a\n\nprose\n- b\n", [(1, None, "a"), (4, None, "b")]),
        ("- a\n# Heading\n- b\n", [(1, None, "a"), (3, None, "b")]),
        ("- a\n-\n- b\n", [(1, None, "a"), (3, None, "b")]),
        ("- a\n  - nested\n", [(1, None, "a\n  - nested")]),
        ("- a\n\n\n", [(1, None, "a")]),
        ("# Only prose\n\nand more\n", []),
        ("-x\n--\n---\n", []),
        ("\ufeff- a\n\ufeff- b\n", [(1, None, "a\n\ufeff- b")]),
        ("prose\n\ufeff- b\n", []),
        ("- a\r\n  b\r\n", [(1, None, "a\n  b")]),
        ("- a\rb\x0bc\u2028d\x85e\n", [(1, None, "a\rb\x0bc\u2028d\x85e")]),
        ("- no end", [(1, None, "no end")]),
        ("", []),
        ("\n", []),
    ],
)
def test_notes_are_read_in_any_form_that_a_hand_gives_them(file: str, found: list[tuple[int, str | None, str]]) -> None:
    assert brief(file.encode()) == found


def test_bytes_that_are_not_utf8_are_shown_as_such_and_stay_as_they_are() -> None:
    data = b"- a\xff\n- b\n"
    first, second = read_notes(data)
    assert first.text == "a\ufffd"
    assert drop(data, [second]) == b"- a\xff\n"
    assert replace(data, second, "c") == b"- a\xff\n- c\n"


@pytest.mark.parametrize(
    ("file", "outside"),
    [("# Head\n\n- a\n  b\n\nprose\n", 2), ("\ufeff- a\n", 0), ("\ufeff", 0), ("\ufeff \n- a\n", 0)],
)
def test_prose_and_headings_are_counted_as_lines_outside(file: str, outside: int) -> None:
    data = file.encode()
    assert lines_outside(data, read_notes(data)) == outside


# One note replaced


@pytest.mark.parametrize(
    ("file", "number", "text", "new"),
    [
        ("- (2026-05-03 22:14 UTC) a\n- b\n", 1, "c", "- (2026-05-03 22:14 UTC) c\n- b\n"),
        ("\ufeff* a\r\n  x\r\n- b\r\n", 1, "c\n  d\n", "\ufeff* c\r\n  d\r\n- b\r\n"),
        ("- a\n- b", 2, "c\r\n  d\r\n", "- a\n- c\n  d"),
        ("- a\n\n  b\n\n# Head\n", 1, "c", "- c\n\n# Head\n"),
        ("-\ta\n", 1, "  spaced  ", "-\t  spaced  \n"),
        ("- a\n  b\r\n", 1, "c\n  d", "- c\n  d\r\n"),
        ("- a\n", 1, "MAX\n", "- MAX\n"),
    ],
)
def test_a_replaced_note_keeps_marker_stamp_and_line_ends(file: str, number: int, text: str, new: str) -> None:
    data = file.encode()
    assert replace(data, note_at(read_notes(data), number), text) == new.encode()


@pytest.mark.parametrize(
    "text", ["a\n- b", "a\n# b", "a\n\nb", "a\n-", "(2026-05-03 22:14 UTC) a", "a\r", "a\n  ", "a\n* b", "caf\udce9"]
)
def test_a_text_that_would_not_stay_one_note_is_refused(text: str) -> None:
    [note] = read_notes(b"- x\n")
    with pytest.raises(InvalidInput) as caught:
        replace(b"- x\n", note, text)
    assert caught.value.message == "the new text would not stay one note"
    assert caught.value.hint == "indent the lines after the first, and begin none with a bullet or a heading"


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n", "\u3000"])
def test_an_empty_text_is_refused_and_names_the_command_that_removes(text: str) -> None:
    data = b"- x\n- y\n"
    with pytest.raises(InvalidInput) as caught:
        replace(data, read_notes(data)[1], text)
    assert caught.value.message == "the text of a note must not be empty"
    assert caught.value.hint == "memctl delete @user/2"


@pytest.mark.parametrize(
    ("file", "number", "many"),
    [
        (b"", 1, "it has 0 notes"),
        (b"- a\n", 2, "it has 1 note"),
        (b"- a\n- b\n", 3, "it has 2 notes"),
        (b"- a\n", 0, "it has 1 note"),
    ],
)
def test_a_number_that_no_note_has_is_not_found(file: bytes, number: int, many: str) -> None:
    with pytest.raises(NotFound) as caught:
        note_at(read_notes(file), number)
    assert caught.value.message == f"no note {number} in the user memory; {many}"
    assert caught.value.hint == "memctl list @user numbers them"


def test_a_note_is_found_by_its_number() -> None:
    assert note_at(read_notes(b"- a\n- b\n"), 2) == Note(2, 2, None, "b", 4, 8)
