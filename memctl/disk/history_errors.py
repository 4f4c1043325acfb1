"""What SQLite says of a history, in the errors of memctl: it is busy, damaged, or cannot be read or written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memctl.disk.private import set_aside
from memctl.errors import Busy, ConfigError, IoFailure, MemctlError

if TYPE_CHECKING:
    import sqlite3

# SQLITE_CORRUPT and SQLITE_NOTADB: all else that SQLite says is no damage.
_DAMAGE = (11, 26)


def is_busy(error: Exception) -> bool:
    """Return whether SQLite says that another has the file."""
    return "locked" in str(error) or "busy" in str(error)


def is_damage(error: sqlite3.Error, path: str) -> bool:
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


def put_aside(path: str, error: Exception) -> ConfigError:
    """Set a damaged history aside, and return what is to be said of it."""
    aside = set_aside([path, path + "-wal", path + "-shm"])
    return ConfigError(
        f"the history '{path}' is damaged ({error}); it was set aside as '{aside}'",
        path=path,
        hint="the next command begins a new one; --no-history goes on now",
    )


def failure_of(error: sqlite3.Error, path: str, doing: str = "write") -> Busy | IoFailure:
    """Return the error of memctl for one that is no damage: `doing` is `read` or `write`."""
    if is_busy(error):
        return Busy(f"the history '{path}' is in use", path=path, hint="try again, or wait longer with --wait SECONDS")
    return IoFailure(f"cannot {doing} the history '{path}': {error}", path=path)


def reason_of(error: Exception) -> str:
    """Return what an error says, as it stands within a sentence of memctl."""
    if isinstance(error, MemctlError):
        return error.message
    return ((error.strerror if isinstance(error, OSError) else None) or str(error)).lower()
