"""R8: a writer that is killed while it holds the lock lets the next one go on at once, and leaves it nothing half done."""

from __future__ import annotations

import signal
import time

import pytest

from tests.faults.commands import CASES
from tests.faults.conftest import Figures, Trials, count
from tests.faults.injecting import CHANGING, spread
from tests.faults.trial import MEND

# Well below the ten seconds that a lock is waited for, and above what a busy machine needs.
AT_ONCE = 5.0

LOCKING = [name for name in CASES if not name.startswith(("demo", "history"))]


@pytest.mark.parametrize("name", LOCKING)
def test_the_lock_of_a_dead_writer_is_free_at_once(trials: Trials, figures: Figures, name: str) -> None:
    trial = trials(name)
    world = trial.world
    points = trial.points(CHANGING)
    held = [at for at, point in enumerate(points) if point.call == "flock"]
    assert held, "it takes no lock"
    chosen = spread(points[held[0] + 1 :], count(200, cases=len(LOCKING)), trial.turn)
    next_words = trial.case.next.split() or list(MEND[:-2])
    waited = 0
    slowest = 0.0
    for point in chosen:
        first = trial.runner.begin(
            world, *world.words, trace=[point.call], inject=f"{point.call}:signal=STOP:when={point.number}"
        )
        first.wait_for_stop()
        trial.judge_now(point)
        second = trial.runner.begin(world, *next_words, "--wait", "10")
        waited += second.waits()
        first.kill()
        begun = time.monotonic()
        ended = second.end()
        slowest = max(slowest, time.monotonic() - begun)
        if first.end().code != -signal.SIGKILL:
            trial.say(point, "the first was not killed")
        if ended.code not in (0, 66) or time.monotonic() - begun > AT_ONCE:
            trial.say(point, f"the second ended after {time.monotonic() - begun:.1f} s with {ended}")
        world.restore()
    slowest_ms = int(slowest * 1000)
    figures("R8 dead holders", points=len(chosen), waited_for=waited, wrong=len(trial.wrong), slowest_ms=slowest_ms)
    assert not trial.wrong, "\n".join(trial.wrong)
