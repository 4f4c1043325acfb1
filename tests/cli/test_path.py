"""`memctl path`: where memories are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import at_terminal
from tests.conftest import Cli
from tests.stores import fill


def test_without_an_address_it_is_the_user_memorys(cli: Cli, home: Path) -> None:
    assert cli("path") == (0, f"{home}/.deepseek/memory.md\n", "")


def test_nothing_need_be_there_and_nothing_is_made(cli: Cli, home: Path) -> None:
    cli("path", "@user")
    assert list(home.iterdir()) == []


def test_of_an_agent_a_memory_and_a_note(cli: Cli, demo: Path) -> None:
    assert cli("path", "billing-bot", "billing-bot/api-migration", "@user", "@user/2") == (
        0,
        f"{demo}/memory/1a2b3c4d\n{demo}/memory/1a2b3c4d/api-migration.md\n{demo}/memory.md\n{demo}/memory.md\n",
        "",
    )


def test_a_word_that_means_nothing_does_not_stop_the_others(cli: Cli, demo: Path) -> None:
    assert cli("path", "nobody", "@user") == (
        66,
        f"{demo}/memory.md\n",
        "memctl: error: no agent 'nobody'\nmemctl: hint: memctl list shows the agents\n",
    )


def test_addresses_come_from_stdin(cli: Cli, demo: Path) -> None:
    assert cli("path", "-", stdin=b"@user\n1a2b3c4d\n").out == f"{demo}/memory.md\n{demo}/memory/1a2b3c4d\n"


def test_the_new_folder_goes_first_where_it_is_there(cli: Cli, home: Path) -> None:
    (home / ".codewhale").mkdir()
    assert cli("path").out == f"{home}/.codewhale/memory.md\n"
    fill(home / ".deepseek", {"memory.md": b"- x\n"})
    assert cli("path").out == f"{home}/.deepseek/memory.md\n"
    fill(home / ".codewhale", {"memory.md": b""})
    assert cli("path").out == f"{home}/.codewhale/memory.md\n"


def test_codewhales_configuration_and_its_variable_are_followed(
    cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(home / ".deepseek", {"config.toml": b'memory_path = "~/notes/m.md"\n'})
    assert cli("path").out == f"{home}/notes/m.md\n"
    monkeypatch.setenv("DEEPSEEK_MEMORY_PATH", "~/other.md")
    assert cli("path").out == f"{home}/other.md\n"


def test_who_names_a_file_wins_the_flag_before_the_variable_before_the_setting(
    cli: Cli, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEEPSEEK_MEMORY_PATH", "/nowhere/m.md")
    assert cli("config", "set", "user_memory", tmp_path / "setting.md").code == 0
    assert cli("path").out == f"{tmp_path}/setting.md\n"
    monkeypatch.setenv("MEMCTL_USER_MEMORY", str(tmp_path / "variable.md"))
    assert cli("path").out == f"{tmp_path}/variable.md\n"
    assert cli("--user-memory", tmp_path / "flag.md", "path").out == f"{tmp_path}/flag.md\n"
    assert cli("path", "--user-memory", "~/flag.md").out == f"{home}/flag.md\n"


def test_a_relative_path_is_of_the_current_directory(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("path", "--user-memory", "notes.md").out == f"{tmp_path}/notes.md\n"


def test_the_home_of_another_is_not_looked_up(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # CodeWhale does not know ~name (spec/codewhale.md 1.8): it is a relative path.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DEEPSEEK_MEMORY_PATH", "~root/memory.md")
    assert cli("path").out == f"{tmp_path}/~root/memory.md\n"


def test_with_no_home_it_is_in_the_current_directory(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "relative")
    assert cli("path").out == f"{tmp_path}/./memory.md\n"


def test_an_empty_path_is_wrong_configuration(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_MEMORY_PATH", "")
    assert cli("path") == (
        78,
        "",
        "memctl: error: the path of the user memory is empty (DEEPSEEK_MEMORY_PATH says so)\n"
        "memctl: hint: memctl explain @user shows what decides; --user-memory FILE names another\n",
    )


def test_quiet_prints_not_a_byte(cli: Cli) -> None:
    assert cli("-q", "path") == (0, "", "")


def test_json_has_the_words_with_their_paths(cli: Cli, demo: Path) -> None:
    value = json.loads(cli("path", "-j", "billing-bot", "@user").out)
    assert value["data"] == {
        "paths": [
            {"address": "billing-bot", "path": f"{demo}/memory/1a2b3c4d"},
            {"address": "@user", "path": f"{demo}/memory.md"},
        ]
    }


def test_json_of_an_empty_path_is_an_error(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEPSEEK_MEMORY_PATH", "")
    value = json.loads(cli("path", "-j").out)
    assert (value["data"], [error["code"] for error in value["errors"]]) == (None, ["config"])


def test_what_a_terminal_would_obey_is_made_visible_and_a_pipe_gets_it_raw(cli: Cli, tmp_path: Path) -> None:
    evil = f"{tmp_path}/\x1b]0;title\x07.md"
    assert cli("path", "--user-memory", evil).out == f"{evil}\n"
    assert at_terminal("path", "--user-memory", evil, columns=400).out == f"{tmp_path}/^[]0;title^G.md\n"
