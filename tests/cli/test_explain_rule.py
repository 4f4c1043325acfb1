"""`memctl explain` of a rule, of an exit code, and of a memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memctl.core.checks.table import FAMILIES, RULES
from memctl.errors import ExitCode
from tests.cli.running import at_terminal, tree, without_color
from tests.conftest import Cli
from tests.stores import fill, memory

UNKNOWN_HINT = "memctl check --list-rules shows the rules; memctl list shows the agents"


def rows(out: str) -> list[tuple[str, str]]:
    return [(key, text) for key, text in (line.split("\t") for line in out.splitlines())]


# A rule


def test_a_rule_is_explained_with_all_of_its_texts(cli: Cli) -> None:
    assert cli("explain", "F011") == (
        0,
        "rule\tF011 lost-description\n"
        "family\tForm\n"
        "severity\twarning\n"
        "on\tyes\n"
        "reports\ta description that the HQ does not read as it stands, or that is empty\n"
        "why\tThe front matter is no YAML. [ ] is a list and | or > a block, so such a description is lost; of one on"
        " several lines the HQ reads the first. Quotes, a comment or null stay in the text (info). Without a description"
        " the memory is not recalled.\n"
        "example\tdescription: [todo]\n"
        "mend\tWrite the description on one line, without quotes, beginning with a word.\n",
        "",
    )


@pytest.mark.parametrize("word", ["N001", "n001", "no-front-matter", "No-Front-Matter"])
def test_a_rule_goes_by_code_or_slug_in_any_case(cli: Cli, word: str) -> None:
    assert rows(cli("explain", word).out)[0] == ("rule", "N001 no-front-matter")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_each_rule_is_explained_and_needs_no_data_folder(cli: Cli, rule: object) -> None:
    assert rule in RULES
    code, slug, severity, *texts = rule  # type: ignore[misc]
    data = json.loads(cli("explain", "-j", code).out)["data"]
    settings = data.pop("settings")
    assert isinstance(settings, list)
    assert data == {
        "rule": code,
        "slug": slug,
        "family": FAMILIES[code[0]],
        "severity": severity,
        "default_severity": severity,
        "on": code[0] != "H",
        **dict(zip(("summary", "why", "example", "mend"), texts, strict=True)),
    }


@pytest.mark.parametrize(("code", "key"), [("H004", "stale_days"), ("H002", "near"), ("S001", "salt")])
def test_the_settings_of_a_rule_are_named(cli: Cli, code: str, key: str) -> None:
    (setting,) = [text for name, text in rows(cli("explain", code).out) if name == "setting"]
    assert setting.startswith(f"{key}: ")


def test_settings_say_whether_it_is_on_and_how_bad_it_is(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = '[tool.memctl.check]\nignore = ["F0"]\nselect = ["ALL"]\n[tool.memctl.check.severities]\nstale = "error"\n'
    (tmp_path / "pyproject.toml").write_text(table)
    monkeypatch.chdir(tmp_path)
    assert ("on", "no: the settings leave it out") in rows(cli("explain", "F001").out)
    told = rows(cli("explain", "H004").out)
    assert ("severity", "error (by default info)") in told
    assert ("on", "yes") in told


def test_a_rule_that_is_off_by_itself_says_how_it_is_selected(cli: Cli) -> None:
    assert ("on", "no: --select H001 selects it") in rows(cli("explain", "H001").out)


def test_an_example_of_several_lines_is_one_row_in_a_pipe_and_lines_at_a_terminal(cli: Cli) -> None:
    assert ("example", "metadata:\\n  type: user") in rows(cli("explain", "N005").out)
    lines = without_color(at_terminal("explain", "N005", columns=60).out).splitlines()
    at = lines.index("example   metadata:")
    assert lines[at + 1] == "            type: user"
    assert max(map(len, lines)) <= 60


@pytest.mark.parametrize(
    ("word", "hint"),
    [("N0O1", "did you mean 'N001'?"), ("no-frontmatter", "did you mean 'no-front-matter'?"), ("frobnicate", UNKNOWN_HINT)],
)  # fmt: skip
def test_a_word_that_is_nothing_names_the_nearest(cli: Cli, demo: Path, word: str, hint: str) -> None:
    assert cli("explain", word) == (
        66,
        "",
        f"memctl: error: no rule, exit code or agent '{word}'\nmemctl: hint: {hint}\n",
    )


def test_without_a_data_folder_a_wrong_rule_still_names_the_nearest(cli: Cli) -> None:
    done = cli("explain", "N0O1")
    assert (done.code, done.err.splitlines()[1]) == (66, "memctl: hint: did you mean 'N001'?")


def test_rules_of_codewhale_are_for_the_user_memory_alone(cli: Cli) -> None:
    assert cli("explain", "N001", "--rules", "0.8.8") == (
        2,
        "",
        "memctl: error: --rules is for @user\nmemctl: hint: memctl explain @user --rules VERSION\n",
    )


# An exit code


@pytest.mark.parametrize("code", [*ExitCode], ids=int)
def test_each_exit_code_is_explained(cli: Cli, code: ExitCode) -> None:
    told = dict(rows(cli("explain", int(code)).out))
    assert list(told) == ["exit code", "meaning", "when", "mend"]
    assert told["exit code"] == str(int(code))
    assert json.loads(cli("explain", "-j", int(code)).out)["data"] == {
        "exit_code": int(code),
        "meaning": told["meaning"],
        "when": told["when"],
        "mend": told["mend"],
    }


def test_an_exit_code_means_what_the_help_says(cli: Cli) -> None:
    topic = " ".join(cli("help", "exit-codes").out.split())
    for code in ExitCode:
        meaning = dict(rows(cli("explain", int(code)).out))["meaning"]
        if code in (130, 143):  # they share a line with 129 there
            assert f"{int(code)} {meaning.removeprefix('stopped ')}" in topic
        else:
            assert f"{int(code)} {meaning}" in topic


@pytest.mark.parametrize("word", ["3", "76", "075x", "9" * 5000])
def test_another_number_is_no_exit_code(cli: Cli, demo: Path, word: str) -> None:
    done = cli("explain", word)
    assert (done.code, done.err.splitlines()[0]) == (66, f"memctl: error: no rule, exit code or agent '{word}'")


# A memory


def test_a_memory_that_is_loaded(cli: Cli, demo: Path) -> None:
    assert cli("explain", "billing-bot/api-migration") == (
        0,
        f"path\t{demo}/memory/1a2b3c4d/api-migration.md\n"
        "loaded\tyes: type project, source agent\n"
        "index\tentry 5 of 9\n"
        "recall\tfor messages with any of: api migration move billing service new payments end quarter\n"
        "verdict\tthe HQ loads it, lists it in the index, and recalls it by its words\n",
        "",
    )


def test_a_file_that_is_not_loaded_has_the_rule_and_its_mend(cli: Cli, demo: Path) -> None:
    done = cli("explain", "docs-writer/meeting-2026-10-15")
    reason = "the type 'note' is not one of user, feedback, project, reference"
    assert (done.code, done.err) == (0, "")
    assert rows(done.out)[1:] == [
        ("loaded", f"no: {reason}"),
        ("finding", f"N004 bad-type, error: the HQ does not load it: {reason}; did you mean 'reference'? (line 4)"),
        ("mend", "Write one of the four types, in lower case and without quotes."),
        (
            "verdict",
            f"the HQ does not load it: {reason}; the next save of 'meeting-2026-10-15' overwrites it without a word",
        ),
    ]


def test_a_path_is_a_memory_too(cli: Cli, tmp_path: Path) -> None:
    fill(
        tmp_path / "mem",
        {"a.md": memory("a"), "MEMORY.md": b"# Memory index\n\n## Project\n- **a** \xe2\x80\x94 about a\n"},
    )
    assert ("loaded", "yes: type project, source agent") in rows(cli("explain", tmp_path / "mem/a.md").out)


def test_where_there_is_one_agent_a_name_is_enough(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_AGENT", "billing-bot")
    assert rows(cli("explain", "api-migration").out)[0] == (
        "path",
        f"{demo}/memory/1a2b3c4d/api-migration.md",
    )


def test_json_of_a_memory_has_the_facts_the_steps_and_the_verdict(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("explain", "-j", "billing-bot/api-migration").out)["data"]
    steps = data.pop("steps")
    assert [step["key"] for step in steps] == ["path", "loaded", "index", "recall"]
    assert data == {
        "address": "1a2b3c4d/api-migration",
        "path": f"{demo}/memory/1a2b3c4d/api-migration.md",
        "loaded": True,
        "reason": None,
        "automatic_memory": True,
        "index": {"entry": 5, "listed": 9, "omitted": 0},
        "recall": {
            "words": ["api", "migration", "move", "billing", "service", "new", "payments", "end", "quarter"],
            "ahead": 0,
        },
        "findings": [],
        "verdict": "the HQ loads it, lists it in the index, and recalls it by its words",
    }


def test_json_of_a_file_that_is_not_loaded_has_nulls_and_the_finding(cli: Cli, demo: Path) -> None:
    data = json.loads(cli("explain", "-j", "docs-writer/meeting-2026-10-15").out)["data"]
    assert (data["loaded"], data["index"], data["recall"]) == (False, None, None)
    assert data["reason"].startswith("the type 'note'")
    assert [(one["rule"], one["line"]) for one in data["findings"]] == [("N004", 4)]


@pytest.mark.parametrize(
    ("word", "code", "error"),
    [
        ("billing-bot", 2, "'billing-bot' is an agent; explain takes one memory: billing-bot/NAME"),
        ("@user/1", 2, "'@user/1' is one note; explain takes @user whole"),
        ("billing-bot/*", 2, "'*' is a pattern; explain takes one memory"),
        ("-", 2, "explain reads no addresses from standard input"),
        ("", 2, "an address is empty"),
        ("billing-bot/nothing-like-it", 66, "no memory named 'nothing-like-it' in agent '1a2b3c4d'"),
        ("nobody/x", 66, "no agent 'nobody'"),
    ],
)
def test_what_is_no_memory_is_said_to_be_none(cli: Cli, demo: Path, word: str, code: int, error: str) -> None:
    done = cli("explain", word)
    assert (done.code, done.out, done.err.splitlines()[0]) == (code, "", f"memctl: error: {error}")


def test_nothing_is_changed_and_quiet_is_quiet(cli: Cli, demo: Path, home: Path) -> None:
    before = tree(demo), tree(home)
    for word in ("billing-bot/api-migration", "N001", "75"):
        assert cli("explain", "-q", word) == (0, "", "")
    assert (tree(demo), tree(home)) == before
