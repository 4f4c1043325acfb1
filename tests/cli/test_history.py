"""`memctl history`: what memctl changed, newest first, and what of it is forgotten for good."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from tests.cli.running import Session, without_color
from tests.conftest import Cli
from tests.stores import contents

HEAD = "these are memctl's changes, not the agents': memctl list --since shows those\n"
AGENT = "memory/1a2b3c4d"
CHANGE_KEYS = {
    "id", "time", "command", "user", "uid", "host", "session", "kind", "target", "done", "undone_by", "files",
}  # fmt: skip
FILE_KEYS = {"store", "path", "action", "changed"}


def secret() -> str:
    """Return a text that no compression makes much of."""
    return random.randbytes(900).hex()


def edit(cli: Cli, text: str, name: str = "api-migration") -> None:
    assert cli("edit", f"billing-bot/{name}", "--content", text).code == 0


def raw(home: Path) -> bytes:
    folder = home / ".local/state/memctl"
    return b"".join((folder / name).read_bytes() for name in sorted(os.listdir(folder)))


def ids(cli: Cli, *words: object) -> list[int]:
    return [int(row[0]) for row in cli("history", *words).rows]


def test_without_a_history_nothing_is_listed(cli: Cli, demo: Path, home: Path) -> None:
    assert cli("history") == (0, "", HEAD)
    assert not (home / ".local").exists()


def test_the_columns_are_id_time_user_state_files_command(cli: Cli, demo: Path, now: str) -> None:
    cli("delete", "-y", "billing-bot/api-migration")
    cli("undo")
    cli("redo")
    done = cli("history")
    assert done.err.startswith(HEAD)
    assert [row[:2] + row[3:5] for row in done.rows] == [
        ["3", "2026-11-30T12:00:00.000Z", "redo of 1", "2"],
        ["2", "2026-11-30T12:00:00.000Z", "undo of 1, undone by 3", "2"],
        ["1", "2026-11-30T12:00:00.000Z", "", "2"],
    ]
    assert {len(row) for row in done.rows} == {6}


def test_the_changes_of_one_store_can_be_listed(cli: Cli, demo: Path) -> None:
    edit(cli, "new")
    cli("remember", "a note")
    cli("delete", "-y", "docs-writer/style-guide")
    cli("prune", "-y", "--all", "--over", "1", "--no-floor")
    assert ids(cli) == [4, 3, 2, 1]
    assert ids(cli, "billing-bot") == [4, 1]
    assert ids(cli, "docs-writer") == [4, 3]
    assert ids(cli, "@user") == [2]


def test_one_change_is_shown_with_its_diffs(cli: Cli, demo: Path) -> None:
    edit(cli, "new text")
    done = cli("history", "--show", "1")
    assert done.code == 0
    assert f"+++ {demo}/{AGENT}/api-migration.md\n" in done.out
    assert "\n+new text\n" in done.out
    assert "new text" not in cli("history", "docs-writer").out


@pytest.mark.parametrize("words", [["--show", "9"], ["--forget", "9", "-y"]])
@pytest.mark.parametrize("any_at_all", [True, False])
def test_a_change_that_is_not_there_is_not_found(cli: Cli, demo: Path, words: list[str], any_at_all: bool) -> None:
    if any_at_all:
        edit(cli, "new")
    done = cli("history", *words)
    assert (done.code, done.err.startswith("memctl: error: no change 9 in the history")) == (66, True)


def test_json_has_these_keys(cli: Cli, demo: Path) -> None:
    cli("delete", "-y", "billing-bot/api-migration")
    for words in ([], ["--show", "1"]):
        value = json.loads(cli("history", "-j", *words).out)
        assert set(value) == {"schema", "memctl", "host", "command", "data", "errors"}
        assert set(value["data"]) == {"changes"}
        (change,) = value["data"]["changes"]
        assert set(change) == CHANGE_KEYS
        assert [set(file) for file in change["files"]] == [FILE_KEYS] * 2
        assert change["files"][0] == {
            "store": "1a2b3c4d",
            "path": f"{demo}/{AGENT}/api-migration.md",
            "action": "removed",
            "changed": True,
        }


def test_json_of_nothing_is_an_empty_list(cli: Cli, demo: Path) -> None:
    assert json.loads(cli("history", "-j").out)["data"] == {"changes": []}


def test_what_is_forgotten_leaves_no_byte(cli: Cli, demo: Path, home: Path) -> None:
    text = secret()
    edit(cli, text)
    edit(cli, "harmless")
    there = contents(demo / AGENT)
    # Compressed, the text is not to be seen: its image is.
    import hashlib
    import zlib

    data = cli("history", "--show", "1").out
    assert text in data
    packed = [zlib.compress(file) for file in _images(home) if text.encode() in file]
    assert len(packed) == 1
    assert packed[0][100:140] in raw(home)
    assert cli("history", "--forget", "1", "-y").code == 0
    # The second change has the same bytes before it.
    assert packed[0][100:140] in raw(home)
    done = cli("history", "-j", "--forget", "2", "-y")
    assert json.loads(done.out)["data"] == {"forgotten": [2]}
    assert packed[0][100:140] not in raw(home)
    assert hashlib.sha256(text.encode()).hexdigest().encode() not in raw(home)
    assert contents(demo / AGENT) == there
    assert ids(cli) == []
    assert cli("undo").code == 66


def _images(home: Path) -> list[bytes]:
    import sqlite3
    import zlib

    connection = sqlite3.connect(home / ".local/state/memctl/history.db")
    found = [zlib.decompress(row[0]) for row in connection.execute("SELECT data FROM images").fetchall()]
    connection.close()
    return found


@pytest.mark.parametrize("words", [["--forget", "1"], ["--prune", "--number", "0"]])
def test_forgetting_asks_and_needs_yes_elsewhere(cli: Cli, demo: Path, words: list[str]) -> None:
    edit(cli, "new")
    assert cli("history", *words).code == 2
    with Session("history", *words) as session:
        session.expect_exact("for good?")
        session.sendline("n")
        code, shown = session.end()
    assert code == 1
    assert "nothing was forgotten" in shown
    assert ids(cli) == [1]


def test_old_changes_go_by_number(cli: Cli, demo: Path) -> None:
    for text in "abcd":
        edit(cli, text)
    done = cli("history", "--prune", "--number", "1", "-y", "-j")
    assert json.loads(done.out)["data"] == {"forgotten": [1, 2, 3]}
    assert ids(cli) == [4]


def test_old_changes_go_by_age(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-01T12:00:00Z")
    edit(cli, "old")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-30T12:00:00Z")
    edit(cli, "new")
    assert cli("history", "--prune", "--days", "30", "-y").code == 0
    assert ids(cli) == [2, 1]
    assert cli("history", "--prune", "--days", "28", "-y").err.endswith("forgot 1 change\n")
    assert ids(cli) == [2]


def test_old_changes_go_by_size(cli: Cli, demo: Path) -> None:
    for _ in range(3):
        edit(cli, secret())
    assert cli("history", "--prune", "--mb", "0.003", "-y").code == 0
    assert ids(cli) == [3]


@pytest.mark.parametrize(
    ("variable", "value", "left"), [("MEMCTL_HISTORY_DAYS", "20", [2]), ("MEMCTL_HISTORY_DAYS", "30", [2, 1])]
)
def test_old_changes_go_by_themselves_by_the_settings(
    cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, left: list[int]
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-01T12:00:00Z")
    edit(cli, "old")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-30T12:00:00Z")
    monkeypatch.setenv(variable, value)
    edit(cli, "new")
    assert ids(cli) == left


def test_without_a_bound_prune_goes_by_the_settings(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-08-01T12:00:00Z")
    edit(cli, "old")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-30T12:00:00Z")
    assert cli("history", "--prune", "-y").err.endswith("forgot 1 change\n")


@pytest.mark.parametrize("words", [["--show", "1", "--forget", "1"], ["--prune", "--show", "1"]])
def test_one_thing_at_a_time(cli: Cli, demo: Path, words: list[str]) -> None:
    assert cli("history", *words).code == 2


def test_a_person_is_told_how_long_ago_a_change_was(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-30T09:30:00Z")
    edit(cli, "new")
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-30T12:00:00Z")
    with Session("history", columns=120) as session:
        _, shown = session.end()
    (line,) = [line for line in without_color(shown).splitlines() if line.lstrip().startswith("1 ")]
    assert "1  2 hours ago" in line
    assert line.rstrip().endswith(", 1 file")
    assert "Z" not in line
    assert cli("history").rows[0][1] == "2026-11-30T09:30:00.000Z"
