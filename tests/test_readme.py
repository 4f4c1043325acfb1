from __future__ import annotations

import re
from pathlib import Path

import pytest

from memctl.cli.commands import COMMANDS
from tests.stores import CODE
from tests.test_man import problems

README = Path(CODE) / "README.md"


def command_lines() -> list[str]:
    """Return the lines of the fenced code blocks that begin with `memctl` or `$ memctl`, continued lines as one."""
    blocks = re.findall(r"^ *(```+|~~~+)[^\n]*\n(.*?)^ *\1 *$", README.read_text(), re.MULTILINE | re.DOTALL)
    lines = [line for _, block in blocks for line in block.replace("\\\n", " ").splitlines()]
    return [found.group(1) for line in lines if (found := re.match(r"\s*(?:\$ )?(memctl(?: .*)?)$", line))]


@pytest.mark.parametrize("command", [entry.name for entry in COMMANDS])
def test_each_command_stands_in_the_readme(command: str) -> None:
    assert re.search(rf"(?:memctl |`){re.escape(command)}(?![\w-])", README.read_text())


def test_each_command_line_of_the_readme_is_right() -> None:
    lines = command_lines()
    assert lines
    assert [problem for line in lines for problem in problems(line)] == []


def test_ci_runs_the_second_command_exactly_as_the_readme_has_it() -> None:
    (command,) = [line for line in README.read_text().splitlines() if line.endswith("-m pytest -n 2 --cov")]
    assert (Path(CODE) / ".ci" / "run").read_text().splitlines()[-1] == command
