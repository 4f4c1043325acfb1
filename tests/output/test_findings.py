"""Findings for a person: the place, the line, a caret under what is meant."""

from __future__ import annotations

import pytest

from memctl.core.checks.rule import Finding, Fix, FixKind, Severity
from memctl.core.checks.table import DEFAULT, RULES
from memctl.output.findings import Style, findings, rules
from memctl.output.paths import relative

CWD = "/code"


def finding(excerpt: str = "type: note", column: int | None = 7, length: int = 4, **more: object) -> Finding:
    plain = Finding("N004", Severity.ERROR, "a.md", "not loaded", "", 4, column, length, excerpt=excerpt)
    return plain._replace(path="/code/memory/a.md")._replace(**more)


def lines(one: Finding, style: Style | None = None) -> list[str]:
    return findings([one], CWD, style or Style()).splitlines()


@pytest.mark.parametrize(
    ("path", "cwd", "shown"),
    [
        ("/code/a/b.md", "/code", "a/b.md"),
        ("/code", "/code", "/code"),
        ("/codes/a.md", "/code", "/codes/a.md"),
        ("/other/a.md", "/code", "/other/a.md"),
        ("/a.md", "/", "a.md"),
        ("/", "/", "/"),
    ],
)
def test_paths_are_relative_to_the_current_directory(path: str, cwd: str, shown: str) -> None:
    assert relative(path, cwd) == shown


def test_a_finding_shows_place_rule_line_and_caret() -> None:
    assert findings([finding()], CWD, Style()) == (
        "memory/a.md:4:7: error N004 bad-type: not loaded\n    4 | type: note\n      |       ^^^^\n\n"
    )


def test_files_are_parted_by_an_empty_line() -> None:
    found = [finding(excerpt=""), finding(excerpt=""), finding(excerpt="", path="/x")]
    text = findings(found, CWD, Style())
    assert [line.partition(":")[0] for line in text.splitlines()] == ["memory/a.md", "memory/a.md", "", "/x", ""]


@pytest.mark.parametrize(
    ("line", "column", "place"),
    [(None, None, "memory/a.md: "), (3, None, "memory/a.md:3: "), (3, 1, "memory/a.md:3:1: ")],
)
def test_a_place_has_what_is_known_of_it(line: int | None, column: int | None, place: str) -> None:
    assert lines(finding(excerpt="", line=line, column=column))[0].startswith(f"{place}error")


def test_without_a_column_there_is_no_caret() -> None:
    assert lines(finding(column=None))[1:] == ["    4 | type: note", ""]


@pytest.mark.parametrize(
    ("excerpt", "column", "length", "shown", "caret"),
    [
        ("a\tb", 3, 1, "a    b", "     ^"),
        ("漢字x", 3, 1, "漢字x", "    ^"),
        ("漢字x", 1, 2, "漢字x", "^^^^"),
        ("e\u0301x", 3, 1, "e\u0301x", " ^"),
        ("a\u202eb", 2, 1, "a<U+202E>b", " ^^^^^^^^"),
        ("a\x1bb", 3, 1, "a^[b", "   ^"),
        ("a\x1bb", 2, 1, "a^[b", " ^^"),
        ("abc", 1, 0, "abc", "^"),
        ("abc", 4, 1, "abc", "   ^"),
        ("abc", 3, 99, "abc", "  ^"),
    ],
)
def test_the_caret_stays_under_its_place(excerpt: str, column: int, length: int, shown: str, caret: str) -> None:
    found = lines(finding(excerpt, column, length))
    assert (found[1], found[2]) == (f"    4 | {shown}", f"      | {caret}")


def test_a_part_of_a_line_says_that_it_is_one() -> None:
    found = lines(finding("xxneedlexx", 103, 6, excerpt_start=100))
    assert (found[1], found[2]) == ("    4 | …xxneedlexx", "      |    ^^^^^^")


@pytest.mark.parametrize("column", [1, 30, 70, 99, 100])
@pytest.mark.parametrize("width", [0, 30, 60, 80])
def test_a_line_fits_the_terminal_and_shows_what_is_meant(width: int, column: int) -> None:
    excerpt = "".join(chr(0x100 + at) for at in range(100))
    _, line, caret, _ = lines(finding(excerpt, column, 1), Style(width=width))
    assert line[caret.index("^")] == excerpt[column - 1]
    assert len(line) <= max(width, 28)
    assert ("…" in line) is (width < 108)


def test_wide_characters_count_twice_for_the_width() -> None:
    _, line, caret, _ = lines(finding("漢" * 50, 50, 1), Style(width=48))
    assert sum(2 if character == "漢" else 1 for character in line) <= 48
    assert line.endswith("漢")
    assert caret.endswith("^^")


def test_stored_text_is_never_obeyed() -> None:
    one = finding("\x1b[2J", path="/code/a\nb\x1b.md", detail="-\x1b[31m\n+\u202e", message="a\x07b")
    text = findings([one], CWD, Style())
    assert text.startswith("a^Jb^[.md:4:7: error N004 bad-type: a^Gb\n")
    assert "    -^[[31m\n    +<U+202E>\n" in text
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        (FixKind.REINDEX, "    = fix: render MEMORY.md anew (--fix)"),
        (FixKind.REDACT, "    = fix: replace the secret (--unsafe-fixes)"),
    ],
)
def test_a_fix_names_the_option_that_does_it(kind: FixKind, hint: str) -> None:
    assert lines(finding(fix=Fix(kind, "a.md")))[-2] == hint


def test_fingerprints_are_shown_where_they_are_asked_for() -> None:
    one = finding(fingerprint="0123456789abcdef")
    assert "0123456789abcdef" not in findings([one], CWD, Style())
    assert "    = fingerprint: 0123456789abcdef\n" in findings([one], CWD, Style(fingerprints=True))


def test_colour_changes_nothing_else() -> None:
    import re

    text = findings([finding()], CWD, Style(color=True))
    assert "\x1b[" in text
    assert re.sub(r"\x1b\[[0-9;]*m", "", text) == findings([finding()], CWD, Style())


def test_a_diff_is_green_and_red() -> None:
    text = findings([finding(excerpt="", detail="@@ -1 +1 @@\n-a\n+b\n c")], CWD, Style(color=True))
    assert "    \x1b[36m@@ -1 +1 @@\x1b[0m\n    \x1b[31m-a\x1b[0m\n    \x1b[32m+b\x1b[0m\n     c\n" in text


def test_nothing_found_is_no_text() -> None:
    assert findings([], CWD, Style()) == ""


def test_the_rules_are_one_a_line_in_a_pipe() -> None:
    rows = [line.split("\t") for line in rules(DEFAULT, color=False, table=False).splitlines()]
    assert rows == [
        [rule.code, rule.slug, rule.severity, "off" if rule.hygiene else "on", rule.summary] for rule in RULES
    ]


def test_the_table_of_rules_has_each_under_its_family() -> None:
    text = rules(DEFAULT, color=False, table=True)
    assert text.startswith("Not loaded\n  N001  no-front-matter ")
    assert text.index("Hygiene\n") < text.index("  H001")
    assert all(f"  {rule.code}  {rule.slug}" in text for rule in RULES)
