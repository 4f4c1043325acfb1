"""What `delete` and `prune` share: show what goes, ask, remove, say what went."""

from collections.abc import Sequence

from memctl.cli.context import Run
from memctl.cli.words import plural
from memctl.disk.locking import Locking
from memctl.errors import ExitCode
from memctl.ops.delete import RemovalPlan, apply_removals, planned
from memctl.ops.notes import NotesPlan
from memctl.ops.results import Removed, RemovedNotes
from memctl.output import plain

# More lines than this before a question, and nobody reads them.
_MOST = 20


def carry_out(
    run: Run,
    plans: Sequence[RemovalPlan | NotesPlan],
    locking: Locking,
    *,
    done: str,
    reasons: bool,
    dry_run: bool,
    yes: bool,
) -> int:
    """Carry out the plans after asking, and return the exit code.

    `done` is the word for it, `deleted`; `reasons` says why each goes. A dry run prints the same lines. Where the
    person declines nothing is removed, and the answer is no (1).
    """
    count = sum(len(plan.gone) for plan in plans)
    closing = sum(plan.closes for plan in plans)
    asked = False
    if (count or closing) and not dry_run:
        asked = not yes and run.terminal.asks
        if asked:
            _preview(run, plans, reasons=reasons)
        if not run.terminal.confirm(f"Remove {_counted(count, closing, plans)}?", yes=yes):
            run.say(f"nothing was {done}")
            if run.json:
                from memctl.output import json_memories

                run.emit_json(json_memories.removed([], dry_run=dry_run))
            return run.code(ExitCode.NO)
        run.changes()
    # What the person has just seen is not printed to the same screen again.
    prints = not run.json and not (asked and run.terminal.draws)
    results: list[Removed | RemovedNotes] = []
    for plan in plans:
        idle = not (plan.gone or plan.closes)
        result = planned(plan) if dry_run or idle else apply_removals(plan, locking)
        results.append(result)
        run.fail_each(result.errors)
        if prints:
            run.write(plain.removed(result, reasons=reasons))
    if run.json:
        from memctl.output import json_memories

        run.emit_json(json_memories.removed(results, dry_run=dry_run))
    gone = sum(len(result.gone) for result in results)
    kept = sum(result.kept for result in results)
    closed = sum(result.closed for result in results)
    if dry_run:
        also = f", and {plural(closed, 'directory', 'directories')} with them" if closed else ""
        run.say(f"dry run: nothing was {done}; {gone:,} would be{also}")
    else:
        run.say(f"{done} {_counted(gone, closed, plans)}, kept {kept:,}" if gone or closed else f"nothing was {done}")
    for plan in plans:
        if isinstance(plan, NotesPlan):
            run.warn_not_loaded(plan.store)
    return run.code()


def _counted(count: int, closed: int, plans: Sequence[RemovalPlan | NotesPlan]) -> str:
    units = {plan.store.traits for plan in plans if plan.gone}
    one, many = "memory or note", "memories and notes"
    if len(units) == 1:
        ((one, many),) = units
    directories = plural(closed, "directory", "directories")
    if not closed:
        return plural(count, one, many)
    return f"{plural(count, one, many)} and {directories}" if count else directories


def _preview(run: Run, plans: Sequence[RemovalPlan | NotesPlan], *, reasons: bool) -> None:
    """Say on stderr what would go: the answer of the person is about that."""
    gone = [file for plan in plans for file in plan.gone]
    for file in gone[:_MOST]:
        why = f" ({'; '.join(file.reasons)})" if reasons else ""
        run.terminal.say(f"  {file.address}  {file.about}{why}")
    if len(gone) > _MOST:
        run.terminal.say(f"  … and {len(gone) - _MOST:,} more; -n shows them all")
