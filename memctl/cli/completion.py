"""The command `completion`, and the table of the program that the scripts are made of.

`python -m memctl.cli.completion DIR` writes the scripts of all shells into DIR: `completions/` of the sources is made
so, and a test compares it.
"""

import importlib
import inspect
import os
import typing
from typing import Annotated, Any

import typer

from memctl.cli.commands import ALIASES, COMMANDS
from memctl.cli.context import FORMATS, Run
from memctl.cli.options import callback, command
from memctl.cli.reports import FORMATS as CHECK_FORMATS
from memctl.cli.topics import TOPICS
from memctl.core.address import USER
from memctl.core.checks.rule import SEVERITIES
from memctl.core.checks.selection import ALL
from memctl.core.checks.table import FAMILIES, RULES
from memctl.core.filters import SORT_KEYS
from memctl.core.memory import MemoryType, Source
from memctl.core.sweep import SweepMode
from memctl.disk.native_tree import SCOPES
from memctl.disk.settings_table import BY_KEY, SETTINGS
from memctl.errors import UsageError
from memctl.output import completion_bash, completion_fish, completion_zsh
from memctl.output.completions import Command, Option, Spec, Values, Word

SHELLS = {"bash": completion_bash.script, "zsh": completion_zsh.script, "fish": completion_fish.script}
FILES = {"bash": "memctl.bash", "zsh": "_memctl", "fish": "memctl.fish"}


@command
def completion(
    run: Run,
    shell: Annotated[str, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")],
) -> int:
    """Print the completion script of a shell.

    bash: put it into ~/.local/share/bash-completion/completions/memctl. zsh: into a file _memctl in a directory of
    fpath. fish: into ~/.config/fish/completions/memctl.fish.
    """
    if shell not in SHELLS:
        raise UsageError(f"there is no completion for '{shell}'", hint=f"shells are {', '.join(SHELLS)}")
    text = SHELLS[shell](program_spec())
    if run.json:
        from memctl.output import json_setup

        run.emit_json(json_setup.script(shell, text))
    else:
        run.write(text)
    return run.code()


def _fixed(what: str, words: typing.Iterable[str]) -> Values:
    return Values(what, "fixed", tuple(map(Word, words)))


# What the words of the help mean for a shell.
VALUES: dict[str, tuple[Values, ...]] = {
    "AGE": (Values("age"),),
    "N": (Values("number"),),
    "K/N": (Values("part"),),
    "SECONDS": (Values("seconds"),),
    "TEXT": (Values("text"),),
    "PATTERN": (Values("pattern"),),
    "DIR": (Values("directory", "directories"),),
    "FILE": (Values("file", "files"),),
    "REF|DIR": (Values("commit or directory", "directories"),),
    "FORMAT": (_fixed("format", FORMATS),),
    "FORMAT=FILE": (Values("format", "fixed", tuple(Word(f"{form}=") for form in CHECK_FORMATS)),),
    "RULES": (
        Values(
            "rules",
            "fixed",
            (
                *(Word(letter, name) for letter, name in FAMILIES.items()),
                *(Word(rule.code, rule.summary) for rule in RULES),
                Word(ALL),
            ),
        ),
    ),
    "LEVEL": (_fixed("level", SEVERITIES),),
    "WHEN": (_fixed("when", BY_KEY["color"].choices),),
    "TYPE": (_fixed("type", MemoryType),),
    "SOURCE": (_fixed("source", Source),),
    "KEY": (_fixed("key", SORT_KEYS),),
    "SHELL": (_fixed("shell", SHELLS),),
    "[TOPIC]": (
        Values(
            "topic",
            "fixed",
            (*(Word(entry.name, entry.summary) for entry in COMMANDS), *(Word(topic, "A topic.") for topic in TOPICS)),
        ),
    ),
    "[PATH|AGENT]...": (Values("path", "agents or files", (Word(USER),)),),
    "[AGENT]...": (Values("agent", "agents"),),
    "ADDRESS...": (Values("address", "addresses"),),
    "[ADDRESS]...": (Values("address", "addresses", (Word(USER),)),),
    "AGENT|@user": (Values("agent", "agents", (Word(USER),)),),
    "@user": (_fixed("address", (USER,)),),
    "WHAT": (Values("what", "addresses", (Word(USER), *(Word(rule.code, rule.summary) for rule in RULES))),),
    "[ID]": (Values("change"),),
    "ID": (Values("change"),),
    "[AGENT|@user]": (Values("agent", "agents", (Word(USER),)),),
    "NOTE...": (Values("note"),),
    "MESSAGE...": (Values("message"),),
    "VERSION": (_fixed("release", ("0.8.8", "0.8.17", "0.8.21", "0.8.48", "0.9.10")),),
    "SCOPE": (_fixed("scope", SCOPES),),
    "[AGENT]... [auto|on|off]": (Values("agent", "agents", tuple(map(Word, SweepMode))),),
    "[AGENT]... [on|off]": (Values("agent", "agents", (Word("on"), Word("off"))),),
    "[show|set|path]": (_fixed("action", ("show", "set", "path")),),
    "[KEY [VALUE]]": (
        Values("key", "fixed", tuple(Word(setting.key, setting.sentence) for setting in SETTINGS)),
        Values("value", "files"),
    ),
}

# The one that Typer adds itself.
_HELP = Option(("--help", "-h"), "Show this message and exit.")


def program_spec() -> Spec:
    """Return the table of the whole program."""
    everywhere, _, _ = _parameters(callback)
    shared = [option for option in everywhere if "--version" not in option.names]
    own = tuple(option for option in everywhere if option not in shared)
    commands = []
    for entry in COMMANDS:
        function = getattr(importlib.import_module(f"memctl.cli.{entry.module}"), entry.function)
        options, arguments, repeats = _parameters(function)
        commands.append(
            Command(
                (entry.name, *(alias for alias, name in ALIASES.items() if name == entry.name)),
                entry.group,
                entry.summary,
                tuple(option for option in options if option not in shared),
                arguments,
                repeats,
            )
        )
    return Spec(tuple(commands), (*shared, _HELP), own)


def _parameters(function: Any) -> tuple[list[Option], tuple[Values, ...], bool]:
    """Return the options and arguments of a function that Typer takes, and whether the last argument repeats.

    All that is used of Typer are its declarations in the annotations: names, `metavar`, `help`. The first name of an
    option is in `default`, which has no other meaning there.
    """
    options: list[Option] = []
    arguments: list[Values] = []
    repeats = False
    for parameter in inspect.signature(function).parameters.values():
        if typing.get_origin(parameter.annotation) is not Annotated:
            continue
        kind, declared, *_ = typing.get_args(parameter.annotation)
        several = any(typing.get_origin(part) is list for part in (kind, *typing.get_args(kind)))
        values = VALUES.get(declared.metavar or "", (Values("value"),))
        if type(declared) is type(typer.Argument()):
            arguments += values
            repeats = several
        else:
            names = tuple(sorted((declared.default, *declared.param_decls), key=lambda name: not name.startswith("--")))
            options.append(Option(names, declared.help, None if kind is bool else values[0], several))
    return options, tuple(arguments), repeats


def write_scripts(directory: str) -> None:
    """Write the scripts of all shells into a directory."""
    spec = program_spec()
    for shell, name in FILES.items():
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(SHELLS[shell](spec))


if __name__ == "__main__":
    import sys

    write_scripts(sys.argv[1])
