"""`delete` removes what a person names, as the HQ does, and of the rest nothing."""

from __future__ import annotations

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from memctl.disk.files import Directory
from memctl.disk.locate import Target
from memctl.disk.stores import DirectoryStore
from memctl.errors import Busy, MemctlError, NotFound, Protected, UsageError
from memctl.ops.delete import RemovalPlan, apply_removals, plan_delete, planned
from memctl.ops.results import Removed
from tests.judges import cases, data
from tests.stores import (
    AGENT,
    NO_WAIT,
    NOBODY,
    contents,
    index,
    make_store,
    memory,
    needs_root,
    register,
    run,
    store_at,
)


def targets(store: DirectoryStore, *names: str | None) -> list[Target]:
    return [Target(store, name, AGENT if name is None else f"{AGENT}/{name}") for name in names]


def plan(store: DirectoryStore, *names: str | None, missing_ok: bool = False) -> RemovalPlan:
    (one,), errors = plan_delete(targets(store, *names), missing_ok=missing_ok)
    assert errors == []
    return one


def delete(store: DirectoryStore, *names: str) -> Removed:
    return apply_removals(plan(store, *names), NO_WAIT)


# What DESIGN says otherwise: files that are not loaded can be deleted (4.4), and a NAME that no file has is that of
# the one memory that calls itself so (4.5).
DIFFERENT = {
    "remove-invalid-file-not-removed": {"MEMORY.md": index()},
    "remove-bad-type-not-removed": {"MEMORY.md": index()},
    "remove-by-inner-name-when-file-differs": {"MEMORY.md": index()},
}
# The tool of an agent is no word of a person: these cases are held by the core.
REMOVALS = [case for case in cases("hq/delete") if case.values[0]["steps"][0]["op"] == "remove"]


@pytest.mark.parametrize("case", REMOVALS)
def test_a_removal_leaves_the_files_that_the_hq_leaves(tmp_path: Path, case: dict[str, Any]) -> None:
    before = case["preFiles"]
    if before is None:
        store = store_at(tmp_path / "data" / "memory" / AGENT)
    else:
        store = make_store(tmp_path, files={name: data(text) for name, text in before.items()})
    differs = case["id"] in DIFFERENT
    for step, result in zip(case["steps"], case["results"], strict=True):
        if step["op"] == "snapshot":
            assert contents(store.path) == {name: base64.b64decode(text) for name, text in result["files"].items()}
            continue
        plans, errors = plan_delete(targets(store, step["name"]))
        removed = [file for one in plans for file in apply_removals(one, NO_WAIT).gone]
        assert bool(removed) == (result["removed"] or differs)
        assert [error.exit_code for error in errors] == ([] if removed else [66])
    assert store.exists() == case["dirExists"]
    final = contents(store.path) if store.exists() else {}
    final.pop(".legacy-imported", None)
    expected = {name: data(text) for name, text in (case["finalFiles"] or {}).items()}
    assert final == DIFFERENT.get(case["id"], expected)


def test_the_differences_are_still_those_of_the_vectors() -> None:
    assert set(DIFFERENT) <= {case.id for case in REMOVALS}


@pytest.mark.parametrize("source", ["agent", "sweep", "user", "import"])
def test_a_person_deletes_a_memory_of_any_source(tmp_path: Path, source: str) -> None:
    store = make_store(tmp_path, "b", files={"a.md": memory("a", source=source)})
    result = delete(store, "a")
    assert [(file.file, file.reasons, file.address) for file in result.gone] == [("a.md", ("asked for",), f"{AGENT}/a")]
    assert (result.kept, result.errors) == (1, ())
    assert contents(store.path) == {"b.md": memory("b"), "MEMORY.md": index("b")}


def test_several_of_one_store_go_in_one_change(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b", "c", "d")
    result = delete(store, "a", "c", "a", "[ac]")
    assert [file.file for file in result.gone] == ["a.md", "c.md"]
    assert result.kept == 2
    assert contents(store.path)["MEMORY.md"] == index("b", "d")


def test_several_stores_are_one_plan_each(tmp_path: Path) -> None:
    one, two = make_store(tmp_path / "1", "a", "b"), make_store(tmp_path / "2", "a")
    plans, errors = plan_delete([*targets(one, "a"), *targets(two, "a"), *targets(one, "b")])
    assert errors == []
    assert [([edit.file for edit in each.edits], each.kept) for each in plans] == [(["a.md", "b.md"], 0), (["a.md"], 0)]


def test_a_pattern_takes_all_files_that_fit_those_that_are_not_loaded_too(tmp_path: Path) -> None:
    store = make_store(tmp_path, "api-a", "api-b", "x", files={"api-bad.md": b"bad", "MEMORY.md": b""})
    result = delete(store, "api-*")
    assert [(file.file, file.memory is not None) for file in result.gone] == [
        ("api-a.md", True),
        ("api-b.md", True),
        ("api-bad.md", False),
    ]
    assert result.kept == 1
    assert contents(store.path) == {"x.md": memory("x"), "MEMORY.md": index("x")}


def test_a_pattern_never_means_the_index_the_marker_or_other_files(tmp_path: Path) -> None:
    others = {".legacy-imported": b"", "notes.txt": b"", "x.MD": b""}
    store = make_store(tmp_path, "a", files=others | {"MEMORY.md": b""})
    delete(store, "*")
    assert contents(store.path) == others | {"MEMORY.md": index()}


def test_one_of_a_pattern_that_cannot_be_removed_does_not_stop_the_others(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "c")
    os.mkfifo(f"{store.path}/b.md")
    (one,), errors = plan_delete(targets(store, "*"))
    assert [edit.file for edit in one.edits] == ["a.md", "c.md"]
    assert [(type(error), error.path) for error in errors] == [(Protected, f"{store.path}/b.md")]
    apply_removals(one, NO_WAIT)
    assert set(contents(store.path)) == {"b.md", "MEMORY.md"}


@pytest.mark.parametrize("foreign", [False, True])
@pytest.mark.parametrize("target", ["../../../victim", "nothing"])
def test_a_symlink_is_removed_and_its_target_stays(tmp_path: Path, target: str, foreign: bool) -> None:
    store = make_store(tmp_path, "b", foreign=foreign)
    (tmp_path / "victim").write_bytes(memory("a"))
    os.symlink(target, f"{store.path}/a.md")
    result = delete(store, "a")
    assert result.errors == ()
    assert (tmp_path / "victim").read_bytes() == memory("a")
    assert contents(store.path) == {"b.md": memory("b"), "MEMORY.md": index("b")}


@pytest.mark.parametrize("name", ["no-such", "no*", "../x", "MEMORY"])
def test_a_missing_one_is_not_found_unless_that_is_fine(tmp_path: Path, name: str) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": b"stale"})
    before = contents(store.path)
    plans, errors = plan_delete(targets(store, name))
    assert (plans, [type(error) for error in errors]) == ([], [NotFound])
    assert plan_delete(targets(store, name), missing_ok=True) == ([], [])
    assert contents(store.path) == before


def test_a_missing_one_does_not_stop_the_others(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    plans, errors = plan_delete(targets(store, "no-such", "a"))
    assert [edit.file for edit in plans[0].edits] == ["a.md"]
    assert [error.exit_code for error in errors] == [66]


def test_an_agent_is_no_memory(tmp_path: Path) -> None:
    plans, (error,) = plan_delete(targets(make_store(tmp_path, "a"), None), missing_ok=True)
    assert plans == []
    assert (type(error), error.message) == (UsageError, f"'{AGENT}' is an agent, not a memory")
    assert error.hint == f"all of them: memctl delete '{AGENT}/*'"


def test_a_dry_run_says_the_same_and_removes_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b", files={"bad.md": b"bad"})
    before = contents(store.path)
    one = plan(store, "a", "bad")
    would = planned(one)
    assert contents(store.path) == before
    assert apply_removals(one, NO_WAIT) == would


def test_while_automatic_memory_is_off_memories_can_be_deleted(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    register(tmp_path / "data", {"id": AGENT, "memory": {"enabled": False}})
    assert delete(store, "a").errors == ()


def test_a_file_that_changed_after_the_question_stays_and_the_others_go(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b", "c")
    one = plan(store, "a", "b")
    Path(store.path, "a.md").write_bytes(memory("a", content="of the HQ"))
    result = apply_removals(one, NO_WAIT)
    assert [file.file for file in result.gone] == ["b.md"]
    assert [(type(error), error.exit_code) for error in result.errors] == [(Busy, 75)]
    assert result.kept == 2
    assert contents(store.path) == {
        "a.md": memory("a", content="of the HQ"),
        "c.md": memory("c"),
        "MEMORY.md": index("a", "c"),
    }


def test_a_locked_store_keeps_all_and_counts_the_loaded_ones(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b", files={"bad.md": b"bad"})
    one = plan(store, "a", "bad")
    with Directory(store.path) as other:
        other.lock(NO_WAIT)
        result = apply_removals(one, NO_WAIT)
    assert (result.gone, result.kept) == ((), 2)
    assert [error.exit_code for error in result.errors] == [75]
    assert set(contents(store.path)) == {"a.md", "b.md", "bad.md"}


def test_a_directory_that_is_gone_is_an_error_of_its_store(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    one = plan(store, "a")
    Path(store.path, "a.md").unlink()
    Path(store.path).rmdir()
    (error,) = apply_removals(one, NO_WAIT).errors
    assert isinstance(error, MemctlError)
    assert error.exit_code == 66


@needs_root
def test_without_permission_each_is_protected_and_stays(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    code = """
(one,), errors = plan_delete([Target(store(), "*", "agent/*")])
result = apply_removals(one, Locking())
tell([len(result.gone), result.kept, [told(error) for error in result.errors]])
"""
    message = "cannot remove './{}.md': permission denied"
    assert run(code, cwd=store.path, uid=NOBODY) == [
        0,
        2,
        [["Protected", 77, message.format("a")], ["Protected", 77, message.format("b")]],
    ]
    assert set(contents(store.path)) == {"a.md", "b.md"}
