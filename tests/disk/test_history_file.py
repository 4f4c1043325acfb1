"""The history is where it belongs, for this user alone, and opened to be written, or read where that is all."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memctl.disk import history_file as module
from memctl.disk.history import History
from memctl.disk.history_file import open_another, open_history, state_directory
from memctl.errors import Busy, ConfigError, IoFailure
from tests.disk.test_files import said_by
from tests.disk.test_history import add, fail, noise, opened
from tests.disk.test_history_errors import break_pages, damage
from tests.stores import CODE, NOBODY, contents, env_of, fill, needs_root


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
    found = open_another(str(folder / "state"))
    assert found is not None
    return found


def test_the_history_of_another_is_read_with_its_journal_and_not_written(tmp_path: Path) -> None:
    assert open_another(str(tmp_path / "state")) is None
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


def test_a_missing_image_in_the_history_of_another_is_said(tmp_path: Path) -> None:
    with opened(tmp_path) as first:
        add(first, (None, b"x"))
        first._connection.execute("DELETE FROM images")
    path = str(tmp_path / "state/history.db")
    with another(tmp_path) as found, pytest.raises(IoFailure) as caught:
        found.change(1)
    assert said_by(caught) == (f"cannot read the history '{path}': an image is missing or broken", path, None)
    assert os.listdir(tmp_path / "state") == ["history.db"]


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
    assert open_another(str(tmp_path / "state")) is None
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
            return open_another(state)
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


needs_nobody = pytest.mark.skipif(os.geteuid() != 0, reason="root alone drops its user id")


# Where nothing can be written


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


def test_first_changes_at_the_same_moment_make_one_history(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from datetime import *; from memctl.disk.history_file import *; from memctl.disk.history_tables import *\n"
        "while datetime.now().timestamp() < float(sys.argv[3]): pass\n"
        "with open_history(sys.argv[2], wait=20, create=True, warn=print) as found:\n"
        "    found.intend(None, Begun(Origin('a', 0, 'h', 's'), 'c', datetime.now(UTC)), [])\n"
    )
    words = [sys.executable, "-I", "-S", "-c", code, CODE, str(tmp_path / "state"), str(time.time() + 0.7)]
    runs = [subprocess.Popen(words, stderr=subprocess.PIPE) for _ in range(8)]
    assert [run.communicate(timeout=60)[1].decode() for run in runs] == [""] * 8
    with opened(tmp_path) as found:
        assert len(list(found.changes())) == 8
