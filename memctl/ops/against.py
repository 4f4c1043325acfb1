"""`check --against`: what is new in a store since another state of it, and what it lost."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from memctl.core.checks.baseline import entry_of, sift
from memctl.core.checks.comparing import Lost, earlier, lost
from memctl.core.checks.engine import check_folder, check_store, fingerprint, finished
from memctl.core.checks.rule import Finding
from memctl.core.checks.subject import CheckSettings, Subject
from memctl.core.dialects import hq
from memctl.core.env import Env
from memctl.disk.checkable import Aim, agent_at
from memctl.disk.inspect import folder_of_text, inspect_folder
from memctl.disk.states import State
from memctl.disk.stores import DataFolder

# Both states are judged in one run, so any key does: no fingerprint that is made with it leaves this module.
_KEY = b"against"


class Compared(NamedTuple):
    """What a store came to against another state of it.

    `new` are the findings that were not there, `losses` that which says that memories are gone: how many are too many is
    for the run to say. `line_ends` files differ in nothing else. `known` is False where the other state has no such store.
    """

    new: list[Finding]
    losses: list[Finding]
    removed: int = 0
    total: int = 0
    line_ends: int = 0
    known: bool = True


def compare_store(state: State, path: str, now: Subject, found: Sequence[Finding], settings: CheckSettings) -> Compared:
    """Return what is new of the findings of the store at a path, and what it lost. Raises MemctlError."""
    names = state.names(path, now)
    if names is None:
        return Compared([*found], [], known=False)
    if now.problem:  # that it cannot be read is true of no other state
        return Compared([*found], [])
    before = earlier(now, names)
    new: list[Finding] = []
    if found and not before.same:
        new = _new(found, check_store(before.subject, settings).findings, settings)
    loss = lost(before.subject, now, state.since)
    gone, shrunk = _judged(loss, now, settings)
    return Compared(new + shrunk, gone, loss.removed, loss.total, before.line_ends)


def compare_gone(state: State, path: str, now: Subject, settings: CheckSettings) -> Compared:
    """Return what is gone of a store that is none any more: nothing else of it counts. Raises MemctlError."""
    names = state.names(path, now)
    if names is None:
        return Compared([], [], known=False)
    loss = lost(earlier(now, names).subject, now, state.since)
    gone, _ = _judged(loss, now, settings)
    return Compared([], gone, loss.removed, loss.total)


def _judged(loss: Lost, now: Subject, settings: CheckSettings) -> tuple[list[Finding], list[Finding]]:
    """Return the findings on memories that are gone, and the others."""
    found = finished(loss.findings, now, settings)
    return [one for one in found if one.rule == "C001"], [one for one in found if one.rule != "C001"]


def compare_registry(
    state: State, folder: DataFolder, found: Sequence[Finding], settings: CheckSettings
) -> list[Finding]:
    """Return what is new of the findings of a registry. Raises MemctlError."""
    path = folder.registry.path
    data = state.file(path) if found and folder.registry.present else None
    before = folder_of_text(data or b"[]", path)
    now = inspect_folder(folder)  # no state has modes, so that they are what they were
    return _new(found, check_folder(before._replace(shared=now.shared, gone=now.gone), settings), settings)


def _new(found: Sequence[Finding], before: Sequence[Finding], settings: CheckSettings) -> list[Finding]:
    keyed = settings._replace(key=_KEY)
    entries = [entry_of(finding, "", fingerprint(finding, keyed)) for finding in before]
    return sift(found, "", entries, lambda finding: fingerprint(finding, keyed)).new


def find_gone(state: State, roots: Sequence[str], found: Sequence[Aim], env: Env) -> list[Aim]:
    """Return the stores that the other state has below directories that are checked, and that are none any more.

    One in which all memories are still there is a directory that `check` takes for no store, then and now.
    """
    checked = {aim.place.path for aim in found if not isinstance(aim.place, DataFolder)}
    gone = []
    for root in roots:
        for path, names in state.directories(root):
            files = hq.memory_files(names)
            if not files or _is_in(path, checked) or all(os.path.lexists(os.path.join(path, name)) for name in files):
                continue
            checked.add(path)
            gone.append(Aim(agent_at(path, env), None, None, gone=True))
    return gone


def _is_in(path: str, places: set[str]) -> bool:
    """Return whether a path is one of some places, or below one."""
    while path not in places:
        above = os.path.dirname(path)
        if above == path:
            return False
        path = above
    return True
