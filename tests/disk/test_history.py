"""The history: images before any file is touched, one file of this user's own, and nothing left of what was forgotten."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.disk import history as module
from memctl.disk.change import change
from memctl.disk.files import FileChange, Locking, append_file, write_file
from memctl.disk.history import Begun, History, Origin, open_history, state_directory
from memctl.disk.recorder import Recorder
from memctl.disk.stores import DirectoryStore
from memctl.disk.writes import ABSENT, Edit, Image
from memctl.errors import Busy, ConfigError, IoFailure, NotFound
from memctl.ops.undo import apply_undo, plan_undo
from tests.disk.test_files import Traced, said_by
from tests.stores import CODE, NOBODY, contents, env_of, fill, index, make_store, memory, needs_root, temp_files

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ORIGIN = Origin("alice", 1000, "host", "7")
FOREVER = 10**9


def fail(text: str) -> None:
    raise AssertionError(text)


def opened(folder: Path, *, wait: float = 0, warn: Callable[[str], None] = fail) -> History:
    found = open_history(str(folder / "state"), wait=wait, create=True, warn=warn)
    assert found is not None
    return found


def recorder(folder: Path, **options: Any) -> Recorder:
    return Recorder(lambda: opened(folder), ORIGIN, "memctl test", NOW, **options)


def image(data: bytes) -> Image:
    return Image(data, 0o640, 11, 12)


def add(
    found: History, *images: tuple[bytes | None, bytes | None], now: datetime = NOW, done: bool = True, path: str = "/x"
) -> int:
    """Add a change of a file for each pair of images."""
    begun = Begun(ORIGIN, "memctl test", now)
    files = [
        FileChange("a", f"{path}{at}", *(ABSENT if one is None else image(one) for one in pair))
        for at, pair in enumerate(images)
    ]
    number, numbers = found.intend(None, begun, files)
    if done:
        found.finish(number, [(one, True) for one in numbers])
    return number


def noise(size: int = 3000) -> bytes:
    """Return bytes that no compression changes."""
    return random.randbytes(size)


def raw(folder: Path) -> bytes:
    """Return all bytes of the files of the history."""
    names = sorted(os.listdir(folder / "state"))
    assert names[0] == "history.db"
    return b"".join((folder / "state" / name).read_bytes() for name in names)


def holds(folder: Path, data: bytes) -> bool:
    """Return whether a part of these bytes is in any file of the history."""
    there = raw(folder)
    return any(data[at : at + 32] in there for at in range(0, len(data), 16))


# What it keeps


def test_a_change_comes_back_as_it_was_put_in(tmp_path: Path, elsewhere: None) -> None:
    before, after = Image(b"old\0\xff", 0o604, 5, 6), Image(b"target", 0o777, 7, 8, link=True)
    with opened(tmp_path) as found:
        begun = Begun(ORIGIN, "memctl edit 'a b'", NOW, "redo", 3)
        files = [FileChange("a", "/p/\udcff.md", before, after), FileChange("b", "/q", ABSENT, before)]
        number, _ = found.intend(None, begun, files)
        one = found.change(number)
    assert one == module.Change(
        1,
        "2026-11-30T12:00:00.000Z",
        "memctl edit 'a b'",
        ORIGIN,
        "redo",
        3,
        False,
        None,
        (FileChange("a", "/p/\udcff.md", before, after), FileChange("b", "/q", ABSENT, before)),
    )


def test_what_became_of_each_file_is_kept(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        begun = Begun(ORIGIN, "", NOW)
        number, numbers = found.intend(None, begun, [FileChange("", f"/{at}", ABSENT, image(b"x")) for at in range(3)])
        assert found.intend(number, begun, [], [(numbers[0], True), (numbers[1], False)]) == (number, [])
        one = found.change(number)
        assert ([file.settled for file in one.files], one.done) == ([True, False, None], False)
        found.finish(number, [(numbers[2], True)])
        one = found.change(number)
        assert ([file.settled for file in one.files], one.done) == ([True, False, True], True)


def test_all_changes_come_newest_first_without_the_bytes(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (b"one", b"two"))
        add(found, (None, b"three"))
        assert [(one.id, one.files[0].before.data, one.files[0].after.data) for one in found.changes()] == [
            (2, None, b""),
            (1, b"", b""),
        ]


def test_the_same_bytes_are_kept_once(tmp_path: Path) -> None:
    data = noise(100_000)
    with opened(tmp_path) as found:
        for _ in range(5):
            add(found, (data, None), (None, data))
    assert os.path.getsize(tmp_path / "state/history.db") < 200_000


def test_a_number_is_never_given_twice(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        number = add(found, (None, b"x"))
        found.forget(number)
        assert add(found, (None, b"x")) == number + 1


def test_a_number_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with opened(tmp_path) as found, pytest.raises(NotFound) as caught:
        found.change(9)
    assert said_by(caught) == ("no change 9 in the history", None, "memctl history lists them")


def test_words_that_are_not_utf_8_are_written_out(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        begun = Begun(ORIGIN, "memctl delete '\udcff'", NOW)
        number, _ = found.intend(None, begun, [FileChange("\udcff", "/\udcff/x", ABSENT, image(b"x"))])
        one = found.change(number)
    assert (one.command, one.files[0].store, one.files[0].path) == ("memctl delete '\\udcff'", "\\udcff", "/\udcff/x")


# Where it is


def places(tmp_path: Path, **variables: str) -> str | None:
    return state_directory(env_of(tmp_path, **variables))


def test_the_place_of_the_state_is_the_first_that_is_said(tmp_path: Path) -> None:
    said = {"MEMCTL_STATE_DIR": "/m", "STATE_DIRECTORY": "/s:/t", "XDG_STATE_HOME": "/x"}
    assert places(tmp_path, **said) == "/m"
    del said["MEMCTL_STATE_DIR"]
    assert places(tmp_path, **said) == "/s"
    said["STATE_DIRECTORY"] = "/s"
    assert places(tmp_path, **said) == "/s"
    del said["STATE_DIRECTORY"]
    assert places(tmp_path, **said) == "/x/memctl"
    assert places(tmp_path) == f"{tmp_path}/home/.local/state/memctl"


@pytest.mark.parametrize("name", ["MEMCTL_STATE_DIR", "STATE_DIRECTORY", "XDG_STATE_HOME"])
@pytest.mark.parametrize("value", ["", "relative", "./x"])
def test_a_relative_path_does_not_count(tmp_path: Path, name: str, value: str) -> None:
    assert places(tmp_path, **{name: value}) == f"{tmp_path}/home/.local/state/memctl"


@pytest.mark.parametrize(
    ("name", "place"), [("MEMCTL_STATE_DIR", "/a:b"), ("STATE_DIRECTORY", "/a"), ("XDG_STATE_HOME", "/a:b/memctl")]
)
def test_only_systemd_gives_several_directories(tmp_path: Path, name: str, place: str) -> None:
    assert places(tmp_path, **{name: "/a:b"}) == place


def test_without_a_home_there_is_no_place(tmp_path: Path) -> None:
    assert state_directory(env_of(tmp_path)._replace(home=None)) is None


def test_its_files_are_for_this_user_alone(tmp_path: Path) -> None:
    os.umask(0o022)
    with opened(tmp_path) as found:
        add(found, (None, b"x"))
        names = sorted(os.listdir(tmp_path / "state"))
        assert names == ["history.db", "history.db-shm", "history.db-wal"]
        assert {stat.S_IMODE(os.stat(tmp_path / "state" / name).st_mode) for name in names} == {0o600}
    assert stat.S_IMODE(os.stat(tmp_path / "state").st_mode) == 0o700


def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    opened(tmp_path).close()
    os.chmod(tmp_path / "state/history.db", 0o644)
    opened(tmp_path).close()
    assert stat.S_IMODE(os.stat(tmp_path / "state/history.db").st_mode) == 0o600


@needs_root
def test_root_leaves_no_file_of_its_own_in_the_home_of_another(tmp_path: Path) -> None:
    os.chown(tmp_path, NOBODY, NOBODY)
    with opened(tmp_path) as found:
        add(found, (None, b"x"))
        owners = {os.stat(tmp_path / "state" / name).st_uid for name in os.listdir(tmp_path / "state")}
    assert (owners, os.stat(tmp_path / "state").st_uid) == ({NOBODY}, NOBODY)


def test_a_symlink_is_no_place_for_it(tmp_path: Path) -> None:
    fill(tmp_path / "state", {"victim": b""})
    (tmp_path / "state/history.db").symlink_to(tmp_path / "state/victim")
    with pytest.raises(ConfigError):
        opened(tmp_path)
    assert (tmp_path / "state/victim").read_bytes() == b""


def test_without_a_place_a_change_stops_and_reading_goes_on(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"in the way")
    with pytest.raises(ConfigError) as caught:
        opened(tmp_path)
    reason = f"'{tmp_path}/state' is in the way: it is no directory"
    assert caught.value.message == f"there is no place for the history: {reason}"
    assert caught.value.path == str(tmp_path / "state/history.db")
    assert caught.value.hint == (
        "MEMCTL_STATE_DIR names another place; --no-history goes on without, and then nothing can be undone"
    )
    assert open_history(str(tmp_path / "state"), wait=0, create=False, warn=fail) is None


@pytest.mark.parametrize("shape", ["directory", "link"])
def test_what_is_in_the_way_of_its_file_is_said(tmp_path: Path, shape: str) -> None:
    state = fill(tmp_path / "state", {})
    path = state / "history.db"
    if shape == "directory":
        path.mkdir()
    else:
        path.symlink_to("nothing")
    with pytest.raises(ConfigError) as caught:
        opened(tmp_path)
    reason = {"directory": "is a directory", "link": "too many levels of symbolic links"}[shape]
    assert caught.value.message == f"there is no place for the history: cannot write '{path}': {reason}"
    assert caught.value.path == str(path)


def test_where_none_is_there_reading_makes_none(tmp_path: Path) -> None:
    assert open_history(str(tmp_path / "state"), wait=0, create=False, warn=fail) is None
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(("network", "mode"), [(True, "delete"), (False, "wal")])
def test_a_network_disk_gets_a_rollback_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, network: bool, mode: str
) -> None:
    monkeypatch.setattr(module, "_is_network", lambda path: network)
    with opened(tmp_path) as found:
        add(found, (None, b"x"))
        names = set(os.listdir(tmp_path / "state"))
    with sqlite3.connect(tmp_path / "state/history.db") as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == (mode,)
    assert ("history.db-wal" in names) is not network


@pytest.mark.parametrize(
    ("mounts", "network"),
    [
        ("/dev/sda / ext4 rw 0 0\nhost:/x {} nfs4 rw 0 0\n", True),
        ("host:/x / nfs4 rw 0 0\n/dev/sda {} ext4 rw 0 0\n", False),
        ("/dev/sda / ext4 rw 0 0\nhost:/x {}-other nfs4 rw 0 0\n", False),
        ("host:/x {} nfs4 rw 0 0\n/dev/sda {} ext4 rw 0 0\n", False),
        ("/dev/sda {} ext4 rw 0 0\nhost:/x {} nfs4 rw 0 0\n", True),
        ("host:/x {} nfs4 rw 0 0\n/dev/sda / ext4 rw 0 0\n", True),
        ("host:/x / nfs4 rw 0 0\n", True),
        ("host:/x {}/state/history.db nfs4 rw 0 0\n", True),
        ("host:/x /elsewhere nfs4 rw 0 0\n", False),
        ("", False),
    ],
)
def test_the_nearest_mount_says_whether_a_disk_is_a_network_disk_and_of_two_the_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mounts: str, network: bool
) -> None:
    fake = tmp_path / "mounts"
    place = fill(tmp_path / "a b\\X", {})
    fake.write_text(mounts.replace("{}", str(place).replace("\\", "\\134").replace(" ", "\\040")))
    whole = open
    monkeypatch.setattr("builtins.open", lambda path, *how: whole({"/proc/mounts": fake}[path], *how))
    assert module._is_network(f"{place}/state/history.db") is network


def test_where_no_mounts_are_told_a_disk_is_no_network_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = open
    monkeypatch.setattr("builtins.open", lambda path, *how: whole(tmp_path / "nothing", *how))
    assert module._is_network(str(tmp_path)) is False


def test_it_is_opened_to_lose_nothing_and_to_leave_nothing(tmp_path: Path) -> None:
    wanted = {"foreign_keys": 1, "secure_delete": 1, "auto_vacuum": 2, "synchronous": 2, "user_version": 1}
    for _ in range(2):
        with opened(tmp_path, wait=1.5) as found:
            assert {name: found._rows(f"PRAGMA {name}")[0][0] for name in wanted} == wanted
            assert found._rows("PRAGMA busy_timeout") == [(1500,)]
            assert found._connection.isolation_level is None


def test_one_that_is_on_a_network_disk_by_now_loses_its_shared_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(tmp_path).close()
    monkeypatch.setattr(module, "_is_network", lambda path: True)
    with opened(tmp_path) as found:
        assert found._rows("PRAGMA journal_mode") == [("delete",)]


def locked(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN")
    raise sqlite3.OperationalError("database is locked")


@pytest.mark.parametrize(
    ("failing", "wait", "tries"), [(locked, 5, 3), (locked, 0, 1), (lambda _: fail_with("odd"), 5, 1)]
)
def test_what_sqlite_does_not_wait_for_is_tried_again(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    failing: Callable[[sqlite3.Connection], None],
    wait: float,
    tries: int,
) -> None:
    whole = module._prepare
    tried = []

    def prepare(connection: sqlite3.Connection, path: str) -> None:
        tried.append(path)
        if len(tried) < 3:
            failing(connection)
        whole(connection, path)

    monkeypatch.setattr(module, "_prepare", prepare)
    if tries == 3:
        opened(tmp_path, wait=wait).close()
    else:
        with pytest.raises(Busy if failing is locked else IoFailure) as caught:
            opened(tmp_path, wait=wait)
        assert caught.value.path == str(tmp_path / "state/history.db")
    assert tried == [str(tmp_path / "state/history.db")] * tries


def fail_with(words: str) -> None:
    raise sqlite3.OperationalError(words)


@pytest.mark.parametrize("at", ["open", "prepare"])
def test_one_that_cannot_be_opened_to_write_is_opened_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    with opened(tmp_path) as found:
        add(found, (None, b"x"))
    whole = sqlite3.connect
    if at == "open":
        monkeypatch.setattr(sqlite3, "connect", lambda *w, **o: whole(*w, **o) if o.get("uri") else fail_with("odd"))
    else:
        monkeypatch.setattr(module, "_prepare", lambda *_: fail_with("odd"))
    found = open_history(str(tmp_path / "state"), wait=0, create=False, warn=fail)
    assert found is not None
    with found:
        assert [one.id for one in found.changes()] == [1]
        with pytest.raises(IoFailure, match="readonly"):
            add(found, (None, b"y"))
    path = str(tmp_path / "state/history.db")
    with pytest.raises(ConfigError if at == "open" else IoFailure) as caught:
        opened(tmp_path)
    assert caught.value.path == path
    assert caught.value.message == (
        f"there is no place for the history: cannot write '{path}': odd"
        if at == "open"
        else f"cannot write the history '{path}': odd"
    )


def another(folder: Path) -> History:
    found = module.open_another(str(folder / "state"))
    assert found is not None
    return found


def test_the_history_of_another_is_read_with_its_journal_and_not_written(tmp_path: Path) -> None:
    assert module.open_another(str(tmp_path / "state")) is None
    path = str(tmp_path / "state/history.db")
    with opened(tmp_path) as first:
        add(first, (None, b"x"))
        with another(tmp_path) as found:
            assert [one.id for one in found.changes()] == [1]
            with pytest.raises(IoFailure, match="readonly"):
                add(found, (None, b"y"))
    for _ in range(2):
        with another(tmp_path) as found:
            assert [one.id for one in found.changes()] == [1]
            assert os.listdir(tmp_path / "state") == ["history.db"]
            assert (found.path, found._rows("PRAGMA busy_timeout")) == (path, [(0,)])
            assert found._connection.isolation_level is None
    fill(tmp_path / "state", {"history.db-wal": b""})
    with another(tmp_path) as found:
        assert [one.id for one in found.changes()] == [1]
        assert sorted(os.listdir(tmp_path / "state")) == ["history.db", "history.db-wal"]


def test_the_history_of_another_is_waited_for_as_long_as_is_said(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        add(first, (None, b"x"))
    found = module._open_to_read(str(tmp_path / "state/history.db"), 1.5, fail)
    assert found is not None
    with found:
        assert found._rows("PRAGMA busy_timeout") == [(1500,)]


def test_damage_in_the_history_of_another_is_said_and_nothing_is_moved(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        add(first, (None, noise()))
    break_pages(tmp_path)
    path = str(tmp_path / "state/history.db")
    with another(tmp_path) as found, pytest.raises(IoFailure) as caught:
        list(found.changes())
    assert said_by(caught) == (f"cannot read the history '{path}': database disk image is malformed", path, None)
    damage(tmp_path)
    with pytest.raises(IoFailure) as caught:
        another(tmp_path)
    assert said_by(caught) == (f"cannot read the history '{path}': file is not a database", path, None)
    assert os.listdir(tmp_path / "state") == ["history.db"]


def test_the_history_of_another_can_be_of_a_newer_memctl_or_empty(tmp_path: Path) -> None:
    fill(tmp_path / "state", {"history.db": b""})
    assert module.open_another(str(tmp_path / "state")) is None
    path = str(tmp_path / "state/history.db")
    with opened(tmp_path) as first:
        first._connection.execute("PRAGMA user_version = 7")
    with pytest.raises(ConfigError) as caught:
        another(tmp_path)
    assert caught.value.message == f"the history '{path}' is of a newer memctl (form 7; this one knows 1)"


def test_one_that_cannot_be_opened_at_all_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path).close()
    monkeypatch.setattr(sqlite3, "connect", lambda *_, **__: fail_with("odd"))
    with pytest.raises(IoFailure) as caught:
        another(tmp_path)
    path = str(tmp_path / "state/history.db")
    assert said_by(caught) == (f"cannot read the history '{path}': odd", path, None)


@pytest.mark.parametrize("way", ["open", "prepare", "another"])
@pytest.mark.parametrize("busy", [False, True])
def test_where_its_journal_cannot_be_read_the_rest_is_unless_another_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str, busy: bool
) -> None:
    with opened(tmp_path) as first:
        add(first, (None, b"x"))
    said: list[str] = []
    with opened(tmp_path) as first:
        add(first, (None, b"y"))
        state = str(fill(tmp_path / "copy/state", contents(tmp_path / "state")))
    whole = sqlite3.connect

    def connect(place: str, **options: Any) -> sqlite3.Connection:
        if ("uri" in options and "immutable" not in place) or (way == "open" and "uri" not in options):
            fail_with("database is locked" if busy and "uri" in options else "odd")
        return whole(place, **options)

    def look() -> History | None:
        if way == "another":
            return module.open_another(state)
        return open_history(state, wait=0, create=False, warn=said.append)

    monkeypatch.setattr(sqlite3, "connect", connect)
    if way == "prepare":
        monkeypatch.setattr(module, "_prepare", lambda *_: fail_with("odd"))
    if busy:
        with pytest.raises(Busy):
            look()
        return
    found = look()
    assert found is not None
    with found:
        assert [one.id for one in found.changes()] == [1]
    warning = f"the newest changes may be missing: they are in '{state}/history.db-wal', which cannot be read here"
    assert said == ([] if way == "another" else [warning])


def test_one_that_is_busy_is_not_read_another_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(tmp_path).close()
    monkeypatch.setattr(module, "_prepare", lambda *_: fail_with("database is locked"))
    with pytest.raises(Busy):
        open_history(str(tmp_path / "state"), wait=0, create=False, warn=fail)


def test_a_place_that_cannot_be_looked_at_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "state").symlink_to("state")
    with pytest.raises(IoFailure) as caught:
        open_history(str(tmp_path / "state"), wait=0, create=False, warn=fail)
    path = str(tmp_path / "state/history.db")
    reason = "too many levels of symbolic links"
    assert said_by(caught) == (f"cannot read the history '{path}': {reason}", path, None)


def writable_to_nobody(path: Path) -> bool:
    """Return what memctl thinks of a file while it acts as a user who owns nothing."""
    os.seteuid(NOBODY)
    try:
        return module._is_writable(str(path))
    finally:
        os.seteuid(0)


@needs_root
@pytest.mark.parametrize("closed", ["history.db", "."])
def test_it_can_be_written_where_its_directory_can_too_by_who_memctl_acts_as(open_folder: Path, closed: str) -> None:
    state = fill(open_folder / "state", {"history.db": b""})
    for path in (open_folder, state, state / "history.db"):
        path.chmod(0o777)
    assert writable_to_nobody(state / "history.db")
    (state / closed).chmod(0o555)
    assert not writable_to_nobody(state / "history.db")


# Where nothing can be written


needs_nobody = pytest.mark.skipif(os.geteuid() != 0, reason="root alone drops its user id")


def close_to_writers(folder: Path) -> Path:
    """Let others read the history, and nobody but root write it."""
    state = folder / "state"
    for path in (*folder.parents[:-2], folder, state):
        path.chmod(path.stat().st_mode | 0o055)
    for name in os.listdir(state):
        (state / name).chmod(0o644)
    return state


def read_as_nobody(state: Path) -> tuple[list[Any], list[str]]:
    """Return what a user reads who may not write there, and what that user is told."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            said: list[str] = []
            found = open_history(str(state), wait=0, create=False, warn=said.append)
            assert found is not None
            with found:
                told = [(one.id, (found.change(one.id).files[0].after.data or b"").decode()) for one in found.changes()]
            os.write(writer, repr((told, said)).encode())
        except BaseException as error:
            os.write(writer, repr(error).encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader, "rb") as file:
        result = eval(file.read().decode())
    assert isinstance(result, tuple), result
    return result


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Give a directory that other users can reach."""
    with tempfile.TemporaryDirectory(prefix="memctl-open-") as place:
        yield Path(place)


@needs_nobody
def test_a_history_that_cannot_be_written_is_read_and_nothing_is_made(open_folder: Path) -> None:
    with opened(open_folder) as found:
        add(found, (None, b"one"))
        add(found, (None, b"two"))
    state = close_to_writers(open_folder)
    assert read_as_nobody(state) == ([(2, "two"), (1, "one")], [])
    assert os.listdir(state) == ["history.db"]


@needs_nobody
def test_a_history_that_another_writes_is_read_with_its_journal(open_folder: Path) -> None:
    with opened(open_folder) as found:
        add(found, (None, b"one"))
        state = close_to_writers(open_folder)
        before = contents(state)
        assert read_as_nobody(state) == ([(1, "one")], [])
        assert contents(state).keys() == before.keys()


@needs_nobody
def test_a_journal_that_cannot_be_read_is_said_to_have_the_newest_changes(open_folder: Path) -> None:
    with opened(open_folder) as found:
        add(found, (None, b"one"))
    with opened(open_folder) as found:
        add(found, (None, b"two"))
        copied = fill(open_folder / "copy/state", contents(open_folder / "state"))
    (copied / "history.db-shm").unlink()
    state = close_to_writers(open_folder / "copy")
    changes, said = read_as_nobody(state)
    assert changes == [(1, "one")]
    (warning,) = said
    assert warning.startswith(f"the newest changes may be missing: they are in '{state}/history.db-wal'")
    assert sorted(os.listdir(state)) == ["history.db", "history.db-wal"]


@needs_nobody
def test_what_is_read_alone_is_never_set_aside(open_folder: Path) -> None:
    with opened(open_folder) as found:
        add(found, (None, noise()))
    break_pages(open_folder)
    state = close_to_writers(open_folder)
    with pytest.raises(AssertionError, match="IoFailure"):
        read_as_nobody(state)
    assert os.listdir(state) == ["history.db"]


@pytest.mark.parametrize("create", [False, True])
def test_a_history_that_is_no_file_is_an_error_and_no_wait(tmp_path: Path, create: bool) -> None:
    fill(tmp_path / "state", {})
    os.mkfifo(tmp_path / "state/history.db")
    with pytest.raises(ConfigError if create else IoFailure) as caught:
        open_history(str(tmp_path / "state"), wait=0, create=create, warn=fail)
    path = str(tmp_path / "state/history.db")
    if not create:
        assert said_by(caught) == (f"the history '{path}' is a FIFO, not a file", path, None)


def test_a_history_that_another_memctl_has_open_is_closed_by_nobody_else(tmp_path: Path) -> None:
    """SQLite's locks are those of the process: to open the file once more, and close it, would drop them."""
    code = (
        "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "connection.execute('SELECT * FROM changes').fetchall(); connection.close()\n"
    )
    with opened(tmp_path) as first:
        add(first, (None, b"one"))
        opened(tmp_path).close()
        # Whoever takes itself for the last removes the journal.
        subprocess.run([sys.executable, "-c", code, str(tmp_path / "state/history.db")], check=True)
        assert "history.db-wal" in os.listdir(tmp_path / "state")
        add(first, (None, b"two"))
    with opened(tmp_path) as found:
        assert [one.id for one in found.changes()] == [2, 1]


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("form", [2, 99, -1])
def test_a_history_of_a_newer_memctl_is_refused_and_not_touched(tmp_path: Path, form: int, create: bool) -> None:
    with opened(tmp_path) as found:
        add(found, (None, b"x"))
    connection = sqlite3.connect(tmp_path / "state/history.db", isolation_level=None)
    connection.execute(f"PRAGMA user_version = {form}")
    connection.execute("PRAGMA journal_mode = delete")
    connection.close()
    before = contents(tmp_path / "state")
    with pytest.raises(ConfigError) as caught:
        open_history(str(tmp_path / "state"), wait=0, create=create, warn=fail)
    path = str(tmp_path / "state/history.db")
    assert said_by(caught) == (
        f"the history '{path}' is of a newer memctl (form {form}; this one knows 1)",
        path,
        "update memctl, or let MEMCTL_STATE_DIR name another place",
    )
    assert contents(tmp_path / "state") == before


def test_a_history_that_was_not_made_to_its_end_has_no_changes(tmp_path: Path) -> None:
    fill(tmp_path / "state", {"history.db": b""})
    with opened(tmp_path) as found:
        assert list(found.changes()) == []


# Busy and damaged


def test_while_another_writes_a_change_waits_and_then_touches_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    before = contents(store.path)
    with opened(tmp_path):
        other = sqlite3.connect(tmp_path / "state/history.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        keeps = Recorder(lambda: opened(tmp_path, wait=0.3), ORIGIN, "memctl test", NOW)
        start = time.monotonic()
        with pytest.raises(Busy, match="is in use"):
            change(store, lambda _: [Edit("a.md", memory("a"), None)], Locking(0, recorder=keeps))
        assert 0.25 < time.monotonic() - start < 5
        assert contents(store.path) == before
        # The end of the command does not wait a second time.
        start = time.monotonic()
        assert keeps.finish(days=90, size=FOREVER) is None
        assert time.monotonic() - start < 0.2
        other.execute("ROLLBACK")
        other.close()


def test_first_changes_at_the_same_moment_make_one_history(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from datetime import *; from memctl.disk.history import *\n"
        "while datetime.now().timestamp() < float(sys.argv[3]): pass\n"
        "with open_history(sys.argv[2], wait=20, create=True, warn=print) as found:\n"
        "    found.intend(None, Begun(Origin('a', 0, 'h', 's'), 'c', datetime.now(UTC)), [])\n"
    )
    words = [sys.executable, "-I", "-S", "-c", code, CODE, str(tmp_path / "state"), str(time.time() + 0.7)]
    runs = [subprocess.Popen(words, stderr=subprocess.PIPE) for _ in range(8)]
    assert [run.communicate(timeout=60)[1].decode() for run in runs] == [""] * 8
    with opened(tmp_path) as found:
        assert len(list(found.changes())) == 8


def damage(folder: Path) -> None:
    path = folder / "state/history.db"
    path.write_bytes(b"not a database, but as long as one would be" * 1000)


def set_aside(folder: Path) -> tuple[str, list[str]]:
    """Return where a damaged history was put, and which files there are, without what was added to their names."""
    (aside,) = (name for name in os.listdir(folder / "state") if name.startswith("history.db.damaged-"))
    added = aside.removeprefix("history.db")
    return str(folder / "state" / aside), sorted(name.removesuffix(added) for name in os.listdir(folder / "state"))


def test_a_damaged_one_is_set_aside_and_reading_goes_on(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (None, b"x"))
    damage(tmp_path)
    data = (tmp_path / "state/history.db").read_bytes()
    said: list[str] = []
    assert open_history(str(tmp_path / "state"), wait=0, create=False, warn=said.append) is None
    aside, _ = set_aside(tmp_path)
    assert Path(aside).read_bytes() == data
    path = tmp_path / "state/history.db"
    assert said == [f"the history '{path}' is damaged (file is not a database); it was set aside as '{aside}'"]


def test_a_damaged_one_stops_who_would_write_it(tmp_path: Path) -> None:
    fill(tmp_path / "state", {})
    damage(tmp_path)
    with pytest.raises(ConfigError) as caught:
        opened(tmp_path)
    aside, names = set_aside(tmp_path)
    assert names == ["history.db"]
    path = str(tmp_path / "state/history.db")
    assert said_by(caught) == (
        f"the history '{path}' is damaged (file is not a database); it was set aside as '{aside}'",
        path,
        "the next command begins a new one; --no-history goes on now",
    )


def test_with_a_damaged_one_a_change_stops_and_the_next_begins_anew(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    before = contents(store.path)
    opened(tmp_path).close()
    damage(tmp_path)
    keeps = recorder(tmp_path)
    with pytest.raises(ConfigError, match="is damaged") as caught:
        change(store, lambda _: [Edit("a.md", memory("a"), None)], Locking(0, recorder=keeps))
    assert "--no-history" in (caught.value.hint or "")
    assert contents(store.path) == before
    assert keeps.finish(days=90, size=FOREVER) is None
    with opened(tmp_path) as found:
        assert add(found, (None, b"x")) == 1


def break_pages(folder: Path) -> None:
    """Spoil all pages but the first, which alone is read when the file is opened."""
    path = folder / "state/history.db"
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xee" * (len(data) - 4096))


def test_what_sqlite_says_of_another_who_writes_is_known() -> None:
    said = {"database is locked": True, "the database is busy": True, "odd": False}
    assert {words: module._is_busy(Exception(words)) for words in said} == said


def test_what_cannot_be_emptied_is_said(tmp_path: Path) -> None:
    path = str(tmp_path / "state/history.db")
    with opened(tmp_path) as found:
        found._connection.execute("BEGIN")
        with pytest.raises(IoFailure) as caught:
            found._compact()
    reason = "cannot VACUUM from within a transaction"
    assert said_by(caught) == (f"cannot write the history '{path}': {reason}", path, None)


def test_damage_that_shows_only_in_use_stops_a_change_before_a_file_is_touched(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    before = contents(store.path)
    with opened(tmp_path) as found:
        add(found, (None, noise()))
    break_pages(tmp_path)
    with pytest.raises(ConfigError, match="is damaged"):
        change(store, lambda _: [Edit("a.md", memory("a"), None)], Locking(0, recorder=recorder(tmp_path)))
    assert contents(store.path) == before
    with opened(tmp_path) as found:
        assert list(found.changes()) == []


def test_damage_that_shows_only_in_use_is_said_to_a_reader(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (None, noise()))
    break_pages(tmp_path)
    with opened(tmp_path) as found, pytest.raises(ConfigError) as caught:
        list(found.changes())
    aside, names = set_aside(tmp_path)
    assert names == ["history.db", "history.db-shm", "history.db-wal"]
    path = str(tmp_path / "state/history.db")
    assert said_by(caught) == (
        f"the history '{path}' is damaged (database disk image is malformed); it was set aside as '{aside}'",
        path,
        "the next command begins a new one; --no-history goes on now",
    )


def test_one_read_that_fails_is_no_damage(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (None, noise(40_000)))
    code = """
import sqlite3, zlib, hashlib
from memctl.disk.history import open_history
open_history("../state", wait=0, create=False, warn=print).close()
ready()
def read():
    with open_history("../state", wait=0, create=False, warn=print) as found:
        tell([len(found.change(1).files[0].after.data)])
try:
    read()
except MemctlError as error:
    tell([told(error)])
"""
    place = fill(tmp_path / "agent", {})
    failed = 0
    for at in range(1, 12):
        with Traced(place, code, trace="pread64", inject=f"pread64:error=EIO:when={at}") as traced:
            pass
        if "INJECTED" in traced.log():
            failed += traced.told() != [40_000]
        # Its journal may be left for the next who opens it.
        assert set(os.listdir(tmp_path / "state")) <= {"history.db", "history.db-wal", "history.db-shm"}, at
        with opened(tmp_path) as found:
            assert [one.id for one in found.changes()] == [1]
    assert failed > 3


def test_an_image_that_sqlite_does_not_take_is_no_damage(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    before = contents(store.path)
    with opened(tmp_path) as found:
        found._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 10_000)
        keeps = Recorder(lambda: found, ORIGIN, "memctl test", NOW)
        with pytest.raises(ConfigError, match=r"cannot write the history .*too big"):
            change(store, lambda _: [Edit("a.md", memory("a"), noise(20_000))], Locking(0, recorder=keeps))
        assert list(found.changes()) == []
    assert contents(store.path) == before


@pytest.mark.parametrize("statement", ["DELETE FROM images", "UPDATE images SET data = x'00'"])
def test_an_image_that_is_missing_or_broken_is_damage(tmp_path: Path, statement: str) -> None:
    with opened(tmp_path) as found:
        number = add(found, (None, b"x"))
    connection = sqlite3.connect(tmp_path / "state/history.db", isolation_level=None)
    connection.execute(statement)
    connection.close()
    with opened(tmp_path) as found, pytest.raises(ConfigError, match=r"is damaged \(an image is missing or broken\)"):
        found.change(number)


@pytest.mark.parametrize(
    ("code", "state", "damaged"),
    [(11, "whole", False), (26, "whole", False), (11, "broken", True), (11, "gone", False), (0, "broken", False)],
)
def test_damage_is_what_a_second_look_confirms(tmp_path: Path, code: int, state: str, damaged: bool) -> None:
    with opened(tmp_path) as found:
        add(found, (None, noise()))
    if state == "broken":
        break_pages(tmp_path)
    path = str(tmp_path / ("state/history.db" if state != "gone" else "nothing"))
    error = sqlite3.DatabaseError("malformed")
    if code:
        error.sqlite_errorcode = code | 0x100
    assert module._is_damage(error, path) is damaged
    assert not (tmp_path / "nothing").exists()


def test_an_image_that_went_since_it_was_looked_for_is_kept_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        fresh = found._packed(image(b"x"))
        number = add(found, (None, b"x"))
        known = found._packed(image(b"x"))
        assert fresh == known._replace(data=zlib.compress(b"x"))
        assert (known.size, known.data, found._packed(ABSENT)) == (1, None, None)
        found.forget(number)
        with found._writing() as connection:
            assert module._side(connection, image(b"x"), known) == (known.key, 0o640, 11, 12, 0)
            assert module._side(connection, ABSENT, None) == (None, None, None, None, 0)
        assert found._rows("SELECT * FROM images") == [tuple(fresh)]


def test_one_that_another_writes_is_in_use_and_one_that_fails_is_not(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        other = sqlite3.connect(tmp_path / "state/history.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy) as busy:
            add(found, (None, b"x"))
        other.execute("ROLLBACK")
        other.close()
        with pytest.raises(IoFailure) as reading:
            found._rows("SELECT missing")
        with pytest.raises(IoFailure) as writing, found._writing() as connection:
            connection.execute("SELECT missing")
        assert not found._connection.in_transaction
    path = str(tmp_path / "state/history.db")
    hint = "try again, or wait longer with --wait SECONDS"
    assert said_by(busy) == (f"the history '{path}' is in use", path, hint)
    assert said_by(reading) == (f"cannot read the history '{path}': no such column: missing", path, None)
    assert said_by(writing) == (f"cannot write the history '{path}': no such column: missing", path, None)


class Failing:
    """A recorder whose history goes away at some moment."""

    def __init__(self, *, settles: bool) -> None:
        self.settles = settles

    def intend(self, files: Sequence[FileChange]) -> list[int]:
        if not self.settles:
            raise IoFailure("full")
        return list(range(len(files)))

    def settle(self, results: Sequence[tuple[int, bool]]) -> None:
        raise Busy("in use")


@pytest.mark.parametrize("way", ["write", "append", "change"])
def test_what_cannot_be_recorded_is_not_done(tmp_path: Path, way: str) -> None:
    store = make_store(tmp_path, "a")
    before = contents(store.path)
    path = f"{store.path}/a.md"
    locking = Locking(0, recorder=Failing(settles=False))
    do: dict[str, Callable[[], object]] = {
        "write": lambda: write_file(path, memory("a"), b"new", locking),
        "append": lambda: append_file(path, b"new\n", locking),
        "change": lambda: change(store, lambda _: [Edit("a.md", memory("a"), None)], locking),
    }
    with pytest.raises(IoFailure, match="full"):
        do[way]()
    assert contents(store.path) == before


def test_what_was_done_stands_though_its_end_could_not_be_recorded(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    outcome = change(store, lambda _: [Edit("a.md", memory("a"), None)], Locking(0, recorder=Failing(settles=True)))
    assert (outcome.index_changed, outcome.errors) == (True, ())
    assert contents(store.path) == {"b.md": memory("b"), "MEMORY.md": index("b")}


def test_a_full_disk_stops_a_change_and_says_how_to_go_on(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    before = contents(store.path)
    with opened(tmp_path) as found:
        found._connection.execute("PRAGMA max_page_count = 1")
        keeps = Recorder(lambda: found, ORIGIN, "memctl test", NOW)
        edit = Edit("a.md", memory("a"), noise(100_000))
        with pytest.raises(ConfigError, match="full") as caught:
            change(store, lambda _: [edit], Locking(0, recorder=keeps))
    assert "--no-history" in (caught.value.hint or "")
    assert contents(store.path) == before


# What it forgets


@pytest.mark.parametrize("live", [False, True])
def test_what_is_forgotten_leaves_no_byte_in_any_file(tmp_path: Path, live: bool) -> None:
    secret, other = noise(), noise()
    with opened(tmp_path) as found:
        number = add(found, (secret, None))
        kept = add(found, (None, other))
        assert holds(tmp_path, secret)
        # Another that is open, but reads nothing now.
        beside = opened(tmp_path) if live else None
        assert found.forget(number)
        assert not holds(tmp_path, secret)
        assert holds(tmp_path, other)
        assert [one.id for one in found.changes()] == [kept]
        if beside:
            beside.close()
    assert not holds(tmp_path, secret)


def test_what_another_change_shares_stays(tmp_path: Path) -> None:
    shared = noise()
    with opened(tmp_path) as found:
        first, second = add(found, (shared, None)), add(found, (None, shared))
        found.forget(first)
        assert holds(tmp_path, shared)
        assert found.change(second).files[0].after.data == shared
        found.forget(second)
        assert not holds(tmp_path, shared)
        assert found.forget(second) is False


def test_while_another_reads_forgetting_says_that_bytes_may_be_left(tmp_path: Path) -> None:
    secret = noise()
    with opened(tmp_path) as found:
        number = add(found, (secret, None))
        reader = sqlite3.connect(tmp_path / "state/history.db", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM changes").fetchall()
        with pytest.raises(Busy) as caught:
            found.forget(number)
        path = str(tmp_path / "state/history.db")
        assert said_by(caught) == (
            f"removed from the history '{path}', but its files may hold the bytes: another memctl reads it",
            path,
            "try again: any --forget or --prune empties them",
        )
        reader.execute("ROLLBACK")
        reader.close()
        found.forget(number)
        assert not holds(tmp_path, secret)


def test_a_rollback_journal_keeps_no_forgotten_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_is_network", lambda path: True)
    secret = noise()
    with opened(tmp_path) as found:
        number = add(found, (secret, None))
        assert holds(tmp_path, secret)
        found.forget(number)
    assert not holds(tmp_path, secret)


def test_old_changes_go_by_age(tmp_path: Path) -> None:
    secret = noise()
    with opened(tmp_path) as found:
        add(found, (secret, None), now=NOW - timedelta(days=91))
        add(found, (None, b"x"), now=NOW - timedelta(days=89))
        add(found, (None, b"y"))
        assert found.prune(NOW, days=90, number=None, size=None) == [1]
        assert [one.id for one in found.changes()] == [3, 2]
        assert not holds(tmp_path, secret)


def test_old_changes_go_by_number(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        for _ in range(5):
            add(found, (None, b"x"))
        assert found.prune(NOW, days=None, number=2, size=None) == [1, 2, 3]
        assert found.prune(NOW, days=None, number=2, size=None) == []
        assert found.prune(NOW, days=None, number=0, size=None) == [4, 5]


def test_what_is_as_old_or_as_large_as_it_may_be_stays(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        for _ in range(3):
            add(found, (noise(500), noise(500)), now=NOW - timedelta(days=90))
        size = sum(row[0] for row in found._rows("SELECT LENGTH(data) FROM images"))
        assert found.prune(NOW, days=90, number=3, size=size) == []
        assert found.keep_within(NOW, days=90, size=found._used()) == []
        assert found.prune(NOW, days=90, number=3, size=size - 1) == [1]
        assert found.prune(NOW + timedelta(milliseconds=1), days=90, number=None, size=None) == [2, 3]


def test_any_bound_is_a_reason_to_go(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (None, b"old"), now=NOW - timedelta(days=91))
        for data in (b"one", b"two", b"three"):
            add(found, (None, data))
        assert found.prune(NOW, days=90, number=2, size=FOREVER) == [1, 2]


def test_a_history_without_changes_has_nothing_to_drop(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        assert found.keep_within(NOW, days=90, size=FOREVER) == []
        assert found.keep_within(NOW, days=90, size=0) == []


def test_several_changes_are_dropped_at_once_and_counted(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        for _ in range(3):
            add(found, (None, b"x"))
        used = found._used()
        assert found._drop([1, 3, 9]) == 2
        add(found, (None, noise(50_000)))
        assert found._used() > used + 40_000
        found._drop([4])
        # What is free in the file is not in use.
        assert found._used() < used + 20_000
        assert [one.id for one in found.changes()] == [2]


def test_old_changes_go_by_size(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        for _ in range(4):
            add(found, (noise(10_000), None))
        assert found.prune(NOW, days=None, number=None, size=25_000) == [1, 2]
        assert found.prune(NOW, days=None, number=None, size=25_000) == []


@pytest.mark.parametrize(
    ("days", "size", "left"), [(90, FOREVER, [3, 2]), (400, 5_000, [3]), (400, FOREVER, [3, 2, 1])]
)
def test_the_end_of_a_change_drops_what_is_kept_no_longer(
    tmp_path: Path, days: float, size: int, left: list[int]
) -> None:
    with opened(tmp_path) as found:
        add(found, (noise(), None), now=NOW - timedelta(days=100))
        add(found, (noise(), None))
    keeps = recorder(tmp_path)
    keeps.intend([FileChange("a", "/x", image(noise()), ABSENT)])
    assert keeps.finish(days=days, size=size) == 3
    with opened(tmp_path) as found:
        assert [one.id for one in found.changes()] == left


def test_the_newest_change_stays_however_large_it_is(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (None, noise()))
        add(found, (None, noise(300_000)))
        assert found.keep_within(NOW, days=90, size=50_000) == [1]
        assert found.keep_within(NOW, days=90, size=50_000) == []
        add(found, (None, noise()))
        assert found.keep_within(NOW, days=90, size=50_000) == [2]
        assert found.keep_within(NOW + timedelta(days=400), days=90, size=50_000) == []
        assert [one.id for one in found.changes()] == [3]
    assert os.path.getsize(tmp_path / "state/history.db") < 60_000


def test_of_a_history_over_its_size_the_oldest_go_until_a_fifth_is_free(tmp_path: Path) -> None:
    size = 250_000
    with opened(tmp_path) as found:
        for at in range(12):
            add(found, (None, noise(20_000)), now=NOW - timedelta(days=100 * (at == 10)))
        assert found._used() > size
        gone = found.keep_within(NOW, days=90, size=size)
        # And one of which the clock said that it is old.
        assert gone == [*range(1, len(gone)), 11]
        assert 0.8 * size - 45_000 < found._used() <= 0.8 * size
        assert os.path.getsize(found.path) <= 0.8 * size + 20_000
        assert found.keep_within(NOW, days=90, size=size) == []
        # And what is old goes though there is room for it; not the newest.
        assert found.keep_within(NOW + timedelta(days=91), days=90, size=size) == list(range(len(gone), 11))
        assert [one.id for one in found.changes()] == [12]


def test_a_large_history_is_bounded_without_a_drop_at_each_change_and_keeps_no_dropped_byte(tmp_path: Path) -> None:
    size, secret = 400_000, noise()
    drops = 0
    with opened(tmp_path) as found:
        add(found, (None, secret))
        for at in range(400):
            add(found, (noise(), None), path=f"/{at}")
            drops += bool(found.keep_within(NOW, days=90, size=size))
            # One change more than the bound, and the rounding of pages.
            assert found._used() <= size
            assert os.path.getsize(tmp_path / "state/history.db") <= size + 20_000
        kept = len(list(found.changes()))
        assert not holds(tmp_path, secret)
    # A fifth of the bound is freed at once: some twenty changes.
    assert 5 < drops < 30
    assert kept > 60


def test_what_is_dropped_goes_from_a_history_that_was_made_otherwise_too(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        found._connection.execute("PRAGMA auto_vacuum = NONE")
        found._connection.execute("VACUUM")
        for _ in range(40):
            add(found, (noise(10_000), None))
        found.keep_within(NOW, days=90, size=100_000)
        assert found._used() <= 100_000
        found.prune(NOW, days=None, number=2, size=None)
        assert found._connection.execute("PRAGMA auto_vacuum").fetchone() == (2,)
    assert os.path.getsize(tmp_path / "state/history.db") < 80_000


def test_an_image_that_several_changes_share_counts_once(tmp_path: Path) -> None:
    texts = [noise(10_000) for _ in range(5)]
    with opened(tmp_path) as found:
        for before, after in pairwise(texts):
            add(found, (before, after))
        assert found.prune(NOW, days=None, number=None, size=41_000) == [1]


def test_a_reader_does_not_make_a_change_fail_at_its_end(tmp_path: Path) -> None:
    with opened(tmp_path) as found:
        add(found, (noise(), None), now=NOW - timedelta(days=100))
    reader = sqlite3.connect(tmp_path / "state/history.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM changes").fetchall()
    keeps = recorder(tmp_path)
    keeps.intend([FileChange("a", "/x", image(b"x"), ABSENT)])
    assert keeps.finish(days=90, size=FOREVER) == 2
    reader.close()


# One command is one change


def test_the_files_of_several_stores_are_one_change(tmp_path: Path) -> None:
    keeps = recorder(tmp_path, kind="redo", target=9)
    for name in "ab":
        fill(tmp_path / name, {"x": b"old"})
        write_file(str(tmp_path / name / "x"), b"old", b"new", Locking(0, recorder=keeps), store=name)
    assert keeps.finish(days=90, size=FOREVER) == keeps.change == 1
    assert keeps.finish(days=90, size=FOREVER) is None
    with opened(tmp_path) as found:
        one = found.change(1)
    assert (one.kind, one.target, one.done) == ("redo", 9, True)
    assert [(file.store, file.before.data, file.after.data, file.settled) for file in one.files] == [
        ("a", b"old", b"new", True),
        ("b", b"old", b"new", True),
    ]


def test_where_nothing_changes_no_history_is_made(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a")
    keeps = recorder(tmp_path)
    change(store, lambda _: [], Locking(0, recorder=keeps))
    assert keeps.finish(days=90, size=FOREVER) is None
    assert not (tmp_path / "state").exists()


def test_a_file_that_was_not_changed_is_known_to_be_so(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", "b")
    keeps = recorder(tmp_path)
    edits = [Edit("a.md", b"not this", None), Edit("b.md", memory("b"), None)]
    change(store, lambda _: edits, Locking(0, recorder=keeps))
    keeps.finish(days=90, size=FOREVER)
    with opened(tmp_path) as found:
        files = found.change(1).files
    assert [(os.path.basename(file.path), file.settled) for file in files] == [
        ("a.md", False),
        ("b.md", True),
        ("MEMORY.md", True),
    ]


def test_a_check_says_whether_there_is_a_place_and_keeps_nothing_open(tmp_path: Path) -> None:
    keeps = recorder(tmp_path)
    keeps.check()
    assert os.listdir(tmp_path / "state") == ["history.db"]
    assert keeps.intend([]) == []
    keeps.check()
    assert keeps.intend([]) == []
    assert keeps.finish(days=90, size=FOREVER) == 1
    fill(tmp_path / "full", {"state": b"in the way"})
    with pytest.raises(ConfigError):
        recorder(tmp_path / "full").check()


# Killed

PREPARE = """
import itertools, sqlite3, zlib, hashlib
from datetime import datetime, UTC
from memctl.disk.history import Begun, Origin, open_history
from memctl.disk.recorder import Recorder
def opened():
    return open_history("../state", wait=5, create=True, warn=print)
opened().close()
recorder = Recorder(opened, Origin("alice", 1000, "host", "7"), "memctl test", datetime.now(UTC))
locking = Locking(0, recorder=recorder)
here = os.getcwd()
"""
PROGRAMS = {
    "edit": """
edits = [Edit("a.md", given[0].encode(), given[1].encode()), Edit("b.md", given[2].encode(), None)]
edits.append(Edit("new.md", None, given[3].encode()))
ready()
change(store(here), lambda _: edits, locking)
recorder.finish(days=90, size=10**9)
""",
    "append": """
ready()
append_file(here + "/memory.md", b"- ours\\n", locking, store="@user")
recorder.finish(days=90, size=10**9)
""",
}
CALLS = "openat,write,pwrite64,fsync,fdatasync,linkat,renameat,unlink,unlinkat,fchmod,flock"
GIVEN = [memory("a").decode(), memory("a", content="new").decode(), memory("b").decode(), memory("new").decode()]
OLD = {"a.md": memory("a"), "b.md": memory("b"), "MEMORY.md": index("a", "b"), "memory.md": b"- first"}
NEW = {
    "a.md": {memory("a"), memory("a", content="new")},
    "b.md": {memory("b"), None},
    "new.md": {None, memory("new")},
    "MEMORY.md": {index("a", "b"), index("a", "new")},
    "memory.md": {b"- first", b"- first\n- ours\n"},
}


def killed(folder: Path, program: str, call: str = "", at: int = 0) -> tuple[Path, Traced]:
    """Run a change from its write phase on, killed at one call."""
    store = fill(folder / "agent", OLD)
    inject = f"{call}:signal=KILL:when={at}" if call else ""
    with Traced(store, PREPARE + PROGRAMS[program], GIVEN, trace=call or CALLS, inject=inject) as traced:
        pass
    return store, traced


@pytest.mark.parametrize("call", CALLS.split(","))
@pytest.mark.parametrize("program", PROGRAMS)
def test_killed_at_any_call_each_file_is_old_or_new_and_undo_brings_all_back(
    tmp_path: Path, program: str, call: str
) -> None:
    _, whole = killed(tmp_path / "whole", program)
    assert whole.process.returncode == 0, whole.errors
    count = whole.calls().count(call)
    points = range(1, count + 1) if count <= 3 else sorted({1, count // 3, 2 * count // 3, count})
    for at in points:
        folder = tmp_path / str(at)
        store, traced = killed(folder, program, call, at)
        assert traced.process.returncode == -9 or "KILL" in traced.log(), (call, at)
        after = contents(store)
        with opened(folder, wait=5) as found:
            changes = list(found.changes())
            touched = {name: data for name, data in after.items() if name not in temp_files(store)} != OLD
            for name, allowed in NEW.items():
                # Between its two names a file that is removed has the other one.
                assert after.get(name) in allowed, (call, at, name)
            assert changes or not touched
            if changes:
                one = found.change(1)
                assert [file.before.data for file in one.files] == [
                    OLD.get(os.path.basename(file.path)) for file in one.files
                ]
                undone = apply_undo(plan_undo(one), Locking(0), force=False)
                assert undone.errors == ()
                assert contents(store) == OLD, (call, at)
            else:
                assert after == OLD or temp_files(store)


def test_both_images_are_committed_before_the_first_store_file_is_touched(tmp_path: Path) -> None:
    _, traced = killed(tmp_path, "edit")
    lines = traced.log().splitlines()
    temp = next(at for at, line in enumerate(lines) if ".memctl-" in line)
    assert any(line.startswith(("fsync", "fdatasync")) and "history.db" in line for line in lines[:temp])
    # And nothing of the history follows its last sync before that.
    kept = [
        line for line in lines[:temp] if "history.db" in line and line.startswith(("pwrite64", "fsync", "fdatasync"))
    ]
    assert kept[-1].startswith(("fsync", "fdatasync"))


# Whatever is done comes back


NAMES = ("a", "b", "c")
STEPS = st.lists(
    st.tuples(
        st.sampled_from(NAMES),
        st.one_of(st.none(), st.binary(max_size=40), st.text(max_size=20).map(lambda text: memory(content=text))),
        st.sampled_from(["store", "user", "append"]),
    ),
    min_size=1,
    max_size=7,
)


def apply_change(store: DirectoryStore, edit: Edit, locking: Locking) -> None:
    change(store, lambda _: [edit], locking)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_any_changes_taken_back_one_by_one_give_back_every_byte(steps: list[tuple[str, bytes | None, str]]) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        store = make_store(folder, "a", "b", files={"MEMORY.md": b"stale"})
        user = fill(folder / "user", {}) / "memory.md"
        states: dict[int, tuple[dict[str, bytes], bytes | None]] = {}

        def state() -> tuple[dict[str, bytes], bytes | None]:
            return contents(store.path), user.read_bytes() if user.exists() else None

        for name, data, way in steps:
            before = state()
            keeps = recorder(folder)
            locking = Locking(0, recorder=keeps)
            if way == "store":
                old = before[0].get(f"{name}.md")
                if old != data:
                    apply_change(store, Edit(f"{name}.md", old, data), locking)
            elif way == "user" and data is not None and data != before[1]:
                write_file(str(user), before[1], data, locking, store="@user")
            elif way == "append":
                append_file(str(user), b"- " + name.encode() + b"\n", locking, store="@user")
            number = keeps.finish(days=90, size=FOREVER)
            if number is not None:
                states[number] = before
        if not states:
            return
        with opened(folder) as found:
            for number in sorted(states, reverse=True):
                undone = apply_undo(plan_undo(found.change(number)), Locking(0), force=False)
                assert undone.errors == ()
                assert state() == states[number]
