"""What a word of `--against` means, and where a copy has what is checked."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memctl.core.checks.comparing import Was
from memctl.core.checks.subject import Kind, StoreKind, Subject
from memctl.core.env import Env
from memctl.disk.states import CopyState, GitState, State, find_state
from memctl.errors import IoFailure, NotFound, UsageError
from tests.disk.repositories import commit, env_at, repository
from tests.stores import fill, memory, needs_root

A = memory("a")


def agent(path: Path) -> Subject:
    return Subject(StoreKind.AGENT, path.name, str(path), (), None, 0o700, 0)


def user(path: Path) -> Subject:
    return Subject(StoreKind.USER, "@user", str(path), (), None, 0o700, 0)


def state_of(word: str, env: Env, *paths: Path, roots: tuple[Path, ...] = ()) -> State:
    return find_state(word, [*map(str, paths)], [*map(str, roots)], env)


def data_folder(path: Path) -> Path:
    fill(path, {"agents.json": b"[]", "memory.md": b"- note\n"})
    fill(path / "memory/one", {"a.md": A, "MEMORY.md": b"index"})
    fill(path / "memory/two", {"b.md": memory("b")})
    return path


def files(state: State, path: Path) -> list[str] | None:
    found = state.names(str(path), agent(path))
    return None if found is None else sorted(was.name for was in found)


@pytest.mark.parametrize(
    ("root", "copy"),
    [
        ("data", "backup"),
        ("data", "backup/memory"),
        ("data/memory", "backup"),
        ("data/memory", "backup/memory"),
        ("data/memory/one", "backup"),
        ("data/memory/one", "backup/memory"),
        ("data/memory/one", "backup/memory/one"),
    ],
)
def test_a_store_is_found_in_a_copy_of_itself_or_of_what_it_is_in(tmp_path: Path, root: str, copy: str) -> None:
    data_folder(tmp_path / "work/data")
    shutil.copytree(tmp_path / "work/data", tmp_path / "backup")
    store = tmp_path / "work/data/memory/one"
    state = state_of(str(tmp_path / copy), env_at(tmp_path), store, roots=(tmp_path / "work" / root,))
    assert isinstance(state, CopyState)
    assert files(state, store) == ["MEMORY.md", "a.md"]


@pytest.mark.parametrize("copy", ["backup", "backup/memory", "backup/memory/one"])
def test_an_agent_that_is_named_alone_is_found_by_its_id(tmp_path: Path, copy: str) -> None:
    data_folder(tmp_path / "work/data")
    shutil.copytree(tmp_path / "work/data", tmp_path / "backup")
    store = tmp_path / "work/data/memory/one"
    assert files(state_of(str(tmp_path / copy), env_at(tmp_path), store), store) == ["MEMORY.md", "a.md"]


def test_a_copy_of_the_working_directory_has_all_at_the_same_place(tmp_path: Path) -> None:
    data_folder(tmp_path / "work/data")
    shutil.copytree(tmp_path / "work", tmp_path / "old")
    (tmp_path / "work/data/memory/one/a.md").unlink()
    store = tmp_path / "work/data/memory/one"
    state = state_of("../old", env_at(tmp_path / "work"), store, roots=(tmp_path / "work/data",))
    assert files(state, store) == ["MEMORY.md", "a.md"]


def test_a_store_that_the_copy_has_not_is_unknown(tmp_path: Path) -> None:
    data_folder(tmp_path / "data")
    shutil.copytree(tmp_path / "data", tmp_path / "backup")
    new = fill(tmp_path / "data/memory/new", {"c.md": A})
    for roots in ((tmp_path / "data",), (new,), ()):
        state = state_of(str(tmp_path / "backup/memory"), env_at(tmp_path / "backup"), new, roots=roots)
        assert files(state, new) is None


def test_an_empty_directory_is_no_copy_of_a_store(tmp_path: Path) -> None:
    store = fill(tmp_path / "store", {"a.md": A})
    empty = fill(tmp_path / "empty", {})
    assert files(state_of(str(empty), env_at(tmp_path), store, roots=(store,)), store) is None


def test_a_copy_is_read_as_a_store_is(tmp_path: Path) -> None:
    store = fill(tmp_path / "store", {})
    copy = fill(tmp_path / "copy", {"a.md": A, "x.txt": b"stray"})
    (copy / "b.md").symlink_to("a.md")
    (copy / "c.md").mkdir()
    found = state_of(str(copy), env_at(tmp_path), store, roots=(store,)).names(str(store), agent(store))
    assert sorted(found or ()) == [
        Was("a.md", Kind.FILE, A),
        Was("b.md", Kind.SYMLINK, A, "a.md"),
        Was("c.md", Kind.DIRECTORY, None),
        Was("x.txt", Kind.FILE, b"stray"),
    ]


@needs_root
def test_a_copy_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    store = fill(tmp_path / "store", {})
    copy = fill(tmp_path / "copy", {"a.md": A})
    state = state_of(str(copy), env_at(tmp_path), store, roots=(store,))
    (copy / "a.md").unlink()
    (copy / "a.md").symlink_to("/proc/self/mem")
    with pytest.raises(IoFailure):
        state.names(str(store), agent(store))


@pytest.mark.parametrize("copy", ["backup", "backup/memory.md"])
def test_a_user_memory_is_a_file_of_a_copy_or_the_copy(tmp_path: Path, copy: str) -> None:
    data_folder(tmp_path / "backup")
    path = tmp_path / "home/memory.md"
    state = state_of(str(tmp_path / copy), env_at(tmp_path), path)
    assert state.names(str(path), user(path)) == [Was("memory.md", Kind.FILE, b"- note\n")]
    assert state_of(str(tmp_path), env_at(tmp_path), path).names(str(path), user(path)) is None


def test_the_registry_is_a_file_of_a_copy(tmp_path: Path) -> None:
    data_folder(tmp_path / "data")
    shutil.copytree(tmp_path / "data", tmp_path / "backup")
    state = state_of("./backup", env_at(tmp_path), roots=(tmp_path / "data",))
    assert state.file(str(tmp_path / "data/agents.json")) == b"[]"
    assert state.file(str(tmp_path / "data/other.json")) is None
    assert state.file("/elsewhere/agents.json") is None


@pytest.mark.parametrize(("root", "copy"), [("data", "backup"), ("data", "backup/memory"), ("data/memory", "backup")])
def test_the_directories_of_a_copy_are_called_as_those_that_are_checked(tmp_path: Path, root: str, copy: str) -> None:
    data_folder(tmp_path / "work/data")
    shutil.copytree(tmp_path / "work/data", tmp_path / "backup")
    state = state_of(str(tmp_path / copy), env_at(tmp_path), roots=(tmp_path / "work" / root,))
    found = dict(state.directories(str(tmp_path / "work" / root)))
    assert sorted(found[str(tmp_path / "work/data/memory/one")]) == ["MEMORY.md", "a.md"]


def test_a_commit_has_the_stores_of_its_repository(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    data_folder(repo)
    commit(repo)
    shutil.rmtree(repo / "memory/one")
    (repo / "agents.json").write_bytes(b"changed")
    state = state_of("main", env_at(repo), repo / "memory/two", roots=(repo,))
    assert isinstance(state, GitState)
    assert state.since == "main"
    assert files(state, repo / "memory/one") == ["MEMORY.md", "a.md"]
    assert files(state, repo / "memory/three") is None
    assert state.file(str(repo / "agents.json")) == b"[]"
    assert state.file(str(repo / "memory")) is None
    assert state.file(str(repo / "other.json")) is None
    found = state.names(str(repo / "memory.md"), user(repo / "memory.md"))
    assert found == [Was("memory.md", Kind.FILE, b"- note\n")]
    assert state.names(str(repo / "other.md"), user(repo / "other.md")) is None
    assert ["MEMORY.md", "a.md"] in [names for _, names in state.directories(str(repo))]


def test_each_store_is_compared_with_its_own_repository(tmp_path: Path) -> None:
    outer = repository(tmp_path / "outer")
    fill(outer / "memory/one", {"a.md": A})
    commit(outer)
    inner = repository(outer / "memory/two")
    fill(inner, {"b.md": A})
    commit(inner)
    state = state_of("main", env_at(outer), outer / "memory/one", inner)
    assert files(state, outer / "memory/one") == ["a.md"]
    assert files(state, inner) == ["b.md"]
    with pytest.raises(UsageError, match="is in no git work tree"):
        files(state, tmp_path / "elsewhere")


def test_a_store_outside_of_git_is_an_error_though_another_is_in_it(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    commit(repo)
    outside = fill(tmp_path / "outside", {"a.md": A})
    env = env_at(repo, GIT_CEILING_DIRECTORIES=str(tmp_path))
    with pytest.raises(UsageError, match="outside' is in no git work tree, so 'main' is no commit of it") as error:
        state_of("main", env, repo, outside)
    assert error.value.hint == "there is no directory 'main' either; --against DIR compares with a copy"


def test_a_word_that_is_a_directory_and_a_commit_is_an_error(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    fill(repo / "main", {"a.md": A})
    commit(repo)
    with pytest.raises(UsageError, match="'main' is both a directory and a commit") as error:
        state_of("main", env_at(repo), repo)
    assert error.value.hint == "--against ./main is the directory, --against refs/heads/main a branch"
    assert isinstance(state_of("./main", env_at(repo), repo), CopyState)
    assert isinstance(state_of("refs/heads/main", env_at(repo), repo), GitState)


def test_a_word_that_is_a_directory_only_is_the_directory(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    fill(repo / "copy", {"a.md": A})
    commit(repo)
    assert isinstance(state_of("copy", env_at(repo), repo), CopyState)


def test_the_home_is_a_directory(tmp_path: Path) -> None:
    fill(tmp_path / "copy", {"a.md": A})
    assert isinstance(state_of("~/copy", env_at(tmp_path), tmp_path), CopyState)


@pytest.mark.parametrize("word", ["./nope", "/nope", "../nope", "~/nope"])
def test_a_path_where_nothing_is_is_an_error(tmp_path: Path, word: str) -> None:
    with pytest.raises(NotFound, match=f"^no such file or directory: '{word}'$"):
        state_of(word, env_at(tmp_path), tmp_path)


def test_a_ref_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    repo = repository(tmp_path / "repo")
    commit(repo)
    with pytest.raises(UsageError, match=r"^no commit 'nope'"):
        state_of("nope", env_at(repo), repo)
