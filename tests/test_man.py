from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memctl.cli.commands import ALIASES, BY_NAME, COMMANDS
from memctl.cli.completion import program_spec
from memctl.cli.topics import TOPICS
from memctl.disk.settings_table import HQ_SETTINGS, SETTINGS
from memctl.errors import ExitCode
from memctl.output.completions import Option
from tests.stores import CODE

PAGE = Path(CODE) / "man" / "memctl.1"
SPEC = program_spec()
OWN = {command.names[0]: command.options for command in SPEC.commands}
EVERYWHERE = (*SPEC.everywhere, *SPEC.program)


def names(options: tuple[Option, ...]) -> dict[str, bool]:
    """Return the names of options, each with whether it takes a value."""
    return {name: option.values is not None for option in options for name in option.names}


def part(title: str) -> str:
    """Return a section of the page, or a command's part, without its title."""
    found = re.search(
        rf"^\.S[hs] {re.escape(title)}\n(.*?)(?=^\.S[hs] |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL
    )
    assert found, f"the page has no {title}"
    return found.group(1)


def items(text: str) -> dict[str, bool]:
    """Return the options that are explained in a text, each with whether it has a value there."""
    found = {}
    for line in re.findall(r"^\.It (Fl .*)$", text, re.MULTILINE):
        flags, _, value = line.partition(" Ar ")
        found |= dict.fromkeys((f"-{name}" for name in re.findall(r"Fl (\S+)", flags)), bool(value))
    return found


def problems(line: str) -> Iterator[str]:
    """Yield what the program does not know of a command line that begins with `memctl`: commands and options."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = []
    for word in lexer:
        if not set(word) - set("|&;<>()"):
            break
        words.append(word)
    known = names(EVERYWHERE)
    command = ""
    skip = False
    for word in words[1:]:
        if skip:
            skip = False
        elif word == "--":
            return
        elif word.startswith("--"):
            name, equals, _ = word.partition("=")
            if name not in known:
                yield f"{command} has no {name}"
            skip = known.get(name, False) and not equals
        elif word.startswith("-") and word != "-":
            yield from (f"{command} has no -{letter}" for letter in word[1:] if f"-{letter}" not in known)
            skip = known.get(f"-{word[-1]}", False)
        elif not command:
            command = ALIASES.get(word, word)
            if command not in BY_NAME:
                yield f"no command {word}"
                return
            known |= names(OWN[command])


@pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")
def test_mandoc_finds_nothing_wrong() -> None:
    answer = subprocess.run(
        ["mandoc", "-Tlint", "-W", "warning", str(PAGE)], capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stdout) == (0, "")


def test_the_commands_of_the_page_are_those_of_the_program_in_their_order() -> None:
    found = re.findall(r"^\.Ss (.*)$", PAGE.read_text(), re.MULTILINE)
    assert found == [entry.name for entry in COMMANDS]


@pytest.mark.parametrize("command", [entry.name for entry in COMMANDS])
def test_each_option_of_a_command_stands_under_it(command: str) -> None:
    assert items(part(command)) == names(OWN[command])


def test_the_options_that_stand_everywhere_have_a_section() -> None:
    assert items(part("OPTIONS")) == names(EVERYWHERE)


def test_no_option_is_mentioned_that_the_program_does_not_have() -> None:
    mentioned = {f"-{name}" for name in re.findall(r"\bFl ([\w-]+)", PAGE.read_text())}
    known = {name for options in (*OWN.values(), EVERYWHERE) for name in names(options)}
    assert mentioned <= known


def test_the_command_lines_of_the_examples_are_right() -> None:
    text = part("EXAMPLES").replace("\\-", "-").replace("\\e", "\\")
    lines = [match for line in text.splitlines() for match in re.findall(r"^(?:[\d* ]+)?(memctl .*)", line.strip())]
    assert len(lines) >= 6
    assert [problem for line in lines for problem in problems(line)] == []


def test_each_variable_stands_under_environment() -> None:
    documented = {
        name for line in re.findall(r"^\.It Ev (.*)$", part("ENVIRONMENT"), re.MULTILINE) for name in line.split(" , ")
    }
    assert {setting.variable for setting in SETTINGS if setting.variable} <= documented
    read = {
        name
        for path in (Path(CODE) / "memctl").rglob("*.py")
        for name in re.findall(
            r"\b(?:MEMCTL_[A-Z_]+[A-Z]|DASH_HOME|NO_COLOR|FORCE_COLOR|XDG_[A-Z_]+)\b", path.read_text()
        )
    }
    assert read <= documented


def test_each_setting_is_named_with_its_variable_and_under_config() -> None:
    for setting in SETTINGS:
        assert f".It Ev {setting.variable}\n.Pq Cm {setting.key}\n" in part("ENVIRONMENT")
    for key in (setting.key for setting in (*SETTINGS, *HQ_SETTINGS)):
        assert re.search(rf"\b{key}\b", part("config"))


def test_each_exit_code_stands_under_exit_status() -> None:
    found = [int(code) for code in re.findall(r"^\.It (\d+)$", part("EXIT STATUS"), re.MULTILINE)]
    assert found == [int(code) for code in ExitCode]


def test_each_topic_of_the_help_is_named() -> None:
    assert [topic for topic in TOPICS if topic not in part("help")] == []


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("memctl list -A --type=user -t user -rt user x | cat --no-such", []),
        ("memctl ls --root /tmp -- --no-such", []),
        ("memctl --root list show x && foo --bar", []),
        ("memctl list --no-such", ["list has no --no-such"]),
        ("memctl list -nx", ["list has no -n", "list has no -x"]),
        ("memctl frob --all", ["no command frob"]),
    ],
)
def test_a_wrong_command_line_is_noticed(line: str, expected: list[str]) -> None:
    assert list(problems(line)) == expected
