"""The entry point: one command is imported and run, and every error ends here."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn

from memctl import __version__
from memctl.cli.commands import ALIASES, BY_NAME, COMMANDS, command_word, suggestion
from memctl.cli.terminal import is_terminal, open_closed_streams
from memctl.errors import ExitCode, IoFailure, MemctlError, SeveralErrors, UsageError
from memctl.output.escape import visible

if TYPE_CHECKING:
    import typer

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
    import typer

    try:
        return _run(arguments)
    except MemctlError as error:
        return _fail(error, arguments)
    except typer.Exit as stop:
        return stop.exit_code
    except typer.TyperException as error:
        return _fail(UsageError(_sentence(error), hint=_usage_hint(arguments)), arguments)
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None and error.errno is not None:
            raise  # of stdout: files of stores have their own errors
        return _bug(error, arguments)
    except Exception as error:
        return _bug(error, arguments)


def _run(arguments: list[str]) -> int:
    word = command_word(arguments)
    asks_help = not arguments or (word is None and "--version" not in arguments)
    if asks_help and not any(argument in ("--help", "-h") for argument in arguments):
        arguments = [*arguments, "--help"]
    name = ALIASES.get(word, word) if word else None
    if word is not None and name not in BY_NAME:
        raise UsageError(f"no command '{visible(word)}'", hint=suggestion(word))
    if name != word and word is not None:
        at = arguments.index(word)
        arguments = [*arguments[:at], str(name), *arguments[at + 1 :]]
    if name is None and not is_terminal(sys.stdout) and any(option in arguments for option in ("--help", "-h")):
        from memctl.cli.help import overview

        sys.stdout.write(overview())
        return 0
    names = [name] if name else [] if "--version" in arguments else list(BY_NAME)
    app = build(names)
    result = app(arguments, prog_name="memctl", standalone_mode=False)
    return result if isinstance(result, int) else 0


def build(names: Sequence[str]) -> typer.Typer:
    """Return the Typer program with these commands alone: each costs time to import and to register."""
    import importlib

    import typer

    from memctl.cli.options import callback

    # Typer's rich help only where somebody sees it: it would colour pipes in CI.
    markup = "rich" if is_terminal(sys.stdout) else None
    app = typer.Typer(
        add_completion=False,
        rich_markup_mode=markup,  # type: ignore[arg-type]
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=_SUMMARY,
    )
    app.callback()(callback)
    for command in COMMANDS:
        if command.name in names:
            module = importlib.import_module(f"memctl.cli.{command.module}")
            function = getattr(module, command.function)
            app.command(command.name, help=function.__doc__, short_help=command.summary, rich_help_panel=command.group)(
                function
            )
    return app


def _sentence(error: Exception) -> str:
    """Return what Typer says of wrong usage in memctl's way: lower case, names in single quotes, no full stop."""
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    message = str(message).strip().splitlines()[0].rstrip(".") if str(message).strip() else "wrong usage"
    return message[0].lower() + message[1:]


def _usage_hint(arguments: list[str]) -> str:
    word = command_word(arguments)
    return f"memctl {ALIASES.get(word, word)} --help" if word else "memctl --help"


def _wants_json(arguments: list[str]) -> bool:
    """Return whether the arguments ask for JSON, before anything could be parsed."""
    for at, argument in enumerate(arguments):
        if argument == "--":
            break
        if argument in ("-j", "--json", "--format=json"):
            return True
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
        sys.stdout.write(json.dumps(head | {"data": None, "errors": json.error_list([error])}) + "\n")
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
        sys.stderr.write(visible(line).encode("utf-8", "backslashreplace").decode() + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass
