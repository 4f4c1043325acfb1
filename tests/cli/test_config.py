"""`memctl config`: each value and where it comes from."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.conftest import UNDO, Cli
from tests.stores import NOBODY, fill, needs_root

CLOCK = "MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z\n"


@pytest.fixture
def file(home: Path) -> Path:
    return home / ".config/memctl/config.toml"


def test_each_value_is_shown_with_its_origin(cli: Cli) -> None:
    done = cli("config", "show")
    assert (done.code, done.err) == (0, "")
    assert {len(row) for row in done.rows} == {3}
    assert {"color\tauto\tdefault", "wait\t10\tdefault", "pager\tless -FRX\tdefault"} <= set(done.out.splitlines())


def test_show_is_what_config_does_alone(cli: Cli) -> None:
    assert cli("config") == cli("config", "show")


def test_one_value_can_be_shown(cli: Cli) -> None:
    assert cli("config", "show", "color") == (0, "color\tauto\tdefault\n", "")


def test_a_flag_goes_before_a_variable(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_COLOR", "always")
    assert cli("config", "show", "color", "--color", "never").out == "color\tnever\tflag\n"


def test_a_variable_goes_before_the_file(cli: Cli, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(file.parent, {file.name: b'color = "never"\n'})
    monkeypatch.setenv("MEMCTL_COLOR", "always")
    assert cli("config", "show", "color").out == "color\talways\tMEMCTL_COLOR\n"


def test_the_file_goes_before_the_default(cli: Cli, file: Path) -> None:
    fill(file.parent, {file.name: b'color = "never"\n'})
    assert cli("config", "show", "color").out == f"color\tnever\t{file}\n"


def test_roots_are_a_path_list(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_ROOT", "/a:/b")
    assert cli("config", "show", "roots").out == "roots\t/a:/b\tMEMCTL_ROOT\n"


def test_path_prints_where_the_file_is(cli: Cli, file: Path) -> None:
    assert cli("config", "path") == (0, f"{file}\n", "")


def test_xdg_config_home_is_heeded(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert cli("config", "path").out == f"{tmp_path}/memctl/config.toml\n"


def test_set_writes_a_value(cli: Cli, file: Path) -> None:
    assert cli("config", "set", "color", "never") == (0, "", f"set color in '{file}'\n{UNDO}")
    assert file.read_text() == 'color = "never"\n'


def test_a_file_among_the_dotfiles_is_written_where_it_is(cli: Cli, file: Path, tmp_path: Path) -> None:
    target = fill(tmp_path / "dotfiles", {"memctl.toml": b"# mine\n"}) / "memctl.toml"
    fill(file.parent, {})
    file.symlink_to(target)
    assert cli("config", "set", "color", "never").code == 0
    assert (file.is_symlink(), target.read_bytes()) == (True, b'# mine\ncolor = "never"\n')


@needs_root
def test_a_link_to_a_file_of_another_user_is_not_written(cli: Cli, file: Path, tmp_path: Path) -> None:
    target = fill(tmp_path / "theirs", {"memctl.toml": b"# theirs\n"}) / "memctl.toml"
    os.chown(target, NOBODY, NOBODY)
    fill(file.parent, {})
    file.symlink_to(target)
    done = cli("config", "set", "color", "never")
    assert (done.code, target.read_bytes()) == (77, b"# theirs\n")
    assert done.err == f"memctl: error: '{file}' is a symlink to '{target}', a file of another user\n"


def test_set_says_that_the_clock_is_set(cli: Cli, file: Path, now: str) -> None:
    assert cli("config", "set", "color", "never").err == f"{CLOCK}set color in '{file}'\n{UNDO}"


def test_set_keeps_comments_and_order(cli: Cli, file: Path) -> None:
    fill(file.parent, {file.name: b'# mine\nwait = 5 # long\ncolor = "auto"\n'})
    cli("config", "set", "wait", "7")
    assert file.read_text() == '# mine\nwait = 7 # long\ncolor = "auto"\n'


def test_setting_what_is_set_writes_nothing(cli: Cli, file: Path) -> None:
    cli("config", "set", "color", "never")
    before = file.stat().st_mtime_ns
    assert cli("config", "set", "color", "never") == (0, "", "no changes\n")
    assert file.stat().st_mtime_ns == before


def test_a_dry_run_writes_nothing(cli: Cli, file: Path) -> None:
    assert cli("config", "set", "-n", "color", "never") == (
        0,
        "",
        f"dry run: nothing was written; color would be in '{file}'\n",
    )
    assert not file.exists()


@pytest.mark.parametrize(
    ("words", "code", "err"),
    [
        (["set", "colr", "x"], 78, "memctl: error: unknown setting 'colr'\nmemctl: hint: did you mean 'color'?\n"),
        (["show", "colr"], 78, "memctl: error: unknown setting 'colr'\nmemctl: hint: did you mean 'color'?\n"),
        (
            ["set", "wait"],
            2,
            "memctl: error: wrong number of words for config set\nmemctl: hint: memctl config --help\n",
        ),
        (
            ["path", "x"],
            2,
            "memctl: error: wrong number of words for config path\nmemctl: hint: memctl config --help\n",
        ),
        (["shwo"], 2, "memctl: error: config has no 'shwo'\nmemctl: hint: did you mean 'show'?\n"),
        (["set", "color", "blue"], 2, "memctl: error: 'color' must be 'auto' or 'always' or 'never', not 'blue'\n"),
    ],
)
def test_what_is_wrong_is_said(cli: Cli, words: list[str], code: int, err: str) -> None:
    done = cli("config", *words)
    assert (done.code, done.out) == (code, "")
    assert done.err == err


def test_an_unknown_key_of_the_file_stops_every_command(cli: Cli, file: Path, demo: Path) -> None:
    fill(file.parent, {file.name: b'colour = "never"\n'})
    assert cli("list") == (
        78,
        "",
        f"memctl: error: unknown setting 'colour' in '{file}'\nmemctl: hint: did you mean 'color'?\n",
    )


def test_a_file_that_is_no_toml_is_said_with_its_line(cli: Cli, file: Path) -> None:
    fill(file.parent, {file.name: b"a = 1\nb =\n"})
    done = cli("list")
    assert done.code == 78
    assert done.err.startswith(f"memctl: error: '{file}' is not valid TOML: line 2, column ")


def test_json_of_the_settings(cli: Cli) -> None:
    data = json.loads(cli("config", "-j", "show", "color").out)["data"]
    assert data == {"settings": [{"key": "color", "value": "auto", "origin": "default"}]}


@pytest.mark.parametrize("dry", [True, False])
def test_json_of_a_change(cli: Cli, file: Path, dry: bool) -> None:
    data = json.loads(cli("config", "-j", "set", *(["-n"] if dry else []), "wait", "3").out)["data"]
    change = {"changed": True, "dry_run": dry, "change": None if dry else 1}
    assert data == {"key": "wait", "value": 3, "path": str(file), **change}


def test_json_of_what_is_set_already_has_no_change(cli: Cli, file: Path) -> None:
    cli("config", "set", "wait", "3")
    data = json.loads(cli("config", "-j", "set", "wait", "3").out)["data"]
    assert (data["changed"], data["change"]) == (False, None)


def test_json_of_the_path(cli: Cli, file: Path) -> None:
    assert json.loads(cli("config", "-j", "path").out)["data"] == {"path": str(file)}


def test_quiet_prints_not_a_byte(cli: Cli) -> None:
    assert cli("config", "set", "-q", "color", "never") == (0, "", "")
