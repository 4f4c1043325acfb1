from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memctl.core.env import Env
from memctl.disk.codewhale import find_facts
from memctl.disk.user_store import FileStore, open_user_store
from memctl.errors import InvalidInput, MemctlError, NotFound, UsageError
from memctl.ops.prompt import Prompt, prompt_of
from tests.judges import cases
from tests.stores import env_of, fill

Ask = Callable[..., Prompt]

# What the files of the vectors hold: they have the answers alone.
COMPOSED: dict[str, bytes | None] = {
    "compose-missing": None,
    "compose-present": b"- a\n",
    "compose-empty": b"",
    "compose-whitespace": b" \n\t\xe3\x80\x80\n",
    "compose-invalid-utf8-silently-nothing": b"- caf\xe9\n",
    "compose-utf16-silently-nothing": "- a\n".encode("utf-16"),
    "compose-utf8-bom": b"\xef\xbb\xbf- a\n",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.md"


@pytest.fixture
def env(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Env:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return env_of(tmp_path, DEEPSEEK_MANAGED_CONFIG_PATH="/nonexistent")


@pytest.fixture
def ask(path: Path, env: Env) -> Ask:
    """Give a function that asks for the block, by default of the single file and the newest rules."""

    def asked(rules: str | None = None, scope: str | None = None) -> Prompt:
        return prompt_of(store_of(path, env), env, rules=rules, scope=scope)

    return asked


def store_of(path: Path, env: Env) -> FileStore:
    return open_user_store(find_facts(env, given=str(path)), env)


@pytest.mark.parametrize(
    "case", [case for case in cases("codewhale/single_file_block") if case.values[0]["op"] == "compose_block"]
)
@pytest.mark.parametrize("rules", [None, "0.8.8", "0.8.17", "0.8.21"])
def test_a_real_file_gives_the_block_that_codewhale_composes(
    path: Path, ask: Ask, case: dict[str, Any], rules: str | None
) -> None:
    if case["id"] == "compose-directory":
        path.mkdir()
        with pytest.raises(InvalidInput, match="is a directory, not a file"):
            ask(rules)
        return
    data = COMPOSED[case["id"]]
    if data is not None:
        path.write_bytes(data)
    expected = case["expected"]
    prompt = ask(rules)
    assert prompt.text == (expected and expected.replace("{PATH}", str(path)))
    assert bool(prompt.why) is (expected is None)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (None, "there is no file '{}'"),
        (b" \n", "'{}' is blank"),
        (b"- a\xff", "byte 3 of '{}' is not UTF-8, so CodeWhale loads nothing, without a word"),
    ],
)
def test_where_there_is_no_block_the_reason_is_told(path: Path, ask: Ask, data: bytes | None, why: str) -> None:
    if data is not None:
        path.write_bytes(data)
    assert ask() == Prompt(None, why.format(path))


def test_the_switch_does_not_matter_and_the_path_is_shown_as_it_was_given(tmp_path: Path, env: Env) -> None:
    (tmp_path / "memory.md").write_bytes(b"- a\n")
    found = find_facts(env, given="./memory.md")
    assert not found.resolved.enabled
    prompt = prompt_of(open_user_store(found, env), env, rules=None, scope=None)
    assert prompt.text == '<user_memory source="./memory.md">\n- a\n</user_memory>'


def test_each_release_cuts_a_long_file_in_its_own_way(path: Path, ask: Ask) -> None:
    path.write_bytes(b"a" + "é".encode() * 60_000)
    with pytest.raises(InvalidInput, match=r"release 0\.8\.8 panics"):
        ask("0.8.8")
    older, newer, default = ask("0.8.20").text, ask("0.8.21").text, ask().text
    assert older is not None
    assert "…(truncated, raise [memory].max_size" in older
    assert newer == default
    assert newer is not None
    assert "<truncated bytes=" in newer


def test_what_is_no_release_is_wrong_usage(path: Path, ask: Ask) -> None:
    with pytest.raises(UsageError):
        ask("latest")


def test_the_tree_is_asked_by_its_rules_or_by_a_scope(tmp_path: Path, ask: Ask) -> None:
    target = fill(tmp_path / "memory" / "global", {"MEMORY.md": b"- native\n"}) / "MEMORY.md"
    by_rules, by_scope = ask("0.9.10"), ask(scope="global")
    assert by_rules == by_scope
    assert by_rules.text is not None
    assert f"- [source={target} line=1] native\n" in by_rules.text
    assert ask().text is None  # there is no single file


def test_a_tree_without_entries_has_no_block_and_a_missing_scope_is_told(tmp_path: Path, ask: Ask) -> None:
    assert ask(scope="all") == Prompt(None, f"there are no entries under '{tmp_path}/memory'")
    with pytest.raises(UsageError, match="has no workspace scope"):
        ask(scope="workspace")


def test_a_tree_that_is_not_utf8_or_a_dangling_link_is_an_error(tmp_path: Path, path: Path, ask: Ask) -> None:
    fill(tmp_path / "memory" / "global", {"MEMORY.md": b"\xff"})
    with pytest.raises(InvalidInput, match="is not UTF-8"):
        ask(scope="global")
    path.symlink_to("nowhere.md")
    with pytest.raises(NotFound):
        ask()


def test_a_fifo_never_hangs_it(path: Path, ask: Ask) -> None:
    os.mkfifo(path)
    with pytest.raises(MemctlError, match="is a FIFO"):
        ask()
