"""The command `help`, the overview of the commands, and the topics."""

from typing import Annotated

import typer

from memctl.cli.commands import ALIASES, BY_NAME, COMMANDS, GROUPS, suggestion
from memctl.cli.context import Run
from memctl.cli.options import command
from memctl.cli.topics import TOPICS
from memctl.errors import UsageError


def overview() -> str:
    """Return the help of the program as plain text, the commands in their groups."""
    lines = [
        "usage: memctl [--root DIR]... [-j] [-q] COMMAND ...",
        "",
        "See, check, clean and carry the memories that AI agents keep on disk.",
    ]
    for group in GROUPS:
        lines += ["", f"{group}:"]
        lines += [f"  {entry.name:<14} {entry.summary}" for entry in COMMANDS if entry.group == group]
    lines += [
        "",
        "Everywhere:",
        "  --root DIR       a data folder, a memory/ or an agent's directory; repeatable",
        "  --user-memory F  the user-memory file",
        "  -j, --json       the same as --format json",
        "  --format FORMAT  text or json",
        "  --color WHEN     auto, always or never",
        "  --no-pager       do not page long output",
        "  -q, --quiet      print nothing on success",
        "  -v, --verbose    say more",
        "  --debug          show the traceback of a bug",
        "  --version        print the version",
        "",
        f"Topics of memctl help: {', '.join(TOPICS)}.",
        "memctl COMMAND --help shows the options of a command.",
    ]
    return "\n".join(lines) + "\n"


@command
def help_(
    run: Run,
    topic: Annotated[
        str | None, typer.Argument(metavar="[TOPIC]", help="A command or a topic.", show_default=False)
    ] = None,
) -> int:
    """Show help on a command or a topic.

    Topics are addresses, exit-codes, policies, cron and safety.
    """
    if topic is None:
        run.terminal.show(overview())
        return 0
    name = ALIASES.get(topic, topic)
    if name in BY_NAME:
        from memctl.cli.app import build

        build([name], rich=run.terminal.color)([name, "--help"], prog_name="memctl", standalone_mode=False)
        return 0
    if topic in TOPICS:
        run.terminal.show(TOPICS[topic])
        return 0
    hint = suggestion(topic)
    raise UsageError(f"no help on '{topic}'", hint=f"topics are {', '.join(TOPICS)}" if "help shows" in hint else hint)
