"""The core answers as the HQ does, in every case of the vectors."""

from __future__ import annotations

import base64
from datetime import datetime
from typing import Any

import pytest

from memctl.core.dialects import hq
from memctl.core.index import render_index
from memctl.core.limits import Draft
from memctl.core.memory import Memory, MemoryType, NotLoaded, Source
from memctl.core.recall import rank, tokenize
from memctl.core.sweep import sweeps
from memctl.core.text import decode, length
from tests.core.hq_model import Model
from tests.judges import TODAY, cases, data, load, record


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def plain(text: str) -> str:
    """A text as it is after its way to the disk and back."""
    return data(text).decode()


def memory_of(fields: dict[str, Any]) -> Memory:
    return Memory(
        fields["name"],
        fields["description"],
        # The HQ's renderer is also asked for types that no file can have.
        MemoryType(fields["type"]) if fields["type"] in [*MemoryType] else fields["type"],
        Source(fields["source"]),
        fields["createdAt"],
        fields["updatedAt"],
        fields.get("content", ""),
    )


def files_of(value: dict[str, Any] | None) -> dict[str, bytes | None]:
    """The files of a vector: given one by one, or made from a template."""
    if value is None:
        return {}
    if "generated" in value:
        others = files_of(value.get("others"))
        made = {name: value["template"].replace("c-0", name[:-3]).encode() for name in value["names"]}
        return made | others
    return {name: None if text is None else data(text) for name, text in value.items()}


@pytest.mark.parametrize("case", cases("hq/frontmatter"))
def test_front_matter_is_read_as_the_hq_reads_it(case: dict[str, Any]) -> None:
    text = decode(base64.b64decode(case["rawBase64"])) if "rawBase64" in case else case["raw"]
    if "fields" in case:
        parsed = hq.parse_fields(text)
        got = None if isinstance(parsed, NotLoaded) else {"fields": parsed[0], "content": parsed[1]}
        assert got == case["fields"]
    memory = hq.parse(text, case["fallbackName"])
    if case["record"] is None:
        assert isinstance(memory, NotLoaded)
    else:
        assert isinstance(memory, Memory)
        assert record(memory) == case["record"]
        assert length(memory.content) == case["size"]


@pytest.mark.parametrize("case", cases("hq/serialize"))
def test_a_file_is_written_as_the_hq_writes_it(case: dict[str, Any]) -> None:
    memory = memory_of(case["record"])
    written = hq.write(memory)
    assert hq.serialize(memory) == case["text"]
    assert written == base64.b64decode(case["fileBase64"])
    reread = hq.read(written, "x")
    assert (record(reread) if isinstance(reread, Memory) else None) == case["reparsed"]


@pytest.mark.parametrize("case", [case for case in cases("hq/index") if "files" not in case.values[0]])
def test_an_index_is_rendered_as_the_hq_renders_it(case: dict[str, Any]) -> None:
    memories = [memory_of(fields) for fields in case["list"]]
    options = {key: case[name] for key, name in (("max_chars", "maxChars"), ("tools", "tools")) if name in case}
    index = render_index(memories, **options)
    assert index.text == case["text"]
    assert length(index.text) == case["length"]
    assert len(index.listed) + len(index.omitted) == len(
        [memory for memory in memories if memory.type in [*MemoryType]]
    )


@pytest.mark.parametrize("case", [case for case in cases("hq/index") if "files" in case.values[0]])
def test_a_directory_is_listed_and_indexed_as_the_hq_does(case: dict[str, Any]) -> None:
    flat = {name: text for name, text in files_of(case["files"]).items() if "/" not in name}
    model = Model(flat, moment(load("hq/index")["now"]))
    assert [model.info(memory) for memory in model.all()] == case["list"]
    model.write_index()
    assert model.files["MEMORY.md"] == case["memoryMd"].encode()


@pytest.mark.parametrize("case", cases("hq/limits"))
def test_a_save_is_checked_as_the_hq_checks_it(case: dict[str, Any]) -> None:
    model = Model(None, moment(load("hq/limits")["now"]))
    draft = Draft(**case["input"])
    answer = model.save(draft)
    assert answer["ok"] == case["ok"]
    assert answer.get("error") == case["error"]
    assert answer.get("code") == case["code"]
    assert answer.get("record") == case["record"]
    written = model.files.get(f"{draft.name}.md")
    assert written == (base64.b64decode(case["fileBase64"]) if case["fileBase64"] else None)
    reread = model.get(draft.name)
    assert (record(reread) if reread else None) == case["reread"]


@pytest.mark.parametrize("case", [*cases("hq/save"), *cases("hq/delete")])
def test_saves_and_removals_leave_the_files_that_the_hq_leaves(case: dict[str, Any]) -> None:
    model = Model(files_of(case["preFiles"]), moment(load("hq/save")["now"]))
    for step, result in zip(case["steps"], case["results"], strict=True):
        if step["op"] == "snapshot":
            expected = {name: base64.b64decode(text) for name, text in result["files"].items()}
            assert model.files == expected
            continue
        model.now = moment(step["now"]) if "now" in step else model.now
        assert model.step(step) == result
    final = {name: text for name, text in model.files.items() if name != ".legacy-imported"}
    if "finalFileNames" in case:
        assert sorted(final) == sorted(case["finalFileNames"])
        final = {name: final[name] for name in case["finalFiles"]}
    assert final == {name: data(text) for name, text in (case["finalFiles"] or {}).items()}


@pytest.mark.parametrize("case", cases("hq/legacy"))
def test_old_notes_are_imported_as_the_hq_imports_them(case: dict[str, Any]) -> None:
    model = Model(files_of(case["preFiles"]), moment(load("hq/legacy")["now"]))
    text = case["workspaceMemoryMd"]
    notes = None if text is None else data(text)
    for step, result in zip(case["steps"], case["results"], strict=True):
        assert model.step(step, notes) == result
    marker = model.files.pop(".legacy-imported", None)
    assert marker == (None if case["marker"] is None else case["marker"].encode())
    final = {name: base64.b64decode(text) for name, text in (case["finalFiles"] or {}).items()}
    final.pop(".legacy-imported/", None)  # a directory at the place of the marker, which the model has as None
    assert model.files == final


@pytest.mark.parametrize("case", cases("hq/recall"))
def test_a_message_recalls_what_the_hq_recalls(case: dict[str, Any]) -> None:
    assert tokenize(case["message"]) == case["tokens"]
    model = Model(files_of(load("hq/recall")["directories"][case["dir"]]), moment(load("hq/recall")["now"]))
    best = rank(model.all(), case["message"], today=TODAY)
    assert [hit.memory.name for hit in best] == case["names"]
    assert [hit.memory.name for hit in rank(model.all(), case["message"], today=TODAY, most=None)] == case["allScored"]
    # The prompt fetches each by its name as a file name (spec/hq.md 10).
    fetched = [model.get(hit.memory.name) for hit in best]
    assert [memory.name for memory in fetched if memory] == case["recalledInPrompt"]


@pytest.mark.parametrize("case", cases("hq/sweepmode"))
def test_a_sweep_runs_by_the_rule_of_the_document(case: dict[str, Any]) -> None:
    """DESIGN 4.2: for OpenRouter the seed holds, so `docRuleSweeps` is right where the two differ."""
    assert sweeps(case["policy"], case["model"]).sweeps is case["docRuleSweeps"]
    assert (case["sweeps"] != case["docRuleSweeps"]) == case["docDisagrees"]
