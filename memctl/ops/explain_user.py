"""Why CodeWhale loads the user memory, or does not: each thing that decides, in its order."""

from __future__ import annotations

import os
from typing import NamedTuple

from memctl.core.codewhale import Era
from memctl.core.dialects.notes import LIMIT, trim
from memctl.core.env import Env
from memctl.core.prompt import user_memory_payload
from memctl.disk.codewhale import Facts
from memctl.disk.native_tree import newer_layout
from memctl.disk.user_store import READ_MAX, FileStore
from memctl.errors import MemctlError, Protected
from memctl.ops.results import Step


class Explained(NamedTuple):
    """All of them, the facts that scripts ask for, and the verdict.

    `loaded` is whether CodeWhale loads the file now, None where memctl cannot tell.
    """

    steps: tuple[Step, ...]
    path: str
    exists: bool
    size: int | None
    utf8: bool | None
    enabled: bool
    cut_bytes: int
    cut_notes: int
    misplaced: tuple[str, ...]
    newer: str | None
    loaded: bool | None
    verdict: str


_RULES = {
    Era.V0_8_8: "those of release 0.8.8: ~/.deepseek alone",
    Era.V0_8_48: "those of release 0.8.48: ~/.codewhale first",
    Era.V0_9_10: "those of release 0.9.10: the native tree",
}


def explain(store: FileStore, env: Env, *, chosen: bool = False) -> Explained:
    """Return what decides about the user memory. Never raises for the file itself: what is wrong with it is a step.

    `chosen` is set where the person named the rules.
    """
    facts = store.facts
    steps = [Step(file.role, f"{file.path} ({'read' if file.present else 'not there'})") for file in facts.files]
    if facts.profile:
        steps.append(Step("profile", f"{facts.profile} (DEEPSEEK_PROFILE)"))
    steps += [Step("variable", f"{name}={value!r}{_empty(name, value)}") for name, value in facts.variables]
    steps += [Step("ignored", f"{one.key} is silently ignored by CodeWhale; {one.counts}") for one in facts.misplaced]
    steps.append(Step("rules", _RULES[facts.era] + _why_rules(facts.era, chosen=chosen)))
    steps.append(
        Step("path", f"{facts.path} ({'named to memctl' if facts.given is not None else facts.resolved.path_by})")
    )
    other = _other_path(store, env)
    if other is not None:
        steps.append(Step("codewhale", f"{other or '(empty)'} ({facts.resolved.path_by}) is the path that it resolves"))
    file = _look(store)
    steps += file.steps
    steps.append(Step("enabled", f"{'on' if facts.resolved.enabled else 'off'} ({facts.resolved.enabled_by})"))
    steps += file.cut
    newer = newer_layout(os.path.join(env.cwd, facts.resolved.path), native=facts.resolved.native)
    if newer:
        steps.append(Step("newer", newer))
    return Explained(
        tuple(steps),
        facts.path,
        file.exists,
        file.size,
        file.utf8,
        facts.resolved.enabled,
        file.cut_bytes,
        file.cut_notes,
        tuple(one.key for one in facts.misplaced),
        newer,
        facts.resolved.enabled and other is None and file.loadable,
        _verdict(facts, file, newer, other),
    )


def _why_rules(era: Era, *, chosen: bool) -> str:
    if chosen:
        return " (named by --rules)"
    return ", since it is there" if era is Era.V0_8_48 else ""


class _File(NamedTuple):
    steps: tuple[Step, ...]
    exists: bool = False
    size: int | None = None
    utf8: bool | None = None
    cut_bytes: int = 0
    cut_notes: int = 0
    loadable: bool | None = False
    problem: str = ""
    cut: tuple[Step, ...] = ()


def _other_path(store: FileStore, env: Env) -> str | None:
    """Return the path of CodeWhale's own user memory where memctl was told of another file."""
    own = store.facts.resolved.path
    if store.facts.given is None or (
        own and os.path.realpath(os.path.join(env.cwd, own)) == os.path.realpath(store.path)
    ):
        return None
    return own


def _look(store: FileStore) -> _File:
    if not store.shown:
        return _File((Step("file", "none: the path is empty"),), problem="its path is empty")
    try:
        size = os.stat(store.path).st_size
    except OSError as error:
        if os.path.islink(store.path):
            target = os.readlink(store.path)
            problem = f"it is a symlink to '{target}', where nothing is"
        else:
            problem = "there is no such file" if isinstance(error, FileNotFoundError) else str(error.strerror).lower()
        return _File((Step("file", problem),), problem=problem)
    try:
        snapshot = store.read()
    except MemctlError as error:
        large = size > READ_MAX
        unread = "too large for memctl to read" if large else error.message
        # CodeWhale reads what memctl does not: a larger file, and another user's link wherever it leads.
        loadable = None if large or isinstance(error, Protected) else False
        problem = f"it is {unread}" if large else unread
        return _File((Step("file", f"{size:,} bytes; {unread}"),), True, size, loadable=loadable, problem=problem)
    data = snapshot.data or b""
    steps = [Step("file", f"{len(data):,} bytes, {_notes(len(snapshot.notes))}")]
    if os.path.islink(store.path):
        steps.append(Step("symlink", f"to {os.path.realpath(store.path)}"))
    if (bad := snapshot.bad_byte) is not None:
        problem = f"byte {bad} is not UTF-8, and one such byte keeps CodeWhale from loading the file, without a word"
        steps.append(Step("utf8", problem))
        return _File(tuple(steps), True, len(data), False, problem=problem)
    steps.append(Step("utf8", "valid"))
    text = data.decode("utf-8")
    if not trim(text):
        return _File((*steps, Step("content", "blank")), True, len(data), True, problem="it is blank")
    head, _ = user_memory_payload(text, store.shown)
    kept = len(data) if len(data) <= LIMIT else len(head or b"")
    if len(data) <= LIMIT or store.facts.resolved.native:  # the native tree has no such limit
        return _File(tuple(steps), True, len(data), True, loadable=True)
    notes = len([note for note in snapshot.notes if note.end > kept])
    told = f"{len(data) - kept:,} bytes and {_notes(notes)} fall after the {LIMIT:,} bytes that CodeWhale loads"
    cut = (Step("cut", told),)
    return _File(tuple(steps), True, len(data), True, len(data) - kept, notes, loadable=True, cut=cut)


def _notes(count: int) -> str:
    return f"{count:,} note" if count == 1 else f"{count:,} notes"


def _empty(name: str, value: str) -> str:
    if value:
        return ""
    return " (empty counts: it switches memory off)" if name.endswith("_MEMORY") else " (empty counts)"


def _verdict(facts: Facts, file: _File, newer: str | None, other: str | None) -> str:
    if not facts.resolved.enabled:
        return f"CodeWhale does not load the file: memory is off ({facts.resolved.enabled_by})"
    if other is not None:
        named = f"is '{other}'" if other else "has an empty path"
        return f"CodeWhale does not load the file: its own user memory {named}"
    if file.loadable is None:
        return f"memctl cannot tell whether CodeWhale loads the file: {file.problem}"
    if not file.loadable:
        return f"CodeWhale does not load the file: {file.problem}"
    who = "CodeWhale before 0.9.4" if newer else "CodeWhale"
    if file.cut_bytes:
        return f"{who} loads the file, but for its last {file.cut_bytes:,} bytes"
    return f"{who} loads the file"
