"""The units of the HQ: UTF-16 lengths and cuts, its trim set, its sort order, its bytes."""

from __future__ import annotations

# What JavaScript's trim() removes and `\s` matches (spec/hq.md 1). Python's own set differs in both directions.
WHITESPACE = "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"


def trim(text: str) -> str:
    """Return `text` without the white space of JavaScript at both ends (spec/hq.md 1)."""
    return text.strip(WHITESPACE)


def length(text: str) -> int:
    """Return the length of `text` in UTF-16 code units."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, units: int) -> str:
    """Return the first `units` UTF-16 code units of `text`; half of a pair at the cut stays as a lone surrogate."""
    if length(text) <= units:
        return text
    if text.isascii():
        return text[:units]
    return text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "surrogatepass")


def sort_key(text: str) -> bytes:
    """Return a key that sorts as JavaScript does: by UTF-16 code units (spec/hq.md 3)."""
    return text.encode("utf-16-be", "surrogatepass")


def in_order(names: list[str]) -> list[str]:
    """Return `names` sorted as JavaScript sorts them."""
    if all(map(str.isascii, names)):
        return sorted(names)
    return sorted(names, key=sort_key)


def decode(data: bytes) -> str:
    """Return the text of a file as the HQ reads it: UTF-8, bad bytes as U+FFFD, a BOM kept. Never fails."""
    return data.decode("utf-8", "replace")


def encode(text: str) -> bytes:
    """Return the bytes that the HQ writes: UTF-8, each lone surrogate as U+FFFD (spec/hq.md 1)."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        # Through UTF-16, so that two halves that meet are one character, as they are in a JavaScript string.
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode("utf-8")
