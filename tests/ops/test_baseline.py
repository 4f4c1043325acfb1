"""The file of a baseline."""

from __future__ import annotations

from pathlib import Path

import pytest

from memctl.core.checks.baseline import Entry, Scope
from memctl.core.env import Env
from memctl.errors import Busy, InvalidInput, NotFound
from memctl.ops.baseline import load, save

ENTRY = Entry("memory/a", "x.md", "F001", "1111")
LOOKED = {"memory/a": Scope(None, frozenset({"F001"}))}


def env_of(tmp_path: Path) -> Env:
    return Env({}, None, str(tmp_path), 0)


def test_a_baseline_is_made_with_a_salt_of_its_own(tmp_path: Path) -> None:
    one, other = (load("base.json", env_of(tmp_path), create=True) for _ in range(2))
    assert one.baseline.salt != other.baseline.salt
    assert len(one.baseline.key) == 16
    assert not (tmp_path / "base.json").exists()


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    file = load("base.json", env_of(tmp_path), create=True)
    assert save(file, [ENTRY, ENTRY], LOOKED) == 2
    again = load("base.json", env_of(tmp_path), create=False)
    assert again.baseline == file.baseline._replace(entries=(ENTRY, ENTRY))
    assert again.entries() == {"memory/a": [ENTRY, ENTRY]}
    assert again.folder == str(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["base.json"]


def test_a_baseline_that_is_written_anew_keeps_its_salt_and_untouched_bytes(tmp_path: Path) -> None:
    save(load("base.json", env_of(tmp_path), create=True), [ENTRY], LOOKED)
    before = (tmp_path / "base.json").stat()
    file = load("base.json", env_of(tmp_path), create=True)
    assert save(file, [ENTRY], LOOKED) == 1
    assert (tmp_path / "base.json").stat().st_ino == before.st_ino
    assert save(file, [], LOOKED) == 0
    assert load("base.json", env_of(tmp_path), create=False).baseline == file.baseline._replace(entries=())


def test_a_baseline_behind_a_symlink_is_written_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    save(load("real/base.json", env_of(tmp_path), create=True), [], LOOKED)
    (tmp_path / "base.json").symlink_to("real/base.json")
    save(load("base.json", env_of(tmp_path), create=True), [ENTRY], LOOKED)
    assert (tmp_path / "base.json").is_symlink()
    assert load("real/base.json", env_of(tmp_path), create=False).baseline.entries == (ENTRY,)


def test_a_baseline_that_changed_meanwhile_is_not_written(tmp_path: Path) -> None:
    save(load("base.json", env_of(tmp_path), create=True), [], LOOKED)
    file = load("base.json", env_of(tmp_path), create=True)
    save(load("base.json", env_of(tmp_path), create=True), [ENTRY], LOOKED)
    with pytest.raises(Busy):
        save(file, [ENTRY, ENTRY], LOOKED)


def test_a_missing_baseline_is_an_error_unless_it_is_written(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"^no baseline 'base.json'$") as error:
        load("base.json", env_of(tmp_path), create=False)
    assert error.value.hint == "--write-baseline makes it"


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("data", [b"\xff", b"# Notes\n", b'{"schema": 1}'])
def test_a_file_that_is_no_baseline_is_never_written(tmp_path: Path, data: bytes, *, create: bool) -> None:
    (tmp_path / "notes.md").write_bytes(data)
    with pytest.raises(InvalidInput, match="is no baseline: "):
        load("notes.md", env_of(tmp_path), create=create)
    assert (tmp_path / "notes.md").read_bytes() == data
