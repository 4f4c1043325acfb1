"""Many writers at once, one of them the HQ's kind, and readers beside them (R7, R7b, R9)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.running import environment
from tests.faults.conftest import Figures, count, share
from tests.faults.ledger import MUST_BE_ZERO
from tests.stores import CODE


def stress(*options: object) -> dict[str, int]:
    """Run the stress command, and return its figures; what went wrong is in the failure."""
    command = [sys.executable, "-m", "tests.faults.stress", *map(str, options)]
    done = subprocess.run(command, capture_output=True, env=environment(), cwd=CODE, timeout=3600, text=True)
    figures = {}
    for line in done.stdout.splitlines():
        number, _, name = line.strip().partition("  ")
        figures[name] = int(number)
    assert figures, done.stderr
    wrong = {name: figures[name] for name in MUST_BE_ZERO if figures[name]}
    assert not wrong, done.stderr
    assert done.returncode == 0
    return figures


def has_leases(folder: Path) -> bool:
    """Return whether the file system of a folder has leases, without which the comparison stands alone."""
    fcntl = pytest.importorskip("fcntl")
    path = folder / "leased"
    path.touch()
    with path.open("rb") as file:
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except (AttributeError, OSError):
            return False
    return True


def few(full: int) -> int:
    """Return how many operations are tried: 16 at once are slow, so a default run has fewer than its share."""
    return count(full) if share() >= 1 else max(160, count(full) // 3)


def told(numbers: dict[str, int], *names: str) -> dict[str, int]:
    """Return some of the figures."""
    return {name: numbers.get(name, 0) for name in names}


def test_writers_at_once_lose_nothing_and_readers_see_nothing_torn(figures: Figures) -> None:
    numbers = stress("--operations", few(10_000), "--reads", few(10_000))
    assert numbers["done"] > numbers["operations"] / 2
    assert numbers["links of the chains"] > numbers["operations"] / 4
    figures("R7", **told(numbers, "operations", "done", "refused (75)", *MUST_BE_ZERO[:5], "links of the chains"))
    figures("R9", **told(numbers, "reads", "reads that failed", "torn reads"))


def test_a_write_of_the_hq_on_the_same_name_stands_or_is_kept(figures: Figures, tmp_path: Path) -> None:
    numbers = stress("--same", "--operations", few(5_000), "--reads", count(1_000, least=20))
    assert numbers["writes of the HQ while its memory was replaced"] > numbers["replaces"] / 4
    assert numbers["caught by comparison"] > 0
    if has_leases(tmp_path):
        assert numbers["caught by the lease, while held"] > 0
        assert numbers["writes of the HQ that slipped"] == 0
    names = [name for name in numbers if "HQ" in name or "caught" in name or name in ("replaces", "done")]
    figures("R7b", **told(numbers, *names))


def test_the_judge_of_a_stress_run_sees_what_is_lost(tmp_path: Path) -> None:
    # Where leases are not to be had, a write into a file that was just replaced slips; here one is made to.
    from tests.faults.hq_writer import text_of
    from tests.faults.ledger import judge
    from tests.faults.stress import OURS, Place

    place = Place(tmp_path)
    names = [f"m-{at:03}" for at in range(OURS)]
    first = place.fill(names)
    (place.logs / "hq").write_text(json.dumps(["m-001", "slipped", "", False]) + "\n")
    environ = {**environment(), **place.env}
    for words in (["edit", "aaaa1111/m-000", "--description", "token one"], ["remember", "note x end-x"]):
        subprocess.run([sys.executable, "-m", "memctl", *words], check=True, capture_output=True, env=environ)
    run = {"words": ["remember", "note x end-x"], "code": 0, "said": "", "token": "x"}
    (place.logs / "writer-0").write_text(json.dumps(run) + "\n")
    assert judge(place, first, same=False)["lost updates of memctl"] == 0
    assert judge(place, first, same=True)["writes of the HQ that slipped"] == 1
    (place.agent / "m-000.md").write_bytes(text_of("m-000", "another"))
    (place.path / "home/.deepseek/memory.md").write_bytes(b"- (2026-11-30 12:00 UTC) note x en\n")
    (place.agent / ".memctl-0011223344556677").touch()
    (place.agent / "m-002.md").unlink()
    wrong = judge(place, first, same=False)
    assert (wrong["lost updates of memctl"], wrong["lost notes"]) == (2, 2)
