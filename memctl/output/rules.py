"""The manual page of the rules, memctl-rules(7), made of their table."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from memctl.core.checks.rule import Rule, Severity
from memctl.core.checks.table import FAMILIES, RULES
from memctl.ops.explain_rule import settings_of

_HEAD = r""".Dd November 30, 2026
.Dt MEMCTL-RULES 7
.Os
.Sh NAME
.Nm memctl-rules
.Nd what memctl check finds, and what mends it
.Sh DESCRIPTION
.Cm memctl check
reports what would hurt an agent or its people, each breach with the code and
the slug of a rule.
This page has all of them; for one,
.Cm memctl explain
.Ar RULE
says the same, and what the settings make of it.
.Pp
The letter of a code is the family of the rule.
A word for rules is a code, the beginning of codes, a slug, the name of a
family, or
.Ql ALL .
The severities are
.Bl -tag -width Ds
.It Cm error
An agent loses something, or its people do.
By default
.Cm check
exits with 1.
.It Cm warning
Something is probably wrong.
.It Cm info
Worth knowing.
.El
.Pp
The severity here is the one by default; the table
.Ql [check.severities]
of the configuration file gives a rule another.
The rules of hygiene are off unless they are selected, since what they say
changes with the clock and with taste.
Those of comparison need
.Fl -against .
"""
_FOOT = r""".Sh SEE ALSO
.Xr memctl 1
"""
_WIDTH = 78
_STATE = {"H": ", off unless selected", "C": ", with --against"}


def page() -> str:
    """Return the manual page of the rules, in mdoc."""
    lines = []
    for letter, family in FAMILIES.items():
        lines.append(f".Sh {_line(family.upper())}")
        for rule in RULES:
            if rule.code[0] == letter:
                lines += _rule(rule)
    return _HEAD + "".join(f"{line}\n" for line in lines) + _FOOT


def _rule(rule: Rule) -> Iterator[str]:
    yield f".Ss {rule.code} {_line(rule.slug)}"
    yield from _sentences(f"Reports {rule.summary} ({Severity(rule.severity)}{_STATE.get(rule.code[0], '')}).")
    yield ".Pp"
    yield from _sentences(rule.why)
    yield ".Bd -literal -offset indent"
    yield from map(_line, rule.example.split("\n"))
    yield ".Ed"
    yield ".Pp"
    yield from _sentences(rule.mend)
    for text in settings_of(rule):
        yield ".Pp"
        yield from _sentences(f"{'Option' if text.startswith('-') else 'Setting'} {text}.")


def _sentences(text: str) -> Iterator[str]:
    """Yield a text as lines, each sentence on lines of its own: what mdoc wants."""
    for sentence in re.split(r"(?<=[.?!]) (?=[A-Z])", text):
        for line in textwrap.wrap(_escaped(sentence), _WIDTH, break_long_words=False, break_on_hyphens=False):
            yield _harmless(line)


def _line(text: str) -> str:
    return _harmless(_escaped(text))


def _escaped(text: str) -> str:
    """Return a text in which roff finds nothing to obey, hyphens as they are typed."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace('"', "\\(dq")
    return "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in escaped)


def _harmless(line: str) -> str:
    """Return a line that roff does not take for a request."""
    return f"\\&{line}" if line[:1] in (".", "'") else line
