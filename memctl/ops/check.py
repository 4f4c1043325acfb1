"""The verb `check`: what the rules find in a store, and what of it is shown, let pass, or makes the run fail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from memctl.core.checks import selection
from memctl.core.checks.allows import allows, is_fingerprint, without_allowed
from memctl.core.checks.engine import Checked, check_folder, check_store
from memctl.core.checks.rule import Finding, Severity, at_least
from memctl.core.checks.selection import Layer, PathIgnore
from memctl.core.checks.subject import CheckSettings, Subject
from memctl.disk.checkable import Aim
from memctl.disk.inspect import inspect_folder, inspect_store, inspect_user
from memctl.disk.locate import Store
from memctl.disk.project import CheckTable
from memctl.disk.stores import DataFolder, DirectoryStore
from memctl.errors import ConfigError, MemctlError, UsageError

NEVER = "never"


class Asked(NamedTuple):
    """What the options of a run say; None leaves it to the settings."""

    select: Sequence[str] | None = None
    ignore: Sequence[str] = ()
    severity: Severity | None = None
    fail_on: str | None = None
    unused: bool = False


class CheckRequest(NamedTuple):
    """What one place is checked by.

    Findings below `show` are counted and not shown; those from `fail_on` on make the run fail (None: none do). `allow`
    are fingerprints that the settings let pass, `inline` says whether comments in files do; with `unused` those that
    match nothing are told.
    """

    settings: CheckSettings
    show: Severity = Severity.INFO
    fail_on: Severity | None = Severity.ERROR
    path_ignores: tuple[PathIgnore, ...] = ()
    allow: tuple[str, ...] = ()
    inline: bool = True
    unused: bool = False


class CheckedStore(NamedTuple):
    """What was found in one store: findings in order, how many memories were looked at, and what could not be read."""

    address: str
    findings: list[Finding]
    memories: int
    errors: list[MemctlError]


class Totals(NamedTuple):
    """What a run came to. `hidden` findings are below the severity that is shown, `allowed` ones were let pass."""

    stores: int = 0
    memories: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    fixable: int = 0
    hidden: int = 0
    allowed: int = 0
    failing: int = 0

    def plus(self, other: Totals) -> Totals:
        """Return both together."""
        return Totals(*(one + more for one, more in zip(self, other, strict=True)))


class CheckedPlace(NamedTuple):
    """What one place came to: the findings to show, what it adds to the totals, what could not be read.

    `used` are the fingerprints of the settings that let something pass; `unused` are sentences on comments that do not.
    """

    findings: list[Finding]
    totals: Totals
    errors: list[MemctlError]
    used: frozenset[str] = frozenset()
    unused: tuple[str, ...] = ()


def make_request(asked: Asked, tables: Sequence[CheckTable], today: date) -> CheckRequest:
    """Return what a place is checked by: options before the tables, and of these the later ones before the others.

    Raises UsageError for a word of the options that means no rule, ConfigError for one of a table, and where no rule is
    left.
    """
    values: dict[str, Any] = {key: value for table in tables for key, value in table.values.items()}
    layers = [_layer(table) for table in tables]
    options = Layer(list(selection.split_words(asked.select)) if asked.select is not None else None, asked.ignore)
    on = selection.enabled([*layers, options])
    if not on:
        raise UsageError("no rule is left to check by", hint="memctl check --list-rules shows which are on")
    severities: tuple[tuple[str, str], ...] = ()
    ignores: list[PathIgnore] = []
    for table in tables:
        with_words = table.values.get("severities", {})
        _check_words(table, "severities", with_words)
        severities += selection.severities(with_words)
        for pattern, words in table.values.get("per_path_ignores", {}).items():
            _check_words(table, f"per_path_ignores.{pattern}", words)
            codes = frozenset().union(*(selection.selected(word).codes for word in selection.split_words(words)))
            ignores.append(PathIgnore(pattern, codes, table.path.rpartition("/")[0]))
        for word in table.values.get("allow", ()):
            if not is_fingerprint(word):
                message = f"'{word}' in '{table.name}.allow' of '{table.path}' is no fingerprint"
                raise ConfigError(message, path=table.path, hint="memctl check -v shows those of findings")
    salt = values.get("salt")
    fail_on = asked.fail_on or values.get("fail_on", Severity.ERROR)
    return CheckRequest(
        CheckSettings(
            today,
            on,
            salt.encode() if salt else None,
            tuple(dict(severities).items()),
            values.get("stale_days", 180),
            values.get("near", 0.9),
        ),
        asked.severity or Severity(values.get("severity", Severity.INFO)),
        None if fail_on == NEVER else Severity(fail_on),
        tuple(ignores),
        tuple(word for table in tables for word in table.values.get("allow", ())),
        values.get("inline_allow", True),
        asked.unused,
    )


def _layer(table: CheckTable) -> Layer:
    select, ignore = table.values.get("select"), table.values.get("ignore", ())
    _check_words(table, "select", select or ())
    _check_words(table, "ignore", ignore)
    return Layer(select, ignore)


def _check_words(table: CheckTable, key: str, words: Iterable[str]) -> None:
    for word in selection.split_words(words):
        try:
            selection.selected(word)
        except UsageError as error:
            message = f"{error.message} in '{table.name}.{key}' of '{table.path}'"
            raise ConfigError(message, path=table.path, hint=error.hint) from None


def check_one(store: Store, settings: CheckSettings) -> CheckedStore:
    """Return what the rules find in a store. Never raises: what could not be read is in `errors`."""
    _, checked, errors = _inspected(store, settings)
    return CheckedStore(store.address, checked.findings, checked.memories, errors)


def _inspected(store: Store, settings: CheckSettings) -> tuple[Subject, Checked, list[MemctlError]]:
    subject, errors = inspect_store(store) if isinstance(store, DirectoryStore) else inspect_user(store)
    return subject, check_store(subject, settings), errors


def check_registry(folder: DataFolder, settings: CheckSettings) -> list[Finding]:
    """Return what is wrong with the registry of a data folder."""
    return check_folder(inspect_folder(folder), settings)


def check_place(aim: Aim, request: CheckRequest) -> CheckedPlace:
    """Return what one place comes to. Never raises: what could not be read is in `errors`."""
    if isinstance(aim.place, DataFolder):
        return _settled(aim, check_registry(aim.place, request.settings), Totals(), [], {}, request)
    subject, checked, errors = _inspected(aim.place, request.settings)
    found, memories = checked.findings, checked.memories
    if aim.only is not None:
        found = [finding for finding in found if aim.only.intersection((finding.file, *finding.related))]
        memories = sum(item.record is not None and item.name in aim.only for item in subject.items)
    texts = {item.name: item.text for item in subject.items} if found or request.unused else {}
    return _settled(aim, found, Totals(1, memories), errors, texts, request)


def _settled(
    aim: Aim,
    found: list[Finding],
    totals: Totals,
    errors: list[MemctlError],
    texts: Mapping[str, str | None],
    request: CheckRequest,
) -> CheckedPlace:
    """Return what is left of findings when ignores, allows and the severity to show are done."""
    if request.path_ignores:
        found = [one for one in found if not selection.ignored(one.rule, _names(aim, one), request.path_ignores)]
    passed = without_allowed(found, request.allow, texts.get if request.inline else None)
    unused: list[str] = []
    if request.unused and request.inline:
        for name, text in texts.items():
            if text and "memctl: allow" in text and (aim.only is None or name in aim.only):
                unused += [
                    f"{name}:{allow.line}:{allow.column}: nothing has the fingerprint '{allow.fingerprint}' any more"
                    for allow in allows(text)
                    if allow.fingerprint not in passed.used
                ]
    shown = [finding for finding in passed.kept if at_least(finding.severity, request.show)]
    counts = dict.fromkeys(Severity, 0)
    fixable = failing = 0
    for finding in passed.kept:
        counts[finding.severity] += 1
        fixable += finding.fix is not None
        failing += request.fail_on is not None and at_least(finding.severity, request.fail_on)
    totals = Totals(
        totals.stores,
        totals.memories,
        counts[Severity.ERROR],
        counts[Severity.WARNING],
        counts[Severity.INFO],
        fixable,
        len(passed.kept) - len(shown),
        passed.total,
        failing,
    )
    return CheckedPlace(shown, totals, errors, passed.used, tuple(unused))


def _names(aim: Aim, finding: Finding) -> list[str]:
    """Return what a pattern of the settings can call the file of a finding."""
    names = [finding.path, finding.path.rpartition("/")[2]]
    if isinstance(aim.place, DirectoryStore):
        names += [f"{aim.place.address}/{finding.file}", f"{aim.place.name}/{finding.file}"]
    elif not isinstance(aim.place, DataFolder):
        names.append(aim.place.address)
    return names
