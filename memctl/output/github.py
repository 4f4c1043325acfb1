"""Findings as workflow commands of GitHub Actions, which it shows as annotations at the lines."""

from __future__ import annotations

from collections.abc import Sequence

from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.table import BY_CODE
from memctl.output.escape import visible
from memctl.output.paths import relative

# GitHub drops what is over ten errors, ten warnings and ten notices of a step.
_MOST = 10
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
_NOUNS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "hint"}

# The escapes of the toolkit (@actions/core, command.ts): of what stands behind ::, and of a property.
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def commands(findings: Sequence[Finding], cwd: str) -> str:
    """Return one command a finding, errors first; of each severity as many as GitHub shows, then how many more there are.

    Paths are relative to `cwd`, which is the workspace unless a step changes it.
    """
    lines = []
    more = []
    for severity in Severity:
        these = [finding for finding in findings if finding.severity is severity]
        # The line that counts the rest is a notice as well.
        most = _MOST if severity is not Severity.INFO else _MOST - 1
        lines += [_command(finding, cwd) for finding in these[:most]]
        if len(these) > most:
            rest = len(these) - most
            more.append(f"{rest:,} more {_NOUNS[severity]}{'s' if rest > 1 else ''}")
    if more:
        lines.append(f"::notice title=memctl::and {' and '.join(more)}: the log of this step has them all")
    return "".join(f"{line}\n" for line in lines)


def guarded(text: str) -> str:
    """Return a text for the log of a step, in which no line of stored text is obeyed as a command.

    The token that ends it is made of the text itself, which therefore cannot hold it.
    """
    if not text:
        return ""
    import hashlib

    token = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    end = "" if text.endswith("\n") else "\n"
    return f"::stop-commands::{token}\n{text}{end}::{token}::\n"


def _command(finding: Finding, cwd: str) -> str:
    properties = {"file": _path(relative(finding.path, cwd))}
    if finding.line is not None:
        properties["line"] = str(finding.line)
        if finding.column is not None:
            properties["col"] = str(finding.column)
            if finding.length:
                properties["endColumn"] = str(finding.column + finding.length)
    properties["title"] = f"{finding.rule} {BY_CODE[finding.rule].slug}"
    text = ",".join(f"{key}={value.translate(_PROPERTY)}" for key, value in properties.items())
    return f"::{_LEVELS[finding.severity]} {text}::{visible(finding.message).translate(_DATA)}"


def _path(path: str) -> str:
    """Return a path that a log can show: line ends are escaped as GitHub reads them, so they stay."""
    return "\n".join("\r".join(map(visible, line.split("\r"))) for line in path.split("\n"))
