"""Signs that a text is of some kind: patterns, each tried only where a word stands without which it cannot match."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re


class Sign(NamedTuple):
    """A pattern over a text in lower case, and pieces of which it needs one.

    What is `general` names no certain thing, and is no sign in a clause with `if` or `until`: that is a rule.
    """

    needs: tuple[str, ...]
    pattern: str
    general: bool = False


_CONDITION = (
    r"\b(?:if|when|whenever|once|after|until|till|unless|before|while|whether|as soon as|every time|each time|where|by the time|in case"
    r"|how|why|what|wenn|sobald|bis|nachdem|falls|quand|dès que|si|cuando|hasta que|quando|finché|fino a quando|als|zodra|если|когда|пока|после)\b"
    r"|如果|一旦|之前|以后|时候|たら|場合"
)


_RECURRING = r"\b(?:each|every|always|usually|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    import re

    return re.compile(pattern, re.M)


def earliest(signs: Sequence[Sign], text: str) -> tuple[int, int] | None:
    """Return where the first of these signs stands in a text, None where there is none."""
    spans = [span for sign in signs if _has_one(sign.needs, text) for span in _first(sign, text)]
    return min(spans, default=None, key=lambda span: (span[0], -span[1]))


def _has_one(needs: Iterable[str], text: str) -> bool:
    return any(need in text for need in needs)


def _first(sign: Sign, text: str) -> Iterable[tuple[int, int]]:
    accepts: Callable[[re.Match[str]], bool] = _is_no_condition if sign.general else bool
    match = next(filter(accepts, _compiled(sign.pattern).finditer(text)), None)
    return [match.span()] if match else []


def _is_no_condition(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 120) : match.start()]
    clause = _compiled(r"[.;:!?](?=\s)|[\n。；！？]").split(before)[-1]
    behind = _compiled(r"[.;:!?\n]").split(match.string[match.end() : match.end() + 40])[0]
    return not (_compiled(_CONDITION).search(clause + match[0]) or _compiled(_RECURRING).search(behind))


def each(signs: Sequence[Sign], text: str) -> list[re.Match[str]]:
    """Return all that these signs find, in order, of two that overlap the first."""
    found = [match for sign in signs if _has_one(sign.needs, text) for match in _compiled(sign.pattern).finditer(text)]
    found.sort(key=lambda match: match.start())
    end = 0
    apart = []
    for match in found:
        if match.start() >= end:
            apart.append(match)
            end = match.end()
    return apart
