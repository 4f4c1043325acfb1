"""R2: a command that is told to end at any call does so with its code, leaves no temp file, and else as after a kill."""

from __future__ import annotations

from itertools import cycle

import pytest

from tests.faults.commands import CASES
from tests.faults.conftest import Figures, Trials, count
from tests.faults.injecting import CHANGING, spread

CODES = {"INT": 130, "TERM": 143, "HUP": 129}


@pytest.mark.parametrize("name", CASES)
def test_a_signal_ends_a_command_with_its_code_and_leaves_no_temp_file(
    trials: Trials, figures: Figures, name: str
) -> None:
    trial = trials(name)
    points = trial.points(CHANGING)
    chosen = spread(points, count(500, cases=len(CASES), least=2), trial.turn)
    signals = cycle(CODES)
    for _ in range(trial.turn % len(CODES)):
        next(signals)
    for point, name_of_signal in zip(chosen, signals, strict=False):
        what = f"{name_of_signal} at {point}"
        ended = trial.meet(point, f"signal={name_of_signal}")
        if not ended.fired:
            trial.say(what, f"the signal did not come: {ended}")
        now = trial.judge_now(what)
        if ended.code != CODES[name_of_signal]:
            trial.say(what, f"it ended with {ended}")
        if now.temps or "Traceback" in ended.err:
            trial.say(what, f"left {now.temps}: {ended}")
        trial.judge_later(what)
    figures("R2 signals", points=len(chosen), of_calls=len(points), wrong=len(trial.wrong))
    assert not trial.wrong, "\n".join(trial.wrong)
