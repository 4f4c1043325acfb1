"""How many points of each fault are tried, the tools that they want, and the figures at the end."""

from __future__ import annotations

import json
import math
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from tests.faults.forked import Forking
from tests.faults.injecting import Runner
from tests.faults.trial import Trial

# MEMCTL_FAULTS: `full` for the counts of the fault suite, `all` for every point there is, else a share: N of 20 parts.
WHOLE = 20
# Read at once: a test has no variable of memctl's.
ASKED = os.environ.get("MEMCTL_FAULTS", "1")


def share() -> float:
    """Return which part of the full counts is tried; infinite for all that there is."""
    if ASKED == "all":
        return math.inf
    return 1.0 if ASKED == "full" else float(ASKED) / WHOLE


def count(full: int, *, cases: int = 1, least: int = 1) -> int:
    """Return how many points each of some cases gets where all of them together have `full` in a full run."""
    part = share()
    return sys.maxsize if part == math.inf else max(least, math.ceil(full * part / cases))


def need(tool: str) -> None:
    """Skip a test for which a tool is missing; in CI, which installs the tools, that is a failure."""
    if shutil.which(tool) is None:
        without(f"there is no {tool}")


def without(why: str) -> None:
    """Skip a test, or fail it in CI, where nothing may be missing."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{why}, and CI has to have it")
    pytest.skip(why)


@pytest.fixture(scope="session")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    """Give what runs memctl under strace."""
    need("strace")
    with Runner(tmp_path_factory.mktemp("runner")) as given:
        try:
            given.probe()
        except PermissionError as error:
            without(f"strace may not trace here: {error}")
        yield given


@pytest.fixture(scope="session")
def forking() -> Iterator[Forking]:
    """Give what runs memctl in forks of a process that has imported it."""
    with Forking() as given:
        yield given


Trials = Callable[[str], Trial]


@pytest.fixture(scope="session")
def trials(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Trials:
    """Give a function that returns the trial of a command, made once and used by all tests."""
    made: dict[str, Trial] = {}
    place = tmp_path_factory.mktemp("trials")

    def give(name: str) -> Trial:
        trial = made.get(name) or Trial(runner, place / str(len(made)), name)
        made[name] = trial
        trial.world.restore()
        trial.wrong = []
        return trial

    return give


Figures = Callable[..., None]


@pytest.fixture
def figures(record_property: Callable[[str, object], None]) -> Figures:
    """Give a function that adds to the figures which are shown at the end: `figures("R1", points=1, lost=0)`."""

    def add(rule: str, **numbers: int) -> None:
        record_property("faults", json.dumps([rule, numbers]))

    return add


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show the figures of all tests, of each worker."""
    sums: dict[str, Counter[str]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "call":
                for name, value in report.user_properties:
                    if name == "faults":
                        rule, numbers = json.loads(value)
                        there = sums.setdefault(rule, Counter())
                        for key, number in numbers.items():
                            there[key] = max(there[key], number) if key.startswith("slowest") else there[key] + number
    if sums:
        terminalreporter.write_sep("-", f"faults (MEMCTL_FAULTS={ASKED})")
        for rule in sorted(sums, key=lambda rule: (len(rule.split()[0]), rule)):
            words = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in sums[rule].items())
            terminalreporter.write_line(f"{rule}: {words}")
