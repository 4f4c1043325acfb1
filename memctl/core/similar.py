"""Duplicates and near duplicates among texts of any script, without comparing each with each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

# Of each text the smallest hashes of its shingles: two that share most shingles share one of these, all but surely.
_SKETCH = 12
# A shingle that this many texts have is a turn of phrase, and leads to nothing.
_COMMON = 64
# With how many others a text is compared, those first with which it shares most.
_COMPARED = 24


class Near(NamedTuple):
    """Two texts by their positions, and how alike they are, from 0 to 1."""

    first: int
    second: int
    ratio: float


def normal(text: str) -> str:
    """Return a text with one spelling of each character: macOS writes `é` as two, an input method `Ａ` for `A`."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFKC", text)


def plain(text: str) -> str:
    """Return a text without what makes no other statement: case, white space, and how a character is coded."""
    return " ".join(normal(text).casefold().split())


def words_of(text: str) -> list[str]:
    """Return the words of a text, case folded, in their order: of scripts without blanks each character is one."""
    return _word_pattern().findall(normal(text).casefold())


@cache
def _word_pattern() -> re.Pattern[str]:
    import re

    # Han, kana, Hangul, Thai, Lao, Khmer, Myanmar: what stands without blanks, or is too short to be told apart by words.
    alone = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
    return re.compile(rf"[{alone}]|[^\W_{alone}]+")


def sketch(words: Sequence[str]) -> tuple[int, ...]:
    """Return a few numbers of which two texts that are nearly the same share some; the same on every machine."""
    from zlib import crc32

    total = len(words)
    hashes: set[int] = set()
    # Texts on both sides of a bound must have shingles of one size in common.
    for size, least, most in ((1, 1, 4), (2, 3, 15), (3, 12, total)):
        if least <= total <= most:
            hashes.update(
                crc32("\0".join(words[at : at + size]).encode("utf-8", "surrogatepass"))
                for at in range(total - size + 1)
            )
    return tuple(sorted(hashes)[:_SKETCH])


def same(texts: Iterable[str]) -> list[list[int]]:
    """Return the groups of at least two texts that say the same, case and white space ignored; empty ones never do."""
    groups: dict[str, list[int]] = {}
    for at, text in enumerate(texts):
        if key := plain(text):
            groups.setdefault(key, []).append(at)
    return [group for group in groups.values() if len(group) > 1]


def near(texts: Sequence[str], ratio: float, sketches: Sequence[tuple[int, ...]] | None = None) -> list[Near]:
    """Return the pairs of texts that are at least `ratio` alike and do not say the same, in order.

    Punctuation does not count: of two sentences that differ by a comma the ratio is 1. A text is compared with those
    that share rare shingles with it, so that the cost grows with the number of texts, not with its square.
    """
    if sketches is None:
        sketches = [sketch(words_of(text)) for text in texts]
    candidates = _candidates(sketches)
    if not candidates:
        return []
    from rapidfuzz.distance import Indel

    bare: dict[int, str] = {}
    for at in {at for pair in candidates for at in pair}:
        bare[at] = "".join(words_of(texts[at]))
    found = []
    for first, second in candidates:
        alike = Indel.normalized_similarity(bare[first], bare[second], score_cutoff=ratio)
        if alike >= ratio and bare[first] and plain(texts[first]) != plain(texts[second]):
            found.append(Near(first, second, alike))
    return found


def _candidates(sketches: Sequence[tuple[int, ...]]) -> list[tuple[int, int]]:
    """Return the pairs that share a number of their sketches which few have."""
    holders: dict[int, list[int]] = {}
    for at, numbers in enumerate(sketches):
        for number in numbers:
            holders.setdefault(number, []).append(at)
    pairs: set[tuple[int, int]] = set()
    for at, numbers in enumerate(sketches):
        shared: dict[int, int] = {}
        for number in numbers:
            others = holders[number]
            if len(others) < 2:
                continue
            for other in others[:_COMMON]:
                if other < at:
                    shared[other] = shared.get(other, 0) + 1
        best = sorted(shared, key=lambda other: (-shared[other], other))[:_COMPARED]
        pairs.update((other, at) for other in best)
    return sorted(pairs)
