"""The HQ's memory files: a front matter that looks like YAML and is not (spec/hq.md 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from memctl.core.limits import is_name
from memctl.core.memory import Memory, MemoryType, NotLoaded, Source
from memctl.core.text import WHITESPACE, decode, encode, in_order, trim

INDEX_NAME = "MEMORY.md"
KEYS = ("name", "description", "type", "source", "created", "updated")

_TYPES = {str(kind): kind for kind in MemoryType}
_SOURCES = {str(source): source for source in Source}

Value = str | list[str]

# One key of a head: key, value, and the lines [start, end) that both take. A plain tuple: a fleet has a million.
Field = tuple[str, Value, int, int]


def memory_files(names: Iterable[str]) -> list[str]:
    """Return which of the names in a directory the HQ reads, in its order (spec/hq.md 3)."""
    return in_order([name for name in names if name.endswith(".md") and name != INDEX_NAME])


class Parts(NamedTuple):
    """A file taken apart: the lines of its head, and its content with nothing around it."""

    head: list[str]
    content: str


def split(text: str) -> Parts | NotLoaded:
    """Return head and content of a file, or why it has none (spec/hq.md 4, points 1 to 4)."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if not text.startswith("---\n"):
        if text.startswith("\ufeff---"):
            return NotLoaded("bom", "a byte order mark (BOM) at its start, so the HQ sees no front matter")
        return NotLoaded("no-front-matter", 'no front matter: the first line is not "---"')
    close = text.find("\n---", 4)
    if close < 0:
        return NotLoaded("unclosed-front-matter", 'the front matter is not closed by a line "---"')
    return Parts(text[4:close].split("\n"), trim(text[close + 4 :]))


def scan(lines: list[str]) -> list[Field]:
    """Return the fields of a head in their order, repeated keys too (spec/hq.md 4, points 5 and 6)."""
    fields: list[Field] = []
    total = len(lines)
    at = 0
    while at < total:
        line = lines[at]
        start = at
        at += 1
        if not line or line[0] in " \t":
            continue
        key, colon, text = line.partition(":")
        if not colon:
            continue
        text = text.strip(WHITESPACE)
        value: Value = text
        if not text:
            value, at = _items(lines, at)
        elif text[0] in "[|>":
            if text[0] == "[":
                if text[-1] == "]":
                    value = [item for item in map(trim, text[1:-1].split(",")) if item]
            elif _is_block_mark(text):
                value, at = _block(lines, at, folded=text[0] == ">")
        fields.append((key.strip(WHITESPACE), value, start, at))
    return fields


def _is_block_mark(value: str) -> bool:
    rest = value[2:] if value[1:2] in ("+", "-") else value[1:]
    return not rest.strip("0123456789")


def _items(lines: list[str], at: int) -> tuple[list[str], int]:
    items: list[str] = []
    while at < len(lines):
        line = lines[at]
        text = line.lstrip(" \t")
        # `^[ \t]+-[ \t]+(.*)`: indented, a dash, a blank.
        if text == line or text[:1] != "-" or text[1:2] not in (" ", "\t"):
            break
        items.append(trim(_line_of_js(text[2:])))
        at += 1
    return items, at


def _line_of_js(text: str) -> str:
    """Return what `.*` takes in JavaScript: up to a lone CR or a line separator."""
    for end in "\r\u2028\u2029":
        text = text.partition(end)[0]
    return text


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _block(lines: list[str], at: int, *, folded: bool) -> tuple[str, int]:
    first = at
    while first < len(lines) and not trim(lines[first]):
        first += 1
    if first == len(lines) or not (indent := _indent(lines[first])):
        return "", first
    body: list[str] = []
    while at < len(lines):
        line = lines[at]
        blank = not trim(line)
        if not blank and _indent(line) < indent:
            break
        body.append("" if blank else line[indent:])
        at += 1
    while body and not body[-1]:
        body.pop()
    if not folded:
        return "\n".join(body), at
    paragraphs = [trim(" ".join(group)) for group in _paragraphs(body)]
    return "\n".join(paragraph for paragraph in paragraphs if paragraph), at


def _paragraphs(body: list[str]) -> list[list[str]]:
    groups: list[list[str]] = [[]]
    for line in body:
        if line:
            groups[-1].append(line)
        else:
            groups.append([])
    return groups


def parse_fields(text: str) -> tuple[dict[str, Value], str] | NotLoaded:
    """Return the fields (a repeated key: the last) and the content of a file, or why it has none."""
    parts = split(text)
    if isinstance(parts, NotLoaded):
        return parts
    # A JavaScript object takes no key `__proto__`.
    return {key: value for key, value, _, _ in scan(parts.head) if key != "__proto__"}, parts.content


def parse(text: str, fallback_name: str) -> Memory | NotLoaded:
    """Return the memory that the HQ reads from `text`, or why it skips the file (spec/hq.md 5).

    `fallback_name` is the file name without `.md`, the name of a memory that does not say its own.
    """
    parts = split(text)
    if isinstance(parts, NotLoaded):
        return parts
    if (memory := _as_written(parts)) is not None:
        return memory
    fields = {key: value for key, value, _, _ in scan(parts.head)}
    kind = _TYPES.get(_text(fields, "type"))
    if kind is None:
        return _bad_type(fields, parts.head)
    name = _text(fields, "name") or fallback_name
    if not is_name(name):
        return NotLoaded(
            "bad-name", f"the name {_quoted(name)} is not a legal one (lowercase letters, digits, hyphens, at most 64)"
        )
    return Memory(
        name,
        _text(fields, "description"),
        kind,
        _SOURCES.get(_text(fields, "source"), Source.AGENT),
        _text(fields, "created"),
        _text(fields, "updated"),
        parts.content,
    )


def _as_written(parts: Parts) -> Memory | None:
    """Return the memory of a head that is line for line as the HQ writes it, as most are; None says nothing.

    What scan() finds in such a head, in half the time.
    """
    if len(parts.head) != 6:
        return None
    name, description, kind, source, created, updated = parts.head
    if not (
        name.startswith("name: ")
        and description.startswith("description: ")
        and kind.startswith("type: ")
        and source.startswith("source: ")
        and created.startswith("created: ")
        and updated.startswith("updated: ")
    ):
        return None
    name, description, created, updated = name[6:], description[13:], created[9:], updated[9:]
    known, wrote = _TYPES.get(kind[6:]), _SOURCES.get(source[8:])
    # A value that is empty, a list or a block, or has blanks around it, is more than its line.
    plain = description.strip(WHITESPACE) == description and description[:1] not in _MORE
    if known is None or wrote is None or not (plain and is_name(name) and _is_day(created) and _is_day(updated)):
        return None
    return Memory(name, description, known, wrote, created, updated, parts.content)


# What a value begins with that is more than its line; '' is in it.
_MORE = "[|>"


def _is_day(text: str) -> bool:
    """Return whether a text has the form of a date: at least it is a value of one line."""
    return len(text) == 10 and text[0].isalnum() and text[9].isalnum()


def read(data: bytes, fallback_name: str) -> Memory | NotLoaded:
    """Return the memory in the bytes of a file, or why the HQ skips it."""
    return parse(decode(data), fallback_name)


def _text(fields: dict[str, Value], key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _quoted(text: str) -> str:
    return f"'{text if len(text) <= 80 else text[:79] + '…'}'"


def _bad_type(fields: dict[str, Value], head: list[str]) -> NotLoaded:
    known = ", ".join(MemoryType)
    value = fields.get("type")
    if isinstance(value, list):
        return NotLoaded("bad-type", f"the type is a list, not one of {known}" if value else "the type is empty")
    if value:
        return NotLoaded("bad-type", f"the type {_quoted(value)} is not one of {known}")
    if any(line[:1] in (" ", "\t") and trim(line).startswith("type:") for line in head):
        return NotLoaded("no-type", "the type is nested under another key, where the HQ does not look")
    return NotLoaded("no-type", "no type")


def serialize(memory: Memory, extra: list[str] | None = None) -> str:
    """Return the text of the file of `memory`: no quoting, no escaping, one final LF (spec/hq.md 5).

    `extra` are lines of other keys, which stand after the six known ones.
    """
    return _head(memory, "".join([f"{line}\n" for line in extra or ()])) + memory.content.rstrip("\n") + "\n"


def _head(memory: Memory, extra: str = "") -> str:
    return (
        f"---\nname: {memory.name}\ndescription: {memory.description}\ntype: {memory.type}\n"
        f"source: {memory.source}\ncreated: {memory.created}\nupdated: {memory.updated}\n{extra}---\n"
    )


def is_serialized(text: str, memory: Memory) -> bool:
    """Return whether the text of a file, from which `memory` was parsed, is what serialize() gives for it."""
    head = _head(memory)
    # What parse() takes from the rest is its content; where nothing but the final LF was trimmed, they are the same.
    return len(text) == len(head) + len(memory.content) + 1 and text.endswith("\n") and text.startswith(head)


def write(memory: Memory, extra: list[str] | None = None) -> bytes:
    """Return the bytes of the file of `memory`."""
    return encode(serialize(memory, extra))


def extra_lines(text: str) -> list[str]:
    """Return the lines of a head that belong to none of the six known keys, in their order.

    Blank lines go, but for those inside a value. The HQ drops all of them at the next save; memctl keeps them
    (DESIGN 4.4). Empty where there is no front matter.
    """
    parts = split(text)
    if isinstance(parts, NotLoaded):
        return []
    known: set[int] = set()
    other: set[int] = set()
    for key, _, start, end in scan(parts.head):
        (known if key in KEYS else other).update(range(start, end))
    return [line for at, line in enumerate(parts.head) if at in other or (at not in known and trim(line))]


def handler() -> Any:
    """Return a python-frontmatter handler for this dialect, to read and write text that people edit.

    Fields that are lists stay lists; nothing is quoted. Its `split` raises ValueError where there is no front matter.
    """
    import re

    from frontmatter.default_handlers import BaseHandler

    class HqHandler(BaseHandler):
        """The HQ's front matter for python-frontmatter."""

        FM_BOUNDARY = re.compile(r"\A---\n")  # the base class wants one; detect() and split() do not ask it

        def detect(self, text: str) -> bool:
            return not isinstance(split(text), NotLoaded)

        def split(self, text: str) -> tuple[str, str]:
            parts = split(text)
            if isinstance(parts, NotLoaded):
                raise ValueError(parts.reason)
            return "\n".join(parts.head), parts.content

        def load(self, fm: str, **_: object) -> dict[str, Any]:
            return {key: value for key, value, _, _ in scan(fm.split("\n"))}

        def export(self, metadata: dict[str, object], **_: object) -> str:
            return "\n".join(f"{key}: {value}" for key, value in metadata.items())

        def format(self, post: Any, **_: object) -> str:
            return f"---\n{self.export(post.metadata)}\n---\n{post.content}\n"

    return HqHandler()
