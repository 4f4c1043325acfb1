from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from memctl.core.checks.rule import Fix, FixKind, Severity
from memctl.core.checks.table import RULES
from memctl.errors import IoFailure, NotFound
from memctl.output import sarif
from memctl.output.paths import uri
from tests.output.found import CWD, HOSTILE, STORE, finding

SCHEMA = Path(__file__).parents[1] / "vectors/sarif/sarif-schema-2.1.0.json"


@cache
def judge() -> jsonschema.Draft4Validator:
    return jsonschema.Draft4Validator(json.loads(SCHEMA.read_text("utf-8")))


def log(*findings: Any, errors: Any = ()) -> dict[str, Any]:
    """Return the one run of a log, which is valid by the schema."""
    text = sarif.render(findings, errors, CWD, "1.2.3")
    text.encode()
    whole = json.loads(text)
    judge().validate(whole)
    (run,) = whole["runs"]
    return run


def place(run: dict[str, Any]) -> dict[str, Any]:
    return run["results"][0]["locations"][0]["physicalLocation"]


def test_the_judge_is_the_schema_and_not_a_rubber_stamp() -> None:
    with pytest.raises(jsonschema.ValidationError):
        judge().validate({"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]})


def test_a_log_is_written_when_nothing_was_found() -> None:
    run = log()
    assert run["results"] == []
    assert run["invocations"] == [{"executionSuccessful": True}]


def test_the_rules_of_the_table_are_those_of_the_driver() -> None:
    rules = log()["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in RULES]
    first = rules[0]
    assert first["name"] == "NoFrontMatter"
    assert first["shortDescription"] == {"text": "A memory's file without front matter."}
    assert first["defaultConfiguration"] == {"enabled": True, "level": "error"}
    assert first["properties"] == {"slug": "no-front-matter", "tags": ["Not loaded"]}
    assert RULES[0].mend in first["help"]["text"]


def test_what_is_off_by_default_is_said_to_be() -> None:
    rules = {rule["id"]: rule for rule in log()["tool"]["driver"]["rules"]}
    assert rules["H001"]["defaultConfiguration"]["enabled"] is False
    assert rules["C001"]["defaultConfiguration"]["enabled"] is True


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_a_result_points_to_its_rule(rule: Any) -> None:
    run = log(finding(rule=rule.code))
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == rule.code


@pytest.mark.parametrize(
    ("severity", "level"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "note")]
)
def test_the_level_is_that_of_the_finding(severity: Severity, level: str) -> None:
    assert log(finding(severity=severity))["results"][0]["level"] == level


def test_a_result_has_its_place_in_characters() -> None:
    run = log(finding(line=2, column=7, length=6))
    assert run["columnKind"] == "unicodeCodePoints"
    assert place(run) == {
        "artifactLocation": {"uri": "memory/1a2b3c4d/deploy.md", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 2, "startColumn": 7, "endColumn": 13},
    }


@pytest.mark.parametrize(
    ("more", "region"),
    [
        ({}, {"startLine": 1}),
        ({"line": 4}, {"startLine": 4}),
        ({"line": 4, "column": 2}, {"startLine": 4, "startColumn": 2}),
        ({"store": "", "file": "", "path": "/code/repo/agents.json"}, {"startLine": 1}),
        ({"file": "", "path": STORE}, None),
    ],
)
def test_a_file_has_a_line_and_a_directory_has_none(more: dict[str, object], region: object) -> None:
    assert place(log(finding(**more))).get("region") == region


def test_what_is_not_below_the_directory_has_an_absolute_uri() -> None:
    run = log(finding(path="/elsewhere/a b.md"))
    assert place(run)["artifactLocation"] == {"uri": "file:///elsewhere/a%20b.md"}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_uri_is_the_bytes_of_the_name(name: str) -> None:
    text = place(log(finding(name, message=f"'{name}' is odd", related=(name,))))["artifactLocation"]["uri"]
    assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", text)
    assert unquote_to_bytes(text) == f"memory/1a2b3c4d/{name}".encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("name", HOSTILE)
def test_no_message_has_a_control_character(name: str) -> None:
    message = log(finding(message=f"'{name}'"))["results"][0]["message"]["text"]
    assert message.isprintable() or "🎉" in message


def test_half_a_surrogate_pair_is_no_reason_to_fail() -> None:
    assert uri("/a/\ud800", "/a") == ("%3F", True)
    log(finding(message="half of \ud83d"))


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("see [here](https://evil.example)", "see \\[here\\](https://evil.example)"),
        ("back\\slash [x](1)", "back\\\\slash \\[x\\](1)"),
        ("the description '[todo]'", "the description '[todo]'"),
        ("it says {0}", "it says {{0}}"),
        ("it says {name}", "it says {name}"),
    ],
)
def test_quoted_text_is_neither_link_nor_placeholder(message: str, text: str) -> None:
    assert log(finding(message=message))["results"][0]["message"] == {"text": text}


def test_a_result_has_its_fingerprint_and_says_whether_it_can_be_fixed() -> None:
    (result,) = log(finding(fix=Fix(FixKind.BOM, "deploy.md")))["results"]
    assert result["partialFingerprints"] == {"memctl/v1": "0123456789abcdef"}
    assert result["properties"] == {"store": "1a2b3c4d", "fixable": True}


@pytest.mark.parametrize("file", ["deploy.md", ""])
def test_other_files_that_take_part_are_related_locations(file: str) -> None:
    (result,) = log(finding(file, related=("a.md", "b.md")))["results"]
    found = [place["physicalLocation"]["artifactLocation"]["uri"] for place in result["relatedLocations"]]
    assert found == ["memory/1a2b3c4d/a.md", "memory/1a2b3c4d/b.md"]


def test_what_could_not_be_read_is_a_notification() -> None:
    path = f"{STORE}/a.md"
    run = log(errors=[IoFailure(f"cannot read '{path}': denied", path=path), NotFound("no agent 'x'")])
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    first, second = invocation["toolExecutionNotifications"]
    assert first["descriptor"] == {"id": "io"}
    assert first["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "memory/1a2b3c4d/a.md"
    assert second == {"level": "error", "message": {"text": "no agent 'x'"}, "descriptor": {"id": "not-found"}}


def test_neither_evidence_nor_the_line_is_written() -> None:
    one = finding(evidence="xyzzy 1", excerpt="xyzzy 2", detail="xyzzy 3")
    text = sarif.render([one], [], CWD, "1.2.3")
    assert "xyzzy" not in text
