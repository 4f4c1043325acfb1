"""A rule, what it finds, and what mends it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How much a finding matters, the worst first."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


SEVERITIES = (*Severity,)


def at_least(severity: Severity, least: Severity) -> bool:
    """Return whether a severity is as bad as `least`, or worse."""
    return SEVERITIES.index(severity) <= SEVERITIES.index(least)


class Rule(NamedTuple):
    """One rule: its code, its slug, how bad a breach is by default, and its texts.

    `summary` completes "reports …"; `why` says what goes wrong, `example` shows a breach, `mend` says what to do.
    `hygiene` rules are off unless selected: what they say changes with the clock and with taste.
    """

    code: str
    slug: str
    severity: Severity
    summary: str
    why: str
    example: str
    mend: str

    @property
    def hygiene(self) -> bool:
        """Whether the rule is off unless it is selected."""
        return self.code[0] == "H"

    @property
    def secret(self) -> bool:
        """Whether what the rule finds is a secret, whose value nobody may see."""
        return self.code[0] == "S"


class FixKind(StrEnum):
    """What a fix does to a file. The first five change no word that an agent gets: they are safe."""

    BOM = "remove the byte order mark"
    LINE_ENDS = "write LF line ends"
    FINAL_NEWLINE = "end the file with one line feed"
    MODE = "take write permission from group and others"
    REINDEX = "render MEMORY.md anew"
    ALIAS = "remove the symlink"
    RENAME = "rename the file"
    QUARANTINE = "move the file out of the store"
    REDACT = "replace the secret"

    @property
    def safe(self) -> bool:
        """Whether `--fix` does it; the others want `--unsafe-fixes`."""
        return self not in (FixKind.RENAME, FixKind.QUARANTINE, FixKind.REDACT)


class Fix(NamedTuple):
    """What mends a finding: on which file of the store, and to what (`to`: the new name of a RENAME)."""

    kind: FixKind
    file: str
    to: str = ""


class Finding(NamedTuple):
    """One breach of a rule.

    `file` is the path below the store, '' for the store itself. `line` and `column` count from 1, the column in
    characters; None where the whole file or line is meant. `length` is how many characters are meant. `evidence` is
    what the fingerprint is made of; it may hold the value of a secret and is never printed. `detail` has further lines
    for a person: a diff. `related` are other files that take part. The engine fills in what stands below them: `path`
    is absolute, `excerpt` the line with secrets blotted out (of a long one a part, which begins after `excerpt_start`
    characters).
    """

    rule: str
    severity: Severity
    file: str
    message: str
    evidence: str
    line: int | None = None
    column: int | None = None
    length: int = 0
    fix: Fix | None = None
    detail: str = ""
    related: tuple[str, ...] = ()
    store: str = ""
    path: str = ""
    excerpt: str = ""
    excerpt_start: int = 0
    fingerprint: str = ""
