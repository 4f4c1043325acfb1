"""What options and settings make of a run of check."""

from __future__ import annotations

from pathlib import Path

import pytest

from memctl.core.checks.rule import Severity
from memctl.core.checks.table import DEFAULT
from memctl.disk.checkable import Aim
from memctl.errors import ConfigError, UsageError
from memctl.ops.check import check_place
from memctl.ops.check_request import Asked, make_request
from tests.ops.checked import CONFIG, TODAY, place, request
from tests.stores import make_store, memory


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
