"""The command `clear`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import DryRun, NoHistory, NoLock, Wait, Yes, command
from memctl.cli.removals import carry_out
from memctl.cli.words import plural
from memctl.disk.user_store import FileStore
from memctl.errors import ExitCode, UsageError
from memctl.ops.delete import plan_delete
from memctl.ops.notes import apply_clear, plan_clear


@command
def clear(
    run: Run,
    address: Annotated[str, typer.Argument(metavar="AGENT|@user", help="Whose memories go.")],
    dry_run: DryRun = False,
    yes: Yes = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
) -> int:
    """Remove all memories of an agent, or empty the user memory.

    Asks on a terminal and needs --yes elsewhere. @user becomes an empty file, as CodeWhale's own clear leaves it.
    """
    locking = run.locking(wait, no_lock=no_lock, no_history=no_history)
    target = run.target(address, changing=True)
    if target.name is not None:
        raise UsageError(
            f"'{address}' is not all of them; clear takes an agent or @user", hint=f"memctl delete {address}"
        )
    store = target.store
    if not isinstance(store, FileStore):
        plans, errors = plan_delete([target._replace(name="*")], missing_ok=True)
        run.fail_each(errors)
        return carry_out(run, plans, locking, done="removed", reasons=False, dry_run=dry_run, yes=yes)
    plan = plan_clear(store)
    size = len(plan.old)
    what = f"{size:,} bytes with {plural(len(plan.gone), 'note')}"
    if size and not dry_run:
        if not run.terminal.confirm(f"Empty '{store.path}' ({what})?", yes=yes):
            run.say("nothing was removed")
            return run.code(ExitCode.NO)
        run.changes()
        apply_clear(plan, locking)
    if run.json:
        from memctl.output import json_user

        run.emit_json(json_user.cleared(store, size, len(plan.gone), dry_run=dry_run))
    if dry_run:
        run.say(f"dry run: nothing was removed; {what} would be")
    else:
        run.say(f"emptied '{store.path}', which had {what}" if size else "nothing to remove")
    run.warn_not_loaded(store)
    return run.code()
