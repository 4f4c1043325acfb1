"""Results as JSON: the only place of its keys (DESIGN 7)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from memctl.core.memory import Memory
from memctl.core.text import length
from memctl.disk.stores import DirectoryStore, Unloaded
from memctl.errors import MemctlError, SeveralErrors
from memctl.ops.results import (
    AgentState,
    Card,
    Edited,
    EditedNotes,
    Gone,
    GoneNote,
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
    from collections.abc import Collection

    from memctl.core.checks.rule import Finding
    from memctl.core.dialects.notes import Note
    from memctl.disk.history_tables import Change
    from memctl.disk.locking import FileChange
    from memctl.disk.native_tree import NativeFile, Structured
    from memctl.disk.user_store import FileStore
    from memctl.ops.check import Totals
    from memctl.ops.explain_code import ExplainedCode
    from memctl.ops.explain_memory import ExplainedMemory
    from memctl.ops.explain_rule import ExplainedRule
    from memctl.ops.explain_user import Explained
    from memctl.ops.fix import Fixed
    from memctl.ops.import_native import ImportedTree
    from memctl.ops.recall import Recall
    from memctl.ops.show import Shown
    from memctl.ops.undo import UndoPlan

SCHEMA = 1


def dumps(value: object) -> str:
    """Return the JSON text of a value, with characters as they are wherever UTF-8 has them."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)  # a file name that is no UTF-8, or half a pair
    return text


def head(version: str, host: str, command: str) -> dict[str, Any]:
    """Return what each object begins with."""
    return {"schema": SCHEMA, "memctl": version, "host": host, "command": command}


def error_list(errors: Iterable[MemctlError]) -> list[dict[str, Any]]:
    """Return the errors, several in one as each of them."""
    flat: list[MemctlError] = []
    for error in errors:
        flat += error.errors if isinstance(error, SeveralErrors) else (error,)
    return [{"code": error.code, "message": error.message, "path": error.path, "hint": error.hint} for error in flat]


def memory(store: DirectoryStore, file: str, record: Memory) -> dict[str, Any]:
    """Return one memory; a missing date is null."""
    return {
        "address": store.memory_address(file[:-3]),
        "path": f"{store.path}/{file}",
        "name": record.name,
        "file": file,
        "description": record.description,
        "type": record.type,
        "source": record.source,
        "created": record.created or None,
        "updated": record.updated or None,
        "size": length(record.content),
    }


def not_loaded(store: DirectoryStore, file: Unloaded) -> dict[str, Any]:
    """Return one file that the HQ skips."""
    return {"file": file.file, "path": f"{store.path}/{file.file}", "reason": file.problem.reason}


def agent(store: DirectoryStore) -> dict[str, Any]:
    """Return who a store belongs to; `registered` is null where no registry can be read."""
    return {"id": store.id, "name": store.agent.name if store.agent else None, "registered": store.registered}


def listed(result: Listed) -> dict[str, Any]:
    """Return one of the `stores` of `list`."""
    store = result.store
    return {
        "address": store.address,
        "path": store.path,
        "agent": agent(store),
        "memories": [memory(store, entry.file, entry.memory) for entry in result.entries],
        "not_loaded": [not_loaded(store, file) for file in result.unloaded],
    }


def note(store: FileStore, one: Note) -> dict[str, Any]:
    """Return one note of the user memory; a note without a stamp has null."""
    return {
        "address": store.note_address(one.number),
        "number": one.number,
        "line": one.line,
        "stamp": one.stamp,
        "text": one.text,
    }


def _user_limit() -> int:
    from memctl.core.dialects.notes import LIMIT

    return LIMIT


def listed_notes(result: ListedNotes) -> dict[str, Any]:
    """Return the user memory as one of the `stores` of `list`; `bytes` is null where there is no file."""
    return {
        "address": result.store.address,
        "path": result.store.path,
        "bytes": result.size,
        "limit": _user_limit(),
        "notes": [note(result.store, one) for one in result.notes],
        "outside": result.outside,
    }


def listed_native(file: NativeFile) -> dict[str, Any]:
    """Return one file of CodeWhale's native tree as one of the `stores` of `list`."""
    return {
        "address": "@user",
        "scope": file.scope,
        "path": file.path,
        "bytes": None if file.data is None else len(file.data),
        "entries": [{"line": entry.line, "text": entry.text} for entry in file.entries],
    }


def listed_structured(path: str, memories: Sequence[Structured]) -> dict[str, Any]:
    """Return CodeWhale's structured store as one of the `stores` of `list`."""
    return {"address": "@user", "scope": "store", "path": path, "memories": [one._asdict() for one in memories]}


def explained(told: Explained) -> dict[str, Any]:
    """Return the data of `explain @user`."""
    return {
        "address": "@user",
        "path": told.path,
        "exists": told.exists,
        "bytes": told.size,
        "utf8": told.utf8,
        "enabled": told.enabled,
        "cut": {"bytes": told.cut_bytes, "notes": told.cut_notes},
        "misplaced": list(told.misplaced),
        "newer": told.newer,
        "loaded": told.loaded,
        "steps": [{"key": step.key, "text": step.text} for step in told.steps],
        "verdict": told.verdict,
    }


def explained_rule(told: ExplainedRule) -> dict[str, Any]:
    """Return the data of `explain RULE`; `severity` is what the settings make of it."""
    from memctl.core.checks.table import FAMILIES

    rule = told.rule
    return {
        "rule": rule.code,
        "slug": rule.slug,
        "family": FAMILIES[rule.code[0]],
        "severity": told.severity,
        "default_severity": rule.severity,
        "on": told.on,
        "summary": rule.summary,
        "why": rule.why,
        "example": rule.example,
        "mend": rule.mend,
        "settings": list(told.settings),
    }


def explained_code(told: ExplainedCode) -> dict[str, Any]:
    """Return the data of `explain EXIT-CODE`."""
    return {"exit_code": int(told.code), "meaning": told.meaning, "when": told.when, "mend": told.mend}


def explained_memory(told: ExplainedMemory) -> dict[str, Any]:
    """Return the data of `explain AGENT/NAME`; `index` and `recall` are null for a file that is not loaded."""
    place = told.place
    return {
        "address": told.address,
        "path": told.path,
        "loaded": told.reason is None,
        "reason": told.reason,
        "automatic_memory": told.store.automatic_memory,
        "index": place and {"entry": place.line, "listed": place.listed, "omitted": place.omitted},
        "recall": None if place is None else {"words": list(told.words), "ahead": told.ahead},
        "findings": [finding(one) for one in told.findings],
        "steps": [{"key": step.key, "text": step.text} for step in told.steps],
        "verdict": told.verdict,
    }


def user_state(result: UserState) -> dict[str, Any]:
    """Return the user memory as one of the `agents` of `auto-memory`."""
    return {
        "address": result.store.address,
        "enabled": result.enabled,
        "why": result.why,
        "changed": result.changed,
        "way": "config" if result.changed else None,
    }


def recalled(result: Recall) -> dict[str, Any]:
    """Return the data of `recall`: its `memories`, best first."""
    hits = [
        {"address": hit.address, "path": hit.path, "score": hit.score, "words": list(hit.words), "about": hit.about}
        for hit in result.hits
    ]
    return {"memories": hits}


def shown(results: Sequence[Shown]) -> dict[str, Any]:
    """Return the data of `show`: `memory` is set where exactly one was asked for."""
    memories = [_shown_memory(result) for result in results if isinstance(result, ShownMemory)]
    files = [
        {"address": result.store.memory_address(result.file.stem), **not_loaded(result.store, result.file)}
        for result in results
        if isinstance(result, ShownFile)
    ]
    cards = [_card(result) for result in results if isinstance(result, Card)]
    single = memories[0] if len(results) == len(memories) == 1 else None
    data = {"memory": single, "memories": memories, "not_loaded": files, "agents": cards}
    notes = [note(result.store, result.note) for result in results if isinstance(result, ShownNote)]
    users = [_shown_user(result) for result in results if isinstance(result, ShownUserMemory)]
    return data | ({"notes": notes, "user_memories": users} if notes or users else {})


def _shown_user(result: ShownUserMemory) -> dict[str, Any]:
    return {
        "address": result.store.address,
        "path": result.store.path,
        "bytes": len(result.data),
        "limit": _user_limit(),
        "notes": [note(result.store, one) for one in result.notes],
        "content": result.data.decode("utf-8", "replace"),
    }


def _shown_memory(result: ShownMemory) -> dict[str, Any]:
    place = result.place
    return memory(result.store, result.entry.file, result.entry.memory) | {
        "content": result.entry.memory.content,
        "index": {"line": place.line, "listed": place.listed, "omitted": place.omitted},
    }


def _card(card: Card) -> dict[str, Any]:
    store = card.store
    known = store.agent
    return {
        "address": store.address,
        "path": store.path,
        "agent": agent(store),
        "workspace": known.workspace if known else None,
        "model": known.model if known else None,
        "auto_memory": known.enabled if known else None,
        "mode": known.sweep if known else None,
        "sweeps": card.sweeps,
        "why": card.why,
        "memories": card.memories,
        "types": card.by_type,
        "sources": card.by_source,
        "oldest": card.oldest,
        "newest": card.newest,
        "index": {
            "state": card.index_state,
            "size": card.index_units,
            "listed": card.listed,
            "omitted": card.omitted,
        },
        "legacy_imported": card.imported,
        "not_loaded": [not_loaded(store, file) for file in card.unloaded],
    }


def edited(results: Sequence[Edited | EditedNotes]) -> dict[str, Any]:
    """Return the data of `edit`: the keys of one edit, and all of them in `edits`."""
    edits = [_edited(result) for result in results]
    empty = dict.fromkeys(("address", "path", "action", "memory"))
    return (edits[0] if len(edits) == 1 else empty) | {"edits": edits}


def _edited(result: Edited | EditedNotes) -> dict[str, Any]:
    if isinstance(result, EditedNotes):
        return {"address": result.address, "path": result.store.path, "action": result.action, "memory": None}
    return {
        "address": result.store.memory_address(result.file[:-3]),
        "path": f"{result.store.path}/{result.file}",
        "action": result.action,
        "memory": memory(result.store, result.file, result.memory) | {"content": result.memory.content},
    }


def removed(results: Sequence[Removed | RemovedNotes], *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `delete` and `prune`."""
    return {
        "removals": [_gone(gone) for result in results for gone in result.gone],
        "kept": sum(result.kept for result in results),
        "dry_run": dry_run,
    }


def _gone(gone: Gone | GoneNote) -> dict[str, Any]:
    return {"address": gone.address, "path": gone.path, "reasons": list(gone.reasons)}


def reindexed(result: Reindexed) -> dict[str, Any]:
    """Return one of the `stores` of `reindex`."""
    return {
        "address": result.store.address,
        "path": result.store.path,
        "changed": result.changed,
        "listed": result.listed,
        "omitted": result.omitted,
    }


def imported(result: Imported) -> dict[str, Any]:
    """Return one of the `imports` of `import-legacy`."""
    return {
        "address": result.store.address,
        "imported": result.imported,
        "reason": result.reason,
        "truncated": result.truncated,
        "source": result.source,
    }


def sweep_state(result: AgentState) -> dict[str, Any]:
    """Return one of the `agents` of `sweep-mode`."""
    return {
        "id": result.store.id,
        "name": result.store.agent.name if result.store.agent else None,
        "mode": result.mode,
        "model": result.model,
        "sweeps": result.sweeps,
        "why": result.why,
        "changed": result.changed,
        "way": result.way,
    }


def memory_state(result: AgentState) -> dict[str, Any]:
    """Return one of the `agents` of `auto-memory`."""
    return {
        "id": result.store.id,
        "name": result.store.agent.name if result.store.agent else None,
        "enabled": result.enabled,
        "why": result.why_enabled,
        "changed": result.changed,
        "way": result.way,
    }


def settings(values: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the data of `config show`."""
    return {"settings": [{"key": key, "value": value.value, "origin": value.origin} for key, value in values]}


def setting_set(key: str, value: object, path: str, *, changed: bool, dry_run: bool) -> dict[str, Any]:
    """Return the data of `config set`."""
    return {"key": key, "value": value, "path": path, "changed": changed, "dry_run": dry_run}


def config_path(path: str) -> dict[str, Any]:
    """Return the data of `config path`."""
    return {"path": path}


def script(shell: str, text: str) -> dict[str, Any]:
    """Return the data of `completion`."""
    return {"shell": shell, "script": text}


def demo(path: str, files: Iterable[str], commands: Iterable[str], *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `demo`."""
    return {"path": path, "files": sorted(files), "try": list(commands), "dry_run": dry_run}


def places(found: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Return the data of `path`: each address with its path."""
    return {"paths": [{"address": address, "path": path} for address, path in found]}


def prompt(text: str | None) -> dict[str, Any]:
    """Return the data of `prompt`."""
    return {"text": text}


def remembered(store: FileStore, notes: Sequence[str], *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `remember`."""
    return {"address": store.address, "path": store.path, "notes": list(notes), "dry_run": dry_run}


def cleared(store: FileStore, size: int, notes: int, *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `clear @user`: what the file had."""
    return {"address": store.address, "path": store.path, "bytes": size, "notes": notes, "dry_run": dry_run}


def shown_native(files: Iterable[NativeFile]) -> dict[str, Any]:
    """Return the data of `show @user --scope`."""
    return {"native": [listed_native(file) for file in files]}


def imported_tree(result: ImportedTree, *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `import-legacy @user`."""
    entry = {
        "address": "@user",
        "imported": result.imported,
        "reason": result.reason,
        "truncated": False,
        "source": result.source,
    }
    return {"imports": [entry], "dry_run": dry_run}


def history(changes: Iterable[Change]) -> dict[str, Any]:
    """Return the data of `history`; no bytes of a file are in it."""
    return {"changes": [_change(one) for one in changes]}


def _change(one: Change) -> dict[str, Any]:
    return {
        "id": one.id,
        "time": one.time,
        "command": one.command,
        "user": one.origin.user,
        "uid": one.origin.uid,
        "host": one.origin.host,
        "session": one.origin.session,
        "kind": one.kind,
        "target": one.target,
        "done": one.done,
        "undone_by": one.undone_by,
        "files": [
            {"store": file.store, "path": file.path, "action": _action(file), "changed": file.settled}
            for file in one.files
        ],
    }


def _action(file: FileChange) -> str:
    if file.before.data is None:
        return "created"
    return "removed" if file.after.data is None else "changed"


def forgotten(ids: Iterable[int]) -> dict[str, Any]:
    """Return the data of `history --forget` and `--prune`."""
    return {"forgotten": list(ids)}


def undone(plan: UndoPlan, paths: Iterable[str], *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `undo` and `redo`: the files that came back, and those that had changed since."""
    return {
        "undone": plan.change.id,
        "files": list(paths),
        "changed_since": [restore.file.path for restore in plan.blocked],
        "dry_run": dry_run,
    }


def finding(one: Finding) -> dict[str, Any]:
    """Return one of the `findings` of `check`; line and column are null where the whole file or line is meant."""
    from memctl.core.checks.table import BY_CODE

    return {
        "rule": one.rule,
        "slug": BY_CODE[one.rule].slug,
        "severity": one.severity,
        "path": one.path,
        "line": one.line,
        "column": one.column,
        "length": one.length,
        "message": one.message,
        "detail": one.detail,
        "fixable": one.fix is not None,
        "fix": {"does": one.fix.kind, "safe": one.fix.kind.safe} if one.fix else None,
        "fingerprint": one.fingerprint,
        "store": one.store,
        "file": one.file,
        "related": list(one.related),
    }


def fixed(one: Fixed) -> dict[str, Any]:
    """Return one of the `fixed` of `check --fix`."""
    from memctl.core.checks.table import BY_CODE

    return {"rule": one.rule, "slug": BY_CODE[one.rule].slug, "does": one.kind, "path": one.path, "to": one.to or None}


def checked(totals: Totals) -> dict[str, Any]:
    """Return what stands behind the `findings` of `check`: how much was looked at, and what it came to."""
    return {
        "checked": {"stores": totals.stores, "memories": totals.memories},
        "counts": {
            "error": totals.errors,
            "warning": totals.warnings,
            "info": totals.infos,
            "fixable": totals.fixable,
            "hidden": totals.hidden,
            "allowed": totals.allowed,
            "known": totals.known,
            "removed": totals.removed,
        },
    }


def rules(on: Collection[str]) -> dict[str, Any]:
    """Return the data of `check --list-rules`; `on` are the codes of the rules that are on."""
    from memctl.core.checks.table import FAMILIES, RULES

    return {
        "rules": [
            {
                "rule": rule.code,
                "slug": rule.slug,
                "family": FAMILIES[rule.code[0]],
                "severity": rule.severity,
                "on": rule.code in on,
                "summary": rule.summary,
            }
            for rule in RULES
        ]
    }
