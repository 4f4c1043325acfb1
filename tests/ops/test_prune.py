"""`prune` removes by a policy, says why, and never takes what a person wrote without being told to."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memctl.core.ages import cutoff
from memctl.core.filters import Filters
from memctl.core.memory import MemoryType, Source
from memctl.core.policy import MaxRemoved, Policy
from memctl.disk.stores import DirectoryStore
from memctl.errors import MemctlError, NotFound, Protected
from memctl.ops.delete import RemovalPlan, apply_removals
from memctl.ops.prune import check_bounds, plan_prune
from tests.ops.test_undo import Changing, undo
from tests.stores import NO_WAIT, contents, index, make_store, memory, register, store_at

NOW = datetime(2026, 9, 15, 10, 30, tzinfo=UTC)
OLDER = Policy(older_than=cutoff("30d", NOW), older_than_word="30d")


def store_of(tmp_path: Path, *days: str, source: str = "agent") -> DirectoryStore:
    """Return a store of the memories m0, m1, … that were last updated on these days."""
    files = {f"m{at}.md": memory(f"m{at}", source=source, updated=day) for at, day in enumerate(days)}
    return make_store(tmp_path, files=files)


def going(store: DirectoryStore, policy: Policy) -> str:
    plan, errors = plan_prune(store, policy)
    assert errors == []
    return " ".join(file.file[:-3] for file in plan.gone)


def test_what_is_old_goes_with_its_reason_and_the_index_follows(tmp_path: Path) -> None:
    store = store_of(tmp_path, "2026-09-01", "2026-01-01", "2025-01-01")
    plan, errors = plan_prune(store, OLDER)
    assert errors == []
    assert [(file.file, file.reasons) for file in plan.gone] == [
        ("m1.md", ("last updated 2026-01-01, older than 30d",)),
        ("m2.md", ("last updated 2025-01-01, older than 30d",)),
    ]
    assert plan.kept == 1
    result = apply_removals(plan, NO_WAIT)
    assert (len(result.gone), result.kept, result.errors) == (2, 1, ())
    assert set(contents(store.path)) == {"m0.md", "MEMORY.md"}
    assert contents(store.path)["MEMORY.md"] == index("m0")


def test_planning_writes_nothing(tmp_path: Path) -> None:
    store = store_of(tmp_path, "2026-09-01", "2025-01-01")
    before = contents(store.path)
    plan_prune(store, OLDER)
    assert contents(store.path) == before


@pytest.mark.parametrize(
    ("days", "result"),
    [
        # A day is over at its end: on the 16th at 10:30, 30 days before NOW, the 15th was over and the 16th was not.
        (("2026-09-15", "2026-08-15", "2026-08-16"), "m1"),
        (("2026-09-15", "", "someday", "9999-12-31"), ""),
        (("2026-09-15", "2026-8-1", " 2026-01-01"), "m2"),
        (("2020-01-01", "2019-01-01"), "m1"),
        (("2020-01-01",), ""),
        (("2020-01-01", "2020-01-01"), "m1"),
    ],
)
def test_only_a_readable_day_that_was_over_is_old_and_the_newest_stays(
    tmp_path: Path, days: tuple[str, ...], result: str
) -> None:
    files = {f"m{at}.md": memory(f"m{at}", created="", updated=day) for at, day in enumerate(days)}
    assert going(make_store(tmp_path, files=files), OLDER) == result


@pytest.mark.parametrize("source", ["user", "import"])
def test_what_a_person_wrote_stays_unless_it_is_included(tmp_path: Path, source: str) -> None:
    store = store_of(tmp_path, "2026-09-01", "2025-01-01", source=source)
    assert going(store, OLDER) == ""
    assert going(store, OLDER._replace(over=0)) == ""
    assert going(store, OLDER._replace(include_user_authored=True)) == "m1"


@pytest.mark.parametrize(
    ("policy", "result"),
    [
        (Policy(), ""),
        (Policy(over=2), "m2 m3"),
        (Policy(over=0), "m1 m2 m3"),
        (Policy(over=0, no_floor=True), "m0 m1 m2 m3"),
        (Policy(over=0, keep_last=3), "m3"),
        (Policy(over=1, keep_within=cutoff("200d", NOW)), "m3"),
        (OLDER._replace(filters=Filters(types=(MemoryType.USER,))), ""),
        (OLDER._replace(filters=Filters(sources=(Source.AGENT,))), "m1 m2 m3"),
        (OLDER._replace(filters=Filters(names=("m1", "x*"))), "m1"),
        (OLDER._replace(filters=Filters(names=("m?",), text="about m3")), "m3"),
    ],
)
def test_filters_narrow_and_keeps_win(tmp_path: Path, policy: Policy, result: str) -> None:
    store = store_of(tmp_path, "2026-08-01", "2026-07-01", "2026-06-01", "2025-01-01")
    assert going(store, policy) == result


def test_reasons_add_up(tmp_path: Path) -> None:
    plan, _ = plan_prune(store_of(tmp_path, "2026-09-01", "2025-01-01"), OLDER._replace(over=1))
    assert plan.gone[0].reasons == ("last updated 2025-01-01, older than 30d", "over the newest 1")


def test_files_that_are_not_loaded_are_neither_removed_nor_counted(tmp_path: Path) -> None:
    store = make_store(
        tmp_path, files={"a.md": memory("a", updated="2020-01-01"), "bad.md": b"---\nupdated: 2020-01-01\n---\n"}
    )
    plan, _ = plan_prune(store, OLDER._replace(no_floor=True))
    assert ([file.file for file in plan.gone], plan.kept) == (["a.md"], 0)


def test_a_missing_directory_has_nothing_to_prune(tmp_path: Path) -> None:
    plan, errors = plan_prune(store_at(tmp_path / "memory" / "x"), OLDER)
    assert (plan.edits, plan.kept, errors) == ((), 0, [])


def test_a_memory_that_changed_after_the_look_stays(tmp_path: Path) -> None:
    store = store_of(tmp_path, "2026-09-01", "2025-01-01", "2025-01-01")
    plan, _ = plan_prune(store, OLDER)
    Path(store.path, "m1.md").write_bytes(memory("m1", updated="2026-09-15"))
    result = apply_removals(plan, NO_WAIT)
    assert [file.file for file in result.gone] == ["m2.md"]
    assert [error.exit_code for error in result.errors] == [75]
    assert contents(store.path)["m1.md"] == memory("m1", updated="2026-09-15")


def test_an_old_symlink_goes_and_its_target_stays(tmp_path: Path) -> None:
    store = store_of(tmp_path, "2026-09-01")
    (tmp_path / "target").write_bytes(memory("old", updated="2020-01-01"))
    os.symlink(tmp_path / "target", f"{store.path}/old.md")
    plan, _ = plan_prune(store, OLDER)
    assert apply_removals(plan, NO_WAIT).errors == ()
    assert not os.path.lexists(f"{store.path}/old.md")
    assert (tmp_path / "target").read_bytes() == memory("old", updated="2020-01-01")


# --- --max-removed ---


def plans(tmp_path: Path, *sizes: tuple[int, int]) -> list[RemovalPlan]:
    """Return a plan for each pair: how many go, of how many."""
    made = []
    for at, (gone, total) in enumerate(sizes):
        days = ["2025-01-01"] * gone + ["2026-09-14"] * (total - gone)
        made.append(plan_prune(store_of(tmp_path / str(at), *days), OLDER._replace(no_floor=True))[0])
        assert len(made[-1].gone) == gone
    return made


@pytest.mark.parametrize(
    ("bound", "sizes"),
    [
        (None, [(5, 5)]),
        (MaxRemoved(2), [(2, 2)]),
        (MaxRemoved(2), [(1, 4), (1, 4)]),
        (MaxRemoved(50, True), [(1, 2), (2, 4)]),
        (MaxRemoved(0), [(0, 3)]),
        (MaxRemoved(0, True), [(0, 0)]),
    ],
)
def test_within_the_bound_nothing_is_said(
    tmp_path: Path, bound: MaxRemoved | None, sizes: list[tuple[int, int]]
) -> None:
    check_bounds(plans(tmp_path, *sizes), bound)


@pytest.mark.parametrize(
    ("bound", "sizes", "words"),
    [
        (MaxRemoved(2), [(3, 4)], "3 of 4 memories of agent"),
        (MaxRemoved(2), [(1, 4), (2, 4)], "3 of 8 memories would go, over --max-removed 2"),
        (MaxRemoved(50, True), [(0, 10), (3, 5)], "3 of 5 memories of agent"),
        (MaxRemoved(0), [(1, 9)], "1 of 9 memories of agent"),
    ],
)
def test_above_the_bound_of_an_agent_or_of_the_run_nothing_is_removed(
    tmp_path: Path, bound: MaxRemoved, sizes: list[tuple[int, int]], words: str
) -> None:
    with pytest.raises(Protected) as caught:
        check_bounds(plans(tmp_path, *sizes), bound)
    assert caught.value.message.startswith(words)
    assert caught.value.message.endswith("nothing was removed")
    assert caught.value.exit_code == 77


ORPHANS = Policy(orphans=True)


def orphan(tmp_path: Path, files: dict[str, bytes] | None = None) -> DirectoryStore:
    """Return the store of an agent that the registry does not have, and that had two memories."""
    register(tmp_path / "data", {"id": "0therone"})
    return make_store(
        tmp_path, "a", "b", files={"MEMORY.md": index("a", "b"), ".legacy-imported": b"x\n", **(files or {})}
    )


def test_a_directory_of_no_agent_goes_with_its_memories_and_comes_back(tmp_path: Path) -> None:
    store = orphan(tmp_path)
    before = contents(store.path)
    plan, _ = plan_prune(store, ORPHANS)
    assert isinstance(plan, RemovalPlan)
    assert {file.reasons for file in plan.gone} == {("no such agent in the registry",)}
    with Changing(tmp_path) as made:
        result = apply_removals(plan, made.locking)
    assert (len(result.gone), result.kept, result.errors, result.closed) == (2, 0, (), True)
    assert not os.path.exists(store.path)
    undone, _ = undo(tmp_path, made.id)
    assert undone.errors == ()
    assert contents(store.path) == before


def test_an_agent_that_the_registry_has_is_no_orphan(tmp_path: Path) -> None:
    store = orphan(tmp_path)
    register(tmp_path / "data", {"id": store.id})
    plan, _ = plan_prune(store_at(Path(store.path)), ORPHANS)
    assert (plan.gone, plan.kept) == ((), 2)
    assert isinstance(plan, RemovalPlan)
    assert not plan.closes


@pytest.mark.parametrize(
    ("files", "gone", "left"),
    [
        ({"c.md": memory("c", source="user")}, "a b", ["MEMORY.md", "c.md"]),
        ({"broken.md": b"x"}, "a b", ["MEMORY.md", "broken.md"]),
        ({"notes.txt": b"x"}, "a b", ["MEMORY.md", "notes.txt"]),
        ({".memctl-0123456789abcdef": b"x"}, "a b", None),
    ],
)
def test_it_stays_where_it_holds_anything_else(
    tmp_path: Path, files: dict[str, bytes], gone: str, left: list[str] | None
) -> None:
    store = orphan(tmp_path, files)
    assert going(store, ORPHANS) == gone
    apply_removals(plan_prune(store, ORPHANS)[0], NO_WAIT)
    there = sorted(set(contents(store.path)) - {".legacy-imported"}) if os.path.exists(store.path) else None
    assert there == left


def test_a_policy_narrows_orphans_as_any_other_reason(tmp_path: Path) -> None:
    store = orphan(tmp_path, {"c.md": memory("c", type="user")})
    assert going(store, ORPHANS._replace(filters=Filters(types=(MemoryType.USER,)))) == "c"
    assert going(store, ORPHANS._replace(keep_last=1)) == "b c"


def test_an_empty_directory_of_no_agent_goes_too(tmp_path: Path) -> None:
    register(tmp_path / "data", {"id": "0therone"})
    store = make_store(tmp_path)
    with Changing(tmp_path) as made:
        result = apply_removals(plan_prune(store, ORPHANS)[0], made.locking)
    assert (result.closed, os.path.exists(store.path)) == (True, False)
    undo(tmp_path, made.id)
    assert contents(store.path) == {}


def test_a_directory_that_comes_back_has_its_mode_and_owner(tmp_path: Path) -> None:
    store = orphan(tmp_path)
    os.chmod(store.path, 0o750)
    if os.geteuid() == 0:
        os.chown(store.path, 1234, 2345)
    before = os.stat(store.path)
    with Changing(tmp_path) as made:
        apply_removals(plan_prune(store, ORPHANS)[0], made.locking)
    assert not os.path.exists(store.path)
    undo(tmp_path, made.id)
    after = os.stat(store.path)
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)


def test_without_a_registry_nobody_is_taken_for_gone(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    with pytest.raises(NotFound, match="no registry says which agents there are"):
        plan_prune(store, ORPHANS)
    (tmp_path / "data" / "agents.json").write_text("[")
    with pytest.raises(MemctlError, match="not valid JSON"):
        plan_prune(store_at(Path(store.path)), ORPHANS)


def test_a_file_in_place_of_the_index_keeps_the_directory(tmp_path: Path) -> None:
    store = orphan(tmp_path)
    plan, _ = plan_prune(store, ORPHANS)
    os.unlink(f"{store.path}/.legacy-imported")
    os.mkdir(f"{store.path}/.legacy-imported")
    result = apply_removals(plan, NO_WAIT)
    assert (result.errors, result.closed, os.path.isdir(store.path)) == ((), False, True)
