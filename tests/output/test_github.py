from __future__ import annotations

from urllib.parse import unquote

import pytest

from memctl.core.checks.rule import Severity
from memctl.output.github import commands, guarded
from tests.output.found import CWD, HOSTILE, STORE, finding


def read(line: str) -> tuple[str, dict[str, str], str]:
    """Return a command as the runner of GitHub reads it: its name, its properties, its message."""
    assert line.startswith("::")
    head, _, message = line[2:].partition("::")
    name, _, text = head.partition(" ")
    properties = {}
    for pair in text.split(","):
        key, _, value = pair.partition("=")
        for escaped, plain in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            value = value.replace(escaped, plain)
        properties[key] = value
    for escaped, plain in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        message = message.replace(escaped, plain)
    return name, properties, message


def test_a_finding_is_one_command_at_its_line_and_columns() -> None:
    one = finding(line=2, column=7, length=6)
    assert commands([one], CWD) == (
        "::warning file=memory/1a2b3c4d/deploy.md,line=2,col=7,endColumn=13,title=F001 name-differs"
        "::the name is not that of the file\n"
    )


@pytest.mark.parametrize(
    ("more", "properties"),
    [
        ({}, "file=memory/1a2b3c4d/deploy.md"),
        ({"line": 3}, "file=memory/1a2b3c4d/deploy.md,line=3"),
        ({"line": 3, "column": 1}, "file=memory/1a2b3c4d/deploy.md,line=3,col=1"),
        ({"path": "/elsewhere/deploy.md"}, "file=/elsewhere/deploy.md"),
        ({"file": "", "path": STORE}, "file=memory/1a2b3c4d"),
    ],
)
def test_what_is_not_known_of_a_place_is_left_out(more: dict[str, object], properties: str) -> None:
    assert commands([finding(**more)], CWD).startswith(f"::warning {properties},title=")


@pytest.mark.parametrize(
    ("severity", "command"), [(Severity.ERROR, "error"), (Severity.WARNING, "warning"), (Severity.INFO, "notice")]
)
def test_a_severity_has_its_command(severity: Severity, command: str) -> None:
    assert read(commands([finding(severity=severity)], CWD))[0] == command


@pytest.mark.parametrize("text", ["50%", "a%0Ab", "a\nb", "a\r\nb", "a: b, c", "::error::x", "%25"])
def test_a_message_is_escaped_as_the_toolkit_does(text: str) -> None:
    written = commands([finding(message=text)], CWD)
    expected = text.replace("\r", "^M").replace("\n", "^J")
    assert written.count("\n") == 1
    assert read(written.removesuffix("\n"))[2] == expected


@pytest.mark.parametrize(
    ("name", "escaped"),
    [
        ("100%25.md", "100%2525.md"),
        ("line\nend.md", "line%0Aend.md"),
        ("re\rturn.md", "re%0Dturn.md"),
        ("comma,colon:.md", "comma%2Ccolon%3A.md"),
        ("\x1b[31mred.md", "^[[31mred.md"),
        ("\udcff.md", "<U+DCFF>.md"),
        ("with space.md", "with space.md"),
    ],
)
def test_a_path_is_escaped_as_a_property(name: str, escaped: str) -> None:
    assert commands([finding(name)], CWD).startswith(f"::warning file=memory/1a2b3c4d/{escaped},title=")


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_ends_a_command_or_begins_another(name: str) -> None:
    written = commands([finding(name, line=1, message=f"'{name}' is odd")], CWD)
    assert written.count("\n") == 1
    assert not any(character < " " for character in written.removesuffix("\n"))
    command, properties, _ = read(written.removesuffix("\n"))
    assert (command, [*properties]) == ("warning", ["file", "line", "title"])
    written.encode()


def test_errors_come_first_and_no_more_than_github_shows() -> None:
    many = [finding(f"{number}.md", severity=severity) for number in range(12) for severity in Severity]
    lines = commands(many, CWD).splitlines()
    names = [read(line)[0] for line in lines]
    assert names == ["error"] * 10 + ["warning"] * 10 + ["notice"] * 10
    assert lines[-1] == (
        "::notice title=memctl::and 2 more errors and 2 more warnings and 3 more hints: the log of this step has them all"
    )
    assert [read(line)[1]["file"].rpartition("/")[2] for line in lines[:10]] == [f"{number}.md" for number in range(10)]


def test_as_many_as_github_shows_need_no_word_about_more() -> None:
    assert len(commands([finding(severity=Severity.ERROR)] * 10, CWD).splitlines()) == 10
    assert commands([finding(severity=Severity.ERROR)] * 11, CWD).endswith(
        "and 1 more error: the log of this step has them all\n"
    )


def test_nothing_found_is_no_command() -> None:
    assert commands([], CWD) == ""


def test_no_line_of_a_text_in_the_log_is_obeyed() -> None:
    text = "memory/a.md:1\n::add-mask::x\n##[error]y\n::stop-commands::z\n"
    first, *rest, last = guarded(text).splitlines()
    token = first.removeprefix("::stop-commands::")
    assert rest == text.splitlines()
    assert last == f"::{token}::"
    assert token not in text
    assert guarded(text) == guarded(text)


def test_a_text_that_ends_within_a_line_does_not_hide_the_end_of_the_guard() -> None:
    assert guarded("x").splitlines()[1:-1] == ["x"]


def test_an_empty_text_needs_no_guard() -> None:
    assert guarded("") == ""


def test_the_reader_of_these_tests_unescapes_what_a_url_would() -> None:
    line = commands([finding("100%25.md")], CWD).removesuffix("\n")
    assert unquote(line).count("100%25.md") == 1
