"""The manual page of the rules: made of the table, right for mandoc, and nothing of a text is lost or obeyed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from memctl.core.checks.rule import Rule, Severity
from memctl.core.checks.table import FAMILIES, RULES
from memctl.ops.explain_rule import settings_of
from memctl.output import rules
from tests.cli.running import environment
from tests.stores import CODE

PAGE = Path(CODE) / "man" / "memctl-rules.7"

needs_mandoc = pytest.mark.skipif(shutil.which("mandoc") is None, reason="mandoc is not installed")


def rendered(page: str) -> str:
    """Return what mandoc shows of a page, without bold and line breaks."""
    answer = subprocess.run(["mandoc", "-Tutf8", "-Owidth=1000"], input=page.encode(), capture_output=True, check=True)
    return " ".join(re.sub(".\b", "", answer.stdout.decode()).split())


def test_the_page_is_made_of_the_table() -> None:
    assert PAGE.read_text("utf-8") == rules.page(), "python -m memctl.cli.manual >man/memctl-rules.7 makes it"


def test_the_module_for_the_sources_prints_it() -> None:
    command = [sys.executable, "-m", "memctl.cli.manual"]
    done = subprocess.run(command, capture_output=True, check=True, env=environment({"PYTHONIOENCODING": "ascii"}))
    assert done.stdout.decode("ascii") == rules.page()


@needs_mandoc
def test_mandoc_finds_nothing_wrong() -> None:
    answer = subprocess.run(
        ["mandoc", "-Tlint", "-W", "warning", str(PAGE)], capture_output=True, text=True, check=False
    )
    assert (answer.returncode, answer.stdout) == (0, "")


def test_no_line_is_longer_than_a_page_wants() -> None:
    assert [line for line in rules.page().splitlines() if len(line) > 80] == []


def test_each_rule_stands_in_its_family_in_the_order_of_the_table() -> None:
    titles = [line for line in rules.page().splitlines() if line.startswith((".Sh ", ".Ss "))]
    expected = []
    for letter, family in FAMILIES.items():
        expected.append(f".Sh {family.upper()}")
        expected += [f".Ss {rule.code} {rule.slug}".replace("-", "\\-") for rule in RULES if rule.code[0] == letter]
    assert titles == [".Sh NAME", ".Sh DESCRIPTION", *expected, ".Sh SEE ALSO"]


@needs_mandoc
def test_a_reader_sees_each_text_of_each_rule() -> None:
    shown = rendered(rules.page())
    for rule in RULES:
        texts = (rule.summary, rule.why, rule.example, rule.mend, *settings_of(rule))
        assert [text for text in texts if " ".join(text.split()) not in shown] == []


@needs_mandoc
def test_nothing_in_a_text_is_obeyed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    texts = (".Sh a title", "'so x", 'a \\fB\\"x \\n(.x --y "z"', "a…é\u202e. It is .so\n.Ed\n'x\\", "\\ .Pp")
    monkeypatch.setattr(rules, "RULES", (Rule("N001", "-a.b", Severity.INFO, *texts[1:]), *RULES[1:]))
    shown = rendered(rules.page())
    assert [
        text for text in texts[1:] if " ".join(text.replace("\u202e", "").split()) not in shown.replace("\u202e", "")
    ] == []
    (tmp_path / "page").write_text(rules.page(), "utf-8")
    answer = subprocess.run(
        ["mandoc", "-Tlint", "-W", "error", str(tmp_path / "page")], capture_output=True, check=False
    )
    assert answer.stdout == b""


def test_what_the_wheel_installs_beside_the_package_is_there() -> None:
    wheel = tomllib.loads((Path(CODE) / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    installed = wheel["shared-data"]
    assert [name for name in installed if not (Path(CODE) / name).is_file()] == []
    assert {f"man/{path.name}" for path in (Path(CODE) / "man").iterdir()} <= set(installed)
    for name, target in installed.items():
        if name.startswith("man/"):
            assert target == f"share/man/man{name[-1]}/{Path(name).name}"


def test_the_pages_name_each_other() -> None:
    assert ".Xr memctl-rules 7" in (PAGE.parent / "memctl.1").read_text()
    assert ".Xr memctl 1" in PAGE.read_text()
