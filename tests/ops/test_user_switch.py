from __future__ import annotations

import os
from pathlib import Path

import pytest

from memctl.core.env import Env
from memctl.disk.codewhale import find_facts
from memctl.disk.files import Directory
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import Busy, ConfigError, NotFound, Protected
from memctl.ops.results import UserState
from memctl.ops.user_switch import set_user_switch, user_state
from tests.stores import NO_WAIT, NOBODY, contents, env_of, fill, needs_root

CONFIG = "# mine\r\nmodel = 'm'\r\n\r\n[memory] # t\r\nenabled = false # off for now\r\nx = 1\r\n"


@pytest.fixture
def ada(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def surroundings(tmp_path: Path, **variables: str) -> Env:
    return env_of(tmp_path, **{"DEEPSEEK_MANAGED_CONFIG_PATH": str(tmp_path / "managed.toml")} | variables)


def opened(env: Env) -> FileStore:
    return open_user_store(find_facts(env), env)


def switched(env: Env, enabled: bool, *, dry_run: bool = False) -> UserState:
    return set_user_switch(opened(env), env, enabled, NO_WAIT, dry_run=dry_run)


def test_the_state_has_what_says_so_and_where(tmp_path: Path, ada: Path) -> None:
    env = surroundings(tmp_path)
    state = user_state(opened(env), env)
    assert (state.enabled, state.why, state.path) == (False, "it is off by default", f"{ada}/.deepseek/config.toml")
    env = surroundings(tmp_path, DEEPSEEK_MEMORY="on")
    assert user_state(opened(env), env).why == "DEEPSEEK_MEMORY says so"


def test_the_switch_is_set_in_place_and_every_other_byte_stays(tmp_path: Path, ada: Path) -> None:
    fill(ada / ".deepseek", {"config.toml": CONFIG.encode()})
    env = surroundings(tmp_path)
    state = switched(env, True)
    assert (state.enabled, state.changed, state.why) == (True, True, "[memory] enabled says so")
    assert contents(ada / ".deepseek") == {"config.toml": CONFIG.replace("= false", "= true").encode()}
    assert user_state(opened(env), env).enabled
    assert switched(env, True).changed is False


def test_a_dry_run_writes_nothing_and_a_missing_file_is_made(tmp_path: Path, ada: Path) -> None:
    env = surroundings(tmp_path)
    assert switched(env, True, dry_run=True).changed
    assert os.listdir(ada) == []
    assert switched(env, True).changed
    assert contents(ada / ".deepseek") == {"config.toml": b"[memory]\nenabled = true\n"}


def test_where_the_newer_folder_is_its_configuration_is_the_one(tmp_path: Path, ada: Path) -> None:
    (ada / ".codewhale").mkdir()
    assert switched(surroundings(tmp_path), True).path == f"{ada}/.codewhale/config.toml"
    assert os.listdir(ada) == [".codewhale"]


def test_a_profile_with_its_own_table_is_the_one_that_is_set(tmp_path: Path, ada: Path) -> None:
    text = "[memory]\nenabled = false\n[profiles.p.memory]\nenabled = false\n[profiles.q]\n"
    fill(ada / ".deepseek", {"config.toml": text.encode()})
    switched(surroundings(tmp_path, DEEPSEEK_PROFILE="p"), True)
    assert (ada / ".deepseek" / "config.toml").read_text() == (
        "[memory]\nenabled = false\n[profiles.p.memory]\nenabled = true\n[profiles.q]\n"
    )
    switched(surroundings(tmp_path, DEEPSEEK_PROFILE="q"), True)
    assert (ada / ".deepseek" / "config.toml").read_text().startswith("[memory]\nenabled = true\n")


@pytest.mark.parametrize(
    ("variables", "managed", "why"),
    [
        ({"DEEPSEEK_MEMORY": ""}, "", "DEEPSEEK_MEMORY overrides the configuration file"),
        ({}, "[memory]\nenabled = false\n", "the managed configuration overrides the configuration file"),
    ],
)
def test_what_overrides_the_file_is_told_and_the_file_is_set_all_the_same(
    tmp_path: Path, ada: Path, variables: dict[str, str], managed: str, why: str
) -> None:
    (tmp_path / "managed.toml").write_text(managed)
    state = switched(surroundings(tmp_path, **variables), True)
    assert (state.enabled, state.why, state.changed) == (False, why, True)
    assert (tmp_path / "managed.toml").read_text() == managed
    assert (ada / ".deepseek" / "config.toml").read_bytes() == b"[memory]\nenabled = true\n"


def test_a_configuration_among_the_dotfiles_stays_a_link(tmp_path: Path, ada: Path) -> None:
    fill(tmp_path / "dotfiles", {"codewhale.toml": CONFIG.encode()})
    (ada / ".deepseek").mkdir()
    (ada / ".deepseek" / "config.toml").symlink_to(tmp_path / "dotfiles" / "codewhale.toml")
    state = switched(surroundings(tmp_path), True)
    assert state.path == f"{ada}/.deepseek/config.toml"
    assert (ada / ".deepseek" / "config.toml").is_symlink()
    assert contents(tmp_path / "dotfiles") == {"codewhale.toml": CONFIG.replace("= false", "= true").encode()}


@needs_root
def test_a_configuration_that_is_a_link_to_another_users_file_is_not_written(tmp_path: Path, ada: Path) -> None:
    fill(tmp_path / "other", {"other.toml": b""})
    (ada / ".deepseek").mkdir()
    (ada / ".deepseek" / "config.toml").symlink_to(tmp_path / "other" / "other.toml")
    os.lchown(ada / ".deepseek" / "config.toml", NOBODY, NOBODY)
    with pytest.raises(Protected, match="a file of another user"):
        switched(surroundings(tmp_path), True)
    assert contents(tmp_path / "other") == {"other.toml": b""}


def test_a_configuration_that_is_a_link_to_nothing_is_told(tmp_path: Path, ada: Path) -> None:
    (ada / ".deepseek").mkdir()
    (ada / ".deepseek" / "config.toml").symlink_to("nowhere.toml")
    with pytest.raises(NotFound, match="where nothing is"):
        switched(surroundings(tmp_path), True)
    assert os.listdir(ada / ".deepseek") == ["config.toml"]


def test_without_a_home_there_is_nothing_to_set(tmp_path: Path) -> None:
    env = surroundings(tmp_path)._replace(home=None)
    with pytest.raises(ConfigError, match="no home directory") as caught:
        switched(env, True)
    assert caught.value.hint == "set HOME"
    assert user_state(opened(env), env).path == ""


def test_a_configuration_that_is_broken_or_changes_meanwhile_is_left_alone(tmp_path: Path, ada: Path) -> None:
    path = fill(ada / ".deepseek", {"config.toml": CONFIG.encode()}) / "config.toml"
    env = surroundings(tmp_path)
    store = opened(env)
    for broken in (b"[memory\n", b"# \xff\n"):
        path.write_bytes(broken)
        with pytest.raises(ConfigError):
            set_user_switch(store, env, True, NO_WAIT, dry_run=False)
        assert contents(ada / ".deepseek") == {"config.toml": broken}
    path.write_bytes(CONFIG.encode())
    with Directory(str(ada / ".deepseek")) as other:
        other.lock(NO_WAIT)
        with pytest.raises(Busy):
            set_user_switch(store, env, True, NO_WAIT, dry_run=False)
    assert contents(ada / ".deepseek") == {"config.toml": CONFIG.encode()}
