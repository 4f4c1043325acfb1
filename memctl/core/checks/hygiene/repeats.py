"""What is said twice: within a store, and across the stores of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memctl.core import similar
from memctl.core.checks.hygiene.claims import opposed
from memctl.core.checks.hygiene.units import Unit, finding, units
from memctl.core.checks.hygiene.values import difference
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.subject import CheckSettings, Subject
from memctl.core.text import trim

# How many others a message names.
_NAMED = 3
# What is shorter is alike by chance: `ok`, `see above`.
_SHORTEST = 12


class Entry(NamedTuple):
    """What is kept of a unit to compare it with those of other stores."""

    file: str
    label: str
    line: int
    text: str
    sketch: tuple[int, ...]


class Digest(NamedTuple):
    """What is kept of a store to compare it with others: small, and the same wherever it was made."""

    address: str
    path: str
    user: bool
    entries: tuple[Entry, ...]


def duplicates(found: Sequence[Unit]) -> Iterator[Finding]:
    """Yield the units that say the same as another of their store: in their contents, or in their descriptions."""
    told: set[tuple[int, int]] = set()
    for group in similar.same(unit.content.text for unit in found):
        for at in group:
            others = [other for other in group if other != at]
            told.update((at, other) for other in others)
            message = f"it says the same as {_names(found, others)}"
            evidence = f"content:{similar.plain(found[at].content.text)}"
            yield finding(found[at], "H001", Severity.WARNING, message, evidence, related=_related(found, others))
    descriptions = [unit.description.text if unit.description else "" for unit in found]
    for group in similar.same(descriptions):
        for at in group:
            part = found[at].description
            others = [other for other in group if other != at and (at, other) not in told]
            if others and part is not None:
                text = trim(part.text)
                message = f"its description is that of {_names(found, others)} too"
                offset = part.start + len(part.text) - len(part.text.lstrip())
                yield finding(
                    found[at],
                    "H001",
                    Severity.WARNING,
                    message,
                    f"description:{similar.plain(text)}",
                    offset,
                    len(text),
                    _related(found, others),
                )


def near_duplicates(found: Sequence[Unit], ratio: float) -> Iterator[Finding]:
    """Yield the units that say nearly the same as another of their store."""
    texts = [unit.content.text if len(trim(unit.content.text)) >= _shortest(unit) else "" for unit in found]
    others: dict[int, list[tuple[float, int]]] = {}
    for pair in similar.near(texts, ratio):
        if _gives_another_answer(texts[pair.first], texts[pair.second]):
            continue
        others.setdefault(pair.first, []).append((pair.ratio, pair.second))
        others.setdefault(pair.second, []).append((pair.ratio, pair.first))
    for at, alike in others.items():
        alike.sort(key=lambda one: (-one[0], one[1]))
        positions = [other for _, other in alike]
        message = f"it says nearly the same as {_names(found, positions)}: {_percent(alike[0][0])} alike"
        evidence = similar.plain(found[at].content.text)
        yield finding(found[at], "H002", Severity.INFO, message, evidence, related=_related(found, positions))


def _gives_another_answer(one: str, other: str) -> bool:
    """Return whether texts that are alike contradict each other: to merge them would lose one of the answers."""
    return difference(one, other) is not None or opposed(one, other)


def _shortest(unit: Unit) -> int:
    return _SHORTEST if unit.content.text.isascii() else _SHORTEST // 3


def _percent(ratio: float) -> str:
    return f"{ratio * 100:.0f} %" if ratio < 0.995 else "all but punctuation"


def _names(found: Sequence[Unit], positions: Sequence[int]) -> str:
    return _listed([f"'{found[at].label}'" for at in positions])


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _related(found: Sequence[Unit], positions: Iterable[int]) -> tuple[str, ...]:
    return tuple(found[at].label for at in positions)


def digest(subject: Subject) -> Digest:
    """Return what is kept of a store to compare it with others at the end of a run."""
    entries = []
    for unit in units(subject):
        text = trim(unit.content.text)
        if len(text) >= _shortest(unit):
            line, _ = unit.place(unit.content.start + len(unit.content.text) - len(unit.content.text.lstrip()))
            entries.append(Entry(unit.file, unit.label, line, text, similar.sketch(similar.words_of(text))))
    return Digest(subject.address, subject.path, subject.kind == "user", tuple(entries))


def across(digests: Sequence[Digest], settings: CheckSettings) -> list[Finding]:
    """Return what memories of one store say that those of another say too: H001 and H002, those that are on.

    Store and path are filled in; the findings stand in the order of the stores.
    """
    every = [(store, entry) for store in digests for entry in store.entries]
    others: dict[tuple[str, int], list[tuple[float, int]]] = {}
    if "H001" in settings.enabled:
        for group in similar.same(entry.text for _, entry in every):
            for at in group:
                foreign = [other for other in group if every[other][0] is not every[at][0]]
                others.setdefault(("H001", at), []).extend((1.0, other) for other in foreign)
    if "H002" in settings.enabled:
        texts = [entry.text for _, entry in every]
        for pair in similar.near(texts, settings.near, [entry.sketch for _, entry in every]):
            if every[pair.first][0] is every[pair.second][0]:
                continue
            if not _gives_another_answer(texts[pair.first], texts[pair.second]):
                others.setdefault(("H002", pair.first), []).append((pair.ratio, pair.second))
                others.setdefault(("H002", pair.second), []).append((pair.ratio, pair.first))
    found = []
    for (rule, at), alike in sorted(others.items(), key=lambda one: (one[0][1], one[0][0])):
        if alike:
            alike.sort(key=lambda one: (-one[0], one[1]))
            found.append(_foreign(rule, every[at], alike, [every[other] for _, other in alike]))
    return found


def _foreign(
    rule: str, own: tuple[Digest, Entry], alike: list[tuple[float, int]], others: Sequence[tuple[Digest, Entry]]
) -> Finding:
    store, entry = own
    names = [_address(other, twin) for other, twin in others]
    told = _listed([f"'{name}'" for name in names])
    exact = rule == "H001"
    message = f"it says {'' if exact else 'nearly '}the same as {told}"
    return Finding(
        rule,
        Severity.WARNING if exact else Severity.INFO,
        entry.file,
        message if exact else f"{message}: {_percent(alike[0][0])} alike",
        f"{similar.plain(entry.text)}\0{names[0]}",
        entry.line,
        related=tuple(names),
        store=store.address,
        path=store.path if store.user else f"{store.path}/{entry.file}",
    )


def _address(store: Digest, entry: Entry) -> str:
    """Return the address of a unit: what `show` takes."""
    return f"{store.address}/{entry.label.removeprefix('note ') if store.user else entry.file.removesuffix('.md')}"
