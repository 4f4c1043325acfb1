"""Where the history is, and how its file is opened: made, read alone, or set aside where it is damaged."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from memctl.core.env import Env
from memctl.disk.history import History
from memctl.disk.history_errors import failure_of, is_busy, is_damage, put_aside, reason_of
from memctl.disk.history_tables import FORM, SCHEMA
from memctl.disk.private import make_private
from memctl.disk.reads import KINDS
from memctl.errors import ConfigError, IoFailure, MemctlError

if TYPE_CHECKING:
    import sqlite3

NAME = "history.db"
# What a WAL wants is shared memory, which these cannot give to two machines.
_NETWORK = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afs", "ceph", "glusterfs", "fuse.glusterfs")
_PAUSE = 0.01


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
        reason = error.message if isinstance(error, MemctlError) else f"cannot write '{path}': {reason_of(error)}"
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
        if is_damage(error, path):
            damage = put_aside(path, error)
            if create:
                raise damage from None
            warn(damage.message)
            return None
        if not create and not is_busy(error):
            return _open_to_read(path, wait, warn)
        raise failure_of(error, path) from None
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
        raise IoFailure(f"cannot read the history '{path}': {reason_of(error)}", path=path) from None
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
            if mode != modes[-1] and not is_busy(error):
                warn(f"the newest changes may be missing: they are in '{journal}', which cannot be read here")
                continue
            raise failure_of(error, path, "read") from None
        if version == 0:
            connection.close()
            return None
        return History(connection, path, read_only=True)
    raise AssertionError  # the loop returns or raises


def _version(connection: sqlite3.Connection, path: str) -> int:
    """Return the form of a history, 0 for one that was not made yet. Raises ConfigError for one of a newer memctl."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version not in (0, FORM):
        message = f"the history '{path}' is of a newer memctl (form {version}; this one knows {FORM})"
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
            if not is_busy(error) or time.monotonic() >= deadline:
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
            for statement in SCHEMA.split(";"):
                connection.execute(statement)
        connection.execute("COMMIT")


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
