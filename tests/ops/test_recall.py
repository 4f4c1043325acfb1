from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from memctl.core.env import Env
from memctl.disk.codewhale import find_facts
from memctl.disk.native_tree import workspace_id
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import InvalidInput, NotFound, UsageError
from memctl.ops.recall import Recall, recall
from tests.stores import AGENT, env_of, fill, make_store, memory, store_at

NOTES = "- prefer pytest over unittest\n- use tabs\n  in the Makefile of pytest\n- Straße, 日本語 pytest\n".encode()


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Env:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return env_of(tmp_path, DEEPSEEK_MANAGED_CONFIG_PATH="/nonexistent")


def user(tmp_path: Path, env: Env, data: bytes | None = NOTES) -> FileStore:
    if data is not None:
        (tmp_path / "memory.md").write_bytes(data)
    return open_user_store(find_facts(env, given=str(tmp_path / "memory.md")), env)


def addresses(found: Recall) -> Sequence[str]:
    return [hit.address for hit in found.hits]


# An agent's memories


def test_an_agents_memories_are_recalled_as_the_hq_does(tmp_path: Path, env: Env) -> None:
    store = make_store(
        tmp_path,
        files={
            "api.md": memory("api", description="the billing api"),
            "old.md": memory("renamed", description="billing"),
            "bad.md": b"no front matter",
        },
    )
    found = recall(store, "Which billing API?", env, today="2026-11-30", scope=None)
    assert [(hit.address, hit.score, hit.words, hit.about) for hit in found.hits] == [
        (f"{AGENT}/api", 2, ("api", "billing"), "the billing api"),
        (f"{AGENT}/old", 1, ("billing",), "billing"),
    ]
    assert found.hits[0].path == f"{store.path}/api.md"
    assert recall(store, "the and", env, today="2026-11-30", scope=None).hits == ()


def test_a_file_that_cannot_be_read_is_told_beside_the_hits(tmp_path: Path, env: Env) -> None:
    store = make_store(tmp_path, "deploy")
    (Path(store.path) / "folder.md").mkdir()
    found = recall(store, "deploy", env, today="2026-11-30", scope=None)
    assert addresses(found) == [f"{AGENT}/deploy"]


def test_an_agent_without_a_directory_recalls_nothing(tmp_path: Path, env: Env) -> None:
    found = recall(store_at(tmp_path / "data" / "memory" / "none"), "x", env, today="2026-11-30", scope=None)
    assert found == Recall(())


# The user memory


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("pytest", ["@user/3", "@user/2", "@user/1"]),
        ("PYTEST unittest", ["@user/1"]),
        ("makefile, tabs!", ["@user/2"]),
        ("strasse", ["@user/3"]),
        ("日本語", ["@user/3"]),
        ("py", []),
        ("pytest nosuch", []),
        ("…", []),
        ("", []),
    ],
)
def test_notes_that_hold_all_the_words_are_recalled_newest_first(
    tmp_path: Path, env: Env, message: str, found: list[str]
) -> None:
    assert addresses(recall(user(tmp_path, env), message, env, today="2026-11-30", scope=None)) == found


def test_a_hit_has_its_words_and_its_first_line(tmp_path: Path, env: Env) -> None:
    [hit] = recall(user(tmp_path, env), "tabs use", env, today="2026-11-30", scope=None).hits
    assert (hit.score, hit.words, hit.about, hit.path) == (2, ("tabs", "use"), "use tabs", f"{tmp_path}/memory.md")


def test_a_missing_user_memory_recalls_nothing_and_a_dangling_link_is_told(tmp_path: Path, env: Env) -> None:
    assert recall(user(tmp_path, env, None), "x", env, today="2026-11-30", scope=None).hits == ()
    (tmp_path / "memory.md").symlink_to("nowhere")
    with pytest.raises(NotFound):
        recall(user(tmp_path, env, None), "x", env, today="2026-11-30", scope=None)


# The native tree


def test_entries_of_the_tree_are_recalled_by_scope(tmp_path: Path, env: Env) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "config", "remote.origin.url", "https://x.test/a"], check=True)
    workspace = workspace_id(str(tmp_path))
    assert workspace is not None
    fill(tmp_path / "memory" / "global", {"MEMORY.md": b"- use tabs\n\n- tabs again\n"})
    fill(tmp_path / "memory" / "workspace" / workspace, {"MEMORY.md": b"- no tabs here\n"})
    store = user(tmp_path, env)

    def asked(scope: str) -> Sequence[str]:
        return addresses(recall(store, "TABS", env, today="2026-11-30", scope=scope))

    assert asked("global") == ["global:3", "global:1"]
    assert asked("workspace") == ["workspace:1"]
    assert asked("all") == ["global:3", "global:1", "workspace:1"]


def test_a_tree_that_cannot_be_read_is_an_error(tmp_path: Path, env: Env) -> None:
    fill(tmp_path / "memory" / "global", {"MEMORY.md": b"\xff"})
    with pytest.raises(InvalidInput):
        recall(user(tmp_path, env), "x", env, today="2026-11-30", scope="all")
    with pytest.raises(UsageError):
        recall(user(tmp_path, env), "x", env, today="2026-11-30", scope="workspace")
