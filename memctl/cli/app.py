"""The entry point: one command is imported and run, and every error ends here."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NoReturn

from memctl import __version__
from memctl.cli.commands import ALIASES, BY_NAME, COMMANDS, command_position, command_word, suggestion
from memctl.cli.terminal import is_terminal, open_closed_streams
from memctl.errors import ExitCode, IoFailure, MemctlError, SeveralErrors, UsageError
from memctl.output.escape import visible

if TYPE_CHECKING:
    import typer

_HELP = ("--help", "-h")
_SUMMARY = "See, check, clean and carry the memories that AI agents keep on disk."


class _Stopped(BaseException):
    """A signal that ends the run."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def entry() -> NoReturn:
    """Run memctl as a program and end the process with its exit code.

    The process ends at once: taking the interpreter down object by object costs as much as most commands do.
    """
    code = main()
    if sys.stderr is not None:
        try:
            sys.stderr.flush()
        except (OSError, ValueError):
            pass
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run memctl with these arguments and return its exit code."""
    import gc

    # A short run makes no garbage that is worth looking for while the modules are loaded.
    collects = gc.isenabled()
    gc.disable()
    try:
        return _main(argv)
    finally:
        if collects:
            gc.enable()


def _main(argv: Sequence[str] | None) -> int:
    arguments = list(sys.argv[1:] if argv is None else argv)
    if os.name == "nt":
        _say("memctl: error: memctl runs on Linux and macOS, not on Windows")
        return ExitCode.CONFIG
    if None in (sys.stdin, sys.stdout, sys.stderr):
        open_closed_streams()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)
    try:
        code = _guarded(arguments)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        code = ExitCode.PIPE
    except OSError as error:
        code = _fail(IoFailure(f"cannot write to standard output: {(error.strerror or str(error)).lower()}"), [])
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except _Stopped as stopped:
        code = 128 + stopped.number
    _let_go()
    return int(code)


def _stop(number: int, _frame: object) -> NoReturn:
    raise _Stopped(number)


def _let_go() -> None:
    """Keep the interpreter from failing once more over output that nobody takes."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _guarded(arguments: list[str]) -> int:
    if arguments[:1] == ["__complete"]:  # at each TAB: it must not wait for Typer
        from memctl.cli.complete import complete

        return complete(arguments[1:])
    import typer

    try:
        return _run(arguments)
    except MemctlError as error:
        return _fail(error, arguments)
    except typer.Exit as stop:
        return stop.exit_code
    except typer.TyperException as error:
        return _fail(UsageError(_sentence(error), hint=_usage_hint(arguments, error)), arguments)
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None and error.errno is not None:
            raise  # of stdout: files of stores have their own errors
        return _bug(error, arguments)
    except Exception as error:
        return _bug(error, arguments)


def _run(arguments: list[str]) -> int:
    at = command_position(arguments)
    name = None
    if at is not None:
        word = arguments[at]
        name = ALIASES.get(word, word)
        if name not in BY_NAME:
            raise UsageError(f"no command '{visible(word)}'", hint=suggestion(word))
        arguments = [*arguments[:at], name, *arguments[at + 1 :]]
    asks_help = any(option in arguments[:at] for option in _HELP)
    if not arguments:
        asks_help = True
        arguments = ["--help"]
    if sys.stdout is None and any(option in arguments for option in (*_HELP, "--version")):
        raise IoFailure("cannot write to standard output: it is closed")
    rich = _draws_help(arguments)
    if asks_help and not rich:
        from memctl.cli.help import overview

        sys.stdout.write(overview())
        return 0
    names = [name] if name and not asks_help else [] if "--version" in arguments else list(BY_NAME)
    app = build(names, rich=rich)
    try:
        result = app(arguments, prog_name="memctl", standalone_mode=False)
    except SystemExit:  # what Typer makes of a broken pipe
        raise BrokenPipeError from None
    return result if isinstance(result, int) else 0


def _draws_help(arguments: list[str]) -> bool:
    """Return whether help gets Typer's panels: only where somebody sees them, and wants colour."""
    if not is_terminal(sys.stdout) or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return "--color=never" not in arguments and ("--color", "never") not in pairwise(arguments)


def build(names: Sequence[str], *, rich: bool) -> typer.Typer:
    """Return the Typer program with these commands alone: each costs time to import and to register.

    `rich` is for help on a terminal: it would colour pipes in CI.
    """
    import importlib

    import typer

    from memctl.cli.options import callback

    app = typer.Typer(
        add_completion=False,
        rich_markup_mode="rich" if rich else None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=_SUMMARY,
    )
    app.callback()(callback)
    for command in COMMANDS:
        if command.name in names:
            module = importlib.import_module(f"memctl.cli.{command.module}")
            function = getattr(module, command.function)
            text = _flowing(function.__doc__)
            app.command(command.name, help=text, short_help=command.summary, rich_help_panel=command.group)(function)
    return app


def _flowing(text: str) -> str:
    """Return paragraphs without the line ends of the source: rich would keep them."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))


def _sentence(error: Exception) -> str:
    """Return what Typer says of wrong usage in memctl's way: lower case, names in single quotes, no full stop."""
    if type(error).__name__ == "NoSuchOption":  # Typer exports no name for it
        return f"no such option '{visible(getattr(error, 'option_name', ''))}'"
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    message = str(message).strip().splitlines()[0].rstrip(".") if str(message).strip() else "wrong usage"
    return message[0].lower() + message[1:]


def _usage_hint(arguments: list[str], error: Exception) -> str:
    word = command_word(arguments)
    where = f"memctl {ALIASES.get(word, word)} --help" if word else "memctl --help"
    near = None
    if possible := getattr(error, "possibilities", None):
        from memctl.core.nearest import nearest

        near = nearest(getattr(error, "option_name", ""), possible)
    return f"did you mean '{near}'? {where}" if near else where


def _wants_json(arguments: list[str]) -> bool:
    """Return whether the arguments ask for JSON, before anything could be parsed."""
    for at, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument in ("--json", "--format=json"):
            return True
        if argument[:1] == "-" and argument[1:2] != "-" and "j" in argument.partition("t")[0].partition("s")[0]:
            return True  # in a cluster of short flags; what follows -t and -s is their value
        if argument == "--format" and arguments[at + 1 : at + 2] == ["json"]:
            return True
    return False


def _fail(error: MemctlError, arguments: list[str]) -> int:
    for single in error.errors if isinstance(error, SeveralErrors) else (error,):
        _say(f"memctl: error: {single.message}")
        if single.hint:
            _say(f"memctl: hint: {single.hint}")
    if _wants_json(arguments) and sys.stdout is not None:
        from memctl.output import json

        head = json.head(__version__, os.uname().nodename, command_word(arguments) or "")
        sys.stdout.write(json.whole(head, None, [error]))
    return int(error.exit_code)


def _bug(error: Exception, arguments: list[str]) -> int:
    if "--debug" in arguments:
        import traceback

        traceback.print_exc()
    kind = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return _fail(
        MemctlError(f"this is a bug in memctl ({kind})", hint="run it again with --debug and report what it prints"),
        arguments,
    )


def _say(line: str) -> None:
    if sys.stderr is None:
        return
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except (OSError, ValueError):
        pass  # that may be what is said here
    try:
        sys.stderr.write(visible(line).encode("utf-8", "backslashreplace").decode() + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass
