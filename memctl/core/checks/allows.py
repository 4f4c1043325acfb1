"""Findings that are let pass: by a comment in the file, `<!-- memctl: allow FINGERPRINT -->`, or by the settings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from memctl.core.checks.rule import Finding

_MARK = "memctl: allow"
_HEX = frozenset("0123456789abcdef")
# A shorter beginning of a fingerprint would let pass more than the one finding.
FEWEST = 8
LENGTH = 16


class Allow(NamedTuple):
    """A fingerprint, or the beginning of one, that a file lets pass, and where it says so."""

    fingerprint: str
    line: int
    column: int


def is_fingerprint(word: str) -> bool:
    """Return whether a word can be a fingerprint, or the beginning of one."""
    return FEWEST <= len(word) <= LENGTH and _HEX.issuperset(word)


def allows(text: str) -> Iterator[Allow]:
    """Yield what a file lets pass. Several fingerprints are parted by blanks or commas, up to the end of the line."""
    line, begin, counted, end = 1, 0, 0, -1
    at = text.find(_MARK)
    while at >= 0:
        # Counted from mark to mark: a file can have as many as it has lines.
        line += text.count("\n", counted, at)
        begin = text.rfind("\n", counted, at) + 1 or begin
        counted = at
        start = at + len(_MARK)
        if start > end:
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
        at = start
        while at < end:
            while at < end and text[at] in " \t,":
                at += 1
            first = at
            while at < end and at - first <= LENGTH and text[at] in _HEX:
                at += 1
            if not is_fingerprint(text[first:at]):
                break
            yield Allow(text[first:at], line, first - begin + 1)
        at = text.find(_MARK, at)


class Passed(NamedTuple):
    """What is left of findings, how many were let pass, and by which of the words."""

    kept: list[Finding]
    total: int
    used: frozenset[str]


def without_allowed(
    found: Iterable[Finding], settings: Collection[str], text_of: Callable[[str], str | None] | None
) -> Passed:
    """Return the findings that are not let pass. `text_of` gives the text of a file, None: its comments do not count.

    The comment stands in the file of the finding; fingerprints of the settings count for each file.
    """
    kept: list[Finding] = []
    used: set[str] = set()
    in_files: dict[str, list[str]] = {}
    total = 0
    for finding in found:
        if finding.file not in in_files:
            text = text_of(finding.file) if text_of and finding.file else None
            in_files[finding.file] = [allow.fingerprint for allow in allows(text)] if text else []
        words = [word for word in (*in_files[finding.file], *settings) if finding.fingerprint.startswith(word)]
        if words:
            total += 1
            used.update(words)
        else:
            kept.append(finding)
    return Passed(kept, total, frozenset(used))
