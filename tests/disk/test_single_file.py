"""Files that stand alone are written and noted by the same rules as those of a store."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from memctl.disk import single_file as module
from memctl.disk.locking import Locking
from memctl.disk.single_file import append_file, write_file
from memctl.errors import Busy, InvalidInput, IoFailure
from tests.disk.test_files import Noting, said_by
from tests.stores import NO_WAIT, contents, fill


def test_a_single_file_elsewhere_is_written_by_the_same_rules(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    write_file(str(path), None, b"a", NO_WAIT)
    write_file(str(path), b"a", b"b", NO_WAIT)
    with pytest.raises(Busy):
        write_file(str(path), b"a", b"c", NO_WAIT)
    assert contents(tmp_path) == {"config.toml": b"b"}


@pytest.mark.parametrize("way", ["write", "append"])
def test_a_single_file_is_noted_under_the_address_that_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    monkeypatch.chdir(fill(tmp_path, {"x": b"old\n"}))
    os.chmod("x", 0o640)
    notes = Noting()
    if way == "write":
        write_file("x", b"old\n", b"old\nnew\n", Locking(0, recorder=notes), store="@user")
        write_file("y", None, b"new\n", Locking(0, recorder=notes))
    else:
        append_file("x", b"new\n", Locking(0, recorder=notes), store="@user")
        append_file("y", b"new\n", Locking(0, recorder=notes))
    images = [(file.before.data, file.before.mode, file.after.data, file.after.mode) for file in notes.files]
    assert images == [(b"old\n", 0o640, b"old\nnew\n", 0o640), (None, None, b"new\n", None)]
    assert [(file.store, os.path.basename(file.path)) for file in notes.files] == [("@user", "x"), ("", "y")]
    assert notes.settled == [(0, True), (1, True)]
    assert contents(".") == {"x": b"old\nnew\n", "y": b"new\n"}


@pytest.mark.parametrize("written", [False, True])
def test_a_line_that_could_not_be_written_is_known_to_be_missing_if_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    path = fill(tmp_path, {"x": b"old\n"}) / "x"

    def append(directory: int, name: str, line: bytes) -> bool:
        if written:
            path.write_bytes(b"old\nne")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(module, "append_line", append)
    notes = Noting()
    with pytest.raises(IoFailure) as caught:
        append_file(str(path), b"new\n", Locking(0, recorder=notes))
    assert said_by(caught) == (f"cannot write '{path}': no space left on device", str(path), None)
    assert notes.settled == ([] if written else [(0, False)])


def test_a_line_is_not_appended_to_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(InvalidInput) as caught:
        append_file(f"{tmp_path}/x", b"new\n", NO_WAIT)
    assert said_by(caught) == (f"'{tmp_path}/x' is a directory, not a file", f"{tmp_path}/x", None)
