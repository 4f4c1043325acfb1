"""`memctl list` in a pipe: columns, order, filters, JSON, and what does not load."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Cli
from tests.stores import fill, memory, register

IDS = ["1a2b3c4d", "7c09e5f2", "e4d81b36"]


def names(out: str) -> list[str]:
    return [line.split("\t")[0].partition("/")[2] for line in out.splitlines()]


def test_a_row_is_address_type_source_updated_size_description(cli: Cli, demo: Path) -> None:
    done = cli("list", "billing-bot")
    assert done.rows[1] == [
        "1a2b3c4d/api-migration",
        "project",
        "agent",
        "2026-11-12",
        "265",
        "Move the billing service to the new payments API by the end of the quarter",
    ]


def test_every_row_has_six_fields(cli: Cli, demo: Path) -> None:
    assert {len(row) for row in cli("list").rows} == {6}


def test_without_an_agent_all_are_listed_by_id(cli: Cli, demo: Path) -> None:
    done = cli("list")
    assert list(dict.fromkeys(row[0].partition("/")[0] for row in done.rows)) == IDS


def test_all_is_the_same_as_no_agent(cli: Cli, demo: Path) -> None:
    assert cli("list", "--all") == cli("list")


def test_all_with_an_agent_is_wrong_usage(cli: Cli, demo: Path) -> None:
    assert cli("list", "-A", "billing-bot") == (
        2,
        "",
        "memctl: error: give names of agents or --all, not both\n",
    )


def test_the_summary_goes_to_stderr(cli: Cli, demo: Path) -> None:
    done = cli("list")
    assert (done.code, done.err) == (0, "20 memories in 3 agents, 1 file not loaded\n")


def test_one_of_each_is_said_in_the_singular(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory" / "a", {"x.md": memory("x")})
    assert cli("--root", tmp_path, "list").err == "1 memory in 1 agent\n"


def test_what_is_not_loaded_comes_last_with_the_reason(cli: Cli, demo: Path) -> None:
    assert cli("list", "docs-writer").out.splitlines()[-1] == (
        "7c09e5f2/meeting-2026-10-15\tnot-loaded\t\t\t\t"
        "the type 'note' is not one of user, feedback, project, reference"
    )


def test_a_file_that_is_not_loaded_changes_no_exit_code(cli: Cli, demo: Path) -> None:
    assert cli("list", "docs-writer").code == 0


def test_tabs_line_ends_and_backslashes_are_escaped(cli: Cli, tmp_path: Path) -> None:
    text = b"---\ntype: user\nsource: agent\ndescription: |\n  a\tb\n  c\\d\n---\nx\n"
    fill(tmp_path / "memory" / "a", {"x.md": text})
    assert cli("--root", tmp_path, "list").rows[0][5] == "a\\tb\\nc\\\\d"


def test_an_empty_list_is_no_failure(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    assert cli("--root", tmp_path, "list") == (0, "", "0 memories in 0 agents\n")


def test_a_registered_agent_without_a_directory_is_an_empty_store(cli: Cli, tmp_path: Path) -> None:
    register(tmp_path, {"id": "aaaa1111", "name": "new-bot"})
    assert cli("--root", tmp_path, "list", "new-bot") == (0, "", "0 memories in 1 agent\n")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--type", "user"], ["knows-the-ledger", "team-and-place"]),
        (["-t", "user,reference"], ["finance-contacts", "knows-the-ledger", "payments-api-docs", "team-and-place"]),
        (["-t", "user", "-t", "feedback", "-s", "user"], ["ask-before-delete"]),
        (["--source", "import"], ["legacy-memory-md"]),
        (["--filter", "PAYMENTS"], ["api-migration", "payments-api-docs"]),
        (["--older-than", "2026-03-16"], ["knows-the-ledger", "legacy-memory-md", "team-and-place"]),
        (["--older-than", "8mo"], ["invoice-archive", "knows-the-ledger", "legacy-memory-md", "team-and-place"]),
        (["--since", "2026-10-06"], ["api-migration", "finance-contacts"]),
        (["--since", "30d"], ["api-migration"]),
    ],
)
def test_filters_narrow(cli: Cli, demo: Path, now: str, options: list[str], expected: list[str]) -> None:
    assert names(cli("list", "billing-bot", *options).out) == expected


@pytest.mark.parametrize(
    ("options", "first"),
    [
        (["--sort", "updated"], "legacy-memory-md"),
        (["--sort", "updated", "-r"], "api-migration"),
        (["--sort", "created"], "legacy-memory-md"),
        (["--sort", "size"], "payments-api-docs"),
        (["--sort", "size", "--reverse"], "api-migration"),
        (["--sort", "name", "-r"], "team-and-place"),
        (["-r"], "team-and-place"),
    ],
)
def test_the_order_can_be_another(cli: Cli, demo: Path, options: list[str], first: str) -> None:
    assert names(cli("list", "billing-bot", *options).out)[0] == first


@pytest.mark.parametrize(
    ("options", "err"),
    [
        (
            ["--type", "projects"],
            "memctl: error: 'projects' is no type\n"
            "memctl: hint: did you mean 'project'? they are user, feedback, project, reference\n",
        ),
        (
            ["--source", "me"],
            "memctl: error: 'me' is no source\nmemctl: hint: they are agent, sweep, user, import\n",
        ),
        (
            ["--older-than", "3m"],
            "memctl: error: '3m' is no age and no date\nmemctl: hint: for months write 3mo; ages are 30d, 2w, 6mo, 1y;"
            " dates are 2026-01-31, today, yesterday\n",
        ),
        (["--shard", "0/3"], "memctl: error: '0/3' is no shard\nmemctl: hint: the first of four parts is 1/4\n"),
        (["--shard", "4/3"], "memctl: error: '4/3' is no shard\nmemctl: hint: the first of four parts is 1/4\n"),
    ],
)
def test_a_wrong_value_is_wrong_usage(cli: Cli, demo: Path, options: list[str], err: str) -> None:
    assert cli("list", *options) == (2, "", err)


def test_a_wrong_key_of_order_names_the_right_ones(cli: Cli, demo: Path) -> None:
    done = cli("list", "--sort", "age")
    assert (done.code, done.out) == (2, "")
    assert "name, updated, created" in done.err


def test_a_filter_leaves_out_what_is_not_loaded_and_counts_it(cli: Cli, demo: Path) -> None:
    assert cli("list", "docs-writer", "-t", "user").err == "1 memory in 1 agent, 1 file not loaded\n"


def test_addresses_alone_are_one_a_line(cli: Cli, demo: Path) -> None:
    done = cli("list", "e4d81b36", "--addresses")
    assert done.out == (
        "e4d81b36/long-term-support\ne4d81b36/no-friday-releases\ne4d81b36/release-manager\ne4d81b36/version-3-end\n"
    )


def test_addresses_alone_can_end_with_nul(cli: Cli, demo: Path) -> None:
    done = cli("list", "e4d81b36", "--addresses", "-0", "-t", "project")
    assert done.out == "e4d81b36/long-term-support\0e4d81b36/version-3-end\0"


def test_what_addresses_prints_can_be_read_again(cli: Cli, demo: Path) -> None:
    addresses = cli("list", "--addresses", "-0").out
    shown = cli("show", "-", "-0", "--json", stdin=addresses.encode())
    assert len(json.loads(shown.out)["data"]["memories"]) == 20


@pytest.mark.parametrize("word", ["1a2b3c4d", "billing-bot", "Billing-Bot", "bill", "1a2b"])
def test_a_reading_command_takes_ids_names_another_case_and_prefixes(cli: Cli, demo: Path, word: str) -> None:
    assert cli("list", word).err == "9 memories in 1 agent\n"


def test_a_path_to_an_agents_directory_is_an_agent(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(demo / "memory")
    assert cli("list", "./1a2b3c4d").err == "9 memories in 1 agent\n"


def test_an_agent_named_twice_is_listed_once(cli: Cli, demo: Path) -> None:
    assert cli("list", "1a2b3c4d", "billing-bot").err == "9 memories in 1 agent\n"


def test_a_memory_is_no_agent(cli: Cli, demo: Path) -> None:
    assert cli("list", "billing-bot/api-migration") == (
        2,
        "",
        "memctl: error: 'billing-bot/api-migration' is a memory; list takes agents\n",
    )


def test_an_unknown_agent_names_the_nearest(cli: Cli, demo: Path) -> None:
    assert cli("list", "biling-bot") == (
        66,
        "",
        "memctl: error: no agent 'biling-bot'\nmemctl: hint: did you mean 'billing-bot'?\n",
    )


def test_a_word_that_means_nothing_does_not_stop_the_others(cli: Cli, demo: Path) -> None:
    done = cli("list", "e4d81b36", "nobody")
    assert (done.code, len(done.rows)) == (66, 4)
    assert done.err == (
        "memctl: error: no agent 'nobody'\nmemctl: hint: memctl list shows the agents\n4 memories in 1 agent\n"
    )


def test_two_agents_of_one_name_are_an_error_that_lists_both(cli: Cli, tmp_path: Path) -> None:
    register(tmp_path, {"id": "aaaa1111", "name": "bot"}, {"id": "bbbb2222", "name": "bot"})
    assert cli("--root", tmp_path, "list", "bot") == (
        2,
        "",
        "memctl: error: 'bot' is ambiguous: aaaa1111, bbbb2222\nmemctl: hint: give one of these instead\n",
    )


@pytest.fixture
def twins(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("one", "two"):
        fill(tmp_path / name / "memory" / "aaaa1111", {"x.md": memory("x", content=name)})
    return tmp_path / "one", tmp_path / "two"


def test_where_two_roots_share_an_id_addresses_are_paths(cli: Cli, twins: tuple[Path, Path]) -> None:
    done = cli("--root", twins[0], "--root", twins[1], "list", "--addresses")
    assert done.out == "".join(f"{root}/memory/aaaa1111/x.md\n" for root in twins)


def test_such_paths_are_addresses_again(cli: Cli, twins: tuple[Path, Path]) -> None:
    done = cli("--root", twins[0], "show", f"{twins[1]}/memory/aaaa1111/x.md", "--root", twins[1], "--raw")
    assert done.out.endswith("---\ntwo\n")


def test_an_id_that_two_roots_share_is_ambiguous(cli: Cli, twins: tuple[Path, Path]) -> None:
    paths = ", ".join(f"{root}/memory/aaaa1111" for root in twins)
    assert cli("--root", twins[0], "--root", twins[1], "list", "aaaa1111") == (
        2,
        "",
        f"memctl: error: 'aaaa1111' is ambiguous: {paths}\nmemctl: hint: give one of these instead\n",
    )


def test_roots_before_and_after_the_command_add_up(cli: Cli, tmp_path: Path) -> None:
    for name in ("one", "two"):
        fill(tmp_path / name / "memory" / f"{name}-agent", {"x.md": memory("x")})
    done = cli("--root", tmp_path / "one", "list", "--root", tmp_path / "two")
    assert done.err == "2 memories in 2 agents\n"


@pytest.mark.parametrize("shard", ["1/2", "2/2"])
def test_shards_are_parts_of_the_agents(cli: Cli, demo: Path, shard: str) -> None:
    done = cli("list", "--shard", shard)
    found = list(dict.fromkeys(row[0].partition("/")[0] for row in done.rows))
    assert found == (["1a2b3c4d", "e4d81b36"] if shard == "1/2" else ["7c09e5f2"])


def test_json_has_the_envelope_and_the_stores(cli: Cli, demo: Path) -> None:
    value = json.loads(cli("list", "--json").out)
    assert list(value) == ["schema", "memctl", "host", "command", "data", "errors"]
    assert (value["schema"], value["command"], list(value["data"]), value["errors"]) == (1, "list", ["stores"], [])


def test_json_of_a_store_and_its_agent(cli: Cli, demo: Path) -> None:
    store = json.loads(cli("list", "--json", "docs-writer").out)["data"]["stores"][0]
    assert list(store) == ["address", "path", "agent", "memories", "not_loaded"]
    assert store["agent"] == {"id": "7c09e5f2", "name": "docs-writer", "registered": True}
    assert (store["address"], store["path"]) == ("7c09e5f2", f"{demo}/memory/7c09e5f2")


def test_json_of_a_memory(cli: Cli, demo: Path) -> None:
    memories = json.loads(cli("list", "--json", "billing-bot").out)["data"]["stores"][0]["memories"]
    assert memories[1] == {
        "address": "1a2b3c4d/api-migration",
        "path": f"{demo}/memory/1a2b3c4d/api-migration.md",
        "name": "api-migration",
        "file": "api-migration.md",
        "description": "Move the billing service to the new payments API by the end of the quarter",
        "type": "project",
        "source": "agent",
        "created": "2026-07-01",
        "updated": "2026-11-12",
        "size": 265,
    }


def test_json_of_what_is_not_loaded(cli: Cli, demo: Path) -> None:
    store = json.loads(cli("list", "--json", "docs-writer").out)["data"]["stores"][0]
    assert store["not_loaded"] == [
        {
            "file": "meeting-2026-10-15.md",
            "path": f"{demo}/memory/7c09e5f2/meeting-2026-10-15.md",
            "reason": "the type 'note' is not one of user, feedback, project, reference",
        }
    ]


def test_json_of_an_agent_of_no_registry(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory" / "a", {})
    store = json.loads(cli("--root", tmp_path, "list", "-j").out)["data"]["stores"][0]
    assert store["agent"] == {"id": "a", "name": None, "registered": None}


def test_json_of_a_missing_and_of_an_odd_date(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory" / "a", {"x.md": b"---\ntype: user\nsource: agent\nupdated: soon\n---\nx\n"})
    found = json.loads(cli("--root", tmp_path, "list", "-j").out)["data"]["stores"][0]["memories"][0]
    assert (found["created"], found["updated"]) == (None, "soon")


def test_json_of_nothing_is_an_object_all_the_same(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    assert json.loads(cli("--root", tmp_path, "list", "-j").out)["data"] == {"stores": []}


def test_json_carries_the_errors_of_the_words_that_mean_nothing(cli: Cli, demo: Path) -> None:
    done = cli("list", "--json", "e4d81b36", "nobody")
    assert done.code == 66
    assert json.loads(done.out)["errors"] == [
        {"code": "not-found", "message": "no agent 'nobody'", "path": None, "hint": "memctl list shows the agents"}
    ]


def test_bytes_that_are_no_utf_8_do_not_stop_the_list(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory" / "a", {"x.md": memory("x", content="caf") + b"\xe9\n", "y.md": memory("y")})
    done = cli("--root", tmp_path, "list", "--json")
    assert (done.code, len(json.loads(done.out)["data"]["stores"][0]["memories"])) == (0, 2)


def test_a_name_that_is_no_utf_8_is_printed_as_its_bytes(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory" / "a", {"bad\udcff.md": memory("bad")})
    done = cli("--root", tmp_path, "list", "--addresses")
    assert (done.code, done.out) == (0, "a/bad\udcff\n")


def test_a_symlink_to_elsewhere_does_not_stop_the_list(cli: Cli, tmp_path: Path) -> None:
    folder = fill(tmp_path / "memory/a", {"y.md": memory("y")})
    (folder / "x.md").symlink_to("/nowhere/at/all")
    done = cli("--root", tmp_path, "list")
    assert (done.code, [row[0] for row in done.rows]) == (0, ["a/y", "a/x"])
    assert done.rows[1][5] == "a symlink to '/nowhere/at/all', where nothing is"


@pytest.mark.parametrize(
    "text",
    ["---\nmetadata:\n  type: user\n---\nx\n", "# Heading\n\nbody\n\n---\n\nmore\n", "\ufeff---\ntype: user\n---\nx\n"],
)
def test_a_file_that_the_hq_skips_is_listed_with_a_reason(cli: Cli, tmp_path: Path, text: str) -> None:
    fill(tmp_path / "memory" / "a", {"x.md": text.encode()})
    row = cli("--root", tmp_path, "list").rows[0]
    assert (row[:5], bool(row[5])) == (["a/x", "not-loaded", "", "", ""], True)
