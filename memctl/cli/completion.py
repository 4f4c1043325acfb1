"""The command `completion`."""

from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import command
from memctl.errors import UsageError

SHELLS = ("bash", "zsh", "fish")


@command
def completion(
    run: Run,
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> int:
    """Print the completion script of a shell."""
    if shell not in SHELLS:
        raise UsageError(f"there is no completion for '{shell}'", hint=f"shells are {', '.join(SHELLS)}")
    return run.code()
