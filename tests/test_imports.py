"""What a command imports, and how often it asks the system: its cost, without a clock (DESIGN 9)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import MEMCTL, environment
from tests.stores import fill, memory

HEAVY = (
    "difflib", "frontmatter", "hashlib", "http", "importlib.metadata", "rapidfuzz", "rich", "shutil", "sqlite3",
    "tomlkit", "tomllib", "yaml",
)  # fmt: skip
# The smallest program that there can be beside memctl: one command, no output.
EMPTY = """
import sys, typer
app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
@app.command()
def empty() -> None:
    pass
app([], standalone_mode=False)
"""
MEMCTL_RUN = """
import sys
from memctl.cli.app import main
code = main(sys.argv[1:])
"""
TELL = "\nsys.stdout.flush(); print('\\n'.join(sys.modules), file=sys.stderr)"


def modules(code: str, *words: str) -> set[str]:
    """Return the modules that a Python program has imported at its end, its stdout being a pipe."""
    command = [sys.executable, "-c", code + TELL, *words]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(), check=True)
    return set(done.stderr.splitlines())


@pytest.fixture(scope="module")
def baseline() -> set[str]:
    return modules(EMPTY)


@pytest.mark.parametrize(
    "words",
    [
        ["--version"],
        ["list"],
        ["list", "--json"],
        ["list", "--addresses"],
        ["show", "1a2b3c4d/api-migration"],
        ["reindex", "-n", "--all"],
        ["check", "billing-bot"],
        ["check", "billing-bot", "e4d81b36", "--json"],
    ],
    ids=" ".join,
)
def test_nothing_heavy_is_imported(demo: Path, baseline: set[str], words: list[str]) -> None:
    found = modules(MEMCTL_RUN, *words) - baseline
    assert {name for name in found for heavy in HEAVY if name == heavy or name.startswith(f"{heavy}.")} == set()


def test_the_version_imports_no_command(demo: Path) -> None:
    found = modules(MEMCTL_RUN, "--version")
    assert {
        name for name in found if name.startswith(("memctl.ops.", "memctl.output.plain", "memctl.cli.list"))
    } == set()


def test_a_command_imports_no_other_command(demo: Path) -> None:
    from memctl.cli.commands import COMMANDS

    found = modules(MEMCTL_RUN, "list")
    others = {f"memctl.cli.{command.module}" for command in COMMANDS} - {"memctl.cli.list"}
    assert found & others == set()


def system_calls(folder: Path, count: int) -> int:
    """Return how many system calls a list of `count` memories takes."""
    fill(folder / f"{count}/memory/a", {f"m{at:03}.md": memory(f"m{at:03}") for at in range(count)})
    summary = folder / f"{count}.txt"
    command = ["strace", "-c", "-f", "-o", str(summary), *MEMCTL, "--root", str(folder / str(count)), "list", "a"]
    done = subprocess.run(command, capture_output=True, env=environment())
    assert (done.returncode, done.stdout.count(b"\n")) == (0, count), done.stderr
    total = summary.read_text().splitlines()[-1].split()
    assert total[-1] == "total"
    return int(total[3])


def can_trace() -> bool:
    """Return whether strace is there and may be used."""
    if not shutil.which("strace"):
        return False
    return subprocess.run(["strace", "-c", "-o", os.devnull, "true"], capture_output=True).returncode == 0


@pytest.mark.skipif(not can_trace(), reason="strace is not there, or may not trace")
def test_a_further_memory_costs_five_system_calls_at_most(tmp_path: Path) -> None:
    assert (system_calls(tmp_path, 200) - system_calls(tmp_path, 40)) / 160 <= 5
