"""The tables of a history: what is kept of a change, and how it becomes rows and comes back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.disk.images import Image
from memctl.disk.locking import FileChange

if TYPE_CHECKING:
    import sqlite3

FORM = 1
SCHEMA = f"""
CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, time TEXT NOT NULL, command TEXT NOT NULL, user TEXT NOT NULL,
    uid INTEGER NOT NULL, host TEXT NOT NULL, session TEXT NOT NULL, kind TEXT NOT NULL, target INTEGER,
    done INTEGER NOT NULL DEFAULT 0, undone_by INTEGER
);
CREATE TABLE files (
    change INTEGER NOT NULL REFERENCES changes(id) ON DELETE CASCADE, number INTEGER NOT NULL, store TEXT NOT NULL,
    path BLOB NOT NULL, settled INTEGER,
    before TEXT, before_mode INTEGER, before_uid INTEGER, before_gid INTEGER, before_link INTEGER NOT NULL,
    after TEXT, after_mode INTEGER, after_uid INTEGER, after_gid INTEGER, after_link INTEGER NOT NULL,
    PRIMARY KEY (change, number)
);
CREATE TABLE images (hash TEXT PRIMARY KEY, size INTEGER NOT NULL, data BLOB NOT NULL);
CREATE INDEX files_before ON files(before);
CREATE INDEX files_after ON files(after);
PRAGMA user_version = {FORM};
"""


class Origin(NamedTuple):
    """Who makes a change: user name and id, host, and login session."""

    user: str
    uid: int
    host: str
    session: str


class Change(NamedTuple):
    """One command that changed something. `time` is UTC, ISO 8601; `kind` is `change`, `undo` or `redo` (of `target`).

    `done` is False for one that was interrupted; `undone_by` is the id of the undo that took it back.
    """

    id: int
    time: str
    command: str
    origin: Origin
    kind: str
    target: int | None
    done: bool
    undone_by: int | None
    files: tuple[FileChange, ...] = ()


class Begun(NamedTuple):
    """What a change begins with: who makes it, by which command, when, and of an undo or redo which change it is of."""

    origin: Origin
    command: str
    now: datetime
    kind: str = "change"
    target: int | None = None


def change_of(row: Sequence[Any]) -> Change:
    """Return the change of a row of `changes`, without its files."""
    number, time, command, user, uid, host, session, kind, target, done, undone_by = row
    return Change(number, time, command, Origin(user, uid, host, session), kind, target, bool(done), undone_by)


def begin(connection: sqlite3.Connection, begun: Begun) -> int:
    """Add a change, and return its id. Raises sqlite3.Error."""
    user, uid, host, session = begun.origin
    values = (stamp(begun.now), text_of(begun.command), user, uid, host, session, begun.kind, begun.target)
    row = connection.execute(
        "INSERT INTO changes (time, command, user, uid, host, session, kind, target) VALUES (?,?,?,?,?,?,?,?)", values
    )
    return int(row.lastrowid or 0)


def settle(connection: sqlite3.Connection, change: int, settled: Sequence[tuple[int, bool]]) -> None:
    """Say of files of a change, by their numbers, whether they were changed. Raises sqlite3.Error."""
    connection.executemany(
        "UPDATE files SET settled = ? WHERE change = ? AND number = ?",
        [(int(carried), change, number) for number, carried in settled],
    )


class Packed(NamedTuple):
    """An image ready to be kept: its hash, its size and its compressed bytes (None: kept already)."""

    key: str
    size: int
    data: bytes | None


def side_of(connection: sqlite3.Connection, image: Image, packed: Packed | None) -> tuple[Any, ...]:
    """Return the columns of one image, whose bytes are kept once, under their hash."""
    if packed is None or image.data is None:
        return (None, image.mode, image.uid, image.gid, 0)
    if packed.data is not None:
        connection.execute("INSERT OR IGNORE INTO images VALUES (?, ?, ?)", packed)
    elif connection.execute("SELECT 1 FROM images WHERE hash = ?", (packed.key,)).fetchone() is None:
        # Dropped since it was looked for.
        import zlib

        connection.execute("INSERT INTO images VALUES (?, ?, ?)", packed._replace(data=zlib.compress(image.data)))
    return (packed.key, image.mode, image.uid, image.gid, int(image.link))


def text_of(word: str) -> str:
    """Return what SQLite takes for text: bytes that are not UTF-8 are written out."""
    return word.encode("utf-8", "backslashreplace").decode()


def stamp(moment: datetime) -> str:
    """Return a moment as a history keeps it: UTC, ISO 8601, to the millisecond."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
