"""What a place comes to: rules, ignores, allows, what is shown and what fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from memctl.core.checks.rule import Severity
from memctl.core.checks.selection import PathIgnore
from memctl.disk.checkable import Aim
from memctl.errors import IoFailure
from memctl.ops.check import Totals, check_place
from memctl.ops.check_request import Asked
from tests.ops.checked import BAD, place, request, rules
from tests.stores import make_store, memory, register


def test_a_place_comes_to_findings_and_totals(tmp_path: Path) -> None:
    done = place(tmp_path)
    assert rules(done) == ["N004", "F001"]
    assert done.totals == Totals(stores=1, memories=3, errors=1, warnings=1, fixable=1, failing=1)
    assert done.errors == []


@pytest.mark.parametrize(
    ("only", "found", "memories"),
    [({"b.md"}, ["N004"], 1), ({"a.md"}, [], 1), ({"a.md", "c.md"}, ["F001"], 2), ({"MEMORY.md"}, [], 0)],
)
def test_only_findings_of_the_files_that_are_meant_count(
    tmp_path: Path, only: set[str], found: list[str], memories: int
) -> None:
    done = place(tmp_path, only=frozenset(only))
    assert (rules(done), done.totals.memories, done.totals.stores) == (found, memories, 1)


def test_a_file_that_takes_part_in_a_finding_is_concerned(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"a.md": memory("same"), "b.md": memory("same")})
    for name in ("a.md", "b.md"):
        done = check_place(Aim(store, frozenset({name})), request(Asked(["F002"])))
        assert rules(done) != []


@pytest.mark.parametrize(("show", "shown", "hidden"), [("info", 2, 0), ("warning", 2, 0), ("error", 1, 1)])
def test_what_is_not_shown_counts(tmp_path: Path, show: str, shown: int, hidden: int) -> None:
    done = place(tmp_path, request()._replace(show=Severity(show)))
    assert (len(done.findings), done.totals.hidden, done.totals.warnings) == (shown, hidden, 1)


@pytest.mark.parametrize(
    ("fail_on", "failing"), [(None, 0), (Severity.ERROR, 1), (Severity.WARNING, 2), (Severity.INFO, 2)]
)
def test_what_fails(tmp_path: Path, fail_on: Severity | None, failing: int) -> None:
    assert place(tmp_path, request()._replace(fail_on=fail_on)).totals.failing == failing


def test_a_warning_that_is_not_shown_can_fail(tmp_path: Path) -> None:
    given = request()._replace(show=Severity.ERROR, fail_on=Severity.WARNING)
    assert place(tmp_path, given).totals.failing == 2


def test_rules_can_be_off_for_some_files(tmp_path: Path) -> None:
    done = place(tmp_path, request()._replace(path_ignores=(PathIgnore("b.*", frozenset({"N004"})),)))
    assert (rules(done), done.totals.errors) == (["F001"], 0)


@pytest.mark.parametrize("pattern", ["1a2b3c4d/b.md", "bot/b.md", "1a2b3c4d", "*/memory/*/b.md"])
def test_a_pattern_can_be_an_address(tmp_path: Path, pattern: str) -> None:
    store = make_store(tmp_path, files={"b.md": BAD})
    register(tmp_path / "data", {"id": store.id, "name": "bot"})
    ignores = (PathIgnore(pattern, frozenset({"N004"})),)
    assert rules(check_place(Aim(store), request()._replace(path_ignores=ignores))) == []


def test_the_settings_let_pass(tmp_path: Path) -> None:
    mark = place(tmp_path).findings[0].fingerprint
    done = place(tmp_path, request()._replace(allow=(mark[:10],)))
    assert (rules(done), done.totals.allowed, done.totals.errors, done.used) == (["F001"], 1, 0, {mark[:10]})


def test_a_comment_lets_pass_unless_that_is_forbidden(tmp_path: Path) -> None:
    mark = place(tmp_path).findings[0].fingerprint
    with_comment = BAD + f"<!-- memctl: allow {mark} -->\n".encode()
    store = make_store(tmp_path, "a", files={"b.md": with_comment, "c.md": memory("d")})
    assert rules(check_place(Aim(store), request())) == ["F001"]
    done = check_place(Aim(store), request()._replace(inline=False))
    assert (rules(done), done.totals.allowed) == (["N004", "F001"], 0)


def test_a_comment_that_lets_nothing_pass_is_told_where_that_is_asked_for(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"b.md": memory("b", content="x\n# memctl: allow 0123456789abcdef")})
    assert check_place(Aim(store), request()).unused == ()
    ((path, allow),) = check_place(Aim(store), request()._replace(unused=True)).unused
    assert (path, allow) == (f"{store.path}/b.md", ("0123456789abcdef", 10, 17))
    other = check_place(Aim(store, frozenset({"c.md"})), request()._replace(unused=True))
    assert other.unused == ()


def test_the_registry_is_a_place(tmp_path: Path) -> None:
    register(tmp_path / "data", {"id": "1a2b3c4d", "memory": {"sweep": "onn"}})
    store = make_store(tmp_path)
    done = check_place(Aim(store.folder), request(Asked(["R"])))
    assert (rules(done), done.totals.stores, done.findings[0].path) == (["R003"], 0, f"{tmp_path}/data/agents.json")


def test_a_registry_that_is_wrong_is_a_finding_and_one_that_cannot_be_read_an_error_too(tmp_path: Path) -> None:
    store = make_store(tmp_path)
    (tmp_path / "data/agents.json").write_text("[")
    done = check_place(Aim(store.folder), request(Asked(["R"])))
    assert (rules(done), done.errors) == (["R004"], [])
    (tmp_path / "data/agents.json").unlink()
    (tmp_path / "data/agents.json").mkdir()
    done = check_place(Aim(make_store(tmp_path).folder), request(Asked(["R"])))
    assert (rules(done), [type(error) for error in done.errors]) == (["R004"], [IoFailure])
