"""A history that is busy or damaged is said to be so, and what is damaged is set aside, never lost."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from memctl.disk.change import change
from memctl.disk.history_errors import is_busy, is_damage
from memctl.disk.history_file import open_history
from memctl.disk.images import Edit
from memctl.disk.locking import Locking
from memctl.disk.recorder import Recorder
from memctl.errors import Busy, ConfigError, IoFailure
from tests.disk.test_files import Traced, said_by
from tests.disk.test_history import FOREVER, NOW, ORIGIN, add, noise, opened, recorder
from tests.stores import contents, fill, make_store, memory


def damage(folder: Path) -> None:
    path = folder / "state/history.db"
    path.write_bytes(b"not a database, but as long as one would be" * 1000)


def set_aside(folder: Path) -> tuple[str, list[str]]:
    """Return where a damaged history was put, and which files with it, without what was added to their names."""
    (aside,) = (name for name in os.listdir(folder / "state") if name.startswith("history.db.damaged-"))
    added = aside.removeprefix("history.db")
    there = os.listdir(folder / "state")
    assert all(name.endswith(added) for name in there)
    return str(folder / "state" / aside), sorted(name.removesuffix(added) for name in there)


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
    assert {words: is_busy(Exception(words)) for words in said} == said


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
from memctl.disk.history_file import open_history
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
    assert is_damage(error, path) is damaged
    assert not (tmp_path / "nothing").exists()


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
