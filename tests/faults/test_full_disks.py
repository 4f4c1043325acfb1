"""R6: a disk that is really full, has no inode left, or turned read-only keeps every file, and the command says so."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.commands import CASES
from tests.faults.conftest import Figures, count, need
from tests.faults.injecting import Runner
from tests.faults.test_errors import CODES, speaks
from tests.faults.trial import Trial
from tests.stores import needs_root

PAGE = 4096


class Disk:
    """A small file system, which can be filled to the last bytes or inodes, and turned read-only."""

    def __init__(self, place: Path) -> None:
        self.place = place
        place.mkdir(exist_ok=True)
        _mount("-t", "tmpfs", "-o", "size=2m,nr_inodes=300", "none", str(place))
        self._filler = place / "filler"

    def fill(self, left: int) -> None:
        """Leave so many pages free."""
        with self._filler.open("wb", buffering=0) as file:
            free = os.statvfs(self.place).f_bavail - left
            file.write(b"x" * (PAGE * free))
        assert os.statvfs(self.place).f_bavail == left

    def use_inodes(self, left: int) -> None:
        """Leave so many inodes free."""
        self._filler.mkdir()
        for number in range(os.statvfs(self.place).f_favail - left):
            (self._filler / str(number)).touch()
        assert os.statvfs(self.place).f_favail == left

    def forbid(self, _left: int) -> None:
        """Turn it read-only."""
        _mount("-o", "remount,ro", str(self.place))

    def free(self) -> None:
        """Take all that away."""
        _mount("-o", "remount,rw", str(self.place))
        if self._filler.is_dir():
            for path in self._filler.iterdir():
                path.unlink()
            self._filler.rmdir()
        self._filler.unlink(missing_ok=True)

    def end(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.place)], check=True, capture_output=True)


def _mount(*words: str) -> None:
    done = subprocess.run(["mount", *words], capture_output=True, timeout=60)
    if done.returncode != 0:
        raise PermissionError(done.stderr.decode().strip())


@pytest.fixture
def disks(tmp_path: Path) -> Iterator[tuple[Disk, Disk]]:
    """Give a disk for a world, and one for the history in it."""
    need("mount")
    made: list[Disk] = []
    try:
        made.append(Disk(tmp_path / "disk"))
        (tmp_path / "disk/world/state").mkdir(parents=True)
        made.append(Disk(tmp_path / "disk/world/state"))
        # memctl gives its directory no mode that it has not made.
        (tmp_path / "disk/world/state").chmod(0o700)
        yield made[0], made[1]
    except PermissionError as error:
        pytest.skip(f"file systems cannot be mounted here: {error}")
    finally:
        for disk in reversed(made):
            disk.end()


FAULTS = {"full": "ENOSPC", "no inodes": "ENOSPC", "read-only": "EROFS"}


@needs_root
@pytest.mark.parametrize("kind", FAULTS)
@pytest.mark.parametrize("name", CASES)
def test_a_full_or_read_only_disk_keeps_every_file_and_is_said(
    runner: Runner, disks: tuple[Disk, Disk], tmp_path: Path, figures: Figures, name: str, kind: str
) -> None:
    trial = Trial(runner, tmp_path / "disk", name)
    points = met = 0
    lefts = [0] if kind == "read-only" else [0, 1, 2, 3, 6][: count(5)]
    for disk, where in zip(disks, ("stores", "history"), strict=True):
        for left in lefts:
            what = f"{kind}, {left} left, {where}"
            do = {"full": disk.fill, "no inodes": disk.use_inodes, "read-only": disk.forbid}[kind]
            do(left)
            ended = runner.traced(trial.world, *trial.world.words)
            now = trial.judge_now(what)
            disk.free()
            points += 1
            # What looks first whether it may write says so without trying.
            met += FAULTS[kind] in ended.log or (ended.code != 0 and kind == "read-only")
            if ended.code not in CODES or "Traceback" in ended.err:
                trial.say(what, f"it ended with {ended._replace(log='')}")
            if ended.code == 0 and now.kept != trial.judge.new.kept:
                trial.say(what, "it says that all was done, and it was not")
            if ended.code and not speaks(ended.err):
                trial.say(what, f"it does not say what is wrong: {ended.err}")
            if now.temps and kind != "read-only":
                trial.say(what, f"left {now.temps}")
            trial.judge_later(what)
    # What only removes files may need no room beside them; but the history always does.
    if not met:
        trial.say(kind, "no run met it")
    figures(f"R6 {kind}", points=points, met=met, wrong=len(trial.wrong))
    assert not trial.wrong, "\n".join(trial.wrong)
