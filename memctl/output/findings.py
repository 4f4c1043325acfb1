"""Findings for a person: one after the other, each with its line and a caret."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.table import BY_CODE, FAMILIES, RULES
from memctl.output.escape import visible
from memctl.output.paths import relative

_COLORS = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}
_DIFF = {"+": "32", "-": "31", "@": "36"}
_TAB = "    "
_MORE = "…"
# The number of a line, and what stands between it and the line.
_GUTTER = 8
# So many columns of a line are shown on the narrowest terminal.
_LEAST = 20


class Style:
    """How findings are drawn: whether with colour, how many columns a line may have, and whether fingerprints are told."""

    def __init__(self, *, color: bool = False, width: int | None = None, fingerprints: bool = False) -> None:
        self.color = color
        self.width = width
        self.fingerprints = fingerprints

    def paint(self, text: str, code: str) -> str:
        """Return a text in a colour; without a code as it is."""
        return f"\033[{code}m{text}\033[0m" if self.color and text and code else text


def findings(found: Sequence[Finding], cwd: str, style: Style) -> str:
    """Return findings as text, an empty line behind those of each file."""
    parts = []
    for at, finding in enumerate(found):
        parts.append(_finding(finding, cwd, style))
        if at + 1 == len(found) or found[at + 1].path != finding.path:
            parts.append("\n")
    return "".join(parts)


def _finding(finding: Finding, cwd: str, style: Style) -> str:
    place = visible(relative(finding.path, cwd))
    numbers = "".join(f":{number}" for number in (finding.line, finding.column) if number is not None)
    rule = f"{finding.rule} {BY_CODE[finding.rule].slug}"
    severity = style.paint(finding.severity, _COLORS[finding.severity])
    lines = [f"{style.paint(place, '1')}{numbers}: {severity} {style.paint(rule, '1')}: {visible(finding.message)}"]
    if finding.excerpt and finding.line is not None:
        lines += _marked(finding, style)
    lines += [f"    {style.paint(visible(line), _DIFF.get(line[:1], ''))}" for line in finding.detail.splitlines()]
    if finding.fix:
        option = "--fix" if finding.fix.kind.safe else "--unsafe-fixes"
        lines.append(f"    = fix: {finding.fix.kind} ({option})")
    if style.fingerprints:
        lines.append(f"    = fingerprint: {finding.fingerprint}")
    return "\n".join(lines) + "\n"


def _marked(finding: Finding, style: Style) -> list[str]:
    """Return the line of a finding, and under it what is meant."""
    width = None if style.width is None else max(_LEAST, style.width - _GUTTER)
    start = (finding.column or 1) - 1 - finding.excerpt_start
    line, before, marks = _fitting(finding.excerpt, max(0, start), max(1, finding.length), width)
    if finding.excerpt_start and not line.startswith(_MORE):
        line, before = _MORE + line, before + 1
    lines = [style.paint(f"{finding.line:>{_GUTTER - 3}} | ", "2") + line.rstrip()]
    if finding.column is not None and start >= 0:
        mark = style.paint("^" * marks, _COLORS[finding.severity])
        lines.append(style.paint(" " * (_GUTTER - 3) + " | ", "2") + " " * before + mark)
    return lines


def _fitting(text: str, start: int, length: int, width: int | None) -> tuple[str, int, int]:
    """Return what is shown of a line, how many columns stand before what is meant, and how many that takes.

    Of a line that is too long for the `width` a part is shown in which what is meant begins.
    """
    shown = [_shown(character) for character in text]
    cells = [_cells(character) for character in shown]
    first, last = 0, len(shown)
    if width is not None and sum(cells) > width:
        start = min(start, len(shown))
        while first < start and sum(cells[first:start]) > width // 2:
            first += 1
        taken = int(first > 0)
        last = first
        while last < len(shown) and taken + cells[last] < width:
            taken += cells[last]
            last += 1
    ahead = _MORE if first else ""
    behind = _MORE if last < len(shown) else ""
    before = len(ahead) + sum(cells[first:start])
    return f"{ahead}{''.join(shown[first:last])}{behind}", before, max(1, sum(cells[start : min(last, start + length)]))


def _shown(character: str) -> str:
    return _TAB if character == "\t" else visible(character)


def _cells(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    import unicodedata

    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(unicodedata.category(character) in ("Mn", "Me") for character in text)


def rules(on: Collection[str], *, color: bool, table: bool) -> str:
    """Return the table of rules: code, slug, severity, whether it is on, and what it reports.

    As a `table` for a terminal it is under the names of the families, else one rule a line, its fields by tabs.
    """
    if not table:
        return "".join(
            "\t".join((rule.code, rule.slug, rule.severity, "on" if rule.code in on else "off", rule.summary)) + "\n"
            for rule in RULES
        )
    style = Style(color=color)
    widest = max(len(rule.slug) for rule in RULES)
    lines = []
    for letter, name in FAMILIES.items():
        lines.append(style.paint(name, "1"))
        for rule in RULES:
            if rule.code[0] == letter:
                severity = style.paint(f"{rule.severity:<7}", _COLORS[rule.severity])
                state = "   " if rule.code in on else "off"
                lines.append(f"  {rule.code}  {rule.slug:<{widest}}  {severity}  {state}  {rule.summary}")
        lines.append("")
    return "\n".join(lines)
