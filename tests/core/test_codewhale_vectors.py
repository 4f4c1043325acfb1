"""The core answers as CodeWhale does, in every case of the vectors."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime
from typing import Any

import pytest

from memctl.core.codewhale import Config, Era, is_truthy, resolve
from memctl.core.dialects import native, notes
from memctl.core.prompt import Rules, user_memory_block, user_memory_payload
from memctl.errors import InvalidInput
from tests.judges import cases

HOME = "/home/ada"


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    "case", [case for case in cases("codewhale/single_file_block") if case.values[0]["op"] == "as_system_block"]
)
@pytest.mark.parametrize("rules", [*Rules])
def test_a_file_gives_the_block_that_codewhale_injects(case: dict[str, Any], rules: Rules) -> None:
    assert f"v{rules}" in case["same_in"]
    assert user_memory_block(case["content"], case["source"], rules) == case["expected"]


@pytest.mark.parametrize("case", cases("codewhale/truncate"))
def test_a_file_over_the_cap_is_cut_as_its_release_cuts_it(case: dict[str, Any]) -> None:
    content = "".join(text * times for text, times in case["content_spec"])
    assert len(content.encode()) == case["content_bytes"]
    rules = Rules(case["dialect"].removeprefix("v"))
    expected = case["expected"]
    if expected.get("panic"):
        with pytest.raises(ValueError, match="panics"):
            user_memory_block(content, case["source"], rules)
        return
    block = user_memory_block(content, case["source"], rules)
    if "block" in expected:
        assert block == expected["block"]
        return
    assert block is not None
    head, marker = user_memory_payload(content, case["source"], rules)
    assert head is not None
    assert marker == expected["marker"]
    assert (marker is not None) is expected["truncated"]
    assert len(head) == expected["head_bytes"]
    assert sha(head) == expected["head_sha256"]
    assert content.encode().startswith(head) is expected["head_is_prefix_of_content"]
    assert len(head) + len((marker or "").encode()) == expected["payload_bytes"]
    assert len(block.encode()) == expected["block_bytes"]
    assert sha(block.encode()) == expected["block_sha256"]


@pytest.mark.parametrize("case", cases("codewhale/append"))
def test_an_entry_becomes_the_bullet_that_codewhale_appends(case: dict[str, Any]) -> None:
    now = datetime.fromtimestamp(case["now_epoch"], UTC)
    expected = case["expected"]
    if "error" in expected:
        with pytest.raises(InvalidInput) as refusal:
            notes.bullet(case["entry"], now)
        assert f"InvalidInput: {refusal.value.message}" == expected["error"]
        return
    encoding = "latin-1" if "initial_encoding" in case else "utf-8"
    initial = (case["initial"] or "").encode(encoding)
    assert initial + notes.bullet(case["entry"], now) == expected["file"].encode(encoding)
    assert f"remembered: {notes.clean_entry(case['entry'])}" == expected["remember_tool_text"]


@pytest.mark.parametrize("case", cases("codewhale/truthy"))
def test_a_variable_switches_on_by_these_words_alone(case: dict[str, Any]) -> None:
    assert is_truthy(case["value"]) is case["expected"]


@pytest.mark.parametrize("case", cases("codewhale/quick_add"))
def test_the_composer_takes_these_lines_for_notes(case: dict[str, Any]) -> None:
    assert notes.is_quick_add(case["input"]) is case["expected"]


@pytest.mark.parametrize("case", cases("codewhale/config_resolution"))
def test_path_and_switch_are_resolved_as_the_release_does(case: dict[str, Any]) -> None:
    config = Config(case["config"]["memory_path"], case["config"]["memory.enabled"], case["config"]["memory.backend"])
    variables = {name: value.replace("{HOME}", HOME) for name, value in case["env"].items()}
    existing = {f"{HOME}/{name}" for name in case["existing_files"]}
    era = Era.V0_8_8 if case["rules"] == "0.8.8" else Era.V0_9_10
    found = resolve(config, variables, HOME, existing.__contains__, era)
    expected = case["expected"]
    assert found.enabled is expected["enabled"]
    assert found.path == expected["path"].replace("{HOME}", HOME)
    if "backend" in expected:
        assert ("Native" if found.native else "Off") == expected["backend"]


@pytest.mark.parametrize("case", cases("codewhale/native_entries"))
def test_a_native_file_has_the_entries_that_codewhale_reads(case: dict[str, Any]) -> None:
    assert [entry._asdict() for entry in native.read_entries(case["file"])] == case["entries"]


@pytest.mark.parametrize("case", cases("codewhale/memory_show"))
def test_a_file_is_shown_as_the_program_shows_it(case: dict[str, Any]) -> None:
    encoding = "latin-1" if case["id"].startswith("invalid-utf8") else "utf-8"
    data = None if case["file"] is None else case["file"].encode(encoding)
    assert notes.program_show("/m.md", data) == case["expected"].replace("{PATH}", "/m.md")


# Of four cases the vectors have only the size and the digest of the file; their rule stands in
# tests/core/dialects/test_native.py.
@pytest.mark.parametrize(
    "case",
    [
        case
        for case in cases("codewhale/native_prompt")
        if all(isinstance(text, str) for text in case.values[0]["files"].values())
    ],
)
def test_native_entries_give_the_block_that_codewhale_injects(case: dict[str, Any]) -> None:
    origin = case["origin"]
    workspace = hashlib.sha256(origin.encode()).hexdigest() if origin else None
    wanted = ["global/MEMORY.md"] + ([f"workspace/{workspace}/MEMORY.md"] if workspace else [])
    there = {name.replace("{ID}", workspace or ""): text for name, text in case["files"].items()}
    files = [
        ("{ROOT}/" + name.replace(workspace or "?", "{ID}"), native.read_entries(there[name]))
        for name in wanted
        if name in there
    ]
    block = native.prompt_block(files, most=case["max_entries"], budget=case["max_chars"])
    assert block == case["expected"]
