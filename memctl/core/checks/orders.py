"""Orders to the model: text that tells it to drop its instructions, to hide things, or to give data away."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.core.checks.phrases import COMMAND, PHRASES

if TYPE_CHECKING:
    import re

# What is looked for where there is a character that plain prose has not: `curl … | sh`, `~/.ssh`, an address of mail.
_DOING = (
    "curl", "wget", "rm -", "send", "upload", "post", "leak", "mail", "exfil", "forward", "transmit", "publish", "cat ",
    "read ", "open ", "scp ", "submit",
)  # fmt: skip
# The same in other languages: words in other scripts, and the ASCII letters of words in the Latin one.
_FOREIGN = (
    "指令", "指示", "命令", "说明", "說明", "規則", "规则", "提示", "ルール", "プロンプト", "инструкц", "указани", "правил", "команд",
    "інструкц", "вказівк", "지시", "명령", "지침", "프롬프트", "규칙", "التعليمات", "الأوامر", "निर्देश", "ướẫ",
)  # fmt: skip
_FIRST = frozenset(word[0] for word in _FOREIGN)
_LATIN = frozenset(map(chr, range(0xC0, 0x250)))
_ACCENTED = ("anweisung", "consignes", "rdenes", "talimat")
_LINE = 240  # characters before a command that tell an order from a note


class Order(NamedTuple):
    """An order in a text: what it is about, and where it stands, from `start` to `end`."""

    category: str
    start: int
    end: int


def may_order(low: str) -> bool:
    """Return whether a text, in lower case, has a word without which no order in plain prose is.

    Each memory of a fleet is searched for these, so they are few; one after the other is faster than a loop.
    """
    return (
        "ignor" in low
        or "disregard" in low
        or "instru" in low
        or "prompt" in low
        or "forget" in low
        or "overrid" in low
        or "you are now" in low
        or "now on" in low
        or "the user" in low
        or "pretend" in low
        or "act as" in low
        or "send " in low
    )


def may_order_signed(low: str) -> bool:
    """Return whether a text with signs that prose has not, such as `~` or `|`, may have an order."""
    return any(map(low.__contains__, _DOING))


def may_order_foreign(odd: str, low: str) -> bool:
    """Return whether a text may have an order in another language; `odd` are its characters that are not ASCII."""
    if not _FIRST.isdisjoint(odd) and any(map(odd.__contains__, _FOREIGN)):
        return True
    return not _LATIN.isdisjoint(odd) and any(map(low.__contains__, _ACCENTED))


class _Patterns(NamedTuple):
    """The beginnings of all phrases, and what stands before or after an order."""

    beginnings: re.Pattern[str]
    negated: re.Pattern[str]
    ordered_before: re.Pattern[str]
    ordered_after: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    import re

    beginnings = sorted({word for _, words, _ in PHRASES for word in words.split("|")}, key=len, reverse=True)
    ever = "always|every|each|before|first|silently|secretly|quietly|immediately|whenever|must"
    return _Patterns(
        re.compile(f"(?<![a-z])(?:{'|'.join(map(re.escape, beginnings))})"),
        # `Never ignore previous instructions` is what one wants.
        re.compile(
            r"(?:\bnever|\bnot|n't|\bcannot|\bno need to|\bavoid|\brefuse to|\bwithout)\s{1,4}(?:\w{1,12}\s{1,4})?\Z"
        ),
        # An order, not a note on how to install something: at the start of a line, or with a word of when.
        re.compile(
            rf"(?:\A|[:.;!]|\) )[\s*_>`#-]{{0,8}}(?:please |now |then )?(?:run|execute|do)\b[^|.]{{0,40}}\Z|\b(?:{ever}|now)\b"
        ),
        re.compile(rf"\b(?:{ever})\b"),
    )


@cache
def _phrases(beginning: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the phrases that may begin with a word, with their categories; to compile all takes as long as a command.

    The longest beginning is found; what begins with a part of it is looked for there as well.
    """
    import re

    return tuple(
        (category, re.compile(rest, re.M))
        for category, words, rest in PHRASES
        if beginning.startswith(tuple(words.split("|")))
    )


def orders(folded: str) -> Iterator[Order]:
    """Yield the orders in a text, which is in lower case and as it looks; of two that overlap the first."""
    patterns = _patterns()
    last = 0
    for beginning in patterns.beginnings.finditer(folded):
        start = beginning.start()
        if start < last:
            continue
        for category, pattern in _phrases(beginning[0]):
            match = pattern.match(folded, start)
            if match and _is_order(category, folded, start, match.end(), patterns):
                last = match.end()
                yield Order(category, start, last)
                break


def _is_order(category: str, folded: str, start: int, end: int, patterns: _Patterns) -> bool:
    before = folded[max(0, start - _LINE) : start].rpartition("\n")[2]
    if patterns.negated.search(before[-40:]):
        return False
    if category != COMMAND:
        return True
    after = folded[end : end + 80].partition("\n")[0]
    return patterns.ordered_before.search(before) is not None or patterns.ordered_after.search(after) is not None
