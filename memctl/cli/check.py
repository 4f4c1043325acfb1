"""The command `check`."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from memctl.cli.aims import Requests, find_aims, say_errors
from memctl.cli.context import Run
from memctl.cli.fixing import Diff, Fix, UnsafeFixes, fixing_of, mend, require_named, shown
from memctl.cli.fleet import each_store
from memctl.cli.options import All, DryRun, Jobs, NoHistory, NoLock, Nul, Shard, Wait, command
from memctl.cli.reports import FileReport, Target, report, targets_of
from memctl.cli.since import (
    Against,
    Baseline,
    MaxRemoved,
    Since,
    WriteBaseline,
    bound_of,
    compare_with,
    known_findings,
)
from memctl.cli.surroundings import parse_shard
from memctl.cli.words import plural
from memctl.core.checks.allows import Allow
from memctl.core.checks.engine import ACROSS
from memctl.core.checks.rule import SEVERITIES, Severity
from memctl.disk.checkable import Aim
from memctl.errors import ExitCode, MemctlError, UsageError
from memctl.ops.check import CheckedPlace, Totals, check_place, compared, digest_place
from memctl.ops.check_request import NEVER, Asked, CheckRequest
from memctl.output.paths import relative

if TYPE_CHECKING:  # Typer reads the annotations of the command itself
    from memctl.core.checks.hygiene.repeats import Digest
    from memctl.ops.fix import Fixed


@command
def check(
    run: Run,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH|AGENT]...", help="Directories, files, agents, @user.", show_default=False),
    ] = None,
    every: All = False,
    nul: Nul = False,
    # Which rules
    select: Annotated[
        list[str] | None,
        typer.Option("--select", metavar="RULES", help="Only these rules: N, F0, L004, a slug, ALL. Repeatable."),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option("--ignore", metavar="RULES", help="Not these rules. Repeatable.")
    ] = None,
    list_rules: Annotated[bool, typer.Option("--list-rules", help="Show the rules, and which are on.")] = False,
    # What is shown, and what fails
    severity: Annotated[
        str | None, typer.Option("--severity", metavar="LEVEL", help="Show only from error, warning or info on.")
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar="LEVEL", help="Exit with 1 from error, warning or info on, or never."),
    ] = None,
    exit_zero: Annotated[bool, typer.Option("--exit-zero", help="Exit with 0 whatever is found.")] = False,
    allow_empty: Annotated[bool, typer.Option("--allow-empty", help="Nothing to check is no error.")] = False,
    output: Annotated[
        list[str] | None,
        typer.Option("--output", "-o", metavar="FORMAT=FILE", help="Write a format into a file as well. Repeatable."),
    ] = None,
    # What is new
    baseline: Baseline = None,
    write_baseline: WriteBaseline = False,
    against: Against = None,
    max_removed: MaxRemoved = None,
    # What is mended
    fix: Fix = False,
    unsafe_fixes: UnsafeFixes = False,
    diff: Diff = False,
    dry_run: DryRun = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
    jobs: Jobs = None,
    shard: Shard = None,
) -> int:
    """Find what is wrong with memories: the linter for CI.

    Takes data folders, directories, single files, agents and @user; without a word all agents, their registries and the
    user memory. Exits with 1 where it finds an error.
    """
    asked = Asked(select, ignore or (), _level(severity), _fail_on(fail_on, exit_zero=exit_zero), run.options.verbose)
    targets = targets_of(run, output or ())
    if list_rules:
        return _list_rules(run, asked)
    if _fails(asked, exit_zero=exit_zero):
        run.terminal.unsilence()  # what is found is no success then
    fixing = fixing_of(
        fix=fix,
        unsafe=unsafe_fixes,
        diff=diff,
        dry_run=dry_run,
        locking=partial(run.locking, wait, no_lock=no_lock, no_history=no_history),
        against=against,
    )
    if fixing and not fixing.shows:
        require_named(words or (), every=every)
    requests = Requests(run, asked)
    first, step = parse_shard(shard)
    known = known_findings(run, baseline, write=write_baseline, against=against)
    bound = bound_of(max_removed, against)
    aims = find_aims(run, words or (), every=every, nul=nul)
    comparison = compare_with(run, against, bound, aims)
    try:
        say_errors(run, aims, allow_empty=allow_empty)
    except MemctlError:
        run.say(summary(Totals()))  # that nothing was checked is said in each case
        raise
    if known or comparison:
        requests = Requests(run, asked._replace(baseline=known and known.findings, against=comparison))
    work = [(aim, requests.of(aim)) for aim in aims.found[first::step]]
    fixed = mend(run, work, fixing) if fixing else []
    if fixing and fixing.shows:
        return shown(run, fixed, fixing)
    if len(work) > 1 and any(request.settings.enabled & ACROSS for _, request in work):
        work = compared(work, list(each_store(run, work, _digest, jobs)))
    totals = _checked(run, work, targets, Since(run, known, comparison), jobs, requests.general.fail_on, fixed)
    run.say(summary(totals, len(fixed)))
    return run.code(ExitCode.NO if totals.failing and not exit_zero else ExitCode.OK)


def _checked(
    run: Run,
    work: Sequence[tuple[Aim, CheckRequest]],
    targets: Sequence[Target],
    since: Since,
    jobs: int | None,
    fail_on: Severity | None,
    fixed: "Sequence[Fixed]",
) -> Totals:
    """Check each place, write what is found as it comes, and return what it came to."""
    totals = Totals()
    used: set[str] = set()
    unused: list[tuple[str, Allow]] = []
    reports = [report(run, fixed), *(FileReport(run, target, fixed) for target in targets)]
    for each in reports:
        each.begin()
    for done in each_store(run, work, _check, jobs):
        totals = totals.plus(done.totals)
        used |= done.used
        unused += done.unused
        run.fail_each(done.errors)
        since.each(done)
        for each in reports:
            each.each(done.findings)
    for done in since.too_many(totals):
        totals = totals.plus(done.totals)
        for each in reports:
            each.each(done.findings)
    since.end(totals)
    for each in reversed(reports):  # JSON on stdout has the errors of the files too
        each.end(totals, fail_on)
    for path, allow in unused:
        place = f"{relative(path, run.env.cwd)}:{allow.line}:{allow.column}"
        run.say(f"{place}: nothing has the fingerprint '{allow.fingerprint}' any more")
    if run.options.verbose:
        for word in sorted({word for _, request in work for word in request.allow} - used):
            run.say(f"nothing has the fingerprint '{word}' of the settings any more")
    return totals


def _digest(work: tuple[Aim, CheckRequest]) -> "Digest | None":
    return digest_place(*work)


def _check(work: tuple[Aim, CheckRequest]) -> CheckedPlace:
    return check_place(*work)


def _fails(asked: Asked, *, exit_zero: bool) -> bool:
    """Return whether anything can make the run fail."""
    return not exit_zero and asked.fail_on != NEVER


def _level(word: str | None) -> Severity | None:
    """Return the severity that an option names. Raises UsageError."""
    if word is None:
        return None
    if word not in SEVERITIES:
        raise _no_level(word, SEVERITIES)
    return Severity(word)


def _fail_on(word: str | None, *, exit_zero: bool) -> str | None:
    if exit_zero and word is not None and word != NEVER:
        raise UsageError("give --fail-on or --exit-zero, not both")
    if word is not None and word not in (*SEVERITIES, NEVER):
        raise _no_level(word, (*SEVERITIES, NEVER))
    return word


def _no_level(word: str, known: Sequence[str]) -> UsageError:
    from memctl.core.nearest import nearest

    near = nearest(word, known)
    levels = f"levels are {', '.join(known)}"
    return UsageError(f"'{word}' is no level", hint=f"did you mean '{near}'? {levels}" if near else levels)


def _list_rules(run: Run, asked: Asked) -> int:
    on = Requests(run, asked).general.settings.enabled
    if run.json:
        from memctl.output import json_check

        run.emit_json(json_check.rules(on))
    elif run.form == "jsonl":
        from memctl.output import json, json_check

        run.write("".join(json.dumps(rule) + "\n" for rule in json_check.rules(on)["rules"]))
    elif run.form != "text":
        raise UsageError("rules are listed as text, json or jsonl", hint="the SARIF log of a run has them too")
    else:
        from memctl.output.findings import rules

        text = rules(on, color=run.terminal.draws and run.terminal.color, table=run.terminal.draws)
        if run.terminal.draws:
            run.terminal.show(text)
        else:
            run.terminal.write(text)
    return run.code()


def summary(totals: Totals, fixed: int = 0) -> str:
    """Return the one line on what a run came to."""
    parts = [
        f"{plural(totals.memories, 'memory', 'memories')} in {plural(totals.stores, 'store')} checked",
        plural(totals.errors, "error"),
        plural(totals.warnings, "warning"),
        f"{totals.fixable:,} fixable",
    ]
    more = (
        (fixed, f"{fixed:,} fixed"),
        (totals.infos, plural(totals.infos, "info")),
        (totals.allowed, f"{totals.allowed:,} allowed"),
        (totals.known, f"{totals.known:,} in the baseline"),
        (totals.hidden, f"{totals.hidden:,} not shown"),
    )
    return ", ".join(parts + [text for count, text in more if count])
