"""Directories are made with their parents, and belong to whom the one above belongs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memctl.disk.directories import make_directory
from memctl.errors import IoFailure
from tests.disk.test_files import nobody
from tests.stores import needs_root, run


@pytest.mark.parametrize("way", ["deep", "in-the-way", "dangling"])
def test_a_directory_is_made_with_its_parents(tmp_path: Path, way: str) -> None:
    if way == "deep":
        make_directory(str(tmp_path / "a" / "b" / "c"))
        make_directory(str(tmp_path / "a" / "b" / "c"))
        assert (tmp_path / "a" / "b" / "c").is_dir()
        return
    if way == "in-the-way":
        (tmp_path / "a").write_bytes(b"")
    else:
        (tmp_path / "a").symlink_to("nothing")
    with pytest.raises(IoFailure):
        make_directory(str(tmp_path / "a"))


@needs_root
def test_directories_that_root_makes_belong_to_the_owner_of_their_parent(tmp_path: Path) -> None:
    os.chown(tmp_path, 1234, 2345)
    make_directory(str(tmp_path / "a" / "b"))
    assert [(found.st_uid, found.st_gid) for found in map(os.stat, [tmp_path / "a", tmp_path / "a" / "b"])] == [
        (1234, 2345)
    ] * 2


@needs_root
def test_a_directory_that_may_not_be_made_is_protected(tmp_path: Path) -> None:
    told = run('outcome(lambda: make_directory("./a/b"))', **nobody(tmp_path))
    assert told["errors"] == [["Protected", 77, "cannot write './a': permission denied"]]
