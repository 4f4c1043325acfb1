"""`memctl clear`: all of an agent's memories, or an emptied user memory."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.running import Session, at_terminal, tree
from tests.conftest import UNDO, Cli
from tests.stores import fill

CLOCK = "MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z\n"
OFF = "CodeWhale does not load this file now: memory is off (default)\n"
NOTES = b"- (2026-01-02 03:04 UTC) one\n- two\n# head\n"
ASKED = "memctl: error: this needs an answer, and there is no terminal to ask on\n"
YES = "memctl: hint: pass --yes to go on without being asked\n"


@pytest.fixture
def notes(home: Path) -> Path:
    """Give the user memory with two notes."""
    return fill(home / ".deepseek", {"memory.md": NOTES}) / "memory.md"


def test_the_user_memory_becomes_an_empty_file_with_its_mode(cli: Cli, notes: Path, now: str) -> None:
    notes.chmod(0o640)
    assert cli("clear", "-y", "@user") == (
        0,
        "",
        f"{CLOCK}emptied '{notes}', which had 42 bytes with 2 notes\n{OFF}{UNDO}",
    )
    assert (notes.read_bytes(), notes.stat().st_mode & 0o777) == (b"", 0o640)


@pytest.mark.parametrize("there", [True, False])
def test_where_nothing_is_nothing_is_done_and_nobody_asked(cli: Cli, home: Path, there: bool) -> None:
    if there:
        fill(home / ".deepseek", {"memory.md": b""})
    before = tree(home)
    assert cli("clear", "@user") == (0, "", f"nothing to remove\n{OFF}")
    assert tree(home) == before


def test_without_a_terminal_the_flag_is_named_and_nothing_goes(cli: Cli, notes: Path) -> None:
    before = tree(notes.parent)
    assert cli("clear", "@user") == (2, "", ASKED + YES)
    assert tree(notes.parent) == before


def test_a_dry_run_needs_no_yes_and_changes_no_byte(cli: Cli, notes: Path) -> None:
    before = tree(notes.parent)
    dry = cli("clear", "-n", "@user")
    assert dry == (0, "", f"dry run: nothing was removed; 42 bytes with 2 notes would be\n{OFF}")
    assert tree(notes.parent) == before
    assert cli("clear", "-y", "@user").out == dry.out


def test_quiet_prints_not_a_byte(cli: Cli, notes: Path) -> None:
    assert cli("clear", "-qy", "@user") == (0, "", "")
    assert notes.read_bytes() == b""


@pytest.mark.parametrize("dry", [True, False])
def test_json_of_an_emptied_user_memory(cli: Cli, notes: Path, dry: bool) -> None:
    value = json.loads(cli("clear", "-j", "-n" if dry else "-y", "@user").out)
    change = None if dry else 1
    expected = {"address": "@user", "path": str(notes), "bytes": 42, "notes": 2, "dry_run": dry, "change": change}
    assert value["data"] == expected
    assert value["errors"] == []


def test_json_of_a_missing_yes_is_an_error(cli: Cli, notes: Path) -> None:
    value = json.loads(cli("clear", "-j", "@user").out)
    assert value["data"] is None
    assert value["errors"] == [
        {
            "code": "usage",
            "message": "this needs an answer, and there is no terminal to ask on",
            "path": None,
            "hint": "pass --yes to go on without being asked",
        }
    ]


@pytest.mark.parametrize("word", ["@user/1", "billing-bot/api-migration", "billing-bot/*"])
@pytest.mark.parametrize("option", ["-n", "-y"])
def test_one_note_or_memory_is_not_all_of_them(cli: Cli, demo: Path, word: str, option: str) -> None:
    before = tree(demo)
    assert cli("clear", option, word) == (
        2,
        "",
        f"memctl: error: '{word}' is not all of them; clear takes an agent or @user\n"
        f"memctl: hint: memctl delete {word}\n",
    )
    assert tree(demo) == before


def test_its_address_does_not_come_from_stdin(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    assert cli("clear", "-y", "-", stdin=b"@user\nbilling-bot\n") == (
        2,
        "",
        "memctl: error: clear reads no addresses from standard input\nmemctl: hint: give it as a word\n",
    )
    assert tree(demo) == before


def test_no_address_and_two_are_wrong_usage(cli: Cli, demo: Path) -> None:
    assert cli("clear", "-y").err.startswith("memctl: error: missing argument 'AGENT|@user'\n")
    assert cli("clear", "-y", "@user", "billing-bot").code == 2
    assert (demo / "memory.md").stat().st_size > 0


def test_all_memories_of_an_agent_go_and_its_index_says_so(cli: Cli, demo: Path, now: str) -> None:
    done = cli("clear", "-y", "e4d81b36")
    assert (done.code, done.err) == (0, f"{CLOCK}removed {len(done.rows)} memories, kept 0\n{UNDO}")
    assert all(row[0].startswith("e4d81b36/") for row in done.rows)
    assert list((demo / "memory/e4d81b36").iterdir()) == [demo / "memory/e4d81b36/MEMORY.md"]
    assert (demo / "memory/e4d81b36/MEMORY.md").read_text().endswith("_No memories yet._\n")


def test_a_dry_run_of_an_agent_prints_the_same_and_changes_no_byte(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    dry = cli("clear", "-n", "billing-bot")
    assert (dry.code, dry.err) == (0, "dry run: nothing was removed; 9 would be\n")
    assert tree(demo) == before
    assert cli("clear", "-y", "billing-bot").out == dry.out


def test_an_agent_without_a_terminal_needs_yes(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    assert cli("clear", "billing-bot") == (2, "", ASKED + YES)
    assert tree(demo) == before


def test_a_prefix_is_no_agent_to_clear_without_a_terminal(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    assert cli("clear", "-y", "bill").code == 66
    assert tree(demo) == before


def test_an_agent_that_is_not_there_is_66(cli: Cli, demo: Path) -> None:
    done = cli("clear", "-y", "nobody")
    assert (done.code, done.err.splitlines()[0]) == (66, "memctl: error: no agent 'nobody'")


def test_json_of_an_agent_is_its_removals(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("clear", "-jn", "billing-bot").out)["data"]
    assert (list(data), len(data["removals"]), data["kept"], data["dry_run"], data["change"]) == (
        ["removals", "kept", "directories", "dry_run", "change"],
        9,
        0,
        True,
        None,
    )


def test_a_link_stays_a_link_and_its_file_is_emptied(cli: Cli, notes: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.md"
    os.replace(notes, target)
    notes.symlink_to(target)
    assert cli("clear", "-y", "@user").code == 0
    assert (notes.readlink(), target.read_bytes()) == (target, b"")


# --- at a terminal ---


def question(path: Path) -> str:
    return f"Empty '{path}' (42 bytes with 2 notes)? [y/N] "


@pytest.mark.parametrize("answer", ["n", "", "maybe"])
def test_declined_is_no_and_changes_nothing(notes: Path, answer: str) -> None:
    before = tree(notes.parent)
    session = Session("clear", "@user", columns=400)
    session.expect_exact(question(notes))
    session.sendline(answer)
    code, shown = session.end()
    assert (code, shown.strip()) == (1, "nothing was removed")
    assert tree(notes.parent) == before


@pytest.mark.parametrize("answer", ["y", "YES"])
def test_agreed_is_done(notes: Path, answer: str) -> None:
    session = Session("clear", "@user", columns=400)
    session.expect_exact(question(notes))
    session.sendline(answer)
    code, shown = session.end()
    assert (code, shown.lstrip()) == (0, f"emptied '{notes}', which had 42 bytes with 2 notes\n{OFF}{UNDO}")
    assert notes.read_bytes() == b""


def test_an_interrupted_question_changes_nothing(notes: Path) -> None:
    before = tree(notes.parent)
    session = Session("clear", "@user", columns=400)
    session.expect_exact(question(notes))
    session.sendintr()
    code, shown = session.end()
    assert (code, "Traceback" in shown) == (130, False)
    assert tree(notes.parent) == before


def test_what_changed_during_the_question_is_not_lost(notes: Path) -> None:
    session = Session("clear", "@user", columns=400)
    session.expect_exact(question(notes))
    with notes.open("ab") as file:
        file.write(b"- meanwhile\n")
    session.sendline("y")
    code, shown = session.end()
    assert code == 75
    assert f"memctl: error: '{notes}' changed while memctl worked; nothing was overwritten\n" in shown
    assert notes.read_bytes() == NOTES + b"- meanwhile\n"


def test_an_agent_is_asked_about_with_what_would_go(demo: Path) -> None:
    before = tree(demo)
    session = Session("clear", "billing-bot", columns=200)
    session.expect_exact("Remove 9 memories? [y/N] ")
    assert len(session.before.splitlines()) == 9
    session.sendline("n")
    code, shown = session.end()
    assert (code, shown.strip()) == (1, "nothing was removed")
    assert tree(demo) == before


def test_yes_asks_nothing(notes: Path) -> None:
    done = at_terminal("clear", "-y", "@user", columns=400)
    assert done == (0, f"emptied '{notes}', which had 42 bytes with 2 notes\n{OFF}{UNDO}", "")
