"""`memctl demo`: a small data folder that memctl can be tried on."""

from __future__ import annotations

import json
import os
import shlex
from pathlib import Path

import pytest

from memctl.core.demo import demo_files
from tests.cli.running import tree
from tests.conftest import Cli
from tests.stores import fill

COMMANDS = ("list", "show billing-bot/api-migration", "reindex --check --all", "prune -n --all --older-than 1y")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "try it"


def test_it_writes_its_files_and_prints_commands(cli: Cli, place: Path) -> None:
    assert cli("demo", place) == (
        0,
        "".join(f"memctl --root '{place}' {command}\n" for command in COMMANDS),
        f"wrote 27 files to '{place}'; try these:\n",
    )
    assert {name: data for name, (data, _) in tree(place).items()} == demo_files()


def test_the_commands_work(cli: Cli, place: Path) -> None:
    lines = cli("demo", place).out.splitlines()
    assert [cli(*shlex.split(line)[1:]).code for line in lines] == [0, 0, 1, 0]


def test_an_empty_directory_is_taken(cli: Cli, place: Path) -> None:
    place.mkdir()
    assert cli("demo", place).code == 0


def test_a_relative_directory_is_taken(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("demo", "x").out.splitlines()[0] == "memctl --root x list"
    assert (tmp_path / "x/agents.json").exists()


def test_a_directory_with_files_is_left_alone(cli: Cli, place: Path) -> None:
    cli("demo", place)
    before = tree(place)
    assert cli("demo", place) == (
        2,
        "",
        f"memctl: error: '{place}' is there and is not empty\nmemctl: hint: name a directory that is not there yet\n",
    )
    assert tree(place) == before


def test_a_file_that_appears_while_it_is_written_stays(cli: Cli, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As if somebody had been quicker: the directory was empty when it was looked at.
    fill(place, {"memory.md": b"theirs", "agents.json": b"theirs"})
    whole = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path=".": [] if path == str(place) else whole(path))
    done = cli("demo", place)
    assert (done.code, "appeared while memctl worked" in done.err) == (75, True)
    assert {(place / name).read_bytes() for name in ("memory.md", "agents.json")} == {b"theirs"}


def test_a_dry_run_prints_the_same_lines_and_writes_nothing(cli: Cli, place: Path) -> None:
    dry = cli("demo", "-n", place)
    assert (dry.code, dry.err) == (0, "dry run: nothing was written; 27 files would be\n")
    assert not place.exists()
    assert cli("demo", place).out == dry.out


def test_quiet_prints_not_a_byte(cli: Cli, place: Path) -> None:
    assert cli("demo", "-q", place) == (0, "", "")


def test_the_clock_that_is_set_is_said(cli: Cli, place: Path, now: str) -> None:
    assert cli("demo", place).err.splitlines()[0] == "MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z"


def test_json_has_the_path_the_files_and_the_commands(cli: Cli, place: Path) -> None:
    data = json.loads(cli("demo", "-jn", place).out)["data"]
    assert list(data) == ["path", "files", "try", "dry_run"]
    assert (data["path"], len(data["files"]), len(data["try"]), data["dry_run"]) == (str(place), 27, 4, True)


def test_no_directory_is_wrong_usage(cli: Cli) -> None:
    assert cli("demo") == (2, "", "memctl: error: missing argument 'DIR'\nmemctl: hint: memctl demo --help\n")
