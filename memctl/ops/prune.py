"""The verb `prune`: memories removed by a policy, with the reason for each."""

from __future__ import annotations

from collections.abc import Sequence

from memctl.core.policy import MaxRemoved, Policy, select
from memctl.disk.change import removal
from memctl.disk.stores import DirectoryStore
from memctl.errors import MemctlError, Protected
from memctl.ops.delete import RemovalPlan
from memctl.ops.results import Gone


def plan_prune(store: DirectoryStore, policy: Policy) -> tuple[RemovalPlan, list[MemctlError]]:
    """Return what the policy removes from one store, and which of its files could not be read.

    Nothing is removed. Raises IoFailure where the directory cannot be read.
    """
    snapshot = store.read()
    removals = select([entry.memory for entry in snapshot.entries], policy)
    going = [(snapshot.entries[at], reasons) for at, reasons in removals]
    edits = tuple(removal(store, entry) for entry, _ in going)
    gone = tuple(Gone(store, entry.file, reasons, entry.memory) for entry, reasons in going)
    return RemovalPlan(store, edits, gone, len(snapshot.entries) - len(gone)), snapshot.errors


def check_bounds(plans: Sequence[RemovalPlan], bound: MaxRemoved | None) -> None:
    """Raise Protected where more would go than `--max-removed` allows, per agent or in the whole run."""
    if bound is None:
        return
    removed = total = 0
    for plan in plans:
        here = len(plan.gone) + plan.kept
        if not bound.allows(len(plan.gone), here):
            raise Protected(
                f"{len(plan.gone)} of {here} memories of agent '{plan.store.name}' would go, over --max-removed {bound};"
                " nothing was removed",
                hint="look at them with -n, then raise --max-removed",
            )
        removed += len(plan.gone)
        total += here
    if not bound.allows(removed, total):
        raise Protected(
            f"{removed} of {total} memories would go, over --max-removed {bound}; nothing was removed",
            hint="look at them with -n, then raise --max-removed",
        )
