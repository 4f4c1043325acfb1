from __future__ import annotations

from pathlib import Path

from memctl.ops.explain_user import explain
from memctl.output import plain_explain
from tests.output.user import user_store
from tests.stores import env_of


def test_the_verdict_is_the_last_row(tmp_path: Path) -> None:
    rows = plain_explain.explained(explain(user_store(tmp_path), env_of(tmp_path))).splitlines()
    assert rows[-1] == "verdict\tCodeWhale does not load the file: memory is off (default)"
    assert [row for row in rows if row.count("\t") != 1] == []
