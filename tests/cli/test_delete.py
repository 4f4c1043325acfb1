"""`memctl delete` without a terminal: it needs `--yes`, and the index follows."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.running import tree
from tests.conftest import UNDO, Cli
from tests.stores import fill, memory, register

NO_TERMINAL = (
    "memctl: error: this needs an answer, and there is no terminal to ask on\n"
    "memctl: hint: pass --yes to go on without being asked\n"
)


def test_without_a_terminal_and_yes_nothing_is_deleted(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    assert cli("delete", "billing-bot/api-migration") == (2, "", NO_TERMINAL)
    assert tree(demo) == before


@pytest.mark.parametrize("command", ["delete", "rm"])
def test_what_was_deleted_is_printed_and_gone(cli: Cli, demo: Path, command: str) -> None:
    assert cli(command, "-y", "billing-bot/api-migration") == (
        0,
        "1a2b3c4d/api-migration\n",
        f"deleted 1 memory, kept 8\n{UNDO}",
    )
    assert not (demo / "memory/1a2b3c4d/api-migration.md").exists()


def test_the_index_no_longer_has_it(cli: Cli, demo: Path) -> None:
    cli("delete", "-y", "billing-bot/api-migration")
    assert "api-migration" not in (demo / "memory/1a2b3c4d/MEMORY.md").read_text()


def test_a_dry_run_prints_the_same_lines_and_changes_no_byte(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    dry = cli("delete", "-n", "billing-bot/*-api-*", "docs-writer/style-guide")
    assert (dry.code, dry.err) == (0, "dry run: nothing was deleted; 2 would be\n")
    assert tree(demo) == before
    assert cli("delete", "-y", "billing-bot/*-api-*", "docs-writer/style-guide").out == dry.out


def test_quiet_prints_not_a_byte(cli: Cli, demo: Path) -> None:
    assert cli("delete", "-qy", "billing-bot/api-migration") == (0, "", "")


def test_the_clock_that_is_set_is_said(cli: Cli, demo: Path, now: str) -> None:
    assert cli("delete", "-y", "billing-bot/api-migration").err.splitlines()[0] == (
        "MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z"
    )


def test_a_pattern_deletes_all_that_fit(cli: Cli, demo: Path) -> None:
    assert cli("delete", "-y", "e4d81b36/*").err == f"deleted 4 memories, kept 0\n{UNDO}"


def test_an_agent_is_not_a_memory(cli: Cli, demo: Path) -> None:
    assert cli("delete", "-y", "billing-bot") == (
        2,
        "",
        "memctl: error: 'billing-bot' is an agent, not a memory\n"
        "memctl: hint: name the memory: billing-bot/NAME, or a pattern in quotes: 'billing-bot/*'\n",
    )


def test_without_a_terminal_a_prefix_is_not_taken(cli: Cli, demo: Path) -> None:
    assert cli("delete", "-y", "bill/api-migration") == (
        66,
        "",
        "memctl: error: no agent has the id or name 'bill'\n"
        "memctl: hint: without a terminal a changing command takes no prefixes: 1a2b3c4d\n",
    )


def test_a_missing_one_is_an_error_and_the_others_go(cli: Cli, demo: Path) -> None:
    assert cli("delete", "-y", "billing-bot/zz", "billing-bot/api-migration") == (
        66,
        "1a2b3c4d/api-migration\n",
        "memctl: error: no memory named 'zz' in agent '1a2b3c4d'\nmemctl: hint: memctl list 1a2b3c4d\n"
        f"deleted 1 memory, kept 8\n{UNDO}",
    )


@pytest.mark.parametrize("word", ["billing-bot/zz", "nobody/zz", "billing-bot/zz*"])
def test_missing_ok_makes_it_no_error(cli: Cli, demo: Path, word: str) -> None:
    assert cli("delete", "-y", "--missing-ok", word) == (0, "", "nothing was deleted\n")


def test_a_file_that_is_not_loaded_can_be_deleted(cli: Cli, demo: Path) -> None:
    assert cli("delete", "-y", "docs-writer/meeting-2026-10-15").out == "7c09e5f2/meeting-2026-10-15\n"


def test_a_symlink_goes_and_its_target_stays(cli: Cli, tmp_path: Path) -> None:
    folder = fill(tmp_path / "memory" / "a", {"x.md": memory("x")})
    (tmp_path / "aim.md").write_bytes(memory("aim"))
    (folder / "link.md").symlink_to(tmp_path / "aim.md")
    assert cli("--root", tmp_path, "delete", "-y", "a/link").code == 0
    assert sorted(os.listdir(folder)) == ["MEMORY.md", "x.md"]
    assert (tmp_path / "aim.md").exists()


def test_while_automatic_memory_is_off_memories_can_be_deleted(cli: Cli, tmp_path: Path) -> None:
    register(tmp_path, {"id": "aaaa1111", "memory": {"enabled": False}})
    fill(tmp_path / "memory" / "aaaa1111", {"x.md": memory("x")})
    assert cli("--root", tmp_path, "delete", "-y", "aaaa1111/x").code == 0


def test_a_directory_of_that_name_is_protected(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "memory" / "a" / "x.md").mkdir(parents=True)
    fill(tmp_path / "memory" / "a", {"y.md": memory("y")})
    done = cli("--root", tmp_path, "delete", "-y", "a/x")
    path = tmp_path / "memory/a/x.md"
    assert (done.code, done.out) == (77, "")
    assert done.err.splitlines()[0] == (
        f"memctl: error: memctl removes only files that it can read, not '{path}' (a directory, not a file)"
    )


def test_addresses_come_from_stdin(cli: Cli, demo: Path) -> None:
    done = cli("delete", "-y", "-", stdin=b"1a2b3c4d/api-migration\n1a2b3c4d/invoice-archive\n")
    assert done.err == f"deleted 2 memories, kept 7\n{UNDO}"


def test_one_that_is_named_twice_is_deleted_once(cli: Cli, demo: Path) -> None:
    assert cli("delete", "-y", "billing-bot/api-migration", "1a2b3c4d/api-*").out == "1a2b3c4d/api-migration\n"


@pytest.mark.parametrize("dry", [True, False])
def test_json_of_a_removal(cli: Cli, demo: Path, dry: bool) -> None:
    value = json.loads(cli("delete", "-j", "-n" if dry else "-y", "billing-bot/api-migration").out)
    assert value["data"] == {
        "removals": [
            {
                "address": "1a2b3c4d/api-migration",
                "path": f"{demo}/memory/1a2b3c4d/api-migration.md",
                "reasons": ["asked for"],
            }
        ],
        "kept": 8,
        "directories": [],
        "dry_run": dry,
        "change": None if dry else 1,
    }


def test_json_of_a_missing_yes_is_an_error(cli: Cli, demo: Path) -> None:
    done = cli("delete", "-j", "billing-bot/api-migration")
    assert (done.code, json.loads(done.out)["errors"][0]["code"]) == (2, "usage")


def test_no_address_is_wrong_usage(cli: Cli, demo: Path) -> None:
    assert cli("delete") == (
        2,
        "",
        "memctl: error: missing argument 'ADDRESS...'\nmemctl: hint: memctl delete --help\n",
    )
