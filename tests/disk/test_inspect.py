"""What `check` sees of a store on the disk."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from memctl.core.checks.subject import Kind, Link, StoreKind, Subject
from memctl.core.memory import Memory, NotLoaded
from memctl.disk.codewhale import find_facts
from memctl.disk.inspect import inspect_folder, inspect_store, inspect_user, is_shared
from memctl.disk.stores import DirectoryStore
from memctl.disk.user_store import open_user_store
from tests.stores import NOBODY, env_of, fill, index, make_store, memory, needs_root, register, store_at


def test_a_store_has_its_memories_first_and_all_other_names_behind(tmp_path: Path) -> None:
    store = make_store(tmp_path, "b", "a", files={"MEMORY.md": index("a", "b"), ".x~": b"old", "z.txt": b"z"})
    os.chmod(store.path, 0o750)
    subject, errors = inspect_store(store)
    assert errors == []
    assert [item.name for item in subject.items] == ["a.md", "b.md", ".x~", "MEMORY.md", "z.txt"]
    assert isinstance(subject.items[0].record, Memory)
    assert [item.record for item in subject.items[2:]] == [None, None, None]
    assert subject.index_data == index("a", "b")
    assert (subject.kind, subject.mode, subject.uid, subject.link) == (StoreKind.AGENT, 0o750, os.geteuid(), None)
    assert subject.items[2].text == "old"


def test_each_item_has_its_mode_owner_and_time(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    os.chmod(f"{store.path}/a.md", 0o640)
    os.utime(f"{store.path}/a.md", (5, 7))
    (item,) = inspect_store(store)[0].items
    assert (item.mode, item.uid, item.mtime, item.kind) == (0o640, os.geteuid(), 7.0, Kind.FILE)


def test_a_missing_directory_is_an_empty_store(tmp_path: Path) -> None:
    subject, errors = inspect_store(store_at(tmp_path / "data" / "memory" / "1a2b3c4d"))
    assert (list(subject.items), subject.problem, errors) == ([], "", [])


def test_links_are_told_by_where_they_lead(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": index("a")})
    (tmp_path / "outside.md").write_bytes(memory("outside"))
    for name, target in (
        ("out.md", str(tmp_path / "outside.md")),
        ("in.md", "a.md"),
        ("alias.md", "MEMORY.md"),
        ("gone.md", "nothing.md"),
        ("loop.md", "loop.md"),
    ):
        os.symlink(target, f"{store.path}/{name}")
    items = {item.name: item for item in inspect_store(store)[0].items}
    assert items["out.md"].link == Link(str(tmp_path / "outside.md"), None)
    assert isinstance(items["out.md"].record, Memory)
    assert items["in.md"].link == Link("a.md", "a.md")
    assert items["alias.md"].link == Link("MEMORY.md", "MEMORY.md")
    assert items["gone.md"].record == NotLoaded("dangling-link", "a symlink to 'nothing.md', where nothing is")
    assert items["loop.md"].record == NotLoaded("not-a-file", "a symlink that leads in a circle")
    assert all(item.kind is Kind.SYMLINK for name, item in items.items() if name not in ("a.md", "MEMORY.md"))


def test_a_second_hard_link_of_the_index_is_an_alias(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": index("a")})
    os.link(f"{store.path}/MEMORY.md", f"{store.path}/notes.md")
    items = {item.name: item for item in inspect_store(store)[0].items}
    assert items["notes.md"].link == Link("MEMORY.md", "MEMORY.md")
    assert items["notes.md"].kind is Kind.FILE
    assert items["MEMORY.md"].link is None


def test_in_another_users_store_no_link_is_followed(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", foreign=True)
    (tmp_path / "outside.md").write_bytes(memory("outside"))
    os.symlink(tmp_path / "outside.md", f"{store.path}/out.md")
    items = {item.name: item for item in inspect_store(store)[0].items}
    assert items["out.md"].data is None
    assert items["out.md"].record == NotLoaded("not-a-file", "a symlink that is not followed")


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    os.mkfifo(f"{store.path}/pipe.md")
    os.mkdir(f"{store.path}/deep.md")
    os.mkfifo(f"{store.path}/pipe")
    items = {item.name: item for item in inspect_store(store)[0].items}
    assert items["pipe.md"].record == NotLoaded("not-a-file", "a FIFO, not a file")
    assert items["deep.md"].record == NotLoaded("not-a-file", "a directory, not a file")
    assert (items["pipe"].kind, items["pipe"].data, items["pipe"].record) == (Kind.OTHER, None, None)


def test_a_file_that_its_writer_has_just_emptied_is_read_a_moment_later(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"b.md": b""})
    writer = threading.Timer(0.005, (Path(store.path) / "b.md").write_bytes, [memory("b")])
    writer.start()
    subject, errors = inspect_store(store)
    writer.join()
    assert [(item.name, type(item.record)) for item in subject.items] == [("a.md", Memory), ("b.md", Memory)]
    assert errors == []


def test_a_large_file_that_is_no_memory_is_not_read(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"core": b"x" * ((1 << 20) + 1), "edge": b"x" * (1 << 20)})
    items = {item.name: item for item in inspect_store(store)[0].items}
    assert items["core"].data is None
    assert len(items["edge"].data or b"") == 1 << 20


def test_a_directory_that_is_a_link_says_where_it_leads(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    store = make_store(tmp_path, "a")
    os.rename(store.path, elsewhere)
    os.symlink(elsewhere, store.path)
    assert inspect_store(store)[0].link == str(elsewhere)


def test_the_directory_of_all_agents_as_a_link_is_told_too(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    os.rename(store.folder.memory, tmp_path / "elsewhere")
    os.symlink(tmp_path / "elsewhere", store.folder.memory)
    assert inspect_store(store)[0].link == str(tmp_path / "elsewhere")


def as_nobody(store: DirectoryStore) -> tuple[Subject, list[str]]:
    """Return what another user sees of a store, and the names of the errors."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.chdir(store.path)
            os.setgroups([])
            os.setuid(NOBODY)
            subject, errors = inspect_store(store._replace(path="."))
            os.write(writer, pickle.dumps((subject, [type(error).__name__ for error in errors])))
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data)


@needs_root
def test_what_may_not_be_read_is_told_and_hides_nothing_else(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    os.chmod(f"{store.path}/b.md", 0)
    subject, errors = as_nobody(store)
    assert [type(item.record) for item in subject.items] == [Memory, NotLoaded]
    assert subject.items[1].record == NotLoaded("unreadable", "unreadable: permission denied")
    assert errors == ["IoFailure"]


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (os.mkdir, NotLoaded("not-a-file", "a directory, not a file")),
        (os.mkfifo, NotLoaded("not-a-file", "a FIFO, not a file")),
        (
            lambda path: os.symlink("gone.md", path),
            NotLoaded("dangling-link", "a symlink to 'gone.md', where nothing is"),
        ),
        (lambda path: Path(path).write_bytes(index("a")), None),
    ],
)
def test_an_index_that_is_no_file_has_its_problem(
    tmp_path: Path, make: Callable[[str], object], problem: NotLoaded | None
) -> None:
    store = make_store(tmp_path, "a")
    make(f"{store.path}/MEMORY.md")
    subject, errors = inspect_store(store)
    assert (subject.index_problem, errors) == (problem, [])
    assert [item.record is None for item in subject.items] == [False, True]


@needs_root
def test_an_index_that_may_not_be_read_has_its_problem(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": index("a")})
    os.chmod(f"{store.path}/MEMORY.md", 0)
    subject, errors = as_nobody(store)
    assert subject.index_problem == NotLoaded("unreadable", "unreadable: permission denied")
    assert errors == ["IoFailure"]


@needs_root
def test_a_directory_that_may_not_be_read_is_a_problem_of_the_store(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    os.chmod(store.path, 0o111)
    subject, errors = as_nobody(store)
    assert (subject.problem, list(subject.items), errors) == ("permission denied", [], ["IoFailure"])


def test_the_registry_says_who_an_agent_is(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    register(tmp_path / "data", {"id": store.id, "name": "billing-bot", "memory": {"enabled": False}})
    subject, _ = inspect_store(store_at(Path(store.path)))
    assert subject.registered is True
    assert subject.agent is not None
    assert (subject.agent.name, subject.agent.enabled) == ("billing-bot", False)
    assert subject.switched == os.stat(tmp_path / "data" / "agents.json").st_mtime


def test_without_a_registry_nobody_is_unknown(tmp_path: Path) -> None:
    assert inspect_store(make_store(tmp_path, "a"))[0].registered is None


def test_a_registry_has_its_agents_with_their_lines(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    register(tmp_path / "data", {"id": "0a"}, {"id": "0b", "memory": {"sweep": "never"}})
    folder = inspect_folder(store.folder)
    assert (folder.problem, folder.line) == ("", None)
    assert [(agent_id, agent.sweep) for agent_id, agent, _ in folder.agents] == [("0a", "auto"), ("0b", "never")]
    lines = (tmp_path / "data" / "agents.json").read_text().split("\n")
    assert [lines[(line or 0) - 1].strip() for _, _, line in folder.agents] == ['"id": "0a",', '"id": "0b",']


def test_a_registry_that_does_not_parse_has_its_problem_and_line(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    (tmp_path / "data" / "agents.json").write_text('[\n  {"id": ')
    folder = inspect_folder(store.folder)
    assert "is not valid JSON (line 2, column" in folder.problem
    assert folder.line == 2
    assert folder.agents == ()


def test_a_user_memory_has_its_facts(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".deepseek").mkdir(parents=True)
    (home / ".deepseek" / "config.toml").write_text("enabled = true\n")
    (home / ".deepseek" / "memory.md").write_text("- a note\n")
    env = env_of(tmp_path)
    subject, errors = inspect_user(open_user_store(find_facts(env), env))
    assert errors == []
    (item,) = subject.items
    assert (subject.kind, item.name, item.text) == (StoreKind.USER, "memory.md", "- a note\n")
    assert subject.user is not None
    assert [one[0] for one in subject.user.misplaced] == ["enabled"]
    assert (subject.user.newer, subject.user.shadowed) == ("", "")
    assert subject.user.unread == "CodeWhale does not load the file: memory is off (default)"


@pytest.mark.parametrize("make", [None, os.mkdir, os.mkfifo])
def test_a_user_memory_that_is_no_file_is_told_or_empty(tmp_path: Path, make: object) -> None:
    home = tmp_path / "home"
    (home / ".deepseek").mkdir(parents=True)
    if callable(make):
        make(home / ".deepseek" / "memory.md")
    env = env_of(tmp_path)
    subject, errors = inspect_user(open_user_store(find_facts(env), env))
    assert list(subject.items) == []
    assert bool(subject.problem) is bool(errors) is (make is not None)


def test_an_agents_directory_that_is_a_link_to_nothing_is_a_problem_of_the_store(tmp_path: Path) -> None:
    store = store_at(tmp_path / "data" / "memory" / "1a2b3c4d")
    (tmp_path / "data" / "memory").mkdir(parents=True)
    os.symlink("/mnt/gone", store.path)
    subject, errors = inspect_store(store)
    assert (subject.problem, errors) == ("a symlink to '/mnt/gone', where nothing is", [])


def test_a_user_memory_that_is_a_link_to_nothing_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "home" / ".deepseek").mkdir(parents=True)
    os.symlink("/mnt/gone", tmp_path / "home" / ".deepseek" / "memory.md")
    env = env_of(tmp_path)
    subject, errors = inspect_user(open_user_store(find_facts(env), env))
    assert (subject.problem, errors) == ("a symlink to '/mnt/gone', where nothing is", [])


def test_a_newer_layout_beside_a_user_memory_is_told_as_explain_tells_it(tmp_path: Path) -> None:
    notes = fill(tmp_path / "home" / ".deepseek", {"memory.md": b"- one\n"}) / "memory.md"
    store = fill(notes.parent / "memory", {"store.sqlite3": b""}) / "store.sqlite3"
    env = env_of(tmp_path)
    for given, newer in ((None, f"CodeWhale 0.10 and later do not read this file, but {store}"), (str(notes), "")):
        subject, _ = inspect_user(open_user_store(find_facts(env, given=given), env))
        assert subject.user is not None
        assert subject.user.newer == newer


def test_a_data_folder_has_what_its_agents_share(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    register(tmp_path / "data", {"id": "1a2b3c4d"})
    for path, mode in (("data", 0o755), ("data/memory", 0o777), ("data/agents.json", 0o666)):
        os.chmod(tmp_path / path, mode)
    folder = inspect_folder(store.folder)
    assert folder.shared == (
        (f"{tmp_path}/data", 0o755, "the data folder"),
        (f"{tmp_path}/data/memory", 0o777, "the directory"),
        (f"{tmp_path}/data/agents.json", 0o666, "the registry"),
    )
    assert folder.gone is None
    os.chmod(tmp_path / "data", 0o1777)
    assert [path for path, _, _ in inspect_folder(store.folder).shared] == [
        f"{tmp_path}/data/memory",
        f"{tmp_path}/data/agents.json",
    ]


def test_a_directory_of_all_agents_that_leads_to_nothing_is_told(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    os.rename(store.folder.memory, tmp_path / "elsewhere")
    os.symlink("/mnt/gone", store.folder.memory)
    folder = inspect_folder(store.folder)
    assert (folder.gone, is_shared(store.folder)) == ((store.folder.memory, "/mnt/gone"), True)
    os.unlink(store.folder.memory)
    os.symlink("memory", store.folder.memory)  # leads in a circle
    assert inspect_folder(store.folder).gone is None


def test_entries_that_are_no_agents_and_ids_that_stand_twice_have_their_lines(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    (tmp_path / "data" / "agents.json").write_text('[ 1,\n {"id": "a"}, {"name":\n "x"},\n\n {"id": "a"}]')
    folder = inspect_folder(store.folder)
    assert folder.odd == ((1, "a number or a switch", 1), (3, "an object without an id", 2))
    assert folder.twice == (("a", 5),)
    assert inspect_store(store)[0].registered is None
    (tmp_path / "data" / "agents.json").write_text("[1, x")
    assert inspect_folder(store.folder).odd[0] == (1, "a number or a switch", None)
