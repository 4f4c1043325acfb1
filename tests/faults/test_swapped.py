"""A directory that is swapped for a link while memctl runs leads nowhere (R11)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.commands import BOT, environment
from tests.faults.conftest import Figures, count
from tests.faults.everything import CODES
from tests.faults.forked import Ended, Forking
from tests.faults.shapes import CANARY, Shape, look_outside, make_outside, make_world
from tests.stores import NOBODY, needs_root, temp_files

# Where the swap is, what the link leads to, and whether the store is another user's, who swaps it.
LEVELS = {
    "an agent's directory": (BOT, "agent", False),
    "an agent's directory, another's": (BOT, "agent", True),
    "the memory folder, another's": ("data/memory", "memory", True),
    "the data folder, another's": ("data", "hq", True),
    "a workspace, another's": ("work/space", "space", True),
}
COMMANDS = (
    "list",
    "list bot --json",
    "show --raw bot/deploy",
    "reindex bot",
    "reindex --check --all",
    "edit bot/deploy --description new",
    "edit bot/* --touch",
    "delete -y bot/deploy",
    "delete -y bot/*",
    "clear -y bot",
    "prune -y --all --over 0 --no-floor --include-user-authored",
    "import-legacy empty",
    "import-legacy --all --force",
    "sweep-mode --hq-stopped bot on",
    "auto-memory --hq-stopped --all off",
    "undo -y",
    "redo -y",
)
BEFORE = {"undo -y": ["delete -y bot/deploy"], "redo -y": ["delete -y bot/deploy", "undo -y"]}


class Place(NamedTuple):
    """A world, and beside it what the link leads to."""

    world: Path
    outside: Path
    log: Path


def make(tmp_path: Path, forking: Forking, words: str, level: str) -> Place:
    """Build a world anew."""
    at, _, foreign = LEVELS[level]
    place = Place(tmp_path / "place", tmp_path / "outside", tmp_path / "log")
    for path in (place.world, place.outside):
        shutil.rmtree(path, ignore_errors=True)
    place.log.unlink(missing_ok=True)
    make_outside(place.outside)
    shutil.copytree(place.outside / "memory", place.outside / "hq/memory")
    shutil.copy(place.outside / "agents.json", place.outside / "hq")
    make_world(place.world, place.outside, Shape(lambda *_: None), foreign=foreign)
    if at.startswith("work"):
        for path in (place.world / at, place.world / at / "MEMORY.md"):
            os.chown(path, NOBODY, NOBODY)
    for before in BEFORE.get(words, []):
        run(forking, place, before)
    return place


def run(forking: Forking, place: Place, words: str, hook: list[object] | None = None) -> Ended:
    """Run memctl there, perhaps with a swap."""
    named = ("tests.faults.swapped:swap", hook) if hook else None
    return forking(*words.split(), env=environment(place.world), cwd=place.world / "work", hook=named, timeout=15)


def check(forking: Forking, tmp_path: Path, level: str, words: str, share: float, back: int) -> int:
    """Swap at one call of a command, judge what came of it, and return how often it was swapped."""
    at, to, foreign = LEVELS[level]
    place = make(tmp_path, forking, words, level)
    swap = [str(place.world), str(place.world / at), str(place.outside / to)]
    run(forking, place, words, [*swap, -1, 0, str(place.log)])
    calls = len(place.log.read_text().split())
    place = make(tmp_path, forking, words, level)
    before = look_outside(place.outside)
    ended = run(forking, place, words, [*swap, int(calls * share), back, str(place.log)])
    what = f"{words} swapped at {int(calls * share)} of {calls}, back after {back}: {ended}"
    assert "swapped" in place.log.read_text(), what
    assert look_outside(place.outside) == before, what
    assert ended.code in CODES, what
    assert not any(word in ended.err for word in ("Traceback", "bug in memctl")), what
    assert not foreign or CANARY not in ended.out + ended.err, what
    for directory in (place.world / "data").rglob("*"):
        assert not directory.is_dir() or directory.is_symlink() or not temp_files(directory), what
    return 1


@needs_root
@pytest.mark.parametrize("level", LEVELS)
def test_a_directory_that_is_swapped_for_a_link_leads_nowhere(
    forking: Forking, tmp_path: Path, figures: Figures, level: str
) -> None:
    number = count(200, cases=len(LEVELS), least=4)
    done = 0
    for at in range(number):
        words = COMMANDS[(at + len(level)) % len(COMMANDS)]
        share = (at * 0.618) % 1  # as far from one another as can be
        done += check(forking, tmp_path, level, words, share, back=(0, 1, 2, 5)[at % 4])
    figures("R11", swaps=done, outside_touched=0)
