"""The command `prompt`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import Rules, Scope, command
from memctl.disk.user_store import FileStore
from memctl.errors import ExitCode, UsageError
from memctl.ops.prompt import prompt_of


@command
def prompt(
    run: Run,
    address: Annotated[str, typer.Argument(metavar="@user", help="Whose prompt.")] = "@user",
    rules: Rules = None,
    scope: Scope = None,
) -> int:
    """Print the block that CodeWhale injects for the user memory.

    The exact text, without a line end behind it where it goes to a pipe. --rules VERSION cuts a long file as that
    release does; a release of the native tree, or --scope, gives the block of the tree.
    """
    target = run.target(address, rules=rules)
    if not isinstance(target.store, FileStore) or target.name is not None:
        raise UsageError(f"prompt knows @user, not '{address}'", hint="memctl help addresses")
    told = prompt_of(target.store, run.env, rules=rules, scope=scope)
    if run.json:
        from memctl.output import json_memories

        run.emit_json(json_memories.prompt(told.text))
    elif told.text is not None:
        run.write(told.text + ("\n" if run.terminal.draws else ""))
    if told.text is None:
        run.say(f"no block: {told.why}")
        return run.code(ExitCode.NO)
    run.warn_not_loaded(target.store)
    return run.code()
