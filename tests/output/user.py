"""The user memory of a home, and notes of it."""

from __future__ import annotations

from pathlib import Path

from memctl.core.dialects.notes import Note
from memctl.disk.codewhale import find_facts
from memctl.disk.user_store import FileStore, open_user_store
from tests.stores import env_of

NOTE = Note(2, 4, "2026-11-01 09:02 UTC", "a\n  b", 10, 20)
BY_HAND = Note(3, 6, None, "c", 20, 24)
NOTE_JSON = {"address": "@user/2", "number": 2, "line": 4, "stamp": "2026-11-01 09:02 UTC", "text": "a\n  b"}


def user_store(tmp_path: Path) -> FileStore:
    """Return the user memory of a home where nothing is."""
    env = env_of(tmp_path, DEEPSEEK_MANAGED_CONFIG_PATH=str(tmp_path / "managed.toml"))
    return open_user_store(find_facts(env), env)
