"""What the same faults do to others: the suite can fail, and tells by how much memctl is better than what people use."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.faults.conftest import Figures, Trials, need
from tests.faults.injecting import CHANGING, Point, write_phase
from tests.faults.test_full_disks import Disk
from tests.stores import memory, needs_root

# A memory that somebody wrote by hand: larger than a page, and than what a program writes at once.
OLD = memory(content="- staging first\n" * 800)
WORD = "production, unless somebody says"
NEW = OLD.replace(b"staging", WORD.encode())
TRUNCATE = """
import sys
with open(sys.argv[1], "rb") as file:
    data = file.read().replace(b"staging", sys.argv[2].encode())
with open(sys.argv[1], "wb") as file:
    file.write(data)
"""
PEERS: dict[str, Callable[[Path], list[str]]] = {
    "sed -i": lambda path: ["sed", "-i", f"s/staging/{WORD}/", str(path)],
    "a truncating writer": lambda path: [sys.executable, "-I", "-S", "-c", TRUNCATE, str(path), WORD],
}
# Whether a fault costs it bytes, by kills, by errors, on a full disk, by another writer.
LOSES = {"sed -i": (False, False, False, True), "a truncating writer": (True, True, True, True)}


class Peer:
    """A program that changes one file, run under strace like memctl."""

    def __init__(self, place: Path, name: str) -> None:
        self.folder = place
        self.file = place / "note.md"
        self.log = place.parent / f"{place.name}.log"
        self._command = PEERS[name](self.file)
        self.fresh()

    def fresh(self) -> None:
        self.folder.mkdir(exist_ok=True)
        for path in self.folder.iterdir():
            path.unlink()
        self.file.write_bytes(OLD)

    def run(self, trace: Sequence[str], inject: str = "") -> int:
        return self.begin(trace, inject).wait(timeout=60)

    def begin(self, trace: Sequence[str], inject: str = "") -> subprocess.Popen[bytes]:
        options = ["-qq", "-o", str(self.log), "-e", f"trace={','.join(trace)}", "-s", "0", "-y"]
        if inject:
            options += ["-e", f"inject={inject}"]
        return subprocess.Popen(["strace", *options, *self._command], stderr=subprocess.DEVNULL)

    def points(self) -> list[Point]:
        assert self.run(CHANGING) == 0
        assert self.file.read_bytes() == NEW
        self.fresh()
        return write_phase(self.log.read_text())

    def has_lost(self) -> bool:
        return not self.file.exists() or self.file.read_bytes() not in (OLD, NEW)

    def strays(self) -> int:
        return len(list(self.folder.iterdir())) - self.file.exists()


@pytest.mark.usefixtures("runner")  # for strace
@pytest.mark.parametrize("name", PEERS)
def test_a_kill_or_an_error_at_each_call_costs_others_bytes_or_leaves_strays(
    tmp_path: Path, figures: Figures, name: str
) -> None:
    peer = Peer(tmp_path / "folder", name)
    lost = {"KILL": 0, "ENOSPC": 0}
    strays = 0
    points = peer.points()
    for point in points:
        for fault in lost:
            inject = f"{point.call}:{'signal' if fault == 'KILL' else 'error'}={fault}:when={point.number}"
            code = peer.run([point.call], inject)
            assert code == -signal.SIGKILL if fault == "KILL" else "(INJECTED)" in peer.log.read_text(), point
            lost[fault] += peer.has_lost()
            strays += peer.strays() > 0
            peer.fresh()
    figures(
        f"peers: {name}",
        points=2 * len(points),
        lost_when_killed=lost["KILL"],
        lost_by_errors=lost["ENOSPC"],
        files_left_behind=strays,
    )
    assert (lost["KILL"] > 0, lost["ENOSPC"] > 0) == LOSES[name][:2]
    assert strays or name != "sed -i"


@needs_root
@pytest.mark.parametrize("name", PEERS)
def test_a_full_disk_costs_others_bytes(tmp_path: Path, figures: Figures, name: str) -> None:
    need("mount")
    try:
        disk = Disk(tmp_path / "disk")
    except PermissionError as error:
        pytest.skip(f"file systems cannot be mounted here: {error}")
    lost = points = 0
    try:
        for left in (0, 1, 2, 3):
            peer = Peer(tmp_path / "disk/folder", name)
            disk.fill(left)
            subprocess.run(PEERS[name](peer.file), capture_output=True, timeout=60)
            lost += peer.has_lost()
            points += 1
            disk.free()
    finally:
        disk.end()
    figures(f"peers: {name}", full_disks=points, lost_on_full_disks=lost)
    assert (lost > 0) is LOSES[name][2]


@pytest.mark.usefixtures("runner")
@pytest.mark.parametrize("name", PEERS)
def test_others_overwrite_what_was_written_while_they_worked(tmp_path: Path, figures: Figures, name: str) -> None:
    peer = Peer(tmp_path / "folder", name)
    last = next(point for point in reversed(peer.points()) if point.call.startswith(("rename", "openat", "write")))
    process = peer.begin([last.call], f"{last.call}:delay_enter=500000:when={last.number}")
    limit = time.monotonic() + 30
    while last.line.partition("(")[0] not in peer.log.read_text() if peer.log.exists() else True:
        assert time.monotonic() < limit
    time.sleep(0.1)
    peer.file.write_bytes(b"of another")
    process.wait(timeout=60)
    lost = peer.file.read_bytes() != b"of another"
    figures(f"peers: {name}", other_writers=1, others_overwritten=lost)
    assert lost is LOSES[name][3]


@pytest.mark.parametrize("name", ["edit description", "edit @user"])
def test_memctl_overwrites_nothing_that_was_written_while_it_worked(
    trials: Trials, figures: Figures, name: str
) -> None:
    trial = trials(name)
    world = trial.world
    file = world.place / ("home/.deepseek/memory.md" if "@" in name else "data/memory/aaaa1111/deploy.md")
    lost = 0
    points = [point for point in trial.points(("linkat", "renameat")) if file.name in point.line]
    assert points
    for point in points:
        process = trial.runner.begin(
            world, *world.words, trace=[point.call], inject=f"{point.call}:signal=STOP:when={point.number}"
        )
        process.wait_for_stop()
        # As the HQ writes: in place. It waits where there is a lease, so memctl goes on before it is at its end.
        with subprocess.Popen(["sh", "-c", f"printf another > '{file}'"], stderr=subprocess.DEVNULL) as other:
            time.sleep(0.05)
            process.go_on()
            ended = process.end()
        lost += other.returncode != 0 or file.read_bytes() != b"another"
        assert ended.code in (0, 75), ended
        world.restore()
    figures("peers: memctl", other_writers=len(points), others_overwritten=lost)
    assert lost == 0
