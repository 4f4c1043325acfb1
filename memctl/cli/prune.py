"""The command `prune`."""

from collections.abc import Sequence
from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Agents, All, DryRun, Jobs, NoHistory, NoLock, Shard, Sources, Types, Wait, Yes, command
from memctl.cli.removals import carry_out
from memctl.cli.words import filters, plural
from memctl.core.ages import cutoff
from memctl.core.policy import Policy, parse_max_removed
from memctl.errors import MemctlError, UsageError
from memctl.ops.delete import RemovalPlan
from memctl.ops.notes import NotesPlan
from memctl.ops.prune import check_bounds, plan_prune

_REASONS = "Reasons (any of them)"
_FILTERS = "Filters (all of them)"
_KEEPS = "Keeps (win over both)"


@command
def prune(
    run: Run,
    agents: Agents = None,
    every: All = False,
    older_than: Annotated[
        str | None,
        typer.Option(
            "--older-than", metavar="AGE", help="Not updated for AGE: 180d, 6mo, a date.", rich_help_panel=_REASONS
        ),
    ] = None,
    over: Annotated[
        int | None,
        typer.Option("--over", metavar="N", min=0, help="Beyond the newest N of an agent.", rich_help_panel=_REASONS),
    ] = None,
    orphans: Annotated[
        bool,
        typer.Option(
            "--orphans",
            help="Of no agent in the registry any more; the directory goes with its last memory.",
            rich_help_panel=_REASONS,
        ),
    ] = False,
    types: Types = None,
    sources: Sources = None,
    names: Annotated[
        list[str] | None,
        typer.Option(
            "--name", metavar="PATTERN", help="Name fits a shell pattern. Repeatable.", rich_help_panel=_FILTERS
        ),
    ] = None,
    matching: Annotated[
        str,
        typer.Option(
            "--matching",
            metavar="TEXT",
            help="Name, description or content holds TEXT, case ignored.",
            rich_help_panel=_FILTERS,
        ),
    ] = "",
    keep_last: Annotated[
        int,
        typer.Option("--keep-last", metavar="N", min=0, help="The newest N of an agent stay.", rich_help_panel=_KEEPS),
    ] = 0,
    keep_within: Annotated[
        str | None,
        typer.Option("--keep-within", metavar="AGE", help="What was updated within AGE stays.", rich_help_panel=_KEEPS),
    ] = None,
    include_user_authored: Annotated[
        bool,
        typer.Option(
            "--include-user-authored",
            help="Memories that a person wrote or imported may go too.",
            rich_help_panel=_KEEPS,
        ),
    ] = False,
    no_floor: Annotated[
        bool, typer.Option("--no-floor", help="Even the newest memory of an agent may go.", rich_help_panel=_KEEPS)
    ] = False,
    max_removed: Annotated[
        str | None,
        typer.Option(
            "--max-removed", metavar="N", help="Remove nothing at all if more would go: N, or N%, per agent and run."
        ),
    ] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
    jobs: Jobs = None,
    shard: Shard = None,
) -> int:
    """Remove memories by a policy, with the reason for each.

    A memory goes if it has a reason, fits every filter, and nothing keeps it. Memories that a person wrote or
    imported stay, and so does the newest of each agent. See memctl help policies.
    """
    bound = None if max_removed is None else parse_max_removed(max_removed)
    if max_removed is not None and bound is None:
        raise UsageError(f"'{max_removed}' is no bound", hint="--max-removed takes a number, or a percentage: 10%")
    policy = Policy(
        older_than=cutoff(older_than, run.now) if older_than is not None else None,
        older_than_word=older_than or "",
        over=over,
        orphans=orphans,
        filters=filters(run, types, sources, names)._replace(matching=matching),
        keep_last=keep_last,
        keep_within=cutoff(keep_within, run.now) if keep_within is not None else None,
        include_user_authored=include_user_authored,
        no_floor=no_floor,
    )
    if not policy.has_reason:
        raise UsageError("prune wants a reason for what goes", hint=_meant(keep_last, keep_within))
    plans = []
    for store in run.stores(agents or (), every=every, changing=True, shard=shard):
        try:
            plan, errors = plan_prune(store, policy)
        except MemctlError as error:
            run.fail(error)
            continue
        plans.append(plan)
        run.fail_each(errors)
    check_bounds(plans, bound)
    locking = run.locking(wait, no_lock=no_lock, no_history=no_history)
    if orphans:
        _say_what_stays(run, plans, policy)
    return carry_out(run, plans, locking, done="removed", reasons=True, dry_run=dry_run, yes=yes)


def _say_what_stays(run: Run, plans: Sequence[RemovalPlan | NotesPlan], policy: Policy) -> None:
    """Say which directories of no agent stay, since they hold more than what goes."""
    for plan in plans:
        if isinstance(plan, RemovalPlan) and plan.store.registered is False and not plan.closes:
            why = f"it keeps {plural(plan.kept, 'memory', 'memories')}" if plan.kept else "it holds other files"
            if plan.kept and not policy.include_user_authored:
                why += "; --include-user-authored takes what a person wrote as well"
            run.say(f"the directory '{plan.store.path}' stays: {why}")


def _meant(keep_last: int, keep_within: str | None) -> str:
    if keep_last:
        return f"--over {keep_last} removes what is beyond the newest {keep_last}; --keep-last only keeps"
    if keep_within:
        return f"--older-than {keep_within} removes what is older; --keep-within only keeps"
    return "--older-than AGE, --over N or --orphans; see memctl help policies"
