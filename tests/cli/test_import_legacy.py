"""`memctl import-legacy`: the old notes of a workspace, one time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import tree
from tests.conftest import UNDO, Cli
from tests.stores import fill, memory, register

NOTES = b"# Notes\n\n- one\n"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a data folder with one agent, whose workspace has old notes."""
    fill(tmp_path / "work", {"MEMORY.md": NOTES})
    register(tmp_path / "data", {"id": "aaaa1111", "name": "bot", "workspace": str(tmp_path / "work")})
    monkeypatch.setenv("MEMCTL_ROOT", str(tmp_path / "data"))
    return tmp_path / "data"


def test_the_notes_of_the_workspace_become_a_memory(cli: Cli, data: Path, now: str) -> None:
    assert cli("import-legacy", "bot") == (
        0,
        "aaaa1111\timported\t\n",
        f"MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z\nimported the old notes of 1 agent\n{UNDO}",
    )
    assert sorted(path.name for path in (data / "memory/aaaa1111").iterdir()) == [
        ".legacy-imported",
        "MEMORY.md",
        "legacy-memory-md.md",
    ]


def test_the_original_stays(cli: Cli, data: Path) -> None:
    cli("import-legacy", "bot")
    assert (data.parent / "work/MEMORY.md").read_bytes() == NOTES


def test_a_second_time_says_no_and_why(cli: Cli, data: Path) -> None:
    cli("import-legacy", "bot")
    marker = data / "memory/aaaa1111/.legacy-imported"
    assert cli("import-legacy", "bot") == (
        1,
        f"aaaa1111\tnot imported\tthe old notes were imported before ('{marker}' says so); --force imports again\n",
        "nothing was imported\n",
    )


def test_a_dry_run_prints_the_same_line_and_changes_nothing(cli: Cli, data: Path) -> None:
    assert cli("import-legacy", "-n", "bot") == (
        0,
        "aaaa1111\timported\t\n",
        "dry run: nothing was imported; the old notes of 1 agent would be\n",
    )
    assert not (data / "memory").exists()


def test_quiet_prints_not_a_byte(cli: Cli, data: Path) -> None:
    assert cli("import-legacy", "-q", "bot") == (0, "", "")


def test_what_is_too_long_is_cut_and_said(cli: Cli, data: Path) -> None:
    (data.parent / "work/MEMORY.md").write_text("x" * 9000)
    assert cli("import-legacy", "bot").out == "aaaa1111\timported\tcut to 8,192 characters\n"


@pytest.mark.parametrize("option", ["--file", "--workspace"])
def test_the_notes_can_be_elsewhere(
    cli: Cli, data: Path, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "else", {"MEMORY.md": b"elsewhere\n"})
    monkeypatch.chdir(tmp_path)
    word = "else" if option == "--workspace" else "else/MEMORY.md"
    assert cli("import-legacy", "bot", option, word).code == 0
    assert b"\nelsewhere\n" in (data / "memory/aaaa1111/legacy-memory-md.md").read_bytes()


def test_file_and_workspace_do_not_go_together(cli: Cli, data: Path) -> None:
    assert cli("import-legacy", "bot", "--file", "x", "--workspace", "y") == (
        2,
        "",
        "memctl: error: give --workspace or --file, not both\n",
    )


@pytest.mark.parametrize("words", [["--all"], ["bot", "aaaa1111"]])
def test_a_file_is_for_one_agent(cli: Cli, data: Path, words: list[str]) -> None:
    assert cli("import-legacy", *words, "--file", "x") == (
        2,
        "",
        "memctl: error: --workspace and --file are for one agent\n",
    )


def test_an_agent_that_has_memories_gets_none(cli: Cli, data: Path) -> None:
    fill(data / "memory/aaaa1111", {"x.md": memory("x")})
    assert cli("import-legacy", "bot").out == (
        "aaaa1111\tnot imported\tthe agent has 1 memory, and old notes are imported only where there are none\n"
    )


def test_no_notes_is_said(cli: Cli, data: Path, tmp_path: Path) -> None:
    (tmp_path / "work/MEMORY.md").unlink()
    done = cli("import-legacy", "bot")
    assert (done.code, done.rows[0][:2]) == (1, ["aaaa1111", "not imported"])
    assert str(tmp_path / "work/MEMORY.md") in done.rows[0][2]


def test_while_automatic_memory_is_off_nothing_is_imported(cli: Cli, data: Path, tmp_path: Path) -> None:
    work = str(tmp_path / "work")
    register(data, {"id": "aaaa1111", "name": "bot", "workspace": work, "memory": {"enabled": False}})
    before = tree(data)
    done = cli("import-legacy", "bot")
    assert (done.code, done.out) == (77, "")
    assert done.err.splitlines()[1] == "memctl: hint: memctl auto-memory aaaa1111 on"
    assert tree(data) == before


@pytest.mark.parametrize("dry", [True, False])
def test_json_of_an_import(cli: Cli, data: Path, tmp_path: Path, dry: bool) -> None:
    value = json.loads(cli("import-legacy", "-j", "bot", *(["-n"] if dry else [])).out)["data"]
    assert value == {
        "imports": [
            {
                "address": "aaaa1111",
                "imported": True,
                "reason": None,
                "truncated": False,
                "source": str(tmp_path / "work/MEMORY.md"),
            }
        ],
        "dry_run": dry,
        "change": None if dry else 1,
    }


def test_json_says_why_not(cli: Cli, data: Path) -> None:
    cli("import-legacy", "bot")
    found = json.loads(cli("import-legacy", "-j", "bot").out)["data"]["imports"][0]
    assert (found["imported"], found["reason"]) == (False, "imported-before")
