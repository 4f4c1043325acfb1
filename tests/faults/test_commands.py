"""The table of commands that write is whole, and each of its worlds is what the others count on."""

from __future__ import annotations

import importlib
import inspect
from pathlib import Path

import pytest

from memctl.cli.commands import COMMANDS
from tests.faults.commands import CASES, READING, World, judged
from tests.faults.injecting import ForkedWorld, Runner


def test_every_command_that_writes_is_in_the_table() -> None:
    writing = {command.name for command in COMMANDS} - READING
    words = [case.words.removeprefix("--user-memory new/memory.md ") for case in CASES.values()]
    assert {word.split()[0] for word in words} == writing


def test_what_is_said_to_read_has_nothing_to_try_without_effect() -> None:
    for command in COMMANDS:
        function = getattr(importlib.import_module(f"memctl.cli.{command.module}"), command.function)
        options = set(inspect.signature(function).parameters)
        assert bool(options & {"dry_run", "forget"}) is (command.name not in READING), command.name


@pytest.mark.parametrize("name", CASES)
def test_each_command_changes_its_world_and_can_be_taken_back(runner: Runner, tmp_path: Path, name: str) -> None:
    case = CASES[name]
    world = ForkedWorld(runner, tmp_path / "world", case)
    judge = judged(world)
    assert world.tree() == world.first
    assert World.run(world, *world.words).returncode == 0
    assert world.tree().kept == judge.new.kept, "a fork does what a process does"
    world.restore()
    done = world.run(*world.words)
    assert (done.returncode, world.tree().temps) == (0, [])
    assert (judge.old.kept != judge.new.kept) or name.startswith("history")
    assert world.tree().kept == judge.new.kept
    assert world.tree().files != world.first.files
    if case.back:
        assert world.run(*case.back.split()).returncode == 0
        assert world.tree().kept == judge.old.kept
        world.restore()
        world.run(*world.words)
    again = world.run(*world.words)
    assert again.returncode in case.again, again.stderr
    assert (world.tree().kept == judge.new.kept) is case.same
