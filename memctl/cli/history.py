"""The command `history`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Wait, Yes, command
from memctl.cli.words import plural
from memctl.disk.history import History
from memctl.disk.stores import DirectoryStore
from memctl.errors import ExitCode, NotFound, UsageError
from memctl.output import diffs, plain


@command
def history(
    run: Run,
    address: Annotated[
        str | None, typer.Argument(metavar="[AGENT|@user]", help="Changes of this store alone.", show_default=False)
    ] = None,
    show: Annotated[int | None, typer.Option("--show", metavar="ID", help="One change, with diffs.")] = None,
    forget: Annotated[
        int | None, typer.Option("--forget", metavar="ID", help="Remove a change and its images for good.")
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove old changes, by the options below or settings.")
    ] = False,
    days: Annotated[
        float | None, typer.Option("--days", metavar="N", min=0, help="With --prune: older than N days.")
    ] = None,
    number: Annotated[
        int | None, typer.Option("--number", metavar="N", min=0, help="With --prune: beyond the newest N.")
    ] = None,
    megabytes: Annotated[
        float | None, typer.Option("--mb", metavar="N", min=0, help="With --prune: over N megabytes of images.")
    ] = None,
    yes: Yes = False,
    wait: Wait = None,
) -> int:
    """Show what memctl changed, the newest first.

    These are memctl's changes, not the agents': memctl list --since shows those. A change that was interrupted, or was
    taken back, says so.
    """
    if sum((show is not None, forget is not None, prune)) > 1:
        raise UsageError("give one of --show, --forget and --prune")
    seconds = float(run.settings.value("wait") if wait is None else wait)
    found = run.history(seconds, create=False)
    if found is None:
        if show is not None or forget is not None:
            raise NotFound(f"no change {show if show is not None else forget} in the history: there is none yet")
        _emit_list(run, None, None)
        return run.code()
    with found:
        if show is not None:
            return _show(run, found, show)
        if forget is not None:
            return _forget(run, found, forget, yes)
        if prune:
            return _prune(run, found, days, number, megabytes, yes)
        below = None
        if address is not None:
            store = run.target(address).store
            below = store.path + "/" if isinstance(store, DirectoryStore) else store.path
        _emit_list(run, found, below)
    return run.code()


def _emit_list(run: Run, found: History | None, below: str | None) -> None:
    changes = list(found.changes()) if found else []
    if below is not None:
        changes = [change for change in changes if any(file.path.startswith(below) for file in change.files)]
    if run.json:
        from memctl.output import json_history

        run.emit_json(json_history.history(changes))
        return
    run.say("these are memctl's changes, not the agents': memctl list --since shows those")
    if run.terminal.draws:
        from memctl.output import table

        screen = table.Screen(run.terminal.width, color=run.terminal.color)
        run.terminal.show(table.changes(changes, run.now, screen))
    else:
        run.terminal.show("".join(plain.change(one) for one in changes))


def _show(run: Run, found: History, number: int) -> int:
    change = found.change(number)
    if run.json:
        from memctl.output import json_history

        run.emit_json(json_history.history([change]))
    else:
        run.terminal.show(plain.change(change) + diffs.change_diff(change))
    return run.code()


def _forget(run: Run, found: History, number: int, yes: bool) -> int:
    found.change(number)  # says where there is none
    if not run.terminal.confirm(f"Forget change {number} for good? It cannot be undone then.", yes=yes):
        run.say("nothing was forgotten")
        return run.code(ExitCode.NO)
    found.forget(number)
    if run.json:
        from memctl.output import json_history

        run.emit_json(json_history.forgotten([number]))
    run.say(f"forgot change {number}")
    return run.code()


def _prune(run: Run, found: History, days: float | None, number: int | None, megabytes: float | None, yes: bool) -> int:
    if days is number is megabytes is None:
        days, megabytes = float(run.settings.value("history_days")), float(run.settings.value("history_mb"))
    if not run.terminal.confirm("Forget old changes for good? They cannot be undone then.", yes=yes):
        run.say("nothing was forgotten")
        return run.code(ExitCode.NO)
    size = None if megabytes is None else int(megabytes * 1_000_000)
    gone = found.prune(run.now, days=days, number=number, size=size)
    if run.json:
        from memctl.output import json_history

        run.emit_json(json_history.forgotten(gone))
    run.say(f"forgot {plural(len(gone), 'change')}")
    return run.code()
