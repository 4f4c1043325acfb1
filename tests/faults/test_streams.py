"""Streams that are closed, full or not read to their end: no traceback, 141 silent, 74 on a full device (R15)."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.running import shell
from tests.faults.commands import CASES, World, environment
from tests.faults.conftest import Figures, share
from tests.faults.everything import CHANGING, READING

ENDS = {
    "closed": ("{m} >&-", {74}),
    "a full device": ("{m} >/dev/full", {74}),
    "stderr is full": ("{m} 2>/dev/full", None),
    "both full": ("{m} >/dev/full 2>&1", {74}),
    "all closed": ("{m} <&- >&- 2>&-", {74}),
    "the first line alone": ("{m} | head -1; exit ${{PIPESTATUS[0]}}", None),
    "nobody reads": ("{m} | true; exit ${{PIPESTATUS[0]}}", None),
    "nobody reads any more": ("{{ sleep 0.5; {m}; }} | true; exit ${{PIPESTATUS[0]}}", {141}),
}
WORDS = tuple(dict.fromkeys((*READING, *CHANGING, "--help", "", *(f"{word.split()[0]} --help" for word in READING))))


def chosen() -> list[tuple[str, str]]:
    """Return pairs of an end and words: all in a full run, else each end with some."""
    pairs = [(end, words) for words in WORDS for end in ENDS]
    part = share()
    return pairs if part >= 1 else pairs[:: max(1, int(1 / (part * 1.5)))]


@pytest.mark.parametrize(("end", "words"), chosen())
def test_a_stream_that_ends_is_no_traceback(tmp_path: Path, figures: Figures, end: str, words: str) -> None:
    case = next((case for case in CASES.values() if case.words == words), CASES["delete"])
    run = shlex.join(["MEMCTL", *words.split()]).replace("MEMCTL", "$M", 1)
    world = World(tmp_path / "world", case)
    plain = shell(f"cd {world.cwd} && {run}", environment(world.place))
    shutil.rmtree(world.place)
    world = World(tmp_path / "world", case)
    line, codes = ENDS[end]
    done = shell(f"cd {world.cwd} && {line.format(m=run)}", environment(world.place))
    assert "Traceback" not in done.err + done.out
    assert "Exception ignored" not in done.err
    assert "bug in memctl" not in done.err
    if codes is None:
        codes = {plain.code, 141}
    elif not plain.out:
        codes = codes | {plain.code}  # it has nothing to write there
    assert done.code in codes, (done, plain)
    if done.code == 141:
        assert "error" not in done.err
    if done.code == 74 and end in ("closed", "a full device"):
        assert done.err.splitlines()[-1].startswith("memctl: error: cannot write to standard output: ")
    figures("R15", runs=1)
