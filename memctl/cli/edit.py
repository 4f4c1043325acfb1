"""The command `edit`, with its loop around the person's editor."""

import os
import tempfile
import time
from typing import Annotated

import typer

from memctl.cli.context import Run, report
from memctl.cli.options import DryRun, NoHistory, NoLock, Wait, command
from memctl.core.buffer import Changes
from memctl.disk.locking import Locking
from memctl.disk.private import keep_private, overwrite_private
from memctl.disk.reads import read_file
from memctl.errors import ExitCode, MemctlError, SeveralErrors, UsageError
from memctl.ops.edit import (
    EditPlan,
    Plan,
    apply_edit,
    apply_text,
    check_text,
    marked_text,
    not_edited,
    plan_edits,
    text_of,
)
from memctl.ops.notes import NoteEdit, apply_note_edit
from memctl.ops.results import Edited, EditedNotes
from memctl.output import plain

# An editor that is back sooner than anybody can type has only opened a window.
_AT_ONCE = 0.5


@command
def edit(
    run: Run,
    addresses: Annotated[list[str], typer.Argument(metavar="ADDRESS...", help="AGENT/NAME, a pattern or a path.")],
    description: Annotated[
        str | None, typer.Option("--description", metavar="TEXT", help="The new description.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--type", "-t", metavar="TYPE", help="user, feedback, project or reference.")
    ] = None,
    content: Annotated[
        str | None, typer.Option("--content", metavar="TEXT", help="The new content; - reads standard input.")
    ] = None,
    touch: Annotated[bool, typer.Option("--touch", help="Set the date though nothing else changes.")] = False,
    dry_run: DryRun = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
) -> int:
    """Edit a memory, in your editor or by options.

    Description, type and content can change; the source becomes user. The text is checked when you leave the editor;
    while something is wrong you can edit again or give up, and your text is kept.
    """
    by_options = touch or any(value is not None for value in (description, kind, content))
    if "-" in addresses:
        raise UsageError("edit reads no addresses from standard input", hint="give them as words")
    if not by_options and not run.terminal.asks:
        raise UsageError(
            "edit opens an editor, and there is no terminal for one", hint="give --description, --type or --content"
        )
    locking = run.locking(wait, no_lock=no_lock, no_history=no_history)
    plans: list[Plan] = []
    for target in run.targets(addresses, memory=True, changing=True):
        try:
            plans += plan_edits(target)
        except MemctlError as error:
            run.fail(error)
    if by_options and len(plans) > 1 and (description, content) != (None, None):
        raise UsageError("a description or a content is for one memory", hint="several can get one --type, or --touch")
    if content == "-" and plans:
        content = run.terminal.read_content()
    if not dry_run and plans:
        run.changes()
        if not by_options:
            locking.check()  # before a text is written that could not be saved
    changes = Changes(description, kind, content)
    results: list[Edited | EditedNotes] = []
    declined = False
    for plan in plans:
        try:
            result: Edited | EditedNotes
            if not by_options:
                edited = _in_editor(run, plan, locking, dry_run)
                if edited is None:
                    declined = True
                    continue
                result = edited
            elif isinstance(plan, NoteEdit):
                result = _note_by_options(run, plan, changes, touch, locking, dry_run)
            else:
                result = apply_edit(plan, changes, run.now, locking, touch=touch, dry_run=dry_run)
        except MemctlError as error:
            run.fail(error)
            continue
        results.append(result)
        run.fail_each(result.errors)
        if not run.json and not run.terminal.draws:
            run.write(plain.edited(result))
    if run.json:
        from memctl.output import json_memories

        data = json_memories.edited(results, dry_run=dry_run) if results or not run.errors else None
        run.emit_json(data)
    _summary(run, results, dry_run)
    for result in results:
        if isinstance(result, EditedNotes):
            run.warn_not_loaded(result.store)
    return run.code(ExitCode.NO if declined else ExitCode.OK)


def _note_by_options(
    run: Run, plan: NoteEdit, changes: Changes, touch: bool, locking: Locking, dry_run: bool
) -> EditedNotes:
    """Edit a note, or the whole user memory, by --content: it has nothing else."""
    if touch or changes.description is not None or changes.type is not None or changes.content is None:
        raise UsageError("the user memory has no description, type or date", hint="--content gives the new text")
    text = changes.content.encode("utf-8", "surrogateescape")
    changed = apply_note_edit(plan, text, locking, dry_run=dry_run)
    return EditedNotes(plan.store, plan.note, "updated" if changed else "unchanged")


def _summary(run: Run, results: list[Edited | EditedNotes], dry_run: bool) -> None:
    updated = [result.address for result in results if result.action == "updated"]
    if dry_run:
        run.say(f"dry run: nothing was changed; {len(updated)} would be")
    elif updated:
        run.say(f"updated {', '.join(updated)}")
    elif results:
        run.say("no changes")


def _in_editor(run: Run, plan: Plan, locking: Locking, dry_run: bool) -> Edited | EditedNotes | None:
    """Let the person edit until the text is right; None where the person gives up. The text is never lost."""
    name = plan.entry.stem[:40] if isinstance(plan, EditPlan) else "user"
    path = keep_private(tempfile.gettempdir(), f"memctl-{name}-", text_of(plan))
    start = read_file(path)
    kept = False
    try:
        while True:
            began = time.monotonic()
            status = run.terminal.edit(path)
            text = read_file(path)
            if status != 0:
                kept = text != start
                where = f"; your text is kept in '{path}'" if kept else ""
                run.fail(_Declined(f"the editor ended with {status}; nothing was written{where}"))
                return None
            if text == start:
                if time.monotonic() - began < _AT_ONCE:
                    run.say(f"'{run.terminal.editor()}' came back at once; {_waiting(run.terminal.editor())}")
                return not_edited(plan)
            kept = True
            try:
                check_text(plan, text, run.now)
            except MemctlError as error:
                if not _again(run, plan, path, text, error):
                    run.say(f"nothing was written; your text is kept in '{path}'")
                    return None
                continue
            try:
                result = apply_text(plan, text, run.now, locking, dry_run=dry_run)
            except MemctlError:
                run.terminal.say(f"your text is kept in '{path}'")
                raise
            kept = False
            return result
    finally:
        if not kept:
            os.unlink(path)


class _Declined(MemctlError):
    """The editor said no."""

    exit_code = ExitCode.NO
    code = "editor"


def _waiting(editor: str) -> str:
    program = os.path.basename(editor.split()[0]) if editor.split() else editor
    return f"if it opens a window, let it wait: EDITOR='{program} --wait'"


def _again(run: Run, plan: Plan, path: str, text: bytes, error: MemctlError) -> bool:
    """Say what is wrong, put it on top of the text, and ask; return whether the person edits again."""
    report(error, run.terminal)
    problems = [single.message for single in (error.errors if isinstance(error, SeveralErrors) else (error,))]
    answer = run.terminal.ask("[e]dit again or [g]ive up? ", "give the new values as options")
    if answer.strip().lower() not in ("", "e", "edit", "y", "yes") or not answer:
        return False
    overwrite_private(path, marked_text(plan, text, problems))
    return True
