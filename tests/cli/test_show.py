"""`memctl show`: a memory, a file that is not loaded, an agent's card; addresses from everywhere."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.stores import fill, memory

MEMORY_KEYS = [
    "address",
    "path",
    "name",
    "file",
    "description",
    "type",
    "source",
    "created",
    "updated",
    "size",
    "content",
    "index",
]
CARD_KEYS = [
    "address",
    "path",
    "agent",
    "workspace",
    "model",
    "auto_memory",
    "mode",
    "sweeps",
    "why",
    "memories",
    "types",
    "sources",
    "oldest",
    "newest",
    "index",
    "legacy_imported",
    "not_loaded",
]


def test_a_memory_is_its_fields_and_its_content(cli: Cli, demo: Path) -> None:
    assert cli("show", "docs-writer/style-guide") == (
        0,
        "address: 7c09e5f2/style-guide\n"
        "agent: docs-writer (7c09e5f2)\n"
        "name: style-guide\n"
        "description: The style guide and the list of terms\n"
        "type: reference\n"
        "source: agent\n"
        "created: 2026-03-04\n"
        "updated: 2026-03-04\n"
        "size: 61 of 2,048 characters\n"
        "index: entry 7 of 7\n"
        f"path: {demo}/memory/7c09e5f2/style-guide.md\n"
        "\n"
        "Style guide and list of terms: https://docs.example.com/style\n",
        "",
    )


def test_a_card_is_what_is_to_know_of_an_agent(cli: Cli, demo: Path) -> None:
    assert cli("show", "docs-writer") == (
        0,
        "agent: docs-writer (7c09e5f2)\n"
        f"path: {demo}/memory/7c09e5f2\n"
        "workspace: /srv/workspaces/7c09e5f2\n"
        "model: deepseek/deepseek-chat\n"
        "automatic memory: on\n"
        "sweep mode: on (a sweep runs: the sweep always runs in mode on)\n"
        "memories: 7 of 200\n"
        "types: project 2, feedback 2, reference 2, user 1\n"
        "sources: sweep 3, agent 3, user 1\n"
        "updated: 2026-03-02 to 2026-11-03\n"
        "index: 530 of 4,000 characters, 7 of 7 memories, stale\n"
        "old notes: not imported\n"
        "not loaded: meeting-2026-10-15.md: the type 'note' is not one of user, feedback, project, reference\n",
        "",
    )


def test_an_agent_of_no_registry_has_a_card(cli: Cli, demo: Path) -> None:
    assert cli("show", "e4d81b36").out.splitlines()[:3] == [
        "agent: e4d81b36 (not in the registry)",
        f"path: {demo}/memory/e4d81b36",
        "memories: 4 of 200",
    ]


@pytest.mark.parametrize("words", [[], ["--raw"], ["--json"]])
def test_a_file_that_cannot_be_read_is_74_after_the_rest_is_shown(cli: Cli, demo: Path, words: list[str]) -> None:
    path = demo / "memory/1a2b3c4d/huge.md"
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
    os.truncate(path, 3 << 30)  # what root cannot read either
    done = cli("show", "billing-bot/huge", "billing-bot/api-migration", *words)
    assert (done.code, "payments API" in done.out) == (74, True)
    assert done.err == f"memctl: error: cannot read '{path}': file too large\n"


def test_a_file_that_is_not_loaded_can_be_shown(cli: Cli, demo: Path) -> None:
    done = cli("show", "docs-writer/meeting-2026-10-15")
    assert done.code == 0
    assert done.out.startswith(
        "address: 7c09e5f2/meeting-2026-10-15\n"
        "agent: docs-writer (7c09e5f2)\n"
        "not loaded: the type 'note' is not one of user, feedback, project, reference\n"
        f"path: {demo}/memory/7c09e5f2/meeting-2026-10-15.md\n"
        "\n"
        "---\nname: meeting-2026-10-15\n"
    )


def test_a_file_without_front_matter_says_so(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory" / "a", {"x.md": b"plain\n"})
    line = cli("--root", tmp_path, "show", "a/x").out.splitlines()[2]
    assert line == 'not loaded: no front matter: the first line is not "---"'


def test_raw_gives_the_bytes_of_the_file(cli: Cli, demo: Path) -> None:
    path = demo / "memory/1a2b3c4d/api-migration.md"
    assert cli("show", "--raw", "billing-bot/api-migration").out.encode() == path.read_bytes()


def test_raw_gives_bytes_that_are_no_utf_8(cli: Cli, tmp_path: Path) -> None:
    data = memory("x") + b"caf\xe9\r\n"
    fill(tmp_path / "memory" / "a", {"x.md": data})
    assert cli("--root", tmp_path, "show", "--raw", "a/x").out.encode("utf-8", "surrogateescape") == data


def test_a_pattern_shows_all_that_fit(cli: Cli, demo: Path) -> None:
    done = cli("show", "billing-bot/*-api-*", "-j")
    assert [found["name"] for found in json.loads(done.out)["data"]["memories"]] == ["payments-api-docs"]


def test_a_pattern_that_fits_nothing_is_not_found(cli: Cli, demo: Path) -> None:
    assert cli("show", "billing-bot/zz*") == (
        66,
        "",
        "memctl: error: no memory of agent '1a2b3c4d' fits 'zz*'\nmemctl: hint: memctl list 1a2b3c4d\n",
    )


def test_an_unknown_memory_names_the_nearest(cli: Cli, demo: Path) -> None:
    assert cli("show", "billing-bot/api-migratoin") == (
        66,
        "",
        "memctl: error: no memory named 'api-migratoin' in agent '1a2b3c4d'\n"
        "memctl: hint: did you mean '1a2b3c4d/api-migration'?\n",
    )


def test_a_name_cannot_leave_the_directory(cli: Cli, demo: Path) -> None:
    assert cli("show", "billing-bot/../7c09e5f2/style-guide") == (
        66,
        "",
        "memctl: error: no memory named '../7c09e5f2/style-guide' in agent '1a2b3c4d'\n"
        "memctl: hint: memctl list 1a2b3c4d\n",
    )


def test_the_index_is_no_memory(cli: Cli, demo: Path) -> None:
    assert cli("show", "billing-bot/MEMORY").code == 66


def test_two_memories_of_one_name_are_named_both(cli: Cli, tmp_path: Path) -> None:
    folder = fill(tmp_path / "memory" / "a", {"x.md": memory("style"), "y.md": memory("style")})
    assert cli("--root", tmp_path, "show", "a/style") == (
        66,
        "",
        f"memctl: error: two memories of agent 'a' are named 'style': {folder}/x.md, {folder}/y.md\n"
        "memctl: hint: give one of the paths\n",
    )


def test_a_file_whose_name_differs_is_found_by_both(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory" / "a", {"file.md": memory("said")})
    shown = [cli("--root", tmp_path, "show", f"a/{name}").out for name in ("file", "said")]
    assert shown[0] == shown[1]
    assert "name: said (in the file file.md)\n" in shown[0]


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("", "an address is empty"),
        ("@user/0", "'@user/0' is no note"),
    ],
)
def test_an_impossible_address_is_wrong_usage(cli: Cli, demo: Path, word: str, message: str) -> None:
    done = cli("show", word)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"memctl: error: {message}\n")


def test_addresses_come_from_stdin_one_a_line(cli: Cli, demo: Path) -> None:
    done = cli("show", "-", "--json", stdin=b"billing-bot/api-migration\n\ndocs-writer/style-guide\n")
    names = [found["name"] for found in json.loads(done.out)["data"]["memories"]]
    assert (done.code, names) == (0, ["api-migration", "style-guide"])


@pytest.mark.parametrize("option", ["-0", "--null"])
def test_addresses_come_from_stdin_separated_by_nul(cli: Cli, demo: Path, option: str) -> None:
    done = cli("show", "-", option, "--json", stdin=b"billing-bot/api-migration\0docs-writer/style-guide\0")
    names = [found["name"] for found in json.loads(done.out)["data"]["memories"]]
    assert (done.code, names) == (0, ["api-migration", "style-guide"])


def test_no_address_on_stdin_is_nothing_to_do(cli: Cli, demo: Path) -> None:
    assert cli("show", "-") == (0, "", "")


def test_an_address_of_stdin_that_means_nothing_does_not_stop_the_others(cli: Cli, demo: Path) -> None:
    done = cli("show", "-", "--raw", stdin=b"nobody/x\ndocs-writer/style-guide\n")
    assert done.code == 66
    assert done.out.startswith("---\nname: style-guide\n")


def test_a_path_is_an_address(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo / "memory/1a2b3c4d")
    assert cli("show", "./api-migration.md").out == cli("show", "billing-bot/api-migration").out


def test_a_bare_name_is_enough_with_one_agent(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory" / "a", {"x.md": memory("x")})
    assert cli("--root", tmp_path, "show", "x").out.startswith("address: a/x\n")


def test_a_bare_name_is_not_enough_with_several_agents(cli: Cli, demo: Path) -> None:
    assert cli("show", "api-migration") == (
        66,
        "",
        "memctl: error: no agent 'api-migration'\nmemctl: hint: memctl list shows the agents\n",
    )


def test_a_bare_name_belongs_to_memctl_agent(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_AGENT", "billing-bot")
    assert cli("show", "api-migration").out.startswith("address: 1a2b3c4d/api-migration\n")


def test_json_of_a_memory_has_its_content_and_its_place(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("show", "-j", "docs-writer/style-guide").out)["data"]
    assert list(data) == ["memory", "memories", "not_loaded", "agents"]
    assert list(data["memory"]) == MEMORY_KEYS
    assert data["memory"]["content"] == "Style guide and list of terms: https://docs.example.com/style"
    assert data["memory"]["index"] == {"line": 7, "listed": 7, "omitted": 0}


def test_json_of_several_memories_has_no_single_one(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("show", "-j", "docs-writer/style-guide", "docs-writer/plain-english").out)["data"]
    assert (data["memory"], len(data["memories"])) == (None, 2)


def test_json_of_a_card(cli: Cli, demo: Path) -> None:
    card = json.loads(cli("show", "-j", "docs-writer").out)["data"]["agents"][0]
    assert list(card) == CARD_KEYS
    assert (card["mode"], card["sweeps"], card["auto_memory"], card["memories"]) == ("on", True, True, 7)
    assert card["index"] == {"state": "stale", "size": 530, "listed": 7, "omitted": 0}
    assert list(card["not_loaded"][0]) == ["file", "path", "reason"]


def test_json_of_a_file_that_is_not_loaded(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("show", "-j", "docs-writer/meeting-2026-10-15").out)["data"]
    assert [list(found) for found in data["not_loaded"]] == [["address", "file", "path", "reason"]]


def test_json_of_an_error_has_no_data(cli: Cli, demo: Path) -> None:
    value = json.loads(cli("show", "-j", "billing-bot/zz").out)
    assert (value["data"], value["errors"]) == (
        None,
        [
            {
                "code": "not-found",
                "message": "no memory named 'zz' in agent '1a2b3c4d'",
                "path": None,
                "hint": "memctl list 1a2b3c4d",
            }
        ],
    )


def test_a_symlink_says_where_it_leads(cli: Cli, tmp_path: Path) -> None:
    folder = fill(tmp_path / "memory" / "a", {"x.md": memory("x")})
    (folder / "y.md").symlink_to("x.md")
    assert "symlink: to x.md\n" in cli("--root", tmp_path, "show", "a/y").out


def test_a_memory_beyond_the_index_says_so(cli: Cli, tmp_path: Path) -> None:
    many = {f"m{at:03}.md": memory(f"m{at:03}", description="d" * 180) for at in range(60)}
    fill(tmp_path / "memory" / "a", many)
    shown = cli("--root", tmp_path, "show", "a/m059").out
    assert any(line.startswith("index: not shown: it lists ") for line in shown.splitlines())
