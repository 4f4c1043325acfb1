"""The commands `undo` and `redo`."""

import os
from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import DryRun, NoLock, Wait, Yes, command
from memctl.cli.surroundings import take_origin, take_places
from memctl.cli.words import plural
from memctl.disk.history import History
from memctl.disk.history_tables import Change
from memctl.disk.locate import find_roots
from memctl.disk.locking import Locking
from memctl.errors import ExitCode, MemctlError, NotFound
from memctl.ops.undo import (
    UndoPlan,
    apply_undo,
    choose_redo,
    choose_undo,
    original_of,
    plan_undo,
    require_stopped_hq,
    seen_elsewhere,
)
from memctl.output import diffs
from memctl.output.escape import field

Force = Annotated[
    bool, typer.Option("--force", help="Overwrite files that changed since; what they hold now is kept too.")
]


@command
def undo(
    run: Run,
    number: Annotated[
        int | None, typer.Argument(metavar="[ID]", help="A change of the history.", show_default=False)
    ] = None,
    force: Force = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    wait: Wait = None,
    no_lock: NoLock = False,
) -> int:
    """Take back what memctl changed.

    Without ID the newest change of yours in this login session; again, and it is the one before. Bytes, mode and owner
    come back, and only where the files still are as memctl left them: else nothing is done (75).
    """
    seconds = float(run.settings.value("wait") if wait is None else wait)
    with _history(run, seconds) as history:
        try:
            change = choose_undo(history, take_origin(run.env), number)
        except NotFound as error:
            raise _with_others(run, error) if number is None else error from None
        # What takes an undo back is a redo.
        kind = "redo" if change.kind == "undo" else "undo"
        original = original_of(history, change)
        return _take_back(run, history, change, kind, original, seconds, force, dry_run, yes, no_lock)


@command
def redo(
    run: Run,
    force: Force = False,
    dry_run: DryRun = False,
    yes: Yes = False,
    wait: Wait = None,
    no_lock: NoLock = False,
) -> int:
    """Do again what the last undo took back."""
    seconds = float(run.settings.value("wait") if wait is None else wait)
    with _history(run, seconds) as history:
        undone, original = choose_redo(history, take_origin(run.env))
        return _take_back(run, history, undone, "redo", original, seconds, force, dry_run, yes, no_lock)


def _history(run: Run, wait: float) -> History:
    found = run.history(wait, create=False)
    if found is None:
        error = NotFound("there is no history, so there is nothing to undo", hint="memctl help safety")
        raise _with_others(run, error)
    return found


def _with_others(run: Run, error: NotFound) -> NotFound:
    """Return the error with what the histories of other users say of the stores: root's cron job may have changed them."""
    try:
        roots, _ = find_roots(run.settings.value("roots"), run.env)
    except MemctlError:
        roots = []
    memories = [root.folder.memory for root in roots]
    owners = [os.stat(path).st_uid for path in memories if os.path.exists(path)]
    sentences = seen_elsewhere(take_places(run.env, owners), [f"{path}/" for path in memories])
    return NotFound(error.message, hint="; ".join([error.hint or "", *sentences]))


def _take_back(
    run: Run,
    history: History,
    change: Change,
    kind: str,
    original: Change,
    wait: float,
    force: bool,
    dry_run: bool,
    yes: bool,
    no_lock: bool,
) -> int:
    plan = plan_undo(change)
    target = change.id if change.target is None else change.target
    run.say(f"{kind} of change {target}: {original.command}")
    if run.options.verbose:
        for line in diffs.undo_diff(plan).splitlines():
            run.terminal.say(line)
    if force and plan.blocked and not dry_run:
        question = f"Overwrite {plural(len(plan.blocked), 'file')} that changed since?"
        if not run.terminal.confirm(question, yes=yes):
            run.say("nothing was taken back")
            return run.code(ExitCode.NO)
    if dry_run:
        run.fail_each(plan.errors)
        _emit(run, plan, [restore.file.path for restore in plan.restores if restore.state != "same"], dry_run=True)
        run.say(f"dry run: nothing was taken back; {plural(len(plan.restores), 'file')} would be looked at")
        return run.code(ExitCode.BUSY if plan.blocked and not force else ExitCode.OK)
    require_stopped_hq(plan, run.env, run.hq_address)
    run.changes()
    run.undoable = False
    run.recorder = run.new_recorder(wait, kind=kind, target=target)
    done = apply_undo(plan, Locking(wait, not no_lock, run.say, run.recorder), force=force)
    run.fail_each(done.errors)
    if not done.errors and run.recorder.change is None:
        run.recorder.intend([])  # no file changed, but it is taken back, and the next undo takes the one before
    made = run.finished_change()
    if not done.errors:
        history.mark_undone(change.id, made)
        if target != change.id:
            history.mark_undone(target, made if kind == "undo" else None)
    _emit(run, plan, [restore.file.path for restore in done.files], dry_run=False)
    if done.files or not done.errors:
        word = "took back" if kind == "undo" else "did again"
        run.say(f"{word} change {target}: {plural(len(done.files), 'file')}")
    return run.code()


def _emit(run: Run, plan: UndoPlan, paths: list[str], *, dry_run: bool) -> None:
    if run.json:
        from memctl.output import json_history

        run.emit_json(json_history.undone(plan, paths, dry_run=dry_run))
    else:
        run.write("".join(f"{field(path)}\n" for path in paths))
