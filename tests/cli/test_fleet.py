"""Many agents: workers give the same bytes as one process, in the same order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memctl.output import plain
from tests.conftest import Cli
from tests.stores import fill, memory


@pytest.fixture
def fleet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give thirty agents, one of which has a directory for an index, and one a file that is not loaded."""
    for number in range(30):
        files = {f"m{at}.md": memory(f"m{at}", description=f"größe {number}") for at in range(number % 4)}
        fill(tmp_path / f"data/memory/agent{number:02}", files)
    (tmp_path / "data/memory/agent07/MEMORY.md").mkdir()
    fill(tmp_path / "data/memory/agent08", {"bad.md": b"bad"})
    monkeypatch.setenv("MEMCTL_ROOT", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.mark.parametrize("jobs", [2, 3, 8, 100])
@pytest.mark.parametrize(
    "words",
    ["list", "list --json", "list --addresses", "reindex -n --all", "reindex --check -j", "check --all", "check -j"],
)
def test_workers_give_the_same_as_one_process(cli: Cli, fleet: Path, words: str, jobs: int) -> None:
    assert cli(*words.split(), "--jobs", jobs) == cli(*words.split(), "--jobs", 1)


def test_without_jobs_it_is_the_same(cli: Cli, fleet: Path) -> None:
    assert cli("list", "--json") == cli("list", "--json", "--jobs", 1)


def test_jobs_can_be_set(cli: Cli, fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = cli("list", "--jobs", 1)
    monkeypatch.setenv("MEMCTL_JOBS", "4")
    assert cli("list") == alone


def test_the_errors_of_workers_are_said_and_counted(cli: Cli, fleet: Path) -> None:
    done = cli("list", "--jobs", 4)
    path = fleet / "memory/agent07/MEMORY.md"
    assert done.code == 77
    assert done.err.splitlines()[:2] == [
        f"memctl: error: '{path}' is a directory, not a file",
        "memctl: hint: move it away, then run memctl reindex",
    ]


def test_the_errors_of_workers_are_in_the_json(cli: Cli, fleet: Path) -> None:
    errors = json.loads(cli("list", "--json", "--jobs", 4).out)["errors"]
    assert [(error["code"], error["path"]) for error in errors] == [("protected", f"{fleet}/memory/agent07/MEMORY.md")]


@pytest.mark.parametrize("parts", [1, 3, 7, 40])
def test_shards_together_are_the_whole(cli: Cli, fleet: Path, parts: int) -> None:
    rows = [row for part in range(1, parts + 1) for row in cli("list", "--shard", f"{part}/{parts}").rows]
    assert sorted(rows) == sorted(cli("list").rows)


def test_a_worker_that_breaks_is_a_bug_and_not_silence(cli: Cli, fleet: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(plain, "listed", broken)
    done = cli("list", "--jobs", 2)
    assert (done.code, "this is a bug in memctl" in done.err) == (70, True)
