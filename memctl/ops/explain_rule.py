"""What a rule of `check` says: why, an example, what mends it, and what the settings make of it."""

from __future__ import annotations

from typing import NamedTuple

from memctl.core.checks.rule import Rule, Severity
from memctl.core.checks.subject import CheckSettings
from memctl.core.checks.table import BY_CODE, BY_SLUG
from memctl.core.nearest import nearest
from memctl.errors import MemctlError, NotFound

_HINT = "memctl check --list-rules shows the rules"

# The keys of the table `check` that change what a rule finds, beside those that all rules have.
_KEYS = {
    "H002": "near: from which likeness on, from 0 to 1, two are near duplicates (0.9)",
    "H004": "stale_days: after how many days without an update a memory is stale (180)",
    "S001": "salt: keys the fingerprints of secrets, so that one can be allowed",
    "S002": "salt: keys the fingerprints of secrets, so that one can be allowed",
    "S003": "salt: keys the fingerprints of secrets, so that one can be allowed",
}
_OPTIONS = {"C001": "--max-removed N: so many memories may be gone"}


class ExplainedRule(NamedTuple):
    """A rule, whether it is on here, how bad a breach is here, and the settings that change what it finds."""

    rule: Rule
    on: bool
    severity: Severity
    settings: tuple[str, ...]


def find_rule(word: str) -> Rule | None:
    """Return the rule of a code or a slug, case ignored; None for another word."""
    return BY_CODE.get(word.upper()) or BY_SLUG.get(word.lower())


def settings_of(rule: Rule) -> tuple[str, ...]:
    """Return what changes the findings of a rule: keys of the table `check`, and options of the command."""
    return tuple(text for text in (_KEYS.get(rule.code), _OPTIONS.get(rule.code)) if text)


def explain_rule(rule: Rule, settings: CheckSettings) -> ExplainedRule:
    """Return what is to say of a rule, as the settings have it."""
    given = dict(settings.severities).get(rule.code, rule.severity)
    return ExplainedRule(rule, rule.code in settings.enabled, Severity(given), settings_of(rule))


def unknown(word: str, error: MemctlError) -> NotFound:
    """Return what to say of a word that is neither a rule nor an exit code, `error` being why it is no agent either."""
    near = nearest(word, [*BY_CODE, *BY_SLUG])
    hint = f"did you mean '{near}'?" if near else f"{_HINT}; {error.hint}" if error.hint else _HINT
    return NotFound(f"no rule, exit code or agent '{word}'", hint=hint)
