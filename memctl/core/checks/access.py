"""Access: who else can write or read a store, and links that lead elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from memctl.core.checks.rule import Finding, Fix, FixKind, Severity
from memctl.core.checks.subject import CheckSettings, Folder, Item, Kind, StoreKind, Subject
from memctl.core.dialects import hq
from memctl.core.memory import NotLoaded

_OTHERS_WRITE = 0o022
_OTHERS_READ = 0o004
_OTHERS_ENTER = 0o001


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield what others can do to a store, links, and what cannot be read."""
    if subject.problem:
        message = f"unreadable: {subject.problem}"
        yield Finding("A008", Severity.ERROR, "", message, "unreadable")
        return
    agent = subject.kind is StoreKind.AGENT
    if agent and subject.link is not None:
        message = f"the directory is a symlink to '{subject.link}': whatever is there is read as memories"
        yield Finding("A005", Severity.ERROR, "", message, subject.link)
    if agent and subject.mode & _OTHERS_WRITE:
        yield _writable(subject.mode, "", "the directory", None)
    readable: list[Item] = []
    for item in subject.items:
        if item.link is not None:
            yield from _link(item)
        elif item.kind is Kind.FILE:
            if item.mode & _OTHERS_WRITE:
                fix = Fix(FixKind.MODE, item.name) if agent else None
                yield _writable(item.mode, item.name, "the file", fix)
            if item.mode & _OTHERS_READ:
                readable.append(item)
            if item.uid != subject.uid:
                message = f"the file belongs to uid {item.uid}, its directory to uid {subject.uid}"
                yield Finding("A004", Severity.WARNING, item.name, message, str(item.uid))
        if isinstance(item.record, NotLoaded) and item.record.code == "unreadable":
            yield Finding("A008", Severity.ERROR, item.name, item.record.reason, "unreadable")
    if subject.index_problem and subject.index_problem.code == "unreadable" and subject.index_data is None:
        yield Finding("A008", Severity.ERROR, hq.INDEX_NAME, subject.index_problem.reason, "unreadable")
    if readable and _is_open(subject):
        first = readable[0]
        others = len(readable) - 1
        more = f" and {others:,} more file{'s' if others > 1 else ''}" if others else ""
        message = f"'{first.name}'{more} can be read by every user ({first.mode:04o})"
        # Of the store, not of a file: a new file must not make it a new finding.
        yield Finding("A002", Severity.INFO, "", message, "readable")


def check_folder(folder: Folder) -> Iterator[Finding]:
    """Yield who else can write what all agents of a data folder have in common, and where that leads to nothing."""
    for path, mode, what in folder.shared:
        if mode & _OTHERS_WRITE:
            yield _writable(mode, "", what, None)._replace(path=path)
    if folder.gone:
        path, target = folder.gone
        message = f"a symlink to '{target}', where nothing is: no agent's memories are there"
        yield Finding("A008", Severity.ERROR, "", message, "unreadable", path=path)


def secret_files(subject: Subject, has_secret: Callable[[Item], bool]) -> Iterator[Finding]:
    """Yield the files with a secret that other users can read; only of those that they can it is asked."""
    if not _is_open(subject):
        return
    for item in subject.items:
        if item.mode & _OTHERS_READ and item.kind is Kind.FILE and has_secret(item):
            message = f"the file holds a secret, and every user can read it ({item.mode:04o})"
            yield Finding("A003", Severity.WARNING, item.name, message, "readable")


def _is_open(subject: Subject) -> bool:
    """Return whether other users get to the files at all."""
    return subject.kind is StoreKind.USER or bool(subject.mode & _OTHERS_ENTER)


def _writable(mode: int, file: str, what: str, fix: Fix | None) -> Finding:
    who = " and ".join(word for bit, word in ((0o020, "group"), (0o002, "others")) if mode & bit)
    message = f"{what} can be written by {who} ({mode:04o}){'' if fix else ': chmod go-w'}"
    return Finding("A001", Severity.WARNING, file, message, who, fix=fix)


def _link(item: Item) -> Iterator[Finding]:
    assert item.link is not None
    target = item.link.target
    line = 1 if item.text is not None else None
    if item.link.inside == hq.INDEX_NAME:
        how = "a symlink to" if item.kind is Kind.SYMLINK else "a second name of"
        fix = Fix(FixKind.ALIAS, item.name)
        yield Finding("A006", Severity.ERROR, item.name, f"{how} {hq.INDEX_NAME}", "alias", line, fix=fix)
    elif item.link.inside is None:
        message = f"a symlink to '{target}', out of the store"
        yield Finding("A005", Severity.ERROR, item.name, message, target, line)
    elif item.text is not None:
        message = f"a symlink to '{target}': one memory with two names"
        yield Finding("A007", Severity.WARNING, item.name, message, target, line)
