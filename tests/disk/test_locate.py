"""Words and roots mean one store, or say why they mean none."""

from __future__ import annotations

import os
import pwd
from pathlib import Path
from typing import Any

import pytest

from memctl.core.env import Env
from memctl.disk.locate import (
    DEMO_HINT,
    Fleet,
    default_folders,
    each_word,
    find_roots,
    is_data_folder,
    open_root,
)
from memctl.errors import InvalidInput, IoFailure, MemctlError, NotFound, Protected, UsageError
from tests.stores import NOBODY, env_of, fill, fleet, index, memory, needs_root, register, run


def agent(tmp_path: Path, agent_id: str, *names: str, data: str = "data") -> Path:
    return fill(tmp_path / data / "memory" / agent_id, {f"{name}.md": memory(name) for name in names})


def error_of(do: Any) -> MemctlError:
    with pytest.raises(MemctlError) as caught:
        do()
    return caught.value


def addresses(found: Fleet) -> list[str]:
    return [store.address for store in found.stores()]


# --- roots ---


@pytest.mark.parametrize("root", ["data", "data/memory", "data/", "data/../data", "link", "data/memory/"])
def test_a_root_is_a_data_folder_or_its_memory_directory(tmp_path: Path, root: str) -> None:
    agent(tmp_path, "bbbb2222", "x")
    agent(tmp_path, "aaaa1111", "x")
    (tmp_path / "link").symlink_to("data")
    (tmp_path / "data" / "memory" / ".hidden").mkdir()
    (tmp_path / "data" / "memory" / "file").write_bytes(b"")
    register(tmp_path / "data", {"id": "cccc3333", "name": "billing-bot"})
    roots, errors = find_roots([root], env_of(tmp_path))
    found = Fleet(roots, env_of(tmp_path))
    assert errors == []
    assert [(store.id, store.name) for store in found.stores()] == [
        ("aaaa1111", "aaaa1111"),
        ("bbbb2222", "bbbb2222"),
        ("cccc3333", "billing-bot"),
    ]


def test_a_path_is_absolute_and_not_resolved(tmp_path: Path) -> None:
    agent(tmp_path, "aaaa1111", "x")
    (tmp_path / "link").symlink_to("data")
    (store,) = fleet(tmp_path, tmp_path / "link").stores()
    assert store.path == f"{tmp_path}/link/memory/aaaa1111"


@pytest.mark.parametrize("marker", ["MEMORY.md", ".legacy-imported", "x.md"])
def test_a_root_is_one_agents_directory(tmp_path: Path, marker: str) -> None:
    path = agent(tmp_path, "aaaa1111")
    (path / marker).write_bytes(memory("x"))
    agent(tmp_path, "bbbb2222", "x")
    register(tmp_path / "data", {"id": "aaaa1111", "name": "billing-bot"}, {"id": "cccc3333"})
    (store,) = fleet(tmp_path, path).stores()
    assert (store.id, store.name, store.path) == ("aaaa1111", "billing-bot", str(path))


def test_a_directory_of_agents_need_not_be_called_memory(tmp_path: Path) -> None:
    fill(tmp_path / "team" / "aaaa1111", {"x.md": memory("x")})
    (tmp_path / "team" / "README.md").write_bytes(b"")
    assert addresses(fleet(tmp_path, tmp_path / "team")) == ["aaaa1111"]


def test_an_agents_directory_may_stand_alone(tmp_path: Path) -> None:
    fill(tmp_path / "alone", {"x.md": memory("x")})
    (store,) = fleet(tmp_path, tmp_path / "alone").stores()
    assert (store.id, store.registered, store.automatic_memory) == ("alone", None, True)


def test_a_data_folder_without_a_directory_of_memories_has_the_agents_of_its_registry(tmp_path: Path) -> None:
    register(tmp_path / "data", {"id": "aaaa1111"})
    (store,) = fleet(tmp_path, tmp_path / "data").stores()
    assert (store.id, store.exists(), store.read().entries) == ("aaaa1111", False, [])


@pytest.mark.parametrize(
    ("root", "kind", "message"),
    [
        ("missing", NotFound, "the root '{path}' does not exist"),
        ("file", InvalidInput, "the root '{path}' is not a directory"),
        ("dangling", NotFound, "the root '{path}' does not exist"),
        ("fifo", InvalidInput, "the root '{path}' is not a directory"),
        ("a\0b", InvalidInput, None),
        ("circle", IoFailure, "cannot read '{path}': too many levels of symbolic links"),
    ],
)
def test_a_root_that_is_no_directory_says_so(tmp_path: Path, root: str, kind: type, message: str | None) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "dangling").symlink_to("nothing")
    (tmp_path / "circle").symlink_to("circle")
    os.mkfifo(tmp_path / "fifo")
    error = error_of(lambda: find_roots([root], env_of(tmp_path)))
    expected = (
        message.format(path=tmp_path / root) if message else f"no directory can have the path {f'{tmp_path}/{root}'!a}"
    )
    assert (type(error), error.message) == (kind, expected)


def test_one_bad_root_does_not_stop_the_others(tmp_path: Path) -> None:
    agent(tmp_path, "aaaa1111", "x")
    roots, errors = find_roots(["missing", "data"], env_of(tmp_path))
    assert [error.exit_code for error in errors] == [66]
    assert addresses(Fleet(roots, env_of(tmp_path))) == ["aaaa1111"]


@needs_root
def test_a_root_that_may_not_be_read_is_an_input_output_error(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o700)
    code = 'outcome(lambda: open_root("closed", Env({}, None, "/", os.getuid())))'
    told = run(code, cwd=tmp_path, uid=NOBODY)
    assert told["errors"] == [["IoFailure", 74, "cannot read 'closed': permission denied"]]


@needs_root
def test_a_memory_directory_that_may_not_be_read_is_a_problem_of_the_fleet(tmp_path: Path) -> None:
    (tmp_path / "data" / "memory").mkdir(parents=True)
    (tmp_path / "data" / "memory").chmod(0o700)
    (tmp_path / "data").chmod(0o755)
    code = """
env = Env({}, None, "/", os.getuid())
found = Fleet([open_root("data", env)], env)
tell([len(found.stores()), [told(error) for error in found.problems()]])
"""
    assert run(code, cwd=tmp_path, uid=NOBODY) == [
        0,
        [["IoFailure", 74, "cannot read 'data/memory': permission denied"]],
    ]


def test_a_circle_of_symlinks_among_the_agents_is_reported_and_stops_no_other(tmp_path: Path) -> None:
    agent(tmp_path, "aaaa1111", "x")
    agent(tmp_path, "cccc3333", "x")
    (tmp_path / "data" / "memory" / "bbbb2222").symlink_to("bbbb2222")
    found = fleet(tmp_path, tmp_path / "data")
    assert addresses(found) == ["aaaa1111", "cccc3333"]
    assert [error.exit_code for error in found.problems()] == [74]


def test_a_registry_that_does_not_parse_is_a_problem_and_the_directories_are_there(tmp_path: Path) -> None:
    agent(tmp_path, "aaaa1111", "x")
    (tmp_path / "data" / "agents.json").write_text("[")
    found = fleet(tmp_path, tmp_path / "data")
    assert addresses(found) == ["aaaa1111"]
    assert [error.exit_code for error in found.problems()] == [78]


def test_a_root_that_is_given_twice_has_its_agents_once(tmp_path: Path) -> None:
    path = agent(tmp_path, "aaaa1111", "x")
    agent(tmp_path, "bbbb2222", "x")
    for roots in (
        [tmp_path / "data"] * 2,
        [path, tmp_path / "data"],
        [tmp_path / "data", tmp_path / "data" / "memory"],
    ):
        found = fleet(tmp_path, *roots)
        assert addresses(found) == ["aaaa1111", "bbbb2222"]
        assert found.agent("aaaa1111").address == "aaaa1111"


# --- another user's ---


@needs_root
def test_a_store_of_another_user_is_foreign(tmp_path: Path) -> None:
    path = agent(tmp_path, "aaaa1111", "x")
    agent(tmp_path, "bbbb2222", "x")
    os.chown(path, 1234, 1234)
    assert [store.foreign for store in fleet(tmp_path, tmp_path / "data").stores()] == [True, False]
    os.chown(tmp_path / "data", 1234, 1234)
    assert [store.foreign for store in fleet(tmp_path, tmp_path / "data").stores()] == [True, True]
    assert fleet(tmp_path, path).stores()[0].foreign


@needs_root
def test_a_store_of_another_user_is_foreign_through_ones_own_link_too(tmp_path: Path) -> None:
    agent(tmp_path, "aaaa1111", "x")
    (tmp_path / "link").symlink_to("data")
    assert not open_root(str(tmp_path / "link"), env_of(tmp_path)).folder.foreign
    os.chown(tmp_path / "data", 1234, 1234)
    found = fleet(tmp_path, tmp_path / "link")
    assert found.roots[0].folder.foreign
    assert [[entry.file for entry in store.read().entries] for store in found.stores()] == [["x.md"]]


@needs_root
def test_a_memory_directory_of_another_user_that_is_a_symlink_is_not_followed(tmp_path: Path) -> None:
    agent(tmp_path, "aaaa1111", "x", data="real")
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "memory").symlink_to("../real/memory")
    assert addresses(fleet(tmp_path, tmp_path / "data")) == ["aaaa1111"]
    os.chown(tmp_path / "data", 1234, 1234)
    error = error_of(lambda: open_root(str(tmp_path / "data"), env_of(tmp_path)))
    assert (type(error), error.path) == (Protected, f"{tmp_path}/data/memory")


@needs_root
def test_a_registry_of_another_user_that_is_a_symlink_is_not_followed(tmp_path: Path) -> None:
    agent(tmp_path, "aaaa1111", "x")
    register(tmp_path / "real", {"id": "bbbb2222"})
    (tmp_path / "data" / "agents.json").symlink_to("../real/agents.json")
    assert addresses(fleet(tmp_path, tmp_path / "data")) == ["aaaa1111", "bbbb2222"]
    os.chown(tmp_path / "data", 1234, 1234)
    found = fleet(tmp_path, tmp_path / "data")
    assert addresses(found) == ["aaaa1111"]
    assert [error.exit_code for error in found.problems()] == [74]


# --- the default places ---


def test_the_default_places_are_those_of_the_documents(tmp_path: Path) -> None:
    for name in ("b", "a"):
        (tmp_path / "home" / ".dashsquad" / name).mkdir(parents=True)
    home = f"{tmp_path}/home"
    squads = [f"{home}/.dashsquad/a", f"{home}/.dashsquad/b"]
    assert default_folders(env_of(tmp_path)) == [f"{home}/.dash/gateway", *squads]
    assert default_folders(env_of(tmp_path, DASH_HOME="/dash")) == ["/dash/gateway", f"{home}/.dash/gateway", *squads]
    assert default_folders(env_of(tmp_path, DASH_HOME=" dash "))[0] == f"{tmp_path}/dash/gateway"
    assert default_folders(env_of(tmp_path, DASH_HOME=" ")) == default_folders(env_of(tmp_path))
    assert default_folders(env_of(tmp_path, DASH_HOME=f"{home}/.dash")) == default_folders(env_of(tmp_path))


def test_without_a_home_there_are_no_places_to_look_at() -> None:
    env = Env({}, None, "/", 0)
    assert default_folders(env) == []
    error = error_of(lambda: find_roots([], env))
    assert (error.message, error.exit_code) == ("no data folder of an HQ found", 66)
    assert error.hint == f"there is no home directory to look in; {DEMO_HINT}"


def test_all_default_places_that_exist_are_taken(tmp_path: Path) -> None:
    home = tmp_path / "home"
    agent(home, "aaaa1111", "x", data=".dash/gateway")
    agent(home, "bbbb2222", "x", data=".dashsquad/one")
    register(home / ".dashsquad" / "two", {"id": "cccc3333"})
    (home / ".dashsquad" / "settings").mkdir()
    agent(tmp_path, "dddd4444", "x", data="dash/gateway")
    env = env_of(tmp_path, DASH_HOME=str(tmp_path / "dash"))
    roots, errors = find_roots([], env)
    assert errors == []
    assert addresses(Fleet(roots, env)) == ["dddd4444", "aaaa1111", "bbbb2222", "cccc3333"]


def test_where_no_place_exists_all_are_named(tmp_path: Path) -> None:
    error = error_of(lambda: find_roots([], env_of(tmp_path)))
    home = f"{tmp_path}/home"
    assert error.hint == f"looked in {home}/.dash/gateway, {home}/.dashsquad/*; {DEMO_HINT}"


def test_given_roots_are_taken_instead_of_the_default_places(tmp_path: Path) -> None:
    agent(tmp_path / "home", "aaaa1111", "x", data=".dash/gateway")
    agent(tmp_path, "bbbb2222", "x")
    roots, _ = find_roots(["data"], env_of(tmp_path))
    assert addresses(Fleet(roots, env_of(tmp_path))) == ["bbbb2222"]


def test_a_data_folder_has_memories_or_a_registry(tmp_path: Path) -> None:
    (tmp_path / "a" / "memory").mkdir(parents=True)
    register(tmp_path / "b")
    (tmp_path / "c" / "agents.json").mkdir(parents=True)
    assert [is_data_folder(str(tmp_path / name)) for name in "abcd"] == [True, True, False, False]


def test_under_sudo_the_place_of_the_one_who_called_is_named_if_it_exists(tmp_path: Path) -> None:
    # Only homes of the password file count; a name that it does not have is passed over.
    user = next(entry for entry in pwd.getpwall() if entry.pw_uid != 0 and not Path(entry.pw_dir, ".dash").exists())
    for name in (user.pw_name, "nobody-has-this-name", "root", ""):
        env = Env({"SUDO_USER": name}, str(tmp_path), str(tmp_path), 0)
        hint = error_of(lambda env=env: find_roots([], env)).hint
        assert hint is not None
        assert "--root" not in hint


@needs_root
def test_under_sudo_the_hint_says_which_root_to_give(tmp_path: Path) -> None:
    # The home of the password file is a real one, so the other user here is root, under another name of it.
    home = pwd.getpwuid(0).pw_dir
    if Path(home, ".dash").exists():
        pytest.skip("there is a data folder in the real home, which is left alone")
    code = """
import pwd
entry = pwd.getpwuid(0)
pwd.getpwnam = {"boss": entry.__class__([*entry[:5], given, *entry[6:]])}.__getitem__
env = Env({"SUDO_USER": "boss"}, given + "/none", "/", 0)
try:
    find_roots([], env)
except NotFound as error:
    tell(error.hint)
"""
    agent(tmp_path, "aaaa1111", "x", data=".dash/gateway")
    hint = run(code, str(tmp_path), cwd=tmp_path)
    assert f"the user 'boss' has one: --root {tmp_path}/.dash/gateway; " in hint


# --- addresses ---


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """Two agents with names, and one without."""
    agent(tmp_path, "1a2b3c4d", "api-migration", "api-keys")
    agent(tmp_path, "5e6f7a8b", "old-plan")
    agent(tmp_path, "99999999", "old-plan")
    register(tmp_path / "data", {"id": "1a2b3c4d", "name": "billing-bot"}, {"id": "5e6f7a8b", "name": "Support-Bot"})
    return tmp_path


@pytest.mark.parametrize(
    ("word", "agent_id", "name"),
    [
        ("1a2b3c4d", "1a2b3c4d", None),
        ("billing-bot", "1a2b3c4d", None),
        ("BILLING-bot", "1a2b3c4d", None),
        ("bill", "1a2b3c4d", None),
        ("1a2b", "1a2b3c4d", None),
        ("support-bot", "5e6f7a8b", None),
        ("9999", "99999999", None),
        ("billing-bot/api-keys", "1a2b3c4d", "api-keys"),
        ("1a2b/api-*", "1a2b3c4d", "api-*"),
        ("bill/no/such", "1a2b3c4d", "no/such"),
    ],
)
def test_an_address_is_an_agent_and_perhaps_a_name(two: Path, word: str, agent_id: str, name: str | None) -> None:
    target = fleet(two, two / "data").target(word)
    assert (target.store.id, target.store.address, target.name, target.word) == (agent_id, agent_id, name, word)


@pytest.mark.parametrize("word", ["bil", "1a2", "nobody", "5E6F7A8B", "api-keys"])
def test_a_word_that_is_no_agent_is_not_found(two: Path, word: str) -> None:
    error = error_of(lambda: fleet(two, two / "data").target(word))
    assert (type(error), error.message) == (NotFound, f"no agent '{word}'")


def test_an_unknown_agent_names_the_nearest(two: Path) -> None:
    assert error_of(lambda: fleet(two, two / "data").agent("billng-bot")).hint == "did you mean 'billing-bot'?"


@pytest.mark.parametrize("word", ["bill", "BILLING-BOT", "1a2b", "1a2b/api-keys"])
def test_a_changing_command_without_a_terminal_takes_no_prefix_and_no_other_case(two: Path, word: str) -> None:
    error = error_of(lambda: fleet(two, two / "data", exact=True).target(word))
    assert isinstance(error, NotFound)
    assert error.hint == "without a terminal a changing command takes no prefixes: 1a2b3c4d"


@pytest.mark.parametrize("word", ["1a2b3c4d", "billing-bot", "billing-bot/x"])
def test_a_changing_command_without_a_terminal_takes_exact_ids_and_names(two: Path, word: str) -> None:
    assert fleet(two, two / "data", exact=True).target(word).store.id == "1a2b3c4d"


def test_an_id_goes_before_a_name_and_a_name_before_a_prefix(tmp_path: Path) -> None:
    for agent_id in ("aaaa1111", "bbbb2222", "cccc3333"):
        agent(tmp_path, agent_id, "x")
    register(tmp_path / "data", {"id": "bbbb2222", "name": "aaaa1111"}, {"id": "cccc3333", "name": "bbbb"})
    found = fleet(tmp_path, tmp_path / "data")
    assert [found.agent(word).id for word in ("aaaa1111", "bbbb", "bbbb2")] == ["aaaa1111", "cccc3333", "bbbb2222"]


def test_an_ambiguous_word_lists_candidates_that_can_be_pasted(tmp_path: Path) -> None:
    agent(tmp_path, "aaaa1111", "x")
    agent(tmp_path, "aaaa2222", "x")
    found = fleet(tmp_path, tmp_path / "data")
    error = error_of(lambda: found.agent("aaaa"))
    assert (type(error), error.message) == (UsageError, "'aaaa' is ambiguous: aaaa1111, aaaa2222")


@pytest.mark.parametrize("second", ["directory", "registry"])
def test_where_two_data_folders_share_an_id_addresses_are_paths(tmp_path: Path, second: str) -> None:
    first = agent(tmp_path, "aaaa1111", "x", data="one")
    agent(tmp_path, "bbbb2222", "x", data="one")
    if second == "directory":
        agent(tmp_path, "aaaa1111", "x", data="two")
    else:
        register(tmp_path / "two", {"id": "aaaa1111"})
    other = f"{tmp_path}/two/memory/aaaa1111"
    found = fleet(tmp_path, tmp_path / "one", tmp_path / "two")
    assert addresses(found) == [str(first), "bbbb2222", other]
    error = error_of(lambda: found.target("aaaa1111"))
    assert (type(error), error.message) == (UsageError, f"'aaaa1111' is ambiguous: {first}, {other}")
    target = found.target(f"{first}/x.md")
    assert (target.store.address, target.name) == (str(first), "x")
    assert target.store.memory_address("x") == f"{first}/x.md"
    assert found.target("bbbb2222").store.address == "bbbb2222"


@pytest.mark.parametrize("agent_id", ["../x", "a/b", ".", "..", "", "/etc", "a\0b", "\ud800", "k" * 256])
def test_an_id_of_the_registry_that_is_no_directory_name_is_never_opened(tmp_path: Path, agent_id: str) -> None:
    fill(tmp_path / "data" / "x", {"secret.md": memory("secret")})
    fill(tmp_path / "data" / "memory" / "a" / "b", {"secret.md": memory("secret")})
    register(tmp_path / "data", {"id": agent_id, "name": "evil-bot"}, {"id": "good1111"})
    found = fleet(tmp_path, tmp_path / "data")
    assert addresses(found) == ["a", "good1111"]
    for word in ("evil-bot", "evil"):
        assert isinstance(error_of(lambda word=word: found.target(word)), NotFound)


@pytest.mark.parametrize("word", ["1a2b3c4d/../5e6f7a8b/old-plan", "1a2b3c4d/../../agents"])
def test_a_name_never_leads_out_of_its_store(two: Path, word: str) -> None:
    target = fleet(two, two / "data").target(word)
    assert target.store.id == "1a2b3c4d"
    assert target.name == word.partition("/")[2]


def test_a_name_alone_is_enough_with_one_agent_only(tmp_path: Path) -> None:
    agent(tmp_path, "aaaa1111", "x")
    found = fleet(tmp_path, tmp_path / "data")
    for word, options in (("x", {}), ("x", {"memory": True}), ("no-such", {"memory": True})):
        target = found.target(word, **options)
        assert (target.store.id, target.name) == ("aaaa1111", word)
    assert error_of(lambda: found.target("no-such")).message == "no agent 'no-such'"


def test_a_name_alone_is_that_of_the_agent_in_memctl_agent(two: Path) -> None:
    found = fleet(two, two / "data")
    target = found.target("api-keys", agent="billing-bot")
    assert (target.store.id, target.name) == ("1a2b3c4d", "api-keys")
    target = found.target("anything", agent="billing-bot", memory=True)
    assert (target.store.id, target.name) == ("1a2b3c4d", "anything")
    assert error_of(lambda: found.target("x", agent="nobody", memory=True)).message == "no agent 'nobody'"


def test_an_agent_where_a_memory_is_wanted_says_how_to_name_one(two: Path) -> None:
    error = error_of(lambda: fleet(two, two / "data").target("billing-bot", memory=True))
    assert (type(error), error.message) == (UsageError, "'billing-bot' is an agent, not a memory")
    assert error.hint == "name the memory: billing-bot/NAME, or a pattern in quotes: 'billing-bot/*'"


# --- paths ---


def test_a_path_is_an_agents_directory_or_a_memorys_file(two: Path) -> None:
    found = fleet(two, two / "data")
    for word in (
        f"{two}/data/memory/1a2b3c4d",
        "./data/memory/1a2b3c4d",
        "./data/memory/1a2b3c4d/",
        "~/../data/memory/1a2b3c4d",
    ):
        target = found.target(word)
        assert (target.store.address, target.store.name, target.name) == ("1a2b3c4d", "billing-bot", None)
    target = found.target("./data/memory/1a2b3c4d/api-keys.md")
    assert (target.store.address, target.name) == ("1a2b3c4d", "api-keys")


def test_a_path_may_be_outside_of_all_roots(two: Path) -> None:
    path = fill(two / "elsewhere" / "memory" / "77777777", {"x.md": memory("x")})
    register(two / "elsewhere", {"id": "77777777", "name": "far-bot"})
    target = fleet(two, two / "data").target(f"{path}/x.md")
    assert (target.store.path, target.store.address, target.store.name) == (str(path), str(path), "far-bot")
    assert target.name == "x"


def test_a_dot_is_the_current_directory(two: Path) -> None:
    env = env_of(two)._replace(cwd=f"{two}/data/memory/1a2b3c4d")
    found = Fleet([open_root(str(two / "data"), env)], env)
    assert found.target(".").store.id == "1a2b3c4d"
    assert found.target("./api-keys.md").name == "api-keys"
    assert found.target("../5e6f7a8b").store.id == "5e6f7a8b"
    assert isinstance(error_of(lambda: found.target("..")), UsageError)


def test_a_hidden_directory_is_no_agent_but_a_path_may_name_it(two: Path) -> None:
    path = fill(two / "data" / "memory" / ".hidden", {"x.md": memory("x")})
    found = fleet(two, two / "data")
    assert found.target(str(path)).store.address == str(path)
    assert found.target(f"{path}/x.md").name == "x"


@pytest.mark.parametrize(
    ("word", "kind", "message"),
    [
        ("./missing", NotFound, "no such file or directory: './missing'"),
        ("./data", UsageError, "'./data' is a data folder, not an agent's directory"),
        ("./data/memory", UsageError, "'./data/memory' is the directory of many agents, not of one"),
        ("./data/memory/1a2b3c4d/MEMORY.md", UsageError, "'{word}' is an index, not a memory"),
        ("./data/agents.json", InvalidInput, "'{word}' is no memory: its name does not end with .md"),
        ("@user/0", UsageError, "'@user/0' is no note"),
        ("", UsageError, "an address is empty"),
        ("a\0b", UsageError, "an address holds a NUL byte"),
        ("/x", NotFound, "no such file or directory: '/x'"),
        ("/x/", NotFound, "no such file or directory: '/x/'"),
    ],
)
def test_a_word_that_means_nothing_says_why(two: Path, word: str, kind: type, message: str) -> None:
    (two / "data" / "memory" / "1a2b3c4d" / "MEMORY.md").write_bytes(index())
    error = error_of(lambda: fleet(two, two / "data").target(word))
    assert (type(error), error.message) == (kind, message.format(word=word))


def test_the_directory_of_many_agents_outside_of_all_roots_is_no_agent(two: Path) -> None:
    agent(two, "77777777", "x", data="elsewhere")
    error = error_of(lambda: fleet(two, two / "data").target("./elsewhere/memory"))
    assert error.message == "'./elsewhere/memory' is the directory of many agents, not of one"
    assert error.hint == "memctl --root ./elsewhere/memory takes all of them"


@pytest.mark.parametrize("shape", ["fifo", "dangling"])
def test_a_path_may_be_a_file_that_cannot_be_read(two: Path, shape: str) -> None:
    path = two / "data" / "memory" / "1a2b3c4d" / "odd.md"
    if shape == "fifo":
        os.mkfifo(path)
    else:
        path.symlink_to("nothing")
    assert fleet(two, two / "data").target(str(path)).name == "odd"


@pytest.mark.parametrize(
    ("words", "lines", "result"),
    [
        (["a", "b"], None, ["a", "b"]),
        (["a", "-", "b"], ["x/y", "", "z"], ["a", "x/y", "z", "b"]),
        (["-"], None, ["-"]),
        (["-", "-"], ["x"], ["x"]),
    ],
)
def test_a_dash_stands_for_the_lines_of_standard_input(
    words: list[str], lines: list[str] | None, result: list[str]
) -> None:
    assert list(each_word(words, iter(lines) if lines is not None else None)) == result


@pytest.mark.parametrize("word", ["/", "/dev"])
def test_a_directory_without_memories_is_no_agent(two: Path, word: str) -> None:
    with pytest.raises(UsageError, match="is no agent's directory: it holds no memories"):
        fleet(two).target(word)
