"""The keys of JSON are a contract: they are only ever added to."""

from __future__ import annotations

from memctl.core.checks.table import RULES
from memctl.ops.check import Totals
from memctl.output import json_check
from tests.output.found import finding


def test_a_finding() -> None:
    assert list(json_check.finding(finding())) == [
        "rule", "slug", "severity", "path", "line", "column", "length", "message", "detail", "fixable", "fix",
        "fingerprint", "store", "file", "related",
    ]  # fmt: skip


def test_a_run() -> None:
    value = json_check.whole([finding()], [], Totals(2, 3, errors=1, removed=4))
    assert list(value) == ["findings", "fixed", "checked", "counts"]
    assert (value["fixed"], value["checked"]) == ([], {"stores": 2, "memories": 3})
    assert value["counts"] == {
        "error": 1, "warning": 0, "info": 0, "fixable": 0, "hidden": 0, "allowed": 0, "known": 0, "removed": 4,
    }  # fmt: skip


def test_what_would_be_mended() -> None:
    assert json_check.to_fix([]) == {"fixed": [], "dry_run": True, "change": None}


def test_the_rules() -> None:
    [first, *others] = json_check.rules({RULES[0].code})["rules"]
    assert list(first) == ["rule", "slug", "family", "severity", "on", "summary"]
    assert (first["on"], {one["on"] for one in others}) == (True, {False})
