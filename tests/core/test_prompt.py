from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.core.dialects.notes import LIMIT, trim
from memctl.core.prompt import Rules, user_memory_block, user_memory_payload

ELLIPSIS = "\n…(truncated, raise [memory].max_size or trim memory.md)"

# A long file: a head that shifts the cut, then one character of one to four bytes, over and over.
LONG = st.builds(
    lambda head, character, extra: head + character * ((LIMIT + extra) // len(character.encode()) + 1),
    st.text(max_size=8),
    st.sampled_from(["a", "é", "—", "😀", " "]),
    st.integers(0, 300),
)


@settings(deadline=None)
@given(LONG, st.text(max_size=20))
def test_the_newest_cut_keeps_marker_and_all_within_the_cap(content: str, source: str) -> None:
    data = content.encode()
    head, marker = user_memory_payload(content, source := source.encode("utf-8", "replace").decode())
    assert head is not None
    assert marker == f'\n<truncated bytes={len(data) - len(head)} source="{source}">'
    assert data.startswith(head)
    head.decode()  # no character is halved
    assert LIMIT - 4 - len(str(len(data))) < len(head) + len(marker.encode()) <= LIMIT


@settings(deadline=None)
@given(LONG)
def test_the_second_cut_backs_off_to_a_character_and_the_first_panics_where_it_cannot(content: str) -> None:
    data = content.encode()
    head, marker = user_memory_payload(content, "/m", Rules.V0_8_17)
    assert head is not None
    assert head == data[:LIMIT].decode("utf-8", "ignore").encode()
    assert marker == ELLIPSIS
    first = user_memory_payload(content, "/m", Rules.V0_8_8)
    assert first == ((head if len(head) == LIMIT else None), ELLIPSIS)


@given(st.text(max_size=50).filter(lambda text: text.isprintable()), st.sampled_from(Rules))
def test_a_short_file_is_trimmed_and_not_escaped(content: str, rules: Rules) -> None:
    block = user_memory_block(content, '"/m', rules)
    assert block == (f'<user_memory source=""/m">\n{trim(content)}\n</user_memory>' if trim(content) else None)


@pytest.mark.parametrize("rules", Rules)
def test_the_cap_counts_the_untrimmed_bytes(rules: Rules) -> None:
    at_the_cap = "a" + "\n" * (LIMIT - 1)
    assert user_memory_payload(at_the_cap, "/m", rules) == (b"a", None)
    over = user_memory_payload(at_the_cap + "\n", "/m", rules)
    assert over.marker is not None
    assert over.head is not None
    assert over.head.startswith(b"a\n\n")


def test_release_0_8_8_is_said_to_panic_on_a_halved_character() -> None:
    with pytest.raises(ValueError, match=r"^release 0\.8\.8 panics: the cut at 102,400 bytes halves a character$"):
        user_memory_block("a" + "é" * (LIMIT // 2), "/m", Rules.V0_8_8)


def test_a_long_file_of_blanks_gives_no_block() -> None:
    assert user_memory_block(" " * (LIMIT + 1), "/m") is None


@pytest.mark.parametrize("content", ["é" * LIMIT, "ab" * LIMIT])
def test_a_source_longer_than_the_cap_leaves_no_head(content: str) -> None:
    head, marker = user_memory_payload(content, "/" * (2 * LIMIT))
    assert head == b""
    assert marker is not None
    assert f"bytes={2 * LIMIT} " in marker
