"""The newer layouts of CodeWhale beside the user memory, read only: the Markdown tree and the structured store."""

from __future__ import annotations

import os
from typing import NamedTuple

from memctl.core.codewhale import native_file
from memctl.core.dialects.native import Entry, read_entries
from memctl.core.dialects.notes import trim
from memctl.core.env import Env
from memctl.disk.reads import failure, read_file
from memctl.errors import InvalidInput, IoFailure, NotFound, UsageError

STORE = "store.sqlite3"
LOCK = ".memory.lock"
APPLICATION_ID = 1129794866  # "CWM2", spec/codewhale.md 3
SCOPES = ("global", "workspace", "all")


class NativeFile(NamedTuple):
    """One file of the tree: its scope (`global`, `workspace`), its path, and its entries (None: it is not there)."""

    scope: str
    path: str
    data: bytes | None
    entries: list[Entry]


class Structured(NamedTuple):
    """One memory of the structured store: its scope as JSON text, kind, status, title and body."""

    id: str
    scope: str
    kind: str
    status: str
    title: str
    body: str


def tree_root(memory_path: str, env: Env) -> str:
    """Return the root of the native tree that a memory path anchors: its neighbour `memory/` (spec/codewhale.md 2.1)."""
    full = os.path.join(env.cwd, native_file(memory_path))
    return os.path.normpath(os.path.dirname(os.path.dirname(full)))


def newer_layout(path: str, *, native: bool) -> str | None:
    """Return which newer layout stands beside the user memory at an absolute path, and what reads it.

    `native` says that the file is the native tree's itself.
    """
    root = os.path.normpath(os.path.dirname(os.path.dirname(native_file(path))))
    if (structured := structured_store(root)) is not None:
        return f"CodeWhale 0.10 and later do not read this file, but {structured}"
    tree = os.path.join(root, "global", "MEMORY.md")
    if os.path.exists(tree) and not native:
        return f"CodeWhale 0.9.4 and later do not read this file, but {tree}"
    return None


def workspace_id(folder: str) -> str | None:
    """Return the id of a workspace: the SHA-256 of its trimmed `remote.origin.url`, None where it has none.

    Nothing is normalised; of several values the last counts, and the user's global git configuration counts as well
    (spec/codewhale.md 2.3). Raises IoFailure where git cannot be run.
    """
    import hashlib
    import subprocess

    command = ["git", "-C", folder, "config", "--get", "remote.origin.url"]
    try:
        answer = subprocess.run(command, capture_output=True, check=False, stdin=subprocess.DEVNULL, timeout=10)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise IoFailure(f"cannot ask git for the origin of '{folder}': {error}", path=folder) from None
    url = trim(answer.stdout.decode("utf-8", "replace"))
    return hashlib.sha256(url.encode()).hexdigest() if answer.returncode == 0 and url else None


def read_tree(root: str, scope: str, workspace: str | None) -> list[NativeFile]:
    """Return the canonical files of the tree that a scope names, global before workspace.

    `workspace` is the id of the present workspace. Raises UsageError for a workspace scope where there is none,
    InvalidInput where a file is not UTF-8: CodeWhale injects nothing then.
    """
    if scope == "workspace" and workspace is None:
        raise UsageError("this directory has no git origin, so it has no workspace scope", hint="--scope global")
    wanted = []
    if scope in ("global", "all"):
        wanted.append(("global", os.path.join(root, "global", "MEMORY.md")))
    if scope in ("workspace", "all") and workspace is not None:
        wanted.append(("workspace", os.path.join(root, "workspace", workspace, "MEMORY.md")))
    return [_read(kind, path) for kind, path in wanted]


def _read(scope: str, path: str) -> NativeFile:
    try:
        data = read_file(path)
    except NotFound:
        return NativeFile(scope, path, None, [])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"'{path}' is not UTF-8 (byte {error.start}), so CodeWhale injects no native memory at all", path=path
        ) from None
    return NativeFile(scope, path, data, read_entries(text))


def structured_store(root: str) -> str | None:
    """Return the path of the structured store beside the tree, None where there is none."""
    path = os.path.join(root, STORE)
    return path if os.path.lexists(path) else None


def read_structured(path: str) -> list[Structured]:
    """Return the memories of the structured store, which is opened read-only and never written.

    Raises InvalidInput where it is no such store, IoFailure where it cannot be read.
    """
    import sqlite3
    from urllib.parse import quote

    if not os.path.isfile(path) or os.path.islink(path):
        raise InvalidInput(f"'{path}' is no regular file, so CodeWhale refuses it", path=path)
    try:
        connection = sqlite3.connect(f"file:{quote(os.fsencode(path))}?{_mode(path)}", uri=True, timeout=2)
        try:
            if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
                raise InvalidInput(f"'{path}' is no memory store of CodeWhale", path=path)
            query = "SELECT id, scope, kind, status, title, body FROM memories ORDER BY rowid"
            return [Structured(*map(_text, row)) for row in connection.execute(query)]
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        raise IoFailure(f"cannot read '{path}': {error}", path=path) from None
    except OSError as error:
        raise failure(error, path, "read") from None


def _mode(path: str) -> str:
    """Return how SQLite must open the store so that it writes nothing beside it.

    `mode=ro` makes the -wal and -shm of a store in WAL mode anew. Without a -wal nobody has it open, so it is whole.
    """
    wal = b"\2"
    with open(path, "rb") as file:
        idle = file.read(20)[18:19] == wal and not os.path.exists(path + "-wal")
    return "mode=ro&immutable=1" if idle else "mode=ro"


def _text(value: object) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
