"""What memctl changed, with the bytes before and after, so that it can be taken back: one SQLite file (DESIGN 5)."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memctl.disk.history_errors import failure_of, is_damage, put_aside
from memctl.disk.history_tables import Begun, Change, Packed, begin, change_of, settle, side_of, stamp, text_of
from memctl.disk.images import Image
from memctl.disk.locking import FileChange
from memctl.errors import Busy, IoFailure, MemctlError, NotFound

if TYPE_CHECKING:
    import sqlite3

# What a history that is too large is brought down to, so that not each change has to drop one.
_ROOM = 0.8
# About what the rows of one file take, beside its images.
_ROW = 400
# What a history takes in which there is nothing: its tables and indexes have a page each.
_EMPTY = 50_000
_BROKEN = "an image is missing or broken"
_USERS_OF_AN_IMAGE = "SELECT change FROM files WHERE before = ?1 UNION SELECT change FROM files WHERE after = ?1"


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
                change = begin(connection, begun)
            settle(connection, change, settled)
            (last,) = connection.execute(
                "SELECT COALESCE(MAX(number), 0) FROM files WHERE change = ?", (change,)
            ).fetchone()
            numbers = list(range(last + 1, last + 1 + len(files)))
            for number, file, images in zip(numbers, files, packed, strict=True):
                sides = [value for image, ready in images for value in side_of(connection, image, ready)]
                connection.execute(
                    f"INSERT INTO files VALUES ({','.join('?' * 15)})",
                    (change, number, text_of(file.store), os.fsencode(file.path), None, *sides),
                )
            return change, numbers

    def _packed(self, image: Image) -> Packed | None:
        """Return an image ready to be kept, None for no file. Done before a transaction, which others wait for."""
        if image.data is None:
            return None
        import hashlib
        import zlib

        key = hashlib.sha256(image.data).hexdigest()
        kept = self._rows("SELECT 1 FROM images WHERE hash = ?", key)
        return Packed(key, len(image.data), None if kept else zlib.compress(image.data))

    def finish(self, change: int, settled: Sequence[tuple[int, bool]]) -> None:
        """Say of files whether they were changed, and that the change is at its end. Raises Busy, IoFailure."""
        with self._writing() as connection:
            settle(connection, change, settled)
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
        if not rows or (used <= size and rows[0][1] >= stamp(now - timedelta(days=days))):
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
            limit = stamp(now - timedelta(days=days))
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
            if not self._read_only and is_damage(error, self.path):
                raise self._damaged(error) from None
            raise failure_of(error, self.path, doing) from None

    def _damaged(self, error: Exception) -> MemctlError:
        """Set the file aside, and return what is to be said of it."""
        if self._read_only:
            # Another may be writing it, and then half of it is read.
            return IoFailure(f"cannot read the history '{self.path}': {error}", path=self.path)
        return put_aside(self.path, error)

    # Reading

    def _rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """Return what a query finds. Raises Busy, IoFailure, ConfigError."""
        with self._told():
            return self._connection.execute(query, values).fetchall()

    def changes(self) -> Iterator[Change]:
        """Yield all changes, newest first, without their images' bytes."""
        for row in self._rows("SELECT * FROM changes ORDER BY id DESC"):
            yield change_of(row)._replace(files=tuple(self._files(row[0], data=False)))

    def change(self, number: int) -> Change:
        """Return one change with its images. Raises NotFound."""
        rows = self._rows("SELECT * FROM changes WHERE id = ?", number)
        if not rows:
            raise NotFound(f"no change {number} in the history", hint="memctl history lists them")
        return change_of(rows[0])._replace(files=tuple(self._files(number, data=True)))

    def holding(self, needles: Collection[bytes]) -> list[int]:
        """Return the ids of the changes in which any of these bytes are kept: in an image, or in the command line.

        What is empty is in none. One image is in memory at a time. Raises Busy, IoFailure, ConfigError.
        """
        wanted = [needle for needle in needles if needle]
        if not wanted:
            return []
        found = {
            number
            for number, command in self._rows("SELECT id, command FROM changes")
            if any(needle in command.encode() for needle in wanted)
        }
        for (key,) in self._rows("SELECT hash FROM images"):
            data = self._bytes(key)
            # None: another forgot it meanwhile.
            if data is not None and any(needle in data for needle in wanted):
                found.update(number for (number,) in self._rows(_USERS_OF_AN_IMAGE, key))
        return sorted(found)

    def _files(self, change: int, *, data: bool) -> Iterator[FileChange]:
        for row in self._rows("SELECT * FROM files WHERE change = ? ORDER BY number", change):
            _, _, store, path, settled, *sides = row
            before, after = (self._image(side, data=data) for side in (sides[:5], sides[5:]))
            known = None if settled is None else bool(settled)
            yield FileChange(store, os.fsdecode(path), before, after, known)

    def _image(self, side: Sequence[Any], *, data: bool) -> Image:
        key, mode, uid, gid, link = side
        if key is None:
            return Image(None, mode, uid, gid)
        found = self._bytes(key) if data else b""
        if found is None:
            raise self._damaged(ValueError(_BROKEN))
        return Image(found, mode, uid, gid, bool(link))

    def _bytes(self, key: str) -> bytes | None:
        """Return the bytes of an image, None where it is not there. Raises ConfigError where it is broken."""
        import zlib

        packed = self._rows("SELECT data FROM images WHERE hash = ?", key)
        try:
            return zlib.decompress(packed[0][0]) if packed else None
        except (TypeError, zlib.error):
            raise self._damaged(ValueError(_BROKEN)) from None
