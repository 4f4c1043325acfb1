"""The table of the commands and their options that the completion scripts of all shells are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

Kind = Literal["fixed", "agents", "addresses", "agents or files", "files", "directories"]


class Word(NamedTuple):
    """A fixed word that can stand somewhere, and what it is."""

    text: str
    about: str = ""


class Values(NamedTuple):
    """What can stand as an argument or as the value of an option.

    `what` is one word for it; the fixed words are offered beside what `kind` finds. `fixed` without words is a text
    of which nothing is known.
    """

    what: str
    kind: Kind = "fixed"
    words: tuple[Word, ...] = ()


class Option(NamedTuple):
    """An option: its names, the long one first, its help, and its values (None: it takes none)."""

    names: tuple[str, ...]
    help: str
    values: Values | None = None
    repeats: bool = False


class Command(NamedTuple):
    """A command: its name and the hidden ones, its place in the help, its own options and its arguments.

    The last argument can be given again and again if it `repeats`.
    """

    names: tuple[str, ...]
    group: str
    summary: str
    options: tuple[Option, ...]
    arguments: tuple[Values, ...]
    repeats: bool


class Spec(NamedTuple):
    """The program: its commands, the options that stand everywhere, and those that stand before a command only."""

    commands: tuple[Command, ...]
    everywhere: tuple[Option, ...]
    program: tuple[Option, ...]


def names_of(options: Iterable[Option]) -> list[str]:
    """Return all names of options."""
    return [name for option in options for name in option.names]


def valued_names(spec: Spec) -> list[str]:
    """Return all names of options that take a value. Raises ValueError where a name takes one in some commands only."""
    options = [*spec.everywhere, *spec.program, *(option for command in spec.commands for option in command.options)]
    valued = list(dict.fromkeys(names_of(option for option in options if option.values)))
    if mixed := set(valued) & set(names_of(option for option in options if not option.values)):
        raise ValueError(f"with and without a value: {', '.join(sorted(mixed))}")
    return valued


def filled(text: str, parts: dict[str, str]) -> str:
    """Return a text with the parts in place of `%(name)s`."""
    for name, part in parts.items():
        text = text.replace(f"%({name})s", part)
    return text


def every_option(spec: Spec, command: Command) -> Sequence[Option]:
    """Return all options that can stand behind a command."""
    return (*command.options, *spec.everywhere)
