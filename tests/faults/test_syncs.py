"""R4 and R5: where the system cannot make bytes durable, or takes only a part of them, nothing is lost or kept quiet."""

from __future__ import annotations

import os
import re

import pytest

from tests.faults.commands import CASES
from tests.faults.conftest import Figures, Trials, count
from tests.faults.injecting import spread

_IN_TURN = ("demo", "import-legacy", "remember several", "prune --orphans")
SYNCS = ("fsync", "fdatasync")


@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_made_durable_is_not_done_or_said_not_to_be(trials: Trials, figures: Figures, name: str) -> None:
    """All syncs: there are few. Of a temp file, the old one stays; of a directory, the new one stands, and it is said."""
    trial = trials(name)
    points = trial.points(SYNCS)
    chosen = spread(points, count(1000, cases=len(CASES), least=2), trial.turn)
    durable = 0
    for point in chosen:
        ended = trial.meet(point, "error=EIO")
        if "(INJECTED)" not in ended.log:
            trial.say(point, f"the error did not come: {ended}")
        now = trial.judge_now(point)
        at = re.search(r"<(.*?)>", point.line)
        assert at is not None
        if os.path.isdir(at[1]) and not at[1].endswith("/state"):
            durable += 1
            if ended.code != 74 or "but not durable yet: input/output error" not in ended.err:
                trial.say(point, f"it does not say that it is not durable: {ended}")
            # Where a step counts on the one before it, the first that is not durable is the last.
            if now.kept != trial.judge.new.kept and name not in _IN_TURN:
                trial.say(point, "it does not stand")
        elif "/state" not in point.line and ended.code != 74:
            trial.say(point, f"it does not say that it failed: {ended}")
        if "Traceback" in ended.err or now.temps:
            trial.say(point, f"left {now.temps}: {ended}")
        trial.judge_later(point)
    figures("R4 syncs", points=len(chosen), of_calls=len(points), of_directories=durable, wrong=len(trial.wrong))
    assert not trial.wrong, "\n".join(trial.wrong)


# Each write takes so many bytes, and says so: strace could only pretend, and the bytes would be gone.
SHORT = "import os; whole = os.write; os.write = lambda file, data: whole(file, bytes(data)[:{}])"


@pytest.mark.parametrize("name", CASES)
def test_short_writes_are_finished(trials: Trials, figures: Figures, name: str) -> None:
    trial = trials(name)
    sizes = [7, 1, 100][: count(50, cases=len(CASES))]
    writes = 0
    for size in sizes:
        ended = trial.runner.traced(trial.world, *trial.world.words, trace=["write"], prepare=SHORT.format(size))
        writes += len(re.findall(rf"^write\(\d+<[^>]*/\.memctl-\w+>.* = {size}$", ended.log, re.MULTILINE))
        if ended.code != 0 or trial.world.tree().kept != trial.judge.new.kept:
            trial.say(f"{size} bytes a write", ended)
        trial.judge_later(f"{size} bytes a write")
    figures("R5 short writes", points=len(sizes), short_writes=writes, wrong=len(trial.wrong))
    assert not trial.wrong, "\n".join(trial.wrong)
    assert writes or name.startswith(("clear @user", "delete", "history", "remember", "redo")), "no write was short"


@pytest.mark.parametrize("limit", [1000, 1500, 1900])
def test_a_write_that_ends_short_for_good_keeps_the_old_file(trials: Trials, figures: Figures, limit: int) -> None:
    """The kernel takes a part of the file, then none: it may have no more than so many bytes."""
    trial = trials("edit description")
    prepare = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))"
    ended = trial.runner.traced(trial.world, *trial.world.words, "--no-history", trace=["write"], prepare=prepare)
    assert re.search(rf"^write\(\d+<.*/\.memctl-\w+>.* = {limit}$", ended.log, re.MULTILINE)
    assert "EFBIG" in ended.log
    assert (ended.code, trial.world.tree()) == (74, trial.world.first)
    assert "file too large" in ended.err
    figures("R5 short writes", points=1, cut_off=1)
