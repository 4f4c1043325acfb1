"""The verb `check`: what the rules find in a store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from memctl.core.checks.engine import check_folder, check_store
from memctl.core.checks.rule import Finding, Severity, at_least
from memctl.core.checks.subject import CheckSettings
from memctl.disk.inspect import inspect_folder, inspect_store, inspect_user
from memctl.disk.locate import Store
from memctl.disk.stores import DataFolder, DirectoryStore
from memctl.errors import MemctlError


class CheckRequest(NamedTuple):
    """What a run of `check` goes by: the rules, from which severity on a finding is shown, and from which it fails."""

    settings: CheckSettings
    show: Severity = Severity.INFO
    fail_on: Severity | None = Severity.ERROR


class Job(NamedTuple):
    """One thing to check: a store, or the registry of a data folder; `only` are the files that are meant (None: all)."""

    place: Store | DataFolder
    only: frozenset[str] | None = None


class CheckedStore(NamedTuple):
    """What was found in one store: findings in order, how many memories were looked at, and what could not be read."""

    address: str
    findings: list[Finding]
    memories: int
    errors: list[MemctlError]


class Totals(NamedTuple):
    """What a run came to. `hidden` findings are below the severity that is shown."""

    stores: int = 0
    memories: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    fixable: int = 0
    hidden: int = 0
    failing: int = 0

    def plus(self, other: Totals) -> Totals:
        """Return both together."""
        return Totals(*(one + more for one, more in zip(self, other, strict=True)))


class CheckedJob(NamedTuple):
    """What one job came to: the findings to show, what they add to the totals, and what could not be read."""

    findings: list[Finding]
    totals: Totals
    errors: list[MemctlError]


def check_one(store: Store, settings: CheckSettings) -> CheckedStore:
    """Return what the rules find in a store. Never raises: what could not be read is in `errors`."""
    subject, errors = inspect_store(store) if isinstance(store, DirectoryStore) else inspect_user(store)
    checked = check_store(subject, settings)
    return CheckedStore(store.address, checked.findings, checked.memories, errors)


def check_registry(folder: DataFolder, settings: CheckSettings) -> list[Finding]:
    """Return what is wrong with the registry of a data folder."""
    return check_folder(inspect_folder(folder), settings)


def check_job(job: Job, request: CheckRequest) -> CheckedJob:
    """Return what a job comes to. Never raises: what could not be read is in `errors`."""
    if isinstance(job.place, DataFolder):
        found, stores, memories, errors = check_registry(job.place, request.settings), 0, 0, []
    else:
        checked = check_one(job.place, request.settings)
        found, stores, memories, errors = checked.findings, 1, checked.memories, checked.errors
    if job.only is not None:
        found = [finding for finding in found if job.only.intersection((finding.file, *finding.related))]
        memories = len(job.only)
    shown = [finding for finding in found if at_least(finding.severity, request.show)]
    return CheckedJob(shown, _totals(found, stores, memories, len(found) - len(shown), request), errors)


def _totals(found: Iterable[Finding], stores: int, memories: int, hidden: int, request: CheckRequest) -> Totals:
    counts = dict.fromkeys(Severity, 0)
    fixable = failing = 0
    for finding in found:
        counts[finding.severity] += 1
        fixable += finding.fix is not None
        failing += request.fail_on is not None and at_least(finding.severity, request.fail_on)
    return Totals(stores, memories, *counts.values(), fixable, hidden, failing)
