"""Open directories and single files, locked, read and changed by the one discipline (DESIGN 5)."""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple, Protocol

from memctl.disk.reads import NotRegular, failure, impossible, read_file_at
from memctl.disk.walk import is_at_risk, open_walked
from memctl.disk.writes import (
    ABSENT,
    Edit,
    Image,
    append_line,
    aside_of,
    changed,
    create_file,
    give,
    image_at,
    is_temp_name,
    remove_file,
    replace_file,
    sweep_aside,
    unlink_quietly,
    write_all,
)
from memctl.errors import Busy, InvalidInput, IoFailure, MemctlError, NotFound, Protected

_NO_LOCKS = (errno.EBADF, errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
_PAUSE = 0.02


class NotDurable(IoFailure):
    """The change is there, but the system failed to say that it will survive a loss of power."""


class FileChange(NamedTuple):
    """One file of a change: its store's address, its absolute path, and what it was and becomes.

    `settled` is True where it was carried out, False where it failed, None where that is not known.
    """

    store: str
    path: str
    before: Image
    after: Image
    settled: bool | None = None


class Recorder(Protocol):
    """What keeps the images of a change: before a file is touched, and what came of it."""

    def ready(self) -> None:
        """Make sure that there is a place for them. Raises MemctlError: then nothing may be changed."""

    def check(self) -> None:
        """As ready(), and nothing stays open: for what comes much later. Raises MemctlError."""

    def intend(self, files: Sequence[FileChange]) -> list[int]:
        """Make both images of each file safe, and return a number for each. Raises MemctlError: then nothing is touched."""

    def settle(self, results: Sequence[tuple[int, bool]]) -> None:
        """Say of each number whether its file was changed."""


class Locking(NamedTuple):
    """How a store is changed: seconds to wait for its lock, whether at all, who is told what, who keeps the images.

    Told is that a lock is waited for, and where the text is kept that was found beside the file of a killed run.
    """

    wait: float = 10.0
    lock: bool = True
    tell: Callable[[str], None] | None = None
    recorder: Recorder | None = None

    def ready(self) -> None:
        """Make sure that images can be kept, before a directory is made for a change. Raises MemctlError."""
        if self.recorder:
            self.recorder.ready()

    def check(self) -> None:
        """Make sure that images can be kept, long before a change: an editor can be open for days. Raises MemctlError."""
        if self.recorder:
            self.recorder.check()


class Directory:
    """An open directory; all work in it goes relative to its descriptor. A context manager that closes it."""

    def __init__(self, path: str, *, follow: bool = True, walk: bool = False, agent: bool = False) -> None:
        """Open `path`. Raises NotFound, Protected, or IoFailure where it cannot be read or is no directory.

        Without `follow` it belongs to another user: neither it nor a file in it may be a symlink, and on the way to it
        only those of root and of this user are followed. `walk` says so of the way alone. An `agent`'s directory that
        is a symlink is read, as the HQ does, and never changed.
        """
        self.path = path
        self.follow = follow
        self.walk = walk or not follow
        self.agent = agent
        self.descriptor = self._open()

    def _open(self) -> int:
        try:
            if self.walk:
                return open_walked(self.path, last=self.follow)
            return os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise failure(error, self.path, "read") from None
        except ValueError:
            raise impossible(self.path) from None

    def __enter__(self) -> Directory:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)

    def names(self) -> list[str]:
        """Return the names in the directory, in no order."""
        try:
            return os.listdir(self.descriptor)
        except OSError as error:
            raise failure(error, self.path, "read") from None

    def read(self, name: str) -> bytes | None:
        """Return the bytes of a file in it, None where there is none. Raises MemctlError as read_file() does."""
        try:
            return read_file_at(self.descriptor, name, self.path, follow=self.follow)
        except NotFound:
            return None

    def wait_for_writer(self) -> None:
        """Give one who has just emptied a file the time to fill it: the HQ truncates, then writes."""
        time.sleep(_PAUSE)

    def lock(self, locking: Locking, *, shared: bool = False) -> None:
        """Take the lock of the directory, which ends with this process at the latest. Raises Busy, IoFailure.

        It is an flock on the directory itself: it leaves nothing behind and works across users (DESIGN 5). `shared`
        is for those who only append: they keep out whoever replaces a file, and not each other. Whoever is about to
        change something calls this, so an agent's directory that is a symlink is Protected here, locked or not.
        """
        self._require_no_link()
        if not locking.lock:
            if not self._is_current():
                self._open_again()
            return
        import fcntl

        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        deadline = time.monotonic() + locking.wait
        told = False
        while True:
            try:
                fcntl.flock(self.descriptor, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    message = f"'{self.path}' is locked by another memctl"
                    raise Busy(message, path=self.path, hint="try again, or wait longer with --wait SECONDS") from None
                if not told and locking.tell:
                    locking.tell(f"waiting for another memctl that works in '{self.path}'")
                told = True
                time.sleep(_PAUSE)
                continue
            except OSError as error:
                if error.errno in _NO_LOCKS:
                    message = f"the file system of '{self.path}' has no locks"
                    raise Busy(message, path=self.path, hint="--no-lock goes on with comparisons alone") from None
                raise failure(error, self.path, "lock") from None
            if self._is_current():
                return
            # The directory was replaced while we waited: lock the one that is there now.
            self._open_again()

    def _open_again(self) -> None:
        gone, self.descriptor = self.descriptor, self._open()
        os.close(gone)
        self._require_no_link()

    def _require_no_link(self) -> None:
        if self.agent and os.path.islink(self.path):
            message = f"the agent's directory '{self.path}' is a symlink; memctl changes nothing through it"
            hint = f"name the directory itself: --root {os.path.realpath(self.path)}"
            raise Protected(message, path=self.path, hint=hint)

    def _is_current(self) -> bool:
        """Return whether the path still leads here, by the same way as when it was opened. Raises Protected."""
        self._require_no_link()
        try:
            there = self._open()
        except NotFound:
            return False
        try:
            return os.path.samestat(os.fstat(self.descriptor), os.fstat(there))
        finally:
            os.close(there)

    def sweep(self, names: list[str], tell: Callable[[str], None] | None = None) -> bool:
        """Remove what killed runs left among `names`; only under the lock, when no run can still use it.

        A new text that was not yet in place is dropped: its command never said that it was done. What was put aside is
        judged by its bytes, and `tell` hears where it is kept. Returns whether anything is kept. Raises IoFailure.
        """
        found = False
        for name in names:
            if is_temp_name(name):
                unlink_quietly(self.descriptor, name)
            elif aside := aside_of(name):
                try:
                    kept = sweep_aside(self.descriptor, name, aside)
                except OSError as error:
                    raise failure(error, os.path.join(self.path, name), "write") from None
                if kept:
                    found = True
                    if tell:
                        path = os.path.join(self.path, kept)
                        tell(f"what another program wrote while memctl was killed is kept in '{path}'")
        return found

    def sweep_if_free(self, locking: Locking) -> None:
        """Sweep, unless another memctl has the lock: for those who only append. Raises MemctlError."""
        names = self.names() if locking.lock else []
        if any(is_temp_name(name) or aside_of(name) for name in names):
            try:
                self.lock(locking._replace(wait=0))
            except Busy:
                return
            self.sweep(self.names(), locking.tell)

    def commit_all(
        self, edits: Sequence[Edit], locking: Locking, store: str, *, in_turn: bool = False
    ) -> tuple[list[Edit], list[MemctlError]]:
        """Record and carry out some edits of the store with this address; return those done, and what failed.

        One that fails does not stop the others, unless each counts on those before it (`in_turn`). Raises MemctlError
        where their images cannot be kept: then nothing was touched.
        """
        recorder = locking.recorder
        numbers = recorder.intend([self._intent(edit, store) for edit in edits]) if recorder else []
        done: list[Edit] = []
        errors: list[MemctlError] = []
        unknown: set[int] = set()
        for edit in edits:
            if in_turn and errors:
                break
            try:
                self.commit(edit)
            except NotDurable as error:
                errors.append(error)
                done.append(edit)
            except Busy as error:
                errors.append(error)
            except MemctlError as error:
                errors.append(error)
                # What failed may have done its work before: a file that was closed too late, a disk far away.
                carried = self._is_carried(edit)
                if carried is None:
                    unknown.add(id(edit))
                elif carried:
                    done.append(edit)
            else:
                done.append(edit)
        if recorder:
            ids = set(map(id, done))
            known = [pair for pair in zip(numbers, edits, strict=True) if id(pair[1]) not in unknown]
            _settle(recorder, [(number, id(edit) in ids) for number, edit in known])
        return done, errors

    def _is_carried(self, edit: Edit) -> bool | None:
        """Return whether a file is what an edit makes of it, and not what it was; None where that cannot be told."""
        try:
            now = image_at(self.descriptor, edit.file)
        except NotRegular:
            return False
        except OSError:
            return None
        link = edit.model is not None and edit.model.link
        before, after = Image(edit.old, link=edit.link), Image(edit.new, link=link)
        return now.is_like(after) and not now.is_like(before)

    def _intent(self, edit: Edit, store: str) -> FileChange:
        """Return what an edit is about to do, with the mode and owner that the file has now."""
        path = os.path.join(self.path, edit.file)
        before, after = ABSENT, ABSENT
        if edit.old is not None:
            try:
                status = os.stat(edit.file, dir_fd=self.descriptor, follow_symlinks=False)
                before = Image(edit.old, stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid, edit.link)
            except FileNotFoundError:
                before = Image(edit.old, link=edit.link)  # gone meanwhile: the commit says so
            except OSError as error:
                raise failure(error, path, "read") from None
        if edit.new is not None:
            model = edit.model or before
            after = Image(edit.new, model.mode, model.uid, model.gid, edit.model is not None and edit.model.link)
        return FileChange(store, path, before, after)

    def commit(self, edit: Edit) -> None:
        """Carry out one edit.

        Raises Busy where the file is no longer what was read, Protected, IoFailure; NotDurable once it is done.
        """
        path = os.path.join(self.path, edit.file)
        doing = "remove" if edit.new is None else "write"
        try:
            if edit.new is None:
                remove_file(self.descriptor, edit, path)
            elif edit.old is None:
                create_file(self.descriptor, edit.file, edit.new, path, edit.model)
            else:
                replace_file(self.descriptor, edit.file, edit.old, edit.new, path, edit.model)
        except NotRegular:
            raise changed(path) from None
        except OSError as error:
            raise failure(error, path, doing) from None
        self.sync(f"'{path}' is {'removed' if edit.new is None else 'written'}", path)

    def sync(self, done: str, path: str) -> None:
        """Make what was done in it durable. Raises NotDurable, which says that it is `done`."""
        try:
            os.fsync(self.descriptor)
        except OSError as error:
            if error.errno != errno.EINVAL:
                reason = (error.strerror or str(error)).lower()
                raise NotDurable(f"{done}, but not durable yet: {reason}", path=path) from None


def _settle(recorder: Recorder, results: Sequence[tuple[int, bool]]) -> None:
    try:
        recorder.settle(results)
    except MemctlError:
        pass  # the files are changed: an undo judges by their bytes, and the end of the change says what is wrong


def write_file(path: str, old: bytes | None, new: bytes, locking: Locking, *, store: str = "") -> None:
    """Replace or create a single file by the same discipline. Raises MemctlError.

    `old` is what was read (None: there was none); a file that is no longer so is left alone (Busy). `store` is the
    address under which the history keeps it.
    """
    folder, name = os.path.split(path)
    with _open_folder(folder) as directory:
        directory.lock(locking)
        if locking.lock:
            directory.sweep(directory.names(), locking.tell)
        _, errors = directory.commit_all([Edit(name, old, new)], locking, store)
        if errors:
            raise errors[0]


def _open_folder(folder: str) -> Directory:
    return Directory(folder or ".", walk=is_at_risk(folder))


def append_file(path: str, line: bytes, locking: Locking, *, store: str = "") -> None:
    """Append a line, which ends with LF, to a file that others append to as well, in one write. Raises MemctlError.

    A file whose last line has no end is given 50 ms to get one from whoever is writing it, then gets one from us, so
    that our line is never glued to another (DESIGN 5). A missing file is created. A short write is finished, never
    taken back: what came behind it is another's.
    """
    folder, name = os.path.split(path)
    with _open_folder(folder) as directory:
        directory.sweep_if_free(locking)
        directory.lock(locking, shared=True)
        numbers = []
        try:
            if locking.recorder:
                before = image_at(directory.descriptor, name)
                after = before._replace(data=(before.data or b"") + line)
                intent = FileChange(store, path, before, after)
                numbers = locking.recorder.intend([intent])
            try:
                while not append_line(directory.descriptor, name, line):
                    pass  # the file was replaced meanwhile by one without our line
            except (OSError, NotRegular):
                if locking.recorder and image_at(directory.descriptor, name).is_like(before):
                    _settle(locking.recorder, [(number, False) for number in numbers])
                raise
        except NotRegular as error:
            raise InvalidInput(f"'{path}' is {error.kind}, not a file", path=path) from None
        except OSError as error:
            raise failure(error, path, "write") from None
        if locking.recorder:
            _settle(locking.recorder, [(number, True) for number in numbers])
        directory.sync(f"'{path}' is written", path)


@contextmanager
def tree_lock(path: str, locking: Locking) -> Iterator[None]:
    """Hold the lock file of another program: an exclusive flock on the whole of it. Raises Busy, Protected, IoFailure.

    The program unlinks it while it holds it when all is deleted, so what was locked is compared with what is there
    (spec/codewhale.md 2.12).
    """
    if not locking.lock:
        yield
        return
    import fcntl

    deadline = time.monotonic() + locking.wait
    while True:
        try:
            descriptor = _open_lock(path)
        except FileExistsError:
            continue  # made by another since we looked, or gone since: look again
        except OSError as error:
            raise failure(error, path, "lock") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            there = os.stat(path)
            mine = os.fstat(descriptor)
            if (mine.st_dev, mine.st_ino) == (there.st_dev, there.st_ino):
                break
        except (BlockingIOError, FileNotFoundError):
            pass
        except OSError as error:
            os.close(descriptor)
            if error.errno in _NO_LOCKS:
                message = f"the file system of '{path}' has no locks"
                raise Busy(message, path=path, hint="--no-lock goes on with comparisons alone") from None
            raise failure(error, path, "lock") from None
        os.close(descriptor)
        if time.monotonic() >= deadline:
            raise Busy(f"'{path}' is locked by CodeWhale", path=path, hint="try again, or --wait SECONDS longer")
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        os.close(descriptor)


def _open_lock(path: str) -> int:
    """Open a lock file; a new one has the owner that its program gives it. Raises FileExistsError: try again."""
    flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(path, flags)
    except FileNotFoundError:
        pass
    with Directory(os.path.dirname(path)) as directory:
        descriptor = os.open(os.path.basename(path), flags | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=directory.descriptor)
        try:
            give(descriptor, directory.descriptor, None)
        except BaseException:
            os.close(descriptor)
            raise
    return descriptor


def keep_private(directory: str, prefix: str, text: bytes) -> str:
    """Write `text` to a new file that only this user can read, and return its path: for an editor, or to keep a text."""
    import tempfile

    try:
        descriptor, path = tempfile.mkstemp(prefix=prefix, suffix=".md", dir=directory)
    except OSError as error:
        raise failure(error, directory, "write") from None
    try:
        try:
            write_all(descriptor, text)
        finally:
            os.close(descriptor)
    except BaseException as error:
        os.unlink(path)
        if isinstance(error, OSError):
            raise failure(error, path, "write") from None
        raise
    return path


def overwrite_private(path: str, text: bytes) -> None:
    """Write `text` over a file that keep_private() made. Raises MemctlError."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            write_all(descriptor, text)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise failure(error, path, "write") from None
