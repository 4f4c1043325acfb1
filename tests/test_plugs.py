"""Where memctl plugs in: the hook of pre-commit, and the workflow and the cron line of README.md, as they run."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cli.running import MEMCTL, shell, spawn
from tests.conftest import Done
from tests.disk.repositories import SURROUNDINGS, commit, git, repository
from tests.stores import CODE, fill, index, memory
from tests.test_man import problems

README = (Path(CODE) / "README.md").read_text()
BAD = memory("bad", type="todo")


def blocks() -> list[Any]:
    """Return what the YAML blocks of the README are."""
    return [yaml.safe_load(text) for text in re.findall(r"^```yaml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)]


def workflow() -> list[dict[str, Any]]:
    """Return the steps of the workflow."""
    (found,) = [block for block in blocks() if "jobs" in block]
    (job,) = found["jobs"].values()
    steps: list[dict[str, Any]] = job["steps"]
    return steps


def commands() -> list[str]:
    """Return the steps of the workflow in which memctl runs."""
    return [step["run"] for step in workflow() if step.get("run", "").startswith("memctl ")]


def hooks() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load((Path(CODE) / ".pre-commit-hooks.yaml").read_text())
    return found


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Give a git repository with the memories of an agent, whose state is that of the branch to compare with."""
    place = repository(tmp_path / "work")
    names = [f"m{at}" for at in range(8)]
    files = {f"{name}.md": memory(name) for name in names}
    fill(place / "memory" / "aaaa1111", {**files, "MEMORY.md": index(*names)})
    git(place, "update-ref", "refs/remotes/origin/main", commit(place))
    return place


def run(checkout: Path, command: str) -> Done:
    """Run a command line of a workflow, as its shell does."""
    script = f'memctl() {{ {shlex.join(MEMCTL)} "$@"; }}; cd {shlex.quote(str(checkout))} && {command}'
    return shell(f"set -e; {script}", env={**SURROUNDINGS, "GITHUB_BASE_REF": "main"})


# The workflow


def test_the_workflow_checks_twice_and_installs_what_this_is() -> None:
    assert len(commands()) == 2
    name = tomllib.loads((Path(CODE) / "pyproject.toml").read_text())["project"]["name"]
    assert f"pip install {name}" in [step.get("run") for step in workflow()]
    assert [problem for line in commands() for problem in problems(line)] == []


def test_the_report_that_is_uploaded_is_the_one_that_is_written() -> None:
    (upload,) = [step for step in workflow() if "sarif_file" in step.get("with", {})]
    assert f"-o sarif={upload['with']['sarif_file']}" in commands()[0]


def test_all_commits_are_fetched_for_the_comparison() -> None:
    assert workflow()[0]["with"]["fetch-depth"] == 0


def test_a_clean_checkout_passes_each_step(checkout: Path) -> None:
    assert [run(checkout, command).code for command in commands()] == [0, 0]
    assert (checkout / "memctl.sarif").read_text().startswith("{")


def test_what_was_there_before_fails_the_first_step_alone(checkout: Path) -> None:
    fill(checkout / "memory" / "aaaa1111", {"bad.md": BAD})
    git(checkout, "update-ref", "refs/remotes/origin/main", commit(checkout))
    first, second = (run(checkout, command) for command in commands())
    assert (first.code, second.code) == (1, 0)
    assert "::error file=memory/aaaa1111/bad.md,line=4," in first.out


def test_what_is_new_fails_both(checkout: Path) -> None:
    fill(checkout / "memory" / "aaaa1111", {"bad.md": BAD})
    commit(checkout)
    assert [run(checkout, command).code for command in commands()] == [1, 1]


@pytest.mark.parametrize(("gone", "code"), [(5, 0), (6, 1)])
def test_more_memories_than_may_be_gone_fail_the_second(checkout: Path, gone: int, code: int) -> None:
    for at in range(gone):
        (checkout / "memory" / "aaaa1111" / f"m{at}.md").unlink()
    fill(checkout / "memory" / "aaaa1111", {"MEMORY.md": index(*(f"m{at}" for at in range(gone, 8)))})
    commit(checkout)
    assert [run(checkout, command).code for command in commands()] == [0, code]


# The hook


def test_the_hook_looks_at_everything_in_one_run() -> None:
    (hook,) = hooks()
    assert hook["id"] == "memctl-check"
    assert (hook["language"], hook["pass_filenames"], hook["always_run"], hook["require_serial"]) == (
        "python",
        False,
        True,
        True,
    )
    command = [hook["entry"], *hook["args"]]
    assert list(problems(" ".join(command))) == []


def test_the_hook_of_the_readme_is_there() -> None:
    (found,) = [block for block in blocks() if "repos" in block]
    ((used,),) = [repo["hooks"] for repo in found["repos"]]
    assert used["id"] in [hook["id"] for hook in hooks()]


def arguments() -> list[list[str]]:
    """Return the arguments of the hook, and those that the README gives it."""
    (found,) = [block for block in blocks() if "repos" in block]
    return [hooks()[0]["args"], found["repos"][0]["hooks"][0]["args"]]


@pytest.mark.parametrize("args", arguments(), ids=" ".join)
def test_the_hook_passes_a_clean_checkout_and_fails_one_with_an_error(checkout: Path, args: list[str]) -> None:
    entry = shlex.split(hooks()[0]["entry"])
    assert entry[0] == "memctl"
    done = spawn(*entry[1:], *args, cwd=checkout)
    assert (done.code, done.err) == (0, "8 memories in 1 store checked, 0 errors, 0 warnings, 0 fixable, 1 info\n")
    fill(checkout / "memory" / "aaaa1111", {"bad.md": BAD})
    done = spawn(*entry[1:], *args, cwd=checkout)
    assert done.code == 1
    assert "memory/aaaa1111/bad.md:4:7: error N004 bad-type" in done.out


def test_the_hook_notices_that_a_memory_was_only_deleted(checkout: Path) -> None:
    (checkout / "memory" / "aaaa1111" / "m0.md").unlink()
    done = spawn("check", *hooks()[0]["args"], "--fail-on", "warning", cwd=checkout)
    assert done.code == 1
    assert "I002 index-stale" in done.out


# The cron line


def cron_line() -> str:
    (line,) = re.findall(r"^[\d* ]+  (memctl check .*)$", README, re.MULTILINE)
    return str(line)


def test_the_cron_line_is_silent_where_nothing_is_wrong_and_tells_what_is(checkout: Path) -> None:
    line = f"MEMCTL_ROOT=memory {cron_line()}"
    assert run(checkout, line) == (0, "", "")
    (checkout / "memory" / "aaaa1111" / "m0.md").unlink()
    stale = run(checkout, line)
    assert (stale.code, stale.err) == (1, "")
    assert "warning I002 index-stale" in stale.out
    assert " info " not in stale.out
