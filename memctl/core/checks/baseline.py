"""A baseline: the findings that were there when it was written, so that only new ones are reported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memctl.core.checks.rule import Finding
from memctl.errors import InvalidInput

SCHEMA = 1
MEND = "memctl check --baseline FILE --write-baseline writes a new one, once this file is moved away"


class Entry(NamedTuple):
    """One finding of a baseline: where it is, on any machine, and what tells it from others. It holds no value."""

    store: str
    file: str
    rule: str
    fingerprint: str


class Baseline(NamedTuple):
    """A baseline: the salt that keys the fingerprints of secrets, and its entries, sorted; one that is there twice counts twice."""

    salt: str
    entries: tuple[Entry, ...]

    @property
    def key(self) -> bytes:
        """What keys the fingerprints of secrets."""
        return bytes.fromhex(self.salt)


class Scope(NamedTuple):
    """What a run looked at in one place: the files that were meant (None: all), and the rules that were on."""

    files: frozenset[str] | None
    rules: frozenset[str]

    def has(self, entry: Entry) -> bool:
        """Return whether the run could have met the finding of an entry of this place."""
        return entry.rule in self.rules and (self.files is None or entry.file in self.files)


def place_of(address: str, path: str, folder: str) -> str:
    """Return what names a store, or a registry, on any machine: its path below the baseline's folder, else its address.

    A registry has no address: its path is what is left.
    """
    below = folder if folder.endswith("/") else f"{folder}/"
    return path[len(below) :] if path.startswith(below) else address or path


def entry_of(finding: Finding, place: str, fingerprint: str) -> Entry:
    """Return the entry of a finding in the store of this place, with the fingerprint that the baseline's key gives it."""
    return Entry(place, finding.file, finding.rule, fingerprint)


def read(text: str, path: str) -> Baseline:
    """Return the baseline that a text holds. Raises InvalidInput, which names `path` and says what is wrong with it."""
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise _invalid("no JSON", path) from None
    if not isinstance(data, dict) or "baseline" not in data:
        raise _invalid("no object with a key 'baseline'", path)
    if data["baseline"] != SCHEMA:
        raise InvalidInput(
            f"'{path}' is a baseline of another version of memctl ({data['baseline']!a})", path=path, hint=MEND
        )
    salt, found = data.get("salt"), data.get("findings")
    if not isinstance(salt, str) or not _is_salt(salt):
        raise _invalid("its salt is no even number of hexadecimal digits, at least 32", path)
    if not isinstance(found, list):
        raise _invalid("it has no list 'findings'", path)
    return Baseline(salt, tuple(sorted(_entry(one, at, path) for at, one in enumerate(found, 1))))


def _is_salt(text: str) -> bool:
    return len(text) >= 32 and len(text) % 2 == 0 and all(character in "0123456789abcdef" for character in text)


def _entry(one: Any, at: int, path: str) -> Entry:
    values = [value for key in Entry._fields if isinstance(one, dict) and isinstance(value := one.get(key), str)]
    if len(values) < len(Entry._fields):
        raise _invalid(f"finding {at} has not the texts {', '.join(Entry._fields)}", path)
    return Entry(*values)


def _invalid(why: str, path: str) -> InvalidInput:
    return InvalidInput(f"'{path}' is no baseline: {why}", path=path, hint=MEND)


def written(baseline: Baseline) -> bytes:
    """Return the file of a baseline: one finding a line, sorted, so that a change of it is a small diff."""
    import json

    lines = [f"\n  {json.dumps(entry._asdict())}" for entry in sorted(baseline.entries)]
    salt = json.dumps(baseline.salt)
    end = "\n " if lines else ""
    return f'{{\n "baseline": {SCHEMA},\n "salt": {salt},\n "findings": [{",".join(lines)}{end}]\n}}\n'.encode()


def renewed(baseline: Baseline, found: Iterable[Entry], looked: Mapping[str, Scope]) -> Baseline:
    """Return a baseline that holds what a run found; what the run did not look at, place by place, stays as it was."""
    kept = [entry for entry in baseline.entries if not (entry.store in looked and looked[entry.store].has(entry))]
    return baseline._replace(entries=tuple(sorted([*kept, *found])))


class Sifted(NamedTuple):
    """The findings of a store that its baseline does not have, and the entries that answered for none."""

    new: list[Finding]
    left: list[Entry]


def sift(
    findings: Sequence[Finding], place: str, entries: Iterable[Entry], fingerprint: Callable[[Finding], str]
) -> Sifted:
    """Return what is new of the findings of a store; an entry answers for one, so of several alike the last are new."""
    known = Counter(entries)
    new = []
    for finding in findings:
        entry = entry_of(finding, place, fingerprint(finding))
        if known[entry] > 0:
            known[entry] -= 1
        else:
            new.append(finding)
    return Sifted(new, sorted(known.elements()))
