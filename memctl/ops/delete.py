"""The verb `delete`: files of stores removed by a person's word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memctl.disk.change import change, removal
from memctl.disk.images import Edit
from memctl.disk.locate import Target
from memctl.disk.locking import Locking
from memctl.disk.stores import DirectoryStore, Entry, Snapshot
from memctl.errors import MemctlError, NotFound, UsageError
from memctl.ops.notes import NotesPlan, apply_drop, plan_drop
from memctl.ops.pick import pick
from memctl.ops.results import Gone, Removed, RemovedNotes

if TYPE_CHECKING:
    from memctl.disk.user_store import FileStore


class RemovalPlan(NamedTuple):
    """What goes from one store: the edits, what they mean for a person, and how many loaded memories stay.

    `closes` says that nothing is left then, and that the directory shall go as well.
    """

    store: DirectoryStore
    edits: tuple[Edit, ...]
    gone: tuple[Gone, ...]
    kept: int
    closes: bool = False


def plan_delete(
    targets: Sequence[Target], *, missing_ok: bool = False
) -> tuple[list[RemovalPlan | NotesPlan], list[MemctlError]]:
    """Return what the addresses remove, store by store, and the errors of those that mean nothing.

    A missing one is no error with `missing_ok`. Nothing is removed.
    """
    plans: dict[str, RemovalPlan] = {}
    snapshots: dict[str, Snapshot] = {}
    errors: list[MemctlError] = []
    numbers: list[int] = []
    user: FileStore | None = None
    for target in targets:
        try:
            store = target.store
            if not isinstance(store, DirectoryStore):
                if target.name is None:
                    raise UsageError(
                        f"'{target.word}' is the whole user memory", hint=f"all of it: memctl clear {target.word}"
                    )
                user = store
                numbers.append(int(target.name))
                continue
            if target.name is None:
                raise UsageError(
                    f"'{target.word}' is an agent, not a memory", hint=f"all of them: memctl delete '{target.word}/*'"
                )
            if store.path not in snapshots:
                snapshots[store.path] = store.read()
            snapshot = snapshots[store.path]
            begun = plans.get(store.path) or RemovalPlan(store, (), (), len(snapshot.entries))
            plans[store.path] = _with(begun, snapshot, target.name, errors)
        except NotFound as error:
            if not missing_ok:
                errors.append(error)
        except MemctlError as error:
            errors.append(error)
    found: list[RemovalPlan | NotesPlan] = [plan for plan in plans.values() if plan.edits]
    if user is not None:
        try:
            plan, problems = plan_drop(user, numbers, missing_ok=missing_ok)
        except MemctlError as error:
            errors.append(error)
        else:
            errors += problems
            found += [plan] if plan.gone else []
    return found, errors


def _with(plan: RemovalPlan, snapshot: Snapshot, name: str, errors: list[MemctlError]) -> RemovalPlan:
    edits, gone, kept = list(plan.edits), list(plan.gone), plan.kept
    there = {edit.file for edit in edits}
    for file in pick(plan.store, snapshot, name):
        if file.file in there:
            continue
        try:
            edits.append(removal(plan.store, file))
        except MemctlError as error:  # of a pattern's files the others go
            errors.append(error)
            continue
        memory = file.memory if isinstance(file, Entry) else None
        gone.append(Gone(plan.store, file.file, ("asked for",), memory))
        kept -= memory is not None
    return RemovalPlan(plan.store, tuple(edits), tuple(gone), kept)


def apply_removals(plan: RemovalPlan | NotesPlan, locking: Locking) -> Removed | RemovedNotes:
    """Remove what was planned, and render the index. Never raises: what failed is in `errors`, the rest is done."""
    if isinstance(plan, NotesPlan):
        return apply_drop(plan, locking) if plan.gone else planned(plan)
    store = plan.store
    try:
        outcome = change(store, lambda _: plan.edits, locking, close=plan.closes)
    except MemctlError as error:
        return Removed(store, (), plan.kept + _loaded(plan.gone), (error,))
    done = {edit.file for edit in outcome.done}
    gone = tuple(file for file in plan.gone if file.file in done)
    return Removed(store, gone, plan.kept + _loaded(plan.gone) - _loaded(gone), outcome.errors, outcome.closed)


def _loaded(gone: Sequence[Gone]) -> int:
    return sum(file.memory is not None for file in gone)


def planned(plan: RemovalPlan | NotesPlan) -> Removed | RemovedNotes:
    """Return what carrying the plan out would give: for a dry run."""
    if isinstance(plan, NotesPlan):
        return RemovedNotes(plan.store, plan.gone, plan.kept)
    return Removed(plan.store, plan.gone, plan.kept, closed=plan.closes)
