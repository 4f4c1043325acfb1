"""The keys of JSON are a contract: they are only ever added to."""

from __future__ import annotations

import json as standard
from pathlib import Path

import pytest

from memctl.core.dialects.native import Entry
from memctl.core.dialects.notes import Note
from memctl.core.memory import MemoryType
from memctl.disk.codewhale import find_facts
from memctl.disk.native_tree import NativeFile, Structured
from memctl.disk.settings import Value
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import Busy, ConfigError, NotFound, SeveralErrors
from memctl.ops.delete import Gone
from memctl.ops.explain_user import explain
from memctl.ops.list import ListRequest, list_store
from memctl.ops.recall import Hit, Recall
from memctl.ops.results import (
    AgentState,
    Edited,
    EditedNotes,
    GoneNote,
    Imported,
    ListedNotes,
    Reindexed,
    Removed,
    RemovedNotes,
    ShownNote,
    ShownUserMemory,
    UserState,
)
from memctl.output import json
from tests.stores import env_of, make_store

NOTE = Note(2, 4, "2026-11-01 09:02 UTC", "a\n  b", 10, 20)
BY_HAND = Note(3, 6, None, "c", 20, 24)
NOTE_JSON = {"address": "@user/2", "number": 2, "line": 4, "stamp": "2026-11-01 09:02 UTC", "text": "a\n  b"}


def user_store(tmp_path: Path) -> FileStore:
    """Return the user memory of a home where nothing is."""
    env = env_of(tmp_path, DEEPSEEK_MANAGED_CONFIG_PATH=str(tmp_path / "managed.toml"))
    return open_user_store(find_facts(env), env)


def test_the_head() -> None:
    assert json.head("1.2", "here", "list") == {"schema": 1, "memctl": "1.2", "host": "here", "command": "list"}


def test_errors_are_code_message_path_and_hint() -> None:
    assert json.error_list([NotFound("no agent 'x'", path="/p", hint="memctl list")]) == [
        {"code": "not-found", "message": "no agent 'x'", "path": "/p", "hint": "memctl list"}
    ]


def test_several_errors_in_one_are_each_of_them() -> None:
    both = SeveralErrors([Busy("one"), ConfigError("two")])
    assert [error["code"] for error in json.error_list([both, NotFound("three")])] == ["busy", "config", "not-found"]


def test_characters_stay_as_they_are() -> None:
    assert json.dumps({"a": "größe 東京"}) == '{"a": "größe 東京"}'


@pytest.mark.parametrize("text", ["bad\udcff", "half\ud83d"])
def test_what_utf_8_does_not_have_is_escaped(text: str) -> None:
    written = json.dumps({"a": text})
    assert (written.isascii(), standard.loads(written)) == (True, {"a": text})


def test_types_and_sources_are_texts() -> None:
    assert json.dumps([MemoryType.USER]) == '["user"]'


def test_a_store(tmp_path: Path) -> None:
    value = json.listed(list_store(make_store(tmp_path, "a", files={"b.md": b"bad"}), ListRequest()))
    assert list(value) == ["address", "path", "agent", "memories", "not_loaded"]
    assert list(value["memories"][0]) == [
        "address", "path", "name", "file", "description", "type", "source", "created", "updated", "size",
    ]  # fmt: skip
    assert list(value["not_loaded"][0]) == ["file", "path", "reason"]


def test_removals(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    gone = Gone(store, "a.md", ("old", "over"), None)
    assert json.removed([Removed(store, (gone,), 3), Removed(store, (), 4)], dry_run=True) == {
        "removals": [{"address": "1a2b3c4d/a", "path": f"{store.path}/a.md", "reasons": ["old", "over"]}],
        "kept": 7,
        "dry_run": True,
    }


def test_an_edit(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    entry = store.read().entries[0]
    value = json.edited([Edited(store, "a.md", entry.memory, "updated")])
    assert list(value) == ["address", "path", "action", "memory", "edits"]
    assert value["edits"] == [{key: value[key] for key in ("address", "path", "action", "memory")}]
    assert list(value["memory"])[-1] == "content"


def test_no_edit() -> None:
    assert json.edited([]) == {"address": None, "path": None, "action": None, "memory": None, "edits": []}


def test_an_index(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    assert json.reindexed(Reindexed(store, True, 3, 1, None, b"")) == {
        "address": "1a2b3c4d",
        "path": store.path,
        "changed": True,
        "listed": 3,
        "omitted": 1,
    }


def test_an_import(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    assert json.imported(Imported(store, False, "empty", "it is empty", False, "/w/MEMORY.md")) == {
        "address": "1a2b3c4d",
        "imported": False,
        "reason": "empty",
        "truncated": False,
        "source": "/w/MEMORY.md",
    }


def test_the_states_of_an_agent(tmp_path: Path) -> None:
    state = AgentState(make_store(tmp_path), "on", "m", True, "why", False, "why not", True, "api")
    both = {"id": "1a2b3c4d", "name": None, "changed": True, "way": "api"}
    assert json.sweep_state(state) == both | {"mode": "on", "model": "m", "sweeps": True, "why": "why"}
    assert json.memory_state(state) == both | {"enabled": False, "why": "why not"}


def test_settings() -> None:
    assert json.settings([("roots", Value(("/a",), "flag"))]) == {
        "settings": [{"key": "roots", "value": ("/a",), "origin": "flag"}]
    }


def test_a_note(tmp_path: Path) -> None:
    assert json.note(user_store(tmp_path), NOTE) == NOTE_JSON
    assert json.note(user_store(tmp_path), BY_HAND)["stamp"] is None


@pytest.mark.parametrize("size", [None, 0, 24])
def test_the_user_memory_as_a_store(tmp_path: Path, size: int | None) -> None:
    store = user_store(tmp_path)
    assert json.listed_notes(ListedNotes(store, size, [NOTE], 3, ())) == {
        "address": "@user",
        "path": f"{tmp_path}/home/.deepseek/memory.md",
        "bytes": size,
        "limit": 102_400,
        "notes": [NOTE_JSON],
        "outside": 3,
    }


@pytest.mark.parametrize(("data", "size"), [(b"- a\n", 4), (None, None)])
def test_a_file_of_the_native_tree(data: bytes | None, size: int | None) -> None:
    assert json.listed_native(NativeFile("global", "/m/MEMORY.md", data, [Entry(1, "a")])) == {
        "address": "@user",
        "scope": "global",
        "path": "/m/MEMORY.md",
        "bytes": size,
        "entries": [{"line": 1, "text": "a"}],
    }


def test_the_structured_store() -> None:
    one = Structured("i", "{}", "fact", "active", "title", "body")
    assert json.listed_structured("/m/store.sqlite3", [one]) == {
        "address": "@user",
        "scope": "store",
        "path": "/m/store.sqlite3",
        "memories": [{"id": "i", "scope": "{}", "kind": "fact", "status": "active", "title": "title", "body": "body"}],
    }


def test_what_decides_about_the_user_memory(tmp_path: Path) -> None:
    value = json.explained(explain(user_store(tmp_path), env_of(tmp_path)))
    assert list(value) == [
        "address", "path", "exists", "bytes", "utf8", "enabled", "cut", "misplaced", "newer", "loaded", "steps", "verdict",
    ]  # fmt: skip
    assert (value["cut"], list(value["steps"][0])) == ({"bytes": 0, "notes": 0}, ["key", "text"])


@pytest.mark.parametrize(("changed", "way"), [(True, "config"), (False, None)])
def test_the_switch_of_the_user_memory(tmp_path: Path, changed: bool, way: str | None) -> None:
    assert json.user_state(UserState(user_store(tmp_path), True, "why", "/c.toml", changed)) == {
        "address": "@user",
        "enabled": True,
        "why": "why",
        "changed": changed,
        "way": way,
    }


def test_what_fits_a_message() -> None:
    assert json.recalled(Recall((Hit("a/x", "/a/x.md", 2, ("one", "two"), "about"),))) == {
        "memories": [{"address": "a/x", "path": "/a/x.md", "score": 2, "words": ["one", "two"], "about": "about"}]
    }
    assert json.recalled(Recall(())) == {"memories": []}


def test_notes_are_shown_beside_memories(tmp_path: Path) -> None:
    store = user_store(tmp_path)
    value = json.shown([ShownNote(store, NOTE), ShownUserMemory(store, b"- caf\xe9\n", [BY_HAND])])
    assert list(value) == ["memory", "memories", "not_loaded", "agents", "notes", "user_memories"]
    assert value["notes"] == [NOTE_JSON]
    assert value["user_memories"] == [
        {
            "address": "@user",
            "path": store.path,
            "bytes": 7,
            "limit": 102_400,
            "notes": [json.note(store, BY_HAND)],
            "content": "- caf\ufffd\n",
        }
    ]


def test_where_no_note_is_shown_there_are_no_keys_for_them() -> None:
    assert list(json.shown([])) == ["memory", "memories", "not_loaded", "agents"]


@pytest.mark.parametrize(("note", "address"), [(NOTE, "@user/2"), (None, "@user")])
def test_an_edit_of_notes(tmp_path: Path, note: Note | None, address: str) -> None:
    store = user_store(tmp_path)
    one = {"address": address, "path": store.path, "action": "updated", "memory": None}
    assert json.edited([EditedNotes(store, note, "updated")]) == {**one, "edits": [one]}


def test_removed_notes_are_among_the_removals(tmp_path: Path) -> None:
    store = user_store(tmp_path)
    result = RemovedNotes(store, (GoneNote(store, NOTE, ("old", "over")),), 3)
    assert json.removed([result, Removed(make_store(tmp_path), (), 4)], dry_run=False) == {
        "removals": [{"address": "@user/2", "path": store.path, "reasons": ["old", "over"]}],
        "kept": 7,
        "dry_run": False,
    }
