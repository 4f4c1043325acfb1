from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memctl.core.env import Env
from memctl.disk.codewhale import find_facts
from memctl.disk.locking import Locking
from memctl.disk.user_store import READ_MAX, FileStore, open_user_store
from memctl.errors import Busy, ConfigError, InvalidInput, IoFailure, MemctlError, NotFound, Protected
from tests.stores import NO_WAIT, NOBODY, contents, fill, needs_root, run

LINE = b"- (2026-05-03 22:14 UTC) x\n"


def store_at(path: Path | str, *, uid: int | None = None) -> FileStore:
    env = Env({"DEEPSEEK_MANAGED_CONFIG_PATH": "/nonexistent"}, None, os.getcwd(), os.geteuid() if uid is None else uid)
    return open_user_store(find_facts(env, given=str(path)), env)


# What is read


def test_a_missing_file_is_empty_and_stays_missing(tmp_path: Path) -> None:
    snapshot = store_at(tmp_path / "no" / "memory.md").read()
    assert (snapshot.data, snapshot.notes, snapshot.outside, snapshot.bad_byte) == (None, [], 0, None)
    assert os.listdir(tmp_path) == []


def test_a_file_is_its_bytes_and_its_notes(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"# Head\n- a\n- b\xff\n")
    snapshot = store_at(path).read()
    assert snapshot.data == b"# Head\n- a\n- b\xff\n"
    assert [note.text for note in snapshot.notes] == ["a", "b\ufffd"]
    assert (snapshot.outside, snapshot.bad_byte) == (1, 14)


def test_utf16_and_nul_bytes_are_read_and_told(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes("- a\n".encode("utf-16"))
    assert store_at(path).read().bad_byte == 0
    path.write_bytes(b"- a\0b\n")
    snapshot = store_at(path).read()
    assert (snapshot.bad_byte, snapshot.notes[0].text) == (None, "a\0b")


@pytest.mark.parametrize("size", [200_000_000, 1 << 42])
def test_a_file_that_is_far_too_large_is_not_read(tmp_path: Path, size: int) -> None:
    path = tmp_path / "memory.md"
    with path.open("wb") as file:
        file.truncate(size)
    with pytest.raises(InvalidInput) as caught:
        store_at(path).read()
    assert caught.value.message == f"'{path}' has {size:,} bytes; memctl reads user memories of up to 64 MiB"
    assert READ_MAX == 64 << 20


def test_a_note_is_appended_to_a_file_that_is_too_large_to_read(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    store_at(path).append(LINE, NO_WAIT)
    assert path.stat().st_size == 200_000_000 + 1 + len(LINE)


def make_directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize(("make", "kind"), [(make_directory, "a directory"), (os.mkfifo, "a FIFO")])
def test_what_is_no_file_never_hangs_and_is_refused(tmp_path: Path, make: Callable[[Path], None], kind: str) -> None:
    path = tmp_path / "memory.md"
    make(path)
    store = store_at(path)
    for attempt in (store.read, lambda: store.append(LINE, NO_WAIT)):
        with pytest.raises(InvalidInput) as caught:
            attempt()
        assert caught.value.message == f"'{path}' is {kind}, not a file"
    with pytest.raises((Protected, Busy)):
        store.write(b"x", b"y", NO_WAIT)
    assert os.listdir(tmp_path) == ["memory.md"]


def test_a_file_in_the_way_of_the_directory_is_an_input_output_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"kept")
    store = store_at(tmp_path / "file" / "memory.md")
    for attempt in (store.read, lambda: store.append(LINE, NO_WAIT), lambda: store.write(None, LINE, NO_WAIT)):
        with pytest.raises(IoFailure):
            attempt()
    assert (tmp_path / "file").read_bytes() == b"kept"


def test_a_relative_path_is_of_the_working_directory(tmp_path: Path) -> None:
    env = Env({}, None, str(tmp_path), os.geteuid())
    store = open_user_store(find_facts(env, given="sub/m.md"), env)
    assert (store.shown, store.path) == ("sub/m.md", f"{tmp_path}/sub/m.md")
    assert (store.name, store.note_address(3)) == ("@user", "@user/3")


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_a_path_that_no_file_can_have_is_a_configuration_error(tmp_path: Path, path: str) -> None:
    env = Env({"DEEPSEEK_MEMORY_PATH": path}, None, str(tmp_path), os.geteuid())
    with pytest.raises(ConfigError, match="DEEPSEEK_MEMORY_PATH says so"):
        open_user_store(find_facts(env), env)


# What is written


def test_a_write_replaces_what_was_read_and_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"old")
    path.chmod(0o640)
    store_at(path).write(b"old", b"new", NO_WAIT)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["memory.md"]


@pytest.mark.parametrize("old", [None, b"other"])
def test_what_is_no_longer_as_it_was_read_is_left_alone(tmp_path: Path, old: bytes | None) -> None:
    path = tmp_path / "memory.md"
    path.write_bytes(b"theirs")
    with pytest.raises(Busy):
        store_at(path).write(old, b"new", NO_WAIT)
    assert contents(tmp_path) == {"memory.md": b"theirs"}


def test_a_new_file_and_its_directories_are_made(tmp_path: Path) -> None:
    store_at(tmp_path / "a" / "b" / "memory.md").append(LINE, NO_WAIT)
    store_at(tmp_path / "c" / "memory.md").write(None, LINE, NO_WAIT)
    assert (tmp_path / "a" / "b" / "memory.md").read_bytes() == LINE
    assert contents(tmp_path / "c") == {"memory.md": LINE}


# Symlinks


@pytest.fixture
def dotfiles(tmp_path: Path) -> Path:
    """Give a link `memory.md` to a file among the dotfiles."""
    (tmp_path / "dotfiles").mkdir()
    (tmp_path / "dotfiles" / "real.md").write_bytes(b"- a\n")
    (tmp_path / "memory.md").symlink_to("dotfiles/real.md")
    return tmp_path / "memory.md"


def test_a_link_to_an_own_file_is_resolved_and_stays_a_link(tmp_path: Path, dotfiles: Path) -> None:
    store = store_at(dotfiles)
    assert store.read().data == b"- a\n"
    store.append(LINE, NO_WAIT)
    store.write(b"- a\n" + LINE, b"- b\n", NO_WAIT)
    assert dotfiles.is_symlink()
    assert contents(tmp_path / "dotfiles") == {"real.md": b"- b\n"}
    assert store.path == str(dotfiles)


def test_a_link_to_nothing_is_told_apart_from_a_missing_file_and_makes_none(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.symlink_to("gone/real.md")
    store = store_at(path)
    for attempt in (store.read, lambda: store.append(LINE, NO_WAIT), lambda: store.write(None, LINE, NO_WAIT)):
        with pytest.raises(NotFound) as caught:
            attempt()
        assert caught.value.message == f"'{path}' is a symlink to '{tmp_path}/gone/real.md', where nothing is"
    assert os.listdir(tmp_path) == ["memory.md"]


def test_a_circle_of_links_is_an_error_of_memctl(tmp_path: Path) -> None:
    path = tmp_path / "memory.md"
    path.symlink_to("memory.md")
    for attempt in (store_at(path).read, lambda: store_at(path).append(LINE, NO_WAIT)):
        with pytest.raises(MemctlError):
            attempt()


@needs_root
def test_a_link_to_another_users_file_is_read_and_never_written(tmp_path: Path, dotfiles: Path) -> None:
    os.chown(tmp_path / "dotfiles" / "real.md", NOBODY, NOBODY)
    store = store_at(dotfiles)
    assert store.read().data == b"- a\n"  # as CodeWhale reads it
    for attempt in (lambda: store.append(LINE, NO_WAIT), lambda: store.write(b"- a\n", LINE, NO_WAIT)):
        with pytest.raises(Protected, match="a file of another user"):
            attempt()
    assert (tmp_path / "dotfiles" / "real.md").read_bytes() == b"- a\n"


@needs_root
def test_root_follows_another_users_link_to_a_file_of_that_user_alone(tmp_path: Path, dotfiles: Path) -> None:
    os.lchown(dotfiles, NOBODY, NOBODY)
    store = store_at(dotfiles)
    for attempt in (store.read, lambda: store.append(LINE, NO_WAIT), lambda: store.write(b"- a\n", LINE, NO_WAIT)):
        with pytest.raises(Protected, match="a file of another user"):
            attempt()
    os.chown(tmp_path / "dotfiles" / "real.md", NOBODY, NOBODY)
    store.append(LINE, NO_WAIT)
    assert store.read().data == b"- a\n" + LINE
    assert (tmp_path / "dotfiles" / "real.md").stat().st_uid == NOBODY
    with pytest.raises(Protected, match="a file of another user"):
        store_at(dotfiles, uid=1).append(LINE, NO_WAIT)


# Permissions, of a user who has not root's


@pytest.fixture
def open_place() -> Iterator[Path]:
    """Give a directory that another user can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory() as path:
        os.chmod(path, 0o755)
        yield Path(path)


AS_ANOTHER = """
from memctl.disk.codewhale import find_facts
from memctl.disk.user_store import open_user_store
os.setgroups([]); os.setgid(65534); os.setuid(65534)
env = Env({"DEEPSEEK_MANAGED_CONFIG_PATH": "/nonexistent"}, None, os.getcwd(), os.getuid())
s = open_user_store(find_facts(env, given="place/memory.md"), env)
def attempt(do):
    try:
        do()
    except MemctlError as error:
        return int(error.exit_code)
    return 0
line = b"- (2026-05-03 22:14 UTC) x\\n"
now = Locking(wait=0)
tell([attempt(s.read), attempt(lambda: s.append(line, now)), attempt(lambda: s.write(s.read().data, b"new", now))])
"""


@needs_root
@pytest.mark.parametrize(
    ("mode", "folder", "owned", "codes", "after"),
    [
        (0o444, 0o755, False, [0, 77, 77], b"- a\n"),
        (0o000, 0o755, False, [74, 77, 74], b"- a\n"),
        (0o644, 0o555, True, [0, 0, 77], b"- a\n" + LINE),  # an append needs no right to the directory
        (0o444, 0o555, True, [0, 77, 77], b"- a\n"),
        (0o644, 0o700, False, [74, 74, 74], b"- a\n"),
    ],
)
def test_without_permission_there_is_a_clear_error_and_nothing_is_lost(
    open_place: Path, mode: int, folder: int, owned: bool, codes: list[int], after: bytes
) -> None:
    place = fill(open_place / "place", {"memory.md": b"- a\n"})
    path = place / "memory.md"
    path.chmod(mode)
    if owned:
        os.chown(path, NOBODY, NOBODY)
    place.chmod(folder)
    assert run(AS_ANOTHER, cwd=open_place) == codes
    assert contents(place) == {"memory.md": after}


def test_the_lock_is_that_of_the_directory_of_the_real_file(tmp_path: Path, dotfiles: Path) -> None:
    from memctl.disk.files import Directory

    with Directory(str(tmp_path / "dotfiles")) as held:
        held.lock(NO_WAIT)
        for attempt in (
            lambda: store_at(dotfiles).append(LINE, NO_WAIT),
            lambda: store_at(dotfiles).write(b"- a\n", b"", NO_WAIT),
        ):
            with pytest.raises(Busy, match="is locked by another memctl"):
                attempt()
        store_at(dotfiles).append(LINE, Locking(wait=0, lock=False))
    assert dotfiles.read_bytes() == b"- a\n" + LINE
