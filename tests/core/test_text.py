from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.text import cut, decode, encode, in_order, length, sort_key, trim

ANY = st.text(st.characters(exclude_categories=[]))
LONE = re.compile("[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]")


def units(text: str) -> list[int]:
    """The UTF-16 code units of a text, by the rule of the standard."""
    found = []
    for character in text:
        point = ord(character)
        found += [point] if point < 0x10000 else [0xD800 + (point - 0x10000 >> 10), 0xDC00 + (point & 0x3FF)]
    return found


@pytest.mark.parametrize("blank", ["\ufeff", "\xa0", "\u2028", "\u3000", "\v", " \t\r\n"])
def test_white_space_of_javascript_is_trimmed(blank: str) -> None:
    assert trim(f"{blank}a{blank}b{blank}") == f"a{blank}b"


@pytest.mark.parametrize("kept", ["\x1c", "\x1f", "\x85", "\u200b", "\u180e"])
def test_white_space_of_python_alone_stays(kept: str) -> None:
    assert trim(f"{kept}a{kept}") == f"{kept}a{kept}"


@given(ANY)
def test_length_counts_code_units(text: str) -> None:
    assert length(text) == len(units(text))


@given(ANY, st.integers(0, 40))
def test_a_cut_keeps_the_first_code_units(text: str, most: int) -> None:
    assert units(cut(text, most)) == units(text)[:most]


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [("abc", 2, "ab"), ("a😀b", 2, "a\ud83d"), ("a😀b", 3, "a😀"), ("äöü", 3, "äöü"), ("\ud83d\ud83d", 1, "\ud83d")],
)
def test_a_cut_can_leave_half_of_a_pair(text: str, most: int, expected: str) -> None:
    assert cut(text, most) == expected


@given(ANY, ANY)
def test_the_sort_key_orders_by_code_units(one: str, other: str) -> None:
    assert (sort_key(one) < sort_key(other)) == (units(one) < units(other))


def test_a_character_of_two_units_sorts_before_one_with_a_higher_unit() -> None:
    assert in_order(["ﬁ.md", "😀.md", "a.md"]) == ["a.md", "😀.md", "ﬁ.md"]


@given(st.lists(ANY))
def test_names_are_sorted_by_code_units(names: list[str]) -> None:
    assert [units(name) for name in in_order(names)] == sorted(units(name) for name in names)


@given(st.binary())
def test_any_bytes_can_be_read(data: bytes) -> None:
    assert decode(data).encode() == data or "\ufffd" in decode(data)


@given(st.text(st.characters(exclude_categories=[])))
def test_what_is_written_is_read_again_with_lone_surrogates_replaced(text: str) -> None:
    # A pair of two halves is one character to JavaScript.
    paired = re.sub("[\ud800-\udbff][\udc00-\udfff]", lambda pair: chr(_point(pair.group())), text)
    assert decode(encode(text)) == LONE.sub("\ufffd", paired)


def _point(pair: str) -> int:
    return 0x10000 + ((ord(pair[0]) & 0x3FF) << 10) + (ord(pair[1]) & 0x3FF)


@pytest.mark.parametrize(
    ("text", "data"),
    [("\ud800", b"\xef\xbf\xbd"), ("a\udc00b", b"a\xef\xbf\xbdb"), ("\ud83d\ude00", "😀".encode()), ("ä", b"\xc3\xa4")],
)
def test_a_lone_surrogate_is_written_as_the_replacement_character(text: str, data: bytes) -> None:
    assert encode(text) == data


def test_a_byte_order_mark_stays() -> None:
    assert decode(b"\xef\xbb\xbfa") == "\ufeffa"
