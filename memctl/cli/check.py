"""The command `check`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.fleet import each_store
from memctl.cli.options import All, Jobs, Shard, command
from memctl.cli.reports import report
from memctl.cli.words import plural
from memctl.core.checks.selection import Layer, enabled
from memctl.core.checks.subject import CheckSettings
from memctl.errors import ExitCode
from memctl.ops.check import CheckRequest, Job, Totals, check_job


@command
def check(
    run: Run,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH|AGENT]...", help="Directories, files, agents, @user.", show_default=False),
    ] = None,
    every: All = False,
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="RULES", help="Only these rules: N, F0, L004, a slug, ALL. Repeatable."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULES", help="Not these rules. Repeatable.")
    ] = None,
    jobs: Jobs = None,
    shard: Shard = None,
) -> int:
    """Find what is wrong with memories: the linter for CI.

    Takes data folders, directories, single files, agents and @user; without a word all agents, their registries and the
    user memory. Exits with 1 where it finds an error.
    """
    run.terminal.unsilence()  # what is found is no success
    layers = [Layer(select, ignore or ())]
    request = CheckRequest(CheckSettings(run.now.date(), enabled(layers)))
    stores = run.stores(words or (), every=every, changing=False, shard=shard)
    work = [Job(store) for store in stores]
    totals = Totals()
    reports = [report(run)]
    for each in reports:
        each.begin()
    for done in each_store(run, work, lambda job: check_job(job, request), jobs):
        totals = totals.plus(done.totals)
        run.fail_each(done.errors)
        for each in reports:
            each.each(done.findings)
    for each in reports:
        each.end(totals)
    run.say(summary(totals))
    return run.code(ExitCode.NO if totals.failing else ExitCode.OK)


def summary(totals: Totals) -> str:
    """Return the one line on what a run came to."""
    parts = [
        f"{plural(totals.memories, 'memory', 'memories')} in {plural(totals.stores, 'store')} checked",
        plural(totals.errors, "error"),
        plural(totals.warnings, "warning"),
        f"{totals.fixable:,} fixable",
    ]
    return ", ".join(parts)
