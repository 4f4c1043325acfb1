"""The units of hygiene: each memory, and each note of the user memory, with its texts and where they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from memctl.core.checks.places import Places
from memctl.core.checks.prompts.folding import Folded, fold, shown
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.subject import Item, StoreKind, Subject
from memctl.core.dialects import notes
from memctl.core.memory import Memory


class Part(NamedTuple):
    """A text of a unit, and at which offset of the file it begins."""

    text: str
    start: int


class Unit(NamedTuple):
    """A memory or a note.

    `label` is what a person calls it: the file, or `note 3`; `name` is the stem of the file, '' of a note. `day` is the text
    of the date of its last update, '' where it has none. `content` is its last part, `description` the first of two.
    """

    file: str
    label: str
    name: str
    day: str
    parts: tuple[Part, ...]
    head: str
    record: Memory | None
    place: Places

    @property
    def content(self) -> Part:
        """What the memory says."""
        return self.parts[-1]

    @property
    def description(self) -> Part | None:
        """What the index says of it; notes have none."""
        return self.parts[0] if len(self.parts) > 1 else None


def units(subject: Subject) -> Iterator[Unit]:
    """Yield the loaded memories of an agent, or the notes of a user memory. An alias is no unit of its own."""
    if subject.kind is StoreKind.USER:
        for item in subject.items:
            yield from _notes(item)
        return
    for item in subject.items:
        if type(item.record) is Memory and item.text is not None and (item.link is None or item.link.inside is None):
            yield _memory(item, item.record, item.text)


def _memory(item: Item, record: Memory, text: str) -> Unit:
    close = text.find("\n---", 3)
    head = text[:close]
    key = head.rfind("\ndescription:")
    start = head.find(":", key) + 1
    end = head.find("\n", start)
    description = Part(head[start:] if end < 0 else head[start:end], start) if key >= 0 else Part("", 0)
    body = text[close + 4 :]
    content = Part(body.rstrip(), close + 4)
    return Unit(item.name, item.name, item.stem, record.last_update, (description, content), head, record, Places(text))


def _notes(item: Item) -> Iterator[Unit]:
    if item.data is None or item.text is None:
        return
    place = Places(item.text)
    lines = item.text.split("\n")
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line) + 1)
    for note in notes.read_notes(item.data):
        count = note.text.count("\n") + 1
        first, last = note.line - 1, note.line - 1 + count
        shift = len(lines[first].removesuffix("\r")) - len(note.text.partition("\n")[0])
        start = begins[first] + shift
        text = item.text[start : begins[last] - 1]
        label = f"note {note.number}"
        yield Unit(item.name, label, "", (note.stamp or "")[:10], (Part(text.rstrip(), start),), "", None, place)


def finding(
    unit: Unit,
    rule: str,
    severity: Severity,
    message: str,
    evidence: str,
    offset: int | None = None,
    length: int = 0,
    related: tuple[str, ...] = (),
) -> Finding:
    """Return a finding in a unit: at an offset of the file, else where the content begins."""
    if offset is None:
        text = unit.content.text
        line, _ = unit.place(unit.content.start + len(text) - len(text.lstrip()))
        return Finding(rule, severity, unit.file, message, evidence, line, related=related)
    line, column = unit.place(offset)
    return Finding(rule, severity, unit.file, message, evidence, line, column, length, related=related)


def quoted(text: str) -> str:
    """Return a piece of stored text for a message, in quotes."""
    return f"'{shown(text)}'"


def without_code(text: str) -> str:
    """Return a text with what stands in code as blanks: `[[ -f x ]]` is no link there."""
    if "`" not in text:
        return text
    import re

    return re.sub(r"```.*?(?:```|\Z)|`[^`\n]{0,200}`", lambda match: " " * len(match[0]), text, flags=re.S)


def lowered(text: str) -> Folded:
    """Return a text in lower case and with plain apostrophes, as the patterns of hygiene are written."""
    return fold(text.replace("’", "'"))
