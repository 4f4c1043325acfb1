"""Subjects for the rules: a store made of names and texts, without a disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from memctl.core.checks.engine import check_store
from memctl.core.checks.rule import Finding
from memctl.core.checks.subject import CheckSettings, Item, Kind, StoreKind, Subject
from memctl.core.checks.table import RULES
from memctl.core.dialects import hq
from memctl.core.index import render_index
from memctl.core.memory import Memory, MemoryType, Source
from memctl.core.text import decode, encode

TODAY = date(2026, 11, 30)
EVERY = CheckSettings(TODAY, frozenset(rule.code for rule in RULES))


def a_memory(name: str = "api-migration", **changes: Any) -> Memory:
    """Return a memory that breaks no rule."""
    plain = Memory(
        name,
        f"Move {name} to the new payments API",
        MemoryType.PROJECT,
        Source.AGENT,
        "2026-10-01",
        "2026-11-01",
        f"The {name} service moves by the end of the quarter.",
    )
    return plain._replace(**changes)


def an_item(name: str, data: bytes | str | None, **changes: Any) -> Item:
    """Return one name of a store as the disk gives it."""
    if isinstance(data, str):
        data = data.encode()
    text = None if data is None else decode(data)
    memory = name.endswith(".md") and name != hq.INDEX_NAME
    record = hq.parse(text, name[:-3]) if memory and text is not None else None
    return Item(name, data, text, record, Kind.FILE, 0o600, 1000, 0.0)._replace(**changes)


def a_subject(
    files: Mapping[str, bytes | str | Memory] | None = None,
    *,
    items: Iterable[Item] = (),
    index: bytes | str | None = "",
    **changes: Any,
) -> Subject:
    """Return a store with these files; `index` '' is the one that the HQ would render, None is none."""
    made = [
        an_item(name, hq.write(content) if isinstance(content, Memory) else content)
        for name, content in (files or {}).items()
    ]
    made += items
    order = hq.memory_files([item.name for item in made])
    made.sort(key=lambda item: order.index(item.name) if item.name in order else len(order))
    if index == "":
        index = render_index([item.record for item in made if isinstance(item.record, Memory)]).text
    data = encode(index) if isinstance(index, str) else index
    if data is not None:
        made.append(an_item(hq.INDEX_NAME, data))
    plain = Subject(StoreKind.AGENT, "1a2b3c4d", "/hq/memory/1a2b3c4d", made, data, 0o700, 1000)
    return plain._replace(**changes)


def user_memory(data: bytes | str, **changes: Any) -> Subject:
    """Return a user memory with this text."""
    item = an_item("memory.md", data)._replace(record=None)
    return Subject(StoreKind.USER, "@user", "/home/ada/.deepseek/memory.md", (item,), None, 0o700, 1000)._replace(
        **changes
    )


def found(subject: Subject, code: str, settings: CheckSettings = EVERY) -> list[Finding]:
    """Return the findings of one rule."""
    return [finding for finding in check_store(subject, settings).findings if finding.rule == code]


def codes(subject: Subject, letters: str = "NFLIAR", settings: CheckSettings = EVERY) -> list[str]:
    """Return the codes of the findings of some families, in order."""
    return [finding.rule for finding in check_store(subject, settings).findings if finding.rule[0] in letters]
