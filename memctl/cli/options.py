"""The options that many commands share, and the decorator that adds them."""

import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer

from memctl.cli.context import Run
from memctl.cli.surroundings import Common

_PANEL = "Everywhere"

_COMMON = {
    "root": Annotated[
        list[str] | None,
        typer.Option(
            "--root",
            metavar="DIR",
            help="A data folder, a memory/ directory or one agent's directory. Repeatable.",
            rich_help_panel=_PANEL,
        ),
    ],
    "user_memory": Annotated[
        str | None, typer.Option("--user-memory", metavar="FILE", help="The user-memory file.", rich_help_panel=_PANEL)
    ],
    "as_json": Annotated[bool, typer.Option("--json", "-j", help="The same as --format json.", rich_help_panel=_PANEL)],
    "form": Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="text or json.", rich_help_panel=_PANEL)
    ],
    "color": Annotated[
        str | None, typer.Option("--color", metavar="WHEN", help="auto, always or never.", rich_help_panel=_PANEL)
    ],
    "no_pager": Annotated[bool, typer.Option("--no-pager", help="Do not page long output.", rich_help_panel=_PANEL)],
    "quiet": Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing on success.", rich_help_panel=_PANEL)],
    "verbose": Annotated[bool, typer.Option("--verbose", "-v", help="Say more.", rich_help_panel=_PANEL)],
    "debug": Annotated[bool, typer.Option("--debug", help="Show the traceback of a bug.", rich_help_panel=_PANEL)],
}

_DEFAULTS: dict[str, Any] = {
    "root": None,
    "user_memory": None,
    "as_json": False,
    "form": None,
    "color": None,
    "no_pager": False,
    "quiet": False,
    "verbose": False,
    "debug": False,
}

# Options and arguments that more than one command has.
Agents = Annotated[
    list[str] | None,
    typer.Argument(metavar="[AGENT]...", help="Ids or names of agents, directories, or @user.", show_default=False),
]
Addresses = Annotated[
    list[str],
    typer.Argument(
        metavar="ADDRESS...",
        help="AGENT/NAME, a pattern, a path, @user/N, or - for standard input.",
        show_default=False,
    ),
]
All = Annotated[bool, typer.Option("--all", "-A", help="Every agent of every root.")]
Jobs = Annotated[int | None, typer.Option("--jobs", metavar="N", min=1, help="How many processes read.")]
Shard = Annotated[str | None, typer.Option("--shard", metavar="K/N", help="Only the K-th of N parts of the agents.")]
DryRun = Annotated[bool, typer.Option("--dry-run", "-n", help="Change nothing, say what would be.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Wait = Annotated[float | None, typer.Option("--wait", metavar="SECONDS", min=0.0, help="How long to wait for a lock.")]
NoLock = Annotated[bool, typer.Option("--no-lock", help="Go on where the file system has no locks.")]
NoHistory = Annotated[
    bool,
    typer.Option("--no-history", help="Keep no images: then the change cannot be undone.", rich_help_panel="Safety"),
]
Nul = Annotated[bool, typer.Option("-0", "--null", help="NUL instead of line ends, in addresses read and printed.")]
Types = Annotated[
    list[str] | None,
    typer.Option("--type", "-t", metavar="TYPE", help="user, feedback, project or reference. Repeatable."),
]
Sources = Annotated[
    list[str] | None, typer.Option("--source", "-s", metavar="SOURCE", help="agent, sweep, user or import. Repeatable.")
]

Rules = Annotated[
    str | None,
    typer.Option("--rules", metavar="VERSION", help="Follow this release of CodeWhale: 0.8.8, 0.8.21, 0.9.10."),
]
Scope = Annotated[
    str | None,
    typer.Option(
        "--scope",
        metavar="SCOPE",
        help="CodeWhale's native tree: global, workspace or all.",
        rich_help_panel="User memory",
    ),
]


def common_parameters() -> list[inspect.Parameter]:
    """Return the options of the program as parameters of a function."""
    kind = inspect.Parameter.KEYWORD_ONLY
    return [inspect.Parameter(name, kind, default=_DEFAULTS[name], annotation=_COMMON[name]) for name in _COMMON]


def command(function: Callable[..., int]) -> Callable[..., int]:
    """Return `function(run, ...)` as a command: the options of the program are added, and `run` is made of them.

    What was given before the command's name and what was given after it are one.
    """

    @functools.wraps(function)
    def call(context: typer.Context, **values: Any) -> int:
        given = Common(**{name: values.pop(name) for name in _COMMON})
        before = context.obj if isinstance(context.obj, Common) else Common()
        run = Run(context.info_name or "", before.joined(given))
        try:
            return function(run, **values)
        finally:
            run.close()

    own = list(inspect.signature(function).parameters.values())[1:]
    kept = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in own]
    head = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    signature = inspect.Signature([head, *kept, *common_parameters()])
    call.__signature__ = signature  # type: ignore[attr-defined]
    call.__annotations__ = {name: parameter.annotation for name, parameter in signature.parameters.items()}
    return call


def _version(wanted: bool) -> None:
    if wanted:
        from memctl import __version__

        typer.echo(f"memctl {__version__}")
        raise typer.Exit


def callback(context: typer.Context, **values: Any) -> None:
    """See, check, clean and carry the memories that AI agents keep on disk."""
    values.pop("version", None)
    context.obj = Common(**values)


_VERSION = Annotated[
    bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_version, rich_help_panel=_PANEL)
]
_HEAD = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
_LAST = inspect.Parameter("version", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=_VERSION)
callback.__signature__ = inspect.Signature([_HEAD, *common_parameters(), _LAST])  # type: ignore[attr-defined]
callback.__annotations__ = {
    name: parameter.annotation
    for name, parameter in callback.__signature__.parameters.items()  # type: ignore[attr-defined]
}
