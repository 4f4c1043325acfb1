"""What must hold after a fault, whatever it was: nothing half written, the next command goes on, and undo works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.faults.commands import CASES, Tree, judged, judged_again
from tests.faults.injecting import CALLS, Ended, ForkedWorld, Point, Runner

# It renders the indexes of the agents that the commands work on. No lock is left by a process that is gone.
MEND = ("reindex", "bot", "helper", "messy", "empty", "--wait", "0")
# Nobody works on what a killed demo leaves.
DEMO = "work/new/demo/"
ORDER = tuple(CASES)


class Trial:
    """A command of the table, which meets one fault after the other; `wrong` says what did not hold."""

    def __init__(self, runner: Runner, place: Path, name: str) -> None:
        self.runner = runner
        self.case = CASES[name]
        self.turn = ORDER.index(name)
        self.world = ForkedWorld(runner, place / "world", self.case)
        self.judge = judged(self.world)
        self.twice = judged_again(self.world, self.judge)
        self.wrong: list[str] = []
        self._points: list[Point] = []

    def points(self, calls: Sequence[str] = CALLS) -> list[Point]:
        """Return the calls of the command's write phase that are of these kinds."""
        self._points = self._points or self.runner.points(self.world)
        return [point for point in self._points if point.call in calls]

    def meet(self, point: Point, fault: str, *, prepare: str = "") -> Ended:
        """Run the command with a fault at a call: `signal=KILL`, `error=EIO`."""
        inject = f"{point.call}:{fault}:when={point.number}"
        return self.runner.traced(self.world, *self.world.words, trace=[point.call], inject=inject, prepare=prepare)

    def say(self, what: object, sentence: object) -> None:
        """Keep what did not hold."""
        self.wrong.append(f"{' '.join(self.world.words)}: {what}: {sentence}")

    def judge_now(self, what: object) -> Tree:
        """Hold that each file is as before the command, or as it makes it; return what is there."""
        now = self.world.tree()
        if broken := self.judge.broken(now):
            self.say(what, f"neither old nor new: {broken}")
        return now

    def judge_later(self, what: object) -> None:
        """Hold that the next command mends what is there, and that undo brings back what was; then restore the world."""
        case, world = self.case, self.world
        there = world.tree()
        again = self.runner.run(world, *world.words)
        if again.code not in case.again or "Traceback" in again.err:
            self.say(what, f"run again: {again}")
        mended = self.runner.run(world, *MEND)
        now = world.tree()
        if again.code == 2:  # demo writes only to a directory that is empty
            if now.kept != there.kept:
                self.say(what, f"refused, and yet it changed {changed(there, now)}")
        else:
            wrong: Mapping[str, object] = changed(self.judge.new, now) if case.same else self.twice.broken(now)
            if wrong.keys() - {case.lacking}:
                self.say(what, f"run again, it leaves {wrong}")
        if case.next:
            self.runner.run(world, *case.next.split())
        left = [name for name in world.tree().temps if not name.startswith(DEMO)]
        if mended.code != 0 or left:
            self.say(what, f"mended: {mended}, left {left}")
        if case.back:
            world.restore(there)
            back = self.runner.run(world, *case.back.split())
            now = world.tree()
            if back.code not in (0, 66) or now.kept != self.judge.old.kept:
                self.say(what, f"{case.back}: {back}, leaves {changed(self.judge.old, now)}")
        world.restore()


def changed(wanted: Tree, now: Tree) -> dict[str, object]:
    """Return the files that differ, with what they hold and what they should."""
    there, right = now.kept, wanted.kept
    return {
        name: (there.get(name), right.get(name))
        for name in sorted(there.keys() | right.keys())
        if there.get(name) != right.get(name)
    }
