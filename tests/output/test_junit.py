from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from memctl.core.checks.rule import Finding, Severity
from memctl.errors import IoFailure, NotFound
from memctl.output import junit
from tests.output.found import CWD, HOSTILE, finding

FOLDER = Path(__file__).parents[1] / "vectors/junit"
NOW = datetime(2026, 9, 15, 12, 30, 1, 999, UTC)


@cache
def judges() -> list[etree.XMLSchema]:
    return [etree.XMLSchema(etree.parse(FOLDER / name)) for name in ("windyroad-junit.xsd", "jenkins-junit-10.xsd")]


def report(*findings: Finding, errors: Any = (), fail_on: Severity | None = Severity.ERROR) -> etree._Element:
    """Return the root of a report, which is valid by both schemas."""
    text = junit.render(findings, errors, fail_on, "3 memories in 1 store checked", CWD, "host", NOW)
    root = etree.fromstring(text.encode())
    for schema in judges():
        schema.assertValid(root)
    return root


def test_the_judges_are_no_rubber_stamps() -> None:
    bad = etree.fromstring("<testsuites><testsuite/></testsuites>")
    assert [schema.validate(bad) for schema in judges()] == [False, False]


def test_a_report_is_written_when_nothing_was_found_and_has_a_case_that_passed() -> None:
    (suite,) = report()
    assert dict(suite.attrib) == {
        "id": "0",
        "package": "memctl check",
        "name": "memctl check",
        "timestamp": "2026-09-15T12:30:01",
        "hostname": "host",
        "tests": "1",
        "failures": "0",
        "errors": "0",
        "time": "0",
    }
    assert [case.get("name") for case in suite.iter("testcase")] == ["all was read"]
    assert suite.findtext("system-out") == "3 memories in 1 store checked"


def test_a_file_with_a_finding_that_fails_is_a_failed_case() -> None:
    bad = finding(severity=Severity.ERROR, line=2, column=7)
    _, suite = report(bad, bad._replace(line=None, column=None, message="another"))
    assert (suite.get("name"), suite.get("tests"), suite.get("failures")) == ("1a2b3c4d", "1", "1")
    (case,) = suite.iter("testcase")
    assert (case.get("classname"), case.get("name")) == ("1a2b3c4d", "memory/1a2b3c4d/deploy.md")
    failure = case.find("failure")
    assert failure is not None
    assert failure.get("type") == "error"
    assert failure.get("message") == "F001 the name is not that of the file (and 1 more)"
    assert failure.text == (
        "memory/1a2b3c4d/deploy.md:2:7: error F001 the name is not that of the file\n"
        "memory/1a2b3c4d/deploy.md: error F001 another"
    )


def test_what_does_not_fail_is_in_the_output_of_the_suite() -> None:
    _, suite = report(finding(), finding(severity=Severity.ERROR, message="bad"), finding("other.md"))
    assert [(case.get("name"), len(case)) for case in suite.iter("testcase")] == [
        ("memory/1a2b3c4d/deploy.md", 1),
        ("memory/1a2b3c4d/other.md", 0),
    ]
    assert suite.findtext("system-out") == (
        "memory/1a2b3c4d/deploy.md: warning F001 the name is not that of the file\n"
        "memory/1a2b3c4d/other.md: warning F001 the name is not that of the file"
    )


@pytest.mark.parametrize(
    ("fail_on", "failures"), [(Severity.ERROR, 1), (Severity.WARNING, 2), (Severity.INFO, 3), (None, 0)]
)
def test_what_fails_is_what_the_run_fails_on(fail_on: Severity | None, failures: int) -> None:
    found = [finding(f"{severity}.md", severity=severity) for severity in Severity]
    _, suite = report(*found, fail_on=fail_on)
    assert suite.get("failures") == str(failures)


def test_the_type_of_a_failure_is_the_worst_severity_of_the_file() -> None:
    _, suite = report(finding(), finding(severity=Severity.ERROR), fail_on=Severity.WARNING)
    assert [failure.get("type") for failure in suite.iter("failure")] == ["error"]


def test_each_store_has_its_suite_and_a_registry_too() -> None:
    found = [finding(), finding(store="other"), finding("", store="", path=f"{CWD}/agents.json", rule="R004")]
    assert [(suite.get("id"), suite.get("name")) for suite in report(*found)] == [
        ("0", "memctl check"),
        ("1", "1a2b3c4d"),
        ("2", "other"),
        ("3", "agents.json"),
    ]


def test_what_could_not_be_read_is_a_case_in_error() -> None:
    (suite,) = report(errors=[IoFailure("cannot read '/a': denied", path="/a"), NotFound("no agent 'x'")])
    assert (suite.get("tests"), suite.get("errors")) == ("2", "2")
    assert [(case.get("name"), case[0].get("type"), case[0].get("message")) for case in suite.iter("testcase")] == [
        ("/a", "io", "cannot read '/a': denied"),
        ("not-found", "not-found", "no agent 'x'"),
    ]


@pytest.mark.parametrize("name", [*HOSTILE, "\x00\x08\x0b\ufffe\uffff", "\ud83d"])
def test_no_name_and_no_message_makes_the_report_unreadable(name: str) -> None:
    bad = finding(name, message=f"'{name}' is odd", severity=Severity.ERROR, store=name)
    report(bad, finding(name, message=name), errors=[NotFound(name, path=name)])


def test_the_same_run_gives_the_same_bytes() -> None:
    assert etree.tostring(report(finding())) == etree.tostring(report(finding()))
