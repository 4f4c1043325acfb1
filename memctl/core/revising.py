"""An edit by a person: what the file becomes, refused where the HQ would not read it back (DESIGN 4.3 to 4.7)."""

from __future__ import annotations

from memctl.core.buffer import Changes
from memctl.core.dialects import hq
from memctl.core.limits import Draft, problems
from memctl.core.memory import Memory, MemoryType, NotLoaded, Source
from memctl.core.text import decode, encode, trim
from memctl.errors import InvalidInput, MemctlError, SeveralErrors


def revise(data: bytes, stem: str, changes: Changes, today: str, *, touch: bool = False) -> tuple[Memory, bytes]:
    """Return the memory and the bytes of a file after an edit; the same bytes where nothing changes.

    `data` is the file, `stem` its name without `.md`. Source becomes `user` and `updated` today; the name and all
    other keys stay. `touch` sets these though nothing else changes. CRLF in a given content becomes LF. Raises
    InvalidInput, or SeveralErrors, with the HQ's sentences, and for what would not survive a reread.
    """
    text = decode(data)
    old = hq.parse(text, stem)
    if isinstance(old, NotLoaded):
        raise InvalidInput(f"the HQ does not load '{stem}.md': {old.reason}", hint="mend the file by hand")
    content = old.content if changes.content is None else changes.content.replace("\r\n", "\n")
    description = old.description if changes.description is None else changes.description
    kind = str(old.type) if changes.type is None else changes.type
    same = (trim(description), kind, trim(content)) == (old.description, old.type, old.content)
    if same and not touch:
        return old, data
    found: list[MemctlError] = list(problems(Draft(old.name, description, kind, Source.USER, content)))
    if found:
        raise found[0] if len(found) == 1 else SeveralErrors(found)
    extra = hq.extra_lines(text)
    new = Memory(
        old.name, trim(description), MemoryType(kind), Source.USER, old.dated(today).created, today, trim(content)
    )
    kept = "\n".join([new.name, new.description, new.created, new.content, *extra])
    # An editor shows bad bytes as U+FFFD, and gives that back.
    if "\ufffd" in kept and encode(text) != data:
        raise InvalidInput(
            f"'{stem}.md' holds bytes that are not UTF-8, and an edit would lose them",
            hint="give the part that holds them anew, with --content or --description",
        )
    written = hq.write(new, extra)
    check_reread(new, written, stem, extra)
    return new, written


def check_reread(memory: Memory, written: bytes, stem: str, extra: list[str]) -> None:
    """Raise InvalidInput where the HQ would not read the same memory from the bytes again (DESIGN 4.3)."""
    reread = hq.read(written, stem)
    if reread == memory and hq.extra_lines(written.decode("utf-8")) == extra:
        return
    if isinstance(reread, Memory) and reread.description != memory.description:
        raise InvalidInput(
            f"the HQ would not read the description '{memory.description}' back: to it that is no text",
            hint="do not put the whole description in brackets, and do not write | or > alone",
        )
    if isinstance(reread, Memory) and encode(memory.content).decode() != memory.content:
        raise InvalidInput("the content holds half of a surrogate pair, which cannot be written")
    raise InvalidInput("the HQ would not read this memory back as it is written", hint="shorten it or say it otherwise")
