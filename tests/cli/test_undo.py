"""`memctl undo` and `memctl redo`: each command taken back, from the command line."""

from __future__ import annotations

import json
import os
import pwd
import shlex
import sqlite3
import sys
from pathlib import Path

import pytest

from tests.cli.running import Session, as_nobody, spawn
from tests.conftest import UNDO, Cli
from tests.stores import NOBODY, contents, fill, memory, needs_root, register

AGENT = "memory/1a2b3c4d"
GONE = "api-migration"
DATA_KEYS = {"undone", "files", "changed_since", "dry_run", "change"}


def whole(*folders: Path) -> dict[str, tuple[bytes, int]]:
    """Return all files below folders with bytes and mode; of links, where they lead."""
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_symlink():
                found[str(path)] = (os.fsencode(os.readlink(path)), 0)
            elif path.is_file() and "history.db" not in path.name:
                found[str(path)] = (path.read_bytes(), path.stat().st_mode)
    return found


def delete(cli: Cli, name: str = GONE) -> None:
    assert cli("delete", "-y", f"billing-bot/{name}").code == 0


# Every changing command

COMMANDS: dict[str, list[str]] = {
    "edit": ["edit", f"billing-bot/{GONE}", "--content", "new\ntext", "--description", "another"],
    "delete": ["delete", "-y", "billing-bot/*", "docs-writer/style-guide"],
    "clear": ["clear", "-y", "billing-bot"],
    "prune": ["prune", "-y", "--all", "--over", "1", "--no-floor", "--include-user-authored"],
    "reindex": ["reindex", "--all"],
    "remember": ["remember", "one", "two", "one"],
    "clear @user": ["clear", "-y", "@user"],
    "edit @user/N": ["edit", "@user/1", "--content", "another note"],
    "delete @user/N": ["delete", "-y", "@user/1", "@user/2"],
    "prune @user": ["prune", "-y", "@user", "--over", "1"],
    "sweep-mode": ["sweep-mode", "--hq-stopped", "billing-bot", "docs-writer", "on"],
    "auto-memory": ["auto-memory", "--hq-stopped", "--all", "off"],
    "config set": ["config", "set", "wait", "5"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_taken_back_and_done_again(cli: Cli, demo: Path, home: Path, name: str) -> None:
    fill(demo / "memory/1a2b3c4d", {"MEMORY.md": b"stale\xff"})
    before = whole(demo, home)
    done = cli(*COMMANDS[name])
    after = whole(demo, home)
    assert (done.code, after != before) == (0, True), done
    assert done.err.endswith(UNDO)
    taken = cli("undo")
    assert taken.code == 0, taken
    assert whole(demo, home) == before
    again = cli("redo")
    assert again.code == 0, again
    assert whole(demo, home) == after
    assert cli("undo").code == 0
    assert whole(demo, home) == before


def test_an_import_is_taken_back_file_marker_and_index(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / "work", {"MEMORY.md": b"# Notes\n"})
    register(tmp_path / "data", {"id": "aaaa1111", "name": "bot", "workspace": str(tmp_path / "work")})
    monkeypatch.setenv("MEMCTL_ROOT", str(tmp_path / "data"))
    assert cli("import-legacy", "bot").code == 0
    folder = tmp_path / "data/memory/aaaa1111"
    after = contents(folder)
    assert set(after) == {".legacy-imported", "MEMORY.md", "legacy-memory-md.md"}
    assert cli("undo").code == 0
    assert contents(folder) == {}
    assert cli("redo").code == 0
    assert contents(folder) == after


def test_an_import_into_the_native_tree_is_taken_back_but_not_over_what_codewhale_wrote(cli: Cli, home: Path) -> None:
    fill(home / ".codewhale", {"memory.md": b"- note\n"})
    done = cli("import-legacy", "@user", "--user-memory", home / ".codewhale/memory.md")
    assert done.code == 0, done
    target = home / ".codewhale/memory/global/MEMORY.md"
    assert target.read_bytes() == b"- note\n"
    target.write_bytes(b"- note\n- of CodeWhale\n")
    assert cli("undo").code == 75
    assert target.read_bytes() == b"- note\n- of CodeWhale\n"
    target.write_bytes(b"- note\n")
    assert cli("undo").code == 0
    assert not target.exists()


def test_a_symlink_that_was_deleted_comes_back(cli: Cli, tmp_path: Path) -> None:
    folder = fill(tmp_path / "memory" / "a", {"x.md": memory("x")})
    (tmp_path / "aim.md").write_bytes(memory("aim"))
    (folder / "link.md").symlink_to(tmp_path / "aim.md")
    before = whole(tmp_path / "memory")
    assert cli("--root", tmp_path, "delete", "-y", "a/link").code == 0
    assert cli("undo").code == 0
    assert whole(tmp_path / "memory") == before


def test_a_note_goes_and_those_of_others_stay(cli: Cli, demo: Path) -> None:
    path = demo / "memory.md"
    before = path.read_bytes()
    cli("remember", "ours")
    with path.open("ab") as other:
        other.write(b"- theirs\n")
    assert cli("undo").code == 0
    assert path.read_bytes() == before + b"- theirs\n"


# One after another


def test_twice_undo_goes_two_steps_back_and_twice_redo_forward(cli: Cli, demo: Path) -> None:
    states = [whole(demo)]
    for name in ("api-migration", "invoice-archive", "*"):
        delete(cli, name)
        states.append(whole(demo))
    for _ in range(2):  # over and over
        for state in reversed(states[:-1]):
            assert cli("undo").code == 0
            assert whole(demo) == state
        assert cli("undo").code == 66
        for state in states[1:]:
            assert cli("redo").code == 0
            assert whole(demo) == state
        assert cli("redo").code == 66


def test_a_step_back_and_forth_in_the_middle(cli: Cli, demo: Path) -> None:
    states = [whole(demo)]
    for name in ("api-migration", "invoice-archive"):
        delete(cli, name)
        states.append(whole(demo))
    for word, state in (("undo", 1), ("redo", 2), ("undo", 1), ("undo", 0), ("redo", 1), ("undo", 0), ("redo", 1)):
        assert cli(word).code == 0
        assert whole(demo) == states[state]


def test_a_new_change_ends_redo(cli: Cli, demo: Path) -> None:
    delete(cli)
    cli("undo")
    delete(cli, "invoice-archive")
    after = whole(demo)
    done = cli("redo")
    assert (done.code, done.err.splitlines()[0]) == (
        66,
        "memctl: error: there is nothing to redo in this login session",
    )
    assert whole(demo) == after


def test_a_change_goes_by_its_id_and_an_undo_by_its_id_is_done_again(cli: Cli, demo: Path) -> None:
    before = whole(demo)
    delete(cli)
    after = whole(demo)
    assert cli("undo", "1").code == 0
    assert whole(demo) == before
    assert cli("undo", "1").code == 66
    assert cli("undo", "2").code == 0
    assert whole(demo) == after
    assert cli("undo", "1").code == 0
    assert whole(demo) == before
    assert cli("undo").code == 66


def test_a_change_that_somebody_took_back_by_hand_does_not_stop_the_next_undo(cli: Cli, demo: Path) -> None:
    before = whole(demo)
    delete(cli)
    middle = whole(demo)
    delete(cli, "invoice-archive")
    for path, (data, _) in middle.items():
        Path(path).write_bytes(data)
    done = cli("undo")
    assert (done.code, done.out) == (0, "")
    assert cli("undo").code == 0
    assert whole(demo) == before


def test_an_interrupted_change_is_listed_as_such_and_taken_back(cli: Cli, demo: Path, home: Path) -> None:
    before = whole(demo)
    delete(cli)
    connection = sqlite3.connect(home / ".local/state/memctl/history.db", isolation_level=None)
    connection.execute("UPDATE changes SET done = 0")
    connection.execute("UPDATE files SET settled = NULL")
    connection.close()
    (row,) = cli("history").rows
    assert row[3] == "interrupted"
    assert cli("undo").code == 0
    assert whole(demo) == before
    assert cli("history").rows[1][3] == "undone by 2"


# Whose


def test_of_another_session_only_by_its_id(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = whole(demo)
    monkeypatch.setenv("XDG_SESSION_ID", "7")
    delete(cli)
    monkeypatch.setenv("XDG_SESSION_ID", "8")
    done = cli("undo")
    assert (done.code, done.out) == (66, "")
    error, hint = done.err.splitlines()
    assert error == "memctl: error: there is nothing to undo in this login session"
    assert hint.startswith("memctl: hint: the newest of another session is 1 (")
    assert cli("undo", "1").code == 0
    assert whole(demo) == before


def test_a_change_of_another_user_is_protected(cli: Cli, demo: Path, home: Path) -> None:
    delete(cli)
    after = whole(demo)
    connection = sqlite3.connect(home / ".local/state/memctl/history.db", isolation_level=None)
    connection.execute("UPDATE changes SET uid = 12345, user = 'carol'")
    connection.close()
    assert cli("undo").code == 66
    done = cli("undo", "1")
    assert (done.code, done.err) == (
        77,
        "memctl: error: change 1 was made by 'carol', and only that user can take it back\n",
    )
    assert whole(demo) == after


@pytest.mark.parametrize("words", [["undo"], ["undo", "3"], ["redo"]])
def test_without_a_history_there_is_nothing_to_undo(cli: Cli, demo: Path, home: Path, words: list[str]) -> None:
    done = cli(*words)
    assert (done.code, done.err.splitlines()[0]) == (
        66,
        "memctl: error: there is no history, so there is nothing to undo",
    )
    assert not (home / ".local").exists()


@needs_root
def test_another_user_is_told_where_the_history_of_root_is(cli: Cli, demo: Path) -> None:
    assert as_nobody("undo", env={"HOME": "/nowhere"}).err.splitlines() == [
        "memctl: error: there is no history, so there is nothing to undo",
        "memctl: hint: memctl help safety; the history of 'root' cannot be read here: sudo memctl history",
    ]


@needs_root
def test_root_is_told_what_the_owner_of_a_store_changed(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = fill(tmp_path / "data/memory/a", {"x.md": memory("x"), "y.md": memory("y")})
    monkeypatch.setenv("MEMCTL_ROOT", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path / "theirs"))
    assert cli("delete", "-y", "a/x").code == 0
    monkeypatch.setenv("HOME", str(tmp_path / "mine"))
    os.chown(folder.parent, NOBODY, NOBODY)
    entry = pwd.struct_passwd(("bob", "", NOBODY, NOBODY, "", str(tmp_path / "theirs"), ""))
    monkeypatch.setattr(pwd, "getpwuid", lambda uid, real=pwd.getpwuid: entry if uid == NOBODY else real(uid))
    hint = cli("undo").err.splitlines()[-1]
    assert hint == (
        "memctl: hint: memctl help safety; that of 'bob' holds change 1 "
        f"('{shlex.join(['memctl', *sys.argv[1:]])}'): sudo -u bob memctl undo 1"
    )


def test_a_directory_that_cannot_be_read_is_74_and_the_rest_is_done(cli: Cli, demo: Path) -> None:
    assert cli("delete", "-y", f"billing-bot/{GONE}", "docs-writer/style-guide").code == 0
    path = demo / "memory" / cli("list", "docs-writer", "-j").out.split('"address": "')[1].split('"')[0]
    path.rename(demo / "away")
    path.write_bytes(b"")
    for words in (["undo", "-n"], ["undo"]):
        done = cli(*words)
        assert done.code == 74
        assert f"memctl: error: cannot read '{path}': not a directory\n" in done.err
    assert (demo / AGENT / f"{GONE}.md").exists()


def test_an_id_that_is_none(cli: Cli, demo: Path) -> None:
    delete(cli)
    assert cli("undo", "9") == (
        66,
        "",
        "memctl: error: no change 9 in the history\nmemctl: hint: memctl history lists them\n",
    )


def test_without_a_history_a_change_is_not_in_it(cli: Cli, demo: Path, home: Path) -> None:
    assert UNDO not in cli("delete", "-y", "--no-history", f"billing-bot/{GONE}").err
    assert not (home / ".local").exists()


# Changed since


def test_what_changed_since_is_named_and_nothing_is_touched(cli: Cli, demo: Path) -> None:
    delete(cli, "*")
    path = demo / AGENT / f"{GONE}.md"
    path.write_bytes(b"theirs")
    before = whole(demo)
    done = cli("undo")
    assert (done.code, done.out) == (75, "")
    assert f"memctl: error: changed since memctl wrote it: {path}; nothing was taken back" in done.err.splitlines()
    assert whole(demo) == before


def test_force_needs_yes_where_nobody_can_be_asked(cli: Cli, demo: Path) -> None:
    before = whole(demo)
    delete(cli)
    (demo / AGENT / f"{GONE}.md").write_bytes(b"theirs")
    there = whole(demo)
    assert cli("undo", "--force").code == 2
    assert whole(demo) == there
    assert cli("undo", "--force", "--yes").code == 0
    assert whole(demo) == before
    # What was there is kept.
    assert cli("undo", "2").code == 0
    assert (demo / AGENT / f"{GONE}.md").read_bytes() == b"theirs"


def test_where_nothing_changed_since_force_asks_nothing(cli: Cli, demo: Path) -> None:
    before = whole(demo)
    delete(cli)
    assert cli("undo", "--force").code == 0
    assert whole(demo) == before


@pytest.mark.parametrize(("answer", "code", "left"), [("n", 1, b"theirs"), ("y", 0, None)])
def test_force_asks_at_a_terminal(cli: Cli, demo: Path, answer: str, code: int, left: bytes | None) -> None:
    path = demo / AGENT / f"{GONE}.md"
    old = path.read_bytes()
    delete(cli)
    path.write_bytes(b"theirs")
    env = {"XDG_SESSION_ID": "t"}  # a terminal of pexpect is a session of its own
    with Session("undo", "1", "--force", env=env) as session:
        session.expect_exact("Overwrite 1 file that changed since? [y/N] ")
        session.sendline(answer)
        assert session.end()[0] == code
    assert path.read_bytes() == (left or old)


def test_while_another_writes_the_history_nothing_is_touched(cli: Cli, demo: Path, home: Path) -> None:
    delete(cli)
    before = whole(demo)
    other = sqlite3.connect(home / ".local/state/memctl/history.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    for words in (["undo", "--wait", "0.1"], ["delete", "-y", "--wait", "0.1", "billing-bot/*"]):
        done = cli(*words)
        assert done.code == 75, done
        assert "is in use" in done.err
        assert done.err.count("memctl: error:") == 1
        assert whole(demo) == before
    other.execute("ROLLBACK")
    other.close()
    assert cli("undo").code == 0


# What it says


@pytest.mark.parametrize("verb", ["undo", "redo"])
def test_a_dry_run_changes_nothing_and_prints_the_same_lines(cli: Cli, demo: Path, verb: str) -> None:
    delete(cli)
    if verb == "redo":
        cli("undo")
    before, listed = whole(demo), cli("history").out
    dry = cli(verb, "-n")
    assert dry.code == 0
    assert "dry run: nothing was taken back" in dry.err
    assert (whole(demo), cli("history").out) == (before, listed)
    assert cli(verb).out == dry.out == f"{demo}/{AGENT}/{GONE}.md\n{demo}/{AGENT}/MEMORY.md\n"


def test_a_dry_run_says_what_changed_since(cli: Cli, demo: Path) -> None:
    delete(cli)
    (demo / AGENT / f"{GONE}.md").write_bytes(b"theirs")
    assert cli("undo", "-n").code == 75
    assert cli("undo", "-n", "--force").code == 0
    assert (demo / AGENT / f"{GONE}.md").read_bytes() == b"theirs"


def test_what_comes_back_is_said_with_a_diff_where_asked(cli: Cli, demo: Path) -> None:
    cli("edit", f"billing-bot/{GONE}", "--content", "new text")
    said = cli("undo", "-n", "-v").err
    assert said.startswith("undo of change 1: memctl")
    assert f"--- {demo}/{AGENT}/{GONE}.md\n" in said
    assert "\n-new text\n" in said
    assert "new text" not in cli("undo", "-n").err


def test_quiet_prints_the_paths_alone(cli: Cli, demo: Path) -> None:
    delete(cli)
    assert cli("undo", "-q").err == ""


def test_an_undo_does_not_end_with_how_it_is_undone(cli: Cli, demo: Path) -> None:
    delete(cli)
    assert "undo: memctl undo" not in cli("undo").err


@pytest.mark.parametrize("dry", [True, False])
def test_json_has_these_keys(cli: Cli, demo: Path, dry: bool) -> None:
    delete(cli)
    value = json.loads(cli("undo", "-j", *(["-n"] if dry else [])).out)
    assert set(value) == {"schema", "memctl", "host", "command", "data", "errors"}
    assert set(value["data"]) == DATA_KEYS - ({"change"} if dry else set())
    assert value["data"] == {
        "undone": 1,
        "files": [f"{demo}/{AGENT}/{GONE}.md", f"{demo}/{AGENT}/MEMORY.md"],
        "changed_since": [],
        "dry_run": dry,
    } | ({} if dry else {"change": 2})


def test_json_of_what_changed_since_is_an_error(cli: Cli, demo: Path) -> None:
    delete(cli)
    (demo / AGENT / f"{GONE}.md").write_bytes(b"theirs")
    done = cli("undo", "-j")
    value = json.loads(done.out)
    assert (done.code, value["data"], value["errors"][0]["code"]) == (75, None, "busy")


def test_the_command_line_is_kept_as_it_can_be_pasted(demo: Path) -> None:
    words = ["edit", f"billing-bot/{GONE}", "--content", "it's\nnew"]
    assert spawn(*words).code == 0
    (row,) = spawn("history").rows
    assert row[5] == "memctl edit billing-bot/api-migration --content 'it'\"'\"'s\\nnew'"
    assert spawn("undo").code in (0, 66)


def test_bytes_that_are_no_utf_8_on_the_command_line_are_no_bug(demo: Path) -> None:
    done = spawn("delete", "-y", "--missing-ok", f"billing-bot/{GONE}", "billing-bot/\udcff*")
    assert done.code == 0, done
    assert "\\\\udcff*" in spawn("history").rows[0][5]


@pytest.mark.parametrize("place", ["file", "none"])
def test_without_a_place_for_the_history_a_change_stops_and_reading_goes_on(
    cli: Cli, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    before = whole(demo)
    if place == "none":
        monkeypatch.delenv("XDG_STATE_HOME")
        monkeypatch.setenv("HOME", "relative")
    assert cli("list", "billing-bot").code == 0
    assert cli("history").code == 0
    assert cli("undo").code == 66
    done = cli("delete", "-y", f"billing-bot/{GONE}")
    assert done.code == 78, done
    assert "--no-history" in done.err
    assert whole(demo) == before
    assert cli("delete", "-y", "--no-history", f"billing-bot/{GONE}").code == 0


def test_a_damaged_history_stops_a_change_once_and_never_a_reader(cli: Cli, demo: Path, home: Path) -> None:
    delete(cli)
    path = home / ".local/state/memctl/history.db"
    path.write_bytes(b"no database" * 1000)
    before = whole(demo)
    assert cli("list", "billing-bot").code == 0
    assert path.exists()
    done = cli("delete", "-y", "billing-bot/*")
    assert done.code == 78, done
    assert "is damaged" in done.err
    assert "--no-history" in done.err
    assert whole(demo) == before
    assert cli("delete", "-y", "billing-bot/*").err.endswith(UNDO)
    assert cli("undo").code == 0
    assert whole(demo) == before


def test_a_damaged_history_is_set_aside_by_who_reads_it(cli: Cli, demo: Path, home: Path) -> None:
    delete(cli)
    path = home / ".local/state/memctl/history.db"
    path.write_bytes(b"no database" * 1000)
    done = cli("history")
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(f"memctl: warning: the history '{path}' is damaged (")
    assert any(name.startswith("history.db.damaged-") for name in os.listdir(path.parent))
    assert cli("undo").code == 66
