"""What `explain` tells as plain text: a word for each thing, and what is to say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.core.checks.table import FAMILIES
from memctl.ops.explain_code import ExplainedCode
from memctl.ops.explain_rule import ExplainedRule
from memctl.output.escape import field

if TYPE_CHECKING:
    from memctl.ops.explain_memory import ExplainedMemory
    from memctl.ops.explain_user import Explained

    Told = Explained | ExplainedRule | ExplainedCode | ExplainedMemory


def explained(told: Told) -> str:
    """Return the rows of `explain`: a word for each thing that decides, and what it says; the verdict last."""
    return "".join(f"{key}\t{field(text)}\n" for key, text in explained_fields(told))


def explained_fields(told: Told) -> list[tuple[str, str]]:
    """Return each thing that is to say with its word; where something decides, the verdict last."""
    if isinstance(told, ExplainedRule):
        return _rule_fields(told)
    if isinstance(told, ExplainedCode):
        fields = [("exit code", str(int(told.code))), ("meaning", told.meaning), ("when", told.when)]
        return [*fields, ("mend", told.mend)]
    return [*((step.key, step.text) for step in told.steps), ("verdict", told.verdict)]


def _rule_fields(told: ExplainedRule) -> list[tuple[str, str]]:
    rule = told.rule
    severity = told.severity if told.severity is rule.severity else f"{told.severity} (by default {rule.severity})"
    if told.on:
        state = "yes"
    else:
        state = f"no: --select {rule.code} selects it" if rule.hygiene else "no: the settings leave it out"
    return [
        ("rule", f"{rule.code} {rule.slug}"),
        ("family", FAMILIES[rule.code[0]]),
        ("severity", severity),
        ("on", state),
        ("reports", rule.summary),
        ("why", rule.why),
        ("example", rule.example),
        ("mend", rule.mend),
        *(("setting", text) for text in told.settings),
    ]
