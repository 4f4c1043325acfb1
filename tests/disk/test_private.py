"""What only this user can read is kept whole or not at all, and written over in its place."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

import pytest

from memctl.disk import private as module
from memctl.disk.private import keep_private, overwrite_private
from memctl.errors import IoFailure
from tests.disk.test_files import NEW, raising, said_by


def test_a_private_text_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    path = keep_private(str(tmp_path), "memctl-", NEW)
    assert Path(path).read_bytes() == NEW
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert os.path.dirname(path) == str(tmp_path)
    assert re.fullmatch(r"memctl-.+\.md", os.path.basename(path))


def test_a_private_text_that_cannot_be_kept_is_an_error_of_memctl(tmp_path: Path) -> None:
    folder = str(tmp_path / "missing")
    with pytest.raises(IoFailure) as caught:
        keep_private(folder, "memctl-", NEW)
    assert said_by(caught) == (f"cannot write '{folder}': no such file or directory", folder, None)


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_private_text_that_is_not_kept_whole_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    monkeypatch.setattr(module, "write_all", raising(error))
    before = os.listdir("/proc/self/fd")
    with pytest.raises(IoFailure if isinstance(error, OSError) else KeyboardInterrupt) as caught:
        keep_private(str(tmp_path), "memctl-", NEW)
    assert (os.listdir(tmp_path), os.listdir("/proc/self/fd")) == ([], before)
    if isinstance(error, OSError):
        assert re.fullmatch(rf"cannot write '{tmp_path}/memctl-.+\.md': no space left on device", caught.value.message)
        assert caught.value.path in caught.value.message


def test_a_private_text_is_written_over_in_its_place(tmp_path: Path) -> None:
    path = keep_private(str(tmp_path), "memctl-", NEW)
    number = os.stat(path).st_ino
    before = os.listdir("/proc/self/fd")
    overwrite_private(path, b"short")
    assert (Path(path).read_bytes(), os.stat(path).st_ino) == (b"short", number)
    assert os.listdir("/proc/self/fd") == before
    os.symlink(path, tmp_path / "link")
    for name, reason in (("link", "too many levels of symbolic links"), ("gone", "no such file or directory")):
        with pytest.raises(IoFailure) as caught:
            overwrite_private(f"{tmp_path}/{name}", b"through")
        assert said_by(caught) == (f"cannot write '{tmp_path}/{name}': {reason}", f"{tmp_path}/{name}", None)
    assert Path(path).read_bytes() == b"short"
