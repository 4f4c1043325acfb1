"""What `check` finds and mends, and its rules, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.core.checks.table import BY_CODE, FAMILIES, RULES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memctl.core.checks.rule import Finding
    from memctl.ops.check import Totals
    from memctl.ops.fix import Fixed


def finding(one: Finding) -> dict[str, Any]:
    """Return one of the `findings` of `check`; line and column are null where the whole file or line is meant."""
    return {
        "rule": one.rule,
        "slug": BY_CODE[one.rule].slug,
        "severity": one.severity,
        "path": one.path,
        "line": one.line,
        "column": one.column,
        "length": one.length,
        "message": one.message,
        "detail": one.detail,
        "fixable": one.fix is not None,
        "fix": {"does": one.fix.kind, "safe": one.fix.kind.safe} if one.fix else None,
        "fingerprint": one.fingerprint,
        "store": one.store,
        "file": one.file,
        "related": list(one.related),
    }


def fixed(one: Fixed) -> dict[str, Any]:
    """Return one of the `fixed` of `check --fix`."""
    return {"rule": one.rule, "slug": BY_CODE[one.rule].slug, "does": one.kind, "path": one.path, "to": one.to or None}


def whole(found: Iterable[Finding], mended: Iterable[Fixed], totals: Totals) -> dict[str, Any]:
    """Return the data of `check`."""
    parts = {"findings": [finding(one) for one in found], "fixed": [fixed(one) for one in mended]}
    return parts | checked(totals)


def to_fix(mended: Iterable[Fixed]) -> dict[str, Any]:
    """Return the data of `check --fix` where it only shows what it would mend."""
    return {"fixed": [fixed(one) for one in mended], "dry_run": True, "change": None}


def checked(totals: Totals) -> dict[str, Any]:
    """Return what stands behind the `findings` of `check`: how much was looked at, and what it came to."""
    return {
        "checked": {"stores": totals.stores, "memories": totals.memories},
        "counts": {
            "error": totals.errors,
            "warning": totals.warnings,
            "info": totals.infos,
            "fixable": totals.fixable,
            "hidden": totals.hidden,
            "allowed": totals.allowed,
            "known": totals.known,
            "removed": totals.removed,
        },
    }


def rules(on: Collection[str]) -> dict[str, Any]:
    """Return the data of `check --list-rules`; `on` are the codes of the rules that are on."""
    return {
        "rules": [
            {
                "rule": rule.code,
                "slug": rule.slug,
                "family": FAMILIES[rule.code[0]],
                "severity": rule.severity,
                "on": rule.code in on,
                "summary": rule.summary,
            }
            for rule in RULES
        ]
    }
