"""R1: a command that is killed at any call leaves each file wholly old or new, and the next command mends the rest."""

from __future__ import annotations

import signal

import pytest

from tests.faults.commands import CASES
from tests.faults.conftest import Figures, Trials, count
from tests.faults.injecting import CHANGING, spread


@pytest.mark.parametrize("name", CASES)
def test_after_a_kill_each_file_is_old_or_new_the_next_command_mends_and_undo_works(
    trials: Trials, figures: Figures, name: str
) -> None:
    trial = trials(name)
    points = trial.points(CHANGING)
    chosen = spread(points, count(1000, cases=len(CASES), least=2), trial.turn)
    for point in chosen:
        ended = trial.meet(point, "signal=KILL")
        if ended.code != -signal.SIGKILL or "+++ killed by SIGKILL +++" not in ended.log:
            trial.say(point, f"the kill did not come: {ended}")
        trial.judge_now(point)
        trial.judge_later(point)
    figures("R1 kills", points=len(chosen), of_calls=len(points), wrong=len(trial.wrong))
    assert not trial.wrong, "\n".join(trial.wrong)
