"""A directory is reached through nobody's symlink but root's and one's own, also while somebody swaps names."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from memctl.disk.change import change
from memctl.disk.directories import make_directory
from memctl.disk.files import Directory
from memctl.disk.images import Edit
from memctl.disk.locking import Locking
from memctl.disk.reads import read_file
from memctl.disk.single_file import append_file, write_file
from memctl.disk.walk import is_at_risk, open_walked
from memctl.errors import Protected
from tests.stores import NO_WAIT, NOBODY, contents, fill, memory, needs_root, run, store_at


def place_of(path: str, *, last: bool = True) -> tuple[int, int]:
    descriptor = open_walked(path, last=last)
    try:
        return os.fstat(descriptor).st_dev, os.fstat(descriptor).st_ino
    finally:
        os.close(descriptor)


def link(path: Path, target: str | Path, owner: int = -1) -> None:
    path.symlink_to(target)
    os.chown(path, owner, owner, follow_symlinks=False)


@pytest.mark.parametrize(
    "path", ["a/b", "./a//b/", "a/../a/./b", "up/b", "far/b", "a/more/b", "a/b/back/b", ".", "", "/"]
)
def test_it_leads_where_the_path_leads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    link(tmp_path / "up", "a")
    link(tmp_path / "far", tmp_path / "up")
    link(tmp_path / "a/more", "../far/../up")
    link(tmp_path / "a/b/back", "..")
    monkeypatch.chdir(tmp_path)
    there = os.stat(path or ".")
    assert place_of(path) == (there.st_dev, there.st_ino)
    if path.startswith("a"):
        assert place_of(f"{tmp_path}/{path}") == (there.st_dev, there.st_ino)


@pytest.mark.parametrize("path", ["file", "file/x", "missing", "missing/x", "circle", "circle/x", "k" * 300])
def test_what_is_no_directory_is_an_error_of_the_system_and_leaves_nothing_open(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").touch()
    link(tmp_path / "circle", "circle")
    before = os.listdir("/proc/self/fd")
    with pytest.raises(OSError) as caught:
        open_walked(f"{tmp_path}/{path}")
    with pytest.raises(OSError) as expected:
        os.open(f"{tmp_path}/{path}", os.O_RDONLY | os.O_DIRECTORY)
    assert caught.value.errno == expected.value.errno
    assert os.listdir("/proc/self/fd") == before


def test_the_last_name_can_be_no_link_at_all(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    link(tmp_path / "link", "a")
    assert place_of(f"{tmp_path}/link/b", last=False) == place_of(f"{tmp_path}/a/b")
    with pytest.raises(Protected, match="is a symlink, which is not followed in another user's store"):
        open_walked(f"{tmp_path}/link/", last=False)


@needs_root
@pytest.mark.parametrize("absolute", [False, True])
def test_a_link_of_somebody_else_is_not_followed_wherever_it_stands(tmp_path: Path, absolute: bool) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    link(tmp_path / "theirs", tmp_path / "a" if absolute else "a", NOBODY)
    link(tmp_path / "ours", "theirs/b")
    for path in ("theirs", "theirs/b", "ours", "a/../theirs/b"):
        with pytest.raises(Protected) as caught:
            open_walked(f"{tmp_path}/{path}")
        assert caught.value.path is not None
        assert os.path.samefile(os.path.dirname(caught.value.path), tmp_path)
        assert caught.value.message == f"'{caught.value.path}' is a symlink of another user, which is not followed"


@needs_root
def test_a_name_that_is_swapped_all_the_time_never_leads_elsewhere(tmp_path: Path) -> None:
    real, elsewhere = fill(tmp_path / "real/agent", {}), fill(tmp_path / "elsewhere/agent", {})
    trap = tmp_path / "trap"
    link(trap, elsewhere.parent, NOBODY)
    bad = (elsewhere.stat().st_dev, elsewhere.stat().st_ino)
    over = threading.Event()

    def swap() -> None:
        while not over.is_set():
            os.rename(real.parent, tmp_path / "away")
            os.rename(trap, real.parent)
            os.rename(real.parent, trap)
            os.rename(tmp_path / "away", real.parent)

    swapping = threading.Thread(target=swap)
    swapping.start()
    outcomes = {"there": 0, "refused": 0, "gone": 0}
    try:
        for _ in range(3000):
            try:
                assert place_of(str(real), last=False) != bad
                outcomes["there"] += 1
            except Protected:
                outcomes["refused"] += 1
            except FileNotFoundError:
                outcomes["gone"] += 1
    finally:
        over.set()
        swapping.join()
    assert outcomes["there"] > 0
    assert outcomes["refused"] + outcomes["gone"] > 0


@needs_root
def test_the_way_is_at_risk_for_root_and_in_what_is_not_ones_own(tmp_path: Path) -> None:
    assert is_at_risk(str(tmp_path))
    fill(tmp_path / "mine", {})
    os.chown(tmp_path / "mine", NOBODY, NOBODY)
    code = "from memctl.disk.walk import is_at_risk\ntell([is_at_risk(name) for name in ('mine', '.', '', 'missing')])"
    assert run(code, cwd=tmp_path, uid=NOBODY) == [False, True, True, False]


# Whoever writes goes this way


@needs_root
@pytest.mark.parametrize("way", ["write", "append", "make", "read", "store"])
def test_root_neither_reads_nor_writes_through_a_link_of_somebody_else(tmp_path: Path, way: str) -> None:
    elsewhere = fill(tmp_path / "elsewhere/agent", {"x.md": memory("x")})
    link(tmp_path / "theirs", "elsewhere", NOBODY)
    folder = tmp_path / "theirs/agent"
    before = contents(elsewhere)
    do = {
        "write": lambda: write_file(f"{folder}/x.md", memory("x"), b"new", NO_WAIT),
        "append": lambda: append_file(f"{folder}/x.md", b"new\n", NO_WAIT),
        "make": lambda: make_directory(f"{folder}/new/deep"),
        "read": lambda: read_file(f"{folder}/x.md", follow=False),
        "store": lambda: store_at(folder, foreign=True).read(),
    }[way]
    with pytest.raises(Protected, match="is a symlink of another user"):
        do()
    assert contents(elsewhere) == before


@needs_root
def test_on_the_way_to_a_directory_links_of_others_are_refused_only_where_that_is_asked(tmp_path: Path) -> None:
    fill(tmp_path / "elsewhere/agent", {})
    link(tmp_path / "theirs", "elsewhere", NOBODY)
    path = f"{tmp_path}/theirs/agent"
    Directory(path).__exit__()
    for options in ({"walk": True}, {"follow": False}):
        with pytest.raises(Protected):
            Directory(path, **options)


def test_a_link_of_ones_own_leads_to_a_file_that_stands_alone(tmp_path: Path) -> None:
    # People keep such things among their dotfiles.
    fill(tmp_path / "dotfiles", {"config.toml": b"old"})
    link(tmp_path / "config", "dotfiles")
    write_file(str(tmp_path / "config/config.toml"), b"old", b"new", NO_WAIT)
    append_file(str(tmp_path / "config/memory.md"), b"- note\n", NO_WAIT)
    assert contents(tmp_path / "dotfiles") == {"config.toml": b"new", "memory.md": b"- note\n"}


@pytest.mark.parametrize("lock", [True, False])
def test_an_agents_directory_that_is_a_link_is_read_and_never_changed(tmp_path: Path, lock: bool) -> None:
    real = fill(tmp_path / "real", {"x.md": memory("x")})
    link(tmp_path / "agent", real)
    store = store_at(tmp_path / "agent")
    assert [entry.file for entry in store.read().entries] == ["x.md"]
    with pytest.raises(Protected) as caught:
        change(store, lambda _: [Edit("x.md", memory("x"), None)], Locking(0, lock))
    assert caught.value.message == (
        f"the agent's directory '{tmp_path}/agent' is a symlink; memctl changes nothing through it"
    )
    assert caught.value.hint == f"name the directory itself: --root {real}"
    assert caught.value.path == f"{tmp_path}/agent"
    assert contents(real) == {"x.md": memory("x")}


@pytest.mark.parametrize("lock", [True, False])
def test_an_agents_directory_that_was_swapped_for_a_link_since_it_was_opened_is_not_changed(
    tmp_path: Path, lock: bool
) -> None:
    path, elsewhere = fill(tmp_path / "agent", {"x.md": memory("x")}), fill(tmp_path / "else", {"x.md": memory("x")})
    with Directory(str(path), agent=True) as directory:
        path.rename(tmp_path / "moved")
        link(path, elsewhere)
        with pytest.raises(Protected):
            directory.lock(Locking(0, lock))
    assert contents(elsewhere) == {"x.md": memory("x")}


def test_what_is_under_way_stays_in_the_directory_that_was_locked(tmp_path: Path) -> None:
    path, elsewhere = fill(tmp_path / "agent", {"x.md": memory("x")}), fill(tmp_path / "else", {"x.md": memory("x")})
    store = store_at(path)

    def swap(_: object) -> list[Edit]:
        path.rename(tmp_path / "moved")
        link(path, elsewhere)
        return [Edit("x.md", memory("x"), memory("x", content="new")), Edit("y.md", None, memory("y"))]

    change(store, swap, NO_WAIT)
    assert contents(elsewhere) == {"x.md": memory("x")}
    assert set(contents(tmp_path / "moved")) == {"x.md", "y.md", "MEMORY.md"}


def test_a_directory_of_ones_own_can_be_reached_by_any_way(tmp_path: Path) -> None:
    fill(tmp_path / "real/agent", {"x.md": memory("x")})
    link(tmp_path / "data", "real")
    change(store_at(tmp_path / "data/agent"), lambda _: [Edit("x.md", memory("x"), None)], NO_WAIT)
    assert list(contents(tmp_path / "real/agent")) == ["MEMORY.md"]


def test_without_a_lock_too_what_is_changed_is_the_directory_that_is_there_now(tmp_path: Path) -> None:
    path = fill(tmp_path / "agent", {"x.md": memory("x")})
    with Directory(str(path), agent=True) as directory:
        path.rename(tmp_path / "moved")
        fill(path, {"x.md": b"another"})
        directory.lock(Locking(0, lock=False))
        assert directory.read("x.md") == b"another"


@pytest.mark.parametrize("way", ["walk", "make"])
def test_a_signal_that_comes_after_a_close_has_nothing_closed_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    link(tmp_path / "far", tmp_path / "a")
    closed = os.close
    for at in range(1, 100):
        calls = []

        def close(descriptor: int, calls: list[int] = calls, at: int = at) -> None:
            closed(descriptor)
            calls.append(descriptor)
            if len(calls) == at:
                raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(os, "close", close)
            try:
                if way == "walk":
                    closed(open_walked(f"{tmp_path}/far/b"))
                else:
                    make_directory(f"{tmp_path}/far/b/{at}/c/d")
                assert len(calls) < at
                break
            except KeyboardInterrupt:
                continue
    assert at > 5
