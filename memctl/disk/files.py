"""Open directories, locked, read and changed by the one discipline (DESIGN 5)."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Sequence

from memctl.disk.aside import aside_of, is_temp_name, sweep_aside
from memctl.disk.images import ABSENT, Edit, Image, image_at
from memctl.disk.locking import NO_LOCKS, PAUSE, FileChange, Locking, settle
from memctl.disk.new_file import NotDurable, sync_directory, unlink_quietly
from memctl.disk.reads import NotRegular, failure, impossible, read_file_at
from memctl.disk.walk import open_walked
from memctl.disk.writes import changed, create_file, remove_file, replace_file
from memctl.errors import Busy, MemctlError, NotFound, Protected


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
        time.sleep(PAUSE)

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
                time.sleep(PAUSE)
                continue
            except OSError as error:
                if error.errno in NO_LOCKS:
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
            settle(recorder, [(number, id(edit) in ids) for number, edit in known])
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
        before = ABSENT
        if edit.old is not None:
            try:
                status = os.stat(edit.file, dir_fd=self.descriptor, follow_symlinks=False)
                before = Image(edit.old, stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid, edit.link)
            except FileNotFoundError:
                before = Image(edit.old, link=edit.link)  # gone meanwhile: the commit says so
            except OSError as error:
                raise failure(error, path, "read") from None
        if edit.new is None:
            after = edit.model or ABSENT
        else:
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
        sync_directory(self.descriptor, done, path)
