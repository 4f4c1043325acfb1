from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.buffer import Changes, read_buffer, write_buffer
from memctl.core.dialects import hq
from memctl.core.memory import Memory, MemoryType, Source
from memctl.core.revising import revise
from memctl.errors import ExitCode, InvalidInput, SeveralErrors
from tests.core.making import CONTENTS, DESCRIPTIONS, MEMORIES, memory

TODAY = "2026-09-15"
FILE = hq.write(memory())
HINTS = {
    "the HQ does not load": "mend the file by hand",
    "the HQ would not read the description": (
        "do not put the whole description in brackets, and do not write | or > alone"
    ),
    "the HQ would not read this memory": "shorten it or say it otherwise",
    "'build-checks.md' holds bytes": "give the part that holds them anew, with --content or --description",
    # The sentences of the HQ say it themselves.
    "Memory ": None,
    "the content holds half": None,
}


def refused(changes: Changes, data: bytes = FILE) -> str:
    with pytest.raises(InvalidInput) as raised:
        revise(data, "build-checks", changes, TODAY)
    assert [raised.value.hint] == [HINTS[start] for start in HINTS if raised.value.message.startswith(start)]
    return raised.value.message


@pytest.mark.parametrize(
    "changes",
    [
        Changes(),
        Changes("How the build is checked", "project", "Run the checks before a push."),
        Changes(description="  How the build is checked\n", content="\nRun the checks before a push.\r\n"),
    ],
)
def test_an_edit_that_changes_nothing_gives_the_same_bytes(changes: Changes) -> None:
    data = FILE.replace(b"\n", b"\r\n") + b"\n\n"
    assert revise(data, "build-checks", changes, TODAY) == (memory(), data)


def test_touch_makes_it_the_persons_of_today() -> None:
    touched = memory(source=Source.USER, updated=TODAY)
    assert revise(FILE, "build-checks", Changes(), TODAY, touch=True) == (touched, hq.write(touched))


@given(MEMORIES, st.none() | DESCRIPTIONS, st.none() | st.sampled_from(MemoryType), st.none() | CONTENTS)
def test_an_edit_changes_what_is_given_and_no_other_field(
    old: Memory, description: str | None, kind: MemoryType | None, content: str | None
) -> None:
    changes = Changes(description, kind, content)
    new, data = revise(hq.write(old), old.name, changes, TODAY, touch=True)
    assert new == Memory(
        old.name,
        old.description if description is None else description,
        old.type if kind is None else kind,
        Source.USER,
        old.created,
        TODAY,
        old.content if content is None else content,
    )
    assert hq.read(data, "other") == new


EXTRA = st.lists(
    st.sampled_from(["owner: Ann", "tags:\n  - a\n  - b", "# by hand", "notes: |\n  one\n\n    two", "Type: x", "odd"]),
    max_size=4,
)


@given(MEMORIES, EXTRA, EXTRA, DESCRIPTIONS)
def test_lines_of_unknown_keys_survive_an_edit_in_their_order(
    old: Memory, before: list[str], after: list[str], description: str
) -> None:
    text = hq.serialize(old, after).replace("---\n", "\n".join(["---", *before, ""]), 1)
    _, data = revise(text.encode(), old.name, Changes(description=description), TODAY)
    kept = "\n".join([*before, *after]).split("\n") if before or after else []
    assert hq.extra_lines(data.decode()) == (hq.extra_lines(text) if description == old.description else kept)


def test_lines_of_unknown_keys_stand_after_the_known_ones() -> None:
    data = b"---\nowner: Ann\ntype: user\ntags:\n  - a\n\nname: x\n---\nText"
    new, written = revise(data, "file", Changes(description="How"), TODAY)
    assert new == Memory("x", "How", MemoryType.USER, Source.USER, TODAY, TODAY, "Text")
    assert written.decode() == (
        f"---\nname: x\ndescription: How\ntype: user\nsource: user\ncreated: {TODAY}\nupdated: {TODAY}\n"
        "owner: Ann\ntags:\n  - a\n---\nText\n"
    )


def test_a_file_without_a_name_gets_the_name_of_its_file() -> None:
    new, _ = revise(b"---\ntype: user\n---\nText", "file", Changes(description="How"), TODAY)
    assert new.name == "file"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"---\ntype: note\n---\nText", "the type 'note' is not one of user, feedback, project, reference"),
        (b"---\nname: a\n---\nText", "no type"),
        (b"Text", 'no front matter: the first line is not "---"'),
    ],
)
def test_a_file_that_is_not_loaded_is_not_edited(data: bytes, message: str) -> None:
    assert refused(Changes(description="How"), data) == f"the HQ does not load 'build-checks.md': {message}"


def test_a_problem_has_the_sentence_of_the_hq() -> None:
    assert refused(Changes(description="two\nlines")) == "Memory description must be a single line of 1–200 chars"


def test_an_edit_by_a_person_has_the_limit_of_a_person_also_for_an_import() -> None:
    imported = hq.write(memory(source=Source.IMPORT, content="x" * 2049))
    assert refused(Changes(description="How"), imported) == "Memory content must be 1–2048 chars"


def test_several_problems_are_told_together() -> None:
    with pytest.raises(SeveralErrors) as raised:
        revise(FILE, "build-checks", Changes(description="", type="note"), TODAY)
    assert raised.value.exit_code == ExitCode.INVALID
    assert [error.message for error in raised.value.errors] == [
        "Memory description must be a single line of 1–200 chars",
        "Memory type must be one of user, feedback, project, reference",
    ]


def test_crlf_in_a_given_content_becomes_lf() -> None:
    new, _ = revise(FILE, "build-checks", Changes(content="one\r\ntwo\rthree"), TODAY)
    assert new.content == "one\ntwo\rthree"


@pytest.mark.parametrize("description", ["[todo]", "|", ">", "|-2", ">-"])
def test_a_description_that_the_hq_would_not_read_back_is_refused(description: str) -> None:
    message = refused(Changes(description=description))
    assert message == f"the HQ would not read the description '{description}' back: to it that is no text"


@pytest.mark.parametrize("content", ["half \ud83d", "\udc00 half", "\ud83d\ude00"])
def test_half_of_a_pair_is_refused(content: str) -> None:
    assert refused(Changes(content=content)) == "the content holds half of a surrogate pair, which cannot be written"


@pytest.mark.parametrize(
    "data",
    [
        b"---\n---\ntype: user\n---\nText",  # a line of dashes that would close the head too early
        b"---\ntype: user\n---\none\r\r\ntwo",  # a CRLF in what was read
        b"---\ntype: user\ncreated: |\n  one\n  two\n---\nText",
        b"---\ntype: user\nowner: Ann\r\r\n---\nText",
    ],
)
def test_a_file_that_cannot_be_written_back_is_refused(data: bytes) -> None:
    assert refused(Changes(description="How"), data) == "the HQ would not read this memory back as it is written"


BAD = b"---\ntype: user\ndescription: caf\xe9\n---\nText"


def test_bad_bytes_are_not_lost_by_an_edit_of_another_field() -> None:
    lost = "'build-checks.md' holds bytes that are not UTF-8, and an edit would lose them"
    assert refused(Changes(type="project"), BAD) == lost
    assert refused(Changes(description="caf\ufffd", type="project"), BAD) == lost
    assert refused(Changes(description="x"), BAD.replace(b"Text", b"T\xff")) == lost
    assert refused(Changes(description="x"), BAD.replace(b"\n---\nT", b"\nowner: \xff\n---\nT")) == lost


def test_bad_bytes_go_where_the_part_that_holds_them_is_given_anew() -> None:
    new, data = revise(BAD, "a", Changes(description="café"), TODAY)
    assert new.description == "café"
    assert "description: café\n" in data.decode()


def test_a_replacement_character_that_was_there_is_text() -> None:
    data = hq.write(memory(content="a \ufffd b"))
    assert revise(data, "x", Changes(description="New"), TODAY)[0].content == "a \ufffd b"


def test_bad_bytes_stay_when_the_text_in_the_editor_is_saved_as_it_was() -> None:
    shown = hq.read(BAD, "a")
    assert isinstance(shown, Memory)
    assert revise(BAD, "a", read_buffer(write_buffer(shown, "")), TODAY) == (shown, BAD)


@given(st.binary(max_size=20), st.none() | st.text(max_size=9), st.none() | st.text(max_size=9))
def test_an_edit_is_read_back_or_refused(junk: bytes, description: str | None, content: str | None) -> None:
    data = FILE.replace(b"updated:", junk + b"\nupdated:").replace(b"Run", b"Run " + junk)
    try:
        new, written = revise(data, "build-checks", Changes(description=description, content=content), TODAY)
    except (InvalidInput, SeveralErrors):
        return
    assert hq.read(written, "build-checks") == new
