"""The verb `import-legacy`: the old MEMORY.md of a workspace becomes one memory, one time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from memctl.core.dialects import hq
from memctl.core.legacy import LEGACY_NAME, MARKER_NAME, NoImport, marker_text, plan_legacy
from memctl.core.limits import Draft
from memctl.core.saving import plan_save
from memctl.core.text import decode, trim
from memctl.disk.change import change
from memctl.disk.files import Directory
from memctl.disk.images import Edit
from memctl.disk.locking import Locking
from memctl.disk.reads import read_file
from memctl.disk.stores import DirectoryStore, Snapshot
from memctl.errors import InvalidInput, IoFailure, MemctlError, NotFound, Protected
from memctl.ops.protection import require_automatic_memory
from memctl.ops.results import Imported

_WHY = {
    NoImport.NO_WORKSPACE: "the registry names no workspace for it; give --workspace DIR or --file FILE",
    NoImport.EMPTY: "'{source}' is empty",
    NoImport.IMPORTED_BEFORE: "the old notes were imported before ('{marker}' says so); --force imports again",
    NoImport.HAS_MEMORIES: "the agent has {count}, and old notes are imported only where there are none",
}


class ImportRequest(NamedTuple):
    """Where the notes are (None: in the agent's workspace, by the registry), and whether the marker is overridden."""

    workspace: str | None = None
    file: str | None = None
    force: bool = False
    dry_run: bool = False
    locking: Locking = Locking()


def import_legacy(store: DirectoryStore, request: ImportRequest, now: datetime) -> Imported:
    """Import the old notes of one agent by the HQ's rules (spec/hq.md 11). Never raises: see `errors` and `why`."""
    try:
        require_automatic_memory(store)
        source = _source(store, request)
        notes, missing = _notes(store, source, given=bool(request.workspace or request.file))
        return _import(store, request, now, source, notes, missing)
    except MemctlError as error:
        return Imported(store, False, None, error.message, False, None, (error,))


def _source(store: DirectoryStore, request: ImportRequest) -> str | None:
    if request.file:
        return request.file
    workspace = request.workspace or (store.agent.workspace if store.agent else None)
    return os.path.join(workspace, hq.INDEX_NAME) if workspace else None


def _notes(store: DirectoryStore, source: str | None, *, given: bool) -> tuple[bytes | None, str]:
    if source is None:
        return None, ""
    try:
        if store.foreign and not given:
            # A path of the registry: neither the file nor the workspace may be a link (DESIGN 5).
            folder, name = os.path.split(source)
            with Directory(folder, follow=False) as workspace:
                data = workspace.read(name)
                owners = {os.lstat(store.folder.memory).st_uid} if os.path.lexists(store.folder.memory) else set()
                if data is not None:
                    # In the directory that was opened: the path may lead elsewhere by now.
                    owners.add(os.stat(name, dir_fd=workspace.descriptor, follow_symlinks=False).st_uid)
            if len(owners) > 1:
                # Else another user's registry could have root copy what that user may not read.
                raise Protected(f"'{source}' belongs to another user than the agent's memories", path=source)
            return data, "" if data is not None else f"no such file or directory: '{source}'"
        return read_file(source, follow=not store.foreign), ""
    except (NotFound, InvalidInput, IoFailure) as error:
        return None, error.message


def _import(
    store: DirectoryStore, request: ImportRequest, now: datetime, source: str | None, notes: bytes | None, missing: str
) -> Imported:
    refusal: list[tuple[NoImport, int]] = []
    draft: list[Draft] = []

    def decide(snapshot: Snapshot) -> Sequence[Edit]:
        marker = MARKER_NAME in snapshot.names
        plan = plan_legacy(
            notes,
            has_workspace=source is not None,
            marker=marker and not request.force,
            count=len(snapshot.entries),
            whole_characters=True,
        )
        if isinstance(plan, NoImport):
            refusal.append((plan, len(snapshot.entries)))
            return ()
        file = f"{LEGACY_NAME}.md"
        in_the_way = next((other for other in snapshot.unloaded if other.file == file), None)
        if in_the_way:
            path = f"{store.path}/{file}"
            message = f"'{path}' is there and is not loaded ({in_the_way.problem.reason}); memctl does not overwrite it"
            raise Protected(message, path=path, hint=f"memctl delete {store.memory_address(LEGACY_NAME)}")
        draft[:] = [plan]
        saved = plan_save(plan, None, 0, f"{now:%Y-%m-%d}")
        edits = [Edit(file, None, hq.write(saved.memory))]
        if not marker:
            edits.append(Edit(MARKER_NAME, None, marker_text(now)))
        return edits

    # Look before a directory is made or locked: most agents have nothing to import.
    decide(store.read())
    errors: tuple[MemctlError, ...] = ()
    imported = True
    if draft and not request.dry_run:
        draft.clear()
        # The marker says that the notes are there, so it follows them.
        outcome = change(store, decide, request.locking, create=True, in_turn=True)
        errors, imported = outcome.errors, bool(outcome.done)
    if refusal:
        reason, count = refusal[0]
        marker = f"{store.path}/{MARKER_NAME}"
        why = (
            _WHY[reason].format(source=source, marker=marker, count=f"{count} memories" if count != 1 else "1 memory")
            if reason in _WHY
            else missing
        )
        return Imported(store, False, reason, why, False, source)
    return Imported(store, imported, None, "", draft[0].content != trim(decode(notes or b"")), source, errors)
