"""Limits: what is over those of the documents, or nearly."""

from __future__ import annotations

from collections.abc import Iterator

from memctl.core.checks.loading import field_place, head_of
from memctl.core.checks.places import place
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.subject import CheckSettings, Item, StoreKind, Subject
from memctl.core.dialects import hq, notes
from memctl.core.legacy import LEGACY_NAME, is_truncated
from memctl.core.limits import CONTENT_MAX, DESCRIPTION_MAX, IMPORT_CONTENT_MAX, INDEX_MAX, PER_AGENT, content_limit
from memctl.core.memory import Memory, Source
from memctl.core.text import length

_IMPORT = Source.IMPORT  # each look-up of a member takes as long as a comparison of texts
_NEARLY = PER_AGENT * 9 // 10
_NAMED = 10
# An agent may have 200 memories; what has more by hand is not listed to its end.
_SHOWN = PER_AGENT


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield what is over a limit."""
    if subject.kind is StoreKind.USER:
        yield from _user(subject)
        return
    loaded = [item for item in subject.items if type(item.record) is Memory]
    if len(loaded) >= _NEARLY:
        yield _count(len(loaded))
    size = 0
    strays = subject.strays
    for item in loaded:
        record = item.record
        assert type(record) is Memory
        name, description, _, source, _, _, content = record
        size += len(name) + 2 * len(description) + 10
        if strays and item.name in strays:
            continue
        # A character of Unicode is at most two units, so short texts need not be counted.
        if (len(description) * 2 > DESCRIPTION_MAX and length(description) > DESCRIPTION_MAX) or "\n" in description:
            yield _description(item, record)
        if len(content) * 2 > CONTENT_MAX and length(content) > content_limit(source):
            yield _content(item, record)
        # Who edits the import makes it his own; what was cut is gone all the same.
        if (source is _IMPORT or name == LEGACY_NAME) and is_truncated(content):
            yield _truncated(item, record, subject)
    if size + 100 > INDEX_MAX:
        yield from _overflow(subject)


def _count(total: int) -> Finding:
    if total > PER_AGENT:
        message = f"{total:,} memories, over the limit of {PER_AGENT}: the HQ saves no new one"
        return Finding("L001", Severity.ERROR, "", message, "")
    if total == PER_AGENT:
        message = f"{total} memories of {PER_AGENT}: the HQ saves no new one"
    else:
        message = f"{total} memories of {PER_AGENT}: {PER_AGENT - total} more, then the HQ saves no new one"
    return Finding("L002", Severity.WARNING, "", message, "")


def _description(item: Item, record: Memory) -> Finding:
    line, column, width, _ = field_place(head_of(item), "description")
    units = length(record.description)
    several = "several lines" if "\n" in record.description else ""
    over = f"{units:,} characters, over the limit of {DESCRIPTION_MAX}" if units > DESCRIPTION_MAX else ""
    message = f"the description has {' and '.join(filter(None, (over, several)))}: the HQ refuses it at the next save"
    return Finding("L003", Severity.ERROR, item.name, message, "", line, column, width)


def _content(item: Item, record: Memory) -> Finding:
    units, limit = length(record.content), content_limit(record.source)
    line = _content_line(item)
    message = f"the content has {units:,} characters, over the limit of {limit:,}"
    if record.source is Source.IMPORT:
        message += " of an import"
    elif units <= IMPORT_CONTENT_MAX and record.name == LEGACY_NAME:
        message += "; an imported one may have 8,192 until somebody edits it"
    return Finding("L004", Severity.ERROR, item.name, f"{message}: the HQ refuses it at the next save", "", line)


def _content_line(item: Item) -> int:
    """Return the line on which the content begins."""
    text = item.text or ""
    close = text.replace("\r\n", "\n").find("\n---", 4)
    return text.replace("\r\n", "\n").count("\n", 0, close + 1) + 2


def _truncated(item: Item, record: Memory, subject: Subject) -> Finding:
    text = item.text or ""
    line, column = place(text, text.rfind("[truncated]"))
    workspace = subject.agent.workspace if subject.agent else None
    original = f"'{workspace}/MEMORY.md'" if workspace else "the workspace's old MEMORY.md"
    message = f"the import was cut; the rest is in {original}"
    return Finding("L006", Severity.WARNING, item.name, message, "", line, column, len("[truncated]"))


def _overflow(subject: Subject) -> Iterator[Finding]:
    listed, omitted = subject.whole_index[1:]
    if not omitted:
        return
    newest = sorted(omitted, key=lambda memory: (memory.last_update, memory.name), reverse=True)
    names = ", ".join(memory.name for memory in newest[:_NAMED])
    more = f" and {len(newest) - _NAMED:,} more" if len(newest) > _NAMED else ""
    message = f"the index does not list {len(newest):,} of {len(listed) + len(omitted):,} memories, the newest first: {names}{more}"
    lines = [f"{memory.last_update or '-'}  {memory.name}" for memory in newest[:_SHOWN]]
    if len(newest) > _SHOWN:
        lines.append(f"… and {len(newest) - _SHOWN:,} more")
    detail = "\n".join(lines)
    yield Finding("L005", Severity.INFO, hq.INDEX_NAME, message, "", None, detail=detail)


def _user(subject: Subject) -> Iterator[Finding]:
    for item in subject.items:
        if item.data is None or len(item.data) <= notes.LIMIT or (subject.user and subject.user.native):
            continue
        found = notes.read_notes(item.data)
        cut = [note for note in found if note.end > notes.LIMIT]
        line = item.data.count(b"\n", 0, notes.LIMIT) + 1
        which = (
            f", and {len(cut):,} of {len(found):,} notes: @user/{cut[0].number} to @user/{cut[-1].number}"
            if cut
            else ""
        )
        message = (
            f"{len(item.data):,} bytes; CodeWhale loads the first {notes.LIMIT:,} and cuts the last"
            f" {len(item.data) - notes.LIMIT:,}{which}"
        )
        detail = "\n".join(f"@user/{note.number}  {note.text.partition(chr(10))[0]}" for note in cut)
        yield Finding("L007", Severity.ERROR, item.name, message, "", line, detail=detail)
