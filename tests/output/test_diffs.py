from __future__ import annotations

from pathlib import Path

from memctl.ops.results import Reindexed
from memctl.output import diffs
from tests.stores import make_store


def test_the_diff_of_a_missing_index_begins_at_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    assert diffs.index_diff(Reindexed(store, True, 1, 0, None, b"one\n")) == (
        f"--- /dev/null\n+++ {store.path}/MEMORY.md (rendered)\n@@ -0,0 +1 @@\n+one\n"
    )


def test_the_diff_says_where_a_line_end_is_missing(tmp_path: Path) -> None:
    diff = diffs.index_diff(Reindexed(make_store(tmp_path), True, 1, 0, b"one", b"one\n"))
    assert diff.endswith("-one\n\\ No newline at end of file\n+one\n")
