"""The fixes of `check`: what the options say, and how what was mended is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from memctl.cli.context import Run
from memctl.cli.words import plural
from memctl.core.checks.table import BY_CODE
from memctl.disk.checkable import Aim
from memctl.disk.locking import Locking
from memctl.disk.stores import DataFolder
from memctl.errors import ConfigError, ExitCode, MemctlError, UsageError
from memctl.ops.check import look
from memctl.ops.check_request import CheckRequest
from memctl.output.paths import relative

if TYPE_CHECKING:
    from memctl.ops.fix import Fixed

_PANEL = "Fixes"

Fix = Annotated[
    bool, typer.Option("--fix", help="Mend what can be mended without changing a word.", rich_help_panel=_PANEL)
]
UnsafeFixes = Annotated[
    bool,
    typer.Option("--unsafe-fixes", help="Rename, take stray files out and redact as well.", rich_help_panel=_PANEL),
]
Diff = Annotated[
    bool, typer.Option("--diff", help="Show what would be mended, exit 1 if anything.", rich_help_panel=_PANEL)
]


class Fixing(NamedTuple):
    """What the options on fixes say: which are done, and whether they are only shown, as a diff or in lines."""

    unsafe: bool
    diff: bool
    dry_run: bool
    locking: Locking

    @property
    def shows(self) -> bool:
        """Whether nothing is written."""
        return self.diff or self.dry_run


def fixing_of(
    *, fix: bool, unsafe: bool, diff: bool, dry_run: bool, locking: Callable[[], Locking], against: str | None
) -> Fixing | None:
    """Return what the options on fixes say, None where they want none. Raises UsageError."""
    if not (fix or unsafe or diff or dry_run):
        return None
    if against is not None:
        raise UsageError("--against compares and mends nothing", hint="leave out --against, or the fixes")
    shows = diff or dry_run
    return Fixing(unsafe, diff, dry_run, Locking() if shows else locking())


def require_named(words: Sequence[str], *, every: bool) -> None:
    """Raise UsageError where nobody said what is to be mended: that changes the files of several agents."""
    if not words and not every:
        raise UsageError("--fix wants the agents' names, directories or --all", hint="memctl check --all --fix")


def mend(run: Run, work: Sequence[tuple[Aim, CheckRequest]], fixing: Fixing) -> list[Fixed]:
    """Mend each place, or show what would be, and return what was mended; what failed is said, and kept for the end."""
    from memctl.ops.fix import FixRequest, fix_store

    fixed: list[Fixed] = []
    redacted: set[bytes] = set()
    request = FixRequest(fixing.unsafe, not fixing.shows, fixing.locking)
    if not fixing.shows:
        run.changes()
    for aim, by in work:
        if isinstance(aim.place, DataFolder) or aim.gone:
            continue
        done = fix_store(aim.place, partial(look, aim, by), request)
        for error in done.errors:
            if isinstance(error, ConfigError):  # no place for the history: so it would be with each of them
                raise error
        run.fail_each(done.errors)
        fixed += done.fixed
        redacted |= done.redacted
        if run.form == "text":
            if fixing.diff:
                run.write(done.diff + "\n" if done.diff else "")
            else:
                run.write("".join(_line(one, run) for one in done.fixed))
    if redacted:
        _warn_of_history(run, redacted)
    return fixed


def _line(one: Fixed, run: Run) -> str:
    to = f" to {relative(one.to, run.env.cwd)}" if one.to else ""
    return f"{relative(one.path, run.env.cwd)}: {one.rule} {BY_CODE[one.rule].slug}: {one.kind}{to}\n"


def _warn_of_history(run: Run, redacted: set[bytes]) -> None:
    """Say which changes of the history still hold what was taken out."""
    try:
        history = run.history(float(run.settings.value("wait")), create=False)
        if history is None:
            return
        with history:
            changes = history.holding(redacted)
    except MemctlError as error:
        run.fail(error)
        return
    if changes:
        which = ", ".join(map(str, changes))
        run.terminal.say(f"memctl: warning: the history still holds what was redacted, in change {which}")
        for change in changes:
            run.terminal.say(f"memctl: hint: memctl history --forget {change}")


def shown(run: Run, fixed: Sequence[Fixed], fixing: Fixing) -> int:
    """End a run that only shows what would be mended, and return its exit code."""
    if run.json:
        from memctl.output import json_check

        run.emit_json(json_check.to_fix(fixed))
    run.say(f"dry run: nothing was written; {plural(len(fixed), 'finding')} would be fixed")
    return run.code(ExitCode.NO if fixing.diff and fixed else ExitCode.OK)
