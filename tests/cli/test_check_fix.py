"""`check --fix`: what is mended, what is only shown, and what is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import tree
from tests.conftest import Cli
from tests.stores import fill, index, memory, register

AGENT = "1a2b3c4d"
TOKEN = "AKIA" + "QX7Z" * 4


@pytest.fixture
def store(tmp_path: Path) -> Path:
    files = {
        "a.md": memory("a").rstrip(b"\n"),
        "c.md": memory("b"),
        "c.md~": b"old",
        "d.md": memory("d", type="todo"),
        "MEMORY.md": index("a", "b"),
    }
    root = fill(tmp_path / "hq" / "memory" / AGENT, files)
    root.chmod(0o700)
    return root


def test_safe_fixes_are_done_and_what_is_left_is_reported(cli: Cli, store: Path) -> None:
    done = cli("check", store, "--fix")
    assert done.code == 1
    assert done.out.startswith(f"{store}/a.md: F016 final-newline: end the file with one line feed\n")
    assert "N004" in done.out
    assert "F001" in done.out
    assert done.err.endswith("1 error, 2 warnings, 2 fixable, 1 fixed\nundo: memctl undo 1\n")
    assert (store / "a.md").read_bytes() == memory("a")
    assert (store / "c.md~").exists()


def test_unsafe_fixes_rename_and_take_out(cli: Cli, store: Path) -> None:
    before = tree(store)
    done = cli("check", store, "--unsafe-fixes")
    assert f"{store}/c.md: F001 name-differs: rename the file to {store}/b.md\n" in done.out
    assert sorted(path.name for path in store.iterdir()) == ["MEMORY.md", "a.md", "b.md", "d.md"]
    assert cli("undo", "-y").code == 0
    assert {name: kept[0] if isinstance(kept, tuple) else kept for name, kept in tree(store).items()} == {
        name: kept[0] if isinstance(kept, tuple) else kept for name, kept in before.items()
    }


def test_a_copy_goes_beside_its_original_and_the_only_file_of_a_memory_gets_its_name(cli: Cli, tmp_path: Path) -> None:
    files = {
        "a.md": memory("a"),
        "a (1).md": memory("a", content="older"),
        "b.sync-conflict-20260101-000000-X.md": memory("b"),
        "MEMORY 2.md": b"# Memory index\n",
    }
    store = fill(tmp_path / "hq" / "memory" / AGENT, files)
    before = tree(store)
    cli("check", store, "--fix", "--select", "F017")
    assert tree(store) == before
    done = cli("check", store, "--unsafe-fixes", "--select", "F017")
    assert done.code == 0
    assert {name: data for name, (data, _) in tree(store).items()} == {
        "MEMORY.md": index("a", "b"),
        "a.md": memory("a"),
        "b.md": memory("b"),
    }
    assert cli("undo", "-y").code == 0
    assert {name for name in tree(store) if name != "MEMORY.md"} == set(files)


def test_a_user_memory_gets_its_last_line_feed(cli: Cli, home: Path) -> None:
    notes = fill(home / ".deepseek", {"memory.md": b"- one"}) / "memory.md"
    done = cli("check", "@user", "--select", "F016", "--fix")
    assert (done.code, notes.read_bytes()) == (0, b"- one\n")
    assert cli("undo", "-y").code == 0
    assert notes.read_bytes() == b"- one"


def test_a_dry_run_prints_the_same_lines_and_writes_nothing(cli: Cli, store: Path) -> None:
    before = tree(store)
    done = cli("check", store, "--fix", "-n")
    assert done == (
        0,
        f"{store}/a.md: F016 final-newline: end the file with one line feed\n",
        "dry run: nothing was written; 1 finding would be fixed\n",
    )
    assert tree(store) == before
    assert cli("check", store, "-n").out == done.out


def test_a_diff_says_no_where_there_is_something_to_mend(cli: Cli, store: Path) -> None:
    before = tree(store)
    done = cli("check", store, "--diff", "--unsafe-fixes")
    assert done.code == 1
    assert f"rename {store}/c.md to {store}/b.md\n" in done.out
    assert f"remove {store}/c.md~\n" in done.out
    assert f"--- {store}/a.md\n" in done.out
    assert tree(store) == before
    cli("check", store, "--unsafe-fixes")
    assert cli("check", store, "--diff", "--unsafe-fixes")[:2] == (0, "")


def test_a_diff_of_the_index_names_its_path(cli: Cli, tmp_path: Path) -> None:
    root = fill(tmp_path / "hq" / "memory" / AGENT, {"a.md": memory("a"), "MEMORY.md": index()})
    assert f"--- {root}/MEMORY.md\n+++ {root}/MEMORY.md (rendered)\n@@" in cli("check", root, "--diff").out


def test_json_says_what_was_fixed_and_by_which_change(cli: Cli, store: Path) -> None:
    data = json.loads(cli("check", store, "--fix", "--json").out)["data"]
    assert data["fixed"] == [
        {
            "rule": "F016",
            "slug": "final-newline",
            "does": "end the file with one line feed",
            "path": f"{store}/a.md",
            "to": None,
        }
    ]
    assert data["change"] == 1
    assert [one["rule"] for one in data["findings"] if one["severity"] == "error"] == ["N004"]
    shown = json.loads(cli("check", store, "--diff", "--json", "--unsafe-fixes").out)["data"]
    assert [one["to"] for one in shown["fixed"]] == [f"{store}/b.md", None]
    assert shown["dry_run"] is True


def test_fixes_want_to_know_whose_files_they_change(cli: Cli, store: Path) -> None:
    done = cli("--root", store.parent, "check", "--fix")
    assert done == (
        2,
        "",
        "memctl: error: --fix wants the agents' names, directories or --all\nmemctl: hint: memctl check --all --fix\n",
    )
    assert cli("--root", store.parent, "check", "--all", "--fix").code == 1
    assert (store / "a.md").read_bytes() == memory("a")


def test_fixes_do_not_go_with_a_comparison(cli: Cli, store: Path) -> None:
    done = cli("check", store, "--fix", "--against", "HEAD")
    assert (done.code, done.err.split("\n")[0]) == (2, "memctl: error: --against compares and mends nothing")


def test_only_what_is_selected_and_not_ignored_is_mended(cli: Cli, store: Path) -> None:
    cli("check", store, "--fix", "--ignore", "F016")
    assert (store / "a.md").read_bytes() == memory("a").rstrip(b"\n")
    cli("check", store, "--unsafe-fixes", "--select", "F017")
    assert sorted(path.name for path in store.iterdir()) == ["MEMORY.md", "a.md", "c.md", "d.md"]


def test_only_the_files_that_are_named_are_mended(cli: Cli, store: Path) -> None:
    cli("check", store / "c.md", "--unsafe-fixes")
    assert sorted(path.name for path in store.iterdir()) == ["MEMORY.md", "a.md", "b.md", "c.md~", "d.md"]
    assert (store / "a.md").read_bytes() == memory("a").rstrip(b"\n")


def test_a_redaction_leaves_the_secret_nowhere(cli: Cli, store: Path, home: Path) -> None:
    (store / "s.md").write_bytes(memory("s", content=f"aws_access_key_id = {TOKEN}"))
    done = cli("check", store, "--unsafe-fixes")
    assert TOKEN not in done.out + done.err
    held = [path for top in (store, home) for path in top.rglob("*") if path.is_file()]
    assert held
    assert not [path for path in held if TOKEN.encode() in path.read_bytes()]
    assert b"[redacted]" in (store / "s.md").read_bytes()


def test_changes_that_still_hold_a_secret_are_named(cli: Cli, store: Path) -> None:
    (store / "s.md").write_bytes(memory("s", content=f"aws_access_key_id = {TOKEN}"))
    cli("--root", store.parent, "edit", f"{AGENT}/s", "--description", "new")
    cli("--root", store.parent, "edit", f"{AGENT}/s", "--description", "newer")
    done = cli("check", store, "--unsafe-fixes")
    assert "memctl: warning: the history still holds what was redacted, in change 1, 2\n" in done.err
    for change in ("1", "2"):
        assert f"memctl: hint: memctl history --forget {change}\n" in done.err
        assert cli("history", "--forget", change, "-y").code == 0
    assert TOKEN not in done.out + done.err


def test_while_automatic_memory_is_off_texts_stay(cli: Cli, store: Path, tmp_path: Path) -> None:
    register(tmp_path / "hq", {"id": AGENT, "name": "billing-bot", "memory": {"enabled": False}})
    done = cli("check", store, "--unsafe-fixes")
    assert done.code == 77
    assert "automatic memory is off for agent 'billing-bot'" in done.err
    assert (store / "a.md").read_bytes() == memory("a").rstrip(b"\n")
    assert not (store / "c.md~").exists()


def test_a_quiet_run_says_nothing_of_what_it_mended(cli: Cli, store: Path) -> None:
    (store / "d.md").unlink()
    (store / "c.md").unlink()
    (store / "c.md~").unlink()
    done = cli("check", store, "--fix", "-q")
    assert done.code == 0
    assert done.err == ""
