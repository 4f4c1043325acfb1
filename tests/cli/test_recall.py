"""`memctl recall`: what fits a message, with the words that matched."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import at_terminal, tree
from tests.conftest import Cli
from tests.stores import fill, memory

OFF = "CodeWhale does not load this file now: memory is off (default)\n"
NO = "nothing fits the message\n"


@pytest.fixture
def notes(home: Path) -> Path:
    """Give a user memory, and an entry of the native tree beside it."""
    folder = home / ".deepseek"
    fill(folder, {"memory.md": "- use tabs\n- Größe in cm,\n  and tabs\n- nothing\n".encode()})
    fill(folder / "memory/global", {"MEMORY.md": b"# Tabs\n\n- tabs everywhere\n"})
    return folder


def test_of_an_agent_they_are_those_of_the_hq_best_first(cli: Cli, demo: Path) -> None:
    assert cli("recall", "billing-bot", "Who moves the billing API?") == (
        0,
        "1a2b3c4d/api-migration\t2\tapi billing\t"
        "Move the billing service to the new payments API by the end of the quarter\n"
        "1a2b3c4d/payments-api-docs\t1\tapi\tWhere the documents of the new payments API are\n",
        "",
    )


def test_words_of_the_command_line_are_one_message(cli: Cli, demo: Path) -> None:
    assert cli("recall", "billing-bot", "billing", "api") == cli("recall", "billing-bot", "billing api")


def test_of_the_user_memory_they_are_the_notes_with_all_of_the_words_newest_first(cli: Cli, notes: Path) -> None:
    assert cli("recall", "@user", "TABS") == (0, "@user/2\t1\ttabs\tGröße in cm,\n@user/1\t1\ttabs\tuse tabs\n", OFF)
    assert cli("recall", "@user", "größe", "Tabs").out == "@user/2\t2\tgrösse tabs\tGröße in cm,\n"


def test_with_a_scope_they_are_entries_of_the_native_tree(cli: Cli, notes: Path) -> None:
    assert cli("recall", "@user", "tabs", "--scope", "global") == (
        0,
        "global:3\t1\ttabs\ttabs everywhere\nglobal:1\t1\ttabs\t# Tabs\n",
        "",
    )


@pytest.mark.parametrize(
    ("words", "err"),
    [
        (["billing-bot", "zebra"], NO),
        (["billing-bot", "the and"], NO),
        (["@user", "zebra"], NO + OFF),
        (["@user", "..."], NO + OFF),
        (["@user", "zebra", "--scope", "global"], NO),
    ],
)
def test_where_nothing_fits_the_answer_is_no(cli: Cli, demo: Path, words: list[str], err: str) -> None:
    assert cli("recall", *words) == (1, "", err)


def test_json_has_the_score_and_the_words(cli: Cli, demo: Path) -> None:
    value = json.loads(cli("recall", "-j", "billing-bot", "archive of invoices").out)
    [hit] = value["data"]["memories"]
    assert hit == {
        "address": "1a2b3c4d/invoice-archive",
        "path": f"{demo}/memory/1a2b3c4d/invoice-archive.md",
        "score": 2,
        "words": ["archive", "invoices"],
        "about": "Invoices before 2020 move to cold storage",
    }


def test_json_of_a_note_has_the_files_path(cli: Cli, notes: Path) -> None:
    [hit] = json.loads(cli("recall", "-j", "@user", "use tabs").out)["data"]["memories"]
    assert hit == {
        "address": "@user/1",
        "path": f"{notes}/memory.md",
        "score": 2,
        "words": ["tabs", "use"],
        "about": "use tabs",
    }


def test_json_of_nothing_is_an_empty_list(cli: Cli, notes: Path) -> None:
    done = cli("recall", "-j", "@user", "zebra")
    assert (done.code, json.loads(done.out)["data"]) == (1, {"memories": []})


def test_an_agent_that_is_not_there_is_66(cli: Cli, demo: Path) -> None:
    done = cli("recall", "-j", "nobody", "x")
    assert (done.code, [error["code"] for error in json.loads(done.out)["errors"]]) == (66, ["not-found"])


@pytest.mark.parametrize("word", ["billing-bot/api-migration", "@user/1"])
def test_one_memory_is_wrong_usage(cli: Cli, demo: Path, word: str) -> None:
    assert cli("recall", word, "x") == (
        2,
        "",
        f"memctl: error: '{word}' is one memory; recall takes an agent or @user\n",
    )


@pytest.mark.parametrize("words", [["@user"], []])
def test_without_a_message_it_is_wrong_usage(cli: Cli, demo: Path, words: list[str]) -> None:
    done = cli("recall", *words)
    assert (done.code, done.out, done.err.splitlines()[1]) == (2, "", "memctl: hint: memctl recall --help")


def test_its_address_does_not_come_from_stdin(cli: Cli, demo: Path) -> None:
    assert cli("recall", "-", "x", stdin=b"@user\nbilling-bot\n").code == 2


def test_a_scope_that_there_is_not_is_wrong_usage(cli: Cli, notes: Path) -> None:
    assert cli("recall", "@user", "tabs", "--scope", "mine") == (
        2,
        "",
        "memctl: error: 'mine' is no scope\nmemctl: hint: scopes are global, workspace, all\n",
    )


def test_a_directory_without_an_origin_has_no_workspace_scope(
    cli: Cli, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("recall", "@user", "tabs", "--scope", "workspace") == (
        2,
        "",
        "memctl: error: this directory has no git origin, so it has no workspace scope\nmemctl: hint: --scope global\n",
    )


def test_it_changes_nothing_and_is_quiet_when_asked(cli: Cli, home: Path, notes: Path) -> None:
    before = tree(home)
    assert cli("recall", "-q", "@user", "tabs") == (0, "", "")
    assert cli("recall", "-q", "@user", "zebra") == (1, "", "")
    assert tree(home) == before


def test_what_a_terminal_would_obey_is_made_visible_and_a_pipe_gets_it_raw(
    cli: Cli, notes: Path, tmp_path: Path
) -> None:
    evil = "tabs \x1b]0;title\x07"
    fill(notes, {"memory.md": f"- {evil}\n".encode()})
    fill(tmp_path / "memory/a", {"x.md": memory("x", description=evil)})
    for words in (["@user"], ["--root", tmp_path, "a"]):
        assert cli("recall", *words, "tabs").out.endswith(f"\t{evil}\n")
        shown = at_terminal("recall", *words, "tabs", columns=200).out
        assert "tabs ^[]0;title^G\n" in shown
        assert "\x1b" not in shown
