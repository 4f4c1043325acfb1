"""Which rules are on: words for rules, layers, severities, patterns of paths."""

from __future__ import annotations

import pytest

from memctl.core.checks.selection import (
    Layer,
    PathIgnore,
    enabled,
    ignored,
    reads_secrets,
    selected,
    severities,
    split_words,
)
from memctl.core.checks.table import BY_CODE, DEFAULT, RULES
from memctl.errors import UsageError

EVERY = frozenset(BY_CODE)


def family(letter: str) -> frozenset[str]:
    return frozenset(code for code in EVERY if code[0] == letter)


@pytest.mark.parametrize(
    ("word", "codes"),
    [
        ("N004", {"N004"}),
        ("n004", {"N004"}),
        (" N004 ", {"N004"}),
        ("bad-type", {"N004"}),
        ("Bad_Type", {"N004"}),
        ("N", family("N")),
        ("N00", family("N")),
        ("Not loaded", family("N")),
        ("secrets", family("S")),
        ("ALL", EVERY),
        ("all", EVERY),
    ],
)
def test_a_word_means_rules(word: str, codes: frozenset[str]) -> None:
    assert selected(word).codes == codes


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("bad-typ", "did you mean 'bad-type'?"),
        ("N0O4", "did you mean 'N004'?"),
        ("hygeine", "did you mean 'Hygiene'?"),
        ("xyzzyxyzzy", "memctl check --list-rules shows them"),
        ("", "memctl check --list-rules shows them"),
    ],
)
def test_a_word_that_means_none_names_the_nearest(word: str, hint: str) -> None:
    with pytest.raises(UsageError, match=f"no rule '{word}'") as caught:
        selected(word)
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("layers", "codes"),
    [
        ([], DEFAULT),
        ([Layer()], DEFAULT),
        ([Layer(None, ["N004"])], DEFAULT - {"N004"}),
        ([Layer(None, ["N,F"])], DEFAULT - family("N") - family("F")),
        ([Layer(["N"])], family("N")),
        ([Layer([])], frozenset()),
        ([Layer(["N", "L001"])], family("N") | {"L001"}),
        ([Layer(["ALL"])], EVERY),
        ([Layer(["N"], ["N004"])], family("N") - {"N004"}),
        ([Layer(["N004"], ["N"])], {"N004"}),
        ([Layer(["N004"], ["bad-type"])], frozenset()),
        ([Layer(["N"], ["N"])], frozenset()),
        ([Layer(["ALL"], ["H"])], DEFAULT),
        ([Layer(["ALL", "H001"], ["H"])], DEFAULT | {"H001"}),
        ([Layer(None, ["ALL"])], frozenset()),
        ([Layer(None, ["N"]), Layer(["N004"])], {"N004"}),
        ([Layer(["N004"]), Layer(None, ["N"])], frozenset()),
        ([Layer(["H"]), Layer(None, ["N"])], family("H")),
        ([Layer(["N"]), Layer(["F"])], family("F")),
        ([Layer(["N"]), Layer()], family("N")),
    ],
)
def test_the_rules_that_are_on(layers: list[Layer], codes: frozenset[str]) -> None:
    assert enabled(layers) == codes


def test_hygiene_is_off_unless_it_is_selected() -> None:
    assert enabled([]) & family("H") == set()
    assert {rule.code for rule in RULES if rule.hygiene} == family("H")


def test_words_are_parted_by_commas() -> None:
    assert list(split_words(["N, F", "", ",L,"])) == ["N", "F", "L"]


@pytest.mark.parametrize("given", [{"N": "info", "N004": "error"}, {"N004": "error", "N": "info"}])
def test_the_narrower_word_gives_the_severity(given: dict[str, str]) -> None:
    found = dict(severities(given))
    assert (found["N004"], found["N001"], set(found)) == ("error", "info", family("N"))


PATH = "/hq/memory/1a2b/tmp-x.md"
NAMES = (PATH, "tmp-x.md", "1a2b/tmp-x.md", "bot/tmp-x.md")


@pytest.mark.parametrize(
    ("pattern", "base", "fits"),
    [
        ("tmp-*", "", True),
        ("tmp-x.md", "", True),
        ("bot/*", "", True),
        ("bot", "", True),
        ("1a2b/tmp-?.md", "", True),
        (PATH, "", True),
        ("/hq/*", "", True),
        ("/hq/memory", "", True),
        ("/hq/memory/", "", True),
        ("memory/1a2b/*", "/hq", True),
        ("memory/1a2b", "/hq", True),
        ("memory", "/hq", True),
        ("memory/1a2b/*", "/other", False),
        ("mem", "/hq", False),
        ("tmp", "", False),
        ("Tmp-*", "", False),
        ("other/*", "", False),
    ],
)
def test_a_pattern_fits_paths_and_addresses(pattern: str, base: str, fits: bool) -> None:
    ignores = [PathIgnore(pattern, frozenset({"N004"}), base)]
    assert ignored("N004", NAMES, ignores) is fits
    assert not ignored("N005", NAMES, ignores)


def test_one_pattern_of_several_is_enough() -> None:
    ignores = [PathIgnore("no", frozenset({"N004"})), PathIgnore("tmp-*", frozenset({"N004"}))]
    assert ignored("N004", NAMES, ignores)


@pytest.mark.parametrize(
    ("layers", "reads"),
    [
        ([], False),
        ([Layer(None, ["S"])], False),
        ([Layer(["A003"])], True),
        ([Layer(["A"])], True),
        ([Layer(["ALL"], ["S"])], False),
        ([Layer(["A"], ["S001"])], False),
        ([Layer(["A003"]), Layer(["N"])], False),
        ([Layer(None, ["S"]), Layer(["A"])], True),
        ([Layer(["A"]), Layer(None, ["secrets"])], False),
        ([Layer(["A"]), Layer(None, ["F"])], True),
    ],
)
def test_secrets_are_read_for_access_where_that_was_chosen_and_they_were_not_ignored(
    layers: list[Layer], reads: bool
) -> None:
    assert reads_secrets(layers) is reads
