"""Not loaded: files that the HQ skips without a word, and would overwrite at the next save."""

from __future__ import annotations

from collections.abc import Iterator

from memctl.core.checks.rule import Finding, Fix, FixKind, Severity
from memctl.core.checks.subject import CheckSettings, Item, Subject
from memctl.core.dialects import hq
from memctl.core.limits import is_name
from memctl.core.memory import MemoryType, NotLoaded
from memctl.core.nearest import nearest
from memctl.core.text import trim

_RULES = {
    "no-front-matter": "N001",
    "unclosed-front-matter": "N002",
    "bom": "N003",
    "bad-type": "N004",
    "no-type": "N005",
    "bad-name": "N006",
    "not-a-file": "N007",
    "dangling-link": "N007",
}
# What people write for a type elsewhere, and which of the four it is.
_TYPES = {
    "note": MemoryType.REFERENCE,
    "notes": MemoryType.REFERENCE,
    "link": MemoryType.REFERENCE,
    "doc": MemoryType.REFERENCE,
    "resource": MemoryType.REFERENCE,
    "report": MemoryType.REFERENCE,
    "todo": MemoryType.PROJECT,
    "task": MemoryType.PROJECT,
    "plan": MemoryType.PROJECT,
    "goal": MemoryType.PROJECT,
    "decision": MemoryType.PROJECT,
    "fact": MemoryType.PROJECT,
    "person": MemoryType.USER,
    "profile": MemoryType.USER,
    "preference": MemoryType.FEEDBACK,
    "preferences": MemoryType.FEEDBACK,
    "correction": MemoryType.FEEDBACK,
    "rule": MemoryType.FEEDBACK,
    "style": MemoryType.FEEDBACK,
}


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield why each memory's file that the HQ skips is skipped, and what mends it."""
    for item in subject.items:
        if isinstance(item.record, NotLoaded) and item.record.code in _RULES and item.name not in subject.strays:
            yield _finding(item, item.record)


def _finding(item: Item, problem: NotLoaded) -> Finding:
    rule = _RULES[problem.code]
    line, column, length = 1, None, 0
    reason, evidence, fix = problem.reason, problem.code, None
    if item.data == b"":
        reason = "the file is empty"
    elif rule == "N003":
        fix = Fix(FixKind.BOM, item.name)
    elif rule in ("N004", "N005", "N006"):
        head = head_of(item)
        line, column, length, value = field_place(head, "name" if rule == "N006" else "type")
        evidence = value
        if rule != "N006":
            line = _nested_line(head) if rule == "N005" and value == "" else line
            if advice := _type_meant(value):
                reason += f"; did you mean '{advice}'?"
        elif advice := _name_meant(value):
            reason += f"; did you mean '{advice}'?"
    has_line = item.text is not None
    return Finding(
        rule,
        Severity.ERROR,
        item.name,
        f"the HQ does not load it: {reason}",
        evidence,
        line if has_line else None,
        column if has_line else None,
        length,
        fix,
    )


def head_of(item: Item) -> list[str]:
    """Return the lines of the front matter of a file, none where it has none."""
    parts = hq.split(item.text or "")
    return [] if isinstance(parts, NotLoaded) else parts.head


def field_place(head: list[str], key: str) -> tuple[int, int | None, int, str]:
    """Return line, column and length of the value of a key of a head, and the value as text; line 1 where it is not there.

    Of a key that stands twice the last one, which counts.
    """
    found: tuple[int, int | None, int, str] = (1, None, 0, "")
    for name, value, start, _ in hq.scan(head):
        if name == key:
            line = head[start]
            label, _, rest = line.partition(":")
            text = trim(rest)
            shown = value if isinstance(value, str) else text or ", ".join(value)
            found = (start + 2, len(label) + 1 + rest.find(text) + 1, len(text), shown)
    return found


def _nested_line(head: list[str]) -> int:
    for at, line in enumerate(head):
        if line[:1] in (" ", "\t") and trim(line).startswith("type:"):
            return at + 2
    return 1


def _bare(value: str) -> str:
    """Return a value without quotes, comment and the like, as somebody meant it who thinks that it is YAML."""
    return value.partition(" #")[0].strip(" \t\"'`[]").lower()


def _type_meant(value: str) -> str | None:
    bare = _bare(value)
    if not bare:
        return None
    return _TYPES.get(bare) or nearest(bare, [*MemoryType])


def _name_meant(value: str) -> str | None:
    """Return a legal name made of a wrong one, None where nothing is left."""
    letters = [character if character.isascii() and character.isalnum() else "-" for character in _bare(value)]
    name = "-".join(part for part in "".join(letters).split("-") if part)[:64].rstrip("-")
    return name if is_name(name) else None
