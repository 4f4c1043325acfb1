"""Help: the overview, a command's options, the topics."""

from __future__ import annotations

import pytest

from memctl.cli.commands import ALIASES, COMMANDS, GROUPS
from memctl.cli.topics import TOPICS
from memctl.errors import ExitCode
from tests.conftest import Cli


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"], ["--help", "list"], ["-q", "--help"]])
def test_the_overview_is_printed_on_stdout(cli: Cli, words: list[str]) -> None:
    done = cli(*words)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("usage: memctl [--root DIR]... [-j] [-q] COMMAND ...\n")


def test_the_overview_has_each_command_in_its_group(cli: Cli) -> None:
    sections = dict(section.split(":\n", 1) for section in cli("help").out.split("\n\n") if ":\n" in section)
    for group in GROUPS:
        named = [line.split()[0] for line in sections[group].splitlines()]
        assert named == [command.name for command in COMMANDS if command.group == group]


def test_the_overview_is_no_wider_than_a_terminal(cli: Cli) -> None:
    assert max(map(len, cli("help").out.splitlines())) <= 80


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_a_command_shows_its_options(cli: Cli, command: str) -> None:
    done = cli(command, "--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"Usage: memctl {command} [OPTIONS]")


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_help_on_a_command_is_the_help_of_the_command(cli: Cli, command: str) -> None:
    assert cli("help", command).out == cli(command, "-h").out


@pytest.mark.parametrize(("alias", "command"), ALIASES.items())
def test_help_on_an_alias_is_that_of_its_command(cli: Cli, alias: str, command: str) -> None:
    assert cli("help", alias).out.startswith(f"Usage: memctl {command} ")


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_printed(cli: Cli, topic: str) -> None:
    assert cli("help", topic) == (0, TOPICS[topic], "")


def test_every_exit_code_is_in_the_topic(cli: Cli) -> None:
    text = cli("help", "exit-codes").out
    assert [code for code in ExitCode if str(int(code)) not in text] == []


@pytest.mark.parametrize(
    ("topic", "hint"),
    [
        ("lst", "did you mean 'memctl list'?"),
        ("xyzzy", "topics are addresses, exit-codes, policies, cron, safety"),
    ],
)
def test_an_unknown_topic_is_wrong_usage(cli: Cli, topic: str, hint: str) -> None:
    done = cli("help", topic)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"memctl: error: no help on '{topic}'\nmemctl: hint: {hint}\n"


@pytest.mark.parametrize(
    "command",
    [
        "clear",
        "remember",
        "delete",
        "edit",
        "prune",
        "reindex",
        "import-legacy",
        "sweep-mode",
        "auto-memory",
        "config",
        "demo",
    ],
)
def test_every_changing_command_has_a_dry_run(cli: Cli, command: str) -> None:
    assert "-n, --dry-run " in cli(command, "-h").out


@pytest.mark.parametrize("command", ["list", "prune", "reindex", "import-legacy", "sweep-mode", "auto-memory"])
@pytest.mark.parametrize("option", ["--jobs N ", "--shard K/N ", "-A, --all "])
def test_every_command_over_agents_has_all_jobs_and_shard(cli: Cli, command: str, option: str) -> None:
    assert option in cli(command, "-h").out
