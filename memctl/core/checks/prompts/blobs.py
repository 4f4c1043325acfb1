"""Long runs of base64 or hexadecimal digits, which nobody reads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from memctl.core.checks.places import Places
from memctl.core.checks.rule import Finding, Severity

if TYPE_CHECKING:
    import re

# From this length on a run is decoded, to see whether it says something; of other runs, from `_LONG` on, nobody can
# know. Hashes have up to 128 hexadecimal digits, or 88 of base64.
_SHORTEST = 32
_LONG = 120
_WORD = 64  # no word of prose is so long
# Each ASCII character as one sign, but for blanks: to look for a run of them costs next to nothing.
_RUNS = bytes(32 if code in b" \n" or code > 127 else 120 for code in range(256))
_STRETCH = b"x" * _WORD
_HASHES = frozenset((32, 40, 56, 64, 96, 128))
_POINT = 130
_VARIED = 4  # different digits
# The share of neighbours that are of two kinds (capital, small, digit): about 0.6 in random digits, few in words.
_CHANGES = 0.3
# What stands before a run that has a name of its own: the public half of a key, the body of a PEM block, a part of a
# token, a URL.
_KNOWN = ("ssh-rsa ", "ssh-dss ", "nistp256 ", "nistp384 ", "nistp521 ", "ssh-ed25519 ")
_BLOCK = 16_384  # characters of a PEM block, at most
_WRAPPED = range(60, 81)  # digits on a line of base64 that is wrapped


def has_long_word(data: bytes) -> bool:
    """Return whether a file has a word of at least 64 characters, all of them ASCII as the digits of a blob are."""
    return _STRETCH in data.translate(_RUNS)


def blobs(text: str, file: str) -> Iterator[Finding]:
    """Yield the runs of base64 or hexadecimal digits in a text, each once, wrapped lines as one."""
    done = -1
    place = Places(text)
    seen: set[str] = set()
    for match in _run().finditer(text):
        start, run = match.start(), match[0]
        if start < done:
            continue
        if len(run) in _WRAPPED:
            run = _joined(text, start, match.end())
            done = start + len(run)
        digits = run.replace("\r", "").replace("\n", "")
        if digits in seen or _has_name(text, start, match.end()):
            continue
        seen.add(digits)
        if message := _message(digits):
            length = min(len(run), len(match[0]))
            yield Finding("P008", Severity.WARNING, file, message, digits, *place(start), length)


@cache
def _run() -> re.Pattern[str]:
    import re

    return re.compile(rf"(?:0x|\\x)?[A-Za-z0-9+/_-]{{{_SHORTEST},}}={{0,2}}")


def _joined(text: str, start: int, end: int) -> str:
    """Return a run with the lines below it that go on with it: the last may be shorter."""
    width = end - start
    at = end
    while text[at : at + 1] in ("\n", "\r"):
        line_start = at + 2 if text[at : at + 2] == "\r\n" else at + 1
        line_end = text.find("\n", line_start)
        line = text[line_start : len(text) if line_end < 0 else line_end].removesuffix("\r")
        if not line or len(line) > width or not set(line) <= _DIGITS or (len(line) < 4):
            break
        at = line_start + len(line)
        if len(line) < width:
            break
    return text[start:at]


_DIGITS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-")


def _has_name(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 200) : start]
    if before.endswith(_KNOWN) or (text.startswith("AAAA", start) and before.rstrip().endswith("ssh")):
        return True
    token = before[max(before.rfind(" "), before.rfind("\n"), before.rfind("("), before.rfind('"')) + 1 :]
    if "://" in token or token.endswith((".", "@")) or (text.startswith("eyJ", start) and text[end : end + 1] == "."):
        return True  # the path of a URL, and the parts of a signed token
    block = text.rfind("-----BEGIN ", max(0, start - _BLOCK), start)
    return block >= 0 and text.find("-----END ", block, start) < 0


def _message(digits: str) -> str:
    """Return what a run of digits is, '' where it is a word, a path, a hash, an identifier."""
    bare = digits.removeprefix("0x").removeprefix("\\x").rstrip("=")
    count = f"{len(digits):,}"
    if all(digit in "0123456789abcdefABCDEF" for digit in bare):
        if bare.isdigit():
            return ""
        if len(bare) % 2 == 0 and _says_something(bytes.fromhex(bare)):
            return f"{count} hexadecimal digits that are text when decoded"
        # A point on a curve, the public half of a key, begins with 04; a row of one digit is no blob.
        known = len(bare) in _HASHES or (len(bare) == _POINT and bare.startswith("04")) or len(set(bare)) < _VARIED
        return "" if known or len(bare) < _LONG else f"{count} hexadecimal digits"
    if not _is_mixed(bare):
        return ""
    data = _decoded(bare)
    if data is not None and _says_something(data):
        return f"{count} characters of base64 that are text when decoded"
    return f"{count} characters of base64" if len(bare) >= _LONG else ""


def _decoded(bare: str) -> bytes | None:
    from base64 import b64decode

    if len(bare) % 4 == 1:
        return None
    text = bare.replace("-", "+").replace("_", "/")
    return b64decode(text + "=" * (-len(text) % 4))


def _says_something(data: bytes) -> bool:
    """Return whether bytes are text: UTF-8 or UTF-16 with nothing in it that no text has, and blanks between its words."""
    if data[1::2].count(0) * 3 > len(data):
        data = data[::2]
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    return all(letter.isprintable() or letter in "\t\r\n" for letter in text)


def _is_mixed(bare: str) -> bool:
    """Return whether capitals, small letters and digits follow each other as in no word."""
    kinds = [0 if letter.islower() else 1 if letter.isupper() else 2 for letter in bare]
    changes = sum(one != other for one, other in pairwise(kinds))
    return changes >= _CHANGES * len(bare) and 0 in kinds and 1 in kinds
