"""The verb `check`: what the rules find in a store, and what of it is shown, let pass, or makes the run fail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memctl.core.checks import selection
from memctl.core.checks.allows import Allow, Passed, allows, without_allowed
from memctl.core.checks.engine import ACROSS, Checked, check_across, check_folder, check_store
from memctl.core.checks.rule import Finding, Severity, at_least
from memctl.core.checks.subject import CheckSettings, Subject
from memctl.disk.checkable import Aim
from memctl.disk.inspect import inspect_folder, inspect_store, inspect_user
from memctl.disk.locate import Store
from memctl.disk.stores import DataFolder, DirectoryStore
from memctl.errors import IoFailure, MemctlError
from memctl.ops.check_request import CheckRequest

if TYPE_CHECKING:
    from memctl.core.checks.baseline import Entry, Scope
    from memctl.core.checks.hygiene.repeats import Digest
    from memctl.disk.states import State
    from memctl.ops.against import Compared


class Totals(NamedTuple):
    """What a run came to. `hidden` findings are below the severity that is shown, `allowed` ones were let pass.

    `known` findings are in the baseline. Since the state that stores are compared with, `removed` memories of `before` are
    gone, and `line_ends` files differ in nothing else; `unknown` stores are not in it.
    """

    stores: int = 0
    memories: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    fixable: int = 0
    hidden: int = 0
    allowed: int = 0
    failing: int = 0
    known: int = 0
    removed: int = 0
    before: int = 0
    line_ends: int = 0
    unknown: int = 0

    def plus(self, other: Totals) -> Totals:
        """Return both together."""
        return Totals(*(one + more for one, more in zip(self, other, strict=True)))


class CheckedPlace(NamedTuple):
    """What one place came to: the findings to show, what it adds to the totals, what could not be read.

    `used` are the fingerprints that let something pass; `unused` are comments that do not, each with its file's path.
    `entries` are what a baseline says of the findings, `left` those of the baseline that answer for none, `looked` where
    and for what was looked. `held` says that memories are gone, no more than may be: it counts where the run has too many.
    """

    findings: list[Finding]
    totals: Totals
    errors: list[MemctlError]
    used: frozenset[str] = frozenset()
    unused: tuple[tuple[str, Allow], ...] = ()
    entries: tuple[Entry, ...] = ()
    left: tuple[Entry, ...] = ()
    looked: tuple[str, Scope] | None = None
    held: CheckedPlace | None = None


def _inspected(store: Store, settings: CheckSettings) -> tuple[Subject, Checked, list[MemctlError]]:
    subject, errors = _subject(store)
    return subject, check_store(subject, settings), errors


def _subject(store: Store) -> tuple[Subject, list[MemctlError]]:
    return inspect_store(store) if isinstance(store, DirectoryStore) else inspect_user(store)


def check_registry(folder: DataFolder, settings: CheckSettings) -> list[Finding]:
    """Return what is wrong with the registry of a data folder."""
    return check_folder(inspect_folder(folder), settings)


def digest_place(aim: Aim, request: CheckRequest) -> Digest | None:
    """Return what is kept of a store to compare it with others; None where no rule that is on wants that."""
    if isinstance(aim.place, DataFolder) or aim.gone or not request.settings.enabled & ACROSS:
        return None
    from memctl.core.checks.hygiene.repeats import digest

    return digest(_subject(aim.place)[0])


def compared(
    work: Sequence[tuple[Aim, CheckRequest]], digests: Sequence[Digest | None]
) -> list[tuple[Aim, CheckRequest]]:
    """Return what is to be done with each place, with what was found in it by comparing it with the others."""
    kept = [one for one in digests if one is not None]
    if len(kept) < 2:
        return list(work)
    on = frozenset().union(*(request.settings.enabled for _, request in work))
    by_store: dict[str, list[Finding]] = {}
    for finding in check_across(kept, work[0][1].settings._replace(enabled=on)):
        by_store.setdefault(finding.store, []).append(finding)
    return [
        (
            aim,
            request._replace(
                across=tuple(one for one in by_store.get(own.address, ()) if one.rule in request.settings.enabled)
            )
            if own
            else request,
        )
        for (aim, request), own in zip(work, digests, strict=True)
    ]


def check_place(aim: Aim, request: CheckRequest) -> CheckedPlace:
    """Return what one place comes to. Never raises: what could not be read is in `errors`."""
    if isinstance(aim.place, DataFolder):
        return _check_folder(aim, aim.place, request)
    if aim.gone:
        subject, errors = _subject(aim.place)
        found, memories, texts = [], 0, {}
    else:
        subject, checked, errors = _inspected(aim.place, request.settings)
        found, memories = checked.findings, checked.memories
        if request.across:
            order = {item.name: at for at, item in enumerate(subject.items, 1)}
            found = sorted([*found, *request.across], key=lambda one: (order.get(one.file, 0), one.line or 0))
        if aim.only is not None:
            found = _of_files(found, aim.only)
            memories = sum(item.record is not None and item.name in aim.only for item in subject.items)
        texts = {item.name: item.text for item in subject.items} if found or request.unused else {}
    totals = Totals(0 if aim.gone else 1, memories)
    if request.against is None:
        return _settled(aim, found, totals, errors, texts, request)
    try:
        since = _compare(aim, aim.place.path, subject, found, request.against.state, request.settings)
    except MemctlError as error:
        return _settled(aim, found, totals, [*errors, error], texts, request)
    totals = totals._replace(
        removed=since.removed,
        before=since.total,
        line_ends=since.line_ends,
        unknown=int(not since.known),
    )
    bound = request.against.bound
    held = None
    losses = since.losses if aim.only is None else _of_files(since.losses, aim.only)
    if losses and bound is not None and bound.allows(since.removed, since.total):
        held = _settled(aim, losses, Totals(), [], texts, request._replace(unused=False))
        losses = []
    found = losses + (since.new if aim.only is None else _of_files(since.new, aim.only))
    return _settled(aim, found, totals, errors, texts, request)._replace(held=held)


def _check_folder(aim: Aim, folder: DataFolder, request: CheckRequest) -> CheckedPlace:
    found = check_registry(folder, request.settings)
    # What is wrong with its content is a finding, and no more.
    errors: list[MemctlError] = [folder.problem] if isinstance(folder.problem, IoFailure) else []
    if request.against is not None:
        from memctl.ops.against import compare_registry

        try:
            found = compare_registry(request.against.state, folder, found, request.settings)
        except MemctlError as error:
            errors.append(error)
    return _settled(aim, found, Totals(), errors, {}, request)


def _of_files(found: Iterable[Finding], only: frozenset[str]) -> list[Finding]:
    return [finding for finding in found if only.intersection((finding.file, *finding.related))]


def _compare(
    aim: Aim, path: str, subject: Subject, found: list[Finding], state: State, settings: CheckSettings
) -> Compared:
    from memctl.ops.against import compare_gone, compare_store

    if aim.gone:
        return compare_gone(state, path, subject, settings)
    return compare_store(state, path, subject, found, settings)


def _settled(
    aim: Aim,
    found: list[Finding],
    totals: Totals,
    errors: list[MemctlError],
    texts: Mapping[str, str | None],
    request: CheckRequest,
) -> CheckedPlace:
    """Return what is left of findings when ignores, allows and the severity to show are done."""
    passed = _passed(aim, found, texts, request)
    unused: list[tuple[str, Allow]] = []
    if request.unused and request.inline:
        for name, text in texts.items():
            if text and "memctl: allow" in text and (aim.only is None or name in aim.only):
                path = f"{aim.place.path}/{name}" if isinstance(aim.place, DirectoryStore) else aim.place.path
                unused += [(str(path), allow) for allow in allows(text) if allow.fingerprint not in passed.used]
    new, entries, left, looked = _unknown(aim, passed.kept, request)
    shown = [finding for finding in new if at_least(finding.severity, request.show)]
    counts = dict.fromkeys(Severity, 0)
    fixable = failing = 0
    for finding in new:
        counts[finding.severity] += 1
        fixable += finding.fix is not None
        failing += request.fail_on is not None and at_least(finding.severity, request.fail_on)
    totals = totals._replace(
        errors=counts[Severity.ERROR],
        warnings=counts[Severity.WARNING],
        infos=counts[Severity.INFO],
        fixable=fixable,
        hidden=len(new) - len(shown),
        allowed=passed.total,
        failing=failing,
        known=len(passed.kept) - len(new),
    )
    return CheckedPlace(shown, totals, errors, passed.used, tuple(unused), tuple(entries), tuple(left), looked)


def look(aim: Aim, request: CheckRequest) -> tuple[Subject, list[Finding]]:
    """Return a store as it is now, and what `check` would report of it, whatever its severity: what fixes mend."""
    assert not isinstance(aim.place, DataFolder)
    subject, checked, _ = _inspected(aim.place, request.settings)
    found = checked.findings if aim.only is None else _of_files(checked.findings, aim.only)
    passed = _passed(aim, found, {item.name: item.text for item in subject.items}, request)
    return subject, _unknown(aim, passed.kept, request)[0]


def _passed(aim: Aim, found: list[Finding], texts: Mapping[str, str | None], request: CheckRequest) -> Passed:
    """Return which findings no ignore of a path and no allow lets pass."""
    if request.path_ignores:
        found = [one for one in found if not selection.ignored(one.rule, _names(aim, one), request.path_ignores)]
    return without_allowed(found, request.allow, texts.get if request.inline else None)


def _unknown(
    aim: Aim, found: list[Finding], request: CheckRequest
) -> tuple[list[Finding], list[Entry], list[Entry], tuple[str, Scope] | None]:
    """Return the findings that are not in the baseline, what it would say of all of them, and which entries are left."""
    known = request.baseline
    if known is None:
        return found, [], [], None
    from memctl.core.checks.baseline import Scope, entry_of, place_of, sift
    from memctl.core.checks.engine import fingerprint

    keyed = request.settings._replace(key=known.key)
    path = aim.place.own_path if isinstance(aim.place, DataFolder) else aim.place.path
    address = "" if isinstance(aim.place, DataFolder) else aim.place.address
    place = place_of(address, path, known.folder)
    looked = Scope(aim.only, request.settings.enabled)
    if known.every:
        return [], [entry_of(one, place, fingerprint(one, keyed)) for one in found], [], (place, looked)
    new, left = sift(found, place, known.entries.get(place, ()), lambda one: fingerprint(one, keyed))
    return new, [], [entry for entry in left if looked.has(entry)], (place, looked)


def _names(aim: Aim, finding: Finding) -> list[str]:
    """Return what a pattern of the settings can call the file of a finding."""
    names = [finding.path, finding.path.rpartition("/")[2]]
    if isinstance(aim.place, DirectoryStore):
        names += [f"{aim.place.address}/{finding.file}", f"{aim.place.name}/{finding.file}"]
    elif not isinstance(aim.place, DataFolder):
        names.append(aim.place.address)
    return names
