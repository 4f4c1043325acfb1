"""Hints that two memories of a store do not both hold: one subject with two values, a yes and a no, a newer version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.core import similar
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.units import Unit, finding, quoted

if TYPE_CHECKING:
    import re

# Two texts that differ in a value only are this alike at least.
_ALIKE = 0.75
_CLAIMS = 64  # of one key; each is compared with each
_PRONOUNS = frozenset(
    "it this that there he she they we i you what which who here one these those everything nothing all some if when"
    " where because why how so and but or".split()
)
# What has one value at a time, so that two lower-case words for it contradict each other.
_SINGLE = frozenset(
    "branch region port language name owner host timezone zone version database editor deadline budget limit colour color"
    " format currency city country framework indent indentation shell os role team manager title model theme locale"
    " provider registry bucket cluster path directory folder url address email number width size timeout interval day time"
    " date frequency license licence runner package-manager manager bundler formatter linter".split()
)
_VERBS = (
    r"is now|is|are|was moved to|moved to|lives in|works in|sits in|is based in|based in|is located in|reports to"
    r"|is owned by|is called|is named|runs on|runs at|listens on|starts on|starts at|ends on|expires on|defaults to|="
)
_NEGATIONS = frozenset("never not no don't dont avoid without cannot can't stop".split())
_PLAIN = frozenset("always do must should please the a an to".split())
_OPPOSITES = (
    ("on", "off"), ("yes", "no"), ("true", "false"), ("enabled", "disabled"), ("tabs", "spaces"), ("always", "never"),
    ("allowed", "forbidden"), ("before", "after"), ("left", "right"), ("minimum", "maximum"),
)  # fmt: skip
_OPPOSED = frozenset(frozenset(pair) for pair in _OPPOSITES)
_AROUND = ".,;:!?()*_`\"'"
_NEWER = r"-(?:v\d{1,2}|new|old|updated?|revised|final|latest|copy|backup|bak|\d{1,2})"


class _Claim(NamedTuple):
    """A statement of a unit: what it is about (`key`), what it says of it, and where it stands in the file."""

    unit: int
    key: tuple[str, ...]
    value: str
    words: str
    offset: int


def contradictions(found: Sequence[Unit]) -> Iterator[Finding]:
    """Yield the units of a store that another one contradicts or replaces, as a hint."""
    told: set[tuple[int, int]] = set()
    by_key: dict[tuple[str, ...], list[_Claim]] = {}
    for at, unit in enumerate(found):
        for claim in _claims(at, unit):
            by_key.setdefault(claim.key, []).append(claim)
    for claims in by_key.values():
        yield from _disagreeing(found, claims, told)
    yield from _variants(found, told)
    yield from _successors(found)
    for unit in found:
        yield from _withdrawn(unit)


def _disagreeing(found: Sequence[Unit], claims: list[_Claim], told: set[tuple[int, int]]) -> Iterator[Finding]:
    if len({claim.unit for claim in claims}) < 2:
        return
    claims = list({(claim.unit, claim.value): claim for claim in reversed(claims)}.values())[::-1][:_CLAIMS]
    for claim in claims:
        other = next((one for one in claims if one.unit != claim.unit and one.value != claim.value), None)
        if other is not None and (claim.unit, other.unit) not in told:
            told.add((claim.unit, other.unit))
            label = found[other.unit].label
            message = f"{quoted(claim.words)}, and '{label}' says {quoted(other.words)}: one of them may no longer hold"
            yield finding(
                found[claim.unit], "H003", Severity.INFO, message, f"{claim.words}\0{other.words}",
                claim.offset, len(claim.words), (label,),
            )  # fmt: skip


@cache
def _sentence() -> re.Pattern[str]:
    import re

    return re.compile(r"[^.!?;\n。！？；]{6,200}(?:[.][^\s.!?;\n]{1,100}){0,4}")


@cache
def _statement() -> re.Pattern[str]:
    import re

    return re.compile(
        rf"(?:(?:the|our|my|your|a|an|this|user's|his|her|their) )?(?P<subject>[^,:=()]{{2,60}}?) ?(?: (?P<verb>{_VERBS}) |:(?= ))"
        r" ?(?P<value>[^,;:]{1,60})$|(?P<han>[^，。：、是为為\s]{2,12}?)(?:是|为|為|：)(?P<worth>[^，。：、是]{1,20})$",
        re.I,
    )


@cache
def _preference() -> re.Pattern[str]:
    import re

    return re.compile(
        r"\b(?:prefer|prefers|use|uses|choose|want|wants|likes?) (?P<one>[^,.;]{2,40}?) (?:over|instead of|rather than|not|and not)"
        r" (?P<other>[^,.;]{2,40})$",
        re.I,
    )


def _claims(at: int, unit: Unit) -> Iterator[_Claim]:
    """Yield the statements of a unit that another can contradict."""
    for part in unit.parts:
        for match in _sentence().finditer(part.text):
            raw = match[0]
            text = raw.strip(" \t\r*_-+>#`\"'")
            if not text:
                continue
            offset = part.start + match.start() + raw.find(text)
            if (stated := _statement().match(text)) and (claim := _stated(at, text, offset, stated)):
                yield claim
            if preferred := _preference().search(text):
                pair = (preferred["one"].casefold().strip(), preferred["other"].casefold().strip())
                yield _Claim(at, ("prefer", *sorted(pair)), pair[0], text, offset)
            words = similar.words_of(text.replace("'t", "t"))
            rest = tuple(word for word in words if word not in _NEGATIONS and word not in _PLAIN)
            if len(rest) >= 2:
                yield _Claim(at, ("does", *rest), str(any(word in _NEGATIONS for word in words)), text, offset)


def _stated(at: int, text: str, offset: int, stated: re.Match[str]) -> _Claim | None:
    """Return a statement of what something is; None where two of its kind may both hold."""
    if stated["han"]:
        return _Claim(at, ("is", stated["han"]), stated["worth"], text, offset)
    subject = similar.words_of(stated["subject"])
    value = stated["value"].strip(" *_`\"'")
    words = similar.words_of(value)
    if not subject or not words or len(subject) > 6 or len(words) > 6 or not _PRONOUNS.isdisjoint(subject):
        return None
    if stated["verb"] is None and len(subject) < 2 and subject[-1] not in _SINGLE:
        return None
    single = subject[-1] in _SINGLE or any(letter.isdigit() or letter.isupper() for letter in value)
    if not single or words[0] in ("not", "also", "in", "for", "a", "an"):
        return None
    verb = (stated["verb"] or "is").casefold()
    key = "is" if verb in ("is", "is now", "are", "=", "defaults to", "is called", "is named") else verb
    return _Claim(at, (key, *subject), " ".join(words), text, offset)


def _variants(found: Sequence[Unit], told: set[tuple[int, int]]) -> Iterator[Finding]:
    """Yield units whose texts differ in one or two values only: numbers, names, a yes and a no."""
    texts = [unit.content.text for unit in found]
    for pair in similar.near(texts, _ALIKE):
        ones, others = texts[pair.first].split(), texts[pair.second].split()
        if len(ones) != len(others) or len(ones) < 3:
            continue
        differing = [(one, other) for one, other in zip(ones, others, strict=True) if _bare(one) != _bare(other)]
        if not 0 < len(differing) <= 2 or not all(_are_values(one, other) for one, other in differing):
            continue
        for at, twin, (one, other) in (
            (pair.first, pair.second, differing[0]),
            (pair.second, pair.first, differing[0][::-1]),
        ):
            if (at, twin) not in told:
                told.add((at, twin))
                label = found[twin].label
                message = f"it says {quoted(one)} where '{label}' says {quoted(other)}: one of them may no longer hold"
                part = found[at].content
                offset = part.start + part.text.find(one)
                yield finding(found[at], "H003", Severity.INFO, message, f"{one}\0{other}", offset, len(one), (label,))


def _bare(word: str) -> str:
    return word.strip(_AROUND).casefold()


def _are_values(one: str, other: str) -> bool:
    first, second = one.strip(_AROUND), other.strip(_AROUND)
    if frozenset((first.casefold(), second.casefold())) in _OPPOSED:
        return True
    numbers = any(letter.isdigit() for letter in first) and any(letter.isdigit() for letter in second)
    return numbers or (first[:1].isupper() and second[:1].isupper())


def _successors(found: Sequence[Unit]) -> Iterator[Finding]:
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


def _withdrawn(unit: Unit) -> Iterator[Finding]:
    """Yield a unit that says itself that it no longer holds."""
    import re

    pattern = (
        r"\b(?:superseded|replaced|obsoleted) by\b|\bthis (?:memory|note|entry|fact|rule|decision)? ?(?:is|was) (?:now )?(?:obsolete"
        r"|outdated|superseded|wrong|out of date|no longer \w{1,20})|\bthis no longer (?:holds|applies)|^\W{0,4}(?:obsolete|outdated|superseded|deprecated)\b\W"
    )
    for part in unit.parts:
        if match := re.search(pattern, part.text, re.I | re.M):
            message = f"it says that it no longer holds: {quoted(match[0])}"
            yield finding(unit, "H003", Severity.INFO, message, match[0], part.start + match.start(), len(match[0]))
            return
