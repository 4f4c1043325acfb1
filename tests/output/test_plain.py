from __future__ import annotations

from pathlib import Path

import pytest

from memctl.core.dialects.native import Entry
from memctl.core.dialects.notes import Note
from memctl.disk.locate import Target
from memctl.disk.native_tree import NativeFile, Structured
from memctl.ops.list import ListRequest, list_store
from memctl.ops.recall import Hit, Recall
from memctl.ops.results import (
    AgentState,
    EditedNotes,
    Gone,
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
from memctl.ops.show import show
from memctl.output import plain
from tests.output.user import user_store
from tests.stores import fill, make_store, memory, register, store_at

NOTE = Note(2, 4, "2026-11-01 09:02 UTC", "a\t\\\n  b", 10, 20)
BY_HAND = Note(3, 6, None, "c", 20, 24)


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


def test_a_row_of_notes_has_three_fields(tmp_path: Path) -> None:
    result = ListedNotes(user_store(tmp_path), 24, [NOTE, BY_HAND], 0, ())
    assert plain.listed_notes(result) == "@user/2\t2026-11-01 09:02 UTC\ta\\t\\\\\\n  b\n@user/3\t\tc\n"


@pytest.mark.parametrize("end", ["\n", "\0"])
def test_addresses_of_notes_end_as_they_are_asked_to(tmp_path: Path, end: str) -> None:
    result = ListedNotes(user_store(tmp_path), 24, [NOTE, BY_HAND], 0, ())
    assert plain.addresses(result, end) == f"@user/2{end}@user/3{end}"


def test_a_row_of_the_native_tree_has_its_scope_and_line() -> None:
    file = NativeFile("workspace", "/m", b"", [Entry(1, "a\tb"), Entry(7, "c")])
    assert plain.listed_native(file) == "workspace\t1\ta\\tb\nworkspace\t7\tc\n"


def test_a_row_of_the_structured_store_has_five_fields() -> None:
    one = Structured("i", "{}", "fact", "active", "a\ttitle", "a\nbody")
    assert plain.listed_structured([one]) == "{}\tactive\tfact\ta\\ttitle\ta\\nbody\n"


@pytest.mark.parametrize(("changed", "said"), [(True, "changed in CodeWhale's configuration"), (False, "")])
@pytest.mark.parametrize(("enabled", "word"), [(True, "on"), (False, "off")])
def test_the_switch_of_the_user_memory_is_a_row(
    tmp_path: Path, changed: bool, said: str, enabled: bool, word: str
) -> None:
    state = UserState(user_store(tmp_path), enabled, "why", "/c.toml", changed)
    assert plain.user_state(state) == f"@user\t{word}\twhy\t{said}\n"


def test_what_fits_a_message_is_a_row_with_its_words() -> None:
    found = Recall((Hit("a/x", "/a/x.md", 2, ("one", "two"), "about\tx"), Hit("a/y", "/a/y.md", 1, ("one",), "")))
    assert plain.recalled(found) == "a/x\t2\tone two\tabout\\tx\na/y\t1\tone\t\n"


@pytest.mark.parametrize(("note", "written"), [(NOTE, "2026-11-01 09:02 UTC"), (BY_HAND, "by hand, without a stamp")])
def test_a_note_is_shown_with_its_fields(tmp_path: Path, note: Note, written: str) -> None:
    store = user_store(tmp_path)
    assert plain.shown(ShownNote(store, note)) == (
        f"address: @user/{note.number}\nwritten: {written}\npath: {store.path}, line {note.line}\n\n{note.text}\n"
    )


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"- a\n\n", "\n\n- a\n"),
        (b" \n", "\n(empty — add via `# foo` from the composer or have the model use the `remember` tool)\n"),
        (b"- caf\xe9", "\n\n- caf\ufffd\n"),
    ],
)
def test_the_user_memory_is_shown_with_its_path(tmp_path: Path, data: bytes, text: str) -> None:
    store = user_store(tmp_path)
    assert plain.shown(ShownUserMemory(store, data, [])) == store.shown + text


@pytest.mark.parametrize(("note", "address"), [(NOTE, "@user/2"), (None, "@user")])
def test_an_edit_of_notes_is_its_address_and_what_happened(tmp_path: Path, note: Note | None, address: str) -> None:
    assert plain.edited(EditedNotes(user_store(tmp_path), note, "unchanged")) == f"{address}\tunchanged\n"


def test_a_removed_note_is_its_address_and_perhaps_its_reasons(tmp_path: Path) -> None:
    store = user_store(tmp_path)
    result = RemovedNotes(store, (GoneNote(store, NOTE, ("old", "over")),), 0)
    assert plain.removed(result, reasons=False) == "@user/2\n"
    assert plain.removed(result, reasons=True) == "@user/2\told; over\n"
