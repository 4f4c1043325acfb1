"""`@user` where the other commands take a store: its notes, its switch, its newer layouts, and bad input."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memctl.disk.native_tree import APPLICATION_ID
from tests.cli.running import Session, as_nobody, at_terminal, script, spawn, tree, without_color
from tests.conftest import NOW, UNDO, Cli
from tests.stores import NOBODY, fill, needs_root

CLOCK = "MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z\n"
OFF = "CodeWhale does not load this file now: memory is off (default)\n"
ASKED = (
    "memctl: error: this needs an answer, and there is no terminal to ask on\n"
    "memctl: hint: pass --yes to go on without being asked\n"
)
NO_NOTE_9 = (
    "memctl: error: no note 9 in the user memory; it has 4 notes\nmemctl: hint: memctl list @user numbers them\n"
)
EVIL = "\x1b]0;title\x07\x1b[2J\u009b1m\u202e\u200b"
TEXT = """\
# Mine

- (2024-05-03 22:14 UTC) prefer pytest
- (2026-11-01 09:02 UTC) two reviewers,
  at least
- by hand
* (2025-01-01 00:00 UTC) a star
prose of the star

last words
"""


@pytest.fixture
def path(home: Path) -> Path:
    """Give a user memory with four notes, a heading and a line of prose."""
    return fill(home / ".deepseek", {"memory.md": TEXT.encode()}) / "memory.md"


@pytest.fixture
def root(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the root of a native tree with entries of each scope; the current directory is a workspace."""
    work = tmp_path / "work"
    subprocess.run(["git", "init", "-q", work], check=True)
    subprocess.run(["git", "-C", work, "config", "remote.origin.url", "https://example.com/x.git"], check=True)
    monkeypatch.chdir(work)
    root = path.parent / "memory"
    fill(root / "global", {"MEMORY.md": b"# Head\n\n- every \twhere\n"})
    fill(root / "workspace" / hashlib.sha256(b"https://example.com/x.git").hexdigest(), {"MEMORY.md": b"- here\n"})
    return root


def make_structured(root: Path) -> Path:
    """Make the structured store of CodeWhale 0.10 with one memory."""
    root.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(root / "store.sqlite3")) as store:
        store.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        store.execute("CREATE TABLE memories (id, scope, kind, status, title, body)")
        store.execute("INSERT INTO memories VALUES ('i1', '{}', 'fact', 'active', 'Title', 'a\nbody')")
        store.commit()
    return root / "store.sqlite3"


def without(text: str, *removed: str) -> bytes:
    """Return the bytes of a text without these parts of it."""
    for part in removed:
        assert part in text
        text = text.replace(part, "")
    return text.encode()


# --- list ---


def test_list_has_a_row_for_each_note(cli: Cli, path: Path) -> None:
    assert cli("list", "@user") == (
        0,
        "@user/1\t2024-05-03 22:14 UTC\tprefer pytest\n"
        "@user/2\t2026-11-01 09:02 UTC\ttwo reviewers,\\n  at least\n"
        "@user/3\t\tby hand\n"
        "@user/4\t2025-01-01 00:00 UTC\ta star\\nprose of the star\n",
        f"4 notes in the user memory, 2 lines outside of notes\n{OFF}",
    )


def test_list_of_no_file_is_empty_and_is_no_error(cli: Cli) -> None:
    assert cli("list", "@user") == (0, "", f"0 notes in the user memory\n{OFF}")


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--filter", "PYTEST"], "1"),
        (["--filter", "prose"], "4"),
        (["--older-than", "1y"], "14"),
        (["--since", "2025-06-01"], "2"),
        (["--sort", "updated"], "3142"),
        (["--sort", "size"], "3142"),
        (["--sort", "name", "-r"], "4321"),
    ],
)
def test_list_selects_and_sorts_notes(cli: Cli, path: Path, now: str, options: list[str], numbers: str) -> None:
    addresses = cli("list", "@user", "--addresses", *options).out.splitlines()
    assert addresses == [f"@user/{number}" for number in numbers]


def test_list_gives_addresses_that_delete_takes(cli: Cli, path: Path) -> None:
    found = cli("list", "@user", "--addresses", "-0", "--filter", "e").out
    assert found == "@user/1\0@user/2\0@user/4\0"
    assert cli("delete", "-y", "-0", "-", stdin=found.encode()).code == 0
    assert path.read_text() == "# Mine\n\n- by hand\n\nlast words\n"


@pytest.mark.parametrize("option", ["--type=user", "--source=agent"])
def test_list_knows_no_type_and_no_source_of_a_note(cli: Cli, path: Path, option: str) -> None:
    done = cli("list", "@user", option)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[:2] == [
        "memctl: error: notes of the user memory have no type and no source",
        "memctl: hint: --filter, --older-than, --since",
    ]


def test_list_puts_notes_and_memories_side_by_side(cli: Cli, demo: Path) -> None:
    done = cli("list", "@user", "docs-writer", "@user")
    assert [row[0].partition("/")[0] for row in done.rows] == ["@user"] * 7 + ["7c09e5f2"] * 8
    assert done.err == f"7 memories in 1 agent, 1 file not loaded, 7 notes in the user memory\n{OFF}"


def test_list_of_all_agents_has_no_notes(cli: Cli, demo: Path) -> None:
    assert "@user" not in cli("list").out + cli("list", "--all").out


@pytest.mark.parametrize(
    "words", ["list @user/1", "prune -n --over 2 @user/1", "auto-memory @user/1", "reindex @user/1"]
)
def test_one_note_is_no_store_also_where_no_hq_is(cli: Cli, home: Path, words: str) -> None:
    name = words.split()[0]
    assert cli(*words.split()) == (
        2,
        "",
        f"memctl: error: '@user/1' is one note; {name} takes agents and @user\nmemctl: hint: memctl show @user/1\n",
    )


def test_json_of_list_has_the_notes_and_the_limit(cli: Cli, path: Path) -> None:
    [store] = json.loads(cli("list", "-j", "@user").out)["data"]["stores"]
    notes = store.pop("notes")
    assert store == {"address": "@user", "path": str(path), "bytes": len(TEXT), "limit": 102_400, "outside": 2}
    assert notes[1:3] == [
        {
            "address": "@user/2",
            "number": 2,
            "line": 4,
            "stamp": "2026-11-01 09:02 UTC",
            "text": "two reviewers,\n  at least",
        },
        {"address": "@user/3", "number": 3, "line": 6, "stamp": None, "text": "by hand"},
    ]


def test_json_of_no_file_has_null_for_its_bytes(cli: Cli) -> None:
    [store] = json.loads(cli("list", "-j", "@user").out)["data"]["stores"]
    assert (store["bytes"], store["notes"], store["outside"]) == (None, [], 0)


# --- show ---


def test_show_is_the_path_and_the_text_as_codewhale_shows_it(cli: Cli, path: Path) -> None:
    assert cli("show", "@user") == (0, f"{path}\n\n{TEXT}", OFF)


def test_show_raw_is_the_bytes(cli: Cli, path: Path) -> None:
    path.write_bytes(b"\n- a\r\n\n")
    assert cli("show", "--raw", "@user").out == "\n- a\r\n\n"
    assert cli("show", "--raw", "@user/1").out == "a\n"


def test_show_of_a_note_has_its_fields(cli: Cli, path: Path) -> None:
    assert cli("show", "@user/2", "@user/3") == (
        0,
        f"address: @user/2\nwritten: 2026-11-01 09:02 UTC\npath: {path}, line 4\n\ntwo reviewers,\n  at least\n"
        f"\naddress: @user/3\nwritten: by hand, without a stamp\npath: {path}, line 6\n\nby hand\n",
        OFF,
    )


def test_show_of_no_file_is_66_and_says_what_begins_it(cli: Cli, home: Path) -> None:
    assert cli("show", "@user") == (
        66,
        "",
        f"memctl: error: there is no user memory at '{home}/.deepseek/memory.md'\n"
        "memctl: hint: memctl remember NOTE begins it; memctl explain @user says where it is looked for\n",
    )


def test_show_of_a_note_that_is_not_there_is_66_and_the_rest_is_shown(cli: Cli, path: Path) -> None:
    done = cli("show", "@user/9", "@user/3")
    assert (done.code, done.out.splitlines()[0], done.err) == (66, "address: @user/3", NO_NOTE_9 + OFF)


@pytest.mark.parametrize("word", ["@user/0", "@user/x", "@user/*", "@user/", "@user/-1", "@user/1/2", "@user/³"])
def test_what_is_no_number_is_no_note(cli: Cli, path: Path, word: str) -> None:
    assert cli("show", word) == (
        2,
        "",
        f"memctl: error: '{word}' is no note\n"
        "memctl: hint: notes are numbered: @user/3; memctl list @user shows them\n",
    )


def test_show_says_of_a_file_that_is_not_utf_8_that_it_is_not_loaded_and_shows_it(cli: Cli, path: Path) -> None:
    path.write_bytes(b"- caf\xe9\n")
    assert cli("show", "@user") == (
        0,
        f"{path}\n\n- caf\ufffd\n",
        f"CodeWhale does not load this file: byte 5 is not UTF-8\n{OFF}",
    )


def test_json_of_show_has_notes_and_the_whole_text(cli: Cli, path: Path) -> None:
    data = json.loads(cli("show", "-j", "@user", "@user/3").out)["data"]
    note = {"address": "@user/3", "number": 3, "line": 6, "stamp": None, "text": "by hand"}
    [user] = data.pop("user_memories")
    assert data == {"memory": None, "memories": [], "not_loaded": [], "agents": [], "notes": [note]}
    assert list(user) == ["address", "path", "bytes", "limit", "notes", "content"]
    assert (user["content"], user["bytes"], user["notes"][2]) == (TEXT, len(TEXT), note)


def test_json_of_a_missing_note_is_an_error(cli: Cli, path: Path) -> None:
    value = json.loads(cli("show", "-j", "@user/9").out)
    assert value["data"] is None
    assert value["errors"] == [
        {
            "code": "not-found",
            "message": "no note 9 in the user memory; it has 4 notes",
            "path": None,
            "hint": "memctl list @user numbers them",
        }
    ]


# --- edit by options ---


def test_edit_replaces_the_text_of_one_note_and_no_other_byte(cli: Cli, path: Path, now: str) -> None:
    assert cli("edit", "@user/2", "--content", "three reviewers") == (
        0,
        "@user/2\tupdated\n",
        f"{CLOCK}updated @user/2\n{OFF}{UNDO}",
    )
    assert path.read_text() == TEXT.replace("two reviewers,\n  at least", "three reviewers")


def test_edit_takes_a_text_from_stdin(cli: Cli, path: Path) -> None:
    assert cli("edit", "@user/3", "--content", "-", stdin=b"from stdin,\n  two lines\n").code == 0
    assert path.read_text() == TEXT.replace("by hand", "from stdin,\n  two lines")


def test_edit_replaces_the_whole_file(cli: Cli, path: Path) -> None:
    assert cli("edit", "@user", "--content", "- a\n- b").out == "@user\tupdated\n"
    assert path.read_bytes() == b"- a\n- b"


@pytest.mark.parametrize(("word", "text"), [("@user/3", "by hand"), ("@user/3", "by hand\n"), ("@user", TEXT)])
def test_an_edit_that_changes_nothing_writes_nothing(cli: Cli, path: Path, word: str, text: str) -> None:
    before = tree(path.parent)
    assert cli("edit", word, "--content", text) == (0, f"{word}\tunchanged\n", f"no changes\n{OFF}")
    assert tree(path.parent) == before


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "the text of a note must not be empty\nmemctl: hint: memctl delete @user/3"),
        (
            "a\n- b",
            "the new text would not stay one note\n"
            "memctl: hint: indent the lines after the first, and begin none with a bullet or a heading",
        ),
        (
            "a\n\nb",
            "the new text would not stay one note\n"
            "memctl: hint: indent the lines after the first, and begin none with a bullet or a heading",
        ),
        (
            "caf\udce9",
            "the text is not UTF-8 (byte 3), and one such byte keeps CodeWhale from loading the file",
        ),
    ],
)
def test_a_text_that_is_no_note_is_not_valid(cli: Cli, path: Path, text: str, error: str) -> None:
    before = tree(path.parent)
    done = cli("edit", "@user/3", "--content", text)
    assert (done.code, done.out, done.err) == (65, "", f"memctl: error: {error}\n")
    assert tree(path.parent) == before


@pytest.mark.parametrize("option", ["--description=x", "--type=user", "--touch"])
def test_a_note_has_nothing_else_to_edit(cli: Cli, path: Path, option: str) -> None:
    before = tree(path.parent)
    assert cli("edit", "@user/1", option) == (
        2,
        "",
        "memctl: error: the user memory has no description, type or date\nmemctl: hint: --content gives the new text\n",
    )
    assert tree(path.parent) == before


def test_two_notes_get_no_one_text(cli: Cli, path: Path) -> None:
    before = tree(path.parent)
    assert cli("edit", "@user/1", "@user/3", "--content", "x").code == 2
    assert tree(path.parent) == before


def test_edit_without_a_terminal_wants_an_option(cli: Cli, path: Path) -> None:
    assert cli("edit", "@user") == (
        2,
        "",
        "memctl: error: edit opens an editor, and there is no terminal for one\n"
        "memctl: hint: give --description, --type or --content\n",
    )


def test_a_dry_edit_prints_the_same_and_changes_no_byte(cli: Cli, path: Path) -> None:
    before = tree(path.parent)
    dry = cli("edit", "-n", "@user/3", "--content", "x")
    assert (dry.code, dry.err) == (0, f"dry run: nothing was changed; 1 would be\n{OFF}")
    assert tree(path.parent) == before
    assert cli("edit", "@user/3", "--content", "x").out == dry.out


@pytest.mark.parametrize("dry", [True, False])
def test_json_of_an_edited_note(cli: Cli, path: Path, dry: bool) -> None:
    data = json.loads(cli("edit", "-j", *(["-n"] if dry else []), "@user/3", "--content", "x").out)["data"]
    one = {"address": "@user/3", "path": str(path), "action": "updated", "memory": None}
    assert data == {**one, "edits": [one], "dry_run": dry, "change": None if dry else 1}


# --- delete ---


def test_delete_takes_out_notes_and_no_other_byte(cli: Cli, path: Path, now: str) -> None:
    assert cli("delete", "-y", "@user/4", "@user/1", "@user/4") == (
        0,
        "@user/4\n@user/1\n",
        f"{CLOCK}deleted 2 notes, kept 2\n{OFF}{UNDO}",
    )
    assert path.read_bytes() == without(
        TEXT, "- (2024-05-03 22:14 UTC) prefer pytest\n", "* (2025-01-01 00:00 UTC) a star\nprose of the star\n"
    )


def test_delete_of_a_note_that_is_not_there_is_66_and_the_rest_goes(cli: Cli, path: Path) -> None:
    assert cli("delete", "-y", "@user/3", "@user/9") == (
        66,
        "@user/3\n",
        f"{NO_NOTE_9}deleted 1 note, kept 3\n{OFF}{UNDO}",
    )
    assert path.read_bytes() == without(TEXT, "- by hand\n")


def test_with_missing_ok_that_is_no_error(cli: Cli, path: Path) -> None:
    assert cli("delete", "-y", "--missing-ok", "@user/9") == (0, "", "nothing was deleted\n")


def test_delete_of_the_whole_user_memory_is_wrong_usage(cli: Cli, path: Path) -> None:
    before = tree(path.parent)
    assert cli("delete", "-y", "@user") == (
        2,
        "",
        "memctl: error: '@user' is the whole user memory\nmemctl: hint: all of it: memctl clear @user\n"
        "nothing was deleted\n",
    )
    assert tree(path.parent) == before


def test_delete_without_a_terminal_needs_yes(cli: Cli, path: Path) -> None:
    before = tree(path.parent)
    assert cli("delete", "@user/1") == (2, "", ASKED)
    assert tree(path.parent) == before


def test_a_dry_delete_prints_the_same_and_changes_no_byte(cli: Cli, path: Path) -> None:
    before = tree(path.parent)
    dry = cli("delete", "-n", "@user/1", "@user/3")
    assert (dry.code, dry.err) == (0, f"dry run: nothing was deleted; 2 would be\n{OFF}")
    assert tree(path.parent) == before
    assert cli("delete", "-y", "@user/1", "@user/3").out == dry.out


def test_notes_and_memories_go_in_one_command(cli: Cli, demo: Path) -> None:
    assert cli("delete", "-y", "@user/7", "billing-bot/api-migration") == (
        0,
        "1a2b3c4d/api-migration\n@user/7\n",
        f"deleted 2 memories and notes, kept 14\n{OFF}{UNDO}",
    )


@pytest.mark.parametrize("dry", [True, False])
def test_json_of_a_deleted_note(cli: Cli, path: Path, dry: bool) -> None:
    data = json.loads(cli("delete", "-j", "-n" if dry else "-y", "@user/2").out)["data"]
    removal = {"address": "@user/2", "path": str(path), "reasons": ["asked for"]}
    assert data == {"removals": [removal], "kept": 3, "directories": [], "dry_run": dry, "change": None if dry else 1}


# --- prune ---


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        (
            ["--older-than", "1y"],
            [
                "@user/1\twritten 2024-05-03 22:14 UTC, older than 1y",
                "@user/4\twritten 2025-01-01 00:00 UTC, older than 1y",
            ],
        ),
        (["--older-than", "1y", "--matching", "PYTEST"], ["@user/1\twritten 2024-05-03 22:14 UTC, older than 1y"]),
        (["--older-than", "1y", "--keep-last", "3"], ["@user/1\twritten 2024-05-03 22:14 UTC, older than 1y"]),
        (["--older-than", "1y", "--keep-last", "4"], []),
        (["--over", "3"], ["@user/1\tover the newest 3"]),
        (["--over", "0", "--keep-within", "2y"], ["@user/1\tover the newest 0"]),
    ],
)
def test_prune_goes_by_stamps_and_a_note_without_one_is_never_old(
    cli: Cli, path: Path, now: str, options: list[str], rows: list[str]
) -> None:
    before = tree(path.parent)
    done = cli("prune", "-n", "@user", *options)
    assert (done.code, done.out.splitlines()) == (0, rows)
    assert tree(path.parent) == before
    assert cli("prune", "-y", "@user", *options).out == done.out
    assert len(cli("list", "@user").rows) == 4 - len(rows)


def test_prune_says_what_went(cli: Cli, path: Path, now: str) -> None:
    done = cli("prune", "-y", "@user", "--older-than", "2y")
    assert done.err == f"{CLOCK}removed 1 note, kept 3\n{OFF}{UNDO}"
    assert path.read_bytes() == without(TEXT, "- (2024-05-03 22:14 UTC) prefer pytest\n")


def test_prune_keeps_the_newest_note_but_with_no_floor(cli: Cli, path: Path) -> None:
    path.write_bytes(b"- (2020-01-01 00:00 UTC) a\n")
    assert cli("prune", "-n", "@user", "--older-than", "1y").out == ""
    assert len(cli("prune", "-n", "@user", "--older-than", "1y", "--no-floor").rows) == 1


@pytest.mark.parametrize("option", ["--type=user", "--source=agent", "--name=x"])
def test_prune_knows_no_type_source_and_name_of_a_note(cli: Cli, path: Path, option: str) -> None:
    before = tree(path.parent)
    done = cli("prune", "-y", "@user", "--over", "0", option)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[:2] == [
        "memctl: error: notes of the user memory have no type, source or name",
        "memctl: hint: --matching TEXT narrows them",
    ]
    assert tree(path.parent) == before


def test_prune_without_a_terminal_needs_yes(cli: Cli, path: Path) -> None:
    before = tree(path.parent)
    assert cli("prune", "@user", "--over", "1") == (2, "", ASKED)
    assert tree(path.parent) == before


def test_prune_removes_nothing_beyond_the_bound(cli: Cli, path: Path) -> None:
    before = tree(path.parent)
    done = cli("prune", "-y", "@user", "--over", "1", "--max-removed", "50%")
    assert (done.code, done.out) == (77, "")
    assert done.err.splitlines()[0] == (
        "memctl: error: 3 of 4 notes of the user memory would go, over --max-removed 50%; nothing was removed"
    )
    assert tree(path.parent) == before


def test_prune_of_all_agents_leaves_the_user_memory_alone(cli: Cli, demo: Path) -> None:
    assert "@user" not in cli("prune", "-n", "--all", "--over", "0").out


def test_prune_takes_agents_and_the_user_memory_together(cli: Cli, demo: Path) -> None:
    done = cli("prune", "-y", "e4d81b36", "@user", "@user", "--over", "3")
    assert [row[0].partition("/")[0] for row in done.rows][-4:] == ["@user"] * 4
    assert done.code == 0


# --- auto-memory ---


@pytest.fixture
def config(home: Path) -> Path:
    """Give the place of CodeWhale's configuration."""
    (home / ".deepseek").mkdir(exist_ok=True)
    return home / ".deepseek/config.toml"


def test_the_switch_is_shown_with_what_says_so(cli: Cli, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("auto-memory", "@user") == (0, "@user\toff\tit is off by default\t\n", "")
    config.write_text("[memory]\nenabled = true\n")
    assert cli("auto-memory", "@user").out == "@user\ton\t[memory] enabled says so\t\n"
    monkeypatch.setenv("DEEPSEEK_MEMORY", "")
    assert cli("auto-memory", "@user").out == "@user\toff\tDEEPSEEK_MEMORY says so\t\n"


def test_the_switch_is_set_and_every_other_byte_stays(cli: Cli, config: Path, now: str) -> None:
    text = "# mine\nmodel = 'x'   # odd\n\n[memory]\n# off for now\nenabled = false # yes\nother = 1\n"
    config.write_text(text)
    config.chmod(0o640)
    assert cli("auto-memory", "@user", "on") == (
        0,
        "@user\ton\t[memory] enabled says so\tchanged in CodeWhale's configuration\n",
        f"{CLOCK}set [memory] enabled in '{config}'; restart CodeWhale's TUI for it to count\n{UNDO}",
    )
    assert config.read_text() == text.replace("enabled = false", "enabled = true")
    assert config.stat().st_mode & 0o777 == 0o640


def test_a_configuration_that_is_not_there_is_made(cli: Cli, home: Path) -> None:
    assert cli("auto-memory", "@user", "on").code == 0
    assert (home / ".deepseek/config.toml").read_text() == "[memory]\nenabled = true\n"


def test_a_switch_that_stands_so_is_not_written(cli: Cli, config: Path) -> None:
    config.write_text("[memory]\nenabled = true")
    before = tree(config.parent)
    assert cli("auto-memory", "@user", "on") == (0, "@user\ton\t[memory] enabled says so\t\n", "nothing to change\n")
    assert tree(config.parent) == before


def test_a_dry_switch_prints_the_same_and_changes_no_byte(cli: Cli, config: Path) -> None:
    config.write_text("[memory]\nenabled = true\n")
    before = tree(config.parent)
    dry = cli("auto-memory", "-n", "@user", "off")
    assert (dry.code, dry.err) == (0, "dry run: nothing was changed; 1 would be\n")
    assert tree(config.parent) == before
    assert cli("auto-memory", "@user", "off").out == dry.out


def test_what_overrides_the_file_is_said(cli: Cli, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_MEMORY", "no")
    assert cli("auto-memory", "@user", "on") == (
        0,
        "@user\toff\tDEEPSEEK_MEMORY overrides the configuration file\tchanged in CodeWhale's configuration\n",
        f"set [memory] enabled in '{config}', but DEEPSEEK_MEMORY overrides the configuration file\n{UNDO}",
    )
    assert config.read_text() == "[memory]\nenabled = true\n"


def test_a_profile_with_its_own_table_is_set_there(cli: Cli, config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "[memory]\nenabled = true\n\n[profiles.w.memory]\nenabled = true\n"
    config.write_text(text)
    monkeypatch.setenv("DEEPSEEK_PROFILE", "w")
    assert cli("auto-memory", "@user", "off").code == 0
    assert config.read_text() == "[memory]\nenabled = true\n\n[profiles.w.memory]\nenabled = false\n"


def test_a_configuration_that_is_a_link_stays_one(cli: Cli, config: Path, tmp_path: Path) -> None:
    fill(tmp_path, {"dotfile.toml": b""})
    config.symlink_to(tmp_path / "dotfile.toml")
    assert cli("auto-memory", "@user", "on").code == 0
    assert config.is_symlink()
    assert (tmp_path / "dotfile.toml").read_text() == "[memory]\nenabled = true\n"


def test_agents_and_the_user_memory_are_set_together(cli: Cli, demo: Path, config: Path) -> None:
    words = ("auto-memory", "--hq-stopped", "@user", "billing-bot", "off")
    config.write_text("[memory]\nenabled = true\n")
    dry = cli(*words, "-n")
    assert dry.err == "dry run: nothing was changed; 1 agent and @user would be\n"
    done = cli(*words)
    assert (done.out, [row[0] for row in done.rows]) == (dry.out, ["1a2b3c4d", "@user"])
    assert done.err == (
        f"set [memory] enabled in '{config}'; restart CodeWhale's TUI for it to count\nchanged 1 agent in agents.json\n"
        + UNDO
    )


def test_a_configuration_that_is_locked_does_not_stop_the_agents(cli: Cli, demo: Path, config: Path) -> None:
    config.write_text("[memory]\nenabled = true\n")
    folder = os.open(config.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        done = cli("auto-memory", "--hq-stopped", "--wait", "0", "@user", "billing-bot", "off")
    finally:
        os.close(folder)
    assert (done.code, [row[:3] for row in done.rows]) == (75, [["1a2b3c4d", "billing-bot", "off"]])
    assert config.read_text() == "[memory]\nenabled = true\n"


def test_a_configuration_that_cannot_be_read_does_not_stop_the_agents(cli: Cli, demo: Path, config: Path) -> None:
    config.mkdir()
    done = cli("auto-memory", "--hq-stopped", "@user", "billing-bot", "off")
    assert (done.code, [row[:3] for row in done.rows]) == (78, [["1a2b3c4d", "billing-bot", "off"]])
    assert done.err.splitlines()[0] == f"memctl: error: '{config}' is a directory, not a file"


@pytest.mark.parametrize("words", [[], ["off"], ["-n", "off"]])
def test_json_of_the_switch(cli: Cli, config: Path, words: list[str]) -> None:
    config.write_text("[memory]\nenabled = true\n")
    data = json.loads(cli("auto-memory", "-j", "@user", *words).out)["data"]
    state = {"address": "@user", "enabled": not words, "why": "[memory] enabled says so"}
    change = {"changed": bool(words), "way": "config" if words else None}
    more = {"dry_run": "-n" in words, "change": None if "-n" in words else 1} if words else {}
    assert data == {"agents": [state | change]} | more


# --- sweep-mode, reindex ---


def test_the_user_memory_has_no_sweep_and_the_agents_are_shown(cli: Cli, demo: Path) -> None:
    assert cli("sweep-mode", "@user") == (77, "", "memctl: error: the user memory has no sweep\n")
    done = cli("sweep-mode", "@user", "billing-bot")
    assert (done.code, [row[0] for row in done.rows]) == (77, ["1a2b3c4d"])
    assert done.err == "memctl: error: the user memory has no sweep\n"


def test_json_of_no_sweep_is_an_error(cli: Cli, path: Path) -> None:
    value = json.loads(cli("sweep-mode", "-j", "@user", "on").out)
    assert value["errors"] == [
        {"code": "protected", "message": "the user memory has no sweep", "path": str(path), "hint": None}
    ]


@pytest.mark.parametrize("option", [[], ["--check"], ["-n"]])
def test_without_an_index_there_is_nothing_to_reindex(cli: Cli, path: Path, option: list[str]) -> None:
    before = tree(path.parent)
    assert cli("reindex", *option, "@user") == (0, "", "nothing to do: the user memory has no index\n")
    assert tree(path.parent) == before


def test_the_agents_beside_it_are_reindexed(cli: Cli, demo: Path) -> None:
    assert cli("reindex", "-n", "@user", "billing-bot").err == "dry run: nothing was written; 0 of 1 index would be\n"


# --- import-legacy ---


def test_the_file_is_copied_to_the_native_tree_byte_for_byte(cli: Cli, path: Path, now: str) -> None:
    target = path.parent / "memory/global/MEMORY.md"
    assert cli("import-legacy", "@user") == (0, "@user\timported\t\n", f"{CLOCK}copied '{path}' to '{target}'\n{UNDO}")
    assert target.read_bytes() == path.read_bytes() == TEXT.encode()


@pytest.mark.parametrize("data", [b"", b"- new\n"])
def test_what_is_in_the_tree_stays(cli: Cli, path: Path, data: bytes) -> None:
    target = path.parent / "memory/global/MEMORY.md"
    fill(target.parent, {target.name: data})
    assert cli("import-legacy", "@user") == (
        1,
        f"@user\tnot imported\t'{target}' is there already\n",
        "nothing was imported\n",
    )
    assert target.read_bytes() == data


def test_a_missing_and_a_blank_file_are_not_imported(cli: Cli, home: Path) -> None:
    source = home / ".deepseek/memory.md"
    assert cli("import-legacy", "@user").out == f"@user\tnot imported\tthere is no file '{source}'\n"
    fill(source.parent, {source.name: b" \n"})
    done = cli("import-legacy", "@user")
    assert (done.code, done.out) == (1, f"@user\tnot imported\t'{source}' is blank\n")
    assert tree(home) == {".deepseek/memory.md": (b" \n", source.stat().st_mtime_ns)}


def test_a_file_that_is_not_utf_8_is_not_valid(cli: Cli, home: Path, path: Path) -> None:
    path.write_bytes(b"- caf\xe9\n")
    before = tree(home)
    assert cli("import-legacy", "@user") == (
        65,
        "",
        f"memctl: error: '{path}' is not UTF-8 (byte 5), so CodeWhale does not import it\n",
    )
    assert tree(home) == before


def test_a_dry_import_prints_the_same_and_makes_nothing(cli: Cli, path: Path) -> None:
    before = tree(path.parent)
    dry = cli("import-legacy", "-n", "@user")
    target = path.parent / "memory/global/MEMORY.md"
    assert (dry.code, dry.err) == (0, f"dry run: nothing was imported; '{target}' would be\n")
    assert (tree(path.parent), target.parent.exists()) == (before, False)
    assert cli("import-legacy", "@user").out == dry.out


@pytest.mark.parametrize("option", [["--file", "x"], ["--workspace", "x"], ["--force"]])
def test_options_for_an_agent_are_wrong_usage(cli: Cli, path: Path, option: list[str]) -> None:
    before = tree(path.parent)
    assert cli("import-legacy", "@user", *option) == (
        2,
        "",
        "memctl: error: --workspace, --file and --force are for an agent; CodeWhale imports the memory.md beside its"
        " tree\n",
    )
    assert tree(path.parent) == before


def test_the_user_memory_is_imported_alone(cli: Cli, demo: Path) -> None:
    before = tree(demo)
    assert cli("import-legacy", "@user", "billing-bot") == (
        2,
        "",
        "memctl: error: give @user alone: it is copied to CodeWhale's native tree, not to an agent\n",
    )
    assert tree(demo) == before


@pytest.mark.parametrize(("dry", "again"), [(True, False), (False, False), (False, True)])
def test_json_of_an_import(cli: Cli, path: Path, dry: bool, again: bool) -> None:
    if again:
        cli("import-legacy", "@user")
    done = cli("import-legacy", "-j", *(["-n"] if dry else []), "@user")
    imported = {
        "address": "@user",
        "imported": not again,
        "reason": "exists" if again else None,
        "truncated": False,
        "source": str(path),
    }
    data = {"imports": [imported], "dry_run": dry, "change": None if dry or again else 1}
    assert (done.code, json.loads(done.out)["data"]) == (int(again), data)


# --- the newer layouts ---


@pytest.mark.parametrize(
    ("scope", "rows"),
    [
        ("global", "global\t1\t# Head\nglobal\t3\tevery \\twhere\n"),
        ("workspace", "workspace\t1\there\n"),
        ("all", "global\t1\t# Head\nglobal\t3\tevery \\twhere\nworkspace\t1\there\n"),
    ],
)
def test_list_of_a_scope_has_a_row_for_each_entry(cli: Cli, root: Path, scope: str, rows: str) -> None:
    count = len(rows.splitlines())
    noun = "entry" if count == 1 else "entries"
    assert cli("list", "@user", "--scope", scope) == (0, rows, f"{count} {noun} in the native tree at '{root}'\n")


def test_list_of_a_scope_is_narrowed_by_a_text(cli: Cli, root: Path) -> None:
    assert cli("list", "@user", "--scope", "all", "--filter", "HERE").out == (
        "global\t3\tevery \\twhere\nworkspace\t1\there\n"
    )


@pytest.mark.parametrize(
    "option", ["-tuser", "-sagent", "--older-than=1y", "--since=1y", "--sort=size", "-r", "--addresses"]
)
def test_what_an_entry_does_not_have_is_wrong_usage(cli: Cli, root: Path, option: str) -> None:
    assert cli("list", "@user", "--scope", "all", option) == (
        2,
        "",
        "memctl: error: entries of the native tree have a scope and a text alone\n"
        "memctl: hint: --filter narrows them\n",
    )


@pytest.mark.parametrize("words", [["list", "billing-bot"], ["show", "billing-bot"], ["show", "@user/1"]])
def test_a_scope_is_for_the_user_memory_alone(cli: Cli, demo: Path, words: list[str]) -> None:
    assert cli(*words, "--scope", "all") == (2, "", "memctl: error: --scope is for @user alone\n")


@pytest.mark.parametrize("command", ["list", "show"])
def test_a_scope_that_there_is_not_is_wrong_usage(cli: Cli, root: Path, command: str) -> None:
    assert cli(command, "@user", "--scope", "mine") == (
        2,
        "",
        "memctl: error: 'mine' is no scope\nmemctl: hint: scopes are global, workspace, all\n",
    )


def test_show_of_a_scope_has_the_paths_and_the_texts(cli: Cli, root: Path) -> None:
    path = root / "global/MEMORY.md"
    assert cli("show", "@user", "--scope", "global") == (0, f"{path}\n\n# Head\n\n- every \twhere\n", "")
    assert cli("show", "@user", "--scope", "all", "--raw").out == "# Head\n\n- every \twhere\n- here\n"


def test_show_of_an_empty_tree_is_66(cli: Cli, path: Path) -> None:
    assert cli("show", "@user", "--scope", "global") == (
        66,
        "",
        f"memctl: error: there is no native memory under '{path.parent}/memory'\n"
        "memctl: hint: memctl show @user shows the single file\n",
    )


def test_json_of_a_scope_has_the_entries_with_their_lines(cli: Cli, root: Path) -> None:
    stores = json.loads(cli("list", "-j", "@user", "--scope", "all").out)["data"]["stores"]
    assert stores[0] == {
        "address": "@user",
        "scope": "global",
        "path": str(root / "global/MEMORY.md"),
        "bytes": 23,
        "entries": [{"line": 1, "text": "# Head"}, {"line": 3, "text": "every \twhere"}],
    }
    assert [store["scope"] for store in stores] == ["global", "workspace"]
    shown = json.loads(cli("show", "-j", "@user", "--scope", "all").out)["data"]
    assert shown == {"native": stores}


def test_a_tree_that_is_not_utf_8_is_not_valid(cli: Cli, root: Path) -> None:
    file = root / "global/MEMORY.md"
    file.write_bytes(b"- \xff\n")
    for command in ("list", "show"):
        assert cli(command, "@user", "--scope", "all") == (
            65,
            "",
            f"memctl: error: '{file}' is not UTF-8 (byte 2), so CodeWhale injects no native memory at all\n",
        )


def test_the_structured_store_is_listed_and_not_written(cli: Cli, path: Path) -> None:
    root = path.parent / "memory"
    store = make_structured(root)
    before = tree(root)
    assert cli("list", "@user", "--scope", "all") == (
        0,
        "{}\tactive\tfact\tTitle\ta\\nbody\n",
        f"1 memory in the structured store, which CodeWhale 0.10 reads\n0 entries in the native tree at '{root}'\n",
    )
    stores = json.loads(cli("list", "-j", "@user", "--scope", "all").out)["data"]["stores"]
    assert stores[-1] == {
        "address": "@user",
        "scope": "store",
        "path": str(store),
        "memories": [
            {"id": "i1", "scope": "{}", "kind": "fact", "status": "active", "title": "Title", "body": "a\nbody"}
        ],
    }
    assert tree(root) == before


def test_a_structured_store_that_is_none_does_not_stop_the_tree(cli: Cli, root: Path) -> None:
    fill(root, {"store.sqlite3": b"not a database"})
    message = f"cannot read '{root}/store.sqlite3': file is not a database"
    done = cli("list", "@user", "--scope", "all")
    assert (done.code, len(done.rows), done.err.splitlines()[0]) == (74, 3, f"memctl: error: {message}")
    value = json.loads(cli("list", "-j", "@user", "--scope", "all").out)
    assert [store["scope"] for store in value["data"]["stores"]] == ["global", "workspace"]
    assert [error["message"] for error in value["errors"]] == [message]


# --- every command ---

READING = {
    "list": "list @user",
    "list --scope": "list @user --scope global",
    "show": "show @user @user/1",
    "show --scope": "show @user --scope global",
    "path": "path",
    "prompt": "prompt",
    "explain": "explain @user",
    "recall": "recall @user pytest",
    "auto-memory": "auto-memory @user",
}
CHANGING = {
    "remember": "remember x",
    "edit": "edit @user/1 --content x",
    "delete": "delete -y @user/1",
    "prune": "prune -y @user --over 1",
    "auto-memory": "auto-memory @user on",
    "import-legacy": "import-legacy @user",
    "reindex": "reindex @user",
    "clear": "clear -y @user",
}
# What looks at the bytes of the file, and what of it is 0 where there is none.
OF_THE_FILE = {name: READING[name] for name in ("list", "show", "prompt", "recall")} | {
    name: CHANGING[name] for name in ("edit", "delete", "prune", "clear")
}


@pytest.mark.parametrize("words", [*READING.values(), *CHANGING.values()])
def test_no_data_folder_of_an_hq_is_needed(cli: Cli, home: Path, path: Path, words: str) -> None:
    if "--scope" in words:
        fill(path.parent / "memory/global", {"MEMORY.md": b"- x\n"})
    done = cli(*words.split())
    assert (done.code, "memctl: error" in done.err) == (0, False)
    assert not (home / ".dash").exists()


@pytest.mark.parametrize("words", [*READING.values(), *CHANGING.values()])
def test_quiet_is_not_a_byte(cli: Cli, path: Path, words: str) -> None:
    if "--scope" in words:
        fill(path.parent / "memory/global", {"MEMORY.md": b"- x\n"})
    assert cli("-q", *words.split()) == (0, "", "")


@pytest.mark.parametrize("words", READING.values())
def test_what_only_looks_changes_nothing(cli: Cli, home: Path, path: Path, words: str) -> None:
    before = tree(home)
    cli(*words.split())
    assert tree(home) == before


@pytest.mark.parametrize(
    ("config", "message", "hint"),
    [
        ("[memory]\nenabled = maybe\n", "'{config}' is not valid TOML: line 2, column 11: invalid value", None),
        ("[memory]\nenabled = 'on'\n", "'enabled' in '{config}' must be true or false, so CodeWhale does not start", None),
        ("memory = true\n", "'memory' in '{config}' is no table, so CodeWhale does not start", None),
        ("memory_path = 1\n", "'memory_path' in '{config}' must be text, so CodeWhale does not start", None),
        ("[profiles.a]\n[profiles.b]\n", "CodeWhale's profile 'work' does not exist", "profiles are: a, b"),
        ("", "CodeWhale's profile 'work' does not exist", "profiles are: none"),
    ],
    ids=["toml", "enabled", "memory", "path", "profile", "no profiles"],
)  # fmt: skip
@pytest.mark.parametrize("words", [*READING.values(), *CHANGING.values()])
def test_a_wrong_configuration_of_codewhale_is_78_and_nothing_is_changed(
    cli: Cli, path: Path, monkeypatch: pytest.MonkeyPatch, config: str, message: str, hint: str | None, words: str
) -> None:
    file = path.parent / "config.toml"
    file.write_text(config)
    if "profile" in message:
        monkeypatch.setenv("DEEPSEEK_PROFILE", "work")
    before = tree(path.parent)
    said = f"memctl: error: {message.format(config=file)}\n" + (f"memctl: hint: {hint}\n" if hint else "")
    assert cli(*words.split()) == (78, "", said)
    assert tree(path.parent) == before


@pytest.mark.parametrize(
    "words", [words for name, words in READING.items() if name != "explain"] + [*CHANGING.values()]
)
def test_a_path_that_no_file_can_have_is_78(cli: Cli, path: Path, words: str) -> None:
    fill(path.parent, {"config.toml": b'memory_path = "a\\u0000b"\n'})
    before = tree(path.parent)
    assert cli(*words.split()) == (
        78,
        "",
        "memctl: error: no file can have the path 'a\\x00b' (memory_path says so)\n",
    )
    assert tree(path.parent) == before


@pytest.mark.parametrize("words", [*OF_THE_FILE.values(), "remember x"])
def test_a_directory_at_the_path_is_not_valid(cli: Cli, path: Path, words: str) -> None:
    path.unlink()
    path.mkdir()
    done = cli(*words.split())
    errors = [line for line in done.err.splitlines() if line.startswith("memctl: ")]
    assert (done.code, done.out) == (65, "")
    assert set(errors) == {f"memctl: error: '{path}' is a directory, not a file"}
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("words", [*OF_THE_FILE.values(), "remember x"])
def test_a_dangling_link_is_66_and_stays(cli: Cli, path: Path, words: str) -> None:
    path.unlink()
    path.symlink_to("gone.md")
    done = cli(*words.split())
    lines = [line for line in done.err.splitlines() if line.startswith("memctl: ")]
    assert (done.code, done.out) == (66, "")
    assert set(lines) == {
        f"memctl: error: '{path}' is a symlink to '{path.parent}/gone.md', where nothing is",
        "memctl: hint: mend or remove the link",
    }
    assert (path.readlink(), len(list(path.parent.iterdir()))) == (Path("gone.md"), 1)


@pytest.mark.parametrize("words", OF_THE_FILE.values())
def test_a_file_of_200_mb_is_not_read_and_stays(cli: Cli, path: Path, words: str) -> None:
    os.truncate(path, 200 * 1024 * 1024)
    done = cli(*words.split())
    lines = [line for line in done.err.splitlines() if line.startswith("memctl: ")]
    assert (done.code, done.out) == (65, "")
    assert set(lines) == {
        f"memctl: error: '{path}' has 209,715,200 bytes; memctl reads user memories of up to 64 MiB",
        "memctl: hint: CodeWhale loads its first 102,400 bytes alone",
    }
    assert path.stat().st_size == 200 * 1024 * 1024


@pytest.mark.parametrize(
    "words", ["edit @user/1 --content x", "delete -y @user/1", "remember x", "prune -y @user --over 1"]
)
@pytest.mark.parametrize(
    "data",
    [b"- a\n- caf\xe9\n", b"- a\n- b\0c\n", b"\xef\xbb\xbf- a\r\n- b\r\n# \xff"],
    ids=["latin-1", "nul", "bom and crlf"],
)
def test_bytes_that_nobody_asked_about_stay(cli: Cli, path: Path, now: str, words: str, data: bytes) -> None:
    path.write_bytes(data)
    assert cli(*words.split()).code == 0
    lines = data.splitlines(keepends=True)
    new = path.read_bytes()
    assert b"".join(lines[1:]) in new
    assert new.startswith(b"\xef\xbb\xbf") is data.startswith(b"\xef\xbb\xbf")


def test_utf_16_is_no_note_and_is_left_alone(cli: Cli, path: Path) -> None:
    data = "- a\n- b\n".encode("utf-16")
    path.write_bytes(data)
    assert cli("list", "@user") == (0, "", f"0 notes in the user memory, 3 lines outside of notes\n{OFF}")
    assert cli("delete", "-y", "@user/1").code == 66
    assert cli("show", "--raw", "@user").out == data.decode("utf-8", "surrogateescape")
    assert path.read_bytes() == data


@pytest.mark.parametrize("words", ["remember x", "edit @user/1 --content x", "delete -y @user/1"])
def test_a_link_of_the_same_user_is_resolved_and_stays_a_link(cli: Cli, path: Path, tmp_path: Path, words: str) -> None:
    target = fill(tmp_path / "dotfiles", {"notes.md": TEXT.encode()}) / "notes.md"
    path.unlink()
    path.symlink_to(target)
    assert cli(*words.split()).code == 0
    assert path.readlink() == target
    assert target.read_text() != TEXT
    assert list(target.parent.iterdir()) == [target]


def test_a_file_of_two_names_keeps_its_other_name_as_it_was(cli: Cli, path: Path) -> None:
    os.link(path, path.parent / "backup")
    assert cli("delete", "-y", "@user/1").code == 0
    assert (path.parent / "backup").read_text() == TEXT


# --- another user ---


@pytest.fixture
def shared() -> Iterator[Path]:
    """Give a home of root's that everybody may look into, with a user memory; a test's own home is closed to others."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o755)
    fill(place / ".deepseek", {"memory.md": TEXT.encode()})
    yield place
    shutil.rmtree(place)


@needs_root
@pytest.mark.parametrize("words", ["remember x", "edit @user/1 --content x", "delete -y @user/1", "clear -y @user"])
def test_a_file_that_may_not_be_written_is_77_and_stays(shared: Path, words: str) -> None:
    before = tree(shared)
    done = as_nobody(*words.split(), env={"HOME": str(shared)})
    assert (done.code, done.out) == (77, "")
    assert f"memctl: error: cannot write '{shared}/.deepseek/memory.md': permission denied\n" in done.err
    assert tree(shared) == before


@needs_root
@pytest.mark.parametrize("words", [words for name, words in OF_THE_FILE.items() if name != "explain"])
def test_a_file_that_may_not_be_read_is_74(shared: Path, words: str) -> None:
    (shared / ".deepseek/memory.md").chmod(0o600)
    done = as_nobody(*words.split(), env={"HOME": str(shared)})
    assert (done.code, done.out) == (74, "")
    assert f"memctl: error: cannot read '{shared}/.deepseek/memory.md': permission denied\n" in done.err


@needs_root
def test_a_directory_that_may_not_be_written_is_77_and_gets_nothing(shared: Path) -> None:
    (shared / ".deepseek/memory.md").unlink()
    done = as_nobody("remember", "x", env={"HOME": str(shared)})
    assert (done.code, done.out) == (77, "")
    assert done.err == f"memctl: error: cannot write '{shared}/.deepseek/memory.md': permission denied\n"
    assert list((shared / ".deepseek").iterdir()) == []


@needs_root
def test_a_home_in_which_no_directory_can_be_made_is_77(shared: Path) -> None:
    shutil.rmtree(shared / ".deepseek")
    done = as_nobody("remember", "x", env={"HOME": str(shared)})
    assert done == (77, "", f"memctl: error: cannot write '{shared}/.deepseek': permission denied\n")


@needs_root
def test_a_link_to_a_file_of_another_user_is_not_written_through(shared: Path) -> None:
    file, link = shared / "roots.md", shared / ".deepseek/memory.md"
    os.replace(link, file)
    file.chmod(0o666)
    link.symlink_to(file)
    os.chown(link.parent, NOBODY, NOBODY)
    os.chown(link, NOBODY, NOBODY, follow_symlinks=False)
    for words in ("remember x", "clear -y @user"):
        done = as_nobody(*words.split(), env={"HOME": str(shared)})
        assert (done.code, done.out) == (77, "")
        assert f"memctl: error: '{link}' is a symlink to '{file}', a file of another user\n" in done.err
    assert file.read_text() == TEXT


@needs_root
def test_root_leaves_the_file_to_its_owner(shared: Path) -> None:
    folder = shared / ".deepseek"
    os.chown(folder, NOBODY, NOBODY)
    (folder / "memory.md").unlink()
    assert spawn("remember", "x", env={"HOME": str(shared)}).code == 0
    made = (folder / "memory.md").stat()
    assert (made.st_uid, made.st_gid) == (NOBODY, NOBODY)
    assert as_nobody("delete", "-y", "@user/1", env={"HOME": str(shared)}).code == 0


# --- at a terminal ---


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the directory where the text for the editor is put."""
    place = tmp_path / "scratch"
    place.mkdir()
    monkeypatch.setenv("TMPDIR", str(place))
    monkeypatch.setenv("MEMCTL_NOW", NOW)
    return place


@pytest.fixture
def editing(path: Path, tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Session]:
    """Give a function that edits the user memory with a small program as the editor."""

    def start(word: str, text: str, *options: str) -> Session:
        monkeypatch.setenv("VISUAL", script(tmp_path / "editor", text))
        return Session("edit", word, *options, columns=400)

    return start


@pytest.mark.parametrize(("word", "text"), [("@user", TEXT), ("@user/2", "two reviewers,\n  at least\n")])
def test_the_editor_gets_the_text_alone(
    editing: Callable[..., Session], path: Path, tmp_path: Path, scratch: Path, word: str, text: str
) -> None:
    code, shown = editing(word, f'cp "$1" {tmp_path}/seen; sleep 0.6').end()
    assert (code, shown) == (0, f"{CLOCK}no changes\n{OFF}")
    assert (tmp_path / "seen").read_text() == text
    assert (path.read_text(), list(scratch.iterdir())) == (TEXT, [])


@pytest.mark.parametrize(
    ("word", "editor", "old", "new"),
    [
        ("@user", "sed -i s/hand/foot/ \"$1\"", "hand", "foot"),
        ("@user/3", "echo 'by foot,\n  slowly' > \"$1\"", "by hand", "by foot,\n  slowly"),
    ],
)  # fmt: skip
def test_what_was_edited_is_written_and_no_other_byte(
    editing: Callable[..., Session], path: Path, scratch: Path, word: str, editor: str, old: str, new: str
) -> None:
    code, shown = editing(word, editor).end()
    assert (code, shown) == (0, f"{CLOCK}updated {word}\n{OFF}{UNDO}")
    assert (path.read_text(), list(scratch.iterdir())) == (TEXT.replace(old, new), [])


def test_the_editor_begins_a_file_that_is_not_there(editing: Callable[..., Session], path: Path) -> None:
    path.unlink()
    assert editing("@user", 'echo "- first" > "$1"').end()[0] == 0
    assert path.read_text() == "- first\n"


@pytest.mark.parametrize("word", ["@user", "@user/3"])
def test_a_dry_edit_in_the_editor_writes_nothing(
    editing: Callable[..., Session], path: Path, scratch: Path, word: str
) -> None:
    code, shown = editing(word, 'echo x > "$1"', "-n").end()
    assert (code, shown) == (0, f"dry run: nothing was changed; 1 would be\n{OFF}")
    assert (path.read_text(), list(scratch.iterdir())) == (TEXT, [])


WRONG = {
    "@user": (r"printf 'a\377' > "'"$1"', "the text is not UTF-8 (byte 1), and one such byte keeps CodeWhale from loading the file"),
    "@user/3": (r"printf 'a\n- b\n' > "'"$1"', "the new text would not stay one note"),
}  # fmt: skip


@pytest.mark.parametrize("word", WRONG)
def test_what_is_wrong_is_said_and_who_gives_up_keeps_the_text(
    editing: Callable[..., Session], path: Path, scratch: Path, word: str
) -> None:
    editor, error = WRONG[word]
    session = editing(word, editor)
    session.expect_exact("[e]dit again or [g]ive up? ")
    assert session.before.splitlines()[1] == f"memctl: error: {error}"
    session.sendline("g")
    code, shown = session.end()
    [kept] = scratch.iterdir()
    assert (code, shown.strip()) == (1, f"nothing was written; your text is kept in '{kept}'")
    assert kept.read_bytes().startswith(b"a")
    assert path.read_text() == TEXT


@pytest.mark.parametrize(
    ("word", "good", "new"), [("@user", "- good", "- good\n"), ("@user/3", "good", TEXT.replace("by hand", "good"))]
)
def test_what_is_wrong_can_be_edited_again(
    editing: Callable[..., Session], path: Path, tmp_path: Path, scratch: Path, word: str, good: str, new: str
) -> None:
    editor, _ = WRONG[word]
    seen = tmp_path / "seen"
    again = f'cp "$1" {seen}; echo "{good}" > "$1"'
    session = editing(word, f"if [ -e {seen} ]; then {again}; else touch {seen}; {editor}; fi")
    session.expect_exact("[e]dit again or [g]ive up? ")
    session.sendline("e")
    assert session.end()[0] == 0
    assert seen.read_bytes().startswith(b"a")  # the text stands as it was left
    assert (path.read_text(), list(scratch.iterdir())) == (new, [])


@pytest.mark.parametrize("word", ["@user", "@user/3"])
def test_a_file_that_changed_underneath_is_75_and_the_text_is_kept(
    editing: Callable[..., Session], path: Path, scratch: Path, word: str
) -> None:
    code, shown = editing(word, f'echo mine > "$1"; echo "- theirs" >> {path}').end()
    [kept] = scratch.iterdir()
    assert code == 75
    assert f"your text is kept in '{kept}'\n" in shown
    assert f"memctl: error: '{path}' changed while memctl worked; nothing was overwritten\n" in shown
    assert (kept.read_text(), path.read_text()) == ("mine\n", f"{TEXT}- theirs\n")


@pytest.mark.parametrize("word", ["@user", "@user/3"])
def test_an_editor_that_fails_writes_nothing_and_the_text_is_kept(
    editing: Callable[..., Session], path: Path, scratch: Path, word: str
) -> None:
    code, shown = editing(word, 'echo mine > "$1"; exit 3').end()
    [kept] = scratch.iterdir()
    assert (code, shown) == (
        1,
        f"{CLOCK}memctl: error: the editor ended with 3; nothing was written; your text is kept in '{kept}'\n",
    )
    assert (kept.read_text(), path.read_text()) == ("mine\n", TEXT)


def test_delete_asks_with_the_notes(path: Path) -> None:
    session = Session("delete", "@user/2", "@user/3")
    session.expect_exact("Remove 2 notes? [y/N] ")
    assert session.before.splitlines() == ["  @user/2  two reviewers,", "  @user/3  by hand"]
    session.sendline("n")
    code, shown = session.end()
    assert (code, shown.strip(), path.read_text()) == (1, "nothing was deleted", TEXT)


def test_delete_after_yes_takes_the_notes_out(path: Path) -> None:
    session = Session("delete", "@user/3")
    session.expect_exact("Remove 1 note? [y/N] ")
    session.sendline("y")
    code, shown = session.end()
    assert (code, shown.lstrip()) == (0, f"deleted 1 note, kept 3\n{OFF}{UNDO}")
    assert path.read_bytes() == without(TEXT, "- by hand\n")


def test_a_note_that_was_added_during_the_question_is_not_lost(path: Path) -> None:
    session = Session("delete", "@user/3")
    session.expect_exact("Remove 1 note? [y/N] ")
    with path.open("a") as file:
        file.write("- meanwhile\n")
    session.sendline("y")
    code, shown = session.end()
    assert code == 75
    assert "nothing was deleted\n" in shown
    assert "undo: " not in shown
    assert path.read_text() == f"{TEXT}- meanwhile\n"


def test_prune_asks_with_the_reasons(path: Path, now: str) -> None:
    session = Session("prune", "@user", "--older-than", "2y", columns=200)
    session.expect_exact("Remove 1 note? [y/N] ")
    assert session.before.splitlines() == ["  @user/1  prefer pytest (written 2024-05-03 22:14 UTC, older than 2y)"]
    session.sendline("")
    assert session.end()[0] == 1
    assert path.read_text() == TEXT


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("words", ["list @user", "show @user", "show @user/2", "explain @user"])
def test_no_line_is_wider_than_the_terminal(path: Path, words: str, columns: int) -> None:
    path.write_text(f"{TEXT}- {'long words ' * 20}東京{'東' * 60}\n")
    shown = without_color(at_terminal("--no-pager", *words.split(), columns=columns).out)
    data = shown.partition(OFF)[0].partition("5 notes in")[0]
    wide = {line: sum(2 if ord(character) > 0x2E80 else 1 for character in line) for line in data.splitlines()}
    assert data
    assert {line: width for line, width in wide.items() if width > columns} == {}


@pytest.mark.parametrize(
    "words",
    [
        "list @user",
        "show @user",
        "show --plain @user",
        "show @user/1",
        "delete -n @user/1",
        "prompt",
        "recall @user tabs",
        "list @user --scope all",
        "show @user --scope global",
        "prompt --scope global",
    ],
)
def test_what_a_terminal_would_obey_is_made_visible(path: Path, words: str) -> None:
    path.write_text(f"- tabs {EVIL} end\n")
    fill(path.parent / "memory/global", {"MEMORY.md": path.read_bytes()})
    make_structured(path.parent / "memory")
    shown = at_terminal("--color", "never", *words.split(), columns=200).out
    assert set(shown) & set("\x1b\x07\u009b\u202e\u200b") == set()
    assert ("^[]0;title^G" in shown) is ("delete" not in words)


@pytest.mark.parametrize(
    "words",
    [
        "list @user",
        "show @user",
        "show @user/1",
        "prompt",
        "recall @user tabs",
        "list @user --scope all",
        "show @user --scope global",
    ],
)
def test_a_pipe_gets_it_raw(cli: Cli, path: Path, words: str) -> None:
    path.write_text(f"- tabs {EVIL} end\n")
    fill(path.parent / "memory/global", {"MEMORY.md": path.read_bytes()})
    assert f"tabs {EVIL} end\n" in cli(*words.split()).out


def test_a_table_of_notes_has_number_text_and_stamp(path: Path) -> None:
    assert at_terminal("list", "@user", "--color", "never").out == (
        f"{path}\n"
        "  1  prefer pytest      2024-05-03 22:14 UTC\n"
        "  2  two reviewers,     2026-11-01 09:02 UTC\n"
        "       at least\n"
        "  3  by hand\n"
        "  4  a star             2025-01-01 00:00 UTC\n"
        "     prose of the star\n"
        "\n"
        f"4 notes in the user memory, 2 lines outside of notes\n{OFF}"
    ).replace(f"{path}\n", _folded(str(path), 80))


def _folded(text: str, width: int) -> str:
    """Return a long word as a terminal of that width gets it."""
    return "".join(text[at : at + width] + "\n" for at in range(0, len(text), width))
