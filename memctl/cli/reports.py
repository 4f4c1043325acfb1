"""The formats of `check`: how findings go to stdout, or into a file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memctl.cli.context import Run
from memctl.core.checks.rule import Finding, Severity
from memctl.disk.directories import make_directory
from memctl.disk.locking import Locking
from memctl.disk.reads import read_file
from memctl.disk.single_file import write_file
from memctl.errors import MemctlError, NotFound, UsageError
from memctl.ops.check import Totals

if TYPE_CHECKING:
    from memctl.ops.fix import Fixed

Write = Callable[[str], None]
# What makes one text of a whole run: findings in order, what the run came to, and from which severity on it fails.
Renderer = Callable[[Sequence[Finding], Totals, Severity | None], str]


class Report(Protocol):
    """How the findings of a run are written: `each` is called with those of one store, in order."""

    def begin(self) -> None:
        """Write what stands before the first finding."""

    def each(self, found: Sequence[Finding]) -> None:
        """Write the findings of one store."""

    def end(self, totals: Totals, fail_on: Severity | None) -> None:
        """Write what stands behind the last finding."""


class TextReport:
    """Findings for a person, as they come."""

    def __init__(self, run: Run, write: Write, *, shown: bool) -> None:
        """`shown` is set for stdout: colour, the width of a terminal, and the pager."""
        from memctl.output.findings import Style, findings

        self._run = run
        self._write = write
        self._text = findings
        self._pages = shown and run.terminal.draws
        self._style = Style(
            color=self._pages and run.terminal.color,
            width=run.terminal.width if self._pages else None,
            fingerprints=run.options.verbose,
        )
        self._kept: list[str] = []

    def begin(self) -> None:
        """Write nothing."""

    def each(self, found: Sequence[Finding]) -> None:
        """Write the findings of one store, or keep them for the pager."""
        if found:
            text = self._text(found, self._run.env.cwd, self._style)
            if self._pages:
                self._kept.append(text)
            else:
                self._write(text)

    def end(self, totals: Totals, fail_on: Severity | None) -> None:
        """Show what was kept."""
        if self._kept:
            self._run.terminal.show("".join(self._kept))


class JsonReport:
    """The one JSON object of the run, written item by item."""

    def __init__(self, run: Run, fixed: Sequence[Fixed]) -> None:
        self._run = run
        self._fixed = fixed

    def begin(self) -> None:
        """Write its head."""
        self._run.begin_json("findings")

    def each(self, found: Sequence[Finding]) -> None:
        """Write each finding."""
        from memctl.output import json, json_check

        for finding in found:
            self._run.write_item(json.dumps(json_check.finding(finding)).encode())

    def end(self, totals: Totals, fail_on: Severity | None) -> None:
        """Write what was checked, and the errors."""
        from memctl.output import json_check

        self._run.end_json(fixed=[json_check.fixed(one) for one in self._fixed], **json_check.checked(totals))


class LinesReport:
    """A JSON object for each finding, one a line."""

    def __init__(self, write: Write) -> None:
        self._write = write

    def begin(self) -> None:
        """Write nothing."""

    def each(self, found: Sequence[Finding]) -> None:
        """Write each finding."""
        from memctl.output import json, json_check

        self._write("".join(json.dumps(json_check.finding(finding)) + "\n" for finding in found))

    def end(self, totals: Totals, fail_on: Severity | None) -> None:
        """Write nothing."""


class WholeReport:
    """A format that is one text, made when all findings are known."""

    def __init__(self, render: Renderer, write: Write) -> None:
        self._render = render
        self._write = write
        self._kept: list[Finding] = []

    def begin(self) -> None:
        """Write nothing."""

    def each(self, found: Sequence[Finding]) -> None:
        """Keep the findings."""
        self._kept += found

    def end(self, totals: Totals, fail_on: Severity | None) -> None:
        """Write the text."""
        self._write(self._render(self._kept, totals, fail_on))


def _json(run: Run, fixed: Sequence[Fixed]) -> Renderer:
    """Return what makes the one JSON object of the run as a whole, for a file."""
    from memctl.output import json, json_check

    def render(found: Sequence[Finding], totals: Totals, _: Severity | None) -> str:
        return json.whole(run.envelope(), json_check.whole(found, fixed, totals), run.errors)

    return render


def _github(run: Run) -> Renderer:
    """Return what makes the text for the log of a step, and annotations."""
    from memctl.output import github
    from memctl.output.findings import Style, findings

    def render(found: Sequence[Finding], _totals: Totals, _: Severity | None) -> str:
        text = findings(found, run.env.cwd, Style(fingerprints=run.options.verbose))
        return github.guarded(text) + github.commands(found, run.env.cwd)

    return render


def _sarif(run: Run) -> Renderer:
    """Return what makes a SARIF log."""
    from memctl import __version__
    from memctl.output import sarif

    def render(found: Sequence[Finding], _totals: Totals, _: Severity | None) -> str:
        return sarif.render(found, run.errors, run.env.cwd, __version__)

    return render


def _junit(run: Run) -> Renderer:
    """Return what makes a JUnit report."""
    from memctl.output import junit

    def render(found: Sequence[Finding], totals: Totals, fail_on: Severity | None) -> str:
        said = f"{totals.memories:,} memories in {totals.stores:,} stores checked"
        return junit.render(found, run.errors, fail_on, said, run.env.cwd, os.uname().nodename, run.now)

    return render


# The formats that are one text: each gives its renderer, imported when it is asked for.
WHOLE: dict[str, Callable[[Run], Renderer]] = {
    "github": _github,
    "sarif": _sarif,
    "junit": _junit,
}
FORMATS = ("text", "json", "jsonl", *WHOLE)


def report(run: Run, fixed: Sequence[Fixed]) -> Report:
    """Return what writes the findings to stdout, in the format of the run; JSON says what was `fixed` as well."""
    return JsonReport(run, fixed) if run.json else _report_to(run, run.form, run.terminal.write, fixed, shown=True)


def _report_to(run: Run, form: str, write: Write, fixed: Sequence[Fixed], *, shown: bool = False) -> Report:
    """Return what writes the findings in a format with `write`."""
    if form == "text":
        return TextReport(run, write, shown=shown)
    if form == "jsonl":
        return LinesReport(write)
    return WholeReport(_json(run, fixed) if form == "json" else WHOLE[form](run), write)


class Target(NamedTuple):
    """A file that the findings are written into, and in which format."""

    form: str
    path: str


class FileReport:
    """A report of any format whose text goes into a file when it is whole."""

    def __init__(self, run: Run, target: Target, fixed: Sequence[Fixed]) -> None:
        self._run = run
        self._path = target.path
        self._parts: list[str] = []
        self._report = _report_to(run, target.form, self._parts.append, fixed)

    def begin(self) -> None:
        """Begin the text."""
        self._report.begin()

    def each(self, found: Sequence[Finding]) -> None:
        """Add the findings of one store."""
        self._report.each(found)

    def end(self, totals: Totals, fail_on: Severity | None) -> None:
        """Write the file, as a whole or not at all."""
        self._report.end(totals, fail_on)
        data = "".join(self._parts).encode("utf-8", "surrogateescape")
        try:
            _replace(self._path, data)
        except MemctlError as error:
            self._run.fail(error)


def targets_of(run: Run, words: Sequence[str]) -> list[Target]:
    """Return the files that `FORMAT=FILE` words name. Raises UsageError."""
    found: dict[str, Target] = {}
    for word in words:
        form, equals, name = word.partition("=")
        if not equals or not name:
            raise UsageError(f"'{word}' is not FORMAT=FILE", hint=f"such as -o {FORMATS[-1]}=report")
        if form not in FORMATS:
            raise UsageError(f"'{form}' is no format", hint=f"formats are {', '.join(FORMATS[:-1])} and {FORMATS[-1]}")
        path = os.path.normpath(os.path.join(run.env.cwd, name))
        if path in found:
            raise UsageError(f"two formats go into '{name}'", hint="give each a file of its own")
        found[path] = Target(form, path)
    return list(found.values())


def _replace(path: str, data: bytes) -> None:
    """Write a file in one step; directories that are missing are made. Raises MemctlError."""
    path = os.path.realpath(path)
    try:
        old: bytes | None = read_file(path)
    except NotFound:
        old = None
    if old != data:
        make_directory(os.path.dirname(path))
        write_file(path, old, data, Locking(0, lock=False))
