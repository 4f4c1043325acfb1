"""`memctl remember`: notes appended to the user memory as CodeWhale appends them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.running import shell, tree
from tests.conftest import UNDO, Cli
from tests.stores import fill

CLOCK = "MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z\n"
OFF = "CodeWhale does not load this file now: memory is off (default)\n"
STAMP = b"- (2026-11-30 12:00 UTC) "
LITERAL = "memctl: hint: --literal writes it all the same\n"


@pytest.fixture
def path(home: Path) -> Path:
    """Give the place of the user memory, where nothing is yet."""
    return home / ".deepseek/memory.md"


def test_a_note_becomes_a_bullet_with_the_time(cli: Cli, path: Path, now: str) -> None:
    assert cli("remember", "use tabs") == (0, "remembered: use tabs\n", f"{CLOCK}wrote 1 note to '{path}'\n{OFF}{UNDO}")
    assert path.read_bytes() == STAMP + b"use tabs\n"


def test_each_word_is_a_note_of_its_own(cli: Cli, path: Path, now: str) -> None:
    done = cli("remember", "one", "größer")
    assert (done.out, done.err) == (
        "remembered: one\nremembered: größer\n",
        f"{CLOCK}wrote 2 notes to '{path}'\n{OFF}{UNDO}",
    )
    assert path.read_bytes() == STAMP + b"one\n" + STAMP + "größer\n".encode()


@pytest.mark.parametrize(
    ("entry", "note"),
    [
        ("# x", "x"),
        ("#1234", "1234"),
        ("# # a", "# a"),
        ("  # x", "# x"),
        ("  x  ", "x"),
        ("#include <x>", "include <x>"),
    ],
)
def test_a_leading_hash_is_taken_off_as_the_program_takes_it(
    cli: Cli, path: Path, now: str, entry: str, note: str
) -> None:
    assert cli("remember", entry).out == f"remembered: {note}\n"
    assert path.read_bytes() == STAMP + note.encode() + b"\n"


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("## x", "the note begins with ##: CodeWhale takes that for a heading, not for a note"),
        ("  ##x", "the note begins with ##: CodeWhale takes that for a heading, not for a note"),
        ("#!/bin/sh", "the note begins with #!: CodeWhale takes that for a script, not for a note"),
        ("a\nb", "the note has several lines, which CodeWhale's composer does not take"),
        ("a\n", "the note has several lines, which CodeWhale's composer does not take"),
    ],
)
def test_what_the_composer_does_not_take_is_refused_with_the_reason(
    cli: Cli, path: Path, entry: str, reason: str
) -> None:
    assert cli("remember", entry) == (65, "", f"memctl: error: {reason}\n{LITERAL}")
    assert not path.parent.exists()


@pytest.mark.parametrize(("entry", "note"), [("## x", "x"), ("#!/bin/sh", "!/bin/sh"), ("a\nb", "a\nb")])
def test_literal_writes_it_as_the_tool_of_the_model_does(cli: Cli, path: Path, now: str, entry: str, note: str) -> None:
    assert cli("remember", "--literal", entry).code == 0
    assert path.read_bytes() == STAMP + note.encode() + b"\n"


@pytest.mark.parametrize("entry", ["", " ", "#", "###", "# \t"])
@pytest.mark.parametrize("options", [[], ["--literal"]])
def test_nothing_is_no_note(cli: Cli, path: Path, entry: str, options: list[str]) -> None:
    assert cli("remember", *options, entry) == (
        65,
        "",
        "memctl: error: memory entry is empty after stripping `#` prefix\n",
    )
    assert not path.parent.exists()


def test_all_that_is_wrong_is_said_and_then_none_is_written(cli: Cli, path: Path) -> None:
    done = cli("remember", "good", "## x", "")
    assert (done.code, done.out, done.err.count("memctl: error: ")) == (65, "", 2)
    assert not path.exists()


def test_a_note_comes_from_stdin(cli: Cli, path: Path, now: str) -> None:
    assert cli("remember", "-", "last", stdin=b"from a pipe\n").out == "remembered: from a pipe\nremembered: last\n"
    assert path.read_bytes() == STAMP + b"from a pipe\n" + STAMP + b"last\n"


def test_several_lines_of_stdin_are_one_note_with_literal_alone(cli: Cli, path: Path, now: str) -> None:
    assert cli("remember", "-", stdin=b"a\n  b\n").code == 65
    assert cli("remember", "--literal", "-", stdin=b"a\n  b\n").code == 0
    assert path.read_bytes() == STAMP + b"a\n  b\n"


def test_stdin_that_is_no_utf_8_is_refused(cli: Cli, path: Path) -> None:
    assert cli("remember", "-", stdin=b"ab\xff") == (65, "", "memctl: error: standard input is not UTF-8: byte 2\n")
    assert not path.exists()


def test_a_word_that_is_no_utf_8_is_refused(cli: Cli, path: Path) -> None:
    assert cli("remember", "caf\udce9") == (
        65,
        "",
        "memctl: error: the note is not UTF-8, and one such byte keeps CodeWhale from loading the file\n",
    )
    assert not path.exists()


def test_a_word_that_begins_with_a_dash_stands_behind_two(cli: Cli, path: Path, now: str) -> None:
    assert cli("remember", "--", "--dry-run is safe").code == 0
    assert path.read_bytes() == STAMP + b"--dry-run is safe\n"


@pytest.mark.parametrize(
    ("before", "between"),
    [
        (b"", b""),
        (b"- old\n", b""),
        (b"- old", b"\n"),
        (b"- old\r\n", b""),
        (b"\xef\xbb\xbf- old", b"\n"),
        (b"\xff", b"\n"),
    ],
    ids=["empty", "ended", "not ended", "crlf", "bom", "not utf-8"],
)
def test_what_is_there_keeps_every_byte_and_no_note_is_glued_to_it(
    cli: Cli, path: Path, now: str, before: bytes, between: bytes
) -> None:
    fill(path.parent, {path.name: before})
    assert cli("remember", "new").code == 0
    assert path.read_bytes() == before + between + STAMP + b"new\n"


def test_a_file_of_200_mb_gets_its_note(cli: Cli, path: Path, now: str) -> None:
    fill(path.parent, {path.name: b""})
    os.truncate(path, 200 * 1024 * 1024)
    assert cli("remember", "new").code == 0
    assert path.stat().st_size == 200 * 1024 * 1024 + len("\n") + len(STAMP) + len("new\n")
    with path.open("rb") as file:
        file.seek(200 * 1024 * 1024)
        assert file.read() == b"\n" + STAMP + b"new\n"


def test_a_dry_run_prints_the_same_and_makes_not_even_a_directory(cli: Cli, home: Path, path: Path) -> None:
    dry = cli("remember", "-n", "one", "# two")
    assert dry == (
        0,
        "remembered: one\nremembered: two\n",
        f"dry run: nothing was written; 2 notes would be\n{OFF}",
    )
    assert list(home.iterdir()) == []
    assert cli("remember", "one", "# two").out == dry.out


def test_quiet_prints_not_a_byte(cli: Cli, path: Path, now: str) -> None:
    assert cli("remember", "-q", "x") == (0, "", "")
    assert path.read_bytes() == STAMP + b"x\n"


def test_while_memory_is_on_nothing_is_said_of_it(cli: Cli, path: Path) -> None:
    fill(path.parent, {"config.toml": b"[memory]\nenabled = true\n"})
    assert cli("remember", "x").err == f"wrote 1 note to '{path}'\n{UNDO}"


@pytest.mark.parametrize("dry", [True, False])
def test_json_of_what_was_remembered(cli: Cli, path: Path, dry: bool) -> None:
    done = cli("remember", "-j", *(["-n"] if dry else []), "# x", "y")
    assert json.loads(done.out)["data"] == {
        "address": "@user",
        "path": str(path),
        "notes": ["x", "y"],
        "dry_run": dry,
        "change": None if dry else 1,
    }
    assert path.exists() is not dry


def test_json_of_refusals_has_each_of_them(cli: Cli, path: Path) -> None:
    value = json.loads(cli("remember", "-j", "## x", "").out)
    assert value["data"] is None
    assert value["errors"] == [
        {
            "code": "invalid",
            "message": "the note begins with ##: CodeWhale takes that for a heading, not for a note",
            "path": None,
            "hint": "--literal writes it all the same",
        },
        {
            "code": "invalid",
            "message": "memory entry is empty after stripping `#` prefix",
            "path": None,
            "hint": None,
        },
    ]


def test_json_of_a_failure_to_write_has_no_notes_and_the_error(cli: Cli, path: Path) -> None:
    path.mkdir(parents=True)
    done = cli("remember", "-j", "x")
    value = json.loads(done.out)
    assert (done.code, value["data"]["notes"], [error["code"] for error in value["errors"]]) == (65, [], ["invalid"])


def test_a_failure_says_nothing_of_what_was_written(cli: Cli, path: Path, now: str) -> None:
    path.mkdir(parents=True)
    assert cli("remember", "x") == (65, "", f"{CLOCK}memctl: error: '{path}' is a directory, not a file\n")


def test_no_note_is_wrong_usage(cli: Cli) -> None:
    assert cli("remember") == (
        2,
        "",
        "memctl: error: missing argument 'NOTE...'\nmemctl: hint: memctl remember --help\n",
    )


def test_a_wrong_clock_is_wrong_configuration_and_writes_nothing(
    cli: Cli, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "today")
    assert cli("remember", "x") == (
        78,
        "",
        "memctl: error: MEMCTL_NOW is 'today', which is no ISO 8601 time\nmemctl: hint: such as 2026-11-30T12:00:00Z\n",
    )
    assert not path.exists()


def test_the_stamp_is_utc_whatever_the_clocks_zone(cli: Cli, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-12-01T01:30:59+02:00")
    cli("remember", "x")
    assert path.read_bytes() == b"- (2026-11-30 23:30 UTC) x\n"


def test_another_file_can_be_named(cli: Cli, home: Path, tmp_path: Path, now: str) -> None:
    other = tmp_path / "new/notes.md"
    assert cli("remember", "--user-memory", other, "x").err == f"{CLOCK}wrote 1 note to '{other}'\n{OFF}{UNDO}"
    assert other.read_bytes() == STAMP + b"x\n"
    assert list(home.iterdir()) == [home / ".local"]  # the history


def test_runs_at_the_same_time_lose_and_splice_nothing(path: Path, now: str) -> None:
    assert shell("for at in $(seq 12); do $M remember -q note$at & done; wait").err == ""
    lines = path.read_bytes().splitlines(keepends=True)
    assert sorted(lines) == sorted(STAMP + f"note{at}\n".encode() for at in range(1, 13))


def test_a_dry_run_of_a_refusal_is_refused_alike(cli: Cli, home: Path) -> None:
    assert cli("remember", "-n", "## x") == cli("remember", "## x")
    assert tree(home) == {}
