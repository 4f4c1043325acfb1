"""Characters that nobody sees, or that turn the direction of text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from memctl.core.checks.places import place
from memctl.core.checks.prompts.folding import BIDI, MARKS, unseen_places
from memctl.core.checks.rule import Finding, Severity

if TYPE_CHECKING:
    import re

# Scripts in which the joiners U+200C and U+200D are letters' own: Arabic to Thaana and N'Ko, the Indic ones, Tibetan,
# Myanmar, Khmer, Mongolian, and their extensions.
_JOINED = ((0x0600, 0x08FF), (0x0900, 0x0FFF), (0x1000, 0x109F), (0x1780, 0x18AF), (0xA840, 0xAAFF), (0x11000, 0x11FFF))
# Letters only: the mark U+061C stands between them.
_RIGHT_TO_LEFT = "\u0590-\u0608\u0620-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_MONGOLIAN = ((0x1800, 0x18AF),)
_HANGUL = ((0x1100, 0x11FF), (0x3130, 0x318F), (0xA960, 0xA97F), (0xAC00, 0xD7FF))
_KHMER = ((0x1780, 0x17FF),)
_HAN = ((0x2E80, 0x2FDF), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
_FLAG = "\U0001f3f4"
_TAG_END = "\U000e007f"
_NAMES = {
    0x00AD: "soft hyphen",
    0x200B: "zero-width space",
    0x200C: "zero-width non-joiner",
    0x200D: "zero-width joiner",
    0x2060: "word joiner",
    0xFEFF: "byte order mark",
    0x2028: "line separator",
    0x2029: "paragraph separator",
    0x180E: "Mongolian vowel separator",
    0x3164: "Hangul filler",
    0x2800: "blank Braille pattern",
}


def unseen(text: str, file: str) -> Iterator[Finding]:
    """Yield each character of a text that nobody sees, once, with its place and how often it stands there."""
    found: dict[str, list[int]] = {}
    tags: list[int] = []
    for match in unseen_places(text):
        character, at = match[0], match.start()
        if "\U000e0000" <= character <= _TAG_END:
            if not _in_flag(text, at):
                tags.append(at)
        elif not _proper(text, at, character):
            found.setdefault(character, []).append(at)
    for character, offsets in found.items():
        yield _finding(text, file, character, offsets)
    if tags:
        line, column = place(text, tags[0])
        hidden = "".join([chr(ord(text[at]) - 0xE0000) for at in tags if 0xE0020 <= ord(text[at]) < 0xE007F])
        message = f"{len(tags):,} tag characters (U+{ord(text[tags[0]]):04X} …) hide a text of {len(hidden):,} letters"
        yield Finding("P006", Severity.WARNING, file, message, f"tags:{hidden}", line, column, 1)


def unseen_name(name: str) -> Iterator[Finding]:
    """Yield the characters that nobody sees in the name of a file."""
    for finding in unseen(name, name):
        message = finding.message.replace("the character", "the file's name has the character")
        yield finding._replace(message=message, line=None, column=None, length=0)


def _finding(text: str, file: str, character: str, offsets: list[int]) -> Finding:
    line, column = place(text, offsets[0])
    code = f"U+{ord(character):04X}"
    times = f", {len(offsets):,} times" if len(offsets) > 1 else ""
    if character in BIDI or character in MARKS:
        from unicodedata import name

        severity = Severity.ERROR if character in BIDI else Severity.WARNING
        message = f"the character {code} ({name(character).lower()}) turns the direction of text{times}"
        return Finding("P005", severity, file, message, code, line, column, 1)
    what = _NAMES.get(ord(character), "")
    message = f"the character {code}{f' ({what})' if what else ''} is invisible{times}"
    return Finding("P006", Severity.WARNING, file, message, code, line, column, 1)


def _is_in(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(character) <= last for first, last in ranges) if character else False


def _proper(text: str, at: int, character: str) -> bool:
    """Return whether an invisible character does at this place what it is for."""
    if character in BIDI:
        return False
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if character in MARKS:
        return _right_to_left().search(_line_around(text, at)) is not None
    if character in "\u200c\u200d":
        if _is_in(before, _JOINED) and (character == "\u200d" or _is_in(after, _JOINED) or not after.isascii()):
            return True
        return character == "\u200d" and _is_emoji(before) and _is_emoji(after)
    if character == "\ufeff":
        return at == 0  # the rule of the byte order mark
    if "\ufe00" <= character <= "\ufe0f":
        # Keycaps are an ASCII digit, the selector, and U+20E3.
        return after == "\u20e3" or _is_emoji(before) or _is_in(before, _HAN) or _is_in(before, _KHMER + _JOINED)
    if "\U000e0100" <= character <= "\U000e01ef":
        return _is_in(before, _HAN)
    if "\u180b" <= character <= "\u180f":
        return _is_in(before, _MONGOLIAN)
    if character in "\u115f\u1160\u3164\uffa0":
        return _is_in(before, _HANGUL) and _is_in(after, _HANGUL)
    return character in "\u17b4\u17b5" and _is_in(before, _KHMER)


def _line_around(text: str, at: int) -> str:
    """Return what stands near an offset on its line."""
    return text[max(0, at - 40) : at].rpartition("\n")[2] + text[at : at + 40].partition("\n")[0]


@cache
def _right_to_left() -> re.Pattern[str]:
    import re

    return re.compile(f"[{_RIGHT_TO_LEFT}]")


@cache
def _is_emoji(character: str) -> bool:
    """Return whether a character is a symbol, a tone of skin, or the selector behind one."""
    from unicodedata import category

    return character != "" and (
        character == "\ufe0f" or (category(character) in ("So", "Sk", "Sm", "Po") and not character.isascii())
    )


def _in_flag(text: str, at: int) -> bool:
    """Return whether a tag character belongs to the flag of a region, such as that of Scotland."""
    start = text.rfind(_FLAG, max(0, at - 8), at)
    end = text.find(_TAG_END, at, at + 8)
    return start >= 0 and end >= 0 and all("\U000e0030" <= one <= _TAG_END for one in text[start + 1 : end])
