from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memctl.core.dialects.notes import program_show
from memctl.core.filters import Filters
from memctl.core.memory import MemoryType, Source
from memctl.core.policy import MaxRemoved, Policy
from memctl.disk.codewhale import find_facts
from memctl.disk.files import Directory
from memctl.disk.locate import Target
from memctl.disk.new_file import NotDurable
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import Busy, ExitCode, InvalidInput, MemctlError, NotFound, Protected, UsageError
from memctl.ops.delete import apply_removals, plan_delete, planned
from memctl.ops.edit import apply_text, check_text, marked_text, not_edited, plan_edits, text_of
from memctl.ops.list import ListRequest, list_any
from memctl.ops.notes import (
    NotesPlan,
    apply_clear,
    apply_drop,
    apply_note_edit,
    check_entry,
    edited_file,
    plan_clear,
    plan_drop,
    plan_note_edit,
    plan_prune_notes,
    remember,
)
from memctl.ops.prune import check_bounds, plan_prune
from memctl.ops.results import ShownNote, ShownUserMemory
from memctl.ops.show import show
from tests.judges import cases
from tests.stores import NO_WAIT, contents, env_of, make_store

NOW = datetime(2026, 11, 30, 12, 0, 30, tzinfo=UTC)
FILE = b"""\
# Notes
- (2026-01-01 10:00 UTC) one
- by hand
  goes on
- (2026-06-01 10:00 UTC) three

prose
- (2026-11-01 10:00 UTC) four
"""

Make = Callable[..., FileStore]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Give a function that makes the user memory with some bytes (None: no file)."""

    def made(data: bytes | None = FILE) -> FileStore:
        place = tmp_path / "place"
        place.mkdir(exist_ok=True)
        if data is not None:
            (place / "memory.md").write_bytes(data)
        env = env_of(tmp_path, DEEPSEEK_MANAGED_CONFIG_PATH="/nonexistent")
        return open_user_store(find_facts(env, given=str(place / "memory.md")), env)

    return made


def there(store: FileStore) -> dict[str, bytes]:
    return contents(os.path.dirname(store.path))


# Listed and shown


def listed(store: FileStore, **request: Any) -> list[int]:
    found = list_any(store, ListRequest(**request))
    assert found.errors == ()
    return [note.number for note in found.notes]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("request_", "numbers"),
    [
        ({}, [1, 2, 3, 4]),
        ({"reverse": True}, [4, 3, 2, 1]),
        ({"sort": "name"}, [1, 2, 3, 4]),
        ({"sort": "updated"}, [2, 1, 3, 4]),
        ({"sort": "created", "reverse": True}, [4, 3, 1, 2]),
        ({"sort": "size"}, [1, 4, 3, 2]),
        ({"filters": Filters(text="GOES")}, [2]),
        ({"filters": Filters(since=datetime(2026, 6, 1, 10, tzinfo=UTC))}, [3, 4]),
        ({"filters": Filters(older_than=datetime(2026, 6, 1, 10, tzinfo=UTC))}, [1]),
    ],
)
def test_notes_are_listed_in_the_order_asked_for(make: Make, request_: dict[str, Any], numbers: list[int]) -> None:
    assert listed(make(), **request_) == numbers


def test_a_list_has_the_size_and_the_lines_outside(make: Make) -> None:
    found = list_any(make(), ListRequest())
    assert (found.size, found.outside) == (len(FILE), 2)  # type: ignore[union-attr]
    missing = list_any(make(None)._replace(path="/nonexistent/memory.md"), ListRequest())
    assert (missing.size, missing.notes, missing.errors) == (None, [], ())  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "filters", [Filters(types=(MemoryType.USER,)), Filters(sources=(Source.USER,)), Filters(names=("x",))]
)
def test_notes_have_no_type_source_or_name_to_select_by(make: Make, filters: Filters) -> None:
    [error] = list_any(make(), ListRequest(filters)).errors
    assert isinstance(error, UsageError)
    with pytest.raises(UsageError, match="no type, source or name"):
        plan_prune(make(), Policy(over=0, filters=filters))


def test_a_list_of_what_is_no_file_has_the_error(make: Make, tmp_path: Path) -> None:
    store = make(None)
    os.mkdir(store.path)
    [error] = list_any(store, ListRequest()).errors
    assert error.exit_code == ExitCode.INVALID


def test_a_note_and_the_whole_are_shown(make: Make) -> None:
    store = make()
    [note] = show(Target(store, "2", "@user/2"))
    assert isinstance(note, ShownNote)
    assert note.note.text == "by hand\n  goes on"
    [whole] = show(Target(store, None, "@user"))
    assert isinstance(whole, ShownUserMemory)
    assert whole.data == FILE
    assert len(whole.notes) == 4


def test_what_is_not_there_is_not_shown(make: Make) -> None:
    with pytest.raises(NotFound, match="no note 5 in the user memory; it has 4 notes"):
        show(Target(make(), "5", "@user/5"))
    store = make()
    os.unlink(store.path)
    with pytest.raises(NotFound, match="there is no user memory at "):
        show(Target(store, None, "@user"))


@pytest.mark.parametrize("case", cases("codewhale/memory_show"))
def test_a_real_file_is_shown_as_the_program_shows_it(make: Make, case: dict[str, Any]) -> None:
    invalid = case["id"].startswith("invalid-utf8")
    store = make(None if case["file"] is None else case["file"].encode("latin-1" if invalid else "utf-8"))
    shown = program_show(store.shown, store.read().data)
    assert shown == case["expected"].replace("{PATH}", store.shown)


# Taken out


def test_notes_are_taken_out_and_every_other_byte_stays(make: Make) -> None:
    store = make()
    plan, errors = plan_drop(store, [3, 1, 3], missing_ok=False)
    assert (errors, plan.kept) == ([], 2)
    done = apply_drop(plan, NO_WAIT)
    assert [(gone.address, gone.about, gone.reasons, gone.path) for gone in done.gone] == [
        ("@user/3", "three", ("asked for",), store.path),
        ("@user/1", "one", ("asked for",), store.path),
    ]
    assert (done.kept, done.errors) == (2, ())
    assert there(store) == {"memory.md": b"# Notes\n- by hand\n  goes on\n\nprose\n- (2026-11-01 10:00 UTC) four\n"}


def test_numbers_that_are_none_are_errors_unless_that_is_fine(make: Make) -> None:
    plan, [error] = plan_drop(make(), [9, 2], missing_ok=False)
    assert (len(plan.gone), error.exit_code) == (1, ExitCode.NOT_FOUND)
    plan, errors = plan_drop(make(), [9], missing_ok=True)
    assert (plan.gone, errors) == ((), [])


def test_a_file_that_changed_meanwhile_is_left_alone(make: Make) -> None:
    store = make()
    plan, _ = plan_drop(store, [1], missing_ok=False)
    make(FILE + b"- new\n")
    done = apply_drop(plan, NO_WAIT)
    assert (done.gone, done.kept, [type(error) for error in done.errors]) == ((), 4, [Busy])
    assert there(store) == {"memory.md": FILE + b"- new\n"}


def test_notes_that_went_but_not_durably_are_told_as_gone(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    store = make()
    plan, _ = plan_drop(store, [1], missing_ok=False)

    def sync(self: Directory, done: str, path: str) -> None:
        raise NotDurable(f"{done}, but not durable yet: input/output error", path=path)

    monkeypatch.setattr(Directory, "sync", sync)
    done = apply_drop(plan, NO_WAIT)
    assert ([gone.note.number for gone in done.gone], done.kept) == ([1], 3)
    assert [type(error) for error in done.errors] == [NotDurable]
    assert len(store.read().notes) == 3


def test_addresses_of_both_kinds_are_planned_together(make: Make, tmp_path: Path) -> None:
    store, agent = make(), make_store(tmp_path, "deploy")
    targets = [Target(store, "1", "@user/1"), Target(agent, "deploy", "x/deploy"), Target(store, "9", "@user/9")]
    plans, errors = plan_delete([*targets, Target(store, None, "@user")])
    assert [error.message for error in errors] == [
        "'@user' is the whole user memory",
        "no note 9 in the user memory; it has 4 notes",
    ]
    assert [len(plan.gone) for plan in plans] == [1, 1]
    assert [planned(plan).kept for plan in plans] == [0, 3]
    assert there(store) == {"memory.md": FILE}
    for plan in plans:
        assert apply_removals(plan, NO_WAIT).errors == ()
    assert len(store.read().notes) == 3
    assert plan_delete([targets[2]], missing_ok=True) == ([], [])


def test_a_user_memory_that_cannot_be_read_does_not_stop_the_others(make: Make, tmp_path: Path) -> None:
    store = make(None)
    os.mkdir(store.path)
    plans, errors = plan_delete([Target(store, "1", "@user/1"), Target(make_store(tmp_path, "a"), "a", "x/a")])
    assert len(plans) == 1
    assert [error.exit_code for error in errors] == [ExitCode.INVALID]


def test_an_empty_plan_writes_nothing(make: Make) -> None:
    store = make(None)
    plan = NotesPlan(store, b"", (), 0)
    assert apply_removals(plan, NO_WAIT) == planned(plan)
    assert there(store) == {}


# Pruned

OLD = Policy(older_than=datetime(2026, 10, 1, tzinfo=UTC), older_than_word="60d")


def test_old_notes_go_with_the_reason_and_those_without_a_stamp_stay(make: Make) -> None:
    plan, errors = plan_prune(make(), OLD)
    assert errors == []
    assert isinstance(plan, NotesPlan)
    assert [(gone.note.number, gone.reasons) for gone in plan.gone] == [
        (1, ("written 2026-01-01 10:00 UTC, older than 60d",)),
        (3, ("written 2026-06-01 10:00 UTC, older than 60d",)),
    ]
    assert plan.kept == 2
    assert apply_drop(plan, NO_WAIT).kept == 2
    assert plan_prune_notes(plan.store, OLD).gone == ()


def test_keeps_and_matching_narrow_what_goes(make: Make) -> None:
    matching = OLD._replace(filters=Filters(matching="THREE"))
    assert [gone.note.number for gone in plan_prune_notes(make(), matching).gone] == [3]
    assert [gone.note.number for gone in plan_prune_notes(make(), OLD._replace(keep_last=3)).gone] == [1]


def test_a_bound_counts_the_notes_and_says_whose(make: Make) -> None:
    plan, _ = plan_prune(make(), OLD)
    check_bounds([plan], MaxRemoved(50, percent=True))
    with pytest.raises(Protected, match="2 of 4 notes of the user memory would go, over --max-removed 1;"):
        check_bounds([plan], MaxRemoved(1))


# Edited


def test_one_note_is_edited_and_every_other_byte_stays(make: Make) -> None:
    store = make(FILE.replace(b"\n", b"\r\n"))
    plan = plan_note_edit(store, 3)
    assert plan.buffer == b"three\n"
    assert apply_note_edit(plan, b"three\n  and more\n", NO_WAIT, dry_run=False)
    new = FILE.replace(b"three", b"three\n  and more").replace(b"\n", b"\r\n")
    assert there(store) == {"memory.md": new}


@pytest.mark.parametrize("text", [b"one", b"one\n", b"one\n\n"])
def test_an_edit_that_changes_nothing_writes_nothing(make: Make, text: bytes) -> None:
    store = make()
    before = os.stat(store.path)
    assert not apply_note_edit(plan_note_edit(store, 1), text, NO_WAIT, dry_run=False)
    assert (os.stat(store.path).st_ino, os.stat(store.path).st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_note_that_is_not_utf8_stays_when_it_is_not_edited(make: Make) -> None:
    store = make(b"- a\xff\n")
    plan = plan_note_edit(store, 1)
    assert not apply_note_edit(plan, plan.buffer, NO_WAIT, dry_run=False)
    assert there(store) == {"memory.md": b"- a\xff\n"}


def test_a_dry_run_says_what_would_change_and_writes_nothing(make: Make) -> None:
    store = make()
    assert apply_note_edit(plan_note_edit(store, 1), b"new", NO_WAIT, dry_run=True)
    assert there(store) == {"memory.md": FILE}


def test_the_whole_file_is_edited_byte_for_byte_and_may_be_new(make: Make) -> None:
    store = make(None)
    plan = plan_note_edit(store, None)
    assert plan.buffer == b""
    assert not apply_note_edit(plan, b"", NO_WAIT, dry_run=False)
    assert there(store) == {}
    assert apply_note_edit(plan, b"\r\n- a", NO_WAIT, dry_run=False)
    assert there(store) == {"memory.md": b"\r\n- a"}


@pytest.mark.parametrize("number", [None, 1])
def test_a_text_that_is_not_utf8_is_refused_with_its_byte(make: Make, number: int | None) -> None:
    with pytest.raises(InvalidInput, match=r"the text is not UTF-8 \(byte 2\)"):
        edited_file(plan_note_edit(make(), number), b"ab\xff")


def test_an_edit_of_a_file_that_changed_meanwhile_is_refused(make: Make) -> None:
    store = make()
    plan = plan_note_edit(store, 1)
    remember(store, ["later"], NOW, NO_WAIT, dry_run=False)
    with pytest.raises(Busy):
        apply_note_edit(plan, b"new", NO_WAIT, dry_run=False)
    assert there(store) == {"memory.md": FILE + b"- (2026-11-30 12:00 UTC) later\n"}


def test_a_note_that_is_not_there_cannot_be_edited(make: Make) -> None:
    with pytest.raises(NotFound):
        plan_note_edit(make(), 5)


@pytest.mark.parametrize(("name", "address"), [("1", "@user/1"), (None, "@user")])
def test_the_verb_edits_notes_through_the_same_steps_as_memories(make: Make, name: str | None, address: str) -> None:
    store = make(b"- one\n")
    [plan] = plan_edits(Target(store, name, address))
    text = text_of(plan)
    assert text == (b"one\n" if name else b"- one\n")
    assert marked_text(plan, text, ["a problem"]) == text
    with pytest.raises(MemctlError):
        check_text(plan, b"\xff", NOW)
    check_text(plan, b"- two\n" if name is None else b"two\n", NOW)
    assert (not_edited(plan).action, not_edited(plan).address) == ("unchanged", address)
    done = apply_text(plan, b"- two\n" if name is None else b"two\n", NOW, NO_WAIT, dry_run=False)
    assert (done.action, done.address) == ("updated", address)
    assert there(store) == {"memory.md": b"- two\n"}
    assert apply_text(plan, text, NOW, NO_WAIT, dry_run=False).action == "unchanged"


# Remembered


@pytest.mark.parametrize("case", cases("codewhale/append"))
def test_an_entry_is_appended_as_codewhale_appends_it(make: Make, case: dict[str, Any]) -> None:
    now = datetime.fromtimestamp(case["now_epoch"], UTC)
    encoding = "latin-1" if "initial_encoding" in case else "utf-8"
    initial = None if case["initial"] is None else case["initial"].encode(encoding)
    store = make(initial)
    expected = case["expected"]
    if "error" in expected:
        with pytest.raises(InvalidInput) as refusal:
            remember(store, [check_entry(case["entry"], literal=True)], now, NO_WAIT, dry_run=False)
        assert f"InvalidInput: {refusal.value.message}" == expected["error"]
        assert there(store) == ({} if initial is None else {"memory.md": initial})
        return
    texts = remember(store, [check_entry(case["entry"], literal=True)], now, NO_WAIT, dry_run=False)
    wanted = expected["file"].encode(encoding)
    if initial and not initial.endswith(b"\n"):
        # The one deliberate difference: the program glues its bullet to a last line that has no end, so that neither
        # is a note of its own any more; memctl ends that line first (DESIGN 4.6 and 5).
        wanted = initial + b"\n" + wanted.removeprefix(initial)
    assert there(store) == {"memory.md": wanted}
    assert [f"remembered: {text}" for text in texts] == [expected["remember_tool_text"]]


def test_only_the_cases_without_a_final_line_end_differ_from_the_program() -> None:
    glued = [
        case.id
        for case in cases("codewhale/append")
        if case.values[0]["initial"]
        and not case.values[0]["initial"].endswith("\n")
        and "error" not in case.values[0]["expected"]
    ]
    assert glued
    assert len(glued) < len(cases("codewhale/append")) / 2


@pytest.mark.parametrize("case", cases("codewhale/quick_add"))
def test_what_the_composer_takes_is_taken(case: dict[str, Any]) -> None:
    entry = case["input"]
    if case["expected"]:
        assert check_entry(entry, literal=False) == entry
    elif entry.lstrip().startswith("#"):
        with pytest.raises(InvalidInput):
            check_entry(entry, literal=False)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("a\nb", "several lines"),
        ("# a\n", "several lines"),
        ("## a", "begins with ##"),
        (" \u3000## a", "begins with ##"),
        ("#!/bin/sh", "begins with #!"),
        (" # ", "nothing stands behind the #"),
    ],
)
def test_what_the_composer_would_not_take_is_refused_unless_it_is_meant(entry: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why) as caught:
        check_entry(entry, literal=False)
    assert caught.value.hint == "--literal writes it all the same"
    assert check_entry(entry, literal=True) == entry


@pytest.mark.parametrize("literal", [False, True])
def test_an_empty_entry_and_one_that_is_not_utf8_are_refused_always(literal: bool) -> None:
    for entry in ("", "##", " \n", "a\udcff"):
        with pytest.raises(InvalidInput):
            check_entry(entry, literal=literal)


def test_several_notes_are_appended_in_their_order_and_a_dry_run_writes_none(make: Make) -> None:
    store = make(None)
    assert remember(store, ["# a", "b"], NOW, NO_WAIT, dry_run=True) == ["a", "b"]
    assert there(store) == {}
    assert remember(store, ["# a", "b"], NOW, NO_WAIT, dry_run=False) == ["a", "b"]
    assert there(store) == {"memory.md": b"- (2026-11-30 12:00 UTC) a\n- (2026-11-30 12:00 UTC) b\n"}


def test_if_one_of_several_is_empty_none_is_written(make: Make) -> None:
    store = make()
    with pytest.raises(InvalidInput):
        remember(store, ["a", "#"], NOW, NO_WAIT, dry_run=False)
    assert there(store) == {"memory.md": FILE}


# Cleared


def test_a_cleared_file_has_no_bytes_and_is_still_there(make: Make) -> None:
    store = make()
    plan = plan_clear(store)
    assert ([gone.reasons for gone in plan.gone], plan.kept) == ([("cleared",)] * 4, 0)
    apply_clear(plan, NO_WAIT)
    assert there(store) == {"memory.md": b""}


def test_a_file_that_changed_since_it_was_read_is_not_cleared(make: Make) -> None:
    store = make()
    plan = plan_clear(store)
    remember(store, ["new"], NOW, NO_WAIT, dry_run=False)
    with pytest.raises(Busy):
        apply_clear(plan, NO_WAIT)
    assert len(store.read().notes) == 5
