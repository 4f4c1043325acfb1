"""What options and settings make of a run of `check`: which rules are on, what is shown, and what makes it fail."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.core.checks import selection
from memctl.core.checks.allows import is_fingerprint
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.selection import Layer, PathIgnore
from memctl.core.checks.subject import CheckSettings
from memctl.disk.project import CheckTable
from memctl.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from memctl.core.checks.baseline import Entry
    from memctl.core.policy import MaxRemoved
    from memctl.disk.states import State

NEVER = "never"


class Asked(NamedTuple):
    """What the options of a run say; None leaves it to the settings."""

    select: Sequence[str] | None = None
    ignore: Sequence[str] = ()
    severity: Severity | None = None
    fail_on: str | None = None
    unused: bool = False
    baseline: KnownFindings | None = None
    against: Comparison | None = None


class KnownFindings(NamedTuple):
    """The baseline of a run: what keys the fingerprints of secrets, its folder, and its entries by place.

    With `every` all that is found counts as known: it is about to be written.
    """

    key: bytes
    folder: str
    entries: Mapping[str, Sequence[Entry]]
    every: bool = False


class Comparison(NamedTuple):
    """The other state that stores are compared with, and how many memories may be gone since (None: none)."""

    state: State
    bound: MaxRemoved | None = None


class CheckRequest(NamedTuple):
    """What one place is checked by.

    Findings below `show` are counted and not shown; those from `fail_on` on make the run fail (None: none do). `allow`
    are fingerprints that the settings let pass, `inline` says whether comments in files do; with `unused` those that
    match nothing are told. `across` is what was found in the store by comparing it with others.
    """

    settings: CheckSettings
    show: Severity = Severity.INFO
    fail_on: Severity | None = Severity.ERROR
    path_ignores: tuple[PathIgnore, ...] = ()
    allow: tuple[str, ...] = ()
    inline: bool = True
    unused: bool = False
    baseline: KnownFindings | None = None
    against: Comparison | None = None
    across: tuple[Finding, ...] = ()


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
            selection.reads_secrets([*layers, options]),
        ),
        asked.severity or Severity(values.get("severity", Severity.INFO)),
        None if fail_on == NEVER else Severity(fail_on),
        tuple(ignores),
        tuple(word for table in tables for word in table.values.get("allow", ())),
        values.get("inline_allow", True),
        asked.unused,
        asked.baseline,
        asked.against,
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
