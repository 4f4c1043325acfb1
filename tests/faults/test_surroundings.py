"""No home, no passwd entry, a home that is read-only, a full disk for the state, root in another user's store (R17)."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from io import FileIO
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.faults.commands import CASES, build, environment, read_tree
from tests.faults.conftest import Figures, count, need, without
from tests.faults.everything import CHANGING, CODES, READING
from tests.faults.forked import Ended, Forking
from tests.stores import NOBODY, fill

# A user id of whom the system knows nothing.
STRANGER = 54321


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a directory that every user may enter, which pytest's own are not."""
    if os.geteuid() != 0:
        without("only root can become another user, and mount")
    path = Path(tempfile.mkdtemp(prefix="memctl-faults-"))
    path.chmod(0o755)
    yield path
    subprocess.run(["umount", "-q", str(path / "world/state"), str(path / "world/home")], capture_output=True)
    shutil.rmtree(path)


# What is of a home, or of the history: it may have nothing to do without.
OF_A_HOME = ("@user", "remember", "undo", "redo", "history", "config", "demo")


def make(place: Path, owner: int) -> Path:
    """Build a world that belongs to a user."""
    world = place / "world"
    shutil.rmtree(world, ignore_errors=True)
    build(world)
    fill(world / "state", {})
    give(world, owner)
    return world


def give(path: Path, owner: int) -> None:
    """Give all that is there to a user."""
    for folder, folders, files in os.walk(path):
        for name in (".", *folders, *files):
            os.chown(os.path.join(folder, name), owner, owner, follow_symlinks=False)


def some(words: tuple[str, ...], full: int) -> tuple[str, ...]:
    """Return some of the words, spread over all."""
    number = min(len(words), count(full, least=6))
    return words[:: max(1, len(words) // number)]


def check(ended: Ended, words: str) -> None:
    """Check what holds of every end."""
    assert ended.code in CODES, (words, ended)
    assert ended.err or ended.code in (0, 1), (words, ended)
    assert "Traceback" not in ended.err, (words, ended)


class Usual(NamedTuple):
    """How a command ends where nothing is wrong, and whether it changed anything of a store."""

    code: int
    changes: bool


@cache
def usual(forking: Forking, place: Path, words: str) -> Usual:
    """Run a command in an ordinary world of a user."""
    world = make(place, NOBODY)
    before = read_tree(world).stores
    ended = forking(*words.split(), env=environment(world), cwd=world / "work", uid=NOBODY)
    return Usual(ended.code, read_tree(world).stores != before)


def judge(forking: Forking, place: Path, words: str, ended: Ended) -> bool:
    """Check that reading went on as ever, and what would change something stopped with 78; return whether it did."""
    as_ever = usual(forking, place, words)
    if any(word in words for word in OF_A_HOME):
        return ended.code == 78  # what it looks at may be gone with the home
    if not as_ever.changes:
        assert ended.code == as_ever.code, (words, ended, as_ever)
        return False
    assert ended.code == 78 or (ended.code == 74 and as_ever.code == 74), (words, ended, as_ever)
    return True


def test_nothing_needs_a_passwd_entry(forking: Forking, place: Path, figures: Figures) -> None:
    for words in (*some(READING, 40), *some(CHANGING, 50)):
        world = make(place, STRANGER)
        ended = forking(*words.split(), env=environment(world), cwd=world / "work", uid=STRANGER)
        check(ended, words)
        assert ended.code == usual(forking, place, words).code, (words, ended)
        figures("R17", runs=1)


@pytest.mark.parametrize("home", [None, "", "relative/home"])
def test_without_a_home_reading_goes_on_and_changing_stops(
    forking: Forking, place: Path, figures: Figures, home: str | None
) -> None:
    for words in (*some(READING, 40), *some(CHANGING, 50)):
        world = make(place, STRANGER)
        env = environment(world)
        env.pop("HOME")
        env.pop("MEMCTL_STATE_DIR")
        if home is not None:
            env["HOME"] = home
        before = read_tree(world)
        ended = forking(*words.split(), env=env, cwd=world / "work", uid=STRANGER)
        check(ended, words)
        figures("R17", runs=1)
        assert words.startswith("demo") or read_tree(world).stores == before.stores, (words, ended)
        judge(forking, place, words, ended)
    world = make(place, STRANGER)
    env = {key: value for key, value in environment(world).items() if key not in ("HOME", "MEMCTL_STATE_DIR")}
    for words, code in (("list", 0), ("reindex --check --all", 1), ("delete -y bot/deploy", 78), ("reindex --all", 78)):
        assert forking(*words.split(), env=env, cwd=world, uid=STRANGER).code == code, words


def read_only(world: Path) -> None:
    """Mount the home once more, read-only."""
    subprocess.run(["mount", "--bind", world / "home", world / "home"], check=True, capture_output=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", world / "home"], check=True, capture_output=True)


def full_state(world: Path) -> None:
    """Mount a small disk for the state, and fill it."""
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k,mode=777", "none", world / "state"], check=True, capture_output=True
    )
    block = b"x" * 4096
    with (world / "state/full").open("wb", buffering=0) as file:
        while _takes(file, block):
            pass


def _takes(file: FileIO, block: bytes) -> bool:
    try:
        return bool(file.write(block))
    except OSError:
        return False


PLACES: dict[str, tuple[Callable[[Path], None], dict[str, str | None]]] = {
    "a read-only home": (read_only, {"MEMCTL_STATE_DIR": None}),
    "a full disk for the state": (full_state, {}),
}


@pytest.mark.parametrize("title", PLACES)
def test_where_no_history_can_be_kept_reading_goes_on_and_changing_stops_with_78(
    forking: Forking, place: Path, figures: Figures, title: str
) -> None:
    need("mount")
    mount, variables = PLACES[title]
    stopped = 0
    for words in (*some(READING, 40), *some(CHANGING, 50)):
        world = make(place, NOBODY)
        env = {**environment(world), **{key: value for key, value in variables.items() if value}}
        for key in variables:
            env.pop(key, None)
        try:
            mount(world)
        except subprocess.CalledProcessError as error:
            without(f"nothing can be mounted here: {error.stderr.decode().strip()}")
        try:
            before = read_tree(world)
            ended = forking(*words.split(), env=env, cwd=world / "work", uid=NOBODY)
            after = read_tree(world)
        finally:
            for name in ("home", "state"):
                subprocess.run(["umount", "-q", str(world / name)], capture_output=True)
        check(ended, words)
        figures("R17", runs=1)
        assert words.startswith("demo") or after.stores == before.stores, (words, ended)  # what is new needs none
        stopped += judge(forking, place, words, ended)
    assert stopped > 0


def test_root_keeps_the_owner_and_leaves_nothing_of_its_own(forking: Forking, place: Path, figures: Figures) -> None:
    for words in (*some(READING, 40), *some(CHANGING, 50)):
        world = make(place, NOBODY)
        case = next((case for case in CASES.values() if case.words == words), None)
        for before in case.before if case else ():
            if before.startswith("config"):
                (world / "home/.config/memctl/config.toml").unlink()
            else:
                assert forking(*before.split(), env=environment(world), cwd=world / "work").code == 0
        modes = {path: path.lstat().st_mode for path in world.rglob("*") if path.is_file()}
        ended = forking(*words.split(), env=environment(world), cwd=world / "work")
        check(ended, words)
        owners = {
            str(path.relative_to(world)): path.lstat().st_uid
            for path in world.rglob("*")
            if path.lstat().st_uid != NOBODY
        }
        assert owners == {}, (words, ended)
        changed = {path for path, mode in modes.items() if path.exists() and path.lstat().st_mode != mode}
        assert changed == set(), (words, ended)
        figures("R17", runs=1)


def test_under_sudo_nothing_of_roots_is_left_in_another_home(forking: Forking, place: Path) -> None:
    # `sudo memctl` with the caller's HOME kept, and no state directory yet.
    world = make(place, NOBODY)
    env = {key: value for key, value in environment(world).items() if key != "MEMCTL_STATE_DIR"} | {
        "SUDO_USER": "nobody"
    }
    assert forking("delete", "-y", "bot/deploy", env=env, cwd=world / "work").code == 0
    made = [
        path for path in (world / "home").rglob("*") if path.name.startswith(("history", "memctl", ".local", "state"))
    ]
    assert made
    assert {path.lstat().st_uid for path in made} == {NOBODY}
    # So the user himself can undo nothing of root's, but can go on.
    assert forking("remember", "mine", env=env, cwd=world / "work", uid=NOBODY).code == 0
