"""What memctl changed, with the bytes before and after, so that it can be taken back: one SQLite file (DESIGN 5)."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.core.env import Env
from memctl.disk.files import FileChange
from memctl.disk.reads import KINDS
from memctl.disk.writes import ABSENT, Image, make_private, set_aside
from memctl.errors import Busy, ConfigError, IoFailure, MemctlError, NotFound

if TYPE_CHECKING:
    import sqlite3

NAME = "history.db"

# What a WAL wants is shared memory, which these cannot give to two machines.
_NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "ceph", "glusterfs", "fuse.glusterfs")
_PAUSE = 0.01
_FORM = 1
# What a history that is too large is brought down to, so that not each change has to drop one.
_ROOM = 0.8
# About what the rows of one file take, beside its images.
_ROW = 400
# What a history takes in which there is nothing: its tables and indexes have a page each.
_EMPTY = 50_000
# SQLITE_CORRUPT and SQLITE_NOTADB: all else that SQLite says is no damage.
_DAMAGE = (11, 26)
_SCHEMA = f"""
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
PRAGMA user_version = {_FORM};
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


def state_directory(env: Env) -> str | None:
    """Return where memctl keeps its state: MEMCTL_STATE_DIR, systemd's, XDG's, `~/.local/state/memctl`.

    Only absolute paths count; None where there is none.
    """
    for name, below in (("MEMCTL_STATE_DIR", ""), ("STATE_DIRECTORY", ""), ("XDG_STATE_HOME", "memctl")):
        value = env.vars.get(name, "")
        if name == "STATE_DIRECTORY":
            # systemd gives several directories with colons between them.
            value = value.partition(":")[0]
        if os.path.isabs(value):
            return os.path.join(value, below) if below else value
    return os.path.join(env.home, ".local", "state", "memctl") if env.home else None


class Begun(NamedTuple):
    """What a change begins with: who makes it, by which command, when, and of an undo or redo which change it is of."""

    origin: Origin
    command: str
    now: datetime
    kind: str = "change"
    target: int | None = None


class History:
    """The history file, opened for reading or writing. A context manager that closes it."""

    def __init__(self, connection: sqlite3.Connection, path: str, *, read_only: bool = False) -> None:
        self._connection = connection
        self.path = path
        self._read_only = read_only

    def __enter__(self) -> History:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    # Writing

    def intend(
        self, change: int | None, begun: Begun, files: Sequence[FileChange], settled: Sequence[tuple[int, bool]] = ()
    ) -> tuple[int, list[int]]:
        """Commit what is about to be done to some files, both images included, in one transaction.

        Without `change` it begins one of `begun`; `settled` is what came of earlier files of it. Returns the change and
        the numbers of the files in it. Raises Busy, IoFailure.
        """
        packed = [[(image, self._packed(image)) for image in (file.before, file.after)] for file in files]
        with self._writing() as connection:
            if change is None:
                change = _begin(connection, begun)
            _settle(connection, change, settled)
            (last,) = connection.execute(
                "SELECT COALESCE(MAX(number), 0) FROM files WHERE change = ?", (change,)
            ).fetchone()
            numbers = list(range(last + 1, last + 1 + len(files)))
            for number, file, images in zip(numbers, files, packed, strict=True):
                sides = [value for image, ready in images for value in _side(connection, image, ready)]
                connection.execute(
                    f"INSERT INTO files VALUES ({','.join('?' * 15)})",
                    (change, number, _text(file.store), os.fsencode(file.path), None, *sides),
                )
            return change, numbers

    def _packed(self, image: Image) -> _Packed | None:
        """Return an image ready to be kept, None for no file. Done before a transaction, which others wait for."""
        if image.data is None:
            return None
        import hashlib
        import zlib

        key = hashlib.sha256(image.data).hexdigest()
        kept = self._rows("SELECT 1 FROM images WHERE hash = ?", key)
        return _Packed(key, len(image.data), None if kept else zlib.compress(image.data))

    def finish(self, change: int, settled: Sequence[tuple[int, bool]]) -> None:
        """Say of files whether they were changed, and that the change is at its end. Raises Busy, IoFailure."""
        with self._writing() as connection:
            _settle(connection, change, settled)
            connection.execute("UPDATE changes SET done = 1 WHERE id = ?", (change,))

    def mark_undone(self, change: int, by: int | None) -> None:
        """Say that a change was taken back by an undo, or (None) that it stands again."""
        with self._writing() as connection:
            connection.execute("UPDATE changes SET undone_by = ? WHERE id = ?", (by, change))

    def forget(self, change: int) -> bool:
        """Remove a change for good: its images too, unless another change shares them. Returns whether it was there."""
        there = self._drop([change]) > 0
        self._compact()
        return there

    def keep_within(self, now: datetime, *, days: float, size: int) -> list[int]:
        """Drop what is older than `days`, and from a history over `size` bytes the oldest, until a fifth of it is free.

        The newest change stays, however large it is. Returns the ids of what went. Raises Busy, IoFailure.
        """
        used = self._used()
        rows = self._rows("SELECT id, time FROM changes ORDER BY id")
        if not rows or (used <= size and rows[0][1] >= _stamp(now - timedelta(days=days))):
            return []
        gone = self._over(now, days=days, number=None, size=None)
        if used > size:
            weighed = list(self._weighed(_ROW))
            # What the images take in the file is more than their bytes, by a share that is known here alone.
            room = max(0, size * _ROOM - _EMPTY) / max(1, used - _EMPTY)
            bound = weighed[-1][1] * room if weighed else 0
            gone |= {change for change, total in weighed if total > bound}
        gone.discard(rows[-1][0])
        if gone:
            self._drop(gone)
            # Nothing is moved but what makes the file shorter; a reader keeps some of it for later.
            with self._told():
                # One page a step, and execute() makes only one.
                self._connection.executescript("PRAGMA incremental_vacuum")
            self._rows("PRAGMA busy_timeout = 0")  # the last thing that a command does is not worth a wait
            self._rows("PRAGMA wal_checkpoint(TRUNCATE)")
        return sorted(gone)

    def _used(self) -> int:
        """Return how many bytes of the file are in use, what is still in its journal too."""
        names = ("page_count", "freelist_count", "page_size")
        pages, free, page = (self._rows(f"PRAGMA {name}")[0][0] for name in names)
        return int((pages - free) * page)

    def prune(self, now: datetime, *, days: float | None, number: int | None, size: int | None) -> list[int]:
        """Remove what is older than `days`, beyond the newest `number`, or over `size` bytes of images; return their ids."""
        gone = self._over(now, days=days, number=number, size=size)
        if gone:
            self._drop(gone)
            self._compact()
        return sorted(gone)

    def _over(self, now: datetime, *, days: float | None, number: int | None, size: int | None) -> set[int]:
        """Return the changes that are over a bound."""
        rows = self._rows("SELECT id, time FROM changes ORDER BY id DESC")
        gone: set[int] = set()
        if days is not None:
            limit = _stamp(now - timedelta(days=days))
            gone |= {row[0] for row in rows if row[1] < limit}
        if number is not None:
            gone |= {row[0] for row in rows[number:]}
        if size is not None:
            gone |= {change for change, total in self._weighed(0) if total > size}
        return gone

    def _weighed(self, row: int) -> Iterator[tuple[int, int]]:
        """Yield the changes, newest first, with the bytes of all images down to there, and `row` more for each file.

        An image that several changes share counts for the newest of them.
        """
        total = 0
        counted: set[str | None] = {None}
        query = (
            "SELECT files.change, hash, LENGTH(data) FROM files LEFT JOIN images ON hash IN (before, after)"
            " ORDER BY files.change DESC"
        )
        for change, key, length in self._rows(query):
            total += row if key in counted else row + length
            counted.add(key)
            yield change, total

    def _drop(self, changes: Collection[int]) -> int:
        """Remove changes, and the images that no other has; return how many there were. Raises Busy, IoFailure."""
        with self._writing() as connection:
            images: set[str] = set()
            count = 0
            for change in changes:
                for sides in connection.execute("SELECT before, after FROM files WHERE change = ?", (change,)):
                    images.update(key for key in sides if key is not None)
                count += connection.execute("DELETE FROM changes WHERE id = ?", (change,)).rowcount
            connection.executemany(
                "DELETE FROM images WHERE hash = ?1 AND NOT EXISTS (SELECT 1 FROM files WHERE before = ?1)"
                " AND NOT EXISTS (SELECT 1 FROM files WHERE after = ?1)",
                [(key,) for key in images],
            )
            return count

    def _compact(self) -> None:
        """Leave no byte of what was removed in any of the files. Raises Busy where another process keeps them open."""
        with self._told("write"):
            self._connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # of a history that was made without it
            self._connection.execute("VACUUM")
        ((busy, *_),) = self._rows("PRAGMA wal_checkpoint(TRUNCATE)")
        if busy:
            message = (
                f"removed from the history '{self.path}', but its files may hold the bytes: another memctl reads it"
            )
            raise Busy(message, path=self.path, hint="try again: any --forget or --prune empties them")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Hold a transaction, which is undone where it fails. Raises Busy, IoFailure, ConfigError."""
        with self._told("write"):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                # On a full disk SQLite has done so by itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _told(self, doing: str = "read") -> Iterator[None]:
        """Turn what SQLite says into memctl's errors: Busy, IoFailure, ConfigError for a damaged file."""
        import sqlite3

        try:
            yield
        except sqlite3.Error as error:
            # Of what is read alone nothing is set aside, and the second look would leave files beside it.
            if not self._read_only and _is_damage(error, self.path):
                raise self._damaged(error) from None
            raise _failure(error, self.path, doing) from None

    def _damaged(self, error: Exception) -> MemctlError:
        """Set the file aside, and return what is to be said of it."""
        if self._read_only:
            # Another may be writing it, and then half of it is read.
            return IoFailure(f"cannot read the history '{self.path}': {error}", path=self.path)
        return _put_aside(self.path, error)

    # Reading

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return what a query finds. Raises Busy, IoFailure, ConfigError."""
        with self._told():
            return self._connection.execute(query, values).fetchall()

    def changes(self) -> Iterator[Change]:
        """Yield all changes, newest first, without their images' bytes."""
        for row in self._rows("SELECT * FROM changes ORDER BY id DESC"):
            yield _change(row)._replace(files=tuple(self._files(row[0], data=False)))

    def change(self, number: int) -> Change:
        """Return one change with its images. Raises NotFound."""
        rows = self._rows("SELECT * FROM changes WHERE id = ?", number)
        if not rows:
            raise NotFound(f"no change {number} in the history", hint="memctl history lists them")
        return _change(rows[0])._replace(files=tuple(self._files(number, data=True)))

    def _files(self, change: int, *, data: bool) -> Iterator[FileChange]:
        for row in self._rows("SELECT * FROM files WHERE change = ? ORDER BY number", change):
            _, _, store, path, settled, *sides = row
            before, after = (self._image(side, data=data) for side in (sides[:5], sides[5:]))
            known = None if settled is None else bool(settled)
            yield FileChange(store, os.fsdecode(path), before, after, known)

    def _image(self, side: Sequence[Any], *, data: bool) -> Image:
        key, mode, uid, gid, link = side
        if key is None:
            return ABSENT
        found = b""
        if data:
            import zlib

            packed = self._rows("SELECT data FROM images WHERE hash = ?", key)
            try:
                found = zlib.decompress(packed[0][0])
            except (IndexError, TypeError, zlib.error):
                raise self._damaged(ValueError("an image is missing or broken")) from None
        return Image(found, mode, uid, gid, bool(link))


def _change(row: Sequence[Any]) -> Change:
    number, time, command, user, uid, host, session, kind, target, done, undone_by = row
    return Change(number, time, command, Origin(user, uid, host, session), kind, target, bool(done), undone_by)


def _begin(connection: sqlite3.Connection, begun: Begun) -> int:
    user, uid, host, session = begun.origin
    values = (_stamp(begun.now), _text(begun.command), user, uid, host, session, begun.kind, begun.target)
    row = connection.execute(
        "INSERT INTO changes (time, command, user, uid, host, session, kind, target) VALUES (?,?,?,?,?,?,?,?)", values
    )
    return int(row.lastrowid or 0)


def _settle(connection: sqlite3.Connection, change: int, settled: Sequence[tuple[int, bool]]) -> None:
    connection.executemany(
        "UPDATE files SET settled = ? WHERE change = ? AND number = ?",
        [(int(carried), change, number) for number, carried in settled],
    )


class _Packed(NamedTuple):
    """An image ready to be kept: its hash, its size and its compressed bytes (None: kept already)."""

    key: str
    size: int
    data: bytes | None


def _side(connection: sqlite3.Connection, image: Image, packed: _Packed | None) -> tuple[Any, ...]:
    """Return the columns of one image, whose bytes are kept once, under their hash."""
    if packed is None or image.data is None:
        return (None, None, None, None, 0)
    if packed.data is not None:
        connection.execute("INSERT OR IGNORE INTO images VALUES (?, ?, ?)", packed)
    elif connection.execute("SELECT 1 FROM images WHERE hash = ?", (packed.key,)).fetchone() is None:
        # Dropped since it was looked for.
        import zlib

        connection.execute("INSERT INTO images VALUES (?, ?, ?)", packed._replace(data=zlib.compress(image.data)))
    return (packed.key, image.mode, image.uid, image.gid, int(image.link))


def _text(word: str) -> str:
    """Return what SQLite takes for text: bytes that are not UTF-8 are written out."""
    return word.encode("utf-8", "backslashreplace").decode()


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def open_history(directory: str, *, wait: float, create: bool, warn: Callable[[str], None]) -> History | None:
    """Return the history in a state directory; None where there is none and none shall be made.

    Without `create` one that cannot be written is opened all the same, and nothing is made beside it. A damaged one is
    set aside, which is said to `warn`: reading goes on without it, and with `create` ConfigError is raised, since a
    change without a history must be somebody's will. Raises ConfigError where no file can be made, or where a newer
    memctl made it; Busy, IoFailure.
    """
    import sqlite3

    path = os.path.join(directory, NAME)
    if not create and not _is_there(path):
        return None
    if not create and not _is_writable(path):
        return _open_to_read(path, wait, warn)
    try:
        if create:
            make_private(directory, path)
        connection = sqlite3.connect(path, timeout=wait, isolation_level=None)
    except (OSError, sqlite3.OperationalError, MemctlError) as error:
        if not create:
            return _open_to_read(path, wait, warn)
        reason = error.message if isinstance(error, MemctlError) else f"cannot write '{path}': {_reason(error)}"
        raise ConfigError(
            f"there is no place for the history: {reason}",
            path=path,
            hint="MEMCTL_STATE_DIR names another place; --no-history goes on without, and then nothing can be undone",
        ) from None
    try:
        _prepare_in_time(connection, path, wait)
    except MemctlError:
        connection.close()
        raise
    except sqlite3.Error as error:
        connection.close()
        if _is_damage(error, path):
            damage = _put_aside(path, error)
            if create:
                raise damage from None
            warn(damage.message)
            return None
        if not create and not _is_busy(error):
            return _open_to_read(path, wait, warn)
        raise _failure(error, path) from None
    return History(connection, path)


def open_another(directory: str) -> History | None:
    """Return the history of another user, which is read alone; None where there is none. Raises Busy, IoFailure, ConfigError."""
    path = os.path.join(directory, NAME)
    return _open_to_read(path, 0, lambda _: None) if _is_there(path) else None


def _is_there(path: str) -> bool:
    """Return whether there is a history. Raises IoFailure where that cannot be told, or it is no file: a FIFO would hang."""
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise IoFailure(f"cannot read the history '{path}': {_reason(error)}", path=path) from None
    if not stat.S_ISREG(status.st_mode):
        kind = KINDS.get(stat.S_IFMT(status.st_mode), "no regular file")
        raise IoFailure(f"the history '{path}' is {kind}, not a file", path=path)
    return True


def _is_writable(path: str) -> bool:
    """Return whether a history can be opened as one opens it to write: SQLite makes files beside it."""
    effective = os.access in os.supports_effective_ids
    places = (path, os.path.dirname(path))
    return all(os.access(place, os.W_OK, effective_ids=effective) for place in places)


def _open_to_read(path: str, wait: float, warn: Callable[[str], None]) -> History | None:
    """Return a history that cannot be written; None where nothing is in it yet. Raises Busy, IoFailure, ConfigError."""
    import sqlite3
    from urllib.parse import quote

    journal = f"{path}-wal"
    hot = os.path.exists(journal) and os.path.getsize(journal) > 0
    # Without a journal nobody has it open, and as `immutable` it is read without one.
    modes = ("mode=ro", "mode=ro&immutable=1") if hot else ("mode=ro&immutable=1",)
    for mode in modes:
        connection = None
        try:
            uri = f"file:{quote(os.fsencode(path))}?{mode}"
            connection = sqlite3.connect(uri, uri=True, timeout=wait, isolation_level=None)
            connection.execute("PRAGMA trusted_schema = OFF")
            version = _version(connection, path)
        except MemctlError:
            assert connection is not None
            connection.close()
            raise
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            if mode != modes[-1] and not _is_busy(error):
                warn(f"the newest changes may be missing: they are in '{journal}', which cannot be read here")
                continue
            raise _failure(error, path, "read") from None
        if version == 0:
            connection.close()
            return None
        return History(connection, path, read_only=True)
    raise AssertionError  # the loop returns or raises


def _version(connection: sqlite3.Connection, path: str) -> int:
    """Return the form of a history, 0 for one that was not made yet. Raises ConfigError for one of a newer memctl."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in (0, _FORM):
        message = f"the history '{path}' is of a newer memctl (form {version}; this one knows {_FORM})"
        hint = "update memctl, or let MEMCTL_STATE_DIR name another place"
        raise ConfigError(message, path=path, hint=hint)
    return int(version)


def _prepare_in_time(connection: sqlite3.Connection, path: str, wait: float) -> None:
    """Prepare a connection; SQLite itself does not wait where another changes the journal or removes it."""
    import sqlite3

    deadline = time.monotonic() + wait
    while True:
        try:
            return _prepare(connection, path)
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() >= deadline:
                raise
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            time.sleep(_PAUSE)


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    version = _version(connection, path)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")
    if version == 0:
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")  # only before anything is in the file
    mode = "delete" if _is_network(path) else "wal"
    if connection.execute("PRAGMA journal_mode").fetchone() != (mode,):
        connection.execute(f"PRAGMA journal_mode = {mode}").fetchone()
    connection.execute("PRAGMA synchronous = FULL")
    if version == 0:
        connection.execute("BEGIN IMMEDIATE")
        # Another may have made it meanwhile.
        if _version(connection, path) == 0:
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
        connection.execute("COMMIT")


def _put_aside(path: str, error: Exception) -> ConfigError:
    """Set a damaged history aside, and return what is to be said of it."""
    aside = set_aside([path, path + "-wal", path + "-shm"])
    return ConfigError(
        f"the history '{path}' is damaged ({error}); it was set aside as '{aside}'",
        path=path,
        hint="the next command begins a new one; --no-history goes on now",
    )


def _is_network(path: str) -> bool:
    """Return whether a path is on a network disk, as far as /proc/mounts tells."""
    try:
        with open("/proc/mounts", "rb") as mounts:
            points = [line.split()[1:3] for line in mounts]
    except OSError:
        return False
    real = os.fsencode(os.path.realpath(path))
    above = []
    for at, (written, kind) in enumerate(points):
        point = _unescaped(written)
        if real == point or real.startswith(point.rstrip(b"/") + b"/"):
            above.append((len(point), at, kind))  # of two at one place the later one is seen
    return bool(above) and os.fsdecode(max(above)[2]) in _NETWORK


def _unescaped(point: bytes) -> bytes:
    """Return a mount point as it is: the kernel writes blanks and backslashes in octal."""
    first, *rest = point.split(b"\\")
    return first + b"".join(bytes([int(part[:3], 8)]) + part[3:] for part in rest)


def _is_busy(error: Exception) -> bool:
    return "locked" in str(error) or "busy" in str(error)


def _is_damage(error: sqlite3.Error, path: str) -> bool:
    """Return whether a history is damaged, as a second look confirms: one failed read of a disk looks the same to SQLite."""
    import sqlite3
    from urllib.parse import quote

    if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _DAMAGE:
        return False
    try:
        # Not by reading the file oneself: to close it would drop the locks that SQLite has on it.
        connection = sqlite3.connect(f"file:{quote(os.fsencode(path))}?mode=ro", uri=True, isolation_level=None)
        try:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",))
        finally:
            connection.close()
    except sqlite3.Error as again:
        return getattr(again, "sqlite_errorcode", 0) & 0xFF in _DAMAGE


def _failure(error: sqlite3.Error, path: str, doing: str = "write") -> Busy | IoFailure:
    if _is_busy(error):
        return Busy(f"the history '{path}' is in use", path=path, hint="try again, or wait longer with --wait SECONDS")
    return IoFailure(f"cannot {doing} the history '{path}': {error}", path=path)


def _reason(error: Exception) -> str:
    if isinstance(error, MemctlError):
        return error.message
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()
