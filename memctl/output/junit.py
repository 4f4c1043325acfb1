"""Findings as a JUnit report: a suite a store, a case a file."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from memctl.core.checks.rule import SEVERITIES, Finding, Severity, at_least
from memctl.errors import MemctlError
from memctl.output.escape import visible
from memctl.output.paths import relative

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;"})
# No XML 1.0 document can hold them, not even escaped; the others of that kind are made visible anyway.
_IMPOSSIBLE = {0xFFFE: "<U+FFFE>", 0xFFFF: "<U+FFFF>"}


class _Suite:
    """One suite: its cases, how many of them failed, and what is said besides."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.cases: list[str] = []
        self.failures = 0
        self.errors = 0
        self.output: list[str] = []

    def case(self, name: str, inside: str = "") -> None:
        """Add a case; without anything inside it passed."""
        head = f'    <testcase classname="{_text(self.name)}" name="{_text(name)}" time="0"'
        self.cases.append(f"{head}>{inside}</testcase>\n" if inside else f"{head}/>\n")


def render(
    findings: Sequence[Finding],
    errors: Sequence[MemctlError],
    fail_on: Severity | None,
    said: str,
    cwd: str,
    host: str,
    now: datetime,
) -> str:
    """Return the report of a run: its findings, what could not be read, and what is said of it; written also when empty.

    A file with a finding as bad as `fail_on` (None: nothing is) is a failed case, and the rest of what was found is in the
    output of its suite. The first suite is the run's own: a case for each error, and one that passed where there is none,
    since there are readers that take a report without cases for a failure. Valid by the schema of Ant, which has one
    failure a case and no output of one, and by that of Jenkins.
    """
    suites = [_run(errors, said)]
    stores: dict[str, list[Finding]] = {}
    for finding in findings:
        stores.setdefault(finding.store or relative(finding.path, cwd), []).append(finding)
    suites += [_suite(store, found, fail_on, cwd) for store, found in stores.items()]
    stamp = f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"
    parts = [_written(at, suite, stamp, host or "localhost") for at, suite in enumerate(suites)]
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{"".join(parts)}</testsuites>\n'


def _run(errors: Sequence[MemctlError], said: str) -> _Suite:
    suite = _Suite("memctl check")
    suite.output.append(said)
    for error in errors:
        suite.errors += 1
        suite.case(error.path or error.code, f'<error type="{error.code}" message="{_text(error.message)}"/>')
    if not errors:
        suite.case("all was read")
    return suite


def _suite(store: str, findings: Sequence[Finding], fail_on: Severity | None, cwd: str) -> _Suite:
    suite = _Suite(relative(store, cwd))
    files: dict[str, list[Finding]] = {}
    for finding in findings:
        files.setdefault(finding.path, []).append(finding)
    for path, found in files.items():
        name = relative(path, cwd)
        bad = []
        for finding in found:
            if fail_on is not None and at_least(finding.severity, fail_on):
                bad.append(finding)
            else:
                suite.output.append(_line(finding, name))
        if not bad:
            suite.case(name)
            continue
        suite.failures += 1
        worst = min((finding.severity for finding in bad), key=SEVERITIES.index)
        more = f" (and {len(bad) - 1:,} more)" if len(bad) > 1 else ""
        lines = "\n".join(_text(_line(finding, name)) for finding in bad)
        message = _text(f"{bad[0].rule} {bad[0].message}{more}")
        suite.case(name, f'<failure type="{worst}" message="{message}">{lines}</failure>')
    return suite


def _line(finding: Finding, name: str) -> str:
    numbers = "".join(f":{number}" for number in (finding.line, finding.column) if number is not None)
    return f"{name}{numbers}: {finding.severity} {finding.rule} {finding.message}"


def _written(at: int, suite: _Suite, stamp: str, host: str) -> str:
    name = _text(suite.name)
    head = (
        f'  <testsuite id="{at}" package="{name}" name="{name}" timestamp="{stamp}" hostname="{_text(host)}"'
        f' tests="{len(suite.cases)}" failures="{suite.failures}" errors="{suite.errors}" time="0">\n'
    )
    output = "\n".join(map(_text, suite.output))
    return (
        f"{head}    <properties/>\n{''.join(suite.cases)}"
        f"    <system-out>{output}</system-out>\n    <system-err/>\n  </testsuite>\n"
    )


def _text(text: str) -> str:
    """Return text that XML can hold, in an element or an attribute: control characters visible, line ends too."""
    return visible(text).translate(_IMPOSSIBLE).translate(_ESCAPES)
