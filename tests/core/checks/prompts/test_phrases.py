"""The words without which a phrase is not looked for."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.core.checks.prompts.orders import ALL_PHRASES, may_order, order_words, words_of
from memctl.core.checks.prompts.phrases import Phrase


@pytest.mark.parametrize(
    "phrase", [phrase for phrase in ALL_PHRASES if phrase.needs], ids=lambda phrase: phrase.words[:40]
)
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_a_text_that_has_a_phrase_has_the_words_that_it_needs(phrase: Phrase, data: st.DataObject) -> None:
    small = st.characters(codec="utf-8", exclude_categories=["Lu", "Lt"])
    text = data.draw(st.from_regex(re.compile(phrase.rest, re.M), fullmatch=True, alphabet=small))
    words = words_of(text.encode())
    assert may_order(order_words().intersection(words), words)


def test_only_a_phrase_in_another_script_needs_no_word() -> None:
    assert [phrase.words for phrase in ALL_PHRASES if not phrase.needs and phrase.words.isascii()] == []
