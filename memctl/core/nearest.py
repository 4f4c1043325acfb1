"""Did-you-mean: which of the known words a wrong word probably stands for."""

from __future__ import annotations

from collections.abc import Iterable

_MIN_PREFIX = 3
_MAX_EDITS = 4


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that was probably meant, or None when none is near.

    Case does not count. Near is one edit (a swap of two neighbours is one) for each three characters, at least
    one and at most four, or a candidate that begins with the word. The first of equally near ones is returned.
    """
    from rapidfuzz.distance import OSA, JaroWinkler

    wanted = word.casefold()
    best: tuple[int, float] | None = None
    found = None
    for candidate in candidates:
        given = candidate.casefold()
        edits = OSA.distance(wanted, given)
        if not _is_near(wanted, given, edits):
            continue
        rank = (edits, -JaroWinkler.similarity(wanted, given))
        if best is None or rank < best:
            best, found = rank, candidate
    return found


def _is_near(wanted: str, given: str, edits: int) -> bool:
    longer = max(len(wanted), len(given))
    # Fewer edits than characters: else each word of one letter would be near to each other one.
    if edits <= max(1, min(_MAX_EDITS, longer // 3)) and edits < longer:
        return True
    return edits == 0 or (len(wanted) >= _MIN_PREFIX and given.startswith(wanted))
