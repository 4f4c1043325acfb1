"""`memctl explain @user`: each thing that decides whether CodeWhale loads the user memory, and the verdict."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.running import at_terminal, tree, without_color
from tests.conftest import Cli
from tests.stores import fill

KEYS = [
    "address", "path", "exists", "bytes", "utf8", "enabled", "cut", "misplaced", "newer", "loaded", "steps", "verdict",
]  # fmt: skip
LIMIT = 102_400


@pytest.fixture(autouse=True)
def managed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the place of the managed configuration, where nothing is yet."""
    path = tmp_path / "managed.toml"
    monkeypatch.setenv("DEEPSEEK_MANAGED_CONFIG_PATH", str(path))
    return path


@pytest.fixture
def path(home: Path) -> Path:
    """Give a user memory with two notes that CodeWhale loads."""
    fill(home / ".deepseek", {"config.toml": b"[memory]\nenabled = true\n", "memory.md": b"- one\n- two\n"})
    return home / ".deepseek/memory.md"


def row(out: str, key: str) -> str:
    """Return what is said of one thing that decides."""
    [text] = [text for name, text in (line.split("\t") for line in out.splitlines()) if name == key]
    return text


def test_each_thing_that_decides_is_a_line_in_its_order(cli: Cli, home: Path, managed: Path, path: Path) -> None:
    assert cli("explain", "@user") == (
        0,
        f"config\t{home}/.deepseek/config.toml (read)\n"
        f"managed\t{managed} (not there)\n"
        f"variable\tDEEPSEEK_MANAGED_CONFIG_PATH='{managed}'\n"
        "rules\tthose of release 0.8.8: ~/.deepseek alone\n"
        f"path\t{path} (default)\n"
        "file\t12 bytes, 2 notes\n"
        "utf8\tvalid\n"
        "enabled\ton ([memory] enabled)\n"
        "verdict\tCodeWhale loads the file\n",
        "",
    )


def test_with_nothing_at_all_memory_is_off(cli: Cli) -> None:
    done = cli("explain", "@user")
    assert (done.code, row(done.out, "file")) == (0, "there is no such file")
    assert row(done.out, "verdict") == "CodeWhale does not load the file: memory is off (default)"


@pytest.mark.parametrize(("value", "note"), [("off", ""), ("", " (empty counts: it switches memory off)")])
def test_a_variable_that_is_not_yes_switches_off(
    cli: Cli, path: Path, monkeypatch: pytest.MonkeyPatch, value: str, note: str
) -> None:
    monkeypatch.setenv("DEEPSEEK_MEMORY", value)
    out = cli("explain", "@user").out
    assert f"variable\tDEEPSEEK_MEMORY='{value}'{note}\n" in out
    assert row(out, "verdict") == "CodeWhale does not load the file: memory is off (DEEPSEEK_MEMORY)"


def test_the_managed_configuration_beats_the_variable(
    cli: Cli, managed: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPSEEK_MEMORY", "on")
    managed.write_text("[memory]\nenabled = false\n")
    out = cli("explain", "@user").out
    assert row(out, "managed") == f"{managed} (read)"
    assert row(out, "enabled") == "off (the managed configuration)"


def test_a_memory_path_in_the_memory_table_is_ignored_and_said_so(cli: Cli, path: Path) -> None:
    fill(path.parent, {"config.toml": b'[memory]\nenabled = true\nmemory_path = "~/elsewhere.md"\n'})
    out = cli("explain", "@user").out
    assert row(out, "ignored") == (
        "[memory] memory_path is silently ignored by CodeWhale; it counts as memory_path above the first table"
    )
    assert row(out, "path") == f"{path} (default)"


def test_the_profile_is_named(cli: Cli, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(path.parent, {"config.toml": b'[profiles.w]\nmemory_path = "/nowhere/w.md"\nmemory = { enabled = true }\n'})
    monkeypatch.setenv("DEEPSEEK_PROFILE", "w")
    out = cli("explain", "@user").out
    assert row(out, "profile") == "w (DEEPSEEK_PROFILE)"
    assert row(out, "path") == "/nowhere/w.md (memory_path)"
    assert row(out, "verdict") == "CodeWhale does not load the file: there is no such file"


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"- caf\xe9\n", "byte 5 is not UTF-8, and one such byte keeps CodeWhale from loading the file, without a word"),
        ("- a\n".encode("utf-16"), "byte 0 is not UTF-8, and one such byte keeps CodeWhale from loading the file, without a word"),
        (b" \n", "it is blank"),
    ],
    ids=["latin-1", "utf-16", "blank"],
)  # fmt: skip
def test_a_file_that_is_not_loaded_has_the_reason_in_the_verdict(cli: Cli, path: Path, data: bytes, why: str) -> None:
    path.write_bytes(data)
    assert row(cli("explain", "@user").out, "verdict") == f"CodeWhale does not load the file: {why}"


def test_nul_bytes_do_not_keep_it_from_being_loaded(cli: Cli, path: Path) -> None:
    path.write_bytes(b"- a\0b\n")
    assert row(cli("explain", "@user").out, "verdict") == "CodeWhale loads the file"


def test_a_directory_at_the_path_is_not_loaded(cli: Cli, path: Path) -> None:
    path.unlink()
    path.mkdir()
    done = cli("explain", "@user")
    assert (done.code, row(done.out, "verdict")) == (
        0,
        f"CodeWhale does not load the file: '{path}' is a directory, not a file",
    )


def test_a_dangling_link_is_not_loaded(cli: Cli, path: Path) -> None:
    path.unlink()
    path.symlink_to("nothing.md")
    assert row(cli("explain", "@user").out, "verdict") == (
        "CodeWhale does not load the file: it is a symlink to 'nothing.md', where nothing is"
    )


def test_a_link_is_shown_with_its_file(cli: Cli, path: Path) -> None:
    os.replace(path, path.parent / "real.md")
    path.symlink_to("real.md")
    out = cli("explain", "@user").out
    assert (row(out, "symlink"), row(out, "verdict")) == (f"to {path.parent}/real.md", "CodeWhale loads the file")


def test_what_falls_behind_the_cut_is_counted(cli: Cli, path: Path) -> None:
    note = b"- " + b"x" * 997 + b"\n"
    path.write_bytes(note * 104)
    out = cli("explain", "@user").out
    told = row(out, "cut")
    cut = int(told.split()[0].replace(",", ""))
    assert 104 * 1000 - LIMIT < cut < 104 * 1000 - LIMIT + 300  # the marker displaces some
    assert told == f"{cut:,} bytes and 2 notes fall after the 102,400 bytes that CodeWhale loads"
    assert row(out, "verdict") == f"CodeWhale loads the file, but for its last {cut:,} bytes"


def test_of_a_file_of_200_mb_memctl_says_that_it_cannot_tell(cli: Cli, path: Path) -> None:
    os.truncate(path, 200 * 1024 * 1024)
    done = cli("explain", "@user")
    assert (done.code, row(done.out, "file")) == (0, "209,715,200 bytes; too large for memctl to read")
    assert row(done.out, "verdict") == (
        "memctl cannot tell whether CodeWhale loads the file: it is too large for memctl to read"
    )
    assert json.loads(cli("explain", "-j", "@user").out)["data"]["loaded"] is None


def test_an_empty_path_is_explained_and_is_no_error(cli: Cli, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_MEMORY_PATH", "")
    done = cli("explain", "@user")
    assert done.code == 0
    assert "variable\tDEEPSEEK_MEMORY_PATH='' (empty counts)\n" in done.out
    assert row(done.out, "file") == "none: the path is empty"
    assert row(done.out, "verdict") == "CodeWhale does not load the file: its path is empty"


def test_a_file_that_memctl_was_told_of_is_not_the_one_that_codewhale_loads(
    cli: Cli, path: Path, tmp_path: Path
) -> None:
    fill(tmp_path, {"other.md": b"- x\n"})
    done = cli("explain", "@user", "--user-memory", tmp_path / "other.md")
    assert row(done.out, "path") == f"{tmp_path}/other.md (named to memctl)"
    assert row(done.out, "codewhale") == f"{path} (default) is the path that it resolves"
    assert row(done.out, "verdict") == f"CodeWhale does not load the file: its own user memory is '{path}'"


def test_a_file_that_memctl_was_told_of_may_be_the_same(cli: Cli, path: Path) -> None:
    out = cli("explain", "@user", "--user-memory", path).out
    assert "codewhale\t" not in out
    assert row(out, "verdict") == "CodeWhale loads the file"


@pytest.mark.parametrize(
    ("file", "newer"),
    [
        ("global/MEMORY.md", "CodeWhale 0.9.4 and later do not read this file, but {root}/global/MEMORY.md"),
        ("store.sqlite3", "CodeWhale 0.10 and later do not read this file, but {root}/store.sqlite3"),
    ],
)
def test_a_newer_layout_beside_it_is_named(cli: Cli, path: Path, file: str, newer: str) -> None:
    root = path.parent / "memory"
    fill((root / file).parent, {Path(file).name: b"x"})
    out = cli("explain", "@user").out
    assert row(out, "newer") == newer.format(root=root)
    assert row(out, "verdict") == "CodeWhale before 0.9.4 loads the file"


def test_under_the_rules_of_the_tree_the_tree_is_the_file(cli: Cli, path: Path) -> None:
    fill(path.parent / "memory/global", {"MEMORY.md": b"- a\n"})
    fill(path.parents[1] / ".codewhale", {"config.toml": b"[memory]\nenabled = true\n"})
    out = cli("explain", "@user", "--rules", "0.9.10").out
    assert row(out, "rules") == "those of release 0.9.10: the native tree (named by --rules)"
    assert row(out, "path") == f"{path.parent}/memory/global/MEMORY.md (default)"
    assert "newer\t" not in out
    assert row(out, "verdict") == "CodeWhale loads the file"


def test_the_new_folder_changes_the_rules(cli: Cli, home: Path) -> None:
    (home / ".codewhale").mkdir()
    out = cli("explain", "@user").out
    assert row(out, "rules") == "those of release 0.8.48: ~/.codewhale first, since it is there"
    assert row(out, "path") == f"{home}/.codewhale/memory.md (default)"


def test_with_no_home_there_is_no_configuration_of_the_user(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "relative")
    out = cli("explain", "@user").out
    assert "config\t" not in out
    assert row(out, "path") == "./memory.md (default)"


def test_json_has_the_facts_the_steps_and_the_verdict(cli: Cli, path: Path) -> None:
    data = json.loads(cli("explain", "-j", "@user").out)["data"]
    steps = data.pop("steps")
    assert list(data) == [key for key in KEYS if key != "steps"]
    assert data == {
        "address": "@user",
        "path": str(path),
        "exists": True,
        "bytes": 12,
        "utf8": True,
        "enabled": True,
        "cut": {"bytes": 0, "notes": 0},
        "misplaced": [],
        "newer": None,
        "loaded": True,
        "verdict": "CodeWhale loads the file",
    }
    assert {tuple(step) for step in steps} == {("key", "text")}
    assert [step["key"] for step in steps] == [
        "config",
        "managed",
        "variable",
        "rules",
        "path",
        "file",
        "utf8",
        "enabled",
    ]


def test_json_of_a_missing_file_has_nulls(cli: Cli) -> None:
    data = json.loads(cli("explain", "-j", "@user").out)["data"]
    assert {key: data[key] for key in ("exists", "bytes", "utf8", "loaded")} == {
        "exists": False,
        "bytes": None,
        "utf8": None,
        "loaded": False,
    }


@pytest.mark.parametrize("form", [[], ["-j"]])
def test_a_configuration_that_codewhale_does_not_start_with_is_78(cli: Cli, path: Path, form: list[str]) -> None:
    config = path.parent / "config.toml"
    config.write_text("[memory]\nenabled = maybe\n")
    done = cli("explain", *form, "@user")
    message = f"'{config}' is not valid TOML: line 2, column 11: invalid value"
    assert (done.code, done.err) == (78, f"memctl: error: {message}\n")
    if form:
        assert json.loads(done.out)["errors"] == [
            {"code": "config", "message": message, "path": str(config), "hint": None}
        ]


def test_it_changes_nothing_and_is_quiet_when_asked(cli: Cli, home: Path, path: Path) -> None:
    before = tree(home)
    assert cli("explain", "-q", "@user") == (0, "", "")
    assert tree(home) == before


def test_a_path_stays_one_line(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_MEMORY_PATH", "/nowhere/a\nverdict\tx")
    assert row(cli("explain", "@user").out, "path") == "/nowhere/a\\nverdict\\tx (DEEPSEEK_MEMORY_PATH)"


@pytest.mark.parametrize("columns", [80, 40])
def test_at_a_terminal_no_line_is_wider_and_nothing_is_obeyed(
    path: Path, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("DEEPSEEK_MEMORY_PATH", "/nowhere/\x1b]0;title\x07.md")
    shown = without_color(at_terminal("explain", "@user", columns=columns).out)
    assert [line for line in shown.splitlines() if len(line) > columns] == []
    assert set(shown) & set("\x1b\x07\t") == set()
    assert "^[]0;title^G.md" in shown
