"""Stored text made harmless: one field of a line, or what a terminal would obey."""

from __future__ import annotations

_FIELD = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})

# What changes the order or hides text: bidirectional controls, zero-width characters, tags.
_INVISIBLE = (
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    0x061C,
    0x00AD,
    0xFEFF,
    *range(0xFFF9, 0xFFFC),
    *range(0xE0000, 0xE0080),
)


def field(text: str) -> str:
    """Return `text` as one field of a line: backslash, tab and line ends escaped."""
    return text.translate(_FIELD)


def visible(text: str, *, lines: bool = False) -> str:
    """Return `text` for a terminal: control characters as `^[`, invisible ones as `<U+202E>`.

    With `lines` line feeds and tabs stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character, lines) for character in text)


def _shown(character: str, lines: bool) -> str:
    code = ord(character)
    if lines and character in "\n\t":
        return character
    if code < 0x20 or code == 0x7F:
        return f"^{chr(code ^ 0x40)}"
    if 0x80 <= code < 0xA0 or code in _INVISIBLE or 0xD800 <= code < 0xE000 or character in "\u2028\u2029":
        return f"<U+{code:04X}>"
    return character
