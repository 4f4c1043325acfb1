"""The keys of JSON are a contract: they are only ever added to."""

from __future__ import annotations

from pathlib import Path

from memctl.ops.explain_user import explain
from memctl.output import json_explain
from tests.output.user import user_store
from tests.stores import env_of


def test_what_decides_about_the_user_memory(tmp_path: Path) -> None:
    value = json_explain.explained(explain(user_store(tmp_path), env_of(tmp_path)))
    assert list(value) == [
        "address", "path", "exists", "bytes", "utf8", "enabled", "cut", "misplaced", "newer", "loaded", "steps", "verdict",
    ]  # fmt: skip
    assert (value["cut"], list(value["steps"][0])) == ({"bytes": 0, "notes": 0}, ["key", "text"])
