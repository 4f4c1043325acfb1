"""Where something stands in a text: lines and columns that count from 1, columns in characters."""

from __future__ import annotations


def place(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column of an offset; lines end with LF, as editors and GitHub count them."""
    begin = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, begin) + 1, offset - begin + 1


class Places:
    """The places in one text, for a rule that may ask for thousands: the line ends are looked for once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._begins: list[int] = []

    def __call__(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of an offset, as place() does."""
        from bisect import bisect_right

        if not self._begins:
            at = 0
            self._begins.append(0)
            while at := self._text.find("\n", at) + 1:
                self._begins.append(at)
        line = bisect_right(self._begins, offset)
        return line, offset - self._begins[line - 1] + 1


def line_at(text: str, line: int) -> str:
    """Return a line by its number, without its end; '' where there is none."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
        if not start:
            return ""
    end = text.find("\n", start)
    return (text[start:] if end < 0 else text[start:end]).removesuffix("\r")
