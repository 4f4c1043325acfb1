"""The verb `prune`: memories removed by a policy, with the reason for each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from memctl.core.policy import MaxRemoved, Policy, select
from memctl.disk.aside import aside_of, is_temp_name
from memctl.disk.change import removal
from memctl.disk.locate import Store
from memctl.disk.stores import GENERATED, DataFolder, DirectoryStore
from memctl.errors import MemctlError, NotFound, Protected, UsageError
from memctl.ops.delete import RemovalPlan
from memctl.ops.notes import NotesPlan, plan_prune_notes
from memctl.ops.results import Gone


def plan_prune(store: Store, policy: Policy) -> tuple[RemovalPlan | NotesPlan, list[MemctlError]]:
    """Return what the policy removes from one store, and which of its files could not be read.

    Nothing is removed. Raises IoFailure where the store cannot be read, UsageError for a filter that it has not.
    """
    if not isinstance(store, DirectoryStore):
        filters = policy.filters
        if filters.types or filters.sources or filters.names:
            raise UsageError(
                "notes of the user memory have no type, source or name", hint="--matching TEXT narrows them"
            )
        if policy.orphans:
            raise UsageError("the user memory is of no agent", hint="--orphans is about agents' directories")
        return plan_prune_notes(store, policy), []
    if policy.orphans and store.registered is None:
        raise _unknown_agents(store.folder)
    snapshot = store.read()
    orphaned = store.registered is False
    removals = select([entry.memory for entry in snapshot.entries], policy, orphaned=orphaned)
    going = [(snapshot.entries[at], reasons) for at, reasons in removals]
    edits = tuple(removal(store, entry) for entry, _ in going)
    gone = tuple(Gone(store, entry.file, reasons, entry.memory) for entry, reasons in going)
    left = set(snapshot.names).difference(GENERATED, (file.file for file in gone))
    # What a killed run left is swept.
    empties = all(is_temp_name(name) or aside_of(name) for name in left)
    closes = policy.orphans and orphaned and store.exists() and empties
    return RemovalPlan(store, edits, gone, len(snapshot.entries) - len(gone), closes), snapshot.errors


@cache
def _unknown_agents(folder: DataFolder) -> MemctlError:
    """Return why nobody can tell which agents are gone: memctl never guesses that. All agents of a folder share the error."""
    if folder.problem is not None:
        return folder.problem
    message = f"no registry says which agents there are of '{folder.memory}', so none of them is known to be gone"
    hint = "memctl takes a directory for orphaned only where agents.json can be read; delete 'AGENT/*' needs none"
    return NotFound(message, path=folder.memory, hint=hint)


def check_bounds(plans: Sequence[RemovalPlan | NotesPlan], bound: MaxRemoved | None) -> None:
    """Raise Protected where more would go than `--max-removed` allows, per agent or in the whole run."""
    if bound is None:
        return
    removed = total = 0
    for plan in plans:
        here = len(plan.gone) + plan.kept
        if not bound.allows(len(plan.gone), here):
            raise Protected(
                f"{len(plan.gone)} of {here} {plan.store.traits.units} of {_whose(plan)} would go, over --max-removed {bound};"
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


def _whose(plan: RemovalPlan | NotesPlan) -> str:
    return f"agent '{plan.store.name}'" if isinstance(plan, RemovalPlan) else "the user memory"
