"""What fixes make of a store: pure, bytes in and bytes out, so that they can be shown before they are done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from memctl.core.checks.rule import Finding, FixKind
from memctl.core.checks.secrets import rules as secrets
from memctl.core.checks.subject import Item, Kind, StoreKind, Subject
from memctl.core.dialects import hq
from memctl.core.memory import Memory
from memctl.core.text import decode

_BOM = b"\xef\xbb\xbf"
_OTHERS_WRITE = 0o022
# What changes the text of a memory, or its name: an edit, which an agent whose memory is off does not get.
EDITS = frozenset({FixKind.BOM, FixKind.LINE_ENDS, FixKind.FINAL_NEWLINE, FixKind.RENAME})


class Mend(NamedTuple):
    """What shall become of one file: its new bytes (None: it goes), its new name ('': it keeps it), its new mode.

    `findings` are those that it mends.
    """

    item: Item
    data: bytes | None
    to: str
    mode: int
    findings: tuple[Finding, ...]

    @property
    def kinds(self) -> frozenset[FixKind]:
        """What is done to it."""
        return frozenset(finding.fix.kind for finding in self.findings if finding.fix)


class Plan(NamedTuple):
    """What fixes do to a store: the redactions, which come first, the other files, and what the index's findings are."""

    redactions: tuple[Mend, ...]
    mends: tuple[Mend, ...]
    of_index: tuple[Finding, ...]
    redacts_index: bool


def plan(subject: Subject, findings: Iterable[Finding], *, unsafe: bool, without: frozenset[FixKind]) -> Plan:
    """Return what the fixes of findings do; those that are not safe only where `unsafe`, and no kind of `without`.

    Only regular files are mended, but for an alias, which goes. A file whose mended text would be read as another memory
    is left as it is.
    """
    wanted = [
        finding
        for finding in findings
        if finding.fix and finding.fix.kind not in without and (unsafe or finding.fix.kind.safe)
    ]
    by_file: dict[str, list[Finding]] = {}
    for finding in wanted:
        assert finding.fix is not None
        by_file.setdefault(finding.fix.file, []).append(finding)
    items = {item.name: item for item in subject.items}
    index = by_file.pop(hq.INDEX_NAME, []) if subject.kind is StoreKind.AGENT else []
    redacts_index = any(finding.fix and finding.fix.kind is FixKind.REDACT for finding in index)
    redactions, mends = [], []
    for name, found in by_file.items():
        item = items.get(name)
        if item is None:
            continue
        secret = [finding for finding in found if finding.fix and finding.fix.kind is FixKind.REDACT]
        if secret and item.kind is Kind.FILE and item.data is not None:
            clean = secrets.redact_bytes(item.data)
            if clean != item.data:
                redactions.append(Mend(item, clean, "", item.mode, tuple(secret)))
                record = item.record and hq.read(clean, item.stem)
                item = item._replace(data=clean, text=decode(clean), record=record)
        if (mend := _mend(item, [finding for finding in found if finding not in secret], items)) is not None:
            mends.append(mend)
    return Plan(tuple(redactions), tuple(mends), tuple(index), redacts_index)


def _mend(item: Item, found: list[Finding], items: Mapping[str, Item]) -> Mend | None:
    kinds = {finding.fix.kind for finding in found if finding.fix}
    if kinds & {FixKind.ALIAS, FixKind.QUARANTINE}:
        return Mend(item, None, "", item.mode, tuple(found))
    if not found or item.kind is not Kind.FILE or item.link is not None or item.data is None:
        return None
    data = mended(item.data, kinds)
    if not _reads_alike(item, data):
        return None
    to = next((finding.fix.to for finding in found if finding.fix and finding.fix.kind is FixKind.RENAME), "")
    if to in items:
        return Mend(item, None, "", item.mode, tuple(found))  # it is there under its new name already
    mode = item.mode & ~_OTHERS_WRITE if FixKind.MODE in kinds else item.mode
    return Mend(item, data, to, mode, tuple(found))


def mended(data: bytes, kinds: Iterable[FixKind]) -> bytes:
    """Return the bytes of a file after the fixes of its text: byte order mark, line ends, final line feed."""
    kinds = set(kinds)
    if FixKind.BOM in kinds:
        data = data.removeprefix(_BOM)
    if FixKind.LINE_ENDS in kinds:
        data = data.replace(b"\r\n", b"\n")
    if FixKind.FINAL_NEWLINE in kinds:
        data = data.rstrip(b"\r\n") + b"\n"
    return data


def _reads_alike(item: Item, data: bytes) -> bool:
    """Return whether the HQ reads the same memory from the new bytes, where it read one from the old."""
    return type(item.record) is not Memory or data == item.data or hq.read(data, item.stem) == item.record


def diff(subject: Subject, done: Plan) -> Iterator[str]:
    """Yield what a plan does to files, as lines of unified diffs and one line for each name that goes or changes."""
    import difflib

    for mend in (*done.redactions, *done.mends):
        name = subject.path if subject.kind is StoreKind.USER else f"{subject.path}/{mend.item.name}"
        if mend.data is None:
            yield f"remove {name}"
            continue
        if mend.to:
            yield f"rename {name} to {subject.path}/{mend.to}"
        if mend.mode != mend.item.mode:
            yield f"mode {mend.item.mode:04o} to {mend.mode:04o} {name}"
        if mend.data != mend.item.data:
            old, new = (secrets.redacted(decode(data)) for data in (mend.item.data or b"", mend.data))
            if old == new or old.replace("\r\n", "\n") == new:
                yield f"{', '.join(sorted(kind.value for kind in mend.kinds))}: {name}"
                continue
            yield from difflib.unified_diff(old.split("\n"), new.split("\n"), name, f"{name} (fixed)", lineterm="", n=1)
    for finding in done.of_index:
        if finding.detail:
            head, _, rest = finding.detail.partition("@@")
            yield head.replace(f" {hq.INDEX_NAME}", f" {subject.path}/{hq.INDEX_NAME}") + "@@" + rest
            break
