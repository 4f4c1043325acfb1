"""Which words look random: made by a generator of keys, not by a person; and which only stand for a value."""

from __future__ import annotations

import functools
import re
from itertools import pairwise

_VOWELS = frozenset("aeiouyAEIOUY")

# Shapes that are random and no secret, or have digits and are not random.
_HARMLESS = re.compile(
    r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"  # a UUID
    r"|\d{4}-\d\d-\d\d.*|\d\d?[:.]\d\d.*|[vV]?\d{1,5}(?:\.\d{1,9})+[\w.+-]{0,64}|[\d.,:/_+-]+"  # dates, versions, numbers
    r"|(?:[0-9a-fA-F]{0,4}:){3,7}[0-9a-fA-F]{0,4}(?:/\d+)?"  # addresses of networks
    r"|\d{1,6}[a-z]{1,6}(?:[/:-]\d{1,6}[a-z]{1,6})*"  # amounts
    r"|01[0-9A-HJKMNP-TV-Z]{24}"  # a ULID
    r"|AAAA[BCE][0-9A-Za-z+/=]+"  # a public key of SSH
    r"|(?i:sha)(?:1|256|384|512)[-:].*",
    re.DOTALL,
)

# What stands where a value would stand.
_STAND_IN = re.compile(
    r"(?i)[<{\[(%].*|.*[>}]|\$(?!(?=\w*[A-Z])[A-Za-z]*[a-zA-Z][013457][a-z]).*|[x*•.?_#-]+|.*\*{3}.*|.*x{4}.*|.*(?:example|placeholder|redacted|changeme|\.\.\.|…).*"
    r"|(?:your|my|the|some|insert|enter|dummy|fake|sample)[_-].*"
    r"|(?:os|process|env|config|settings|self|this|secrets|vars|var|data|local|module)\.[a-z_].*|\w+(?:\.\w+)*[(\[].*"
    r"|&(?:#|lt;|gt;|quot;).*|!(?:ref|sub|vault|secret|env).*",
    re.DOTALL,
)


@functools.cache
def _parts() -> re.Pattern[str]:
    return re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def is_stand_in(word: str) -> bool:
    """Return whether a word only says that a value stands here: `<token>`, `$TOKEN`, `xxxx`, `process.env.TOKEN`."""
    return _STAND_IN.fullmatch(word) is not None


def is_harmless(word: str) -> bool:
    """Return whether a word has the form of something that is no secret: a UUID, a date, a version, an address."""
    return _HARMLESS.fullmatch(word) is not None or _counts(word)


def _counts(word: str) -> bool:
    """Return whether a word is bytes that count up or down, as the keys of test vectors do."""
    if len(word) < 16 or len(word) % 2 or not is_hex(word):
        return False
    return len({(two - one) % 256 for one, two in pairwise(bytes.fromhex(word))}) == 1


def is_word(part: str) -> bool:
    """Return whether letters can be spoken: they have vowels, and few consonants in a row."""
    vowels = sum(letter in _VOWELS for letter in part)
    if not 0.2 <= vowels / len(part) <= 0.75:
        return False
    # "Postgres" has four of them; an abbreviation with so many is none of a name's words.
    most = 3 if part.isupper() else 4
    run = 0
    for letter in part:
        run = 0 if letter in _VOWELS else run + 1
        if run > most:
            return False
    return True


def _spoken(word: str) -> int:
    """Return how many characters of a word belong to parts of four letters or more that can be spoken."""
    return sum(len(part) for part in _parts().findall(word) if len(part) > 3 and is_word(part))


def _changes(word: str) -> int:
    """Return how often digits follow letters, or letters digits."""
    return sum(one.isdigit() != two.isdigit() for one, two in pairwise(word))


def _segment_is_random(word: str) -> bool:
    """Return whether letters and digits without anything between them look random."""
    digits = sum(letter.isdigit() for letter in word)
    letters = len(word) - digits
    if len(set(word)) < 6 or not letters or digits > len(word) * 0.85:
        return False
    spoken = _spoken(word) / len(word)
    if not digits:
        # A name of many words has longer ones.
        parts = _parts().findall(word)
        return not word.islower() and len(word) >= 16 and spoken < 0.4 and len(word) < 2.7 * len(parts)
    if len(word) < 16:
        return spoken < 0.35
    return spoken < 0.5 or _changes(word) >= len(word) // 4


@functools.cache
def _separators() -> re.Pattern[str]:
    return re.compile(r"[^A-Za-z0-9]+")


def is_random(word: str, least: int = 16) -> bool:
    """Return whether a word of at least `least` characters looks random; a name, a path, a slug or a date does not."""
    if len(word) < least or not word.isascii() or is_harmless(word) or is_stand_in(word):
        return False
    segments = [segment for segment in _separators().split(word) if segment]
    longest = max(segments, key=len, default="")
    if len(longest) >= 12 and _segment_is_random(longest):
        # A path or a file's name may end in a hash; a key is random nearly as a whole.
        return len(longest) * 2 >= len(word) or not _has_words(segments)
    joined = "".join(segments)
    return len(segments) > 1 and not joined.isalpha() and not _has_words(segments) and _segment_is_random(joined)


def _has_words(segments: list[str]) -> bool:
    return any(len(segment) > 2 and segment.isalpha() and _spoken(segment) == len(segment) for segment in segments)


def is_hex(word: str) -> bool:
    """Return whether a word is hexadecimal digits alone, as a hash is."""
    return not word.lower().strip("0123456789abcdef")
