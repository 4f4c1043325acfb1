"""`import-legacy` does once what the HQ does with the old MEMORY.md of a workspace."""

from __future__ import annotations

import base64
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memctl.disk.files import Directory
from memctl.disk.stores import DirectoryStore
from memctl.errors import Busy, Protected
from memctl.ops.delete import apply_removals, plan_delete
from memctl.ops.import_legacy import ImportRequest, import_legacy
from tests.disk.test_files import Traced
from tests.judges import cases, data, load
from tests.ops.test_delete import targets
from tests.stores import AGENT, NO_WAIT, contents, fill, make_store, memory, needs_root, register, store_at

NOW = datetime.fromisoformat(load("hq/legacy")["now"].replace("Z", "+00:00"))
MARKER = ".legacy-imported"
FILE = "legacy-memory-md.md"


def request(**fields: Any) -> ImportRequest:
    return ImportRequest(locking=NO_WAIT, **fields)


def empty(tmp_path: Path, notes: bytes | None = b"old notes", **config: Any) -> DirectoryStore:
    """Return the store of an agent without a directory, whose workspace has these notes."""
    workspace = fill(tmp_path / "workspace", {} if notes is None else {"MEMORY.md": notes})
    register(tmp_path / "data", {"id": AGENT, "name": "billing-bot", "workspace": str(workspace), **config})
    return store_at(tmp_path / "data" / "memory" / AGENT)


def imported(text: str) -> bytes:
    return memory(
        "legacy-memory-md",
        description="Notes imported from the old workspace MEMORY.md file",
        source="import",
        created="2026-09-15",
        updated="2026-09-15",
        content=text,
    )


# --- as the HQ does ---


def half_a_pair(final: dict[str, bytes]) -> dict[str, bytes]:
    """DESIGN 4.6: where the cut would halve a surrogate pair that unit is dropped (the HQ writes U+FFFD)."""
    return {name: text.replace("\ufffd\n\n[truncated]".encode(), b"\n\n[truncated]") for name, text in final.items()}


def not_overwritten(case: dict[str, Any]) -> dict[str, bytes]:
    """DESIGN 4.4: a file that the HQ does not load is never overwritten."""
    return {name: data(text) for name, text in case["preFiles"].items()}


@pytest.mark.parametrize("case", cases("hq/legacy"))
def test_old_notes_are_imported_as_the_hq_imports_them(tmp_path: Path, case: dict[str, Any]) -> None:
    text = case["workspaceMemoryMd"]
    workspace = fill(tmp_path / "workspace", {} if text is None else {"MEMORY.md": data(text)})
    store = store_at(tmp_path / "data" / "memory" / AGENT)
    for name, before in (case["preFiles"] or {}).items():
        path = Path(store.path, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        if before is None:
            path.mkdir()
        else:
            path.write_bytes(data(before))
    keeps = case["id"] == "invalid-file-at-target-name"
    for step, result in zip(case["steps"], case["results"], strict=True):
        if step["op"] == "importLegacy":
            given = None if "workspace" in step else str(workspace)
            found = import_legacy(store, request(workspace=given), NOW)
            assert found.imported == (result["imported"] and not keeps)
        elif step["op"] == "remove":
            apply_removals(plan_delete(targets(store, step["name"]))[0][0], NO_WAIT)
        else:
            assert step["op"] == "forgetTool"  # what an agent's tool refuses is held by the core
    final = contents(store.path) if store.exists() else {}
    marker = final.pop(MARKER, None)
    expected = {name: base64.b64decode(text) for name, text in (case["finalFiles"] or {}).items()}
    expected.pop(".legacy-imported/", None)
    if keeps:
        assert (final, marker) == (not_overwritten(case), None)
    else:
        assert final == half_a_pair(expected)
        if case["id"] != "marker-is-directory":
            assert marker == (None if case["marker"] is None else case["marker"].encode())
    if text is not None:
        assert contents(workspace) == {"MEMORY.md": data(text)}


def test_the_cut_that_halves_a_pair_is_among_the_vectors() -> None:
    (case,) = [case.values[0] for case in cases("hq/legacy") if case.id == "emoji-4097"]
    assert "\ufffd\n\n[truncated]".encode() in base64.b64decode(case["finalFiles"][FILE])


# --- where the notes are ---


def test_the_workspace_of_the_registry_is_taken(tmp_path: Path) -> None:
    store = empty(tmp_path)
    found = import_legacy(store, request(), NOW)
    assert (found.imported, found.reason, found.truncated, found.errors) == (True, None, False, ())
    assert found.source == f"{tmp_path}/workspace/MEMORY.md"
    assert contents(store.path)[FILE] == imported("old notes")
    assert contents(store.path)[MARKER] == b"2026-09-15T10:30:00.000Z\n"


def test_a_given_workspace_or_file_goes_before_that_of_the_registry(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes(b"given file")
    other = fill(tmp_path / "other", {"MEMORY.md": b"given workspace"})
    for name, fields, text in (
        ("1", {"workspace": str(other)}, "given workspace"),
        ("2", {"file": str(tmp_path / "notes.txt")}, "given file"),
        ("3", {"file": str(tmp_path / "notes.txt"), "workspace": str(other)}, "given file"),
    ):
        store = empty(tmp_path / name)
        assert import_legacy(store, request(**fields), NOW).imported
        assert contents(store.path)[FILE] == imported(text)


@pytest.mark.parametrize(
    ("config", "reason", "why"),
    [
        (
            {"workspace": None},
            "no-workspace",
            "the registry names no workspace for it; give --workspace DIR or --file FILE",
        ),
        ({"workspace": "/no/such"}, "missing", "no such file or directory: '/no/such/MEMORY.md'"),
        ({"workspace": "/no/{such} {0}"}, "missing", "no such file or directory: '/no/{such} {0}/MEMORY.md'"),
        ({"workspace": "/a\0b"}, "missing", r"no file can have the path '/a\x00b/MEMORY.md'"),
        ({"workspace": "/\ud800"}, "missing", r"no file can have the path '/\ud800/MEMORY.md'"),
    ],
)
def test_where_there_are_no_notes_the_reason_is_said(
    tmp_path: Path, config: dict[str, Any], reason: str, why: str
) -> None:
    store = empty(tmp_path, **config)
    found = import_legacy(store, request(), NOW)
    assert (found.imported, found.reason, found.why, found.errors) == (False, reason, why, ())
    assert not store.exists()


@pytest.mark.parametrize(
    ("notes", "files", "reason", "why"),
    [
        (b" \n", {}, "empty", "'{workspace}/MEMORY.md' is empty"),
        (
            b"x",
            {MARKER: b""},
            "imported-before",
            "the old notes were imported before ('{store}/.legacy-imported' says so)",
        ),
        (
            b"x",
            {"a.md": memory("a")},
            "has-memories",
            "the agent has 1 memory, and old notes are imported only where",
        ),
    ],
)
def test_why_nothing_is_imported(tmp_path: Path, notes: bytes, files: dict[str, bytes], reason: str, why: str) -> None:
    store = empty(tmp_path, notes)
    if files:
        fill(Path(store.path), files)
    found = import_legacy(store, request(), NOW)
    assert (found.imported, found.reason) == (False, reason)
    assert found.why.startswith(why.format(workspace=tmp_path / "workspace", store=store.path))
    assert (contents(store.path) if store.exists() else {}) == files


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_notes_that_are_no_file_are_no_notes(tmp_path: Path, make: Any) -> None:
    store = empty(tmp_path, None)
    make(tmp_path / "workspace" / "MEMORY.md")
    found = import_legacy(store, request(), NOW)
    assert (found.imported, found.reason) == (False, "missing")
    assert not store.exists()


@needs_root
@pytest.mark.parametrize("link", ["file", "workspace"])
def test_no_link_of_another_users_workspace_is_followed(tmp_path: Path, link: str) -> None:
    # A secret that the other user cannot read must not come into his memories by root's cron job.
    secret = fill(tmp_path / "secret", {"MEMORY.md": b"secret"})
    store = empty(tmp_path, None)
    if link == "file":
        (tmp_path / "workspace" / "MEMORY.md").symlink_to(secret / "MEMORY.md")
    else:
        (tmp_path / "workspace").rmdir()
        (tmp_path / "workspace").symlink_to(secret)
    found = import_legacy(store._replace(foreign=True), request(), NOW)
    assert found.imported is False
    assert not store.exists()
    assert import_legacy(store, request(), NOW).imported


# --- once, and whole ---


def test_force_imports_again_and_leaves_the_marker(tmp_path: Path) -> None:
    store = empty(tmp_path)
    fill(Path(store.path), {MARKER: b"2025"})
    assert import_legacy(store, request(), NOW).imported is False
    assert import_legacy(store, request(force=True), NOW).imported is True
    assert contents(store.path)[MARKER] == b"2025"


def test_force_does_not_import_beside_memories(tmp_path: Path) -> None:
    store = empty(tmp_path)
    fill(Path(store.path), {"a.md": memory("a")})
    assert import_legacy(store, request(force=True), NOW).reason == "has-memories"


@pytest.mark.parametrize(
    ("notes", "truncated"),
    [(b"k" * 8192, False), (b"k" * 8193, True), (b"the log was [truncated]", False), ("\U0001f600" * 4097, True)],
    ids=["limit", "over", "own-words", "emoji"],
)
def test_it_is_said_whether_the_notes_were_cut(tmp_path: Path, notes: bytes | str, truncated: bool) -> None:
    store = empty(tmp_path, notes.encode() if isinstance(notes, str) else notes)
    assert import_legacy(store, request(), NOW).truncated is truncated


def test_crlf_is_written_as_the_hq_does(tmp_path: Path) -> None:
    store = empty(tmp_path, b"one\r\ntwo\r\n")
    import_legacy(store, request(), NOW)
    assert contents(store.path)[FILE].endswith(b"---\none\r\ntwo\n")


def test_a_dry_run_says_the_same_and_writes_nothing(tmp_path: Path) -> None:
    store = empty(tmp_path)
    found = import_legacy(store, request(dry_run=True), NOW)
    assert (found.imported, found.why) == (True, "")
    assert not store.exists()


def test_while_automatic_memory_is_off_nothing_is_imported(tmp_path: Path) -> None:
    store = empty(tmp_path, memory={"enabled": False})
    found = import_legacy(store, request(), NOW)
    assert found.imported is False
    assert [(type(error), error.exit_code) for error in found.errors] == [(Protected, 77)]
    assert not store.exists()


def test_a_file_in_the_way_that_is_not_loaded_is_never_overwritten(tmp_path: Path) -> None:
    store = empty(tmp_path)
    fill(Path(store.path), {FILE: b"bad"})
    found = import_legacy(store, request(), NOW)
    assert [error.exit_code for error in found.errors] == [77]
    assert found.errors[0].hint == f"memctl delete {AGENT}/legacy-memory-md"
    assert contents(store.path) == {FILE: b"bad"}


def test_a_locked_store_is_busy_and_gets_nothing(tmp_path: Path) -> None:
    store = empty(tmp_path)
    fill(Path(store.path), {})
    with Directory(store.path) as other:
        other.lock(NO_WAIT)
        found = import_legacy(store, request(), NOW)
    assert (found.imported, [type(error) for error in found.errors]) == (False, [Busy])
    assert contents(store.path) == {}


@needs_root
def test_what_root_makes_belongs_to_the_user_of_the_data_folder(tmp_path: Path) -> None:
    store = empty(tmp_path)
    os.chown(tmp_path / "data", 1234, 2345)
    assert import_legacy(store, request(), NOW).imported
    made = [Path(store.path).parent, Path(store.path), *Path(store.path).iterdir()]
    assert len(made) == 5
    assert {(path.stat().st_uid, path.stat().st_gid) for path in made} == {(1234, 2345)}


IMPORT = """
from datetime import datetime, UTC
ready()
found = import_legacy(store(), ImportRequest(file="../notes", locking=Locking()), datetime(2026, 9, 15, tzinfo=UTC))
tell([found.imported, [told(error) for error in found.errors]])
"""


@pytest.mark.parametrize(
    ("at", "names", "done"), [(1, [], False), (2, ["MEMORY.md", FILE], True), (3, [MARKER, FILE], True)]
)
def test_the_marker_is_written_only_after_the_notes(tmp_path: Path, at: int, names: list[str], done: bool) -> None:
    # The marker alone would bar the import for ever. One link each: the notes, the marker, the index.
    (tmp_path / "notes").write_bytes(b"old notes")
    path = fill(tmp_path / "agent", {})
    with Traced(path, IMPORT, trace="linkat", inject=f"linkat:error=ENOSPC:when={at}") as traced:
        pass
    assert "INJECTED" in traced.log()
    found, errors = traced.told()
    assert (found, [code for _, code, _ in errors]) == (done, [74])
    assert sorted(os.listdir(path)) == sorted(names)


def test_the_time_in_the_marker_is_utc(tmp_path: Path) -> None:
    store = empty(tmp_path)
    import_legacy(store, request(), datetime(2026, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC))
    assert contents(store.path)[MARKER] == b"2026-12-31T23:59:59.999Z\n"


def test_an_empty_store_of_an_agent_with_a_directory_gets_the_notes_as_well(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    found = import_legacy(store, request(workspace=str(fill(tmp_path / "w", {"MEMORY.md": b"x"}))), NOW)
    assert found.imported
    assert set(contents(store.path)) == {FILE, MARKER, "MEMORY.md"}
