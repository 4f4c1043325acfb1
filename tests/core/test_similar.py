"""Duplicates and near duplicates among texts."""

from __future__ import annotations

import random
from time import process_time

import pytest

from memctl.core.similar import near, plain, same, sketch, words_of


def prose(random_: random.Random, words: int) -> str:
    return " ".join(random_.choices([f"word{number}" for number in range(300)], k=words))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The relay, in OSLO.", ["the", "relay", "in", "oslo"]),
        ("用简体 ok", ["用", "简", "体", "ok"]),
        ("日本語で", ["日", "本", "語", "で"]),
        ("한국어", ["한", "국", "어"]),
        ("snake_case 4.5", ["snake", "case", "4", "5"]),
        ("Straße", ["strasse"]),
        ("…", []),
    ],
)
def test_words_are_those_of_the_script(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_case_and_white_space_make_no_other_statement() -> None:
    assert plain(" The\trelay\nis  HERE ") == "the relay is here"
    assert same(["a b", "A  B", "c", "", " ", "a b "]) == [[0, 1, 5]]


def test_two_spellings_of_a_character_are_one() -> None:
    assert plain("Cafe\u0301 ＡＢＣ") == plain("Café ABC")
    assert words_of("\u1112\u1161\u11ab국") == ["한", "국"]


def test_a_sketch_is_the_same_on_every_machine() -> None:
    assert sketch(["the", "relay"]) == (1011183078, 1564140217)
    assert sketch([]) == ()


@pytest.mark.parametrize("length", [*range(3, 22), 60, 300])
def test_a_text_with_one_word_more_is_near_whatever_its_length(length: int) -> None:
    for seed in range(20):
        random_ = random.Random(f"{length}/{seed}")
        text = prose(random_, length)
        words = text.split()
        words.insert(random_.randrange(length), "x")
        assert [(pair.first, pair.second) for pair in near([text, "another", " ".join(words)], 0.85)] == [(0, 2)]


def test_what_says_the_same_is_not_near() -> None:
    assert near(["the relay is here", "The  relay is here"], 0.5) == []


def test_what_shares_no_words_is_not_near() -> None:
    assert near(["the relay is here", "an archive was there"], 0.1) == []


def test_punctuation_alone_is_no_difference() -> None:
    assert near(["the relay, is here", "the relay is here!"], 1.0)[0].ratio == 1


def test_a_turn_of_phrase_that_all_share_does_not_make_each_compared_with_each() -> None:
    random_ = random.Random(1)
    texts = [f"Why: it was asked. How to apply: {prose(random_, 30)}" for _ in range(2000)]
    start = process_time()
    assert near(texts, 0.9) == []
    assert process_time() - start < 20  # each with each would be two million comparisons


def test_of_many_that_are_near_each_is_found() -> None:
    pairs = near([f"the relay number {number} is in the hall of the office" for number in range(150)], 0.85)
    assert {at for pair in pairs for at in pair[:2]} == set(range(150))
