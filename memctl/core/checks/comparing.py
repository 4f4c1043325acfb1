"""Comparison: a store as it is against what it was before, and what it lost since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from memctl.core.checks.places import place
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.subject import Item, Kind, Link, StoreKind, Subject
from memctl.core.dialects import hq
from memctl.core.memory import Memory
from memctl.core.text import decode, in_order, trim

# A memory shrank when it lost more than half of its lines, and so many at least, or of its characters: a short one is
# written anew every day.
_LINES = 5
_CHARACTERS = 200


class Was(NamedTuple):
    """One name of a store as it was: what it was, its bytes (None: not kept), and where it led if it was a symlink."""

    name: str
    kind: Kind
    data: bytes | None
    target: str | None = None


class Earlier(NamedTuple):
    """A store as it was, with modes, owners and registry as they are; how many files differ in line ends only.

    `same` is set where no file differs in more.
    """

    subject: Subject
    line_ends: int
    same: bool


class Lost(NamedTuple):
    """What a store lost: findings, how many memories are gone, and how many there were."""

    findings: list[Finding]
    removed: int
    total: int


def earlier(now: Subject, names: Iterable[Was]) -> Earlier:
    """Return the store that had these names.

    What no copy and no git keeps is as it is now: modes, owners, times, what the registry says. So a finding about them
    is new where the file is. A file that differs in line ends only counts as it is, since a checkout may convert them.
    """
    here = {item.name: item for item in now.items}
    there = {was.name: was for was in names}
    line_ends = 0
    items = {}
    for name, was in there.items():
        item = here.get(name)
        kept = _kept(item, was)
        if kept is None:
            kept = _made(was, item, now, there)
        elif kept.data is not None and was.data is not None and kept.data != was.data:
            line_ends += 1
        items[name] = kept
    taken = hq.memory_files(items)
    order = [*taken, *in_order([name for name in items if name not in set(taken)])]
    found = [items[name] for name in order]
    index = items.get(hq.INDEX_NAME)
    subject = now._replace(items=found, index_data=index.data if index else None)
    return Earlier(subject, line_ends, len(found) == len(here) and all(here.get(item.name) is item for item in found))


def _kept(item: Item | None, was: Was) -> Item | None:
    """Return the item of today where the name is what it was, None where it is not."""
    if item is None or item.kind is not was.kind:
        return None
    if was.kind is Kind.SYMLINK:
        return item if item.link is not None and item.link.target == was.target else None
    if was.kind is not Kind.FILE:
        return item
    if item.data == was.data or (item.data and was.data and _lf(item.data) == _lf(was.data)):
        # A second name of the index is nothing that a copy or git keeps.
        return item if item.link is None else item._replace(link=None)
    return None


def _lf(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _made(was: Was, item: Item | None, now: Subject, there: dict[str, Was]) -> Item:
    data, link = was.data, None
    if was.kind is Kind.SYMLINK:
        target = was.target or ""
        inside = there.get(target)
        link = Link(target, target if inside else None)
        data = inside.data if inside else None
    text = None if data is None else decode(data)
    memory = now.kind is StoreKind.AGENT and was.name.endswith(".md") and was.name != hq.INDEX_NAME
    record = hq.parse(text, was.name[:-3]) if memory and text is not None else None
    mode, uid, mtime = (item.mode, item.uid, item.mtime) if item else (0o600, now.uid, 0.0)
    return Item(was.name, data, text, record, was.kind, mode, uid, mtime, link)


def lost(before: Subject, now: Subject, since: str) -> Lost:
    """Return what a store lost since `since`, the word for the state before: memories, or most of the text of one.

    A memory that stands under another name now is not lost. Of a store that cannot be read nothing is said: that is a
    finding of its own.
    """
    if now.problem:
        return Lost([], 0, 0)
    loaded = {item.name: item.record for item in before.items if type(item.record) is Memory}
    here = {item.name: item for item in now.items}
    texts = {_text_of(item) for item in now.items}
    gone = [name for name, memory in loaded.items() if name not in here and _said(memory) not in texts]
    found = []
    if gone:
        # The index is a file that a report can point to; it lists what was there.
        index = here.get(hq.INDEX_NAME)
        file, line = (hq.INDEX_NAME, 1) if index is not None and index.text is not None else ("", None)
        verb = "is" if len(gone) == 1 else "are"
        message = f"{len(gone):,} of {len(loaded):,} memories {verb} gone since '{since}': {_names(gone)}"
        found.append(
            Finding("C001", Severity.ERROR, file, message, "\n".join(gone), line, related=tuple(gone)),
        )
    found += _shrunk(before, here, since)
    return Lost(found, len(gone), len(loaded))


def _said(memory: Memory) -> tuple[str, str]:
    return memory.description, memory.content


def _text_of(item: Item) -> tuple[str, str] | None:
    return _said(item.record) if isinstance(item.record, Memory) else None


def _names(files: list[str]) -> str:
    shown = ", ".join(f"'{file.removesuffix('.md')}'" for file in files[:3])
    return shown if len(files) <= 3 else f"{shown} and {len(files) - 3:,} more"


def _shrunk(before: Subject, here: dict[str, Item], since: str) -> Iterator[Finding]:
    for old in before.items:
        new = here.get(old.name)
        if new is old or (before.kind is StoreKind.AGENT and not isinstance(old.record, Memory)):
            continue
        if old.text is None or (new is not None and new.text is None):
            continue
        if new is None and before.kind is StoreKind.AGENT:
            continue
        text = "" if new is None or new.text is None else new.text
        how = _how(_body(old, old.text), _body(new, text))
        if how is not None:
            body = _body(new, text)
            line = place(text, text.rfind(body))[0] if body else 1
            message = f"the text shrank {how} since '{since}'"
            yield Finding("C002", Severity.ERROR, old.name, message, "shrunk", line)


def _body(item: Item | None, text: str) -> str:
    """Return what a memory says; of a file that the HQ does not load, and of a user memory, all of it."""
    return item.record.content if item is not None and isinstance(item.record, Memory) else trim(text)


def _how(old: str, new: str) -> str | None:
    """Return by how much a text shrank, None where it did not."""
    if old and not new:
        return "to nothing"
    lines, left = _lines(old), _lines(new)
    if lines - left >= _LINES and left * 2 < lines:
        return f"from {lines:,} lines to {left:,}"
    if len(old) - len(new) >= _CHARACTERS and len(new) * 2 < len(old):
        return f"from {len(old):,} characters to {len(new):,}"
    return None


def _lines(text: str) -> int:
    return sum(1 for line in text.split("\n") if trim(line))
