"""The engine of `check`: all families of rules over one store, in one order, with fingerprints."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memctl.core.checks import access, forms, indexes, limits, loading, registry
from memctl.core.checks.places import line_at
from memctl.core.checks.prompts import rules as prompts
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.secrets import rules as secrets
from memctl.core.checks.strays import strays
from memctl.core.checks.subject import CheckSettings, Folder, StoreKind, Subject

if TYPE_CHECKING:
    from memctl.core.checks.hygiene.repeats import Digest

Family = Callable[[Subject, CheckSettings], Iterable[Finding]]

# Which rules a family has, by the letter of their codes. One that has none of the rules that are on is not run.
_FAMILIES: tuple[tuple[str, Family], ...] = (
    ("N", loading.check),
    ("F", forms.check),
    ("L", limits.check),
    ("I", indexes.check),
    ("S", secrets.check),
    ("P", prompts.check),
    ("A", access.check),
    ("R", registry.check),
)

# The rules that compare stores with each other as well.
ACROSS = frozenset({"H001", "H002"})

# What a person is shown of a line: the HQ writes 10 MB on one as well.
_EXCERPT = 160


class Checked(NamedTuple):
    """What one store gave: its findings in order, and how many memories were looked at."""

    findings: list[Finding]
    memories: int


def check_store(subject: Subject, settings: CheckSettings) -> Checked:
    """Return the findings of all rules that are on, in the order of files, lines, columns and codes."""
    letters = {code[0] for code in settings.enabled}
    found: list[Finding] = []
    if subject.kind is StoreKind.AGENT:
        subject = subject._replace(
            rendered=None if letters.isdisjoint("LI") else subject.whole_index,
            strays=strays(subject) if "F017" in settings.enabled else {},
        )
    for family in _families(letters):
        found += family(subject, settings)
    if "A003" in settings.enabled:
        if "S" in letters:
            names = {finding.file for finding in found if finding.rule in secrets.CERTAIN}
            found += access.secret_files(subject, lambda item: item.name in names)
        elif settings.reads_secrets:
            found += access.secret_files(subject, secrets.has_secret)
    return Checked(finished(found, subject, settings), sum(item.record is not None for item in subject.items))


def _families(letters: Collection[str]) -> Iterator[Family]:
    """Yield the families that have a rule that is on; hygiene, which is off mostly, is loaded only then."""
    for letter, family in _FAMILIES:
        if letter in letters:
            yield family
    if "H" in letters:
        from memctl.core.checks.hygiene import rules as hygiene

        yield hygiene.check


def check_folder(folder: Folder, settings: CheckSettings) -> list[Finding]:
    """Return what is wrong with a data folder: its registry, and who can write what all its agents share."""
    every = (*registry.check_folder(folder), *access.check_folder(folder))
    found = [finding for finding in every if finding.rule in settings.enabled]
    return [_graded(finding, settings)._replace(fingerprint=fingerprint(finding, settings)) for finding in found]


def check_across(digests: Sequence[Digest], settings: CheckSettings) -> list[Finding]:
    """Return what the memories of one store say that those of another say too; the digests are made by repeats.digest().

    To be asked once, at the end of a run, where H001 or H002 is on.
    """
    from memctl.core.checks.hygiene import repeats

    return [
        _graded(finding, settings)._replace(
            message=secrets.redacted(finding.message), fingerprint=fingerprint(finding, settings)
        )
        for finding in repeats.across(digests, settings)
    ]


def finished(found: Sequence[Finding], subject: Subject, settings: CheckSettings) -> list[Finding]:
    """Return findings in order, with store, path, excerpt and fingerprint; those of rules that are off are dropped.

    No excerpt, message or detail holds a secret.
    """
    kept = [finding for finding in found if finding.rule in settings.enabled]
    if not kept:
        return []
    order = {item.name: at for at, item in enumerate(subject.items, 1)}
    texts = {item.name: item.text for item in subject.items}
    kept.sort(key=lambda finding: (order.get(finding.file, 0), finding.line or 0, finding.column or 0, finding.rule))
    return list(_completed(kept, subject, texts, settings))


def _completed(
    kept: Iterable[Finding], subject: Subject, texts: dict[str, str | None], settings: CheckSettings
) -> Iterator[Finding]:
    blotted: dict[str, str] = {}
    agent = subject.kind is StoreKind.AGENT
    for finding in kept:
        excerpt, start = "", 0
        text = texts.get(finding.file)
        if text and finding.line:
            if finding.file not in blotted:
                blotted[finding.file] = secrets.redacted(text)
            excerpt, start = _window(line_at(blotted[finding.file], finding.line), finding.column or 1)
        yield _graded(finding, settings)._replace(
            store=subject.address,
            path=finding.path or (f"{subject.path}/{finding.file}" if finding.file and agent else subject.path),
            excerpt=excerpt,
            excerpt_start=start,
            message=secrets.redacted(finding.message),
            detail=secrets.redacted(finding.detail),
            fingerprint=fingerprint(finding, settings),
        )


def _window(line: str, column: int) -> tuple[str, int]:
    """Return what is shown of a line, and how many characters of it stand before that: a line can have 10 MB."""
    if len(line) <= _EXCERPT:
        return line, 0
    start = max(0, min(column - 1 - _EXCERPT // 4, len(line) - _EXCERPT))
    return line[start : start + _EXCERPT], start


def _graded(finding: Finding, settings: CheckSettings) -> Finding:
    for code, severity in settings.severities:
        if code == finding.rule:
            return finding._replace(severity=Severity(severity))
    return finding


def fingerprint(finding: Finding, settings: CheckSettings) -> str:
    """Return what tells a finding from others on any machine: of rule, file and evidence, never of the line.

    A secret's is a keyed hash (BLAKE2b) with the key of the settings; without a key its value takes no part, so that
    nobody can find it by guessing.
    """
    try:
        from _blake2 import blake2b
    except ImportError:  # pragma: no cover - a Python without a module of its own for it
        from hashlib import blake2b
    # The whole of hashlib loads OpenSSL, which costs as much as to check hundreds of memories.

    secret = finding.rule[0] == "S"
    evidence = "" if secret and settings.key is None else finding.evidence
    text = "\0".join((finding.rule, finding.file, " ".join(evidence.split())))
    data = text.encode("utf-8", "surrogatepass")
    if secret and settings.key is None:
        data += f"\0{finding.length}".encode()
    key = settings.key if secret and settings.key else b""
    # BLAKE2b takes keys of up to 64 bytes.
    key = key if len(key) <= 64 else blake2b(key).digest()
    return blake2b(data, key=key, digest_size=8).hexdigest()
