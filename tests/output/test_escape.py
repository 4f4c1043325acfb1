from __future__ import annotations

import pytest

from memctl.output.escape import field, visible


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain", "plain"),
        ("a\tb", "a\\tb"),
        ("a\nb", "a\\nb"),
        ("a\rb", "a\\rb"),
        ("a\\tb", "a\\\\tb"),
        ("größe 東京", "größe 東京"),
        ("", ""),
    ],
)
def test_a_field_has_no_tab_and_no_line_end(text: str, escaped: str) -> None:
    assert field(text) == escaped


@pytest.mark.parametrize("text", ["\\", "\\t\t", "\\\\n\n", "\r\\r"])
def test_a_field_can_be_read_back(text: str) -> None:
    assert field(text).encode().decode("unicode_escape") == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("größe 東京 ✅", "größe 東京 ✅"),
        ("\x1b[31m", "^[[31m"),
        ("\x07", "^G"),
        ("\x00", "^@"),
        ("\x7f", "^?"),
        ("a\tb\nc", "a^Ib^Jc"),
        ("\x9b1m", "<U+009B>1m"),
        ("\u202eevil", "<U+202E>evil"),
        ("zero\u200bwidth", "zero<U+200B>width"),
        ("soft\u00adhyphen", "soft<U+00AD>hyphen"),
        ("\ufeffbom", "<U+FEFF>bom"),
        ("tag\U000e0041", "tag<U+E0041>"),
        ("line\u2028end", "line<U+2028>end"),
        ("half\ud83d", "half<U+D83D>"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_visible(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_lines_stay_where_they_are_wanted() -> None:
    assert visible("a\tb\nc\rd", lines=True) == "a\tb\nc^Md"
