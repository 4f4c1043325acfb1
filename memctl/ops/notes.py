"""The verbs of the user memory that change its notes: take some out, change one, clear it, add to it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memctl.core.dialects import notes
from memctl.core.dialects.notes import Note
from memctl.core.policy import Policy, select_notes
from memctl.disk.locking import Locking
from memctl.disk.new_file import NotDurable
from memctl.disk.user_store import FileStore, NoteSnapshot
from memctl.errors import InvalidInput, MemctlError, NotFound
from memctl.ops.results import GoneNote, RemovedNotes


class NotesPlan(NamedTuple):
    """The notes that go, and the file as it was read; the file itself never goes (`closes`)."""

    store: FileStore
    old: bytes
    gone: tuple[GoneNote, ...]
    kept: int
    closes: bool = False


def plan_drop(store: FileStore, numbers: Sequence[int], *, missing_ok: bool) -> tuple[NotesPlan, list[MemctlError]]:
    """Return the plan that takes out these notes, and the errors of numbers that are none."""
    snapshot = store.read()
    errors: list[MemctlError] = []
    gone: dict[int, GoneNote] = {}
    for number in numbers:
        try:
            note = notes.note_at(snapshot.notes, number)
        except NotFound as error:
            if not missing_ok:
                errors.append(error)
            continue
        gone[number] = GoneNote(store, note, ("asked for",))
    return _plan(store, snapshot, tuple(gone.values())), errors


def plan_prune_notes(store: FileStore, policy: Policy) -> NotesPlan:
    """Return the plan that takes out what a policy says; a note without a stamp is never old."""
    snapshot = store.read()
    gone = [GoneNote(store, snapshot.notes[at], reasons) for at, reasons in select_notes(snapshot.notes, policy)]
    return _plan(store, snapshot, tuple(gone))


def _plan(store: FileStore, snapshot: NoteSnapshot, gone: tuple[GoneNote, ...]) -> NotesPlan:
    return NotesPlan(store, snapshot.data or b"", gone, len(snapshot.notes) - len(gone))


def apply_drop(plan: NotesPlan, locking: Locking) -> RemovedNotes:
    """Take the notes out. Never raises: what failed is in `errors`, and then nothing went."""
    new = notes.drop(plan.old, [gone.note for gone in plan.gone])
    try:
        plan.store.write(plan.old, new, locking)
    except NotDurable as error:
        return RemovedNotes(plan.store, plan.gone, plan.kept, (error,))
    except MemctlError as error:
        return RemovedNotes(plan.store, (), plan.kept + len(plan.gone), (error,))
    return RemovedNotes(plan.store, plan.gone, plan.kept)


class NoteEdit(NamedTuple):
    """One note, or the whole file (`note` is None), as it was read, and its text for an editor."""

    store: FileStore
    old: bytes | None
    note: Note | None
    buffer: bytes


def plan_note_edit(store: FileStore, number: int | None) -> NoteEdit:
    """Return what is to edit. Raises NotFound where there is no such note."""
    snapshot = store.read()
    if number is None:
        return NoteEdit(store, snapshot.data, None, snapshot.data or b"")
    note = notes.note_at(snapshot.notes, number)
    return NoteEdit(store, snapshot.data, note, note.text.encode() + b"\n")


def edited_file(plan: NoteEdit, text: bytes) -> bytes:
    """Return the whole file with the new text in it. Raises InvalidInput where it is not UTF-8, or no longer one note."""
    try:
        decoded = text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"the text is not UTF-8 (byte {error.start}), and one such byte keeps CodeWhale from loading the file"
        ) from None
    if plan.note is None:
        return text
    if decoded.rstrip("\n") == plan.note.text:
        return plan.old or b""
    return notes.replace(plan.old or b"", plan.note, decoded)


def apply_note_edit(plan: NoteEdit, text: bytes, locking: Locking, *, dry_run: bool) -> bool:
    """Write an edit; return whether anything changed. Raises Busy, InvalidInput, Protected, IoFailure."""
    new = edited_file(plan, text)
    if new == (plan.old or b""):
        return False
    if not dry_run:
        plan.store.write(plan.old, new, locking)
    return True


def check_entry(entry: str, *, literal: bool) -> str:
    """Return the entry if CodeWhale's composer would take it, with `literal` whatever the program's tool takes.

    Raises InvalidInput with the reason.
    """
    try:
        entry.encode("utf-8")
    except UnicodeEncodeError:
        raise InvalidInput("the note is not UTF-8, and one such byte keeps CodeWhale from loading the file") from None
    notes.clean_entry(entry)
    text = entry.lstrip(notes.WHITESPACE)
    # The composer wants a # in front, which a person may leave out here.
    if literal or notes.is_quick_add(entry if text.startswith("#") else f"# {entry}"):
        return entry
    if "\n" in entry:
        why = "the note has several lines, which CodeWhale's composer does not take"
    elif text.startswith("##"):
        why = "the note begins with ##: CodeWhale takes that for a heading, not for a note"
    elif text.startswith("#!"):
        why = "the note begins with #!: CodeWhale takes that for a script, not for a note"
    else:
        why = "nothing stands behind the # of the note, and CodeWhale's composer does not take that"
    raise InvalidInput(why, hint="--literal writes it all the same")


def remember(store: FileStore, entries: Sequence[str], now: datetime, locking: Locking, *, dry_run: bool) -> list[str]:
    """Append notes as CodeWhale does, each in one write, and return their texts. Raises MemctlError.

    All entries were checked; the first that cannot be written ends it.
    """
    lines = [notes.bullet(entry, now) for entry in entries]
    for line in lines:
        if not dry_run:
            store.append(line, locking)
    return [notes.clean_entry(entry) for entry in entries]


def plan_clear(store: FileStore) -> NotesPlan:
    """Return the plan that empties the file."""
    snapshot = store.read()
    return _plan(store, snapshot, tuple(GoneNote(store, note, ("cleared",)) for note in snapshot.notes))


def apply_clear(plan: NotesPlan, locking: Locking) -> None:
    """Leave an empty file, as CodeWhale's own clear does (spec/codewhale.md 1.6). Raises Busy, Protected, IoFailure."""
    plan.store.write(plan.old, b"", locking)
