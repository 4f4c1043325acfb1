"""The keys of JSON are a contract: they are only ever added to."""

from __future__ import annotations

import json as standard
from pathlib import Path

import pytest

from memctl.core.memory import MemoryType
from memctl.disk.settings import Value
from memctl.errors import Busy, ConfigError, NotFound, SeveralErrors
from memctl.ops.delete import Gone
from memctl.ops.list import ListRequest, list_store
from memctl.ops.results import AgentState, Edited, Imported, Reindexed, Removed
from memctl.output import json
from tests.stores import make_store


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
