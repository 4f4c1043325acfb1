"""Where two texts that are alike differ: in values only, so that they are no duplicates but give different answers."""

from __future__ import annotations

from typing import NamedTuple

from memctl.core.checks.hygiene.rivals import RUNS, rivals
from memctl.core.similar import normal, words_of

AROUND = ".,;:!?()*_`\"'"
# More values than this, and the texts are about different things.
_MOST = 2
# So many words may stand for one: New York, 3 March 2026.
_WIDE = 3
_RUN = 12
_NUMERALS = frozenset("〇零一二三四五六七八九十百千万两")
_OPPOSED_RUNS = frozenset(RUNS)
_ENDS = ".!?:;"


# What is done with many things: who uses one product, knows one town or speaks one language may do so with another.
_OPEN = frozenset(
    "uses use using likes like loves enjoys wants needs visited owns has have met reads plays includes contains supports"
    " buys eats drinks follows watches collects mag nutzt".split()
)
_OPEN_EVEN_TO_RIVALS = frozenset("knows know speaks speak visited exist exists available learns studies and or".split())
_SMALL = frozenset("in the to a an on at of is".split())
_ONE_OF_MANY = frozenset("one another some also sometimes".split())
# Two of these, and a text is German, whose nouns are all written with a capital.
_GERMAN = frozenset("der die das und ist ein eine im am für mit den dem wird nicht kommt".split())


class Difference(NamedTuple):
    """The first value in which two texts differ, and where it stands in each; -1 where that cannot be told."""

    one: str
    other: str
    at_one: int
    at_other: int


def difference(one: str, other: str) -> Difference | None:
    """Return in what two texts differ if that is nothing but values: numbers, names, opposites; else None."""
    ones, others = one.split(), other.split()
    if len(ones) >= 3 and len(others) >= 3 and (found := _by_words(one, other, ones, others)):
        return found
    return None if one.isascii() or other.isascii() else _by_run(one, other)


def may_both_hold(text: str, found: Difference) -> bool:
    """Return whether a text and its like may be true side by side, although they name different things."""
    words = words_of(text)
    before = [word for word in words_of(text[: max(0, found.at_one)])[-4:] if word not in _SMALL][-1:]
    if not _ONE_OF_MANY.isdisjoint(words[:2]) or not _OPEN_EVEN_TO_RIVALS.isdisjoint(before):
        return True
    one, other = found.one, found.other
    if any(letter.isdigit() for letter in one + other) or rivals(_bare(one), _bare(other)):
        return False
    return not _OPEN.isdisjoint(before) or sum(word in _GERMAN for word in words) > 1


def _by_words(one: str, other: str, ones: list[str], others: list[str]) -> Difference | None:
    if len(ones) != len(others):
        return _by_phrase(one, other, ones, others)
    places = [at for at, (first, second) in enumerate(zip(ones, others, strict=True)) if first != second]
    places = [at for at in places if _bare(ones[at]) != _bare(others[at])]
    if not 0 < len(places) <= _MOST:
        return None
    if not all(_are_values(ones[at], others[at], _begins(ones, at)) for at in places):
        return None
    at = places[0]
    return Difference(ones[at], others[at], _offset(one, at), _offset(other, at))


def _by_phrase(one: str, other: str, ones: list[str], others: list[str]) -> Difference | None:
    """Return the names of several words in which two texts differ: New York, Berlin."""
    if abs(len(ones) - len(others)) >= _WIDE:
        return None
    least = min(len(ones), len(others))
    start = 0
    while start < least and _bare(ones[start]) == _bare(others[start]):
        start += 1
    end = 0
    while end < least - start and _bare(ones[-1 - end]) == _bare(others[-1 - end]):
        end += 1
    first, second = ones[start : len(ones) - end], others[start : len(others) - end]
    if not (0 < len(first) <= _WIDE and 0 < len(second) <= _WIDE) or _begins(ones, start):
        return None
    if not all(_is_name(word) for word in first + second):
        return None
    return Difference(" ".join(first), " ".join(second), _offset(one, start), _offset(other, start))


def _bare(word: str) -> str:
    return normal(word).strip(AROUND).casefold()


def _begins(words: list[str], at: int) -> bool:
    """Return whether a sentence begins at a word: its capital says nothing there."""
    return at == 0 or words[at - 1][-1] in _ENDS or not any(letter.isalnum() for letter in words[at - 1])


def _is_name(word: str) -> bool:
    bare = word.strip(AROUND)
    return bare[:1].isupper() or any(letter.isdigit() for letter in bare)


def _are_values(one: str, other: str, begins: bool) -> bool:
    first, second = one.strip(AROUND), other.strip(AROUND)
    if rivals(first.casefold(), second.casefold()):
        return True
    numbers = any(letter.isdigit() for letter in first) and any(letter.isdigit() for letter in second)
    return numbers or (not begins and first[:1].isupper() and second[:1].isupper())


def _offset(text: str, at: int) -> int:
    """Return where the word with this number begins."""
    rest = text.split(None, at)[-1] if at else text.lstrip()
    return len(text.rstrip()) - len(rest.rstrip())


def _by_run(one: str, other: str) -> Difference | None:
    """Return the run of characters in which two texts differ, for scripts without blanks."""
    first, second = normal(one).strip(), normal(other).strip()
    least = min(len(first), len(second))
    start = 0
    while start < least and first[start] == second[start]:
        start += 1
    end = 0
    while end < least - start and first[-1 - end] == second[-1 - end]:
        end += 1
    # A number, or a word of ASCII in a text without blanks, is a value as a whole.
    while start and _joins(first[start - 1]):
        start -= 1
    while end and _joins(first[-end]):
        end -= 1
    ones, others = first[start : len(first) - end], second[start : len(second) - end]
    if not (0 < len(ones) <= _RUN and 0 < len(others) <= _RUN):
        return None
    before, behind = first[max(0, start - 2) : start], first[len(first) - end :][:2]
    if not _are_runs(ones, others, before, behind):
        return None
    return Difference(ones, others, _place(one, start), _place(other, start))


def _place(text: str, at: int) -> int:
    """Return where in a text a character of its normal form stands; -1 where the two are not alike."""
    return at + len(text) - len(text.lstrip()) if normal(text) == text else -1


def _joins(letter: str) -> bool:
    return letter.isascii() and letter.isalnum()


def _are_runs(one: str, other: str, before: str, behind: str) -> bool:
    if before.endswith(("星期", "礼拜", "周", "週")) and len(one) == len(other) == 1:
        return True
    if behind.startswith(("曜", "요일")) and len(one) == len(other) == 1:
        return True
    if (one.isascii() and other.isascii()) and _are_values(one, other, begins=not before):
        return True
    if _NUMERALS.issuperset(one) and _NUMERALS.issuperset(other):
        return True
    return (one, other) in _OPPOSED_RUNS or (other, one) in _OPPOSED_RUNS
