"""The command `recall`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Scope, command
from memctl.disk.user_store import FileStore
from memctl.errors import ExitCode, UsageError
from memctl.ops.recall import recall as recall_of
from memctl.output import plain


@command
def recall(
    run: Run,
    address: Annotated[str, typer.Argument(metavar="AGENT|@user", help="Whose memories.")],
    message: Annotated[list[str], typer.Argument(metavar="MESSAGE...", help="The message, or words of it.")],
    scope: Scope = None,
) -> int:
    """Show the memories that fit a message, with the words that matched.

    Of an agent those that the HQ would recall for it. Of @user the notes that hold all of the words, or with --scope
    the entries of CodeWhale's native tree. Exit 1 where nothing fits.
    """
    target = run.target(address)
    if target.name is not None:
        raise UsageError(f"'{address}' is one memory; recall takes an agent or @user")
    if scope is not None:
        from memctl.cli.native import check_scope

        check_scope(scope)
    found = recall_of(target.store, " ".join(message), run.env, today=f"{run.now:%Y-%m-%d}", scope=scope)
    run.fail_each(found.errors)
    if run.json:
        from memctl.output import json_memories

        run.emit_json(json_memories.recalled(found))
    else:
        run.write(plain.recalled(found))
    if not found.hits and not found.errors:
        run.say("nothing fits the message")
    if isinstance(target.store, FileStore) and scope is None:
        run.warn_not_loaded(target.store)
    return run.code(ExitCode.OK if found.hits else ExitCode.NO)
