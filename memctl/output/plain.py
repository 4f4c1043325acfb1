"""Results as plain text: one record a line, fields by tabs, for pipes and scripts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memctl.core.limits import INDEX_MAX, PER_AGENT, content_limit
from memctl.core.text import decode, length
from memctl.disk.stores import DirectoryStore
from memctl.ops.results import (
    AgentState,
    Card,
    Edited,
    EditedNotes,
    Imported,
    Listed,
    ListedNotes,
    Reindexed,
    Removed,
    RemovedNotes,
    ShownFile,
    ShownMemory,
    ShownNote,
    ShownUserMemory,
    UserState,
)

if TYPE_CHECKING:
    from memctl.disk.history_tables import Change
    from memctl.disk.native_tree import NativeFile, Structured
    from memctl.ops.recall import Recall
    from memctl.ops.show import Shown

from memctl.output.escape import field


def listed(result: Listed) -> str:
    """Return the rows of `list`: address, type, source, updated, size, description.

    A file that is not loaded has the type `not-loaded`, no source, date and size, and the reason as its description.
    """
    store = result.store
    prefix = store.memory_address("")
    if prefix.endswith("/.md"):
        prefix, suffix = prefix[:-3], ".md"
    else:
        suffix = ""
    rows = [
        f"{field(prefix + entry.file[:-3] + suffix)}\t{memory.type}\t{memory.source}\t{field(memory.last_update)}"
        f"\t{length(memory.content)}\t{field(memory.description)}\n"
        for entry in result.entries
        for memory in (entry.memory,)
    ]
    rows += [
        f"{field(store.memory_address(file.stem))}\tnot-loaded\t\t\t\t{field(file.problem.reason)}\n"
        for file in result.unloaded
    ]
    return "".join(rows)


def listed_notes(result: ListedNotes) -> str:
    """Return the rows of `list @user`: address, stamp, text."""
    store = result.store
    return "".join(
        f"{store.note_address(note.number)}\t{note.stamp or ''}\t{field(note.text)}\n" for note in result.notes
    )


def listed_native(file: NativeFile) -> str:
    """Return the rows of one file of CodeWhale's native tree: scope, line, text."""
    return "".join(f"{file.scope}\t{entry.line}\t{field(entry.text)}\n" for entry in file.entries)


def listed_structured(memories: Sequence[Structured]) -> str:
    """Return the rows of CodeWhale's structured store: scope, status, kind, title, body."""
    return "".join(
        "\t".join(map(field, (one.scope, one.status, one.kind, one.title, one.body))) + "\n" for one in memories
    )


def user_state(result: UserState) -> str:
    """Return the row of `auto-memory @user`: address, on or off, why, and whether it was changed."""
    way = "changed in CodeWhale's configuration" if result.changed else ""
    return "\t".join(map(field, (result.store.address, "on" if result.enabled else "off", result.why, way))) + "\n"


def recalled(result: Recall) -> str:
    """Return the rows of `recall`: address, score, words, what it is about."""
    return "".join(
        f"{field(hit.address)}\t{hit.score}\t{' '.join(hit.words)}\t{field(hit.about)}\n" for hit in result.hits
    )


def addresses(result: Listed | ListedNotes, end: str = "\n") -> str:
    """Return the addresses alone, each with `end` behind it."""
    if not isinstance(result, Listed):
        return "".join(result.store.note_address(note.number) + end for note in result.notes)
    return "".join(result.store.memory_address(entry.stem) + end for entry in result.entries)


def agent_label(store: DirectoryStore) -> str:
    """Return an agent for a person: its name and its id."""
    if store.agent is None:
        return f"{store.id} (not in the registry)" if store.registered is False else store.id
    return f"{store.agent.name} ({store.id})" if store.agent.name != store.id else store.id


def memory_fields(result: ShownMemory) -> list[tuple[str, str]]:
    """Return the fields of a memory with their labels."""
    store, memory = result.store, result.entry.memory
    file = result.entry.file
    fields = [
        ("address", store.memory_address(result.entry.stem)),
        ("agent", agent_label(store)),
        ("name", memory.name if f"{memory.name}.md" == file else f"{memory.name} (in the file {file})"),
        ("description", memory.description),
        ("type", str(memory.type)),
        ("source", str(memory.source)),
        ("created", memory.created or "unknown"),
        ("updated", memory.updated or "unknown"),
        ("size", f"{length(memory.content):,} of {content_limit(memory.source):,} characters"),
        ("index", _place(result)),
        ("path", f"{store.path}/{file}"),
    ]
    target = store.link_target(file)
    return [*fields, ("symlink", f"to {target}")] if target is not None else fields


def _place(result: ShownMemory) -> str:
    place = result.place
    if place.line is None:
        return f"not shown: it lists {place.listed} of {place.listed + place.omitted} memories"
    return f"entry {place.line} of {place.listed}"


def file_fields(result: ShownFile) -> list[tuple[str, str]]:
    """Return what is to say of a file that is not loaded."""
    return [
        ("address", result.store.memory_address(result.file.stem)),
        ("agent", agent_label(result.store)),
        ("not loaded", result.file.problem.reason),
        ("path", f"{result.store.path}/{result.file.file}"),
    ]


def card_fields(card: Card) -> list[tuple[str, str]]:
    """Return the lines of an agent's card."""
    store, agent = card.store, card.store.agent
    total = card.listed + card.omitted
    fields = [
        ("agent", agent_label(store)),
        ("path", store.path if card.exists else f"{store.path} (no directory yet)"),
    ]
    if agent:
        fields += [
            ("workspace", agent.workspace or "none named"),
            ("model", agent.model or "none named"),
            ("automatic memory", "on" if agent.enabled else "off"),
            (
                "sweep mode",
                f"{agent.sweep} ({'a sweep runs' if card.sweeps and agent.enabled else 'no sweep runs'}: {card.why})",
            ),
        ]
    index = f"{card.index_units:,} of {INDEX_MAX:,} characters, {card.listed} of {total} memories, {card.index_state}"
    fields += [
        ("memories", f"{card.memories} of {PER_AGENT}"),
        ("types", ", ".join(f"{kind} {count}" for kind, count in card.by_type.items()) or "none"),
        ("sources", ", ".join(f"{source} {count}" for source, count in card.by_source.items()) or "none"),
        ("updated", f"{card.oldest} to {card.newest}" if card.oldest else "never"),
        ("index", index),
        ("old notes", "imported" if card.imported else "not imported"),
    ]
    return fields + [("not loaded", f"{file.file}: {file.problem.reason}") for file in card.unloaded]


def note_fields(result: ShownNote) -> list[tuple[str, str]]:
    """Return the fields of a note with their labels."""
    store, note = result.store, result.note
    return [
        ("address", store.note_address(note.number)),
        ("written", note.stamp or "by hand, without a stamp"),
        ("path", f"{store.path}, line {note.line}"),
    ]


def shown(result: Shown) -> str:
    """Return a memory, a file or a card as lines `label: value`, the text of it after an empty line.

    The user memory is its path and its text, as CodeWhale's own /memory shows it, which takes one that is not UTF-8
    for missing: its text is shown all the same.
    """
    if isinstance(result, ShownNote):
        return _lines(note_fields(result)) + "\n" + _ended(result.note.text)
    if isinstance(result, ShownUserMemory):
        from memctl.core.dialects.notes import program_show

        try:
            result.data.decode("utf-8")
        except UnicodeDecodeError:
            return f"{result.store.shown}\n\n{_ended(decode(result.data))}"
        return program_show(result.store.shown, result.data) + "\n"
    if isinstance(result, Card):
        return _lines(card_fields(result))
    if isinstance(result, ShownFile):
        return _lines(file_fields(result)) + "\n" + _ended(decode(result.file.data or b""))
    return _lines(memory_fields(result)) + "\n" + _ended(result.entry.memory.content)


def _lines(fields: list[tuple[str, str]]) -> str:
    return "".join(f"{label}: {field(value)}\n" for label, value in fields)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def edited(result: Edited | EditedNotes) -> str:
    """Return one line of `edit`: the address, and what happened."""
    if isinstance(result, EditedNotes):
        return f"{result.address}\t{result.action}\n"
    return f"{field(result.store.memory_address(result.file[:-3]))}\t{result.action}\n"


def removed(result: Removed | RemovedNotes, *, reasons: bool) -> str:
    """Return the rows of `delete` and `prune`: the address, and with `reasons` why it goes."""
    return "".join(
        field(gone.address) + (f"\t{field('; '.join(gone.reasons))}" if reasons else "") + "\n" for gone in result.gone
    )


def reindexed(result: Reindexed) -> str:
    """Return the row of a store whose index changed: address, how many memories are listed, how many are not."""
    if not result.changed:
        return ""
    return f"{field(result.store.address)}\t{result.listed}\t{result.omitted}\n"


def imported(result: Imported) -> str:
    """Return the row of `import-legacy`: address, what happened, and why."""
    what = "imported" if result.imported else "not imported"
    why = ("cut to 8,192 characters" if result.truncated else "") if result.imported else result.why
    return f"{field(result.store.address)}\t{what}\t{field(why)}\n"


def sweep_state(result: AgentState) -> str:
    """Return the row of `sweep-mode`: id, name, mode, model, whether a sweep runs, why, and the way of a change."""
    runs = "sweeps" if result.sweeps else "no sweep"
    cells = (result.store.id, result.store.name, result.mode, result.model, runs, result.why, _way(result))
    return "\t".join(map(field, cells)) + "\n"


def memory_state(result: AgentState) -> str:
    """Return the row of `auto-memory`: id, name, on or off, why, and the way of a change."""
    cells = (result.store.id, result.store.name, "on" if result.enabled else "off", result.why_enabled, _way(result))
    return "\t".join(map(field, cells)) + "\n"


def _way(result: AgentState) -> str:
    return {"api": "changed by the HQ", "file": "changed in agents.json", None: ""}[result.way]


def change(one: Change) -> str:
    """Return the row of a change: id, time (UTC), user, what became of it, how many files, command."""
    cells = (str(one.id), one.time, one.origin.user, change_state(one), str(len(one.files)), one.command)
    return "\t".join(map(field, cells)) + "\n"


def change_state(one: Change) -> str:
    """Return what became of a change, '' where it stands: `undo of 2, undone by 5`, `interrupted`."""
    state = f"undone by {one.undone_by}" if one.undone_by is not None else "" if one.done else "interrupted"
    if one.kind == "change":
        return state
    return f"{one.kind} of {one.target}" + (f", {state}" if state else "")
