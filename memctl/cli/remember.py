"""The command `remember`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import DryRun, NoHistory, NoLock, Wait, command
from memctl.cli.words import plural
from memctl.errors import InvalidInput, MemctlError, SeveralErrors
from memctl.ops.notes import check_entry
from memctl.ops.notes import remember as append_notes


@command
def remember(
    run: Run,
    entries: Annotated[list[str], typer.Argument(metavar="NOTE...", help="Notes, or - for one from standard input.")],
    literal: Annotated[
        bool, typer.Option("--literal", help="Write what CodeWhale's composer would not take: ##, #!, several lines.")
    ] = False,
    dry_run: DryRun = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
) -> int:
    """Append notes to the user memory.

    Each NOTE becomes a bullet with the time, as CodeWhale's # prefix and its remember tool write it; a leading # is
    taken off. A file whose last line has no end gets one first.
    """
    store = run.user_store()
    words, errors = [], []
    for entry in entries:
        text = run.terminal.read_content().removesuffix("\n") if entry == "-" else entry
        try:
            words.append(check_entry(text, literal=literal))
        except InvalidInput as error:
            errors.append(error)
    if errors:
        raise errors[0] if len(errors) == 1 else SeveralErrors(errors)
    if not dry_run:
        run.changes()
    written: list[str] = []
    try:
        for word in words:
            written += append_notes(
                store, [word], run.now, run.locking(wait, no_lock=no_lock, no_history=no_history), dry_run=dry_run
            )
    except MemctlError as error:
        run.fail(error)
    if run.json:
        from memctl.output import json_user

        run.emit_json(json_user.remembered(store, written, dry_run=dry_run))
    else:
        run.write("".join(f"remembered: {text}\n" for text in written))
    if not written:
        return run.code()
    count = plural(len(written), "note")
    run.say(f"dry run: nothing was written; {count} would be" if dry_run else f"wrote {count} to '{store.path}'")
    run.warn_not_loaded(store)
    return run.code()
