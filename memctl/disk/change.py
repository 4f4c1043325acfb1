"""The one door for every change of a store: lock, read, decide, write, check again, index last."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memctl.core.dialects import hq
from memctl.core.text import encode
from memctl.disk.directories import make_directory, remove_empty
from memctl.disk.files import Directory
from memctl.disk.images import Edit, Image, image_at
from memctl.disk.locking import Locking
from memctl.disk.reads import NotRegular, failure
from memctl.disk.stores import GENERATED, DirectoryStore, Entry, Snapshot, Unloaded, read_directory
from memctl.errors import Busy, MemctlError, NotFound, Protected

# An HQ may write the index between our reading and our writing it; it is made anew from the files each time.
_INDEX_TRIES = 3

Decide = Callable[[Snapshot], Sequence[Edit]]


class Outcome(NamedTuple):
    """What a change of one store did: the edits that were carried out, whether the index was written, what failed.

    `closed` says that the directory is gone too.
    """

    done: tuple[Edit, ...]
    index_changed: bool
    errors: tuple[MemctlError, ...]
    closed: bool = False


def change(
    store: DirectoryStore,
    decide: Decide,
    locking: Locking,
    *,
    create: bool = False,
    in_turn: bool = False,
    close: bool = False,
) -> Outcome:
    """Carry out what `decide` says about the store as it is under the lock; then render its index.

    Each edit holds what its file was read as: a file that is something else by now is left alone (Busy). `decide`
    gets the snapshot, and raises MemctlError to refuse: then nothing is written. An edit that fails does not stop the
    others, unless each counts on those before it (`in_turn`). `create` makes a missing directory, once `decide` has
    agreed. Nothing to edit: nothing written, the index included. `close` removes a directory that holds nothing but an
    empty index then: its agent is gone. Raises Busy, NotFound, Protected, IoFailure.
    """
    if create:
        try:
            directory = store.open()
        except NotFound:
            if not decide(Snapshot([], [], None, [], [])):
                return Outcome((), False, ())
            locking.ready()
            make_directory(store.path)
            directory = store.open()
    else:
        directory = store.open()
    with directory:
        directory.lock(locking)
        snapshot = read_directory(directory)
        if locking.lock and directory.sweep(snapshot.names, locking.tell):
            snapshot = read_directory(directory)
        edits = decide(snapshot)
        if not edits and not close:
            return Outcome((), False, ())
        done, errors = directory.commit_all(edits, locking, store.address, in_turn=in_turn) if edits else ([], [])
        if edits and not done:
            return Outcome((), False, tuple(errors))
        written = closed = False
        try:
            # An index that goes is rendered first: its removal tells undo that memctl took the directory away.
            written = write_index(directory, read_directory(directory), locking, store.address)
            closed = close and not errors and _close(directory, locking, store.address)
        except MemctlError as error:
            errors.append(error)
        return Outcome(tuple(done), written, tuple(errors), closed)


def _close(directory: Directory, locking: Locking, store: str) -> bool:
    """Remove what is left of a directory where that is no memory; return whether it is gone. Raises MemctlError."""
    names = directory.names()
    if not set(names).issubset(GENERATED):
        return False
    status = os.fstat(directory.descriptor)
    gone = Image(None, stat.S_IMODE(status.st_mode), status.st_uid, status.st_gid)
    edits = []
    for name in names:
        path = f"{directory.path}/{name}"
        try:
            image = image_at(directory.descriptor, name)
        except NotRegular:
            return False
        except OSError as error:
            raise failure(error, path, "read") from None
        edits.append(Edit(name, image.data, None, link=image.link, model=gone))
    _, errors = directory.commit_all(edits, locking, store)
    if errors:
        raise errors[0]
    return remove_empty(directory.path)


def reindex(store: DirectoryStore, locking: Locking) -> tuple[Snapshot, bool]:
    """Render the index of a store where it differs; return what the store held, and whether it was written.

    Raises MemctlError, NotFound where there is no directory.
    """
    with store.open() as directory:
        directory.lock(locking)
        snapshot = read_directory(directory)
        if locking.lock and directory.sweep(snapshot.names, locking.tell):
            snapshot = read_directory(directory)
        return snapshot, write_index(directory, snapshot, locking, store.address)


def write_index(directory: Directory, snapshot: Snapshot, locking: Locking, store: str) -> bool:
    """Write MEMORY.md as the HQ would, if it differs; return whether it did. Raises Busy, Protected, IoFailure."""
    for attempt in range(_INDEX_TRIES):
        text = encode(snapshot.rendered().text)
        if snapshot.index_data == text:
            return False
        for error in snapshot.errors:
            # An index that is there but is no readable file is left alone.
            if error.path == f"{directory.path}/{hq.INDEX_NAME}":
                raise error
        edit = Edit(hq.INDEX_NAME, snapshot.index_data, text)
        _, errors = directory.commit_all([edit], locking, store)
        if not errors:
            return True
        if not isinstance(errors[0], Busy) or attempt == _INDEX_TRIES - 1:
            raise errors[0]
        snapshot = read_directory(directory)
    raise AssertionError  # the loop returns or raises


def removal(store: DirectoryStore, file: Entry | Unloaded) -> Edit:
    """Return the edit that removes a file or a symlink. Raises Protected for anything else, and for the unreadable."""
    if (target := store.link_target(file.file)) is not None:
        return Edit(file.file, os.fsencode(target), None, link=True)
    if isinstance(file, Unloaded) and file.data is None:
        path = f"{store.path}/{file.file}"
        message = f"memctl removes only files that it can read, not '{path}' ({file.problem.reason})"
        raise Protected(message, path=path)
    return Edit(file.file, file.data, None)
