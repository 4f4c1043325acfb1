"""What a place comes to: rules, ignores, allows, what is shown and what fails."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memctl.core.checks.rule import Severity
from memctl.core.checks.selection import PathIgnore
from memctl.core.checks.table import DEFAULT
from memctl.disk.checkable import Aim
from memctl.disk.project import CheckTable
from memctl.errors import ConfigError, IoFailure, UsageError
from memctl.ops.check import CheckedPlace, Totals, check_one, check_place
from memctl.ops.check_request import Asked, CheckRequest, make_request
from tests.stores import make_store, memory, register

TODAY = date(2026, 11, 30)
BAD = memory("b", type="todo")
CONFIG = "/etc/memctl/config.toml"


def request(asked: Asked | None = None, *tables: dict[str, object]) -> CheckRequest:
    found = [CheckTable(table, CONFIG) for table in tables]
    return make_request(asked or Asked(["N", "F001", "F018"]), found, TODAY)


def place(tmp_path: Path, *given: CheckRequest, only: frozenset[str] | None = None) -> CheckedPlace:
    """Check a store with a file that is not loaded, one whose name differs, and a good one."""
    store = make_store(tmp_path, "a", files={"b.md": BAD, "c.md": memory("d")})
    return check_place(Aim(store, only), given[0] if given else request())


def rules(done: CheckedPlace) -> list[str]:
    return [finding.rule for finding in done.findings]


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


def test_check_one_leaves_ignores_and_allows_alone(tmp_path: Path) -> None:
    store = make_store(tmp_path, "a", files={"b.md": BAD})
    done = check_one(store, request().settings)
    assert (done.address, [one.rule for one in done.findings], done.memories, done.errors) == (
        store.address,
        ["N004"],
        2,
        [],
    )


# --- options and settings ---


def test_without_settings_and_options_it_is_the_default() -> None:
    made = make_request(Asked(), [], TODAY)
    assert (made.settings.enabled, made.settings.today, made.settings.key) == (DEFAULT, TODAY, None)
    assert (made.show, made.fail_on, made.path_ignores, made.allow, made.inline) == ("info", "error", (), (), True)


def test_settings_are_taken() -> None:
    made = request(
        Asked(),
        {
            "select": ["N", "H"],
            "ignore": ["H001"],
            "severity": "warning",
            "fail_on": "never",
            "stale_days": 30,
            "near": 0.5,
            "salt": "pepper",
            "allow": ["0123456789abcdef"],
            "inline_allow": False,
            "severities": {"N": "info", "N004": "error"},
            "per_path_ignores": {"tmp-*": ["N004,F"]},
        },
    )
    assert {"N004", "H002"} <= made.settings.enabled
    assert not {"H001", "F001"} & made.settings.enabled
    assert (made.show, made.fail_on, made.inline, made.allow) == ("warning", None, False, ("0123456789abcdef",))
    assert (made.settings.stale_days, made.settings.near, made.settings.key) == (30, 0.5, b"pepper")
    assert dict(made.settings.severities)["N004"] == "error"
    (ignore,) = made.path_ignores
    assert (ignore.pattern, ignore.base, {"N004", "F001"} <= ignore.codes) == ("tmp-*", "/etc/memctl", True)


def test_the_later_table_and_the_options_win() -> None:
    tables = (
        {"fail_on": "never", "severity": "error", "allow": ["01234567"]},
        {"fail_on": "info", "allow": ["89abcdef"]},
    )
    made = request(Asked(severity=Severity.WARNING), *tables)
    assert (made.show, made.fail_on, made.allow) == ("warning", "info", ("01234567", "89abcdef"))
    assert request(Asked(fail_on="never"), *tables).fail_on is None


def test_a_severity_can_be_changed(tmp_path: Path) -> None:
    made = request(Asked(["N"]), {"severities": {"bad-type": "info"}})
    assert [finding.severity for finding in place(tmp_path, made).findings] == ["info"]


@pytest.mark.parametrize(
    ("table", "where"),
    [
        ({"select": ["bad-typ"]}, "check.select"),
        ({"ignore": ["N,bad-typ"]}, "check.ignore"),
        ({"severities": {"bad-typ": "info"}}, "check.severities"),
        ({"per_path_ignores": {"x": ["bad-typ"]}}, "check.per_path_ignores.x"),
    ],
)
def test_a_rule_that_the_settings_have_wrong_is_named_with_its_place(table: dict[str, object], where: str) -> None:
    with pytest.raises(ConfigError, match=f"no rule 'bad-typ' in '{where}' of '{CONFIG}'") as caught:
        request(Asked(), table)
    assert caught.value.hint == "did you mean 'bad-type'?"


def test_a_word_that_is_no_fingerprint_is_named() -> None:
    with pytest.raises(ConfigError, match=r"'N004' in 'check\.allow'"):
        request(Asked(), {"allow": ["N004"]})


def test_no_rule_at_all_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="no rule is left to check by"):
        request(Asked(None, ["ALL"]))


@pytest.mark.parametrize("salt", ["pepper", "ü" * 200])
def test_any_text_can_be_the_salt(tmp_path: Path, salt: str) -> None:
    store = make_store(tmp_path, files={"b.md": memory("b", content="The password for staging is hunter2-Xq9.")})
    found = [check_place(Aim(store), request(Asked(["S"]), {"salt": word})).findings for word in (salt, salt + "x")]
    assert found[0]
    assert [one.fingerprint for one in found[0]] != [one.fingerprint for one in found[1]]
