"""Findings as SARIF 2.1.0, the format of code scanning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from memctl.core.checks.rule import Finding, Rule, Severity
from memctl.core.checks.table import FAMILIES, RULES
from memctl.errors import MemctlError
from memctl.output.escape import visible
from memctl.output.paths import uri

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "%SRCROOT%"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_INDEX = {rule.code: at for at, rule in enumerate(RULES)}
# What a viewer of plain text messages takes for more than text (SARIF 3.11.5 and 3.11.6).
_PLACEHOLDER = re.compile(r"\{\d+\}")


def render(findings: Sequence[Finding], errors: Sequence[MemctlError], cwd: str, version: str) -> str:
    """Return the log of one run: all rules, a result a finding, what could not be read; written also when empty.

    URIs are relative to `cwd`, and absolute for what is not below it. No text of a memory takes part but what a message
    quotes, in which secrets are blotted out.
    """
    import json

    driver = {
        "name": "memctl",
        "semanticVersion": version,
        "rules": [_rule(rule) for rule in RULES],
    }
    invocation: dict[str, Any] = {"executionSuccessful": not errors}
    if errors:
        invocation["toolExecutionNotifications"] = [_notification(error, cwd) for error in errors]
    run = {
        "tool": {"driver": driver},
        "invocations": [invocation],
        "originalUriBaseIds": {_ROOT: {"description": {"text": "The directory in which memctl ran."}}},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, cwd) for finding in findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    summary = f"{rule.summary[0].upper()}{rule.summary[1:]}."
    help_text = f"{rule.why}\n\nExample:\n\n{rule.example}\n\n{rule.mend}"
    example = "\n".join(f"    {line}" for line in rule.example.split("\n"))
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.slug.split("-")),
        "shortDescription": {"text": summary},
        "fullDescription": {"text": rule.why},
        "help": {"text": help_text, "markdown": f"{rule.why}\n\nExample:\n\n{example}\n\n{rule.mend}"},
        "defaultConfiguration": {"enabled": not rule.hygiene, "level": _LEVELS[rule.severity]},
        "properties": {"slug": rule.slug, "tags": [FAMILIES[rule.code[0]]]},
    }


def _result(finding: Finding, cwd: str) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(finding.path, cwd)}
    # Code scanning wants a line of each file; a directory has none.
    if finding.line is not None or finding.file or not finding.store:
        location["region"] = _region(finding)
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": _INDEX[finding.rule],
        "level": _LEVELS[finding.severity],
        "message": {"text": _plain(finding.message)},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"memctl/v1": finding.fingerprint},
        "properties": {"store": visible(finding.store), "fixable": finding.fix is not None},
    }
    if finding.related:
        folder = finding.path.rpartition("/")[0] if finding.file else finding.path
        result["relatedLocations"] = [
            {"id": at, "physicalLocation": {"artifactLocation": _artifact(f"{folder}/{name}", cwd)}}
            for at, name in enumerate(finding.related, 1)
        ]
    return result


def _region(finding: Finding) -> dict[str, int]:
    region = {"startLine": finding.line or 1}
    if finding.line is not None and finding.column is not None:
        region["startColumn"] = finding.column
        if finding.length:
            region["endColumn"] = finding.column + finding.length
    return region


def _artifact(path: str, cwd: str) -> dict[str, str]:
    text, relative = uri(path, cwd)
    return {"uri": text, "uriBaseId": _ROOT} if relative else {"uri": text}


def _notification(error: MemctlError, cwd: str) -> dict[str, Any]:
    notification: dict[str, Any] = {
        "level": "error",
        "message": {"text": _plain(error.message)},
        "descriptor": {"id": error.code},
    }
    if error.path and error.path.startswith("/"):
        notification["locations"] = [{"physicalLocation": {"artifactLocation": _artifact(error.path, cwd)}}]
    return notification


def _plain(text: str) -> str:
    """Return a message in which no quoted text is a link or a placeholder; other brackets and braces stay as they are."""
    text = visible(text)
    if "](" in text:
        text = text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    if _PLACEHOLDER.search(text):
        text = text.replace("{", "{{").replace("}", "}}")
    return text
