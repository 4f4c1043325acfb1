"""`check` reports what is new: since a baseline, a commit, a copy; and speaks to CI systems."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from memctl.core.checks.baseline import Entry
from tests.conftest import Cli
from tests.disk.repositories import SURROUNDINGS, commit, git, repository
from tests.output.found import HOSTILE
from tests.stores import fill, memory

ENTRIES = [f"- entry {number}" for number in range(28)]
BAD = memory("bad", type="todo")


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a repository, which is the current directory."""
    for name, value in SURROUNDINGS.items():
        monkeypatch.setenv(name, value)
    path = repository(tmp_path / "repo")
    monkeypatch.chdir(path)
    monkeypatch.setenv("MEMCTL_NOW", "2026-09-15T12:00:00Z")
    return path


def store(repo: Path, *names: str, agent: str = "billing", **files: bytes) -> Path:
    """Make a store with these memories, a stale index left out of account."""
    more = {f"{name}.md": data for name, data in files.items()}
    return fill(repo / "memory" / agent, {f"{name}.md": memory(name) for name in names} | more)


def check(cli: Cli, *words: object) -> tuple[int, list[dict[str, object]], str]:
    """Return exit code, findings and stderr of a run without the rules on the index and on access."""
    done = cli("check", "memory", "--ignore", "I,A,R", *words, "--format", "json")
    return done.code, json.loads(done.out)["data"]["findings"], done.err


def rules(found: list[dict[str, object]]) -> list[object]:
    return [finding["rule"] for finding in found]


# Against


def test_a_memory_cut_from_28_entries_to_5_is_an_error(cli: Cli, repo: Path) -> None:
    store(repo, notes=memory("notes", content="\n".join(ENTRIES)))
    commit(repo)
    store(repo, notes=memory("notes", content="\n".join(ENTRIES[:5])))
    code, found, _ = check(cli, "--against", "main")
    assert (code, rules(found)) == (1, ["C002"])
    assert found[0]["message"] == "the text shrank from 28 lines to 5 since 'main'"
    assert (found[0]["path"], found[0]["line"]) == (str(repo / "memory/billing/notes.md"), 9)


@pytest.mark.parametrize(("bound", "code"), [(None, 1), ("22", 1), ("23", 0), ("57%", 1), ("58%", 0)])
def test_23_of_40_memories_gone_is_an_error_unless_that_many_may_be(
    cli: Cli, repo: Path, bound: str | None, code: int
) -> None:
    directory = store(repo, *(f"m{number:02}" for number in range(40)))
    commit(repo)
    for number in range(17, 40):
        (directory / f"m{number:02}.md").unlink()
    done, found, err = check(cli, "--against", "HEAD", *(["--max-removed", bound] if bound else []))
    assert done == code
    if code:
        assert found[0]["message"] == "23 of 40 memories are gone since 'HEAD': 'm17', 'm18', 'm19' and 20 more"
    else:
        assert found == []
        assert f"23 of 40 memories gone since 'HEAD', which --max-removed {bound} allows" in err


def test_so_many_may_be_gone_of_one_agent_and_in_the_whole_run(cli: Cli, repo: Path) -> None:
    for agent in ("a", "b"):
        store(repo, "one", "two", "three", agent=agent)
    commit(repo)
    for agent in ("a", "b"):
        for name in ("one", "two"):
            (repo / "memory" / agent / f"{name}.md").unlink()
    assert rules(check(cli, "--against", "HEAD", "--max-removed", "1")[1]) == ["C001", "C001"]
    assert rules(check(cli, "--against", "HEAD", "--max-removed", "3")[1]) == ["C001", "C001"]
    assert check(cli, "--against", "HEAD", "--max-removed", "4")[:2] == (0, [])


def test_a_store_that_is_gone_as_a_whole_is_an_error(cli: Cli, repo: Path) -> None:
    store(repo, "one", "two")
    store(repo, "three", agent="other")
    commit(repo)
    shutil.rmtree(repo / "memory/billing")
    code, found, err = check(cli, "--against", "HEAD")
    assert code == 1
    assert [finding["message"] for finding in found] == ["2 of 2 memories are gone since 'HEAD': 'one', 'two'"]
    assert found[0]["path"] == str(repo / "memory/billing")
    assert "1 memory in 1 store checked" in err


@pytest.mark.parametrize("word", ["memory", "memory/billing", "nothing", "."])
@pytest.mark.parametrize("allowed", [(), ("--allow-empty",)])
def test_a_directory_of_which_nothing_is_left_is_never_green(
    cli: Cli, repo: Path, word: str, allowed: tuple[str, ...]
) -> None:
    store(repo, "one", "two")
    fill(repo / "nothing", {"a.md": memory("a"), "b.md": memory("b")})
    commit(repo)
    shutil.copytree(repo, repo.parent / "copy")
    shutil.rmtree(repo / "memory")
    shutil.rmtree(repo / "nothing")
    for against in ("main", "../copy"):
        done = cli("check", word, "--against", against, *allowed)
        assert done.code == 1
        assert "2 of 2 memories are gone since" in done.out
    if not allowed:
        assert cli("check", word).code == 66


def test_a_ref_is_looked_for_though_nothing_is_to_be_checked(cli: Cli, repo: Path) -> None:
    commit(repo)
    assert cli("check", "nothing", "--against", "main", "--allow-empty").code == 0
    assert cli("check", "nothing", "--against", "nope", "--allow-empty").code == 2
    assert cli("check", "nothing", "--against", "main").code == 66


def test_a_store_that_was_not_named_is_not_missed(cli: Cli, repo: Path) -> None:
    store(repo, "one")
    store(repo, "three", agent="other")
    commit(repo)
    shutil.rmtree(repo / "memory/billing")
    assert cli("check", "memory/other", "--ignore", "I,A", "--against", "HEAD").code == 0


def test_a_directory_of_other_documents_that_is_gone_is_no_store(cli: Cli, repo: Path) -> None:
    store(repo, "one")
    fill(repo / "docs", {"README.md": b"# Read me\n"})
    fill(repo / "kept", {"README.md": memory("readme")})
    commit(repo)
    shutil.rmtree(repo / "docs")
    assert cli("check", ".", "--ignore", "I,A,F,N", "--against", "HEAD").code == 0


@pytest.mark.parametrize("against", ["main", "../copy"])
def test_only_what_is_new_is_reported(cli: Cli, repo: Path, against: str) -> None:
    store(repo, "good", old=BAD)
    commit(repo)
    shutil.copytree(repo, repo.parent / "copy")
    assert check(cli, "--against", against)[:2] == (0, [])
    store(repo, new=BAD)
    code, found, _ = check(cli, "--against", against)
    assert (code, rules(found)) == (1, ["N004"])
    assert found[0]["path"] == str(repo / "memory/billing/new.md")
    assert check(cli)[0] == 1


def test_a_finding_that_moves_in_its_file_is_not_new(cli: Cli, repo: Path) -> None:
    store(repo, old=memory("old", source="human"))
    commit(repo)
    store(repo, old=memory("old", source="human", extra="\n\n").replace(b"source", b"\nsource"))
    assert check(cli, "--against", "main")[:2] == (0, [])


def test_another_state_of_a_registry_is_compared_too(cli: Cli, repo: Path) -> None:
    store(repo, "one", agent="a1")
    agents = [{"id": "a1", "config": {"memory": {"sweep": "never"}}}]
    fill(repo, {"agents.json": json.dumps(agents).encode()})
    commit(repo)
    words = ("check", ".", "--select", "R", "--fail-on", "warning")
    assert cli(*words).code == 1
    assert cli(*words, "--against", "main").code == 0
    agents.append({"id": "a2", "config": {"memory": {"sweep": "nope"}}})
    fill(repo, {"agents.json": json.dumps(agents).encode()})
    done = cli(*words, "--against", "main")
    assert done.code == 1
    assert done.out.count("R003") == 1
    fill(repo, {"agents.json": b"[]"})
    git(repo, "rm", "-q", "--cached", "agents.json")
    git(repo, "commit", "-q", "-m", "without")
    fill(repo, {"agents.json": json.dumps(agents).encode()})
    assert cli(*words, "--against", "main").out.count("R003") == 2


def test_a_registry_that_was_no_text_is_compared_too(cli: Cli, repo: Path) -> None:
    store(repo, "one", agent="a1")
    fill(repo, {"agents.json": b"\xff"})
    commit(repo)
    assert cli("check", ".", "--select", "R004").code == 1
    assert cli("check", ".", "--select", "R004", "--against", "main").code == 0
    fill(repo, {"agents.json": b"\xff\xff"})
    assert cli("check", ".", "--select", "R004", "--against", "main").code == 0


def test_a_checkout_that_differs_in_line_ends_only_says_so_in_one_line(cli: Cli, repo: Path) -> None:
    directory = store(repo, "one", "two")
    commit(repo)
    for path in directory.iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    code, found, err = check(cli, "--against", "main")
    assert (code, found) == (0, [])
    assert err.splitlines()[0] == (
        "2 files differ from 'main' in line ends only: a checkout may convert them (core.autocrlf, .gitattributes)"
    )
    assert rules(check(cli)[1]) == ["F012", "F012"]


def test_a_commit_without_the_stores_makes_all_new_and_says_so(cli: Cli, repo: Path) -> None:
    commit(repo)
    store(repo, old=BAD)
    code, found, err = check(cli, "--against", "main")
    assert (code, rules(found)) == (1, ["N004"])
    assert "'main' has none of these stores: all that is found is new\n" in err


def test_a_copy_without_the_stores_is_no_success(cli: Cli, repo: Path) -> None:
    store(repo, "one")
    fill(repo.parent / "empty", {})
    code, _, err = check(cli, "--against", "../empty")
    assert code == 66
    assert "memctl: error: '../empty' holds none of the stores that are checked" in err


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("--against", "nope"), "no commit 'nope' in the git repository"),
        (("--max-removed", "3"), "--max-removed wants to know since when: --against"),
        (("--against", "main", "--max-removed", "many"), "'many' is no bound"),
        (("--write-baseline",), "--write-baseline wants to know the file"),
        (
            ("--write-baseline", "--baseline", "b.json", "--against", "main"),
            "give --write-baseline or --against, not both",
        ),
    ],
)
def test_what_is_asked_wrongly_is_never_green(cli: Cli, repo: Path, words: tuple[str, ...], error: str) -> None:
    store(repo, "one")
    commit(repo)
    done = cli("check", "memory", *words)
    assert (done.code, done.out) == (2, "")
    assert error in done.err
    assert "memctl: hint: " in done.err


def test_a_shallow_clone_is_never_green(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(repo, "one")
    commit(repo)
    commit(repo)
    git(repo.parent, "clone", "-q", "--depth=1", f"file://{repo}", "clone")
    monkeypatch.chdir(repo.parent / "clone")
    done = cli("check", "memory", "--against", "HEAD^")
    assert done.code == 2
    assert "whose history is shallow" in done.err
    assert "git fetch --unshallow" in done.err


def test_objects_that_are_not_here_are_never_green(cli: Cli, repo: Path) -> None:
    store(repo, one=memory("one", content="x"))
    commit(repo)
    blob = git(repo, "rev-parse", "HEAD:memory/billing/one.md")
    store(repo, one=memory("one", content="y"))
    (repo / ".git/objects" / blob[:2] / blob[2:]).unlink()
    done = cli("check", "memory", "--ignore", "I,A", "--against", "main")
    assert done.code == 2
    assert "not all objects of 'main' are in the git repository" in done.err


def test_a_file_that_is_named_is_compared_alone(cli: Cli, repo: Path) -> None:
    store(repo, "gone", old=BAD)
    commit(repo)
    (repo / "memory/billing/gone.md").unlink()
    store(repo, new=BAD)
    words = ("check", "memory/billing/new.md", "memory/billing/old.md", "--ignore", "I,A", "--against", "main")
    done = cli(*words)
    assert done.code == 1
    assert [line.split(":")[0] for line in done.out.splitlines() if "error" in line] == ["memory/billing/new.md"]


def test_workers_compare_as_one_process_does(cli: Cli, repo: Path) -> None:
    for number in range(6):
        store(repo, "one", "two", agent=f"a{number}", old=BAD)
    commit(repo)
    for number in range(0, 6, 2):
        store(repo, agent=f"a{number}", new=BAD)
        (repo / f"memory/a{number}/one.md").unlink()
    one = check(cli, "--against", "main", "--jobs", "1")
    assert check(cli, "--against", "main", "--jobs", "2") == one
    assert rules(one[1]) == ["C001", "N004"] * 3


# Baseline


def test_what_is_in_the_baseline_is_not_reported(cli: Cli, repo: Path) -> None:
    store(repo, old=BAD)
    code, found, err = check(cli, "--baseline", "base.json", "--write-baseline")
    assert (code, found) == (0, [])
    assert f"the baseline '{repo}/base.json' holds 1 finding now" in err
    assert check(cli, "--baseline", "base.json")[:2] == (0, [])
    store(repo, new=BAD)
    code, found, err = check(cli, "--baseline", "base.json")
    assert (code, [finding["path"] for finding in found]) == (1, [str(repo / "memory/billing/new.md")])
    assert "1 in the baseline" in err


def test_a_baseline_holds_on_another_machine(cli: Cli, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(repo, old=BAD)
    check(cli, "--baseline", "base.json", "--write-baseline")
    shutil.move(repo, repo.parent / "elsewhere")
    monkeypatch.chdir(repo.parent / "elsewhere")
    assert check(cli, "--baseline", "base.json")[:2] == (0, [])


def test_what_is_mended_is_said_in_one_line_and_dropped(cli: Cli, repo: Path) -> None:
    store(repo, "good", one=BAD, two=BAD)
    check(cli, "--baseline", "base.json", "--write-baseline")
    for name in ("one", "two"):
        (repo / f"memory/billing/{name}.md").unlink()
    code, _, err = check(cli, "--baseline", "base.json")
    assert code == 0
    assert err.splitlines()[0] == (
        "2 entries of the baseline match nothing any more: --write-baseline drops what is mended"
    )
    check(cli, "--baseline", "base.json", "--write-baseline")
    assert json.loads((repo / "base.json").read_text())["findings"] == []


def test_what_was_not_looked_at_is_neither_mended_nor_dropped(cli: Cli, repo: Path) -> None:
    store(repo, one=BAD, two=memory("two", source="human"))
    store(repo, agent="other", three=BAD)
    check(cli, "--baseline", "base.json", "--write-baseline")
    before = (repo / "base.json").read_bytes()
    for words in (
        ("memory/other",),
        ("memory/billing/two.md",),
        ("memory", "--select", "F005"),
    ):
        done = cli("check", *words, "--ignore", "I,A,R", "--baseline", "base.json")
        assert (done.code, "match" in done.err) == (0, False)
        cli("check", *words, "--ignore", "I,A,R", "--baseline", "base.json", "--write-baseline")
        assert (repo / "base.json").read_bytes() == before


def test_a_baseline_has_no_value_and_no_path_of_the_machine(cli: Cli, repo: Path) -> None:
    store(repo, old=memory("old", source="human-xyzzy"))
    check(cli, "--baseline", "base.json", "--write-baseline")
    text = (repo / "base.json").read_text()
    assert "xyzzy" not in text
    assert str(repo) not in text
    (entry,) = json.loads(text)["findings"]
    assert sorted(entry) == sorted(Entry._fields)


def test_a_baseline_that_is_none_is_an_error(cli: Cli, repo: Path) -> None:
    store(repo, old=BAD)
    assert cli("check", "memory", "--baseline", "base.json").code == 66
    fill(repo, {"base.json": b"{}"})
    done = cli("check", "memory", "--baseline", "base.json")
    assert done.code == 65
    assert "is no baseline: no object with a key 'baseline'" in done.err


def test_a_baseline_that_cannot_be_written_is_an_error(cli: Cli, repo: Path) -> None:
    store(repo, old=BAD)
    assert check(cli, "--baseline", "nowhere/base.json", "--write-baseline")[0] == 66


def test_the_baseline_and_another_state_work_together(cli: Cli, repo: Path) -> None:
    store(repo, known=BAD)
    check(cli, "--baseline", "base.json", "--write-baseline")
    (repo / "memory/billing/known.md").unlink()
    store(repo, old=BAD)
    commit(repo)
    store(repo, known=BAD, new=BAD)
    _, found, _ = check(cli, "--baseline", "base.json", "--against", "main")
    assert [finding["path"] for finding in found] == [str(repo / "memory/billing/new.md")]


def test_json_counts_what_is_known_and_what_is_gone(cli: Cli, repo: Path) -> None:
    store(repo, "one", old=BAD)
    commit(repo)
    cli("check", "memory", "--select", "N", "--baseline", "base.json", "--write-baseline")
    (repo / "memory/billing/one.md").unlink()
    for words, known, removed in ((("--baseline", "base.json"), 1, 0), (("--against", "main"), 0, 1)):
        counts = json.loads(cli("check", "memory", "--select", "N,C", *words, "--json").out)["data"]["counts"]
        assert (counts["known"], counts["removed"]) == (known, removed)


# Secrets


def key(letters: str) -> str:
    """Return what has the form of an access key of a cloud provider, and is none."""
    return "AK" + "IA" + letters * 4


def test_no_value_of_a_secret_is_in_any_format_or_in_a_baseline(cli: Cli, repo: Path) -> None:
    value = key("Q2Z7")
    store(repo, old=memory("old", content=f"the key is {value}", description=f"use {value} here"))
    files = {form: repo / f"out.{form}" for form in ("json", "jsonl", "github", "sarif", "junit", "text")}
    outputs = [word for form, path in files.items() for word in ("-o", f"{form}={path}")]
    done = cli("check", "memory", *outputs)
    assert done.code == 1
    cli("check", "memory", "--baseline", "base.json", "--write-baseline")
    for path in (*files.values(), repo / "base.json"):
        text = path.read_text()
        assert "S001" in text
        assert value not in text
        assert value[4:12] not in text
    assert value not in done.out


def test_a_secret_that_took_the_place_of_another_is_new(cli: Cli, repo: Path) -> None:
    store(repo, old=memory("old", content=f"the key is {key('Q2Z7')}"))
    commit(repo)
    words = ("check", "memory", "--select", "S001")
    cli(*words, "--baseline", "base.json", "--write-baseline")
    assert cli(*words, "--against", "main").code == cli(*words, "--baseline", "base.json").code == 0
    store(repo, old=memory("old", content=f"the key is {key('X5W3')}"))
    assert cli(*words, "--against", "main").code == cli(*words, "--baseline", "base.json").code == 1


def test_two_baselines_know_a_secret_by_different_fingerprints(cli: Cli, repo: Path) -> None:
    store(repo, old=memory("old", content=f"the key is {key('Q2Z7')}"))
    found = []
    for name in ("one.json", "two.json"):
        cli("check", "memory", "--select", "S001", "--baseline", name, "--write-baseline")
        found.append(json.loads((repo / name).read_text())["findings"])
    assert found[0] != found[1]


# Formats


def test_github_gets_the_text_and_the_annotations(cli: Cli, repo: Path) -> None:
    store(repo, bad=BAD)
    done = cli("check", "memory", "--ignore", "I,A", "--format", "github")
    lines = done.out.splitlines()
    assert done.code == 1
    assert lines[0].startswith("::stop-commands::")
    assert lines[1].startswith("memory/billing/bad.md:4:7: error N004 bad-type: ")
    assert lines[-1].startswith("::error file=memory/billing/bad.md,line=4,col=7,endColumn=11,title=N004 bad-type::")


def test_a_format_is_written_when_nothing_is_found(cli: Cli, repo: Path) -> None:
    store(repo, "good")
    words = ("check", "memory", "--ignore", "I,A", "-q")
    assert cli(*words, "--format", "github").out == ""
    assert json.loads(cli(*words, "--format", "sarif").out)["runs"][0]["results"] == []
    assert 'failures="0"' in cli(*words, "--format", "junit").out


@pytest.mark.parametrize(("fail_on", "failures"), [("error", 0), ("warning", 1), ("never", 0)])
def test_junit_fails_on_what_the_run_fails_on(cli: Cli, repo: Path, fail_on: str, failures: int) -> None:
    store(repo, old=memory("old", source="human"))
    done = cli("check", "memory", "--ignore", "I,A", "--format", "junit", "--fail-on", fail_on)
    assert done.out.count("<failure ") == done.code == failures


def test_formats_go_into_files_beside_the_text(cli: Cli, repo: Path) -> None:
    store(repo, bad=BAD)
    words = ("check", "memory", "--ignore", "I,A", "-o", "sarif=out/a.sarif", "-o", "junit=a.xml", "-o", "github=a.txt")
    assert "N004" in cli(*words).out
    (result,) = json.loads((repo / "out/a.sarif").read_text())["runs"][0]["results"]
    location = result["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "memory/billing/bad.md"
    assert location["region"] == {"startLine": 4, "startColumn": 7, "endColumn": 11}
    assert "N004" in (repo / "a.xml").read_text()
    assert (repo / "a.txt").read_text().count("::error ") == 1


def test_what_cannot_be_read_is_in_the_reports(cli: Cli, repo: Path) -> None:
    store(repo, "good")
    done = cli("check", "memory", "nope", "--ignore", "I,A", "-o", "sarif=a.sarif", "-o", "junit=a.xml")
    assert done.code == 66
    (invocation,) = json.loads((repo / "a.sarif").read_text())["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert '<error type="not-found"' in (repo / "a.xml").read_text()


@pytest.mark.parametrize("form", ["github", "sarif", "junit"])
def test_two_runs_give_the_same_bytes(cli: Cli, repo: Path, form: str) -> None:
    store(repo, "good", bad=BAD)
    words = ("check", "memory", "--format", form)
    assert cli(*words).out == cli(*words).out != ""


@pytest.mark.parametrize("against", [(), ("--against", "main")])
def test_hostile_names_leave_every_format_whole(cli: Cli, repo: Path, against: tuple[str, ...]) -> None:
    commit(repo)
    names = [name for name in HOSTILE if "/" not in name]
    fill(repo / "memory/billing", {"MEMORY.md": b"# Memory index\n", **dict.fromkeys(names, b"x")})
    outputs = [word for form in ("sarif", "junit", "github", "jsonl") for word in ("-o", f"{form}={form}.out")]
    done = cli("check", "memory", *against, *outputs)
    assert done.code == 1
    assert "\x1b" not in done.out + done.err
    text = (repo / "github.out").read_text()
    commands = [line for line in text.splitlines() if line.startswith("::")]
    assert {line.split()[0] for line in commands[2:]} <= {"::error", "::warning", "::notice"}
    results = json.loads((repo / "sarif.out").read_text())["runs"][0]["results"]
    lines = (repo / "jsonl.out").read_text().splitlines()
    assert len(results) == len(lines)
    assert len({json.loads(line)["path"] for line in lines if json.loads(line)["rule"] in ("N001", "F017")}) == len(
        names
    )
    found = ElementTree.fromstring((repo / "junit.out").read_bytes())
    assert len(found.findall(".//failure")) >= len([name for name in names if name.endswith(".md")])
