"""`reindex` renders MEMORY.md as the HQ would, and writes it only where it differs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from memctl.disk.files import Directory
from memctl.ops.reindex import ReindexRequest, reindex_store
from tests.judges import cases, data
from tests.stores import AGENT, NO_WAIT, NOBODY, contents, index, make_store, memory, needs_root, run, store_at

WRITE = ReindexRequest(True, NO_WAIT)
CHECK = ReindexRequest(False, NO_WAIT)


@pytest.mark.parametrize("case", [case for case in cases("hq/index") if "files" in case.values[0]])
def test_an_index_is_written_as_the_hq_writes_it(tmp_path: Path, case: dict[str, Any]) -> None:
    given = case["files"]
    if "generated" in given:
        pytest.skip("made from a template: the core holds it")
    store = make_store(tmp_path, files={name: data(text) for name, text in given.items() if "/" not in name and text})
    reindex_store(store, WRITE)
    assert contents(store.path)["MEMORY.md"] == case["memoryMd"].encode()


@pytest.mark.parametrize("before", [None, b"stale", index("a") + b"\n", b""])
def test_a_stale_index_is_written_once(tmp_path: Path, before: bytes | None) -> None:
    store = make_store(tmp_path, "a", files={} if before is None else {"MEMORY.md": before})
    found = reindex_store(store, WRITE)
    assert (found.changed, found.listed, found.omitted) == (True, 1, 0)
    assert (found.before, found.after, found.errors) == (before, index("a"), ())
    assert contents(store.path) == {"a.md": memory("a"), "MEMORY.md": index("a")}
    assert reindex_store(store, WRITE).changed is False


@pytest.mark.parametrize(("before", "stale"), [(None, True), (b"stale", True), (index("a"), False)])
def test_a_check_says_so_and_writes_nothing(tmp_path: Path, before: bytes | None, stale: bool) -> None:
    store = make_store(tmp_path, "a", files={} if before is None else {"MEMORY.md": before})
    files = contents(store.path)
    found = reindex_store(store, CHECK)
    assert (found.changed, found.before, found.after) == (stale, before, index("a"))
    assert contents(store.path) == files


def test_a_check_needs_no_lock_and_sweeps_nothing(tmp_path: Path) -> None:
    temp = ".memctl-0123456789abcdef"
    store = make_store(tmp_path, "a", files={temp: b"", "MEMORY.md": index("a")})
    with Directory(store.path) as other:
        other.lock(NO_WAIT)
        assert reindex_store(store, CHECK).errors == ()
    assert temp in os.listdir(store.path)


@pytest.mark.parametrize("request_", [WRITE, CHECK])
def test_an_agent_without_a_directory_has_no_index_and_none_is_made(tmp_path: Path, request_: ReindexRequest) -> None:
    found = reindex_store(store_at(tmp_path / "data" / "memory" / AGENT), request_)
    assert (found.changed, found.errors) == (False, ())
    assert os.listdir(tmp_path) == []


def test_an_empty_directory_gets_the_index_of_the_hq(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    assert reindex_store(store, WRITE).changed is True
    assert contents(store.path) == {"MEMORY.md": index()}


def test_files_that_are_not_loaded_are_no_error_and_not_in_the_index(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"bad.md": b"bad"})
    assert reindex_store(store, WRITE).errors == ()
    assert contents(store.path)["MEMORY.md"] == index("a")


def test_what_does_not_fit_is_counted(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={f"m{at}.md": memory(f"m{at}", description="k" * 200) for at in range(30)})
    found = reindex_store(store, WRITE)
    assert found.listed + found.omitted == 30
    assert found.omitted > 0
    assert f"…and {found.omitted} more — use recall_memory".encode() in contents(store.path)["MEMORY.md"]


def test_a_locked_store_is_an_error_and_unchanged(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    with Directory(store.path) as other:
        other.lock(NO_WAIT)
        assert [error.exit_code for error in reindex_store(store, WRITE).errors] == [75]
    assert contents(store.path) == {"a.md": memory("a")}


@pytest.mark.parametrize("shape", ["directory", "symlink", "dangling"])
def test_an_index_that_is_no_file_is_protected_and_left_alone(tmp_path: Path, shape: str) -> None:
    store = make_store(tmp_path, "a")
    path = Path(store.path) / "MEMORY.md"
    (tmp_path / "victim").write_bytes(b"victim")
    if shape == "directory":
        path.mkdir()
    else:
        path.symlink_to(tmp_path / ("victim" if shape == "symlink" else "nothing"))
    found = reindex_store(store, WRITE)
    assert [(error.exit_code, error.path) for error in found.errors] == [(77, str(path))]
    assert (tmp_path / "victim").read_bytes() == b"victim"
    assert sorted(os.listdir(store.path)) == ["MEMORY.md", "a.md"]


@needs_root
def test_a_file_that_cannot_be_read_is_an_error_after_the_rest_is_done(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    os.chmod(f"{store.path}/b.md", 0)
    os.chown(store.path, NOBODY, NOBODY)
    code = """
found = reindex_store(store(), ReindexRequest(True, Locking()))
tell([found.changed, found.listed, [told(error) for error in found.errors]])
"""
    assert run(code, cwd=store.path, uid=NOBODY) == [
        True,
        1,
        [["IoFailure", 74, "cannot read './b.md': permission denied"]],
    ]
    assert contents(store.path)["MEMORY.md"] == index("a")


@needs_root
def test_an_index_that_may_not_be_written_is_protected(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    code = """
found = reindex_store(store(), ReindexRequest(True, Locking()))
tell([found.changed, [told(error) for error in found.errors]])
"""
    assert run(code, cwd=store.path, uid=NOBODY) == [
        False,
        [["Protected", 77, "cannot write './MEMORY.md': permission denied"]],
    ]
    assert contents(store.path)["MEMORY.md"] == b"stale"
