"""Results as plain text: one record a line, fields by tabs, for pipes and scripts."""

from __future__ import annotations

from memctl.core.limits import INDEX_MAX, PER_AGENT, content_limit
from memctl.core.text import decode, length
from memctl.disk.stores import DirectoryStore
from memctl.ops.results import (
    AgentState,
    Card,
    Edited,
    Imported,
    Listed,
    Reindexed,
    Removed,
    ShownFile,
    ShownMemory,
)
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


def addresses(result: Listed, end: str = "\n") -> str:
    """Return the addresses alone, each with `end` behind it."""
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


def shown(result: ShownMemory | ShownFile | Card) -> str:
    """Return a memory, a file or a card as lines `label: value`, the text of it after an empty line."""
    if isinstance(result, Card):
        return _lines(card_fields(result))
    if isinstance(result, ShownFile):
        return _lines(file_fields(result)) + "\n" + _ended(decode(result.file.data or b""))
    return _lines(memory_fields(result)) + "\n" + _ended(result.entry.memory.content)


def _lines(fields: list[tuple[str, str]]) -> str:
    return "".join(f"{label}: {field(value)}\n" for label, value in fields)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def edited(result: Edited) -> str:
    """Return one line of `edit`: the address, and what happened."""
    return f"{field(result.store.memory_address(result.file[:-3]))}\t{result.action}\n"


def removed(result: Removed, *, reasons: bool) -> str:
    """Return the rows of `delete` and `prune`: the address, and with `reasons` why it goes."""
    return "".join(
        field(gone.address) + (f"\t{field('; '.join(gone.reasons))}" if reasons else "") + "\n" for gone in result.gone
    )


def reindexed(result: Reindexed) -> str:
    """Return the row of a store whose index changed: address, how many memories are listed, how many are not."""
    if not result.changed:
        return ""
    return f"{field(result.store.address)}\t{result.listed}\t{result.omitted}\n"


def index_diff(result: Reindexed) -> str:
    """Return a unified diff from the index that is there to the one that should be."""
    from difflib import unified_diff

    path = f"{result.store.path}/MEMORY.md"
    before = decode(result.before or b"").splitlines(keepends=True)
    after = decode(result.after).splitlines(keepends=True)
    origin = path if result.before is not None else "/dev/null"
    lines = unified_diff(before, after, origin, f"{path} (rendered)")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


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
