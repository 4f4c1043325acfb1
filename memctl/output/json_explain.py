"""What `explain` tells as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.core.checks.table import FAMILIES
from memctl.ops.explain_code import ExplainedCode
from memctl.ops.explain_memory import ExplainedMemory
from memctl.ops.explain_rule import ExplainedRule
from memctl.output.json_check import finding

if TYPE_CHECKING:
    from memctl.ops.explain_user import Explained
    from memctl.output.plain_explain import Told


def explained(told: Told) -> dict[str, Any]:
    """Return the data of `explain`."""
    if isinstance(told, ExplainedRule):
        return _rule(told)
    if isinstance(told, ExplainedCode):
        return _code(told)
    return _memory(told) if isinstance(told, ExplainedMemory) else _user(told)


def _user(told: Explained) -> dict[str, Any]:
    return {
        "address": "@user",
        "path": told.path,
        "exists": told.exists,
        "bytes": told.size,
        "utf8": told.utf8,
        "enabled": told.enabled,
        "cut": {"bytes": told.cut_bytes, "notes": told.cut_notes},
        "misplaced": list(told.misplaced),
        "newer": told.newer,
        "loaded": told.loaded,
        "steps": [{"key": step.key, "text": step.text} for step in told.steps],
        "verdict": told.verdict,
    }


def _rule(told: ExplainedRule) -> dict[str, Any]:
    rule = told.rule
    return {
        "rule": rule.code,
        "slug": rule.slug,
        "family": FAMILIES[rule.code[0]],
        "severity": told.severity,  # what the settings make of it
        "default_severity": rule.severity,
        "on": told.on,
        "summary": rule.summary,
        "why": rule.why,
        "example": rule.example,
        "mend": rule.mend,
        "settings": list(told.settings),
    }


def _code(told: ExplainedCode) -> dict[str, Any]:
    return {"exit_code": int(told.code), "meaning": told.meaning, "when": told.when, "mend": told.mend}


def _memory(told: ExplainedMemory) -> dict[str, Any]:
    place = told.place  # None for a file that is not loaded
    return {
        "address": told.address,
        "path": told.path,
        "loaded": told.reason is None,
        "reason": told.reason,
        "automatic_memory": told.store.automatic_memory,
        "index": place and {"entry": place.line, "listed": place.listed, "omitted": place.omitted},
        "recall": None if place is None else {"words": list(told.words), "ahead": told.ahead},
        "findings": [finding(one) for one in told.findings],
        "steps": [{"key": step.key, "text": step.text} for step in told.steps],
        "verdict": told.verdict,
    }
