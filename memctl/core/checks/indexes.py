"""Index: MEMORY.md that is missing, stale, or written by hand."""

from __future__ import annotations

from collections.abc import Iterator

from memctl.core.checks.rule import Finding, Fix, FixKind, Severity
from memctl.core.checks.subject import CheckSettings, StoreKind, Subject
from memctl.core.dialects import hq
from memctl.core.index import entry
from memctl.core.memory import Memory, MemoryType
from memctl.core.text import decode, encode

_FIX = Fix(FixKind.REINDEX, hq.INDEX_NAME)
_DIFF_LINES = 200


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield how the index differs from the memories."""
    if subject.kind is not StoreKind.AGENT or subject.problem:
        return
    memories = subject.memories
    if subject.index_data is None:
        item = next((item for item in subject.items if item.name == hq.INDEX_NAME), None)
        problem = subject.index_problem
        # Of a link out of the store, and of a file that cannot be read, the rules on access say it.
        if problem and problem.code != "unreadable" and not (item and item.link and item.link.inside is None):
            message = f"{hq.INDEX_NAME} is {problem.reason}: move it away, then memctl reindex"
            yield Finding("I001", Severity.ERROR, hq.INDEX_NAME, message, problem.code)
        if memories and item is None:
            many = "1 memory" if len(memories) == 1 else f"{len(memories):,} memories"
            message = f"no {hq.INDEX_NAME}, with {many} in the directory"
            yield Finding("I001", Severity.WARNING, "", message, "", fix=_FIX)
        return
    wanted = subject.whole_index.text
    if subject.index_data == encode(wanted):
        return
    found = decode(subject.index_data).replace("\r\n", "\n")
    if found == wanted:
        message = "the index has other line ends than the HQ writes"
        yield Finding("I002", Severity.WARNING, hq.INDEX_NAME, message, "line ends", 1, fix=_FIX)
        return
    detail = _diff(found, wanted)
    lines = found.split("\n")
    odd = [line for line in lines if not _is_index_line(line)] or _edited_entries(lines, subject, memories)
    if odd:
        what = (
            f"of '{_entry_name(odd[0])}' it says what the memory does not"
            if odd[0][:4] == "- **"
            else "it has lines that no memory gives"
        )
        message = f"the index was edited by hand: {what}, and the next save writes it anew"
        at = lines.index(odd[0]) + 1
        yield Finding("I003", Severity.WARNING, hq.INDEX_NAME, message, odd[0], at, fix=_FIX, detail=detail)
    missing, gone = _compared(lines, wanted.split("\n"))
    told = []
    if missing:
        told.append(f"it lacks {_names(missing)}")
    if gone:
        told.append(f"it lists {_names(gone)}, not there")
    if told or not odd:
        message = "the index is stale" + (f": {' and '.join(told)}" if told else "")
        line = _first_difference(lines, wanted.split("\n"))
        yield Finding("I002", Severity.WARNING, hq.INDEX_NAME, message, " ".join(told), line, fix=_FIX, detail=detail)


def _is_index_line(line: str) -> bool:
    """Return whether the HQ could have written a line: a title, a heading, an entry, the last line of a cut index."""
    return (
        line in ("", "# Memory index", "_No memories yet._", *(f"## {kind.capitalize()}" for kind in MemoryType))
        or (line.startswith("- **") and "** — " in line)
        or (line.startswith("- …and ") and line.endswith((" more — use recall_memory", " more, not shown")))
    )


def _entry_name(line: str) -> str:
    return line.removeprefix("- **").partition("**")[0]


def _edited_entries(lines: list[str], subject: Subject, memories: list[Memory]) -> list[str]:
    """Return the entries that say something else of a memory than it does itself, though it is older than the index.

    Where the memory is the younger of the two, it was changed without the index, which is stale then.
    """
    entries = {memory.name: entry(memory) for memory in memories}
    written = {item.name: item.mtime for item in subject.items}
    index = written.get(hq.INDEX_NAME, 0)
    younger = {item.record.name for item in subject.items if isinstance(item.record, Memory) and item.mtime > index}
    return [
        line
        for line in lines
        if line.startswith("- **")
        and (name := _entry_name(line)) in entries
        and entries[name] != line
        and name not in younger
    ]


def _compared(lines: list[str], wanted: list[str]) -> tuple[list[str], list[str]]:
    here = [_entry_name(line) for line in lines if line.startswith("- **")]
    there = [_entry_name(line) for line in wanted if line.startswith("- **")]
    has, should = set(here), set(there)
    return [name for name in there if name not in has], [name for name in here if name not in should]


def _names(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3:,} more"


def _first_difference(lines: list[str], others: list[str]) -> int:
    for number, (line, other) in enumerate(zip(lines, others, strict=False), 1):
        if line != other:
            return number
    return min(len(lines), len(others))


def _diff(found: str, wanted: str) -> str:
    import difflib

    lines = difflib.unified_diff(
        found.splitlines(), wanted.splitlines(), hq.INDEX_NAME, f"{hq.INDEX_NAME} (rendered)", lineterm="", n=1
    )
    kept = [line for _, line in zip(range(_DIFF_LINES), lines, strict=False)]
    return "\n".join(kept)
