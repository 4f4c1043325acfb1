"""`list` gives what a store holds of what is asked for, in the HQ's order unless another is."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from memctl.core.filters import Filters
from memctl.core.memory import MemoryType, Source
from memctl.disk.stores import DirectoryStore
from memctl.ops.list import ListRequest, list_store
from tests.stores import AGENT, NOBODY, make_store, memory, needs_root, run, store_at

FILES = {
    "a.md": memory("a", type="user", source="user", updated="2026-03-01", content="k"),
    "b.md": memory("b", type="project", created="2026-02-01", updated="2026-01-01", content="kkk"),
    "c.md": memory("c", type="project", source="sweep", created="2025-01-01", updated="2026-02-01", content="kk"),
    "d.md": memory(
        "d", description="The A plan", created="2025-06-01", updated="someday", content="\U0001f600\U0001f600"
    ),
}


@pytest.fixture
def store(tmp_path: Path) -> DirectoryStore:
    return make_store(tmp_path, files=FILES | {"bad.md": b"bad"})


def names(store: DirectoryStore, request: ListRequest) -> str:
    return "".join(entry.memory.name for entry in list_store(store, request).entries)


def test_all_are_listed_in_the_order_of_the_hq_with_what_is_not_loaded(store: DirectoryStore) -> None:
    found = list_store(store, ListRequest())
    assert [entry.file for entry in found.entries] == ["a.md", "b.md", "c.md", "d.md"]
    assert [file.file for file in found.unloaded] == ["bad.md"]
    assert (found.skipped, found.errors) == (1, ())


@pytest.mark.parametrize(
    ("filters", "result"),
    [
        (Filters(types=(MemoryType.USER,)), "a"),
        (Filters(types=(MemoryType.USER, MemoryType.PROJECT)), "abcd"),
        (Filters(sources=(Source.SWEEP, Source.USER)), "ac"),
        (Filters(types=(MemoryType.PROJECT,), sources=(Source.SWEEP,)), "c"),
        (Filters(text="a PLAN"), "d"),
        (Filters(text="about c"), "c"),
        (Filters(text="no such"), ""),
        (Filters(older_than=datetime(2026, 2, 2, tzinfo=UTC)), "bc"),
        (Filters(older_than=datetime(2026, 2, 1, 23, 59, tzinfo=UTC)), "b"),
        (Filters(since=datetime(2026, 2, 1, tzinfo=UTC)), "ac"),
    ],
)
def test_a_filter_leaves_what_fits_and_only_counts_what_is_not_loaded(
    store: DirectoryStore, filters: Filters, result: str
) -> None:
    found = list_store(store, ListRequest(filters))
    assert "".join(entry.memory.name for entry in found.entries) == result
    assert (found.unloaded, found.skipped) == ([], 1)


@pytest.mark.parametrize(
    ("sort", "reverse", "result"),
    [
        (None, True, "dcba"),
        ("name", False, "abcd"),
        ("name", True, "dcba"),
        ("updated", False, "bcad"),
        ("created", False, "cdab"),
        ("size", False, "acbd"),
        ("size", True, "dbca"),
    ],
)
def test_a_sort_orders_by_its_key(store: DirectoryStore, sort: str | None, reverse: bool, result: str) -> None:
    assert names(store, ListRequest(sort=sort, reverse=reverse)) == result


def test_an_agent_without_a_directory_lists_nothing(tmp_path: Path) -> None:
    found = list_store(store_at(tmp_path / "memory" / AGENT), ListRequest())
    assert (found.entries, found.unloaded, found.errors) == ([], [], ())


@needs_root
def test_a_file_or_a_directory_that_cannot_be_read_is_in_the_errors(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    path = Path(store.path)
    (path / "a.md").chmod(0)
    code = """
found = list_store(store(given), ListRequest())
tell([[entry.file for entry in found.entries], [told(error) for error in found.errors]])
"""
    assert run(code, ".", cwd=path, uid=NOBODY) == [
        ["b.md"],
        [["IoFailure", 74, "cannot read './a.md': permission denied"]],
    ]
    path.chmod(0o700)
    assert run(code, AGENT, cwd=path.parent, uid=NOBODY) == [
        [],
        [["IoFailure", 74, f"cannot read '{AGENT}': permission denied"]],
    ]


def test_listing_writes_nothing(store: DirectoryStore) -> None:
    before = sorted(Path(store.path).iterdir())
    list_store(store, ListRequest())
    assert sorted(Path(store.path).iterdir()) == before
