"""The user memory of CodeWhale: a single file, read at one moment, changed as a whole or appended to."""

from __future__ import annotations

import os
from typing import NamedTuple

from memctl.core.dialects.notes import Note, lines_outside, read_notes
from memctl.core.env import Env
from memctl.core.memory import USER_NOTES, Traits
from memctl.disk.codewhale import Facts
from memctl.disk.directories import make_directory
from memctl.disk.locking import Locking
from memctl.disk.reads import failure, read_file
from memctl.disk.single_file import append_file, write_file
from memctl.errors import ConfigError, InvalidInput, NotFound, Protected

ADDRESS = "@user"
# Far above the 100 KiB that CodeWhale loads: what is larger is no user memory.
READ_MAX = 64 * 1024 * 1024


class NoteSnapshot(NamedTuple):
    """The file as it was at one moment: its bytes (None: no file), and its notes."""

    data: bytes | None
    notes: list[Note]

    @property
    def outside(self) -> int:
        """How many lines that say something belong to no note."""
        return lines_outside(self.data or b"", self.notes)

    @property
    def bad_byte(self) -> int | None:
        """The offset of the first byte that is not UTF-8, None where all are: one keeps CodeWhale from loading it."""
        try:
            (self.data or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            return error.start
        return None


def own_target(path: str, uid: int) -> str:
    """Return the path that is written: a symlink to a file of the same user is resolved (DESIGN 5).

    Raises Protected for a symlink to a file of somebody else, NotFound for one to nothing.
    """
    if not os.path.islink(path):
        return path
    target = os.path.realpath(path)
    try:
        owner = os.stat(target).st_uid
    except OSError:
        raise NotFound(
            f"'{path}' is a symlink to '{target}', where nothing is", path=path, hint="mend or remove the link"
        ) from None
    if uid not in (owner, 0) or owner != os.lstat(path).st_uid:
        raise Protected(f"'{path}' is a symlink to '{target}', a file of another user", path=path)
    return target


class FileStore(NamedTuple):
    """The user memory. `shown` is its path as CodeWhale shows it, `path` absolute and unresolved."""

    shown: str
    path: str
    uid: int
    facts: Facts
    address: str = ADDRESS
    traits: Traits = USER_NOTES

    @property
    def name(self) -> str:
        """What a person calls it."""
        return self.address

    def note_address(self, number: int) -> str:
        """Return the address of a note."""
        return f"{self.address}/{number}"

    def real_path(self) -> str:
        """Return the path that is written. Raises as own_target()."""
        return own_target(self.path, self.uid)

    def read(self) -> NoteSnapshot:
        """Return what the file holds; a missing one is empty.

        Raises InvalidInput (no file, too large), Protected (another user's link to somebody else's file), IoFailure.
        """
        try:
            size = os.stat(self.path).st_size
            if size > READ_MAX:
                mib = READ_MAX >> 20
                message = f"'{self.path}' has {size:,} bytes; memctl reads user memories of up to {mib} MiB"
                raise InvalidInput(message, path=self.path, hint="CodeWhale loads its first 102,400 bytes alone")
            data = read_file(self.readable_path())
        except (NotFound, FileNotFoundError):
            self.real_path()  # says so where it is a symlink to nothing
            return NoteSnapshot(None, [])
        except OSError as error:
            raise failure(error, self.path, "read") from None
        return NoteSnapshot(data, read_notes(data))

    def readable_path(self) -> str:
        """Return the path that is read: of another user no link is followed but to a file of that user (DESIGN 5)."""
        if os.path.islink(self.path) and os.lstat(self.path).st_uid != self.uid:
            return self.real_path()
        return self.path

    def write(self, old: bytes | None, new: bytes, locking: Locking) -> None:
        """Replace the whole file if it still is `old`. Raises Busy, Protected, IoFailure."""
        path = self.real_path()
        locking.ready()
        make_directory(os.path.dirname(path))
        write_file(path, old, new, locking, store=self.address)

    def append(self, line: bytes, locking: Locking) -> None:
        """Append one line, which ends with LF, in one write. Raises InvalidInput, Protected, IoFailure, Busy."""
        path = self.real_path()
        locking.ready()
        make_directory(os.path.dirname(path))
        append_file(path, line, locking, store=self.address)


def open_user_store(facts: Facts, env: Env) -> FileStore:
    """Return the store of the user memory. Raises ConfigError where its path is empty: CodeWhale loads nothing then."""
    if not facts.path:
        raise ConfigError(
            f"the path of the user memory is empty ({facts.resolved.path_by} says so)",
            hint="memctl explain @user shows what decides; --user-memory FILE names another",
        )
    if "\0" in facts.path:
        raise ConfigError(f"no file can have the path {facts.path!a} ({facts.resolved.path_by} says so)")
    return FileStore(facts.path, os.path.join(env.cwd, facts.path), env.uid, facts)
