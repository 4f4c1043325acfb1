"""`memctl reindex`: what is stale is rendered, and `--check` only says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import tree
from tests.conftest import UNDO, Cli
from tests.stores import fill, index, memory

STALE = "memory/7c09e5f2/MEMORY.md"


def test_what_is_stale_is_rendered(cli: Cli, demo: Path) -> None:
    assert cli("reindex", "--all") == (0, "7c09e5f2\t7\t0\n", f"rendered 1 of 3 indexes anew\n{UNDO}")
    assert "- **french-edition** — A French edition follows the release\n" in (demo / STALE).read_text()


def test_what_is_current_is_not_written(cli: Cli, demo: Path) -> None:
    cli("reindex", "--all")
    before = tree(demo)
    assert cli("reindex", "--all") == (0, "", "rendered 0 of 3 indexes anew\n")
    assert tree(demo) == before


def test_a_missing_index_is_made(cli: Cli, tmp_path: Path) -> None:
    folder = fill(tmp_path / "memory/a", {"x.md": memory("x"), "y.md": memory("y")})
    assert cli("--root", tmp_path, "reindex", "a") == (0, "a\t2\t0\n", f"rendered 1 of 1 index anew\n{UNDO}")
    assert (folder / "MEMORY.md").read_bytes() == index("x", "y")


def test_a_dry_run_prints_the_same_line_and_changes_no_byte(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    assert cli("reindex", "--all", "-n") == (
        0,
        "7c09e5f2\t7\t0\n",
        "dry run: nothing was written; 1 of 3 indexes would be\n",
    )
    assert tree(demo) == before


def test_check_shows_a_diff_and_says_no(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    assert cli("reindex", "--all", "--check") == (
        1,
        f"--- {demo}/{STALE}\n"
        f"+++ {demo}/{STALE} (rendered)\n"
        "@@ -8,6 +8,7 @@\n"
        " - **screenshots-last** — Take screenshots last, when the words stand\n"
        " \n"
        " ## Project\n"
        "+- **french-edition** — A French edition follows the release\n"
        " - **handbook-split** — Split the handbook into a guide and a reference\n"
        " \n"
        " ## Reference\n",
        "1 of 3 indexes stale\n",
    )
    assert tree(demo) == before


def test_check_of_what_is_current_is_yes(cli: Cli, demo: Path) -> None:
    assert cli("reindex", "--check", "billing-bot") == (0, "", "0 of 1 index stale\n")


def test_check_needs_no_names(cli: Cli, demo: Path) -> None:
    assert cli("reindex", "--check").code == 1


def test_without_names_or_all_it_is_wrong_usage(cli: Cli, demo: Path) -> None:
    assert cli("reindex") == (
        2,
        "",
        "memctl: error: reindex wants the agents' names, or --all\nmemctl: hint: memctl reindex --all\n",
    )


def test_check_and_dry_run_do_not_go_together(cli: Cli, demo: Path) -> None:
    assert cli("reindex", "--all", "--check", "-n") == (
        2,
        "",
        "memctl: error: --check writes nothing anyway; leave -n out\n",
    )


@pytest.mark.parametrize("words", [["--all"], ["--all", "-n"], ["billing-bot", "--check"]])
def test_quiet_prints_not_a_byte(cli: Cli, demo: Path, words: list[str]) -> None:
    assert cli("reindex", "-q", *words) == (0, "", "")


def test_a_hand_edited_index_is_shown_as_a_diff(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory/a", {"x.md": memory("x"), "MEMORY.md": index("x") + b"- by hand"})
    assert cli("--root", tmp_path, "reindex", "--check").out.splitlines()[-2:] == [
        "-- by hand",
        "\\ No newline at end of file",
    ]


def test_an_index_that_is_a_directory_is_protected_and_the_others_are_rendered(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "memory/a/MEMORY.md").mkdir(parents=True)
    for name in ("a", "b"):
        fill(tmp_path / "memory" / name, {"x.md": memory("x")})
    done = cli("--root", tmp_path, "reindex", "--all")
    assert (done.code, done.out) == (77, "b\t1\t0\n")


def test_the_clock_that_is_set_is_said(cli: Cli, demo: Path, now: str) -> None:
    assert cli("reindex", "--all").err.startswith("MEMCTL_NOW is set: ")


def test_a_check_does_not_speak_of_the_clock(cli: Cli, demo: Path, now: str) -> None:
    assert cli("reindex", "--check").err == "1 of 3 indexes stale\n"


@pytest.mark.parametrize("dry", [True, False])
def test_json_of_the_stores(cli: Cli, demo: Path, dry: bool) -> None:
    data = json.loads(cli("reindex", "-j", "docs-writer", *(["-n"] if dry else [])).out)["data"]
    assert data == {
        "stores": [
            {"address": "7c09e5f2", "path": f"{demo}/memory/7c09e5f2", "changed": True, "listed": 7, "omitted": 0}
        ],
        "dry_run": dry,
        "change": None if dry else 1,
    }


def test_json_of_a_check(cli: Cli, demo: Path) -> None:
    done = cli("reindex", "-j", "--check")
    assert [store["changed"] for store in json.loads(done.out)["data"]["stores"]] == [False, True, False]
    assert done.code == 1
