"""The keys of JSON are a contract: they are only ever added to."""

from __future__ import annotations

from pathlib import Path

import pytest

from memctl.core.dialects.native import Entry
from memctl.disk.native_tree import NativeFile, Structured
from memctl.ops.results import ListedNotes
from memctl.output import json_user
from tests.output.user import BY_HAND, NOTE, NOTE_JSON, user_store


def test_a_note(tmp_path: Path) -> None:
    assert json_user.note(user_store(tmp_path), NOTE) == NOTE_JSON
    assert json_user.note(user_store(tmp_path), BY_HAND)["stamp"] is None


@pytest.mark.parametrize("size", [None, 0, 24])
def test_the_user_memory_as_a_store(tmp_path: Path, size: int | None) -> None:
    store = user_store(tmp_path)
    assert json_user.listed_notes(ListedNotes(store, size, [NOTE], 3, ())) == {
        "address": "@user",
        "path": f"{tmp_path}/home/.deepseek/memory.md",
        "bytes": size,
        "limit": 102_400,
        "notes": [NOTE_JSON],
        "outside": 3,
    }


@pytest.mark.parametrize(("data", "size"), [(b"- a\n", 4), (None, None)])
def test_a_file_of_the_native_tree(data: bytes | None, size: int | None) -> None:
    assert json_user.listed_native(NativeFile("global", "/m/MEMORY.md", data, [Entry(1, "a")])) == {
        "address": "@user",
        "scope": "global",
        "path": "/m/MEMORY.md",
        "bytes": size,
        "entries": [{"line": 1, "text": "a"}],
    }


def test_the_structured_store() -> None:
    one = Structured("i", "{}", "fact", "active", "title", "body")
    assert json_user.listed_structured("/m/store.sqlite3", [one]) == {
        "address": "@user",
        "scope": "store",
        "path": "/m/store.sqlite3",
        "memories": [{"id": "i", "scope": "{}", "kind": "fact", "status": "active", "title": "title", "body": "body"}],
    }
