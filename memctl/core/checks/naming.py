"""Names: files that are not called what their memory calls itself, that share a name, or that are no memories."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from memctl.core.checks.loading import field_place, head_of
from memctl.core.checks.rule import Finding, Fix, FixKind, Severity
from memctl.core.checks.subject import Item, Kind, Subject
from memctl.core.dialects import hq
from memctl.core.legacy import MARKER_NAME
from memctl.core.memory import Memory


def check(subject: Subject) -> Iterator[Finding]:
    """Yield what is wrong with the names in an agent's directory, those of stray files included."""
    yield from _names(subject)
    odd = subject.misnamed
    if not odd:
        return
    files = _Files(subject)
    for item in odd:
        if type(item.record) is Memory and item.name not in subject.strays:
            yield _name_differs(item, item.record, files)
    yield from _strays(odd, subject, files)


class _Files:
    """The files of a store by their names, and by those of their memories; made when the first is asked for."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    @cached_property
    def by_name(self) -> dict[str, list[Item]]:
        """Each name that a loaded memory calls itself, with its files."""
        found: dict[str, list[Item]] = {}
        for item in self._subject.items:
            if isinstance(item.record, Memory):
                found.setdefault(item.record.name, []).append(item)
        return found

    @cached_property
    def by_case(self) -> dict[str, list[Item]]:
        """Each file name in lower case, with its files."""
        found: dict[str, list[Item]] = {}
        for item in self._subject.items:
            found.setdefault(item.name.lower(), []).append(item)
        return found

    @cached_property
    def kept(self) -> set[str]:
        """The names of memories that have a file which is no stray."""
        strays = self._subject.strays
        return {name for name, items in self.by_name.items() if any(item.name not in strays for item in items)}

    @cached_property
    def stems(self) -> set[str]:
        """What the files that are no strays are called, without `.md`, and the index."""
        strays = self._subject.strays
        files = [item.stem for item in self._subject.items if item.record is not None and item.name not in strays]
        return {*files, hq.INDEX_NAME[:-3]}


def _name_differs(item: Item, record: Memory, files: _Files) -> Finding:
    line, column, length, _ = field_place(head_of(item), "name")
    to = f"{record.name}.md"
    taken = [other for other in files.by_case.get(to.lower(), ()) if other is not item]
    same = [other for other in files.by_name[record.name] if other is not item]
    # A rename that was cut short leaves the file under both names.
    twin = taken == same and len(same) == 1 and same[0].name == to and same[0].data == item.data
    may = item.kind is Kind.FILE and (twin or not (taken or same))
    return Finding(
        "F001",
        Severity.WARNING,
        item.name,
        f"the name '{record.name}' is not that of the file, '{item.stem}'",
        record.name,
        line,
        column,
        length,
        Fix(FixKind.RENAME, item.name, to) if may else None,
    )


def _names(subject: Subject) -> Iterator[Finding]:
    """Yield names that two files share, files whose names differ in case only, and a memory named memory."""
    files, memories = [item for item in subject.items if item.record is not None], subject.memories
    loaded = [item for item in files if type(item.record) is Memory]
    if strays := subject.strays:
        files = [item for item in files if item.name not in strays]
        loaded = [item for item in loaded if item.name not in strays]
        memories = [item.record for item in loaded if isinstance(item.record, Memory)]
    for name, items in _shared(loaded, [memory.name for memory in memories]):
        for item in items:
            related = tuple(other.name for other in items if other is not item)
            others = ", ".join(f"'{file}'" for file in related)
            line, column, length, _ = field_place(head_of(item), "name")
            message = f"the name '{name}' is that of {others} too"
            yield Finding("F002", Severity.ERROR, item.name, message, name, line, column, length, related=related)
    lower = [item.name.lower() for item in files]
    for name, items in _shared(files, lower):
        for item in items:
            related = tuple(other.name for other in items if other is not item)
            others = ", ".join(f"'{file}'" for file in related)
            message = f"'{item.name}' differs from {others} in case only"
            yield Finding("F003", Severity.WARNING, item.name, message, name, 1, related=related)
    for item in [item for item, low in zip(files, lower, strict=True) if low == "memory.md"]:
        message = f"where case does not count, '{item.name}' is the index MEMORY.md, and the next save overwrites it"
        yield Finding("F004", Severity.WARNING, item.name, message, item.name, 1)


def _shared(items: list[Item], names: list[str]) -> Iterable[tuple[str, list[Item]]]:
    """Return each name that several items have, with these; in most stores there is none."""
    if len(set(names)) == len(names):
        return ()
    groups: dict[str, list[Item]] = {}
    for item, name in zip(items, names, strict=True):
        groups.setdefault(name, []).append(item)
    return [(name, group) for name, group in groups.items() if len(group) > 1]


def _strays(odd: list[Item], subject: Subject, files: _Files) -> Iterator[Finding]:
    memories = {item.name.lower() for item in subject.items if item.record is not None}
    memories.add(hq.INDEX_NAME.lower())
    for item in odd:
        if (stray := subject.strays.get(item.name)) is not None:
            yield _stray(item, subject, files, stray.kind)
            continue
        if item.record is not None or item.link is not None or item.name in (hq.INDEX_NAME, MARKER_NAME):
            continue
        if item.name.startswith(".") and (item.kind is Kind.DIRECTORY or item.name.startswith(".git")):
            continue  # what a version control or an editor keeps for itself
        low = item.name.lower()
        if low.endswith((".md", ".markdown")):
            yield _stray(item, subject, files, "the HQ reads only names that end in .md, in lower case")
        elif any(low[: at + 3] in memories for at in range(len(low)) if low.startswith(".md", at)):
            yield _stray(item, subject, files, "a copy of a memory")
        else:
            kind = "a directory; the HQ reads nothing in it" if item.kind is Kind.DIRECTORY else "no memory"
            yield _stray(item, subject, files, kind, Severity.INFO)


def _stray(item: Item, subject: Subject, files: _Files, kind: str, severity: Severity = Severity.WARNING) -> Finding:
    told, fix = "", None
    if item.kind is Kind.FILE and item.data is not None:
        fix = Fix(FixKind.QUARANTINE, item.name)
    if type(item.record) is Memory:
        told = ", which the HQ takes for a memory"
        name = item.record.name
        # The last file of a memory is never taken out; it can get the memory's name where that is free.
        if name not in files.kept:
            to = f"{name}.md"
            told += f"; no other file has '{name}'"
            free = len(files.by_name[name]) == 1 and to not in files.by_case
            fix = Fix(FixKind.RENAME, item.name, to) if free and item.kind is Kind.FILE else None
    elif item.record is not None and (stray := subject.strays.get(item.name)) and not stray.base:
        # Nothing of it is lost where the file that it copies is there.
        fix = fix if _has_original(item.stem, files.stems) else None
    line = 1 if item.text is not None else None
    return Finding("F017", severity, item.name, f"a stray file: {kind}{told}", kind, line, fix=fix)


def _has_original(copy: str, stems: set[str]) -> bool:
    """Return whether a file is there with whose name that of a copy begins or ends."""
    cuts = [at for at, character in enumerate(copy) if not (character.isalnum() or character == "-")]
    return any(copy[:at] in stems or copy[at + 1 :] in stems for at in cuts)
