"""The verb `edit`: a person changes one memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memctl.core.buffer import Changes, read_buffer, with_problems, write_buffer
from memctl.core.memory import Memory
from memctl.core.revising import revise
from memctl.disk.change import change
from memctl.disk.images import Edit
from memctl.disk.locate import Target
from memctl.disk.locking import Locking
from memctl.disk.stores import DirectoryStore, Entry, Snapshot, Unloaded
from memctl.errors import InvalidInput, UsageError
from memctl.ops.notes import NoteEdit, apply_note_edit, edited_file, plan_note_edit
from memctl.ops.pick import pick
from memctl.ops.protection import require_automatic_memory, require_own_file
from memctl.ops.results import Edited, EditedNotes
from memctl.ops.show import place_in_index


class EditPlan(NamedTuple):
    """A memory that somebody edits, as it was read, and in words where it stands in the index."""

    store: DirectoryStore
    entry: Entry
    place: str

    @property
    def buffer(self) -> str:
        """The text for an editor. Made when one is opened: it costs the import of a library."""
        return write_buffer(self.entry.memory, self.place)


Plan = EditPlan | NoteEdit


def plan_edits(target: Target) -> list[Plan]:
    """Return the memories that an address means, ready to edit.

    Raises NotFound, UsageError for an agent, Protected (automatic memory off, a symlink), IoFailure for a file that
    cannot be read, InvalidInput for one that is not loaded.
    """
    store = target.store
    if not isinstance(store, DirectoryStore):
        return [plan_note_edit(store, None if target.name is None else int(target.name))]
    if target.name is None:
        raise UsageError(f"'{target.word}' is an agent, not a memory", hint=f"name the memory: {target.word}/NAME")
    require_automatic_memory(store)
    snapshot = store.read()
    return [_plan(store, snapshot, file) for file in pick(store, snapshot, target.name)]


def _plan(store: DirectoryStore, snapshot: Snapshot, file: Entry | Unloaded) -> EditPlan:
    require_own_file(store, file.file)
    if not isinstance(file, Entry):
        path = f"{store.path}/{file.file}"
        for error in snapshot.errors:
            if error.path == path:  # nobody knows what is in it
                raise error
        raise InvalidInput(f"the HQ does not load '{path}': {file.problem.reason}", path=path, hint="mend it by hand")
    return EditPlan(store, file, describe_place(snapshot, file))


def describe_place(snapshot: Snapshot, entry: Entry) -> str:
    """Return in a few words where the memory stands in the index."""
    place = place_in_index(snapshot, entry)
    total = place.listed + place.omitted
    if place.line is None:
        return f"not in the index, which shows {place.listed} of {total} memories; the agent can recall it"
    return f"entry {place.line} of {place.listed} in the index"


def preview(plan: EditPlan, changes: Changes, now: datetime, *, touch: bool = False) -> tuple[Memory, bytes]:
    """Return what the edit would write. Raises InvalidInput or SeveralErrors with all that is wrong."""
    return revise(plan.entry.data, plan.entry.stem, changes, f"{now:%Y-%m-%d}", touch=touch)


def apply_edit(
    plan: EditPlan, changes: Changes, now: datetime, locking: Locking, *, touch: bool = False, dry_run: bool = False
) -> Edited:
    """Carry out an edit. Raises Busy where the file is no longer what was read, InvalidInput, Protected, IoFailure."""
    memory, data = preview(plan, changes, now, touch=touch)
    store, file = plan.store, plan.entry.file
    if data == plan.entry.data:
        return Edited(store, file, memory, "unchanged")
    if dry_run:
        return Edited(store, file, memory, "updated")
    edit = Edit(file, plan.entry.data, data)
    outcome = change(store, lambda _: [edit], locking)
    if not outcome.done:
        raise outcome.errors[0]
    return Edited(store, file, memory, "updated", outcome.errors)


def text_of(plan: Plan) -> bytes:
    """Return the text that an editor gets."""
    return plan.buffer if isinstance(plan, NoteEdit) else plan.buffer.encode("utf-8", "replace")


def check_text(plan: Plan, text: bytes, now: datetime) -> None:
    """Raise InvalidInput or SeveralErrors with all that is wrong with an edited text."""
    if isinstance(plan, NoteEdit):
        edited_file(plan, text)
    else:
        preview(plan, read_buffer(text.decode("utf-8", "surrogateescape")), now)


def apply_text(plan: Plan, text: bytes, now: datetime, locking: Locking, *, dry_run: bool) -> Edited | EditedNotes:
    """Carry out what an edited text says. Raises as apply_edit()."""
    if isinstance(plan, NoteEdit):
        changed = apply_note_edit(plan, text, locking, dry_run=dry_run)
        return EditedNotes(plan.store, plan.note, "updated" if changed else "unchanged")
    return apply_edit(plan, read_buffer(text.decode("utf-8", "surrogateescape")), now, locking, dry_run=dry_run)


def not_edited(plan: Plan) -> Edited | EditedNotes:
    """Return the result of an edit that changed nothing."""
    if isinstance(plan, NoteEdit):
        return EditedNotes(plan.store, plan.note, "unchanged")
    return Edited(plan.store, plan.entry.file, plan.entry.memory, "unchanged")


def marked_text(plan: Plan, text: bytes, problems: Sequence[str]) -> bytes:
    """Return an edited text with the problems on top, where its form has a place for them."""
    if isinstance(plan, NoteEdit):
        return text
    return with_problems(text.decode("utf-8", "surrogateescape"), problems).encode("utf-8", "surrogateescape")
