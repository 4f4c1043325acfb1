"""`memctl prune`: reasons, filters, keeps, bounds, and the word of a person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import tree
from tests.conftest import UNDO, Cli

pytestmark = pytest.mark.usefixtures("now")

OLD = ["--all", "--older-than", "1y"]
ROW = "e4d81b36/version-3-end\tlast updated 2025-03-04, older than 1y\n"
CLOCK = "MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z\n"


def test_without_a_terminal_and_yes_nothing_is_removed(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    assert cli("prune", *OLD) == (
        2,
        "",
        "memctl: error: this needs an answer, and there is no terminal to ask on\n"
        "memctl: hint: pass --yes to go on without being asked\n",
    )
    assert tree(demo) == before


def test_with_nothing_to_remove_no_word_is_needed(cli: Cli, demo: Path) -> None:
    assert cli("prune", "--all", "--older-than", "9y") == (0, "", "nothing was removed\n")


def test_what_goes_is_printed_with_the_reason(cli: Cli, demo: Path) -> None:
    assert cli("prune", *OLD, "--yes") == (0, ROW, f"{CLOCK}removed 1 memory, kept 19\n{UNDO}")
    assert not (demo / "memory/e4d81b36/version-3-end.md").exists()


def test_a_dry_run_prints_the_same_line_and_changes_no_byte(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    assert cli("prune", "-n", *OLD) == (0, ROW, "dry run: nothing was removed; 1 would be\n")
    assert tree(demo) == before


def test_quiet_prints_not_a_byte(cli: Cli, demo: Path) -> None:
    assert cli("prune", *OLD, "-y", "-q") == (0, "", "")


def test_reasons_add_up(cli: Cli, demo: Path) -> None:
    done = cli("prune", "-n", "--all", "--older-than", "1y", "--over", "2")
    assert "last updated 2025-03-04, older than 1y; over the newest 2" in [row[1] for row in done.rows]


@pytest.mark.parametrize(
    ("options", "gone"),
    [
        (["--older-than", "2026-06-01"], ["release-manager", "version-3-end"]),
        (["--older-than", "2026-06-01", "--type", "user"], ["release-manager"]),
        (["--older-than", "2026-06-01", "--source", "sweep"], ["version-3-end"]),
        (["--older-than", "2026-06-01", "--name", "version-*"], ["version-3-end"]),
        (["--older-than", "2026-06-01", "--keep-last", "2"], ["version-3-end"]),
        (["--older-than", "2026-06-01", "--keep-within", "2026-01-01"], ["version-3-end"]),
        (
            ["--older-than", "2026-06-01", "--include-user-authored"],
            ["no-friday-releases", "release-manager", "version-3-end"],
        ),
        (["--over", "0"], ["release-manager", "version-3-end"]),
        (["--over", "0", "--no-floor"], ["long-term-support", "release-manager", "version-3-end"]),
    ],
)
def test_what_goes(cli: Cli, demo: Path, options: list[str], gone: list[str]) -> None:
    done = cli("prune", "-n", "e4d81b36", *options)
    assert [row[0].partition("/")[2] for row in done.rows] == gone


@pytest.mark.parametrize(
    ("options", "hint"),
    [
        (["--keep-last", "3"], "--over 3 removes what is beyond the newest 3; --keep-last only keeps"),
        (["--keep-within", "30d"], "--older-than 30d removes what is older; --keep-within only keeps"),
        (["--type", "user"], "--older-than AGE, --over N or --orphans; see memctl help policies"),
        ([], "--older-than AGE, --over N or --orphans; see memctl help policies"),
    ],
)
def test_without_a_reason_the_flag_that_was_meant_is_named(cli: Cli, demo: Path, options: list[str], hint: str) -> None:
    assert cli("prune", "--all", *options) == (
        2,
        "",
        f"memctl: error: prune wants a reason for what goes\nmemctl: hint: {hint}\n",
    )


def test_without_names_or_all_it_is_wrong_usage(cli: Cli, demo: Path) -> None:
    assert cli("prune", "--older-than", "1y") == (
        2,
        "",
        "memctl: error: prune wants the agents' names, or --all\nmemctl: hint: memctl prune --all\n",
    )


def test_a_bare_m_is_refused(cli: Cli, demo: Path) -> None:
    assert (
        cli("prune", "--all", "--older-than", "6m")
        .err.splitlines()[1]
        .startswith("memctl: hint: for months write 6mo;")
    )


@pytest.mark.parametrize(("bound", "code"), [("1", 0), ("25%", 0), ("0", 77), ("24%", 77)])
def test_above_the_bound_nothing_is_removed(cli: Cli, demo: Path, bound: str, code: int) -> None:
    assert cli("prune", "e4d81b36", "--older-than", "1y", "-y", "--max-removed", bound).code == code
    assert (demo / "memory/e4d81b36/version-3-end.md").exists() == bool(code)


def test_the_bound_is_named(cli: Cli, demo: Path) -> None:
    assert cli("prune", *OLD, "-y", "--max-removed", "0") == (
        77,
        "",
        "memctl: error: 1 of 4 memories of agent 'e4d81b36' would go, over --max-removed 0; nothing was removed\n"
        "memctl: hint: look at them with -n, then raise --max-removed\n",
    )


@pytest.mark.parametrize("bound", ["", "x", "-1", "10 %", "1.5"])
def test_a_bound_that_is_none_is_wrong_usage(cli: Cli, demo: Path, bound: str) -> None:
    assert cli("prune", *OLD, "--max-removed", bound) == (
        2,
        "",
        f"memctl: error: '{bound}' is no bound\nmemctl: hint: --max-removed takes a number, or a percentage: 10%\n",
    )


@pytest.mark.parametrize("dry", [True, False])
def test_json_of_what_goes(cli: Cli, demo: Path, dry: bool) -> None:
    value = json.loads(cli("prune", "-j", *OLD, "-n" if dry else "-y").out)
    assert value["data"] == {
        "removals": [
            {
                "address": "e4d81b36/version-3-end",
                "path": f"{demo}/memory/e4d81b36/version-3-end.md",
                "reasons": ["last updated 2025-03-04, older than 1y"],
            }
        ],
        "kept": 19,
        "directories": [],
        "dry_run": dry,
        "change": None if dry else 1,
    }


def test_json_is_written_though_nothing_goes(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("prune", "-j", "--all", "--older-than", "9y").out)["data"]
    assert data == {"removals": [], "kept": 20, "directories": [], "dry_run": False, "change": None}


def test_shards_share_the_work(cli: Cli, demo: Path) -> None:
    outs = [cli("prune", "-n", *OLD, "--shard", f"{part}/3").out for part in (1, 2, 3)]
    assert outs == ["", "", ROW]


GONE = "no such agent in the registry\n"


def bytes_of(place: Path) -> dict[str, bytes]:
    return {name: data for name, (data, *_) in tree(place).items()}


def test_what_outlived_its_agent_goes_with_its_directory_and_comes_back(cli: Cli, demo: Path) -> None:
    before = bytes_of(demo)
    words = ["prune", "--all", "--orphans", "--include-user-authored"]
    names = ("long-term-support", "no-friday-releases", "release-manager", "version-3-end")
    rows = "".join(f"e4d81b36/{name}\t{GONE}" for name in names)
    told = "dry run: nothing was removed; 4 would be, and 1 directory with them\n"
    assert cli(*words, "-n") == (0, rows, told)
    assert cli(*words, "-y") == (0, rows, f"{CLOCK}removed 4 memories and 1 directory, kept 16\n{UNDO}")
    assert not (demo / "memory/e4d81b36").exists()
    assert cli("undo", "-y").code == 0
    assert bytes_of(demo) == before


def test_what_a_person_wrote_keeps_the_directory_and_that_is_said(cli: Cli, demo: Path) -> None:
    done = cli("prune", "--all", "--orphans", "-y")
    assert f"the directory '{demo}/memory/e4d81b36' stays: it keeps 1 memory; --include-user-authored takes" in done.err
    assert done.code == 0


def test_a_directory_without_memories_is_counted_alone(cli: Cli, demo: Path) -> None:
    cli("prune", "--all", "--orphans", "--include-user-authored", "-y")
    (demo / "memory/e4d81b36").mkdir()
    assert cli("prune", "--all", "--orphans", "-y").err.startswith(f"{CLOCK}removed 1 directory, kept 16\n")


def test_that_there_is_no_registry_is_said_once(cli: Cli, demo: Path) -> None:
    (demo / "agents.json").unlink()
    done = cli("prune", "--all", "--orphans", "-y")
    assert (done.code, done.err.count("no registry says which agents there are")) == (66, 1)


def test_the_user_memory_is_no_orphan(cli: Cli, demo: Path) -> None:
    assert cli("prune", "@user", "--orphans", "-y").code == 2
