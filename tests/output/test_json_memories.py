"""The keys of JSON are a contract: they are only ever added to."""

from __future__ import annotations

from pathlib import Path

import pytest

from memctl.core.dialects.notes import Note
from memctl.ops.delete import Gone
from memctl.ops.list import ListRequest, list_store
from memctl.ops.recall import Hit, Recall
from memctl.ops.results import (
    Edited,
    EditedNotes,
    GoneNote,
    Imported,
    Reindexed,
    Removed,
    RemovedNotes,
    ShownNote,
    ShownUserMemory,
)
from memctl.output import json_memories
from tests.output.user import BY_HAND, NOTE, NOTE_JSON, user_store
from tests.stores import make_store


def test_a_store(tmp_path: Path) -> None:
    value = json_memories.listed(list_store(make_store(tmp_path, "a", files={"b.md": b"bad"}), ListRequest()))
    assert list(value) == ["address", "path", "agent", "memories", "not_loaded"]
    assert list(value["memories"][0]) == [
        "address", "path", "name", "file", "description", "type", "source", "created", "updated", "size",
    ]  # fmt: skip
    assert list(value["not_loaded"][0]) == ["file", "path", "reason"]


def test_removals(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    gone = Gone(store, "a.md", ("old", "over"), None)
    assert json_memories.removed([Removed(store, (gone,), 3), Removed(store, (), 4)], dry_run=True) == {
        "removals": [{"address": "1a2b3c4d/a", "path": f"{store.path}/a.md", "reasons": ["old", "over"]}],
        "kept": 7,
        "directories": [],
        "dry_run": True,
    }


def test_an_edit(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    entry = store.read().entries[0]
    value = json_memories.edited([Edited(store, "a.md", entry.memory, "updated")], dry_run=True)
    assert list(value) == ["address", "path", "action", "memory", "edits", "dry_run"]
    assert value["edits"] == [{key: value[key] for key in ("address", "path", "action", "memory")}]
    assert list(value["memory"])[-1] == "content"


def test_no_edit() -> None:
    assert json_memories.edited([], dry_run=False) == dict.fromkeys(("address", "path", "action", "memory")) | {
        "edits": [],
        "dry_run": False,
    }


def test_an_index(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    assert json_memories.reindexed(Reindexed(store, True, 3, 1, None, b"")) == {
        "address": "1a2b3c4d",
        "path": store.path,
        "changed": True,
        "listed": 3,
        "omitted": 1,
    }


def test_an_import(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    assert json_memories.imported(Imported(store, False, "empty", "it is empty", False, "/w/MEMORY.md")) == {
        "address": "1a2b3c4d",
        "imported": False,
        "reason": "empty",
        "truncated": False,
        "source": "/w/MEMORY.md",
    }


def test_what_fits_a_message() -> None:
    assert json_memories.recalled(Recall((Hit("a/x", "/a/x.md", 2, ("one", "two"), "about"),))) == {
        "memories": [{"address": "a/x", "path": "/a/x.md", "score": 2, "words": ["one", "two"], "about": "about"}]
    }
    assert json_memories.recalled(Recall(())) == {"memories": []}


def test_notes_are_shown_beside_memories(tmp_path: Path) -> None:
    store = user_store(tmp_path)
    value = json_memories.shown([ShownNote(store, NOTE), ShownUserMemory(store, b"- caf\xe9\n", [BY_HAND])])
    assert list(value) == ["memory", "memories", "not_loaded", "agents", "notes", "user_memories"]
    assert value["notes"] == [NOTE_JSON]
    assert value["user_memories"] == [
        {
            "address": "@user",
            "path": store.path,
            "bytes": 7,
            "limit": 102_400,
            "notes": [json_memories.note(store, BY_HAND)],
            "content": "- caf\ufffd\n",
        }
    ]


def test_where_no_note_is_shown_there_are_no_keys_for_them() -> None:
    assert list(json_memories.shown([])) == ["memory", "memories", "not_loaded", "agents"]


@pytest.mark.parametrize(("note", "address"), [(NOTE, "@user/2"), (None, "@user")])
def test_an_edit_of_notes(tmp_path: Path, note: Note | None, address: str) -> None:
    store = user_store(tmp_path)
    one = {"address": address, "path": store.path, "action": "updated", "memory": None}
    assert json_memories.edited([EditedNotes(store, note, "updated")], dry_run=False) == {
        **one,
        "edits": [one],
        "dry_run": False,
    }


def test_removed_notes_are_among_the_removals(tmp_path: Path) -> None:
    store = user_store(tmp_path)
    result = RemovedNotes(store, (GoneNote(store, NOTE, ("old", "over")),), 3)
    assert json_memories.removed([result, Removed(make_store(tmp_path), (), 4)], dry_run=False) == {
        "removals": [{"address": "@user/2", "path": store.path, "reasons": ["old", "over"]}],
        "kept": 7,
        "directories": [],
        "dry_run": False,
    }
