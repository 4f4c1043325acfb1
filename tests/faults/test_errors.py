"""R3 and R4: whatever call fails, the old file is kept or the new one whole, and the command says so in its words."""

from __future__ import annotations

import re
from itertools import cycle

import pytest

from tests.faults.commands import CASES
from tests.faults.conftest import Figures, Trials, count
from tests.faults.injecting import CALLS, Ended, Point, spread
from tests.faults.trial import Trial

ERRNOS = ("ENOSPC", "EIO", "EACCES", "EDQUOT", "EROFS", "EMFILE")
# Done in spite of it, input or output, changed or in use, no permission, no place for the history.
CODES = {0, 74, 75, 77, 78}


@pytest.mark.parametrize("name", CASES)
def test_an_error_of_any_call_keeps_the_old_or_gives_the_new_and_is_said_in_a_line(
    trials: Trials, figures: Figures, name: str
) -> None:
    trial = trials(name)
    points = trial.points(CALLS)
    chosen = spread(points, count(1000, cases=len(CASES), least=2), trial.turn)
    errnos = cycle(ERRNOS)
    for _ in range(trial.turn % len(ERRNOS)):
        next(errnos)
    for point, errno_name in zip(chosen, errnos, strict=False):
        meet(trial, point, errno_name)
    figures("R3 errors", points=len(chosen), of_calls=len(points), wrong=len(trial.wrong))
    assert not trial.wrong, "\n".join(trial.wrong)


def meet(trial: Trial, point: Point, errno_name: str) -> Ended:
    what = f"{errno_name} at {point}"
    ended = trial.meet(point, f"error={errno_name}")
    if "(INJECTED)" not in ended.log:
        trial.say(what, f"the error did not come: {ended}")
    now = trial.judge_now(what)
    if ended.code not in CODES or "Traceback" in ended.err:
        trial.say(what, f"it ended with {ended}")
    if ended.code == 0:
        if now.kept != trial.judge.new.kept:
            trial.say(what, "it says that all was done, and it was not")
    elif not speaks(ended.err) and "streams.err" not in point.line:
        trial.say(what, f"it does not say what is wrong: {ended}")
    if now.temps and not point.call.startswith("unlink"):
        trial.say(what, f"left {now.temps}: {ended}")
    trial.judge_later(what)
    return ended


def speaks(text: str) -> bool:
    """Return whether a command said what is wrong, in lines that are each whole."""
    return re.search(r"^memctl: error: \S.*[^.\n]$", text, re.MULTILINE) is not None
