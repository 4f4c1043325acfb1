"""Hints that two memories of a store do not both hold: one subject with two values, a yes and a no, a newer version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memctl.core import similar
from memctl.core.checks.hygiene.claims import claims
from memctl.core.checks.hygiene.units import Unit, finding, quoted
from memctl.core.checks.hygiene.values import difference, may_both_hold
from memctl.core.checks.hygiene.withdrawn import successors, withdrawn
from memctl.core.checks.rule import Finding, Severity

# Two texts that differ in a value only are this alike at least.
_ALIKE = 0.75
_CLAIMS = 64  # of one key; each is compared with each


class _Said(NamedTuple):
    """A claim, in which unit, and where it stands in the file."""

    unit: int
    value: str
    words: str
    offset: int


def contradictions(found: Sequence[Unit]) -> Iterator[Finding]:
    """Yield the units of a store that another one contradicts or replaces, as a hint."""
    told: set[tuple[int, int]] = set()
    by_key: dict[tuple[str, ...], list[_Said]] = {}
    for at, unit in enumerate(found):
        for part in unit.parts:
            for claim in claims(part.text):
                said = _Said(at, claim.value, claim.words, part.start + claim.offset)
                by_key.setdefault(claim.key, []).append(said)
    for same in by_key.values():
        yield from _disagreeing(found, same, told)
    yield from _variants(found, told)
    yield from successors(found)
    yield from withdrawn(found)


def _disagreeing(found: Sequence[Unit], said: list[_Said], told: set[tuple[int, int]]) -> Iterator[Finding]:
    if len(said) < 2 or len({claim.unit for claim in said}) < 2:
        return
    said = list({(claim.unit, claim.value): claim for claim in reversed(said)}.values())[::-1][:_CLAIMS]
    for claim in said:
        other = next((one for one in said if one.unit != claim.unit and one.value != claim.value), None)
        if other is not None and (claim.unit, other.unit) not in told:
            told.add((claim.unit, other.unit))
            label = found[other.unit].label
            message = f"{quoted(claim.words)}, and '{label}' says {quoted(other.words)}: one of them may no longer hold"
            yield finding(
                found[claim.unit], "H003", Severity.INFO, message, f"{claim.words}\0{other.words}",
                claim.offset, len(claim.words), (label,),
            )  # fmt: skip


def _variants(found: Sequence[Unit], told: set[tuple[int, int]]) -> Iterator[Finding]:
    """Yield units whose texts differ in one or two values only: numbers, names, a yes and a no."""
    texts = [unit.content.text for unit in found]
    for pair in similar.near(texts, _ALIKE):
        differing = difference(texts[pair.first], texts[pair.second])
        if differing is None or may_both_hold(texts[pair.first], differing):
            continue
        one, other, at_one, at_other = differing
        for at, twin, mine, theirs, offset in (
            (pair.first, pair.second, one, other, at_one),
            (pair.second, pair.first, other, one, at_other),
        ):
            if (at, twin) not in told:
                told.add((at, twin))
                label = found[twin].label
                message = (
                    f"it says {quoted(mine)} where '{label}' says {quoted(theirs)}: one of them may no longer hold"
                )
                place = found[at].content.start + offset if offset >= 0 else None
                yield finding(
                    found[at], "H003", Severity.INFO, message, f"{mine}\0{theirs}", place, len(mine), (label,)
                )
