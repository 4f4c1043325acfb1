"""The user memory of CodeWhale's first era: one Markdown file of stamped bullets (spec/codewhale.md 1)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from memctl.core.ages import read_date
from memctl.errors import InvalidInput, NotFound

# Rust's White_Space, which is neither Python's nor JavaScript's (spec/codewhale.md 1.2).
WHITESPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
LIMIT = 100 * 1024  # bytes

_MARKERS = ("-", "*", "+")
_STAMP = len("(2026-01-31 10:30 UTC) ")
_BOM = "\ufeff"


class Note(NamedTuple):
    """One bullet of the user memory.

    `number` counts from 1, `line` is its first line, from 1. `stamp` is the text of its stamp without the brackets,
    None where it was written by hand. `text` is what follows, with its further lines as they stand in the file.
    `start` and `end` are its bytes in the file, its last line end included.
    """

    number: int
    line: int
    stamp: str | None
    text: str
    start: int
    end: int


def trim(text: str) -> str:
    """Return `text` without Rust's white space at both ends."""
    return text.strip(WHITESPACE)


def read_notes(data: bytes) -> list[Note]:
    """Return the notes of a user-memory file; bytes that are not UTF-8 are U+FFFD in their text. Never raises.

    A note begins with a bullet at the start of a line. It goes on over the lines below it up to a blank line, another
    bullet or a heading, and past blank lines where what follows is indented, as in Markdown.
    """
    lines = _lines(data)
    notes: list[Note] = []
    at = 0
    while at < len(lines):
        first = lines[at]
        body = _bullet(first.text if at else first.text.removeprefix(_BOM))
        if body is None:
            at += 1
            continue
        last = _last_line(lines, at)
        stamp, text = _stamped(body)
        text = "\n".join([text, *(line.text for line in lines[at + 1 : last + 1])])
        start = first.start + (len(_BOM.encode()) if at == 0 and first.text.startswith(_BOM) else 0)
        notes.append(Note(len(notes) + 1, at + 1, stamp, text, start, lines[last].end))
        at = last + 1
    return notes


def lines_outside(data: bytes, notes: list[Note]) -> int:
    """Return how many lines that are not blank belong to none of the notes: headings, prose."""
    return sum(bool(trim(line.text.removeprefix(_BOM))) for line in _lines(drop(data, notes)))


class _Line(NamedTuple):
    text: str
    start: int
    end: int


def _lines(data: bytes) -> list[_Line]:
    lines = []
    start = 0
    # Not bytes.splitlines(), to which a lone CR is a line end.
    parts = data.split(b"\n")
    for raw in [*(part + b"\n" for part in parts[:-1]), *filter(None, parts[-1:])]:
        end = start + len(raw)
        lines.append(_Line(raw.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8", "replace"), start, end))
        start = end
    return lines


def _bullet(line: str) -> str | None:
    """Return what stands behind the marker of a bullet, None where the line begins none."""
    if line[:1] in _MARKERS and line[1:2] in (" ", "\t"):
        return line[2:]
    return None


def _last_line(lines: list[_Line], first: int) -> int:
    """Return the position of the last line of the note that begins at `first`."""
    last = first
    at = first + 1
    blank = False
    while at < len(lines):
        text = lines[at].text
        if not trim(text):
            blank = True
        elif text[0] in (" ", "\t"):
            last, blank = at, False
        elif blank or _bullet(text) is not None or text[0] == "#" or text in _MARKERS:
            break
        else:
            last = at
        at += 1
    return last


def _stamped(body: str) -> tuple[str | None, str]:
    """Return the stamp and the text of a bullet; the stamp must be a real moment: `(YYYY-MM-DD HH:MM UTC) `."""
    head = body[:_STAMP]
    if read_stamp(head[1:-2]) is None or head[:1] != "(" or head[-2:] != ") ":
        return None, body
    return head[1:-2], body[_STAMP:]


def read_stamp(text: str) -> datetime | None:
    """Return the moment that a stamp (`2026-05-03 22:14 UTC`) names, None where it names none."""
    day, hour, minute = read_date(text[:10]), text[11:13], text[14:16]
    if day is None or len(text) != _STAMP - 3 or text[10] + text[13] + text[16:] != " : UTC":
        return None
    if not ((hour + minute).isascii() and (hour + minute).isdigit() and int(hour) < 24 and int(minute) < 60):
        return None
    return datetime(day.year, day.month, day.day, int(hour), int(minute), tzinfo=UTC)


def clean_entry(entry: str) -> str:
    """Return the note that the program makes of an entry: leading `#` off, if it begins with one, then trimmed.

    Raises InvalidInput with the program's sentence where nothing is left (spec/codewhale.md 1.4).
    """
    note = trim(entry.lstrip("#"))
    if not note:
        raise InvalidInput("memory entry is empty after stripping `#` prefix")
    return note


def is_quick_add(line: str) -> bool:
    """Return whether CodeWhale's composer would take this input for a note (spec/codewhale.md 1.5)."""
    text = line.lstrip(WHITESPACE)
    if not text.startswith("#") or text.startswith(("##", "#!")) or "\n" in line:
        return False
    return bool(trim(text[1:]))


def bullet(entry: str, now: datetime) -> bytes:
    """Return the bytes that the program appends for an entry. Raises InvalidInput as clean_entry() does."""
    stamp = now.astimezone(UTC).isoformat(" ")[:16]
    return f"- ({stamp} UTC) {clean_entry(entry)}\n".encode("utf-8", "surrogateescape")


def program_show(path: str, data: bytes | None) -> str:
    """Return what CodeWhale's `/memory` shows for a file (None: missing); a file that is not UTF-8 it takes for missing."""
    try:
        text = None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    if text is None:
        return f"{path}\n(file does not exist yet — add via `# foo` from the composer to create it)"
    if not trim(text):
        return f"{path}\n(empty — add via `# foo` from the composer or have the model use the `remember` tool)"
    return f"{path}\n\n{text.rstrip(WHITESPACE)}"


def note_at(notes: list[Note], number: int) -> Note:
    """Return a note by its number. Raises NotFound."""
    if not 0 < number <= len(notes):
        many = f"it has {len(notes)} notes" if len(notes) != 1 else "it has 1 note"
        raise NotFound(f"no note {number} in the user memory; {many}", hint="memctl list @user numbers them")
    return notes[number - 1]


def drop(data: bytes, notes: list[Note]) -> bytes:
    """Return the file without these notes; no other byte changes."""
    kept = []
    at = 0
    for note in sorted(notes):  # by number
        kept.append(data[at : note.start])
        at = note.end
    return b"".join([*kept, data[at:]])


def replace(data: bytes, note: Note, text: str) -> bytes:
    """Return the file with the text of one note replaced; its marker, stamp and line ends stay, and every other byte.

    Raises InvalidInput where the new text is empty, or would not be read back as this one note.
    """
    text = text.replace("\r\n", "\n").rstrip("\n")
    if not trim(text):
        raise InvalidInput("the text of a note must not be empty", hint=f"memctl delete @user/{note.number}")
    raw = data[note.start : note.end]
    first = raw.partition(b"\n")[0]
    ending = raw[len(raw.rstrip(b"\r\n")) :]
    inner = b"\r\n" if first.endswith(b"\r") else b"\n"
    stamp = f"({note.stamp}) " if note.stamp is not None else ""
    head = raw[:2] + stamp.encode()
    body = text.encode("utf-8", "surrogateescape").replace(b"\n", inner)
    new = data[: note.start] + head + body + ending + data[note.end :]
    notes = read_notes(new)
    if len(notes) != len(read_notes(data)) or notes[note.number - 1][2:4] != (note.stamp, text):
        raise InvalidInput(
            "the new text would not stay one note",
            hint="indent the lines after the first, and begin none with a bullet or a heading",
        )
    return new
