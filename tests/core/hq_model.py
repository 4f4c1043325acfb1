"""An HQ's memory store over a dict of files, made of memctl's pure functions, to be judged by the vectors."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from memctl.core.dialects import hq
from memctl.core.index import render_index
from memctl.core.legacy import MARKER_NAME, NoImport, marker_text, plan_legacy
from memctl.core.limits import Draft
from memctl.core.memory import Memory
from memctl.core.recall import recall_text
from memctl.core.saving import plan_forget, plan_save, removes
from memctl.core.text import length
from memctl.errors import MemctlError
from tests.judges import record


class Model:
    """The files of one agent; None stands for a directory of that name."""

    def __init__(self, files: dict[str, bytes | None] | None, now: datetime) -> None:
        self.files = dict(files or {})
        self.now = now

    @property
    def today(self) -> str:
        return f"{self.now:%Y-%m-%d}"

    def all(self) -> list[Memory]:
        found = []
        for name in hq.memory_files(self.files):
            data = self.files[name]
            if data is not None and isinstance(memory := hq.read(data, name[:-3]), Memory):
                found.append(memory)
        return found

    def get(self, name: str) -> Memory | None:
        data = self.files.get(f"{name}.md")
        if not hq.is_name(name) or data is None:
            return None
        memory = hq.read(data, name)
        return memory if isinstance(memory, Memory) else None

    def write_index(self) -> None:
        self.files["MEMORY.md"] = render_index([memory.dated(self.today) for memory in self.all()]).text.encode()

    def save(self, draft: Draft) -> dict[str, Any]:
        try:
            saved = plan_save(draft, self.get(draft.name), len(self.all()), self.today)
        except MemctlError as error:
            return {"ok": False, "error": error.message, "code": error.code}
        self.files[f"{draft.name}.md"] = hq.write(saved.memory)
        self.write_index()
        return {"ok": True, "record": record(saved.memory, self.today), "action": saved.action}

    def remove(self, name: str) -> bool:
        if not removes(name, self.get(name)):
            return False
        del self.files[f"{name}.md"]
        self.write_index()
        return True

    def import_legacy(self, notes: bytes | None, *, has_workspace: bool) -> bool:
        plan = plan_legacy(notes, has_workspace=has_workspace, marker=MARKER_NAME in self.files, count=len(self.all()))
        if isinstance(plan, NoImport):
            return False
        assert self.save(plan)["ok"]
        self.files[MARKER_NAME] = marker_text(self.now)
        return True

    def step(self, step: dict[str, Any], notes: bytes | None = None) -> dict[str, Any]:
        """Carry out one step of a vector, and answer as the real program does."""
        name = step.get("name", "")
        match step["op"]:
            case "save":
                return self.save(Draft(**step["input"]))
            case "get":
                found = self.get(name)
                return {"ok": True, "record": record(found, self.today) if found else None}
            case "list":
                return {"ok": True, "list": [self.info(memory) for memory in self.all()]}
            case "remove":
                return {"ok": True, "removed": self.remove(name)}
            case "forgetTool":
                forgotten = plan_forget(name, self.get(name))
                details = {"memory": {"name": name, "action": "forgotten"}} if forgotten.removed else {}
                if forgotten.removed:
                    self.remove(name)
                return {"ok": True, "text": forgotten.text, "details": details}
            case "recallTool":
                text = recall_text(name, self.get(name), [memory.name for memory in self.all()])
                return {"ok": True, "text": text, "details": {}}
            case "importLegacy":
                imported = self.import_legacy(notes, has_workspace="workspace" not in step)
                return {"ok": True, "imported": imported}
            case other:
                raise AssertionError(other)

    def info(self, memory: Memory) -> dict[str, Any]:
        """One entry of the HQ's list()."""
        fields: dict[str, Any] = record(memory, self.today)
        return fields | {"size": length(fields.pop("content"))}
