"""Findings as a JUnit report: a suite a store, a case a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from memctl.core.checks.rule import Finding, Severity, at_least
from memctl.errors import MemctlError
from memctl.output.escape import visible
from memctl.output.location import shown

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;"})
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
    stores: Iterable[tuple[str, Sequence[Finding]]],
    errors: Sequence[MemctlError],
    fail_on: Severity,
    cwd: str,
    host: str,
    now: datetime,
) -> str:
    """Return the report of some stores (path, findings) and of what could not be read; written also when empty.

    A file whose findings are as bad as `fail_on` is a failed case, and the rest of what was found is in the output of the
    suite. A store without findings is one case that passed, since there are readers that take no cases for a failure.
    Valid by the schema of Ant, which has a failure a case at most and no output of one, and by that of Jenkins.
    """
    suites = [_suite(path, findings, fail_on, cwd) for path, findings in stores]
    if errors:
        suites.append(_failed(errors))
    stamp = f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"
    parts = [_written(at, suite, stamp, _text(host or "localhost")) for at, suite in enumerate(suites)]
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n{"".join(parts)}</testsuites>\n'


def _suite(path: str, findings: Sequence[Finding], fail_on: Severity, cwd: str) -> _Suite:
    suite = _Suite(shown(path, cwd))
    files: dict[str, list[Finding]] = {}
    for finding in findings:
        files.setdefault(finding.path, []).append(finding)
    if not files:
        suite.case(shown(path, cwd))
    for file, these in files.items():
        name = shown(file, cwd)
        bad = [finding for finding in these if at_least(finding.severity, fail_on)]
        suite.output += [_line(finding, name) for finding in these if finding not in bad]
        if not bad:
            suite.case(name)
            continue
        suite.failures += 1
        more = f" (and {len(bad) - 1:,} more)" if len(bad) > 1 else ""
        worst = min((finding.severity for finding in bad), key=[*Severity].index)
        message = f"{bad[0].rule} {bad[0].message}{more}"
        lines = "\n".join(_text(_line(finding, name)) for finding in bad)
        suite.case(name, f'<failure type="{worst}" message="{_text(message)}">{lines}</failure>')
    return suite


def _failed(errors: Sequence[MemctlError]) -> _Suite:
    suite = _Suite("memctl")
    for error in errors:
        suite.errors += 1
        suite.case(error.path or error.code, f'<error type="{error.code}" message="{_text(error.message)}"/>')
    return suite


def _line(finding: Finding, name: str) -> str:
    place = name
    if finding.line is not None:
        place += f":{finding.line}" + (f":{finding.column}" if finding.column is not None else "")
    return f"{place}: {finding.severity} {finding.rule} {finding.message}"


def _written(at: int, suite: _Suite, stamp: str, host: str) -> str:
    name = _text(suite.name)
    head = (
        f'  <testsuite id="{at}" package="{name}" name="{name}" timestamp="{stamp}" hostname="{host}"'
        f' tests="{len(suite.cases)}" failures="{suite.failures}" errors="{suite.errors}" time="0">\n'
    )
    output = "\n".join(map(_text, suite.output))
    return (
        f"{head}    <properties/>\n{''.join(suite.cases)}"
        f"    <system-out>{output}</system-out>\n    <system-err/>\n  </testsuite>\n"
    )


def _text(text: str) -> str:
    """Return text that XML can hold, in an element or an attribute."""
    return visible(text).translate(_IMPOSSIBLE).translate(_ESCAPES)
