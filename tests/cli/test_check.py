"""`memctl check`: words, rules, what is shown, what fails, formats, settings."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

from tests.cli.running import as_nobody, at_terminal, shell, tree, without_color
from tests.conftest import Cli
from tests.stores import NOBODY, fill, index, memory, needs_root, register

BAD = memory("b", type="todo")
# What is planted in the demo, but for what the machine's umask gives.
PLANTED = "memory/7c09e5f2/meeting-2026-10-15.md"
NOTHING = "0 memories in 0 stores checked, 0 errors, 0 warnings, 0 fixable\n"
SUMMARY = "21 memories in 3 stores checked, 1 error, 0 warnings, 0 fixable\n"


@pytest.fixture
def hq(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a data folder with one agent, one of whose three files is not loaded; it is the only root."""
    register(tmp_path / "hq", {"id": "1a2b3c4d", "name": "bot"})
    files = {"a.md": memory("a"), "b.md": BAD, "c.md": memory("d"), "MEMORY.md": index("a", "d")}
    fill(tmp_path / "hq/memory/1a2b3c4d", files)
    monkeypatch.setenv("MEMCTL_ROOT", str(tmp_path / "hq"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "hq"


def rules(done: object) -> list[str]:
    """Return the codes of the findings of a run with --format jsonl."""
    return [json.loads(line)["rule"] for line in done.out.splitlines()]  # type: ignore[attr-defined]


def lines(cli: Cli, *words: object) -> list[str]:
    return rules(cli("check", *words, "--format", "jsonl"))


# --- words ---


def test_without_a_word_all_agents_are_checked(cli: Cli, demo: Path) -> None:
    done = cli("check", "--select", "N")
    assert (done.code, done.err) == (1, SUMMARY.replace("3 stores", "4 stores"))
    assert done.out == (
        f"{demo}/{PLANTED}:4:7: error N004 bad-type: the HQ does not load it: the type 'note' is not one of user, "
        "feedback, project, reference; did you mean 'reference'?\n"
        "    4 | type: note\n"
        "      |       ^^^^\n\n"
    )


def test_all_is_every_agent_without_the_user_memory(cli: Cli, demo: Path) -> None:
    assert cli("check", "--all", "--select", "N").err == SUMMARY


@pytest.mark.parametrize("word", ["hq", "hq/memory", "hq/memory/1a2b3c4d", "bot", "1a2b3c4d", "@user", "-"])
def test_a_word_is_a_path_an_agent_or_the_user_memory(cli: Cli, hq: Path, home: Path, word: str) -> None:
    fill(home / ".deepseek", {"memory.md": b"- one\n"})
    done = cli("check", word, "--format", "jsonl", "--select", "N,F001", stdin=b"hq/memory/1a2b3c4d/c.md\n")
    found = {"@user": [], "-": ["F001"]}.get(word, ["N004", "F001"])
    assert (done.code, rules(done)) == (1 if "N004" in found else 0, found)


def test_names_on_standard_input_can_be_parted_by_nul(cli: Cli, hq: Path) -> None:
    names = b"hq/memory/1a2b3c4d/c.md\0hq/memory/1a2b3c4d/a.md\0"
    done = cli("check", "-0", "-", "--select", "F001", stdin=names)
    assert done.err.startswith("2 memories in 1 store checked")


def test_no_word_on_standard_input_is_not_everything(cli: Cli, hq: Path) -> None:
    assert cli("check", "-") == (
        66,
        "",
        f"{NOTHING}memctl: error: nothing found to check\nmemctl: hint: --allow-empty takes that for success\n",
    )


def test_single_files_show_what_concerns_them_alone(cli: Cli, hq: Path) -> None:
    (hq / "memory/1a2b3c4d/MEMORY.md").unlink()
    assert lines(cli, "hq/memory/1a2b3c4d/c.md", "--ignore", "A") == ["F001"]
    assert lines(cli, "hq/memory/1a2b3c4d/a.md", "--ignore", "A") == []
    assert cli("check", "bot/a", "bot/b", "--ignore", "A").err == (
        "2 memories in 1 store checked, 1 error, 0 warnings, 0 fixable\n"
    )


def test_a_deleted_file_is_passed_over(cli: Cli, hq: Path) -> None:
    done = cli("check", "hq/memory/1a2b3c4d/gone.md", "hq/memory/1a2b3c4d/a.md", "--ignore", "A")
    assert (done.code, done.out, done.err.splitlines()[0]) == (
        0,
        "",
        "passed over: 'hq/memory/1a2b3c4d/gone.md' is not there",
    )


@pytest.mark.parametrize(
    ("words", "code", "err"),
    [
        (
            ["nobody"],
            66,
            f"{NOTHING}memctl: error: no file, directory or agent 'nobody'\nmemctl: hint: memctl list shows the agents\n",
        ),
        (["./nobody"], 66, f"{NOTHING}memctl: error: no such file or directory: './nobody'\n"),
        (
            ["gone.md"],
            66,
            f"passed over: 'gone.md' is not there\n{NOTHING}memctl: error: nothing found to check\n"
            "memctl: hint: --allow-empty takes that for success\n",
        ),
        (["--all", "bot"], 2, "memctl: error: give names or --all, not both\n"),
        (
            ["--select", "bad-typ"],
            2,
            "memctl: error: no rule 'bad-typ'\nmemctl: hint: did you mean 'bad-type'?\n",
        ),
        (
            ["--ignore", "ALL"],
            2,
            "memctl: error: no rule is left to check by\nmemctl: hint: memctl check --list-rules shows which are on\n",
        ),
        (
            ["--severity", "warn"],
            2,
            "memctl: error: 'warn' is no level\n"
            "memctl: hint: did you mean 'warning'? levels are error, warning, info\n",
        ),
        (
            ["--fail-on", "xyz"],
            2,
            "memctl: error: 'xyz' is no level\nmemctl: hint: levels are error, warning, info, never\n",
        ),
        (["--fail-on", "info", "--exit-zero"], 2, "memctl: error: give --fail-on or --exit-zero, not both\n"),
        (
            ["--format", "xml"],
            2,
            "memctl: error: 'xml' is no format\nmemctl: hint: formats are text, json, jsonl, github, sarif and junit\n",
        ),
        (
            ["-o", "json"],
            2,
            "memctl: error: 'json' is not FORMAT=FILE\nmemctl: hint: such as -o junit=report\n",
        ),
        (["-o", "json=a", "-o", "text=./a"], 2, "memctl: error: two formats go into './a'\n"),
    ],
)
def test_wrong_words_say_what_would_be_right(cli: Cli, hq: Path, words: list[str], code: int, err: str) -> None:
    done = cli("check", *words)
    assert (done.code, done.out) == (code, "")
    assert done.err.startswith(err.partition("memctl: hint: give each")[0])


def test_a_word_that_is_wrong_does_not_stop_the_others(cli: Cli, hq: Path) -> None:
    done = cli("check", "nobody", "bot", "--select", "N", "--format", "jsonl")
    assert (done.code, rules(done)) == (66, ["N004"])


def test_nothing_to_check_is_an_error_unless_it_is_allowed(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = cli("check", tmp_path / "empty")
    error = f"{NOTHING}memctl: error: no memories found in '{tmp_path}/empty'\n"
    assert (done.code, done.err.startswith(error)) == (66, True)
    assert cli("check", tmp_path / "empty", "--allow-empty") == (0, "", NOTHING)
    assert cli("check", "--allow-empty") == (0, "", NOTHING)
    assert cli("check").code == 66


def test_readable_secrets_are_found_without_the_rules_on_secrets_where_they_were_chosen(cli: Cli, hq: Path) -> None:
    store = hq / "memory/1a2b3c4d"
    (store / "e.md").write_bytes(memory("e", content=f"the key is AKIA{'QX7Z' * 4}"))
    store.chmod(0o755)
    assert lines(cli, "bot", "--select", "A003") == ["A003"]
    assert "A003" not in lines(cli, "bot", "--ignore", "S")
    assert "A003" in lines(cli, "bot")


# --- what is shown, and what fails ---


@pytest.mark.parametrize(
    ("words", "code", "found"),
    [
        ([], 1, ["N004", "F001"]),
        (["--severity", "error"], 1, ["N004"]),
        (["--ignore", "N"], 0, ["F001"]),
        (["--ignore", "N", "--fail-on", "warning"], 1, ["F001"]),
        (["--ignore", "N", "--fail-on", "warning", "--severity", "error"], 1, []),
        (["--fail-on", "never"], 0, ["N004", "F001"]),
        (["--exit-zero"], 0, ["N004", "F001"]),
        (["--select", "name-differs,L", "--ignore", "L"], 0, ["F001"]),
        (["--select", "N", "--select", "F001"], 1, ["N004", "F001"]),
    ],
)
def test_levels_and_rules(cli: Cli, hq: Path, words: list[str], code: int, found: list[str]) -> None:
    done = cli("check", "bot", "--format", "jsonl", *(words if "--select" in words else ["--ignore", "A", *words]))
    assert (done.code, rules(done)) == (code, found)


def test_the_summary_says_what_is_not_seen(cli: Cli, hq: Path) -> None:
    assert cli("check", "bot", "--severity", "error", "--ignore", "A").err == (
        "3 memories in 1 store checked, 1 error, 1 warning, 1 fixable, 1 not shown\n"
    )


def test_quiet_shows_what_makes_the_run_fail_and_no_summary(cli: Cli, hq: Path) -> None:
    loud, quiet = cli("check", "bot", "--severity", "error"), cli("check", "bot", "-q")
    assert (quiet.code, quiet.out, quiet.err) == (1, loud.out, "")


@pytest.mark.parametrize("words", [("--ignore", "N004"), ("--exit-zero",), ("--fail-on", "never")])
def test_quiet_is_not_a_byte_on_success(cli: Cli, hq: Path, words: tuple[str, ...]) -> None:
    assert cli("check", "bot", *words).out
    assert cli("check", "bot", "-q", *words) == (0, "", "")


def test_memories_of_two_agents_that_say_the_same_are_told_where_hygiene_is_on(cli: Cli, tmp_path: Path) -> None:
    text = "The relay restarts at noon each Sunday, and nobody is paged for it."
    for agent in ("1a2b3c4d", "5e6f7a8b"):
        fill(tmp_path / "two" / "memory" / agent, {f"{agent}.md": memory(agent, content=text)})
    done = cli("check", tmp_path / "two", "--select", "H001")
    assert [line.split(":")[0] for line in done.out.split("\n") if "H001" in line] == [
        f"{tmp_path}/two/memory/1a2b3c4d/1a2b3c4d.md",
        f"{tmp_path}/two/memory/5e6f7a8b/5e6f7a8b.md",
    ]
    assert "H001" not in cli("check", tmp_path / "two").out
    assert "H001" not in cli("check", tmp_path / "two" / "memory" / "1a2b3c4d", "--select", "H").out


def test_verbose_shows_fingerprints_and_allows_that_are_in_vain(
    cli: Cli, hq: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (finding,) = json.loads(cli("check", "bot", "--select", "N", "--json").out)["data"]["findings"]
    mark = finding["fingerprint"]
    assert f"    = fingerprint: {mark}\n" in cli("check", "bot", "--select", "N", "-v").out
    (hq / "memory/1a2b3c4d/b.md").write_bytes(BAD + f"<!-- memctl: allow {mark} 0123456789abcdef -->\n".encode())
    done = cli("check", "hq", "--select", "N", "-v")
    assert (done.code, done.out, done.err.splitlines()) == (
        0,
        "",
        [
            "hq/memory/1a2b3c4d/b.md:10:37: nothing has the fingerprint '0123456789abcdef' any more",
            "3 memories in 1 store checked, 0 errors, 0 warnings, 0 fixable, 1 allowed",
        ],
    )


def test_what_cannot_be_read_is_74_after_the_rest(cli: Cli, hq: Path) -> None:
    (hq / "agents.json").unlink()
    (hq / "agents.json").mkdir()
    done = cli("check", "hq", "--format", "jsonl", "--select", "N,R")
    assert (done.code, rules(done)) == (74, ["R004", "N004"])
    assert cli("check", "hq", "--exit-zero", "--select", "N,R").code == 74


def test_a_broken_registry_is_a_finding_and_no_error(cli: Cli, hq: Path) -> None:
    (hq / "agents.json").write_text("[\n  {]")
    done = cli("check", "--select", "R", "--all")
    assert (done.code, done.err) == (1, "3 memories in 1 store checked, 1 error, 0 warnings, 0 fixable\n")
    assert done.out.startswith("hq/agents.json:2: error R004 bad-registry: ")


@needs_root
def test_an_index_that_may_not_be_read_is_a_finding_and_74() -> None:
    with tempfile.TemporaryDirectory(prefix="memctl-test-") as place:
        store = fill(Path(place, "hq/memory/1a2b3c4d"), {"a.md": memory("a"), "MEMORY.md": index("a")})
        for path in (Path(place), *Path(place).rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        (store / "MEMORY.md").chmod(0)
        done = as_nobody(
            "check", store, "--json", "--select", "I,A008", env={"MEMCTL_CONFIG": os.devnull, "HOME": "/none"}
        )
    (finding,) = json.loads(done.out)["data"]["findings"]
    assert (done.code, finding["rule"], finding["file"]) == (74, "A008", "MEMORY.md")
    assert finding["message"] == "unreadable: permission denied"


@needs_root
@pytest.mark.parametrize("words", [["--root", "{hq}"], ["{hq}"], ["{hq}/memory"], ["{hq}/.."]])
def test_a_directory_that_cannot_be_listed_is_a_finding_and_74(words: list[str]) -> None:
    # Not below the directory of pytest, which each of its runs closes to others.
    with tempfile.TemporaryDirectory(prefix="memctl-test-") as place:
        hq = Path(place, "hq")
        fill(hq / "memory/1a2b3c4d", {"b.md": BAD})
        for path in (Path(place), *Path(place).rglob("*")):
            os.chown(path, NOBODY, NOBODY)
        (hq / "memory").chmod(0)
        env = {"MEMCTL_CONFIG": os.devnull, "HOME": "/none"}
        done = as_nobody("check", *(word.format(hq=hq) for word in words), env=env)
        assert (done.code, done.out) == (74, f"{hq}/memory: error A008 unreadable: unreadable: permission denied\n\n")
        hq.chmod(0)
        done = as_nobody("check", hq / "memory", env=env)
        assert (done.code, done.out) == (74, "")
        assert done.err == f"{NOTHING}memctl: error: cannot read '{hq}/memory': permission denied\n"


# --- formats ---


def test_json_is_one_object_with_the_findings(cli: Cli, hq: Path) -> None:
    value = json.loads(cli("check", "bot", "--json", "--select", "N,F001").out)["data"]
    assert list(value) == ["findings", "checked", "counts"] or set(value) > {"findings", "checked"}
    assert value["checked"] == {"stores": 1, "memories": 3}
    first = value["findings"][0]
    keys = ["rule", "slug", "severity", "path", "line", "column", "message", "fixable", "fingerprint"]
    assert set(keys) < set(first)
    assert {key: first[key] for key in keys[:7]} == {
        "rule": "N004",
        "slug": "bad-type",
        "severity": "error",
        "path": f"{hq}/memory/1a2b3c4d/b.md",
        "line": 4,
        "column": 7,
        "message": "the HQ does not load it: the type 'todo' is not one of user, feedback, project, reference; "
        "did you mean 'project'?",
    }
    assert (first["fixable"], first["store"], first["file"]) == (False, "1a2b3c4d", "b.md")


@pytest.mark.parametrize("form", ["json", "jsonl", "github", "sarif", "junit"])
def test_a_machine_format_is_written_even_if_nothing_is_found(cli: Cli, hq: Path, form: str) -> None:
    done = cli("check", "bot/a", "--ignore", "A", "--format", form, "-q")
    assert (done.code, done.err) == (0, "")
    assert bool(done.out) is (form not in ("jsonl", "github"))


def test_formats_go_into_files_as_well(cli: Cli, hq: Path, tmp_path: Path) -> None:
    fill(tmp_path, {"old.txt": b"old"})
    words = ["bot", "--select", "N", "-o", "json=out/deep/a.json", "-o", f"text={tmp_path}/old.txt", "-o", "jsonl=b"]
    done = cli("check", *words)
    plain = cli("check", "bot", "--select", "N")
    assert (done.code, done.out) == (1, plain.out)
    assert (tmp_path / "old.txt").read_text() == plain.out
    assert json.loads((tmp_path / "out/deep/a.json").read_text()) == json.loads(cli("check", *words[:3], "-j").out)
    assert (tmp_path / "b").read_text() == cli("check", *words[:3], "--format", "jsonl").out


def test_a_file_that_cannot_be_written_is_an_error_after_the_rest(cli: Cli, hq: Path) -> None:
    done = cli("check", "bot", "--select", "N", "-o", "json=/dev/null/x", "-o", "text=hq", "--json")
    errors = json.loads(done.out)["errors"]
    assert (done.code, len(errors), done.err.count("memctl: error: ")) == (74, 2, 2)


def test_output_changes_nothing_in_the_stores(cli: Cli, hq: Path, home: Path) -> None:
    before = (tree(hq), tree(home))
    cli("check", "hq", "--select", "ALL")
    cli("check", "--json")
    assert (tree(hq), tree(home)) == before


# --- the rules ---


def test_the_rules_can_be_listed(cli: Cli) -> None:
    done = cli("check", "--list-rules")
    assert (done.code, done.err) == (0, "")
    assert ["N004", "bad-type", "error", "on"] in [row[:4] for row in done.rows]
    assert {row[3] for row in done.rows if row[0][0] == "H"} == {"off"}
    assert {row[3] for row in cli("check", "--list-rules", "--select", "H").rows if row[0][0] == "H"} == {"on"}


def test_the_rules_are_json_as_well(cli: Cli) -> None:
    found = json.loads(cli("check", "--list-rules", "--json").out)["data"]["rules"]
    assert list(found[0]) == ["rule", "slug", "family", "severity", "on", "summary"]


def test_the_rules_are_lines_of_json_or_no_format_at_all(cli: Cli) -> None:
    found = [json.loads(line) for line in cli("check", "--list-rules", "--format", "jsonl").out.splitlines()]
    assert found == json.loads(cli("check", "--list-rules", "--json").out)["data"]["rules"]
    done = cli("check", "--list-rules", "--format", "junit")
    assert (done.code, done.err.splitlines()[0]) == (2, "memctl: error: rules are listed as text, json or jsonl")


# --- settings ---


@pytest.mark.parametrize("file", ["config.toml", "hq/pyproject.toml", "pyproject.toml"])
def test_settings_come_from_either_file(
    cli: Cli, hq: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str
) -> None:
    monkeypatch.setenv("MEMCTL_CONFIG", str(tmp_path / "config.toml"))
    head = "check" if file == "config.toml" else "tool.memctl.check"
    text = f'[{head}]\nselect = ["N", "F001"]\nfail_on = "warning"\n[{head}.per_path_ignores]\n"b.*" = ["N"]\n'
    (tmp_path / file).write_text(text)
    for words in (["hq"], ["bot"], [], ["hq/memory/1a2b3c4d/b.md", "bot/c"]):
        done = cli("check", *words, "--format", "jsonl")
        assert (done.code, rules(done)) == (1, ["F001"])


def test_a_project_goes_before_the_configuration_and_an_option_before_both(
    cli: Cli, hq: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_CONFIG", str(tmp_path / "config.toml"))
    fill(tmp_path, {"config.toml": b'[check]\nselect = ["N"]\nfail_on = "never"\n'})
    assert (cli("check", "hq").code, lines(cli, "hq")) == (0, ["N004"])
    fill(hq, {"pyproject.toml": b'[tool.memctl]\nselect = ["F001"]\n'})
    assert lines(cli, "hq") == ["F001"]
    done = cli("check", "hq", "-v")
    assert done.err.splitlines()[0] == f"settings of '{hq}/pyproject.toml'"
    assert (cli("check", "hq", "--select", "N", "--fail-on", "error").code, lines(cli, "hq", "--select", "N")) == (
        1,
        ["N004"],
    )


@pytest.mark.parametrize(
    ("text", "err"),
    [
        (
            '[check]\nselct = ["N"]\n',
            "unknown setting 'check.selct' in '{path}'\nmemctl: hint: did you mean 'select'?\n",
        ),
        ('[check]\nselect = ["bad-typ"]\n', "no rule 'bad-typ' in 'check.select' of '{path}'\n"),
        ("[check]\nnear = 2\n", "'check.near' in '{path}' must be a number from 0 to 1, not 2\n"),
        ('[check]\nselect = "N"\n', "'check.select' in '{path}' must be a list of words, not 'N'\n"),
        ("check = 1\n", "'check' in '{path}' must be a table\n"),
        (
            '[check.severities]\nN = "eror"\n',
            "'check.severities' in '{path}' must be a table of rules, each with 'error', 'warning' or 'info', not "
            "a table\n",
        ),
        ("[check]\ncolor = 'never'\n", "unknown setting 'check.color' in '{path}'\nmemctl: hint: put 'color' above"),
    ],
)
def test_wrong_settings_say_where_and_what(
    cli: Cli, hq: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, err: str
) -> None:
    path = tmp_path / "config.toml"
    monkeypatch.setenv("MEMCTL_CONFIG", str(path))
    path.write_text(text)
    done = cli("check", "hq")
    assert (done.code, done.out) == (78, "")
    assert done.err.startswith("memctl: error: " + err.format(path=path))


def test_the_settings_let_findings_pass(cli: Cli, hq: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_CONFIG", str(tmp_path / "config.toml"))
    (mark,) = [
        json.loads(line)["fingerprint"]
        for line in cli("check", "bot/b", "--format", "jsonl", "--select", "N").out.splitlines()
    ]
    (tmp_path / "config.toml").write_text(f'[check]\nallow = ["{mark[:8]}", "ffffffff"]\n')
    done = cli("check", "bot", "--select", "N", "-v")
    assert (done.code, done.out, done.err.splitlines()[-2:]) == (
        0,
        "",
        [
            "nothing has the fingerprint 'ffffffff' of the settings any more",
            "3 memories in 1 store checked, 0 errors, 0 warnings, 0 fixable, 1 allowed",
        ],
    )


# --- many agents, terminals, pipes ---


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give forty agents, each with one error."""
    for at in range(40):
        fill(tmp_path / f"hq/memory/agent{at:02}", {"a.md": memory("a"), "b.md": BAD})
    monkeypatch.setenv("MEMCTL_ROOT", str(tmp_path / "hq"))
    return tmp_path / "hq"


@pytest.mark.parametrize("form", [[], ["--json"], ["--format", "jsonl"], ["--format", "sarif"]])
def test_workers_find_the_same_in_the_same_order(cli: Cli, many: Path, form: list[str]) -> None:
    alone = cli("check", *form, "--jobs", 1)
    assert alone.err.startswith("80 memories in 40 stores checked, 40 errors, ")
    assert cli("check", *form, "--jobs", 3) == alone
    assert cli("check", *form) == alone


def test_shards_together_are_the_whole(cli: Cli, many: Path) -> None:
    parts = [cli("check", "--format", "jsonl", "--shard", f"{part}/3").out.splitlines() for part in (1, 2, 3)]
    assert sorted(line for part in parts for line in part) == sorted(cli("check", "--format", "jsonl").out.splitlines())


def test_a_reader_that_goes_away_is_141_and_silent(many: Path) -> None:
    done = shell("$M check --jobs 3 -q | head -c 10; exit ${PIPESTATUS[0]}", {"PYTHONUNBUFFERED": "1"})
    assert (done.code, done.err) == (141, "")


def test_a_terminal_gets_colour_and_lines_that_fit(hq: Path) -> None:
    fill(hq / "memory/1a2b3c4d", {"b.md": memory("b", type="\x1b[2J" + "x" * 200)})
    done = at_terminal("check", "bot", "--select", "N", columns=60)
    assert "\x1b[1;31merror\x1b[0m" in done.out
    assert "\x1b[2J" not in done.out
    shown = without_color(done.out).splitlines()
    assert shown[1].startswith("    4 | ")
    assert len(shown[1]) <= 60
    assert "^[[2J" in "".join(shown)


def test_what_is_longer_than_the_screen_goes_through_the_pager(many: Path, tmp_path: Path) -> None:
    env = {"MEMCTL_PAGER": f"tee {tmp_path}/paged"}
    done = at_terminal("check", "--select", "N", lines=20, env=env)
    assert (tmp_path / "paged").read_text().count("N004") == 40
    assert done.code == 1


def test_names_that_a_terminal_would_obey_are_made_visible(cli: Cli, hq: Path) -> None:
    fill(hq / "memory/1a2b3c4d", {"x\n\x1b[31m.md": BAD})
    done = cli("check", "bot", "--select", "N")
    assert "hq/memory/1a2b3c4d/x^J^[[31m.md:4:7: error N004" in done.out
    assert "\x1b" not in done.out


def test_an_undecodable_name_is_no_trouble(cli: Cli, hq: Path) -> None:
    os.rename(hq / "memory/1a2b3c4d/b.md", os.fsencode(hq / "memory/1a2b3c4d") + b"/b\xff.md")
    assert json.loads(cli("check", "bot", "--select", "N", "--json").out)["data"]["findings"]
    assert "<U+DCFF>" in cli("check", "bot", "--select", "N").out
