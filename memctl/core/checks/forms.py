"""Form: what a loaded memory's file says in a way that the HQ, or a person, takes for something else."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memctl.core.ages import read_date
from memctl.core.checks import naming
from memctl.core.checks.loading import field_place, head_of
from memctl.core.checks.places import place
from memctl.core.checks.rule import Finding, Fix, FixKind, Severity
from memctl.core.checks.subject import CheckSettings, Item, StoreKind, Subject
from memctl.core.dialects import hq
from memctl.core.memory import Memory, Source
from memctl.core.text import trim

if TYPE_CHECKING:
    import re

_SOURCES = frozenset(Source)
_QUOTES = "\"'"
# What git begins, parts and ends a conflict with.
_OURS, _BETWEEN, _THEIRS = b"<<<<<<<", "=======", ">>>>>>>"
# C0 without tab and the line ends, DEL, and C1.
_CONTROL_CODES = (*range(9), 11, 12, *range(14, 32), *range(127, 160))
_CONTROLS = "".join(map(chr, _CONTROL_CODES))
_ASCII_CONTROLS = bytes(code for code in _CONTROL_CODES if code < 128)


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield what is wrong with the form of each file, and of their names together."""
    latest = settings.today + timedelta(days=1)  # somewhere it is tomorrow already
    agent = subject.kind is StoreKind.AGENT
    strays = subject.strays
    for item in subject.items:
        if item.text is None or item.data is None or item.name in strays:
            continue
        record = item.record
        if agent and record is None:
            continue
        if b"<" in item.data and _OURS in item.data:  # a search for one character costs nearly nothing
            yield from _merge_conflict(item)
        if type(record) is Memory:
            if not _dates_are_good(record.created, record.updated, latest):
                yield from _dates(item, record, latest)
            # As the HQ itself writes it: most are, and then nothing is wrong with the form.
            written = hq.is_serialized(item.text, record) and "\r" not in item.text
            if written and record.description and record.content:
                if _may_have_odd_bytes(item.data, item.text):
                    yield from _bytes(item)
                # Agents write numbers and the like behind a #, but no quotes around all.
                if record.description[0] in _QUOTES and (kept := _kept(record.description, comments=False)):
                    line, column, length, value = field_place(head_of(item), "description")
                    message = f"the HQ keeps {kept} in the description"
                    yield Finding("F011", Severity.INFO, item.name, message, value, line, column, length)
                continue
            yield from _fields(item, record)
        yield from _bytes(item)
        yield from _line_ends(item)
        # CodeWhale does not look at the last line before it appends a note; what writes the native tree does.
        if not agent and item.data and not item.data.endswith(b"\n") and not (subject.user and subject.user.native):
            yield _end(item, "no line feed at its end: CodeWhale glues the next note to the last line")
    if agent:
        yield from naming.check(subject)


@lru_cache(maxsize=8192)
def _dates_are_good(created: str, updated: str, latest: date) -> bool:
    first, last = read_date(created), read_date(updated)
    return first is not None and last is not None and first <= last <= latest


def _dates(item: Item, record: Memory, latest: date) -> Iterator[Finding]:
    head = head_of(item)
    days = {}
    for key, text in (("created", record.created), ("updated", record.updated)):
        line, column, length, value = field_place(head, key)
        day = read_date(text)
        if day is None:
            if not value:
                message = f"no '{key}' date: the HQ takes {'today' if key == 'created' else 'that of created'}"
            else:
                message = f"'{key}' is '{_short(value)}', not a date (YYYY-MM-DD)"
            yield Finding("F006", Severity.WARNING, item.name, message, f"{key}:{value}", line, column, length)
        elif day > latest:
            message = f"'{key}' is {text}, in the future"
            yield Finding("F007", Severity.WARNING, item.name, message, f"{key}:{text}", line, column, length)
        days[key] = (day, line, column, length)
    created, (updated, line, column, length) = days["created"][0], days["updated"]
    if created and updated and created > updated:
        message = f"updated {record.updated} is before created {record.created}"
        evidence = f"{record.created}:{record.updated}"
        yield Finding("F008", Severity.WARNING, item.name, message, evidence, line, column, length)


def _fields(item: Item, record: Memory) -> Iterator[Finding]:
    """Yield what is wrong with the fields of a file that is not as the HQ writes it."""
    head = head_of(item)
    seen: dict[str, int] = {}
    fields = hq.scan(head)
    for key, _, start, _ in fields:
        line = start + 2
        width = len(key)
        shown = key if len(key) <= 40 else key[:39] + "…"
        if key in seen:
            message = f"the key '{shown}' stands a second time (first on line {seen[key]}); the last one counts"
            yield Finding("F009", Severity.WARNING, item.name, message, key, line, 1, width)
        elif key not in hq.KEYS:
            message = f"the HQ does not know the key '{shown}', and drops it at the next save"
            yield Finding("F010", Severity.INFO, item.name, message, key, line, 1, width)
        seen.setdefault(key, line)
    yield from _description(item, record, head, fields)
    line, column, length, value = field_place(head, "source")
    if value not in _SOURCES:
        message = f"the source '{_short(value)}' is none of {', '.join(Source)}; the HQ takes it for agent"
        if not value:
            message = "no source; the HQ takes it for agent"
        yield Finding("F005", Severity.WARNING, item.name, message, value, line, column, length)
    if not record.content:
        yield Finding("F018", Severity.WARNING, item.name, "the memory has no content", "", len(head) + 2)


def _description(item: Item, record: Memory, head: list[str], fields: list[hq.Field]) -> Iterator[Finding]:
    """Yield that the HQ reads another description than a person who reads the head as YAML, or none."""
    line, column, length, _ = field_place(head, "description")
    severity, raw, read = Severity.WARNING, "", _short(record.description.partition("\n")[0])
    if column is None:
        message = "no description"
    else:
        at = max(at for at, field in enumerate(fields) if field[0] == "description")
        end, stop = fields[at][3], fields[at + 1][2] if at + 1 < len(fields) else len(head)
        raw = trim(head[line - 2].partition(":")[2])
        if skipped := [number for number in range(end, stop) if trim(head[number])[:1] not in ("", "#")]:
            which = f"line {skipped[0] + 2}" if len(skipped) == 1 else f"lines {skipped[0] + 2} to {skipped[-1] + 2}"
            what = f"'{read}' as the description" if read else "no description"
            message = f"the HQ reads {what}, and skips {which}: a value is one line, or a block below | or >"
        elif not record.description:
            what = "a list" if raw[:1] == "[" or fields[at][1] else "the mark of a block" if raw else ""
            message = f"the HQ reads the description '{_short(raw)}' as {what}, and loses it"
            message = message if what else "the description is empty"
        elif kept := _kept(raw, comments=True):
            severity, message = Severity.INFO, f"the HQ keeps {kept} in the description"
        else:
            return
    yield Finding("F011", severity, item.name, message, raw, line, column, length)


def _short(text: str) -> str:
    """Return a text for a message: a long one ends with a word, since half a secret is not known for one."""
    return text if len(text) <= 40 else text[:40].rpartition(" ")[0] + "…"


def _kept(raw: str, *, comments: bool) -> str:
    """Return what of a value is no part of it in YAML, and is for the HQ; '' mostly."""
    quote = raw[0]
    if quote in _QUOTES and len(raw) > 1 and raw[-1] == quote:
        inner = raw[1:-1].replace("''" if quote == "'" else '\\"', "")
        if quote not in inner:
            return "the quotes"
    if comments and quote not in _QUOTES and " # " in raw:
        return f"the comment '{_short(raw[raw.index(' # ') + 1 :])}'"
    return f"the word '{raw}'" if raw.lower() in ("null", "~") else ""


def _bytes(item: Item) -> Iterator[Finding]:
    """Yield bytes that are not UTF-8, and control characters: of each kind the first, with their number."""
    data, text = item.data or b"", item.text or ""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        begin = data.rfind(b"\n", 0, error.start) + 1
        line = data.count(b"\n", 0, begin) + 1
        column = len(data[begin : error.start].decode("utf-8", "replace")) + 1
        bad = " ".join(f"{byte:02X}" for byte in data[error.start : error.end][:4])
        message = f"byte {error.start:,} ({bad}) is not UTF-8"
        yield Finding("F015", Severity.ERROR, item.name, message, bad, line, column, 1)
    found: dict[str, list[int]] = {}
    for match in _control_pattern().finditer(text):
        found.setdefault(match[0], []).append(match.start())
    for character, offsets in found.items():
        line, column = place(text, offsets[0])
        times = f", {len(offsets):,} times" if len(offsets) > 1 else ""
        message = f"the control character U+{ord(character):04X}{times}"
        yield Finding("F014", Severity.WARNING, item.name, message, f"U+{ord(character):04X}", line, column, 1)


def _may_have_odd_bytes(data: bytes, text: str) -> bool:
    """Return whether a file has a control character or bytes that are not UTF-8; now and then one that has none."""
    # In UTF-8 the controls of C1 are C2 80 to C2 9F.
    other = not data.isascii() and ("\ufffd" in text or (b"\xc2" in data and _control_pattern().search(text)))
    return bool(other) or len(data.translate(None, _ASCII_CONTROLS)) < len(data)


@cache
def _control_pattern() -> re.Pattern[str]:
    import re

    return re.compile(f"[{re.escape(_CONTROLS)}]")


def _merge_conflict(item: Item) -> Iterator[Finding]:
    """Yield that a file has conflicts of a merge, at the first: its three lines in their order."""
    marks = (_OURS.decode(), _BETWEEN, _THEIRS)
    begun: list[int] = []
    conflicts: list[list[int]] = []
    for number, line in enumerate((item.text or "").split("\n"), 1):
        mark = line[:7]
        if mark not in marks or line[7:8] not in ("", " ", "\r") or (mark == _BETWEEN and line[7:].strip()):
            continue
        if mark == marks[0]:
            begun = [number]
        elif mark == marks[len(begun)] and begun:
            begun.append(number)
            if len(begun) == len(marks):
                conflicts.append(begun)
                begun = []
    if conflicts:
        first, between, last = conflicts[0]
        more = f"; {len(conflicts) - 1:,} more below" if len(conflicts) > 1 else ""
        message = f"a merge conflict that nobody resolved: lines {first}, {between} and {last} mark it{more}"
        yield Finding("F019", Severity.WARNING, item.name, message, "conflict", first, 1, len(marks[0]))


def _line_ends(item: Item) -> Iterator[Finding]:
    data = item.data or b""
    if b"\r" in data:
        total, both = data.count(b"\n"), data.count(b"\r\n")
        lone = data.count(b"\r") - both
        fix = Fix(FixKind.LINE_ENDS, item.name) if not lone else None
        if both == total and not lone:
            yield Finding("F012", Severity.INFO, item.name, "CRLF line ends", "crlf", 1, fix=fix)
        else:
            counts = f"{both:,} CRLF, {total - both:,} LF" + (f", {lone:,} lone CR" if lone else "")
            at = _first_odd(data, crlf=both > total - both)
            message = f"mixed line ends: {counts}"
            yield Finding("F013", Severity.WARNING, item.name, message, "mixed", at, fix=fix)
    if isinstance(item.record, Memory) and item.text and item.record.content and not _ends_well(item.text):
        what = "more than one line feed at its end" if item.text.endswith("\n") else "no line feed at its end"
        yield _end(item, what)


def _end(item: Item, message: str) -> Finding:
    last = (item.text or "").rstrip("\n").count("\n") + 1
    return Finding("F016", Severity.INFO, item.name, message, "end", last, fix=Fix(FixKind.FINAL_NEWLINE, item.name))


def _ends_well(text: str) -> bool:
    return text.endswith("\n") and not text.endswith(("\n\n", "\n\r\n"))


def _first_odd(data: bytes, *, crlf: bool) -> int:
    """Return the first line whose end is not that of most lines."""
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        if line.endswith(b"\r") is not crlf or b"\r" in line.removesuffix(b"\r"):
            return number
    return data.count(b"\n") + 1
