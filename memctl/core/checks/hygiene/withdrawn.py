"""Memories that say themselves that they no longer hold, or that another one does not: in a key, in their text, by a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from memctl.core.checks.hygiene.units import Unit, finding, quoted, without_code
from memctl.core.checks.loading import field_place
from memctl.core.checks.rule import Finding, Severity
from memctl.core.dialects import hq

if TYPE_CHECKING:
    import re

_NEWER = r"-(?:v\d{1,2}|new|old|updated?|revised|final|latest|copy|backup|bak|\d{1,2})"
_BY = frozenset(
    "superseded_by supersededby replaced_by replacedby obsoleted_by obsoletedby deprecated_by superseded obsolete"
    " deprecated outdated".split()
)
_OF = frozenset("supersedes replaces obsoletes".split())
_KEYS = _BY | _OF | {"status"}
_STATES = frozenset("superseded obsolete deprecated outdated replaced withdrawn invalid invalidated retracted".split())
_EMPTY = frozenset(["", "null", "none", "~", "false", "no", "[]", '""', "''"])
# Without one of these no text says that it does not hold.
_NEEDS = ("supersed", "replaced", "obsolete", "outdated", "deprecated", "no longer", "wrong", "out of date")
# What loses its force without a fact being withdrawn: `the token is no longer valid` is a fact itself.
_EXPIRING = (
    "key|token|certificate|cert|password|passwords|credentials?|secret|licen[cs]e|passport|tickets?|links?|urls?|coupon|voucher"
    "|codes?|card|visa|session|cookies?|address|number|offer|discount|cache|cached|entry point|login|invitation|signature"
)


def successors(found: Sequence[Unit]) -> Iterator[Finding]:
    """Yield memories beside which stands one whose name says that it is another version of them."""
    import re

    names = {unit.name: unit for unit in found if unit.name}
    for name, unit in names.items():
        match = re.search(rf"{_NEWER}$", name)
        base = names.get(name[: match.start()]) if match else None
        if match is None:
            continue
        if base is None and (version := re.fullmatch(r"-v(\d{1,2})", match[0])) and int(version[1]) > 1:
            base = names.get(f"{name[: match.start()]}-v{int(version[1]) - 1}")
        if base is not None:
            old, new = (unit, base) if match[0] == "-old" else (base, unit)
            message = f"by its name '{new.label}' is another version of it: one of them may no longer hold"
            yield finding(old, "H003", Severity.INFO, message, f"{old.name}\0{new.name}", related=(new.label,))


def withdrawn(found: Sequence[Unit]) -> Iterator[Finding]:
    """Yield the units that say themselves that they no longer hold, and those of which another one says it."""
    names = {unit.name: unit for unit in found if unit.name}
    for unit in found:
        yield from _by_text(unit)
        if unit.head:
            yield from _by_keys(unit, names)


def _by_keys(unit: Unit, names: dict[str, Unit]) -> Iterator[Finding]:
    lines = unit.head.split("\n")[1:]
    for key in dict.fromkeys(key for key, *_ in hq.scan(lines)):
        plain = key.lower().replace("-", "_")
        if plain not in _KEYS:
            continue
        line, column, length, value = field_place(lines, key)
        bare = value.strip(" \"'").lower()
        if bare in _EMPTY:
            continue
        if plain in _BY or (plain == "status" and bare in _STATES):
            message = f"its key '{key}' says that it no longer holds: {quoted(value)}"
            yield Finding("H003", Severity.INFO, unit.file, message, f"{key}:{value}", line, column, length)
        elif plain in _OF:
            for name in value.replace(",", " ").split():
                old = names.get(name.strip("[]\"'").removesuffix(".md"))
                if old is not None and old is not unit:
                    message = f"'{unit.label}' says that it replaces it"
                    evidence = f"{old.name}\0{unit.name}"
                    yield finding(old, "H003", Severity.INFO, message, evidence, related=(unit.label,))


@cache
def _said() -> re.Pattern[str]:
    import re

    return re.compile(
        r"^[^\w\n]{0,6}(?:superseded|replaced|obsoleted) by\b(?! (?:hand|default)\b)|(?:^|[(\[])(?:now )?(?:superseded|obsoleted) by\b"
        r"|\b(?:this|it|which) (?:memory|note|entry|fact|rule|decision)? ?(?:is|was|has been) (?:now )?(?:superseded|obsoleted) by\b"
        r"|\bthis (?:memory|note|entry|fact|rule|decision)? ?(?:is|was|has been) (?:now )?(?:obsolete|outdated|superseded|replaced by|wrong"
        r"|out of date|no longer \w{1,20})|\bthis (?:memory |note |entry |fact |rule |decision )?no longer (?:holds|applies)"
        r"|^[^\w\n]{0,6}(?:obsolete|outdated|superseded|deprecated|no longer (?:valid|true))\b(?=[^\w\n]|$)(?! (?!since|as of|in favou?r)\w)"
        rf"|(?:^[^\w\n]{{0,6}}|[.!?] )(?!(?:if|when|once|as|whether|unless|until|because|while|what|that)\b)"
        rf"(?:(?!(?:if|when|once|whether|unless|until|that|which|who|{_EXPIRING})\b)[\w`'’/-]{{1,40}} ){{1,8}}?"
        r"(?:is|are) no longer (?:valid|true|correct|accurate|in force|in effect)(?=\s*(?:[.!;,:)]|$)|\s(?:since|as of|because)\b)",
        re.I | re.M,
    )


@cache
def _struck() -> re.Pattern[str]:
    import re

    return re.compile(r"(?<![~\w\\])~~(?=[^\s~])(?P<text>[^~\n]{2,300})(?<=\S)~~(?!~)")


def _by_text(unit: Unit) -> Iterator[Finding]:
    for part in unit.parts:
        text = part.text
        low = text.lower()
        if any(need in low for need in _NEEDS) and (match := _said().search(text)):
            words = match[0].lstrip(".!?([ \t*_->#\"'`")
            words = words[next((at for at, letter in enumerate(words) if letter.isalnum()), 0) :]
        elif "~~" in text and (match := _struck().search(without_code(text))):
            words = match[0]
        else:
            continue
        message = f"it says that it no longer holds: {quoted(words)}"
        at = part.start + match.end() - len(words)
        yield finding(unit, "H003", Severity.INFO, message, words, at, len(words))
        return
