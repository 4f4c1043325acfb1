"""`memctl edit` by options, and what it refuses; the editor itself is in test_terminal.py."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.running import tree
from tests.conftest import UNDO, Cli
from tests.stores import fill, memory, register

FILE = "memory/1a2b3c4d/api-migration.md"


@pytest.fixture
def one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the file of the only memory."""
    monkeypatch.setenv("MEMCTL_ROOT", str(tmp_path / "data"))
    return fill(tmp_path / "data/memory/a", {"x.md": memory("x")}) / "x.md"


def test_a_description_can_be_changed(cli: Cli, one: Path, now: str) -> None:
    assert cli("edit", "a/x", "--description", "new words") == (
        0,
        "a/x\tupdated\n",
        f"MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z\nupdated a/x\n{UNDO}",
    )
    assert one.read_bytes() == memory("x", description="new words", source="user", updated="2026-11-30")


def test_a_type_can_be_changed_by_its_short_option(cli: Cli, one: Path, now: str) -> None:
    assert cli("edit", "-t", "feedback", "a/x").code == 0
    assert one.read_bytes() == memory("x", type="feedback", source="user", updated="2026-11-30")


def test_a_content_can_be_changed(cli: Cli, one: Path, now: str) -> None:
    assert cli("edit", "a/x", "--content", "new\r\ntext").code == 0
    assert one.read_bytes() == memory("x", content="new\ntext", source="user", updated="2026-11-30")


def test_a_content_can_come_from_stdin(cli: Cli, one: Path, now: str) -> None:
    assert cli("edit", "a/x", "--content", "-", stdin="größer\n".encode()).code == 0
    assert one.read_bytes() == memory("x", content="größer", source="user", updated="2026-11-30")


def test_a_content_that_is_no_utf_8_is_refused(cli: Cli, one: Path) -> None:
    before = one.read_bytes()
    done = cli("edit", "a/x", "--content", "-", stdin=b"ab\xff")
    assert done == (65, "", "memctl: error: standard input is not UTF-8: byte 2\n")
    assert one.read_bytes() == before


def test_touch_sets_the_date_alone(cli: Cli, one: Path, now: str) -> None:
    assert cli("edit", "a/x", "--touch").out == "a/x\tupdated\n"
    assert one.read_bytes() == memory("x", source="user", updated="2026-11-30")


def test_an_edit_that_changes_nothing_writes_nothing(cli: Cli, one: Path) -> None:
    before = tree(one.parent)
    assert cli("edit", "a/x", "--description", "about x") == (0, "a/x\tunchanged\n", "no changes\n")
    assert tree(one.parent) == before


def test_keys_that_memctl_does_not_know_stay(cli: Cli, one: Path, now: str) -> None:
    one.write_bytes(memory("x", extra="owner: me\n"))
    cli("edit", "a/x", "--description", "new")
    assert one.read_bytes() == memory("x", description="new", source="user", updated="2026-11-30", extra="owner: me\n")


def test_the_index_follows(cli: Cli, one: Path) -> None:
    cli("edit", "a/x", "--description", "new words")
    assert (one.parent / "MEMORY.md").read_text().endswith("- **x** — new words\n")


def test_a_dry_run_prints_the_same_line_and_changes_no_byte(cli: Cli, one: Path) -> None:
    before = tree(one.parent)
    dry = cli("edit", "-n", "a/x", "--description", "new words")
    assert (dry.code, dry.err) == (0, "dry run: nothing was changed; 1 would be\n")
    assert tree(one.parent) == before
    assert cli("edit", "a/x", "--description", "new words").out == dry.out


def test_quiet_prints_not_a_byte(cli: Cli, one: Path) -> None:
    assert cli("edit", "-q", "a/x", "--description", "new words") == (0, "", "")


def test_several_memories_get_one_type(cli: Cli, demo: Path) -> None:
    done = cli("edit", "e4d81b36/*", "--type", "reference")
    assert (done.code, len(done.rows)) == (0, 4)


def test_several_memories_get_no_one_description(cli: Cli, demo: Path) -> None:
    assert cli("edit", "e4d81b36/*", "--description", "x") == (
        2,
        "",
        "memctl: error: a description or a content is for one memory\n"
        "memctl: hint: several can get one --type, or --touch\n",
    )


def test_without_a_terminal_there_is_no_editor(cli: Cli, one: Path) -> None:
    assert cli("edit", "a/x") == (
        2,
        "",
        "memctl: error: edit opens an editor, and there is no terminal for one\n"
        "memctl: hint: give --description, --type or --content\n",
    )


def test_addresses_are_not_read_from_stdin(cli: Cli, one: Path) -> None:
    assert cli("edit", "-", "--touch").code == 2


def test_a_wrong_type_is_not_valid(cli: Cli, one: Path) -> None:
    before = one.read_bytes()
    done = cli("edit", "a/x", "--type", "todo")
    assert (done.code, done.out, one.read_bytes()) == (65, "", before)


def test_all_that_is_wrong_is_said(cli: Cli, one: Path) -> None:
    done = cli("edit", "a/x", "--type", "todo", "--description", "d" * 201, "--content", "c" * 2049)
    assert (done.code, done.err.count("memctl: error: ")) == (65, 3)


@pytest.mark.parametrize("text", ["[todo]", "|"])
def test_what_the_hq_would_write_and_lose_is_refused(cli: Cli, one: Path, text: str) -> None:
    before = one.read_bytes()
    done = cli("edit", "a/x", "--description", text)
    assert (done.code, one.read_bytes()) == (65, before)
    assert done.err.startswith(f"memctl: error: the HQ would not read the description '{text}' back")


def test_a_file_that_cannot_be_read_is_74(cli: Cli, demo: Path) -> None:
    path = demo / "memory/1a2b3c4d/huge.md"
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    os.truncate(path, 3 << 30)  # what root cannot read either
    done = cli("edit", "billing-bot/huge", "--touch")
    assert (done.code, done.out, done.err) == (74, "", f"memctl: error: cannot read '{path}': file too large\n")


def test_a_file_that_is_not_loaded_is_not_edited(cli: Cli, demo: Path) -> None:
    done = cli("edit", "docs-writer/meeting-2026-10-15", "--touch")
    path = demo / "memory/7c09e5f2/meeting-2026-10-15.md"
    assert done == (
        65,
        "",
        f"memctl: error: the HQ does not load '{path}': the type 'note' is not one of user, feedback, project,"
        " reference\nmemctl: hint: mend it by hand\n",
    )


def test_bytes_that_are_no_utf_8_are_not_lost(cli: Cli, one: Path) -> None:
    data = memory("x", content="caf").rstrip() + b"\xe9\n"
    one.write_bytes(data)
    assert cli("edit", "a/x", "--description", "new").code == 65
    assert one.read_bytes() == data


def test_bytes_that_are_no_utf_8_can_be_replaced(cli: Cli, one: Path, now: str) -> None:
    one.write_bytes(memory("x", content="caf").rstrip() + b"\xe9\n")
    assert cli("edit", "a/x", "--content", "café").code == 0
    assert one.read_bytes() == memory("x", content="café", source="user", updated="2026-11-30")


@pytest.mark.parametrize("target", ["MEMORY.md", "x.md"])
def test_a_symlink_is_never_written_through(cli: Cli, one: Path, target: str) -> None:
    cli("reindex", "a")
    before = tree(one.parent)
    link = one.parent / "notes.md"
    link.symlink_to(target)
    assert cli("edit", "a/notes", "--description", "x") == (
        77,
        "",
        f"memctl: error: '{link}' is a symlink to '{target}'; memctl does not write through it\n",
    )
    link.unlink()
    assert tree(one.parent) == before


def test_while_automatic_memory_is_off_nothing_is_edited(cli: Cli, tmp_path: Path) -> None:
    register(tmp_path, {"id": "aaaa1111", "name": "bot", "memory": {"enabled": False}})
    fill(tmp_path / "memory/aaaa1111", {"x.md": memory("x")})
    assert cli("--root", tmp_path, "edit", "bot/x", "--touch") == (
        77,
        "",
        "memctl: error: automatic memory is off for agent 'bot', so its memories can be seen and deleted, not written\n"
        "memctl: hint: memctl auto-memory aaaa1111 on\n",
    )


def test_an_agent_is_not_a_memory(cli: Cli, demo: Path) -> None:
    assert cli("edit", "billing-bot", "--touch").code == 2


def test_json_of_an_edit(cli: Cli, one: Path, now: str) -> None:
    data = json.loads(cli("edit", "-j", "a/x", "--description", "new").out)["data"]
    assert list(data) == ["address", "path", "action", "memory", "edits", "dry_run", "change"]
    assert data["change"] == 1
    assert (data["address"], data["path"], data["action"], data["dry_run"]) == ("a/x", str(one), "updated", False)
    assert (data["memory"]["description"], data["memory"]["content"]) == ("new", "body of x")


def test_json_of_several_edits(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("edit", "-jn", "e4d81b36/*", "--touch").out)["data"]
    assert (data["address"], data["memory"], data["dry_run"], len(data["edits"])) == (None, None, True, 4)
    assert data["change"] is None


def test_json_of_a_refusal(cli: Cli, one: Path) -> None:
    done = cli("edit", "-j", "a/x", "--type", "todo")
    value = json.loads(done.out)
    assert (done.code, value["data"], [error["code"] for error in value["errors"]]) == (65, None, ["invalid"])


def test_the_mode_of_the_file_stays(cli: Cli, one: Path) -> None:
    one.chmod(0o664)
    cli("edit", "a/x", "--touch")
    assert one.stat().st_mode & 0o777 == 0o664


def test_a_planted_temp_file_is_not_written_through(cli: Cli, one: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (one.parent / "x.md.tmp").symlink_to(victim)
    cli("edit", "a/x", "--touch")
    assert victim.read_text() == "mine"
