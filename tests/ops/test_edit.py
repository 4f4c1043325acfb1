"""`edit`: a person changes a memory; its source becomes `user`, and nothing else of the file is lost."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memctl.core.buffer import Changes
from memctl.disk.files import Directory
from memctl.disk.locate import Target
from memctl.disk.stores import DirectoryStore
from memctl.errors import Busy, InvalidInput, MemctlError, NotFound, Protected, SeveralErrors, UsageError
from memctl.ops.edit import EditPlan, apply_edit, plan_edits
from memctl.ops.results import Edited
from tests.stores import AGENT, NO_WAIT, contents, index, make_store, memory, register

NOW = datetime(2026, 9, 15, 23, 30, tzinfo=UTC)


def planned(store: DirectoryStore, name: str = "a") -> EditPlan:
    (plan,) = plan_edits(Target(store, name, f"{AGENT}/{name}"))
    return plan


def edited(
    store: DirectoryStore, *, name: str = "a", touch: bool = False, dry_run: bool = False, **fields: str
) -> Edited:
    return apply_edit(planned(store, name), Changes(**fields), NOW, NO_WAIT, touch=touch, dry_run=dry_run)


def test_an_edit_makes_the_source_user_and_sets_updated(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    result = edited(store, content="new text", description="new words", type="reference")
    new = memory(
        "a", description="new words", type="reference", source="user", updated="2026-09-15", content="new text"
    )
    assert contents(store.path) == {
        "a.md": new,
        "MEMORY.md": b"# Memory index\n\n## Reference\n- **a** \xe2\x80\x94 new words\n",
    }
    assert (result.action, result.file, result.memory.source, result.errors) == ("updated", "a.md", "user", ())


@pytest.mark.parametrize("fields", [{}, {"content": "body of a"}, {"content": " body of a\n", "type": "project"}])
def test_an_edit_that_changes_nothing_writes_nothing(tmp_path: Path, fields: dict[str, str]) -> None:
    store = make_store(tmp_path, files={"a.md": memory("a").replace(b"type: project", b"type:   project")})
    before = contents(store.path)
    assert edited(store, **fields).action == "unchanged"
    assert contents(store.path) == before


def test_touch_alone_makes_it_the_persons_of_today(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    assert edited(store, touch=True).action == "updated"
    assert contents(store.path)["a.md"] == memory("a", source="user", updated="2026-09-15")


def test_a_dry_run_says_the_same_and_writes_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    result = edited(store, content="new", dry_run=True)
    assert (result.action, result.memory.content) == ("updated", "new")
    assert contents(store.path) == {"a.md": memory("a")}


def test_unknown_keys_stay_after_the_known_ones_in_their_order(tmp_path: Path) -> None:
    data = b"---\nzeta: 1\nname: a\nlist:\n  - x\n  - y\ntype: project\ndescription: d\n# note\n---\ntext\n"
    store = make_store(tmp_path, files={"a.md": data})
    edited(store, content="new")
    head = "name: a\ndescription: d\ntype: project\nsource: user\ncreated: 2026-09-15\nupdated: 2026-09-15\n"
    assert contents(store.path)["a.md"].decode() == f"---\n{head}zeta: 1\nlist:\n  - x\n  - y\n# note\n---\nnew\n"


def test_a_name_that_differs_from_the_files_stays(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"outer.md": memory("inner")})
    assert edited(store, name="inner", content="new").file == "outer.md"
    assert set(contents(store.path)) == {"outer.md", "MEMORY.md"}
    assert contents(store.path)["outer.md"].startswith(b"---\nname: inner\n")


def test_crlf_of_a_given_content_becomes_lf(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    edited(store, content="one\r\ntwo\rthree")
    assert contents(store.path)["a.md"].endswith(b"---\none\ntwo\rthree\n")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"content": " "}, "Memory content must be 1–2048 chars"),
        ({"content": "k" * 2049}, "Memory content must be 1–2048 chars"),
        ({"content": "k" * 2048 + "\n"}, "Memory content must be 1–2048 chars"),
        ({"content": "\U0001f600" * 1025}, "Memory content must be 1–2048 chars"),
        ({"description": ""}, "Memory description must be a single line of 1–200 chars"),
        ({"description": "k" * 201}, "Memory description must be a single line of 1–200 chars"),
        ({"description": "a\nb"}, "Memory description must be a single line of 1–200 chars"),
        ({"type": "note"}, "Memory type must be one of user, feedback, project, reference"),
    ],
)
def test_what_the_hq_refuses_is_refused_with_its_sentence(
    tmp_path: Path, fields: dict[str, str], sentence: str
) -> None:
    store = make_store(tmp_path, "a")
    with pytest.raises(InvalidInput) as caught:
        edited(store, **fields)
    assert (caught.value.message, caught.value.exit_code) == (sentence, 65)
    assert contents(store.path) == {"a.md": memory("a")}


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    with pytest.raises(SeveralErrors) as caught:
        edited(store, content="", description="", type="")
    assert len(caught.value.errors) == 3
    assert caught.value.exit_code == 65


@pytest.mark.parametrize("description", ["[todo]", "|", ">-", "[]", "|2"])
def test_what_the_hq_would_write_and_lose_is_refused(tmp_path: Path, description: str) -> None:
    store = make_store(tmp_path, "a")
    with pytest.raises(InvalidInput):
        edited(store, description=description)
    assert contents(store.path) == {"a.md": memory("a")}


def test_half_of_a_surrogate_pair_is_refused(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    with pytest.raises(InvalidInput):
        edited(store, content="x\ud83d")
    assert contents(store.path) == {"a.md": memory("a")}


def test_bytes_that_are_no_utf8_are_not_lost(tmp_path: Path) -> None:
    data = memory("a", content="b\x00dy").replace(b"\0", b"\xff")
    store = make_store(tmp_path, files={"a.md": data})
    with pytest.raises(InvalidInput, match="bytes that are not UTF-8"):
        edited(store, description="new")
    assert contents(store.path) == {"a.md": data}
    assert edited(store, content="new").action == "updated"


def test_while_automatic_memory_is_off_nothing_is_edited(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    register(tmp_path / "data", {"id": AGENT, "name": "billing-bot", "memory": {"enabled": False}})
    with pytest.raises(Protected) as caught:
        planned(store)
    assert caught.value.exit_code == 77
    assert caught.value.hint == f"memctl auto-memory {AGENT} on"


@pytest.mark.parametrize(
    ("name", "kind"), [(None, UsageError), ("no-such", NotFound), ("bad", InvalidInput), ("no*", NotFound)]
)
def test_what_is_no_memory_cannot_be_edited(tmp_path: Path, name: str | None, kind: type[MemctlError]) -> None:
    store = make_store(tmp_path, "a", files={"bad.md": b"bad"})
    with pytest.raises(kind):
        plan_edits(Target(store, name, "word"))


@pytest.mark.parametrize("target", ["victim", "nothing"])
def test_a_symlink_is_not_edited(tmp_path: Path, target: str) -> None:
    store = make_store(tmp_path, files={"victim": memory("a")})
    os.symlink(target, f"{store.path}/a.md")
    with pytest.raises(Protected) as caught:
        planned(store)
    assert caught.value.message == (f"'{store.path}/a.md' is a symlink to '{target}'; memctl does not write through it")


def test_a_pattern_gives_each_memory_that_fits(tmp_path: Path) -> None:
    store = make_store(tmp_path, "api-a", "api-b", "x")
    plans = plan_edits(Target(store, "api-*", "word"))
    assert [plan.entry.file for plan in plans] == ["api-a.md", "api-b.md"]


def test_the_text_for_the_editor_has_the_budgets_and_the_place_in_the_index(tmp_path: Path) -> None:
    buffer = planned(make_store(tmp_path, "a", "b")).buffer
    assert buffer.startswith("---\ndescription: about a\ntype: project\n# ")
    assert "entry 1 of 2 in the index" in buffer
    assert buffer.endswith("---\nbody of a\n")


@pytest.mark.parametrize("there", [memory("a", content="of the HQ"), b"", None])
def test_a_file_that_changed_while_it_was_edited_is_left_alone(tmp_path: Path, there: bytes | None) -> None:
    store = make_store(tmp_path, "a", "b")
    plan = planned(store)
    path = Path(store.path, "a.md")
    if there is None:
        path.unlink()
    else:
        path.write_bytes(there)
    with pytest.raises(Busy) as caught:
        apply_edit(plan, Changes(content="mine"), NOW, NO_WAIT)
    assert caught.value.exit_code == 75
    assert contents(store.path) == {"b.md": memory("b")} | ({} if there is None else {"a.md": there})


def test_a_locked_store_is_not_edited(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    with Directory(store.path) as other:
        other.lock(NO_WAIT)
        with pytest.raises(Busy):
            edited(store, content="new")
    assert contents(store.path) == {"a.md": memory("a")}


def test_an_index_that_cannot_be_written_is_an_error_of_an_edit_that_is_done(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    os.mkdir(f"{store.path}/MEMORY.md")
    result = edited(store, content="new")
    assert result.action == "updated"
    assert [error.exit_code for error in result.errors] == [77]
    assert b"\nnew\n" in contents(store.path)["a.md"]


def test_an_edit_without_a_change_of_the_index_leaves_it(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"MEMORY.md": index("a")})
    before = os.stat(f"{store.path}/MEMORY.md").st_ino
    edited(store, content="new")
    assert os.stat(f"{store.path}/MEMORY.md").st_ino == before
