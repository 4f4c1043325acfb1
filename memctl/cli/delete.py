"""The command `delete`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Addresses, DryRun, NoHistory, NoLock, Nul, Wait, Yes, command
from memctl.cli.removals import carry_out
from memctl.ops.delete import plan_delete


@command
def delete(
    run: Run,
    addresses: Addresses,
    dry_run: DryRun = False,
    yes: Yes = False,
    missing_ok: Annotated[bool, typer.Option("--missing-ok", help="A memory that is not there is no error.")] = False,
    nul: Nul = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
) -> int:
    """Delete memories.

    Asks on a terminal and needs --yes elsewhere. Files that the HQ does not load can be deleted too, and so can the
    memories of an agent whose automatic memory is off. The index is rendered afterwards.
    """
    locking = run.locking(wait, no_lock=no_lock, no_history=no_history)
    targets = run.targets(addresses, nul=nul, memory=True, changing=True, missing_ok=missing_ok)
    plans, errors = plan_delete(targets, missing_ok=missing_ok)
    run.fail_each(errors)
    return carry_out(run, plans, locking, done="deleted", reasons=False, dry_run=dry_run, yes=yes)
