"""What the words of `check` mean: paths first, whatever is there; then agents."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memctl.disk.checkable import Aims, find_all, find_words
from memctl.disk.codewhale import find_facts
from memctl.disk.stores import DataFolder, DirectoryStore
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import NotFound, UsageError
from tests.stores import env_of, fill, fleet, memory, register

BAD = b"---\nname: a\ntype: todo\n---\nbody\n"
GONE = "passed over"


def find(tmp_path: Path, *words: str, root: Path | None = None) -> Aims:
    env = env_of(tmp_path)
    user = open_user_store(find_facts(env, given=str(tmp_path / "home/notes.md")), env)
    return find_words(words, env, lambda: fleet(tmp_path, root or tmp_path / "hq"), lambda: user)


def told(tmp_path: Path, aims: Aims) -> list[tuple[str, list[str] | None]]:
    """Return the places below `tmp_path`, a registry with its file, each with the files that are meant."""
    found = []
    for aim in aims.found:
        path = f"{aim.place.path}/agents.json" if isinstance(aim.place, DataFolder) else aim.place.path
        found.append((os.path.relpath(path, tmp_path), None if aim.only is None else sorted(aim.only)))
    return found


@pytest.fixture
def hq(tmp_path: Path) -> Path:
    """Give a data folder with two agents, one of which has a directory."""
    register(tmp_path / "hq", {"id": "1a2b3c4d", "name": "bot"}, {"id": "5e6f7a8b"})
    fill(tmp_path / "hq/memory/1a2b3c4d", {"a.md": memory("a"), "b.md": BAD, "MEMORY.md": b""})
    return tmp_path / "hq"


ALL = [("hq/agents.json", None), ("hq/memory/1a2b3c4d", None), ("hq/memory/5e6f7a8b", None)]


@pytest.mark.parametrize("word", ["hq", "hq/", "./hq", "hq/memory", "hq/memory/", "hq/memory/1a2b3c4d/.."])
def test_a_data_folder_and_its_memory_are_all_agents_and_the_registry(tmp_path: Path, hq: Path, word: str) -> None:
    assert told(tmp_path, find(tmp_path, word)) == ALL


@pytest.mark.parametrize(
    ("word", "only"),
    [
        ("hq/memory/1a2b3c4d", None),
        ("1a2b3c4d", None),
        ("bot", None),
        ("BOT", None),
        ("1a2b", None),
        ("bot/a", ["a.md"]),
        ("bot/[ab]", ["a.md", "b.md"]),
        ("hq/memory/1a2b3c4d/b.md", ["b.md"]),
        ("hq/memory/1a2b3c4d/MEMORY.md", ["MEMORY.md"]),
    ],
)
def test_an_agent_and_single_files_of_it(tmp_path: Path, hq: Path, word: str, only: list[str] | None) -> None:
    assert told(tmp_path, find(tmp_path, word)) == [("hq/memory/1a2b3c4d", only)]


def test_the_registry_alone(tmp_path: Path, hq: Path) -> None:
    assert told(tmp_path, find(tmp_path, "hq/agents.json")) == ALL[:1]


def test_a_file_beside_memories_is_one_of_the_store(tmp_path: Path, hq: Path) -> None:
    fill(hq / "memory/1a2b3c4d", {"a.md~": b""})
    assert told(tmp_path, find(tmp_path, "hq/memory/1a2b3c4d/a.md~")) == [("hq/memory/1a2b3c4d", ["a.md~"])]


def test_files_of_one_store_are_one_place(tmp_path: Path, hq: Path) -> None:
    words = [f"hq/memory/1a2b3c4d/{name}.md" for name in "ab"]
    assert told(tmp_path, find(tmp_path, *words)) == [("hq/memory/1a2b3c4d", ["a.md", "b.md"])]
    assert told(tmp_path, find(tmp_path, *words, "bot")) == [("hq/memory/1a2b3c4d", None)]
    assert told(tmp_path, find(tmp_path, "bot", *words)) == [("hq/memory/1a2b3c4d", None)]


def test_a_path_goes_before_an_agent_of_that_name(tmp_path: Path, hq: Path) -> None:
    fill(tmp_path / "bot", {"x.md": memory("x")})
    assert told(tmp_path, find(tmp_path, "bot")) == [("bot", None)]


def test_a_directory_without_memories_leaves_the_word_to_the_agent(tmp_path: Path, hq: Path) -> None:
    fill(tmp_path / "bot", {"main.py": b""})
    assert told(tmp_path, find(tmp_path, "bot")) == [("hq/memory/1a2b3c4d", None)]


def test_what_is_not_there_any_more_is_passed_over(tmp_path: Path, hq: Path) -> None:
    aims = find(tmp_path, "hq/memory/1a2b3c4d/old.md", "bot")
    assert (told(tmp_path, aims), aims.passed_over) == (
        [("hq/memory/1a2b3c4d", None)],
        ["'hq/memory/1a2b3c4d/old.md' is not there"],
    )


def test_a_file_of_another_kind_is_passed_over(tmp_path: Path, hq: Path) -> None:
    fill(tmp_path / "src", {"main.py": b""})
    aims = find(tmp_path, "src/main.py")
    assert (aims.found, aims.errors, aims.passed_over) == ([], [], ["'src/main.py' is in no store"])


@pytest.mark.parametrize(
    ("word", "kind", "message"),
    [
        ("nobody", NotFound, "no file, directory or agent 'nobody'"),
        ("bot/nothing", NotFound, "no memory 'nothing' in agent 'bot'"),
        ("./nothing", NotFound, "no such file or directory: './nothing'"),
        ("hq/nothing", NotFound, "no such file or directory: 'hq/nothing'"),
        ("empty", NotFound, "no memories found in 'empty'"),
        ("@user/3", UsageError, "'@user/3' is one note; check takes @user as a whole"),
        ("", UsageError, "an address is empty"),
    ],
)
def test_a_word_that_means_nothing_is_an_error_and_the_others_go_on(
    tmp_path: Path, hq: Path, word: str, kind: type[Exception], message: str
) -> None:
    (tmp_path / "empty").mkdir()
    aims = find(tmp_path, word, word, "bot")
    assert [(type(error), error.message) for error in aims.errors] == [(kind, message)]
    assert told(tmp_path, aims) == [("hq/memory/1a2b3c4d", None)]


def test_the_user_memory_by_its_word_and_by_its_path(tmp_path: Path) -> None:
    fill(tmp_path / "home", {"notes.md": b"- a\n"})
    for word in ("@user", "home/notes.md", "~/notes.md"):
        (aim,) = find(tmp_path, word).found
        assert (type(aim.place), aim.place.path, aim.only) == (FileStore, f"{tmp_path}/home/notes.md", None)


def test_a_memory_md_that_stands_alone_is_a_user_memory(tmp_path: Path) -> None:
    fill(tmp_path / "dotfiles", {"memory.md": b"- a\n", "README.md": b"# x\n"})
    (aim,) = find(tmp_path, "dotfiles/memory.md").found
    assert (type(aim.place), aim.place.path) == (FileStore, f"{tmp_path}/dotfiles/memory.md")


def test_a_memory_md_among_memories_is_one_of_them(tmp_path: Path) -> None:
    fill(tmp_path / "bot", {"memory.md": memory("memory"), "a.md": memory("a")})
    (aim,) = find(tmp_path, "bot/memory.md").found
    assert (type(aim.place), aim.only) == (DirectoryStore, {"memory.md"})


# --- directories that no HQ made ---


@pytest.mark.parametrize(
    ("files", "found"),
    [
        # One agent's, wherever it lies.
        (["a.md"], ["."]),
        (["a.md", "MEMORY.md", "topics/x.txt"], ["."]),
        (["MEMORY.md"], ["."]),
        ([".legacy-imported"], ["."]),
        # Its parts in memory/, without a registry.
        (["memory/a.md"], ["memory"]),
        (["memory/MEMORY.md"], ["memory"]),
        (["memory/x/a.md", "memory/y/b.md"], ["memory/x", "memory/y"]),
        # A directory of directories.
        (["x/a.md", "y/plain.txt.md"], ["x", "y"]),
        # A repository: what reads as a memory is one, and nothing else.
        ([".git/config", "README.md", "docs/guide.md", "src/main.py", "bots/x/a.md"], ["bots/x"]),
        ([".git/config", "MEMORY.md", "README.md", "bots/x/a.md"], ["bots/x"]),
        ([".git/config", "memory/__init__.py", "memory/sub/x.py", "deep/er/x/a.md"], ["deep/er/x"]),
        (["node_modules/x/a.md", ".cache/x/a.md", "src/x.py"], []),
        (["src/x.py", "docs/README.md"], []),
        ([".memory/a.md", "src/x.py"], [".memory"]),
    ],
)
def test_stores_are_found_in_any_directory(tmp_path: Path, files: list[str], found: list[str]) -> None:
    top = tmp_path / "top"
    for name in files:
        path = top / name
        data = memory("a") if path.name in ("a.md", "b.md") else b"text\n"
        fill(path.parent, {path.name: data})
    aims = find(tmp_path, "top")
    assert [os.path.relpath(path, "top") for path, _ in told(tmp_path, aims)] == found
    assert [type(error) for error in aims.errors] == ([] if found else [NotFound])


def test_data_folders_are_found_below(tmp_path: Path, hq: Path) -> None:
    (tmp_path / "backups").mkdir()
    hq.rename(tmp_path / "backups/hq")
    assert [path for path, _ in told(tmp_path, find(tmp_path, "backups"))] == [f"backups/{path}" for path, _ in ALL]


def test_a_symlink_is_not_followed_below_and_a_loop_ends(tmp_path: Path) -> None:
    fill(tmp_path / "top/x", {"a.md": memory("a")})
    fill(tmp_path / "top", {"main.py": b""})
    (tmp_path / "top/loop").symlink_to(".")
    (tmp_path / "top/other").symlink_to("x")
    assert told(tmp_path, find(tmp_path, "top")) == [("top/x", None)]


def test_stores_of_one_id_in_two_data_folders_go_by_their_paths(tmp_path: Path) -> None:
    for name in ("one", "two"):
        register(tmp_path / name, {"id": "1a2b3c4d"})
        fill(tmp_path / name / "memory/1a2b3c4d", {"a.md": memory("a")})
    stores = [aim.place for aim in find(tmp_path, "one", "two").found if isinstance(aim.place, DirectoryStore)]
    assert [store.address for store in stores] == [f"{tmp_path}/{name}/memory/1a2b3c4d" for name in ("one", "two")]
    (single,) = [aim.place for aim in find(tmp_path, "one").found if isinstance(aim.place, DirectoryStore)]
    assert single.address == "1a2b3c4d"


# --- all of a fleet ---


def test_all_are_the_registries_the_agents_and_the_user_memory(tmp_path: Path, hq: Path) -> None:
    env = env_of(tmp_path)
    user = open_user_store(find_facts(env, given=str(tmp_path / "home/notes.md")), env)
    aims = Aims(find_all(fleet(tmp_path, hq), user), [], [], [])
    assert told(tmp_path, aims) == ALL
    fill(tmp_path / "home", {"notes.md": b""})
    aims = Aims(find_all(fleet(tmp_path, hq), user), [], [], [])
    assert told(tmp_path, aims) == [*ALL, ("home/notes.md", None)]


def test_a_data_folder_without_agents_has_a_registry(tmp_path: Path) -> None:
    register(tmp_path / "hq")
    assert told(tmp_path, Aims(find_all(fleet(tmp_path, tmp_path / "hq"), None), [], [], [])) == ALL[:1]


def test_settings_are_looked_for_beside_what_is_checked(tmp_path: Path, hq: Path) -> None:
    words = ["hq", "bot", "hq/memory/1a2b3c4d/a.md", "hq/agents.json"]
    beside = [{os.path.relpath(aim.beside or "", tmp_path) for aim in find(tmp_path, word).found} for word in words]
    assert beside == [{"hq"}, {"hq/memory"}, {"hq/memory/1a2b3c4d"}, {"hq"}]


# --- links to nothing ---


def test_links_to_nothing_in_the_place_of_agents_are_stores(tmp_path: Path, hq: Path) -> None:
    for name in ("5e6f7a8b", "unknown"):
        os.symlink("/mnt/gone", hq / "memory" / name)
    assert told(tmp_path, find(tmp_path, "hq")) == [*ALL, ("hq/memory/unknown", None)]
    assert told(tmp_path, find(tmp_path, "hq/memory/unknown")) == [("hq/memory/unknown", None)]
    assert told(tmp_path, find(tmp_path, "5e6f7a8b")) == ALL[2:]


def test_a_data_folder_without_a_registry_is_checked_where_others_can_write_it(tmp_path: Path) -> None:
    fill(tmp_path / "hq/memory/1a2b3c4d", {"a.md": memory("a"), "MEMORY.md": b""})
    (tmp_path / "hq/memory").chmod(0o755)
    store = ("hq/memory/1a2b3c4d", None)
    assert told(tmp_path, find(tmp_path, "hq")) == [store]
    (tmp_path / "hq/memory").chmod(0o777)
    aims = find(tmp_path, "hq")
    assert [aim.place.own_path for aim in aims.found if isinstance(aim.place, DataFolder)] == [f"{tmp_path}/hq/memory"]
