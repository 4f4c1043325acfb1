"""Orders in disguise: letters written as digits, backwards, moved by thirteen places, or as codes of characters.

Each way leaves words that no language has, or signs that prose has not. Only a text that has one is read again.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from memctl.core.checks.prompts.folding import Folded

if TYPE_CHECKING:
    import re

_TELLING = ("ignore", "disregard", "forget", "previous", "instructions", "prompt", "system", "rules", "passwords")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_THIRTEEN = str.maketrans(_LETTERS, _LETTERS[13:] + _LETTERS[:13])
_DIGITS = str.maketrans("013457$@", "oieastsa")

_BACKWARDS = frozenset(word[::-1] for word in _TELLING)
_MOVED = frozenset(word.translate(_THIRTEEN) for word in _TELLING)
# What digits leave of such words: 1gn0re, pr3v10us, 1nstruct10ns.
_PIECES = frozenset(
    "gn|gnor|gnore|ign|ignor|sregard|disreg|forg|vious|mpt|nstruct|nstructi|nstructions|truct|tructions".split("|")
)
# Words of ASCII letters of which a text has one that says something backwards, moved, or in digits.
TELLTALES = frozenset(word.encode() for word in _BACKWARDS | _MOVED | _PIECES)


def may_be_encoded(low: bytes) -> bool:
    """Return whether a text, in lower case, may have letters as codes: &#105; or %69 or backslash x69."""
    return (
        (b"%" in low and b"%6" in low)
        or (b"#" in low and b"&#" in low)
        or (b"\\" in low and (b"\\x6" in low or b"\\u00" in low))
    )


@cache
def _codes() -> tuple[re.Pattern[str], re.Pattern[str]]:
    import re

    code = r"&#(\d{2,5});?|&#x([0-9a-f]{2,5});?|%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})"
    return re.compile(code), re.compile(r"[a-z]{2,20}")


def decoded(view: Folded) -> Folded | None:
    """Return a text with its codes as the characters that they mean; None where it has none."""
    out: list[str] = []
    offsets: list[int] = []
    last = 0
    for match in _codes()[0].finditer(view.text):
        number = int(match[1]) if match[1] else int(match[2] or match[3] or match[4] or match[5], 16)
        out += [view.text[last : match.start()], "?" if 0xD800 <= number < 0xE000 else chr(number).lower()[:1]]
        offsets += [*range(last, match.start()), match.start()]
        last = match.end()
    if not last:
        return None
    out.append(view.text[last:])
    offsets += range(last, len(view.text))
    if view.offsets is not None:
        offsets = [view.offsets[at] for at in offsets]
    return Folded("".join(out), offsets)


def undisguised(view: Folded) -> Iterator[Folded]:
    """Yield what a text says when it is read backwards, or with its letters moved, or with its digits as letters."""
    text = view.text
    if any(map(text.__contains__, _BACKWARDS)):
        places = view.offsets or range(len(text))
        yield Folded(text[::-1], [*places][::-1])
        yield view._replace(text=_codes()[1].sub(lambda word: word[0][::-1], text))
    if any(map(text.__contains__, _MOVED)):
        yield view._replace(text=text.translate(_THIRTEEN))
    letters = text.replace("a11", "all").replace("u1e", "ule").translate(_DIGITS)
    if letters != text:
        yield view._replace(text=letters)
