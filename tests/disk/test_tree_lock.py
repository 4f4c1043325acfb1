"""The lock file of another program is waited for, made as that program makes it, and never left open."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import time
from pathlib import Path

import pytest

from memctl.disk import tree_lock as module
from memctl.disk.locking import Locking
from memctl.disk.tree_lock import tree_lock
from memctl.errors import Busy, IoFailure
from tests.disk.test_files import raising, said_by
from tests.stores import NO_WAIT


def test_the_lock_of_another_program_is_waited_for_and_nothing_stays_open(tmp_path: Path) -> None:
    path = str(tmp_path / ".memory.lock")
    before = os.listdir("/proc/self/fd")
    with tree_lock(path, NO_WAIT):
        start = time.monotonic()
        with pytest.raises(Busy) as caught, tree_lock(path, Locking(wait=0.1)):
            pytest.fail("locked")
        assert 0.1 <= time.monotonic() - start < 5
    assert said_by(caught) == (f"'{path}' is locked by CodeWhale", path, "try again, or --wait SECONDS longer")
    assert os.listdir("/proc/self/fd") == before


def test_a_lock_file_that_cannot_be_opened_or_given_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / ".memory.lock"
    before = os.listdir("/proc/self/fd")
    path.symlink_to(".")
    with pytest.raises(IoFailure) as caught, tree_lock(str(path), NO_WAIT):
        pytest.fail("locked")
    assert said_by(caught) == (f"cannot lock '{path}': too many levels of symbolic links", str(path), None)
    path.unlink()
    monkeypatch.setattr(module, "give", raising(OSError(errno.EIO, "Input/output error")))
    with pytest.raises(IoFailure) as caught, tree_lock(str(path), NO_WAIT):
        pytest.fail("locked")
    assert said_by(caught) == (f"cannot lock '{path}': input/output error", str(path), None)
    assert os.listdir("/proc/self/fd") == before


def test_a_lock_file_that_another_makes_at_the_same_moment_is_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / ".memory.lock"
    whole = module._open_lock
    missed = []

    def look(path: str) -> int:
        if not missed:
            missed.append(path)
            raise FileExistsError
        return whole(path)

    monkeypatch.setattr(module, "_open_lock", look)
    with tree_lock(str(path), NO_WAIT):
        assert path.exists()


def test_a_lock_file_has_the_mode_that_its_program_gives_and_is_not_inherited(tmp_path: Path) -> None:
    os.umask(0o022)
    path = tmp_path / ".memory.lock"
    for _ in range(2):
        with tree_lock(str(path), NO_WAIT):
            assert stat.S_IMODE(path.stat().st_mode) == 0o644
            (mine,) = [fd for fd in os.listdir("/proc/self/fd") if os.path.realpath(f"/proc/self/fd/{fd}") == str(path)]
            assert not os.get_inheritable(int(mine))
            assert fcntl.fcntl(int(mine), fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDWR
