"""What a user may not read or write: a message for each file, the rest goes on, the right exit code (R12)."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.commands import BOT, build, environment, read_tree
from tests.faults.conftest import Figures, count, without
from tests.faults.everything import CHANGING, CODES, READING
from tests.faults.forked import Forking
from tests.stores import NOBODY, fill

_WORDS = (
    "list",
    "list helper",
    "show bot/deploy",
    "edit bot/deploy --description new",
    "delete -y bot/*",
    "reindex --all",
    "prune -y --all --over 0",
    "remember hello",
    "sweep-mode --hq-stopped bot on",
)


class Condition(NamedTuple):
    """What is taken from the user: paths with the mode that they get, as `root:` where they become root's.

    `codes` are the exit codes of _WORDS, `said` a path that `list` names where it may not be read.
    """

    modes: Mapping[str, int | str]
    codes: str
    said: str = ""


CONDITIONS: Mapping[str, Condition] = {
    "a memory of mode 000": Condition({f"{BOT}/deploy.md": 0o000}, "74 0 74 74 77 74 74 0 0", f"{BOT}/deploy.md"),
    "a memory of mode 444": Condition({f"{BOT}/deploy.md": 0o444}, "0 0 0 0 0 0 0 0 0"),
    "a memory of root's": Condition({f"{BOT}/deploy.md": "root:644"}, "0 0 0 77 0 0 0 0 0"),
    "a memory that root alone reads": Condition(
        {f"{BOT}/deploy.md": "root:600"}, "74 0 74 74 77 74 74 0 0", f"{BOT}/deploy.md"
    ),
    "an index of mode 000": Condition({f"{BOT}/MEMORY.md": 0o000}, "74 0 0 74 74 74 74 0 0", f"{BOT}/MEMORY.md"),
    "an index of root's": Condition({f"{BOT}/MEMORY.md": "root:644"}, "0 0 0 77 77 0 77 0 0"),
    "a directory of mode 000": Condition({BOT: 0o000}, "74 0 74 74 74 74 74 0 0", BOT),
    "a directory of mode 444": Condition({BOT: 0o444}, "74 0 74 74 77 74 74 0 0", f"{BOT}/deploy.md"),
    "a directory of mode 555": Condition({BOT: 0o555}, "0 0 0 77 77 0 77 0 0"),
    "a directory of root's": Condition({BOT: "root:755"}, "0 0 0 77 77 0 77 0 0"),
    "a directory that root alone enters": Condition({BOT: "root:700"}, "74 0 74 74 74 74 74 0 0", BOT),
    "a memory folder of mode 000": Condition({"data/memory": 0o000}, "74 74 74 74 74 74 74 0 74", "data/memory"),
    "a memory folder of mode 555": Condition({"data/memory": 0o555}, "0 0 0 0 0 0 0 0 0"),
    "a data folder of mode 555": Condition({"data": 0o555}, "0 0 0 0 0 0 0 0 77"),
    "a data folder of mode 000": Condition({"data": 0o000}, "74 74 74 74 74 74 74 0 74", "data"),
    "a registry of mode 000": Condition({"data/agents.json": 0o000}, "74 74 74 74 74 74 74 0 74", "data/agents.json"),
    "a registry of root's": Condition({"data/agents.json": "root:644"}, "0 0 0 0 0 0 0 0 77"),
    "a user memory of mode 000": Condition({"home/.deepseek/memory.md": 0o000}, "0 0 0 0 0 0 0 77 0"),
    "a user memory of mode 444": Condition({"home/.deepseek/memory.md": 0o444}, "0 0 0 0 0 0 0 77 0"),
    "a folder of the user memory of mode 555": Condition({"home/.deepseek": 0o555}, "0 0 0 0 0 0 0 0 0"),
    "settings of mode 000": Condition({"home/.config/memctl/config.toml": 0o000}, "78 78 78 78 78 78 78 78 78"),
    "a home of mode 000": Condition({"home": 0o000}, "78 78 78 78 78 78 78 78 78"),
    "a home of mode 555": Condition({"home": 0o555}, "0 0 0 0 0 0 0 0 0"),
    "a state directory of mode 000": Condition({"state": 0o000}, "0 0 0 78 78 78 78 78 78"),
    "a state directory of mode 555": Condition({"state": 0o555}, "0 0 0 78 78 78 78 78 78"),
    "a state directory of root's": Condition({"state": "root:755"}, "0 0 0 78 78 78 78 78 78"),
    "all of root's": Condition({"": "root:755"}, "0 0 0 78 78 78 78 78 78"),
    "a data folder of root's": Condition({"data": "root:755"}, "0 0 0 77 77 77 77 0 77"),
    "a workspace of mode 000": Condition({"work/space": 0o000}, "0 0 0 0 0 0 0 0 0"),
}


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a directory that every user may enter, which pytest's own are not."""
    if os.geteuid() != 0:
        without("only root can become another user")
    path = Path(tempfile.mkdtemp(prefix="memctl-faults-"))
    path.chmod(0o755)
    yield path
    shutil.rmtree(path)


def make(place: Path, condition: Condition | None) -> Path:
    """Build a world of the user nobody, and take from him what the condition says."""
    world = place / "world"
    shutil.rmtree(world, ignore_errors=True)
    build(world)
    fill(world / "state", {})
    for folder, folders, files in os.walk(world):
        for name in (".", *folders, *files):
            os.chown(os.path.join(folder, name), NOBODY, NOBODY)
    for name, mode in (condition.modes if condition else {}).items():
        path = world / name
        if isinstance(mode, str):
            for one in (path, *(path.rglob("*") if name in ("", "data") else ())):
                os.chown(one, 0, 0)
            mode = int(mode.removeprefix("root:"), 8)
        path.chmod(mode)
    return world


@cache
def ends(forking: Forking, place: Path, words: str) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Return what the files hold before a command and after it, where nothing is taken from the user."""
    world = make(place, None)
    old = read_tree(world).stores
    forking(*words.split(), env=environment(world), cwd=world / "work", uid=NOBODY)
    return old, read_tree(world).stores


def torn(now: dict[str, bytes], old: dict[str, bytes], new: dict[str, bytes]) -> list[str]:
    """Return the files that are neither; an index has what could be read, as the HQ would have it."""
    names = now.keys() | old.keys() | new.keys()
    return [
        name for name in names if not name.endswith("MEMORY.md") and now.get(name) not in (old.get(name), new.get(name))
    ]


def cases(title: str) -> list[tuple[str, str]]:
    """Return words with their exit code, '' where that is not pinned."""
    pinned = list(zip(_WORDS, CONDITIONS[title].codes.split(), strict=True))
    rest = [(words, "") for words in (*READING, *CHANGING) if words not in _WORDS]
    number = count(2_500, cases=len(CONDITIONS))
    at = list(CONDITIONS).index(title)
    chosen = []
    for values, part in ((pinned, number // 2), (rest, number - number // 2)):
        step = max(1.0, len(values) / max(1, part))
        chosen += [values[int(one * step + at) % len(values)] for one in range(min(part, len(values)))]
    return chosen


@pytest.mark.parametrize("title", CONDITIONS)
def test_what_may_not_be_done_is_said_and_the_rest_goes_on(
    forking: Forking, place: Path, figures: Figures, title: str
) -> None:
    condition = CONDITIONS[title]
    tried = 0
    for words, code in [("list", condition.codes.split()[0]), *cases(title)]:
        old, new = ends(forking, place, words)
        world = make(place, condition)
        ended = forking(*words.split(), env=environment(world), cwd=world / "work", uid=NOBODY)
        tried += 1
        what = f"{words}: {ended}"
        assert ended.code in ({int(code)} if code else CODES), what
        assert ended.err or ended.code in (0, 1), what
        assert not any(word in ended.err for word in ("Traceback", "bug in memctl")), what
        now = read_tree(world)
        assert torn(now.stores, old, new) == [], what
        assert now.temps == [], what
        if words == "list":
            assert f"'{world}/{condition.said}'" in ended.err if condition.said else ended.code in (0, 78), what
            unreachable = title.startswith(("a memory folder of mode 000", "a data folder of mode 000", "settings"))
            assert unreachable or "bbbb2222/near\t" in ended.out or ended.code == 78, what
    figures("R12", conditions=1, commands=tried)
