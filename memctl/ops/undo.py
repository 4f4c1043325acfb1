"""The verbs `undo` and `redo`: a change of memctl taken back, where the files still are as memctl left them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from memctl.core.address import USER
from memctl.core.dialects import hq
from memctl.core.env import Env
from memctl.core.limits import PER_AGENT
from memctl.core.memory import Memory
from memctl.disk.change import write_index
from memctl.disk.directories import make_again, make_directory
from memctl.disk.files import Directory
from memctl.disk.history import History
from memctl.disk.history_file import open_another
from memctl.disk.history_tables import Change, Origin
from memctl.disk.hq_api import HqAddress, HqStopped, find_hq
from memctl.disk.images import ABSENT, Edit, Image, image_at
from memctl.disk.locking import FileChange, Locking
from memctl.disk.reads import NotRegular, failure
from memctl.disk.stores import read_directory
from memctl.disk.walk import is_at_risk
from memctl.errors import Busy, LimitReached, MemctlError, NotFound, Protected

State = Literal["ready", "same", "changed"]


class Restore(NamedTuple):
    """One file that comes back: as it is now, as it was, and whether it still is as memctl left it."""

    file: FileChange
    now: Image
    then: Image
    state: State

    @property
    def is_index(self) -> bool:
        """Whether it is an index, which is rendered anew where it cannot come back byte for byte.

        A file of that name that is no agent's (a user memory, one of CodeWhale's native tree) is none.
        """
        return os.path.basename(self.file.path) == hq.INDEX_NAME and self.file.store not in ("", USER)


class UndoPlan(NamedTuple):
    """A change that is to be taken back, file by file in the order in which that is done; `errors` of those unread."""

    change: Change
    restores: tuple[Restore, ...]
    errors: tuple[MemctlError, ...] = ()

    @property
    def blocked(self) -> tuple[Restore, ...]:
        """The files that are no longer as memctl left them."""
        return tuple(restore for restore in self.restores if restore.state == "changed" and not restore.is_index)


class Undone(NamedTuple):
    """What came back, and what failed."""

    change: Change
    files: tuple[Restore, ...]
    errors: tuple[MemctlError, ...]


def choose_undo(history: History, origin: Origin, number: int | None) -> Change:
    """Return the change to take back: by its id, else the newest of this user in this login session.

    Raises NotFound, with whose history holds changes, and Protected for a change of another user.
    """
    if number is not None:
        change = history.change(number)
        if change.origin.uid != origin.uid:
            raise Protected(f"change {number} was made by '{change.origin.user}', and only that user can take it back")
        if change.undone_by is not None:
            raise NotFound(f"change {number} was taken back already, by change {change.undone_by}", hint="memctl redo")
        # Where it was taken back and done again, the files are as its redo left them.
        redos = (one for one in history.changes() if one.kind == "redo" and one.target == number)
        redo = next((one for one in redos if one.undone_by is None), None)
        return change if redo is None else history.change(redo.id)
    for change in history.changes():
        if change.kind != "undo" and change.undone_by is None and _is_own(change, origin) and _stands(change):
            return history.change(change.id)
    others = _newest(history)
    hint = "memctl history lists the changes"
    if others is not None and others.origin.uid == origin.uid:
        hint = f"the newest of another session is {others.id} ('{others.command}'): memctl undo {others.id}"
    elif others is not None:
        user = others.origin.user
        hint = f"the newest is {others.id} by '{user}' ('{others.command}'), and only that user can take it back"
    raise NotFound("there is nothing to undo in this login session", hint=hint)


def _newest(history: History, below: Sequence[str] = ("",)) -> Change | None:
    """Return the newest change that was not taken back, of files whose paths begin with one of `below`."""
    for change in history.changes():
        here = below == ("",) or any(file.path.startswith(tuple(below)) for file in change.files)
        if here and change.undone_by is None and change.kind != "undo" and _stands(change):
            return change
    return None


class Place(NamedTuple):
    """Where another user keeps a history, and the words that run memctl as that user."""

    user: str
    directory: str
    run: str


def seen_elsewhere(places: Sequence[Place], below: Sequence[str]) -> list[str]:
    """Return what the histories of other users say of files whose paths begin with one of `below`, a sentence each."""
    found = []
    for place in places:
        try:
            history = open_another(place.directory)
            if history is None:
                continue
            with history:
                newest = _newest(history, below)
        except MemctlError:
            found.append(f"the history of '{place.user}' cannot be read here: {place.run} memctl history")
            continue
        if newest is not None:
            found.append(
                f"that of '{place.user}' holds change {newest.id} ('{newest.command}'): {place.run} memctl undo {newest.id}"
            )
    return found


def _stands(change: Change) -> bool:
    """Return whether a change did anything, as far as is known: not where each of its files failed."""
    return not change.files or any(file.settled is not False for file in change.files)


def choose_redo(history: History, origin: Origin) -> tuple[Change, Change]:
    """Return the newest undo of this session that was not taken back, and the change that it took back.

    Raises NotFound where there is none, or where something was changed since.
    """
    for change in history.changes():
        if not _is_own(change, origin):
            continue
        if change.kind == "undo" and change.undone_by is None and change.target is not None:
            return history.change(change.id), original_of(history, change)
        if change.kind == "change" and _stands(change):
            break
    raise NotFound("there is nothing to redo in this login session", hint="memctl history lists the changes")


def original_of(history: History, change: Change) -> Change:
    """Return the change that an undo or a redo is about; itself where that was forgotten."""
    if change.target is None:
        return change
    try:
        return history.change(change.target)
    except NotFound:
        return change


def _is_own(change: Change, origin: Origin) -> bool:
    return (change.origin.uid, change.origin.session, change.origin.host) == (origin.uid, origin.session, origin.host)


def plan_undo(change: Change) -> UndoPlan:
    """Return what taking a change back does to each of its files, the last first.

    One that cannot be read is an error, and the others come back all the same.
    """
    seen: dict[str, Image] = {}  # one command may have changed a file several times
    restores = []
    errors: dict[str, MemctlError] = {}
    for file in reversed(change.files):
        if file.settled is not False and file.path not in errors:
            try:
                restore = _restore(file, seen[file.path] if file.path in seen else _image_of(file))
            except MemctlError as error:
                errors[file.path] = error
                continue
            seen[file.path] = restore.then
            restores.append(restore)
    # The index follows its memories.
    restores.sort(key=lambda restore: restore.is_index)
    told = {error.message: error for error in errors.values()}  # a directory that cannot be opened, once
    return UndoPlan(change, tuple(restores), tuple(told.values()))


def _restore(file: FileChange, now: Image | None) -> Restore:
    then = file.before
    if now is None:
        return Restore(file, ABSENT, then, "changed")
    # Where the change took a permission alone, the bytes are the same before and after.
    if now.is_like(then) and (file.before.mode == file.after.mode or now.mode == then.mode):
        return Restore(file, now, then, "same")
    if now.is_like(file.after):
        return Restore(file, now, then, "ready")
    rest = _without_note(file, now)
    if rest is not None:
        return Restore(file, now, now._replace(data=rest), "ready")
    return Restore(file, now, then, "changed")


def _image_of(file: FileChange) -> Image | None:
    """Return what a file is now, None for what is neither file nor symlink. Raises IoFailure, Protected."""
    folder, name = os.path.split(file.path)
    try:
        with _open(folder, file) as directory:
            return image_at(directory.descriptor, name)
    except NotFound:
        return ABSENT  # its directory is gone
    except NotRegular:
        return None
    except OSError as error:
        raise failure(error, file.path, "read") from None


def _open(folder: str, file: FileChange) -> Directory:
    """Open the directory of a file: what its path leads to may be another than when the change was made."""
    risk, agent = is_at_risk(folder), file.store not in ("", USER)
    return Directory(folder, follow=not (risk and agent), walk=risk, agent=agent)


def _without_note(file: FileChange, now: Image) -> bytes | None:
    """Return what the user memory holds but for the line that was appended: others append as well. None: not that."""
    before, after = file.before.data or b"", file.after.data or b""
    line = after[len(before) :]
    if file.store != USER or now.data is None or now.link or not after.startswith(before) or not line.endswith(b"\n"):
        return None
    if before and not before.endswith(b"\n"):
        # The last line got its end first.
        if now.data == before + b"\n" + line:
            return before
        before += b"\n"
    if now.data.startswith(before + line):
        return before + now.data[len(before + line) :]
    at = now.data.find(line)
    whole = at == 0 or now.data[at - 1 : at] == b"\n"
    return now.data.replace(line, b"") if at >= 0 and whole and now.data.count(line) == 1 else None


def apply_undo(plan: UndoPlan, locking: Locking, *, force: bool) -> Undone:
    """Bring the files back. Raises Busy where one is no longer as memctl left it, unless `force`: then that is saved too.

    An agent that would have more than 200 memories then gets none of them back, unless `force`. Never raises for a single
    file: what failed is in `errors`.
    """
    if plan.blocked and not force:
        paths = ", ".join(restore.file.path for restore in plan.blocked)
        raise Busy(
            f"changed since memctl wrote it: {paths}; nothing was taken back",
            hint="look at it; --force overwrites it, and what it holds now is kept in the history",
        )
    done: list[Restore] = []
    errors: list[MemctlError] = list(plan.errors)
    folders: dict[str, list[Restore]] = {}
    for restore in plan.restores:
        folders.setdefault(os.path.dirname(restore.file.path), []).append(restore)
    for folder, restores in folders.items():
        try:
            # An index goes only with its directory.
            for restore in restores:
                if restore.is_index and restore.file.after.data is None:
                    make_again(folder, restore.file.after)
            if force:
                make_directory(folder)
            done += _in_folder(folder, restores, locking, errors, force=force)
        except NotFound:
            message = f"the directory '{folder}' is gone, and what was in it did not come back"
            errors.append(NotFound(message, path=folder, hint="--force makes it anew"))
        except MemctlError as error:
            errors.append(error)
    return Undone(plan.change, tuple(done), tuple(errors))


def _in_folder(
    folder: str, restores: Sequence[Restore], locking: Locking, errors: list[MemctlError], *, force: bool
) -> list[Restore]:
    done: list[Restore] = []
    with _open(folder, restores[0].file) as directory:
        directory.lock(locking)
        if locking.lock:
            directory.sweep(directory.names(), locking.tell)
        wanted = [restore for restore in restores if not restore.is_index and restore.state != "same"]
        if not force:
            _require_room(directory, wanted)
        steps = [_edits(restore) for restore in wanted]
        edits = [edit for step in steps for edit in step]
        store = restores[0].file.store
        carried, failed = directory.commit_all(edits, locking, store) if edits else ([], [])
        errors += failed
        ids = set(map(id, carried))
        done += [restore for restore, step in zip(wanted, steps, strict=True) if id(step[-1]) in ids]
        whole = len(done) == len(wanted)
        for restore in restores:
            try:
                if restore.is_index and _index(directory, restore, locking, whole=whole):
                    done.append(restore)
            except MemctlError as error:
                errors.append(error)
    return done


def _require_room(directory: Directory, wanted: Sequence[Restore]) -> None:
    """Raise LimitReached where more memories would come back than an agent may have: others were saved since."""
    more = sum(_is_memory(restore, restore.then) - _is_memory(restore, restore.now) for restore in wanted)
    if more > 0:
        total = len(read_directory(directory).entries) + more
        if total > PER_AGENT:
            message = f"'{directory.path}' would have {total} memories, over the limit of {PER_AGENT}"
            hint = "delete some first; --force brings them back all the same"
            raise LimitReached(message, path=directory.path, hint=hint)


def _is_memory(restore: Restore, image: Image) -> bool:
    name = os.path.basename(restore.file.path)
    if restore.file.store in ("", USER) or image.data is None or image.link or not hq.memory_files([name]):
        return False
    return isinstance(hq.read(image.data, name[:-3]), Memory)


def require_stopped_hq(plan: UndoPlan, env: Env, address_of: Callable[[str], HqAddress | None]) -> None:
    """Raise Busy where the registry would come back while its HQ runs, which would overwrite it (DESIGN 4.8)."""
    for restore in plan.restores:
        folder, name = os.path.split(restore.file.path)
        if name != "agents.json" or restore.state == "same":
            continue
        hq_state = find_hq(folder, address_of(folder), env)
        if not isinstance(hq_state, HqStopped):
            raise Busy(
                f"'{restore.file.path}' belongs to an HQ that runs, or may run, and would overwrite it",
                path=restore.file.path,
                hint="set the switch with memctl sweep-mode or memctl auto-memory, which ask the HQ",
            )


def _edits(restore: Restore) -> list[Edit]:
    """Return the edits that bring a file back; a symlink and a file do not replace one another, so one goes first."""
    name, now, then = os.path.basename(restore.file.path), restore.now, restore.then
    model = None if then.data is None else then
    if None not in (now.data, then.data) and (now.link or then.link):
        return [Edit(name, now.data, None, link=now.link), Edit(name, None, then.data, model=model)]
    return [Edit(name, now.data, then.data, link=now.link, model=model)]


def _index(directory: Directory, restore: Restore, locking: Locking, *, whole: bool) -> bool:
    """Bring an index back byte for byte if nothing else changed, else render it; return whether it was written.

    Raises MemctlError.
    """
    if whole and restore.state == "same":
        return False
    if whole and restore.state == "ready":
        done, errors = directory.commit_all(_edits(restore), locking, restore.file.store)
        if errors:
            raise errors[0]
        return bool(done)
    return write_index(directory, read_directory(directory), locking, restore.file.store)
