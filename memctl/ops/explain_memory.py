"""Why the HQ loads a memory or does not, where it stands in the index, and what it is recalled for."""

from __future__ import annotations

from typing import NamedTuple

from memctl.core.address import is_pattern
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.secrets.rules import redacted
from memctl.core.checks.table import BY_CODE
from memctl.core.dialects import hq
from memctl.core.index import entry as index_entry
from memctl.core.limits import INDEX_MAX, RECALL_MAX, is_name
from memctl.core.memory import Memory
from memctl.core.recall import rank, tokenize
from memctl.core.text import decode
from memctl.disk.checkable import Aim
from memctl.disk.stores import DirectoryStore, Entry, Snapshot
from memctl.errors import MemctlError, NotFound, UsageError
from memctl.ops.check import check_place
from memctl.ops.check_request import CheckRequest
from memctl.ops.pick import pick
from memctl.ops.results import IndexPlace, Step
from memctl.ops.show import place_in_index


class ExplainedMemory(NamedTuple):
    """A file of an agent's directory, what decides about it in order, the findings of `check`, and the verdict.

    `reason` is why the HQ does not load it, None where it does; then `place` is that in the index. `words` are those of
    a message that recall it, and `ahead` so many memories come before it for a message that has all of them.
    """

    store: DirectoryStore
    file: str
    steps: tuple[Step, ...]
    reason: str | None
    place: IndexPlace | None
    words: tuple[str, ...]
    ahead: int
    findings: tuple[Finding, ...]
    verdict: str
    errors: tuple[MemctlError, ...]

    @property
    def address(self) -> str:
        """The address of the file."""
        return self.store.memory_address(self.file[:-3])

    @property
    def path(self) -> str:
        """The path of the file."""
        return f"{self.store.path}/{self.file}"


def explain_memory(store: DirectoryStore, name: str, request: CheckRequest, *, today: str) -> ExplainedMemory:
    """Return what decides about the memory that NAME means. No value of a secret is in it.

    Raises UsageError for a pattern, NotFound with what is there instead, IoFailure.
    """
    if is_pattern(name):
        raise UsageError(f"'{name}' is a pattern; explain takes one memory")
    snapshot = store.read()
    try:
        (file,) = pick(store, snapshot, name)
    except NotFound as error:
        raise _missing(store, snapshot, name) or error from None
    # What is worth less than a warning decides nothing here.
    request = request._replace(show=Severity.ERROR if request.show is Severity.ERROR else Severity.WARNING)
    checked = check_place(Aim(store, frozenset((file.file,)), store.folder.memory), request)
    steps = [Step("path", f"{store.path}/{file.file}")]
    if (target := store.link_target(file.file)) is not None:
        steps.append(Step("symlink", f"to {target}"))
    if isinstance(file, Entry):
        return _of_entry(store, snapshot, file, steps, tuple(checked.findings), tuple(checked.errors), today)
    reason = redacted(file.problem.reason)
    steps.append(Step("loaded", f"no: {reason}"))
    steps += _of_findings(checked.findings)
    verdict = f"the HQ does not load it: {reason}"
    if file.data is not None and is_name(file.stem):
        verdict += f"; the next save of '{file.stem}' overwrites it without a word"
    return ExplainedMemory(
        store, file.file, tuple(steps), reason, None, (), 0, tuple(checked.findings), verdict, tuple(checked.errors)
    )


def _of_entry(
    store: DirectoryStore,
    snapshot: Snapshot,
    entry: Entry,
    steps: list[Step],
    findings: tuple[Finding, ...],
    errors: tuple[MemctlError, ...],
    today: str,
) -> ExplainedMemory:
    memory = entry.memory
    steps.append(Step("loaded", f"yes: type {memory.type}, source {memory.source}"))
    steps += _of_name(snapshot, entry)
    if no_reader := _no_reader(store):
        steps.append(Step("agent", no_reader))
    place = place_in_index(snapshot, entry)
    steps.append(Step("index", _in_index(snapshot, memory, place)))
    if place.line is not None and not _is_written(snapshot, memory):
        steps.append(Step("stale", f"{hq.INDEX_NAME} does not have it so: memctl reindex {store.address}"))
    words = tuple(tokenize(memory.name.replace("-", " ") + " " + redacted(memory.description)))
    ahead = _ahead(snapshot, memory, words, today)
    steps.append(Step("recall", _recalled(words, ahead)))
    steps += _of_findings(findings)
    verdict = _verdict(store, place, words, ahead)
    return ExplainedMemory(store, entry.file, tuple(steps), None, place, words, ahead, findings, verdict, errors)


def _no_reader(store: DirectoryStore) -> str:
    """Return why no agent gets the memories of a store, '' where one does as far as the registry tells."""
    if store.registered is False:
        return f"the registry has no agent '{store.id}'"
    return "" if store.automatic_memory else f"automatic memory is off for '{store.name}'"


def _of_name(snapshot: Snapshot, entry: Entry) -> list[Step]:
    """Return what a name that is not the file's leads to: the HQ lists a memory by its name, and gets it by its file."""
    name = entry.memory.name
    if name == entry.stem:
        return []
    there = any(other.stem == name for other in snapshot.entries)
    instead = f"gets what is in '{name}.md'" if there else "finds nothing"
    return [
        Step(
            "name",
            f"it calls itself '{name}' in the file '{entry.file}': the agent is told '{name}', and then {instead}",
        )
    ]


def _in_index(snapshot: Snapshot, memory: Memory, place: IndexPlace) -> str:
    if place.line is not None:
        return f"entry {place.line} of {place.listed}"
    omitted = snapshot.rendered().omitted
    at = next((at for at, one in enumerate(omitted, 1) if one is memory), 0)
    return (
        f"not in it: its {INDEX_MAX:,} characters hold {place.listed} of {place.listed + place.omitted} memories, in the"
        f" order of types and names, and this one is number {place.listed + at}"
    )


def _is_written(snapshot: Snapshot, memory: Memory) -> bool:
    """Return whether MEMORY.md has the entry of a memory."""
    if snapshot.index_data is None:
        return False
    return index_entry(memory) in decode(snapshot.index_data).split("\n")


def _ahead(snapshot: Snapshot, memory: Memory, words: tuple[str, ...], today: str) -> int:
    hits = rank([entry.memory for entry in snapshot.entries], " ".join(words), today=today, most=None)
    return next((at for at, hit in enumerate(hits) if hit.memory is memory), 0)


def _recalled(words: tuple[str, ...], ahead: int) -> str:
    if not words:
        return "for no message: neither name nor description has a word that counts (ASCII, three characters or more)"
    text = f"for messages with any of: {' '.join(words)}"
    if ahead < RECALL_MAX:
        return text
    return f"{text}; but even for all of them {ahead} memories come first, and {RECALL_MAX} are recalled"


def _of_findings(findings: list[Finding] | tuple[Finding, ...]) -> list[Step]:
    steps = []
    for one in findings:
        rule = BY_CODE[one.rule]
        place = f" (line {one.line})" if one.line is not None else ""
        steps += [
            Step("finding", f"{rule.code} {rule.slug}, {one.severity}: {one.message}{place}"),
            Step("mend", rule.mend),
        ]
    return steps


def _verdict(store: DirectoryStore, place: IndexPlace, words: tuple[str, ...], ahead: int) -> str:
    if no_reader := _no_reader(store):
        return f"the file can be loaded, but no agent gets it: {no_reader}"
    listed = "lists it in the index" if place.line is not None else "does not list it in the index"
    if not words:
        recalled = "recalls it for no message"
    elif ahead >= RECALL_MAX:
        recalled = "hardly ever recalls it"
    else:
        recalled = "recalls it by its words"
    joined = "and" if (place.line is None) == (not words or ahead >= RECALL_MAX) else "but"
    return f"the HQ loads it, {listed}, {joined} {recalled}"


def _missing(store: DirectoryStore, snapshot: Snapshot, name: str) -> NotFound | None:
    """Return what to say of a NAME that is none, where something else is there that may be meant."""
    if name in ("MEMORY", hq.INDEX_NAME):
        return NotFound(
            f"'{hq.INDEX_NAME}' of agent '{store.id}' is the index, not a memory",
            path=f"{store.path}/{hq.INDEX_NAME}",
            hint=f"memctl show {store.address} has its state; memctl reindex {store.address} renders it anew",
        )
    if name.endswith(".md") and name in snapshot.names:
        return NotFound(
            f"no memory named '{name}' in agent '{store.id}'",
            hint=f"did you mean '{store.memory_address(name[:-3])}'?",
        )
    like = sorted(
        other
        for other in snapshot.names
        if other.lstrip(".").startswith((f"{name}.", f"{name}~")) or other == name
        if not other.endswith(".md")
    )
    if not like:
        return None
    return NotFound(
        f"no memory named '{name}' in agent '{store.id}': the HQ does not read '{like[0]}', which does not end in .md",
        path=f"{store.path}/{like[0]}",
        hint=f"memctl check {store.address} says what is wrong with it",
    )
