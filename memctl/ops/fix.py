"""The fixes of `check`: what is found is mended under the lock, from the bytes that are there then."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

from memctl.core.checks.mending import EDITS, Mend, Plan, diff, plan
from memctl.core.checks.rule import Finding, FixKind
from memctl.core.checks.subject import Kind, Subject
from memctl.core.dialects import hq
from memctl.core.text import encode
from memctl.disk.change import change, reindex
from memctl.disk.images import Edit, Image
from memctl.disk.locate import Store
from memctl.disk.locking import Locking
from memctl.disk.stores import DirectoryStore, Snapshot
from memctl.disk.user_store import FileStore
from memctl.errors import MemctlError
from memctl.ops.protection import require_automatic_memory

# What `check` finds in a store now: under the lock it is asked again.
Look = Callable[[], tuple[Subject, Sequence[Finding]]]


class FixRequest(NamedTuple):
    """How fixes are done: also those that are not safe, or not at all (`write` is False: they are only shown)."""

    unsafe: bool = False
    write: bool = True
    locking: Locking = Locking()


class Fixed(NamedTuple):
    """One finding that was mended: its rule, what was done, and the absolute path of its file (`to`: its new path)."""

    rule: str
    kind: FixKind
    path: str
    to: str = ""


class FixedStore(NamedTuple):
    """What fixes did to one store, or would do: each of them, their diff where they are only shown, what failed.

    `redacted` are the secrets that were taken out, which the history may still hold.
    """

    fixed: tuple[Fixed, ...]
    diff: str
    redacted: frozenset[bytes]
    errors: tuple[MemctlError, ...]


NOTHING = FixedStore((), "", frozenset(), ())


def fix_store(store: Store, look: Look, request: FixRequest) -> FixedStore:
    """Mend what `look` finds in a store, or say what would be. Never raises: what failed is in `errors`.

    Redactions come first and are kept nowhere: the history must not hold what they take out. All else is one change of
    the recorder of the request.
    """
    errors: list[MemctlError] = []
    subject, found = look()
    without = _without(store, found, request, errors)
    planned = plan(subject, found, unsafe=request.unsafe, without=without)
    if not (planned.redactions or planned.mends or planned.of_index):
        return NOTHING._replace(errors=tuple(errors))
    if not request.write:
        done = tuple(_all_of(subject, planned))
        return FixedStore(done, "\n".join(diff(subject, planned)), frozenset(), tuple(errors))
    if isinstance(store, FileStore):
        return _fix_file(store, subject, planned, request, errors)
    return _fix_directory(store, look, subject, planned, request, without, errors)


def _without(
    store: Store, found: Iterable[Finding], request: FixRequest, errors: list[MemctlError]
) -> frozenset[FixKind]:
    """Return the kinds of fixes that a store does not get: edits, while automatic memory is off for the agent."""
    if not isinstance(store, DirectoryStore) or store.automatic_memory:
        return frozenset()
    wanted = {finding.fix.kind for finding in found if finding.fix and (request.unsafe or finding.fix.kind.safe)}
    if wanted & EDITS:
        try:
            require_automatic_memory(store)
        except MemctlError as error:
            errors.append(error)
    return EDITS


def _fix_directory(
    store: DirectoryStore,
    look: Look,
    subject: Subject,
    first: Plan,
    request: FixRequest,
    without: frozenset[FixKind],
    errors: list[MemctlError],
) -> FixedStore:
    """Do what was planned `first`, each step planned anew from the bytes that are there under the lock."""
    fixed: list[Fixed] = []
    gone: set[bytes] = set()
    silent = request.locking._replace(recorder=None)

    def run(pick: Callable[[Plan], Sequence[Mend]], locking: Locking, *, in_turn: bool = False) -> None:
        chosen: dict[str, Mend] = {}

        def decide(_: Snapshot) -> list[Edit]:
            now, found = look()
            mends = pick(plan(now, found, unsafe=request.unsafe, without=without))
            chosen.update((mend.item.name, mend) for mend in mends)
            return [edit for mend in mends for edit in _edits(mend)]

        try:
            outcome = change(store, decide, locking, in_turn=in_turn)
        except MemctlError as error:
            errors.append(error)
            return
        errors.extend(outcome.errors)
        for edit in outcome.done:
            if edit.file in chosen:
                mend = chosen.pop(edit.file)
                fixed.extend(_fixed(subject, mend.item.name, mend.findings, mend.to))
                gone.update(_values(mend.findings))

    def render(locking: Locking) -> None:
        """Render the index, if a change has not done so already."""
        try:
            reindex(store, locking)
        except MemctlError as error:
            errors.append(error)
            return
        fixed.extend(_fixed(subject, hq.INDEX_NAME, first.of_index))
        gone.update(_values(first.of_index))

    if first.redactions:
        run(_redactions, silent)
    if first.redacts_index:
        render(silent)
    if any(not mend.to for mend in first.mends):
        run(_in_place, request.locking)
    for mend in first.mends:
        if mend.to:
            run(partial(_only, mend.item.name), request.locking, in_turn=True)
    if first.of_index and not first.redacts_index:
        render(request.locking)
    return FixedStore(tuple(fixed), "", frozenset(gone), tuple(errors))


def _redactions(planned: Plan) -> Sequence[Mend]:
    return planned.redactions


def _in_place(planned: Plan) -> Sequence[Mend]:
    return [mend for mend in planned.mends if not mend.to]


def _only(file: str, planned: Plan) -> list[Mend]:
    return [mend for mend in planned.mends if mend.item.name == file]


def _edits(mend: Mend) -> list[Edit]:
    """Return the edits that carry out what becomes of a file."""
    item = mend.item
    if item.kind is Kind.SYMLINK and item.link is not None:
        return [Edit(item.name, os.fsencode(item.link.target), None, link=True)]
    if mend.data is None or item.data is None:
        return [Edit(item.name, item.data, None)]
    model = Image(mend.data, mend.mode, item.uid, item.gid)
    if mend.to:
        return [Edit(mend.to, None, mend.data, model=model), Edit(item.name, item.data, None)]
    return [Edit(item.name, item.data, mend.data, model=model if mend.mode != item.mode else None)]


def _fix_file(
    store: FileStore, subject: Subject, planned: Plan, request: FixRequest, errors: list[MemctlError]
) -> FixedStore:
    """Mend the one file of a user memory: it is replaced only if it still is what was looked at."""
    fixed: list[Fixed] = []
    gone: set[bytes] = set()
    data = subject.items[0].data
    silent = request.locking._replace(recorder=None)
    for mends, locking in ((planned.redactions, silent), (planned.mends, request.locking)):
        for mend in mends:
            assert mend.data is not None
            try:
                store.write(data, mend.data, locking)
            except MemctlError as error:
                errors.append(error)
                return FixedStore(tuple(fixed), "", frozenset(gone), tuple(errors))
            data = mend.data
            fixed += _fixed(subject, mend.item.name, mend.findings)
            gone |= _values(mend.findings)
    return FixedStore(tuple(fixed), "", frozenset(gone), tuple(errors))


def _values(found: Iterable[Finding]) -> set[bytes]:
    return {encode(finding.evidence) for finding in found if finding.fix and finding.fix.kind is FixKind.REDACT}


def _fixed(subject: Subject, file: str, found: Iterable[Finding], to: str = "") -> list[Fixed]:
    path = f"{subject.path}/{file}" if subject.kind == "agent" else subject.path
    return [
        Fixed(finding.rule, finding.fix.kind, path, f"{subject.path}/{to}" if finding.fix.to else "")
        for finding in found
        if finding.fix
    ]


def _all_of(subject: Subject, planned: Plan) -> Iterable[Fixed]:
    for mend in (*planned.redactions, *planned.mends):
        yield from _fixed(subject, mend.item.name, mend.findings, mend.to)
    yield from _fixed(subject, hq.INDEX_NAME, planned.of_index)
