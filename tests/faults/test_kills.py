"""R1: a command that is killed at any call leaves each file wholly old or new, and the next command mends the rest."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.faults.commands import CASES, World, judged, judged_again
from tests.faults.conftest import Figures, count
from tests.faults.injecting import CHANGING, Runner, spread

MEND = ("reindex", "bot", "helper", "empty", "--wait", "0")


@pytest.mark.parametrize("name", CASES)
def test_after_a_kill_each_file_is_old_or_new_the_next_command_mends_and_undo_works(
    tmp_path: Path, runner: Runner, figures: Figures, name: str
) -> None:
    case = CASES[name]
    world = World(tmp_path / "world", case)
    judge = judged(world)
    twice = judged_again(world, judge)
    points = runner.points(world, CHANGING)
    wrong = []
    chosen = spread(points, count(1000, cases=len(CASES), least=2), list(CASES).index(name))
    for point in chosen:
        ended = runner.traced(
            world, *world.words, trace=[point.call], inject=f"{point.call}:signal=KILL:when={point.number}"
        )
        if ended.code != -signal.SIGKILL or "+++ killed by SIGKILL +++" not in ended.log:
            wrong.append(f"{point}: the kill did not come: {ended}")
        killed = world.tree()
        if broken := judge.broken(killed):
            wrong.append(f"{point}: broken: {broken}")

        again = runner.run(world, *world.words)
        if again.code not in case.again or "Traceback" in again.err:
            wrong.append(f"{point}: run again: {again}")
        mended = runner.run(world, *MEND)
        now = world.tree()
        if mended.code != 0 or now.temps:
            wrong.append(f"{point}: mended: {mended}, left {now.temps}")
        if again.code == 2:  # demo writes only to a directory that is empty
            if now.kept != killed.kept:
                wrong.append(f"{point}: refused, and yet it changed {changed(now.stores, killed.stores)}")
        elif twice.broken(now) if not case.same else now.kept != judge.new.kept:
            wrong.append(f"{point}: run again, it leaves {changed(now.stores, judge.new.stores)}")

        if case.back:
            world.restore(killed)
            back = runner.run(world, *case.back.split())
            now = world.tree()
            if back.code not in (0, 66) or now.kept != judge.old.kept:
                wrong.append(f"{point}: {case.back}: {back}, leaves {changed(now.stores, judge.old.stores)}")
        world.restore()
    figures("R1 kills", points=len(chosen), of_calls=len(points), wrong=len(wrong))
    assert not wrong, "\n".join(wrong)


def changed(now: dict[str, bytes], wanted: dict[str, bytes]) -> dict[str, object]:
    return {
        name: (now.get(name), wanted.get(name))
        for name in sorted(now.keys() | wanted.keys())
        if now.get(name) != wanted.get(name)
    }
