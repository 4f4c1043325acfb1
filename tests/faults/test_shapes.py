"""What stands where memctl looks may be anything: nothing outside is read, written or removed, and nothing hangs (R10)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.commands import environment
from tests.faults.conftest import Figures, count, without
from tests.faults.everything import CHANGING, CODES, READING, missing
from tests.faults.forked import Forking
from tests.faults.shapes import CANARY, SHAPES, Shape, look_outside, make_outside, make_world

LIMIT = 10.0


class Tried(NamedTuple):
    """One command, whether in another user's store, and its exit code where that is pinned."""

    words: str
    foreign: bool
    code: str


def cases(shape: Shape) -> list[Tried]:
    """Return commands for a shape: half of them those that meet it, whose exit codes are pinned."""
    sides = [True] if shape.own else [False, True] if os.geteuid() == 0 and shape.in_data else [False]
    pinned = []
    for words, codes in zip(shape.words, shape.codes.split() or [""] * len(shape.words), strict=True):
        own, _, theirs = codes.partition("/")
        pinned += [Tried(words, side, (side and theirs) or own) for side in sides]
    rest = [Tried(words, side, "") for words in (*READING, *CHANGING) for side in sides if words not in shape.words]
    number = count(6_400, cases=len(SHAPES))
    at = list(SHAPES).index(next(title for title, one in SHAPES.items() if one is shape))
    first = spread(pinned, max(number // 2, number - len(rest)), at)
    return [*first, *spread(rest, number - len(first), at * 7)]


def spread(values: list[Tried], number: int, shift: int) -> list[Tried]:
    """Return some of the values, as far from one another as can be, others for each shift."""
    step = max(1.0, len(values) / max(1, number))
    return [values[int(at * step + shift) % len(values)] for at in range(min(number, len(values)))]


def test_every_command_is_tried() -> None:
    assert missing() == set()


@pytest.mark.parametrize("title", SHAPES)
def test_a_hostile_shape_leads_nowhere(forking: Forking, tmp_path: Path, figures: Figures, title: str) -> None:
    shape = SHAPES[title]
    if shape.root and os.geteuid() != 0:
        without("only root can make it")
    outside, place = tmp_path / "outside", tmp_path / "place"
    tried = 0
    for words, foreign, code in cases(shape):
        for path in (outside, place):
            shutil.rmtree(path, ignore_errors=True)
        make_outside(outside)
        make_world(place, outside, shape, foreign=foreign)
        before = look_outside(outside)
        ended = forking(*words.split(), env=environment(place), cwd=place / "work", timeout=LIMIT)
        tried += 1
        what = f"{words} ({'theirs' if foreign else 'own'}): {ended}"
        assert look_outside(outside) == before, what
        assert ended.code in ({int(code)} if code else CODES), what
        assert ended.err or ended.code in (0, 1), what
        assert not any(word in ended.err for word in ("Traceback", "bug in memctl", "\x1b")), what
        assert not foreign or shape.followed or CANARY not in ended.out + ended.err, what
    figures("R10", shapes=1, commands=tried, outside_touched=0, hangs=0)


def test_the_shapes_are_what_they_are_called(tmp_path: Path) -> None:
    # A shape that is not there would be led nowhere, too.
    for number, (title, shape) in enumerate(SHAPES.items()):
        if shape.root and os.geteuid() != 0:
            continue
        outside, place = tmp_path / f"{number}/outside", tmp_path / f"{number}/place"
        make_outside(outside)
        make_world(place, outside, shape, foreign=False)
        for word, is_there in KINDS.items():
            if word in title.partition(" outside")[0]:
                assert any(is_there(path) for path in place.rglob("*")), title


KINDS = {
    "is a FIFO": Path.is_fifo,
    "are a FIFO": Path.is_fifo,
    "a link": Path.is_symlink,
    "a circle": Path.is_symlink,
    "socket": Path.is_socket,
    "character device": Path.is_char_device,
    "block device": Path.is_block_device,
    "hard link": lambda path: path.is_file() and path.stat().st_nlink > 1,
    "/dev/zero": lambda path: path.is_symlink() and os.readlink(path) == "/dev/zero",
    "newline": lambda path: "\n" in path.name,
    "255": lambda path: len(path.name) == 255,
}
