from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.nearest import nearest

COMMANDS = ("list", "show", "save", "edit", "delete", "search", "reindex", "prune", "sweep-mode", "undo")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("lits", "list"),
        ("lst", "list"),
        ("LIST", "list"),
        ("delte", "delete"),
        ("serach", "search"),
        ("serahc", "search"),
        ("reidnex", "reindex"),
        ("sweep_mode", "sweep-mode"),
        ("sweepmode", "sweep-mode"),
        ("del", "delete"),
    ],
)
def test_the_word_that_was_probably_meant_is_found(word: str, meant: str) -> None:
    assert nearest(word, COMMANDS) == meant


@pytest.mark.parametrize("word", ["", "x", "ls", "rm", "configuration", "de"])
def test_nothing_near_is_none(word: str) -> None:
    assert nearest(word, COMMANDS) is None


def test_no_candidates_is_none() -> None:
    assert nearest("list", ()) is None


def test_a_swap_of_two_neighbours_is_one_edit() -> None:
    assert nearest("shwo", ("shabby", "show")) == "show"


def test_one_letter_is_not_near_to_another_letter() -> None:
    assert nearest("a", ("b",)) is None


def test_the_nearer_one_wins_wherever_it_stands() -> None:
    assert nearest("color", ("colour", "colors", "color")) == "color"
    assert nearest("color", ("color", "colour", "colors")) == "color"


def test_of_equal_edits_the_one_with_the_same_beginning_wins() -> None:
    assert nearest("cat", ("bat", "cab")) == "cab"


def test_the_first_of_equally_near_ones_is_returned() -> None:
    assert nearest("jobx", ("joba", "jobb")) == "joba"
    assert nearest("jobx", ("jobb", "joba")) == "jobb"


def test_candidates_may_be_an_iterator() -> None:
    assert nearest("shwo", iter(COMMANDS)) == "show"


@given(st.text(st.characters()), st.lists(st.text(st.characters())))
def test_any_text_gives_a_candidate_or_none(word: str, candidates: list[str]) -> None:
    assert nearest(word, candidates) in (None, *candidates)


@given(st.text(min_size=1), st.lists(st.text()))
def test_the_word_itself_is_always_nearest(word: str, others: list[str]) -> None:
    found = nearest(word, [*others, word])
    assert found is not None
    assert found.casefold() == word.casefold()


def test_importing_the_module_does_not_import_rapidfuzz() -> None:
    code = "import sys, memctl.core.nearest; print('rapidfuzz' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
