from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.memory import Memory, MemoryType
from memctl.core.recall import STOP_WORDS, rank, recall_text, tokenize, words_in
from tests.core.making import MEMORIES, memory

TODAY = "2026-09-15"
WORDS = st.sampled_from(["the", "billing", "Billing", "api", "12", "2026", "café", "naïve", "ſ", "K", "İstanbul", "-"])
MESSAGES = st.lists(WORDS | st.text(max_size=8)).map(" ".join)


@given(MESSAGES)
def test_words_are_those_of_the_expression_of_the_hq(message: str) -> None:
    words = [word for word in re.split("[^a-z0-9]+", message.lower()) if len(word) >= 3 and word not in STOP_WORDS]
    assert tokenize(message) == list(dict.fromkeys(words))


@given(st.lists(MEMORIES, max_size=8), MESSAGES)
def test_a_memory_is_recalled_for_the_words_that_it_shares(memories: list[Memory], message: str) -> None:
    found = rank(memories, message, today=TODAY, most=None)
    assert len(found) == sum(bool(_shared(memory, message)) for memory in memories)
    for hit in found:
        assert hit.words == tuple(sorted(_shared(hit.memory, message)))
        assert hit.score == len(hit.words) > 0
    assert rank(memories, message, today=TODAY) == found[:5]


def _shared(found: Memory, message: str) -> set[str]:
    return set(tokenize(f"{found.name.replace('-', ' ')} {found.description}")) & set(tokenize(message))


def test_the_best_comes_first_then_the_latest_then_by_name() -> None:
    memories = [
        memory("b-one", description="billing", updated="2026-05-01"),
        memory("a-one", description="billing", updated="2026-05-01"),
        memory("late", description="billing", updated="2026-06-01"),
        memory("undated", description="billing", created="", updated=""),
        memory("free", description="billing", updated="yesterday"),
        memory("api", description="billing", updated="2020-01-01"),
    ]
    found = [hit.memory.name for hit in rank(memories, "the billing api", today=TODAY, most=None)]
    assert found == ["api", "free", "undated", "late", "a-one", "b-one"]


def test_a_hit_names_the_words_in_alphabetical_order() -> None:
    found = memory("deploy-api", description="The API of billing")
    assert rank([found], "billing: deploy the api?", today=TODAY) == [(found, 3, ("api", "billing", "deploy"))]


def test_memories_that_call_themselves_the_same_stay_in_order() -> None:
    memories = [memory(description="billing, later"), memory(description="billing, earlier")]
    assert [hit.memory for hit in rank(memories, "billing", today=TODAY)] == memories


def test_an_unknown_memory_is_answered_with_the_names_of_all() -> None:
    assert recall_text("x", None, iter(["a", "b"])) == 'Memory "x" not found. Known memories: a, b'
    assert recall_text("x", None, ()) == 'Memory "x" not found. Known memories: (none)'


def test_a_memory_is_answered_with_its_own_name_type_and_text() -> None:
    found = memory("inner", "How", MemoryType.USER, content="Text.")
    assert recall_text("outer", found, ()) == "# inner (user)\nHow\n\nText."


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Prefer pytest, over unittest!", {"prefer", "pytest", "over", "unittest"}),
        ("the API's v2", {"the", "api", "s", "v2"}),
        ("Straße STRASSE", {"strasse"}),
        ("日本語 のメモ", {"日本語", "のメモ"}),
        ("4-space_indent\n", {"4", "space", "indent"}),
        ("…—\t", set()),
    ],
)
def test_words_of_a_note_are_of_any_script_with_case_folded(text: str, words: set[str]) -> None:
    assert words_in(text) == words
