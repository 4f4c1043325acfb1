"""Hygiene: what does not belong in memory, or no longer; off unless selected."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from memctl.core.checks.hygiene import belonging, times
from memctl.core.checks.hygiene.contradictions import contradictions
from memctl.core.checks.hygiene.repeats import duplicates, near_duplicates
from memctl.core.checks.hygiene.units import Unit, finding, quoted, units, without_code
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.subject import CheckSettings, StoreKind, Subject
from memctl.core.dialects import hq
from memctl.core.memory import Memory
from memctl.core.nearest import nearest

if TYPE_CHECKING:
    import re

_BY_UNIT = {
    "H006": belonging.status,
    "H007": belonging.plan,
    "H008": belonging.conversation,
    "H009": belonging.long_instructions,
    "H010": times.relative,
}
# Attributes of C++, which look like links.
_ATTRIBUTES = frozenset(
    "nodiscard maybe_unused fallthrough deprecated likely unlikely noreturn no_unique_address".split()
)


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield what is no longer right in a store, and what a memory is not for; only rules that are on are run."""
    on = settings.enabled
    found = list(units(subject))
    if "H001" in on:
        yield from duplicates(found)
    if "H002" in on:
        yield from near_duplicates(found, settings.near)
    if "H003" in on:
        yield from contradictions(found)
    for unit in found:
        if "H004" in on:
            yield from times.stale(unit, settings.today, settings.stale_days)
        if "H005" in on:
            yield from times.expired(unit, settings.today)
        for code, rule in _BY_UNIT.items():
            if code in on:
                yield from rule(unit)
    if "H011" in on and subject.kind is StoreKind.AGENT:
        yield from _dead_links(subject, found)


def _dead_links(subject: Subject, found: list[Unit]) -> Iterator[Finding]:
    """Yield links to memories that are not there: by no file's name, and by no name of a memory."""
    names = {item.stem for item in subject.items if item.record is not None} | {hq.INDEX_NAME[:-3]}
    names |= {item.record.name for item in subject.items if isinstance(item.record, Memory)}
    for unit in found:
        seen: set[str] = set()
        for part in unit.parts:
            text = part.text
            if "[[" not in text:
                continue
            for match in _link().finditer(without_code(text)):
                target = match[1].partition("|")[0].partition("#")[0].strip().removesuffix(".md")
                if target in names or target in seen or not _is_name(target, match[1]):
                    continue
                seen.add(target)
                near = nearest(target, sorted(names))
                advice = f"; did you mean '{near}'?" if near else ""
                message = f"no memory is named {quoted(target)}{advice}"
                yield finding(unit, "H011", Severity.INFO, message, target, part.start + match.start(), len(match[0]))


@cache
def _link() -> re.Pattern[str]:
    import re

    return re.compile(r"(?<![\[!])\[\[([^\[\]\n]{1,120})\]\](?!\])")


def _is_name(target: str, written: str) -> bool:
    """Return whether what stands between the brackets is meant as the name of a memory.

    `[[ -f x ]]` is a test of a shell, `[[1, 2]]` a list, `[[tool.x]]` a table of TOML, and `[[#part]]` is this memory.
    """
    if not target or target in _ATTRIBUTES or "." in target or "://" in target:
        return False
    if written[0] == " " and any(sign in written for sign in "$=<>-"):
        return False
    return any(letter.isalpha() for letter in target) and not any(sign in target for sign in '"=$(){}<>,')
