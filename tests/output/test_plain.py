from __future__ import annotations

from pathlib import Path

import pytest

from memctl.disk.locate import Target
from memctl.ops.list import ListRequest, list_store
from memctl.ops.results import AgentState, Gone, Imported, Reindexed, Removed
from memctl.ops.show import show
from memctl.output import plain
from tests.stores import fill, make_store, memory, register, store_at


def test_a_row_of_list_has_six_fields(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"a.md": memory("a", description="x\ty", content="\U0001f600")})
    assert plain.listed(list_store(store, ListRequest())) == "1a2b3c4d/a\tproject\tagent\t2026-01-02\t2\tx\\ty\n"


def test_a_file_that_is_not_loaded_has_six_fields_as_well(tmp_path: Path) -> None:
    row = plain.listed(list_store(make_store(tmp_path, files={"a.md": b"bad"}), ListRequest()))
    assert row.split("\t")[:5] == ["1a2b3c4d/a", "not-loaded", "", "", ""]
    assert row.count("\t") == 5


def test_where_an_id_is_no_address_a_row_has_the_path(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    by_path = store._replace(address=store.path)
    assert plain.listed(list_store(by_path, ListRequest())).startswith(f"{store.path}/a.md\t")


@pytest.mark.parametrize("end", ["\n", "\0"])
def test_addresses_end_as_they_are_asked_to(tmp_path: Path, end: str) -> None:
    found = list_store(make_store(tmp_path, "a", "b"), ListRequest())
    assert plain.addresses(found, end) == f"1a2b3c4d/a{end}1a2b3c4d/b{end}"


@pytest.mark.parametrize(
    ("name", "label"), [("bot", "bot (1a2b3c4d)"), ("1a2b3c4d", "1a2b3c4d"), (None, "1a2b3c4d (not in the registry)")]
)
def test_an_agent_is_its_name_and_its_id(tmp_path: Path, name: str | None, label: str) -> None:
    register(tmp_path, {"id": "1a2b3c4d", "name": name} if name else {"id": "other"})
    fill(tmp_path / "memory/1a2b3c4d", {})
    assert plain.agent_label(store_at(tmp_path / "memory/1a2b3c4d")) == label


def test_a_content_ends_with_a_line_end(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    [shown] = show(Target(store, "a", "a"))
    assert plain.shown(shown).endswith("\n\nbody of a\n")


def test_a_field_is_one_line(tmp_path: Path) -> None:
    data = b"---\ntype: user\nsource: agent\ndescription: |\n  a\n  b\n---\nx\n"
    [shown] = show(Target(make_store(tmp_path, files={"a.md": data}), "a", "a"))
    assert "description: a\\nb\n" in plain.shown(shown)


def test_a_removal_is_its_address_and_perhaps_its_reasons(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    result = Removed(store, (Gone(store, "a.md", ("old", "over"), None),), 0)
    assert plain.removed(result, reasons=False) == "1a2b3c4d/a\n"
    assert plain.removed(result, reasons=True) == "1a2b3c4d/a\told; over\n"


def test_an_index_that_did_not_change_is_no_row(tmp_path: Path) -> None:
    assert plain.reindexed(Reindexed(make_store(tmp_path), False, 1, 0, b"", b"")) == ""


def test_the_diff_of_a_missing_index_begins_at_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    assert plain.index_diff(Reindexed(store, True, 1, 0, None, b"one\n")) == (
        f"--- /dev/null\n+++ {store.path}/MEMORY.md (rendered)\n@@ -0,0 +1 @@\n+one\n"
    )


def test_the_diff_says_where_a_line_end_is_missing(tmp_path: Path) -> None:
    diff = plain.index_diff(Reindexed(make_store(tmp_path), True, 1, 0, b"one", b"one\n"))
    assert diff.endswith("-one\n\\ No newline at end of file\n+one\n")


@pytest.mark.parametrize(
    ("result", "row"),
    [
        ((True, None, "", False), "imported\t\n"),
        ((True, None, "", True), "imported\tcut to 8,192 characters\n"),
        ((False, "empty", "it is empty", False), "not imported\tit is empty\n"),
    ],
)
def test_an_import_says_what_happened(tmp_path: Path, result: tuple[bool, str | None, str, bool], row: str) -> None:
    assert plain.imported(Imported(make_store(tmp_path), *result, "/w/MEMORY.md")) == f"1a2b3c4d\t{row}"


@pytest.mark.parametrize(
    ("way", "said"), [("api", "changed by the HQ"), ("file", "changed in agents.json"), (None, "")]
)
def test_a_change_says_its_way(tmp_path: Path, way: str | None, said: str) -> None:
    state = AgentState(make_store(tmp_path), "on", "m", True, "why", False, "why not", True, way)  # type: ignore[arg-type]
    assert plain.sweep_state(state) == f"1a2b3c4d\t1a2b3c4d\ton\tm\tsweeps\twhy\t{said}\n"
    assert plain.memory_state(state) == f"1a2b3c4d\t1a2b3c4d\toff\twhy not\t{said}\n"
