"""What `check` asks of a store: its files with their modes, owners and links, and what the registry says of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from memctl.core.checks.subject import Agent, Folder, Item, Kind, Link, StoreKind, Subject, UserFacts
from memctl.core.dialects import hq
from memctl.core.memory import Memory, NotLoaded
from memctl.core.text import decode, in_order
from memctl.disk.files import Directory
from memctl.disk.reads import NotRegular, read_at, read_with_status
from memctl.disk.registry import RegisteredAgent, Registry, lines_of_entries, parse_registry
from memctl.disk.stores import DataFolder, DirectoryStore, why_unread
from memctl.errors import MemctlError, NotFound

if TYPE_CHECKING:
    from memctl.disk.user_store import FileStore

# What is no memory is looked at for secrets too, unless it is too large to be a copy of one.
_STRAY_MAX = 1 << 20

_FILE = Kind.FILE
_KINDS = {stat.S_IFREG: Kind.FILE, stat.S_IFLNK: Kind.SYMLINK, stat.S_IFDIR: Kind.DIRECTORY}


def inspect_store(store: DirectoryStore) -> tuple[Subject, list[MemctlError]]:
    """Return an agent's directory as the rules see it, and what could not be read of it. Never raises MemctlError."""
    agent = store.agent
    empty = Subject(
        StoreKind.AGENT,
        store.address,
        store.path,
        (),
        None,
        0,
        0,
        registered=store.registered,
        agent=_agent(agent) if agent else None,
        switched=_written(store.folder) if agent and not agent.enabled else None,
    )
    try:
        directory = store.open()
    except NotFound:
        if gone := dangling(store.path):
            return empty._replace(problem=f"a symlink to '{gone[1]}', where nothing is"), []
        return empty, []
    except MemctlError as error:
        return empty._replace(problem=_reason(error), link=_link_above(store)), [error]
    with directory:
        try:
            names = directory.names()
        except MemctlError as error:
            return empty._replace(problem=_reason(error), link=_link_above(store)), [error]
        status = os.fstat(directory.descriptor)
        errors: list[MemctlError] = []
        problems: list[NotLoaded] = []
        items = _items(directory, names, errors, problems)
        index = next((item.data for item in items if item.name == hq.INDEX_NAME), None)
        subject = empty._replace(
            items=items,
            index_data=index,
            mode=stat.S_IMODE(status.st_mode),
            uid=status.st_uid,
            link=_link_above(store),
            index_problem=problems[0] if problems else None,
        )
        return subject, errors


def _agent(agent: RegisteredAgent) -> Agent:
    return Agent(agent.name, agent.enabled, agent.sweep, agent.workspace)


def _written(folder: DataFolder) -> float | None:
    """Return when the registry was last written, in seconds."""
    try:
        return os.stat(folder.registry.path, follow_symlinks=not folder.foreign).st_mtime
    except OSError:
        return None


def _reason(error: MemctlError) -> str:
    return error.message.rpartition(": ")[2] if ": " in error.message else error.message


def _link_above(store: DirectoryStore) -> str | None:
    """Return where the directory leads if it, or the directory of all agents, is a symlink."""
    for path in (store.path, store.folder.memory):
        try:
            return os.readlink(path)
        except OSError:
            continue
    return None


def _items(directory: Directory, names: list[str], errors: list[MemctlError], problems: list[NotLoaded]) -> list[Item]:
    """Return all names of a directory; what is wrong with the index is added to `problems`."""
    memories = hq.memory_files(names)
    taken = set(memories)
    others = in_order([name for name in names if name not in taken])
    index: tuple[int, int] | None = None
    if hq.INDEX_NAME in names:
        try:
            status = os.stat(hq.INDEX_NAME, dir_fd=directory.descriptor)
            index = (status.st_dev, status.st_ino) if status.st_nlink > 1 else None
        except OSError:
            pass
    items: list[Item | None] = []
    failed: list[int] = []
    emptied = False
    for name in memories:
        item = _plain_item(directory, name, index)
        if item is None or type(item.record) is not Memory:
            failed.append(len(items))
            emptied = emptied or (item is not None and not item.data)
        items.append(item)
    if emptied:
        directory.wait_for_writer()
    for at in failed:
        # The HQ truncates and writes in place, so a file is looked at twice before it is said to be broken.
        items[at] = _odd_item(directory, memories[at], True, index, errors, problems, looked=items[at] is not None)
    items += [_odd_item(directory, name, False, index, errors, problems, looked=False) for name in others]
    return [item for item in items if item is not None]


def _plain_item(directory: Directory, name: str, index: tuple[int, int] | None) -> Item | None:
    """Return a memory's file as most are: no symlink, and readable. None for any other."""
    try:
        data, status = read_with_status(directory.descriptor, name, follow=False)
    except (OSError, NotRegular):
        return None
    text = decode(data)
    record = hq.parse(text, name[:-3])
    link = None if index is None else _alias(name, status, index)
    # Not by _item(): a fleet has a hundred thousand of these.
    mode = stat.S_IMODE(status.st_mode)
    return Item(name, data, text, record, _FILE, mode, status.st_uid, status.st_mtime, link, status.st_gid)


def _odd_item(
    directory: Directory,
    name: str,
    memory: bool,
    index: tuple[int, int] | None,
    errors: list[MemctlError],
    problems: list[NotLoaded],
    *,
    looked: bool,
) -> Item | None:
    """Return any name of a directory, None where it is gone; `looked` says that it was looked at before."""
    try:
        status = os.stat(name, dir_fd=directory.descriptor, follow_symlinks=False)
    except OSError:
        return None
    kind = _KINDS.get(stat.S_IFMT(status.st_mode), Kind.OTHER)
    link = _link(directory, name) if kind is Kind.SYMLINK else _alias(name, status, index)
    data: bytes | None = None
    record: Memory | NotLoaded | None = None
    if memory or name == hq.INDEX_NAME or (kind is Kind.FILE and status.st_size <= _STRAY_MAX):
        data, record = _read(directory, name, link, errors)
        if not memory:
            if record is not None and name == hq.INDEX_NAME:
                problems.append(record)
            record = None
    text = None if data is None else decode(data)
    if memory and text is not None:
        record = hq.parse(text, name[:-3])
        if type(record) is not Memory and not looked:
            return _odd_item(directory, name, memory, index, errors, problems, looked=True)
    return _item(name, data, text, record, kind, status, link)


def _item(
    name: str,
    data: bytes | None,
    text: str | None,
    record: Memory | NotLoaded | None,
    kind: Kind,
    status: os.stat_result,
    link: Link | None,
) -> Item:
    mode = stat.S_IMODE(status.st_mode)
    return Item(name, data, text, record, kind, mode, status.st_uid, status.st_mtime, link, status.st_gid)


def _alias(name: str, status: os.stat_result, index: tuple[int, int] | None) -> Link | None:
    """Return where a second hard link of the index leads, None for any other file."""
    if index is None or name == hq.INDEX_NAME or (status.st_dev, status.st_ino) != index:
        return None
    return Link(hq.INDEX_NAME, hq.INDEX_NAME)


def _read(
    directory: Directory, name: str, link: Link | None, errors: list[MemctlError]
) -> tuple[bytes | None, NotLoaded | None]:
    """Return the bytes of a file, or why there are none."""
    try:
        return read_at(directory.descriptor, name, follow=directory.follow), None
    except (OSError, NotRegular) as error:
        return None, why_unread(directory, name, link and link.target, error, errors)


def _link(directory: Directory, name: str) -> Link:
    try:
        target = os.readlink(name, dir_fd=directory.descriptor)
    except OSError:
        return Link("", None)
    real = os.path.realpath(os.path.join(directory.path, target))
    inside = os.path.relpath(real, os.path.realpath(directory.path))
    return Link(target, None if inside.startswith("../") or inside in ("..", ".") else inside)


def inspect_folder(folder: DataFolder) -> Folder:
    """Return a data folder as the rules see it: its registry, and what its agents share."""
    registry = folder.registry
    text = _text_of(registry.path) if registry.agents or registry.odd else ""
    found = _folder(registry, _lines_of_ids(text), text)
    return found._replace(shared=tuple(_shared(folder)), gone=dangling(folder.memory))


def _shared(folder: DataFolder) -> Iterator[tuple[str, int, str]]:
    """Yield the mode of the data folder, of its `memory/` and of its registry, those that are there."""
    for path, what in (
        (folder.path, "the data folder"),
        (folder.memory, "the directory"),
        (folder.registry.path if folder.registry.present else None, "the registry"),
    ):
        try:
            mode = os.stat(path or "", follow_symlinks=not folder.foreign).st_mode
        except OSError:
            continue
        # In a directory as /tmp nobody can replace what is another's; of a symlink the mode says nothing.
        if path and not stat.S_ISLNK(mode) and not (path == folder.path and mode & stat.S_ISVTX):
            yield path, stat.S_IMODE(mode), what


def is_shared(folder: DataFolder) -> bool:
    """Return whether something is to be said of a data folder that has no registry."""
    return dangling(folder.memory) is not None or any(mode & 0o022 for _, mode, _ in _shared(folder))


def dangling(path: str) -> tuple[str, str] | None:
    """Return a path, and where it leads if it is a symlink to nothing; None for all else."""
    try:
        target = os.readlink(path)
        os.stat(path)
    except FileNotFoundError:
        return (path, target) if os.path.islink(path) else None
    except OSError:
        pass
    return None


def folder_of_text(data: bytes, path: str) -> Folder:
    """Return the registry that some bytes are, as the rules see it; `path` is only named, and no agent has a line."""
    try:
        text = data.decode("utf-8")
        return _folder(parse_registry(text, path), {}, text)
    except UnicodeDecodeError:
        return Folder(path, "not UTF-8", None, ())


def _folder(registry: Registry, lines: Mapping[str, int], text: str) -> Folder:
    problem = registry.problem.message if registry.problem else ""
    at: dict[int, int] = {}
    if registry.odd or registry.twice:
        try:
            at = dict(enumerate(lines_of_entries(text), 1))
        except ValueError:  # it was changed since it was read
            pass
    return Folder(
        registry.path,
        problem,
        _line_in(problem),
        tuple((agent.id, _agent(agent), lines.get(agent.id)) for agent in registry.agents),
        tuple((number, what, at.get(number)) for number, what in registry.odd),
        tuple((agent_id, at.get(number)) for agent_id, number in registry.twice),
    )


def _text_of(path: str) -> str:
    try:
        return decode(read_at(None, path))
    except (OSError, NotRegular):
        return ""


def _lines_of_ids(text: str) -> dict[str, int]:
    """Return on which line of a registry the id of each agent stands, as the HQ writes it."""
    import re

    found = {}
    for number, line in enumerate(text.split("\n"), 1):
        if match := re.match(r'\s*"id":\s*"([^"\\]*)"', line):
            found[match[1]] = number
    return found


def _line_in(problem: str) -> int | None:
    import re

    match = re.search(r"\(line (\d+), column", problem)
    return int(match[1]) if match else None


def inspect_user(store: FileStore) -> tuple[Subject, list[MemctlError]]:
    """Return the user memory as the rules see it, and what could not be read of it. Never raises MemctlError."""
    facts = store.facts
    unread = newer = ""
    if not facts.resolved.enabled:
        unread = f"CodeWhale does not load the file: memory is off ({facts.resolved.enabled_by})"
    if facts.given is None:
        from memctl.disk.native_tree import newer_layout

        newer = newer_layout(store.path, native=facts.resolved.native) or ""
    resolved = facts.resolved
    user = UserFacts(resolved.enabled, facts.misplaced, unread, resolved.native, newer, facts.shadowed)
    name = os.path.basename(store.path)
    subject = Subject(StoreKind.USER, store.address, store.path, (), None, 0, 0, user=user)
    try:
        status = os.stat(store.path)
        data = store.read().data
    except FileNotFoundError:
        if gone := dangling(store.path):
            return subject._replace(problem=f"a symlink to '{gone[1]}', where nothing is"), []
        return subject, []
    except OSError as error:
        return subject._replace(problem=(error.strerror or str(error)).lower()), []
    except MemctlError as problem:
        return subject._replace(problem=_reason(problem)), [problem]
    if data is None:
        return subject, []
    item = Item(
        name,
        data,
        decode(data),
        None,
        Kind.FILE,
        stat.S_IMODE(status.st_mode),
        status.st_uid,
        status.st_mtime,
        None,
        status.st_gid,
    )
    return subject._replace(items=(item,), mode=0o700, uid=status.st_uid), []
