"""Secrets: keys, tokens and passwords, whose values nobody may see."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memctl.core.checks.places import place
from memctl.core.checks.rule import Finding, Fix, FixKind, Severity
from memctl.core.checks.subject import CheckSettings, Item, Subject

# What finds them is loaded where a file has a sign of one.
if TYPE_CHECKING:
    from memctl.core.checks.secrets.detectors import Secret

REDACTED = "[redacted]"

# Letters and what joins the parts of a key as one sign, digits and what stands for them in a password as another, the
# rest as a space. Nearly no prose has a digit behind a letter, and nearly each key, token and URL with a password has.
_SIGNS = bytes(
    ord("a" if one.isalpha() or one in "_/" else "0" if one in "0123456789!@#$%^&+=" else " ")
    for one in map(chr, range(128))
).ljust(256)
_ASCII = bytes(range(128))
# What people make up may have no digit. A form that begins with one letter is found as fast as a word, so that those
# in which the same letter is stand together; `secret_words` has the words whole.
_WORDS = (
    rb"p(?:ass|w|in[ :]|sw|hrase|arol|orka|(?<=mdp))",  # password, pw, pin, psw, phrase, parola, zaporka, mdp
    rb"k(?:ennwort|ata (?:sandi|laluan)|ode|(?<=lozink))",  # adgangskode, lozinka
    rb"w(?:achtwoord|i-?fi|lan|pa)",
    rb"s(?:eed|en[hay]|alasana|lo(?<=[hg]eslo)|zava(?<=jelszava))",  # contrasena, heslo
    rb"mnemonic",
)
# S003 is a guess.
CERTAIN = ("S001", "S002")
_ORDER = {"S001": 0, "S002": 1, "S003": 2}


def check(subject: Subject, settings: CheckSettings) -> Iterator[Finding]:
    """Yield the secrets in all files of a store, the index and what is no memory included."""
    for item in subject.items:
        if item.text and item.data and _may_have(item.data):
            for secret in found(item.text):
                yield _finding(item.name, item.text, secret)


def has_secret(item: Item) -> bool:
    """Return whether a file has a secret, not only what may be one."""
    if not item.text or not item.data or not _may_have(item.data):
        return False
    return any(secret.rule in CERTAIN for secret in found(item.text))


def _may_have(data: bytes) -> bool:
    """Return whether it is worth while to look for secrets in a file: it costs 5 us, and few files have the signs."""
    if b"a0" in data.translate(_SIGNS) or _pattern_of_bytes(rb"A(?:KIA|SIA)").search(data):
        return True
    lower = data.lower()
    if any(_pattern_of_bytes(words).search(lower) for words in _WORDS):
        return True
    if data.isascii():
        return False
    rest = data.translate(None, _ASCII)
    latin, other = _foreign()
    return other.search(rest) is not None or any(
        letters in rest and any(word in lower for word in words) for letters, words in latin.items()
    )


@functools.cache
def _foreign() -> tuple[dict[bytes, list[bytes]], re.Pattern[bytes]]:
    """Return the words of other languages: those with letters of ASCII, by their other ones, and a form of the rest."""
    from memctl.core.checks.secrets.words import FOREIGN

    latin: dict[bytes, list[bytes]] = {}
    other = []
    words = [word for word in FOREIGN if not word.isascii()]
    for way in [way for word in words for way in (word, word.capitalize(), word.upper())]:
        data = way.encode().lower()
        letters = data.translate(None, _ASCII)
        if any(chr(code).isalpha() for code in data if code < 128):
            latin.setdefault(letters, []).append(data)
        else:
            other.append(letters)
    return latin, re.compile(b"|".join(map(re.escape, dict.fromkeys(other))))


@functools.cache
def _pattern_of_bytes(form: bytes) -> re.Pattern[bytes]:
    return re.compile(form)


def found(text: str) -> list[Secret]:
    """Return the secrets in a text in their order; where two overlap, the surer one."""
    from memctl.core.checks.secrets.detectors import known
    from memctl.core.checks.secrets.layouts import in_layout
    from memctl.core.checks.secrets.prose import in_prose, lowered

    lower = lowered(text)
    secrets = [*in_layout(text, lower)]
    if not _is_clean(text, lower):
        secrets += [*known(text, lower), *in_prose(text, lower), *_random_words(text, lower)]
    if not secrets:
        return []
    secrets.sort(key=lambda secret: (_ORDER[secret.rule], secret.start - secret.end))
    return sorted(_apart(secrets), key=lambda secret: secret.start)


def _is_clean(text: str, lower: str) -> bool:
    """Return whether a text has neither a word that can be a key nor a word for a secret."""
    from memctl.core.checks.secrets.prose import has_mark

    return not has_mark(lower) and "auth" not in lower and not _pattern(r"[A-Za-z0-9+/=_.~-]{16}|://|@").search(text)


def _apart(secrets: list[Secret]) -> list[Secret]:
    """Return those that overlap none before them."""
    from bisect import bisect

    starts: list[int] = []
    ends: list[int] = []
    kept = []
    for secret in secrets:
        at = bisect(starts, secret.start)
        if (at and ends[at - 1] > secret.start) or (at < len(starts) and starts[at] < secret.end):
            continue
        starts.insert(at, secret.start)
        ends.insert(at, secret.end)
        kept.append(secret)
    return kept


def spans(text: str) -> list[tuple[int, int]]:
    """Return where the secrets of a text begin and end, in order; none overlaps another."""
    return [(secret.start, secret.end) for secret in found(text)]


def redacted(text: str) -> str:
    """Return `text` with each secret in it as so many asterisks: its length and its lines stay, so that columns do."""
    if not text or not _may_have(text.encode("utf-8", "surrogatepass")):
        return text
    parts: list[str] = []
    at = 0
    for start, end in spans(text):
        parts += text[at:start], _pattern(r"[^\r\n]").sub("*", text[start:end])
        at = end
    return "".join((*parts, text[at:])) if parts else text


def redact_bytes(data: bytes) -> bytes:
    """Return a file's bytes with `[redacted]` for each secret of a form and each that the text gives away.

    No other byte changes, and a memory stays one: a name stays as it is, and a description that would be a list
    becomes `(redacted)`.
    """
    # Bytes that are no UTF-8 pass through as they are.
    text = data.decode("utf-8", "surrogateescape")
    parts: list[str] = []
    at = 0
    for secret in found(text):
        if not _is_mended(secret, text):
            continue
        begins = text[text.rfind("\n", 0, secret.start) + 1 : secret.start]
        lists = begins.startswith("description:") and not begins.removeprefix("description:").strip()
        parts += text[at : secret.start], "(redacted)" if lists else REDACTED
        at = secret.end
    return "".join((*parts, text[at:])).encode("utf-8", "surrogateescape") if parts else data


def _is_mended(secret: Secret, text: str) -> bool:
    """Return whether a secret can be replaced: one that is sure enough, and not what makes the file a memory."""
    begins = text[text.rfind("\n", 0, secret.start) + 1 : secret.start]
    return secret.rule != "S003" and not (text.startswith("---") and begins.startswith(("name:", "type:")))


def _finding(file: str, text: str, secret: Secret) -> Finding:
    line, column = place(text, secret.start)
    size = secret.end - secret.start
    fix = Fix(FixKind.REDACT, file) if _is_mended(secret, text) else None
    count = f"{size:,} characters"
    if secret.rule == "S001":
        severity, message = Severity.ERROR, f"{secret.kind} of {count}: make it invalid, then remove it"
    elif secret.rule == "S002":
        severity, message = (
            Severity.WARNING,
            f"the text gives away {secret.kind} of {count}: say where it is kept instead",
        )
    else:
        severity, message = Severity.WARNING, f"{count} that look random, near {secret.kind}: is it a secret?"
    value = text[secret.start : secret.end]
    return Finding(secret.rule, severity, file, message, value, line, column, size, fix)


# Where a hash stands, it is named; and a random word in a URL or beside `data:` is known to whoever reads it.
_HASHES = (
    r"(?i)commit|\bsha|hash|digest|checksum|md5|revision|\brev\b|\bgit\b|image|etag|trace|build|fingerprint|integrity"
    r"|\bu?u?id|\bids?\b|_id\b|blob|tree|merge|cherry|resolved|lock|@\d|\b[gp]pg\b|recv-key|public|publishable|host key"
)


def _random_words(text: str, lower: str) -> Iterator[Secret]:
    """Yield words that look random and have a word for a secret near them, on their line."""
    from memctl.core.checks.secrets.detectors import Secret
    from memctl.core.checks.secrets.randomness import is_hex, is_random

    if not any(mark in lower for mark in ("pass", "secret", "token", "credential", "key", "auth")):
        return
    words = _pattern(r"(?<![A-Za-z0-9+/_.~@-])[A-Za-z0-9+/_.~-]{20,256}={0,2}(?![A-Za-z0-9+/=_~@-])")
    near = _pattern(
        r"(?i)pass(?:word|phrase|code)|secret|token|credential|(?<![a-z])(?:api)?[ _-]?keys?(?![a-z])|\bauth\b"
    )
    for match in words.finditer(text):
        word = match[0].strip("._-=")
        if not is_random(word, 20):
            continue
        start, end = match.start() + match[0].index(word), match.start() + match[0].index(word) + len(word)
        before = text[max(0, start - 60) : start].rpartition("\n")[2]
        behind = text[end : end + 40].partition("\n")[0]
        # A hash stands in many a sentence about keys: it counts right behind the word.
        name = near.search(before[-20:] if is_hex(word) else before) or (None if is_hex(word) else near.search(behind))
        if name is None or _is_known_place(before, behind):
            continue
        yield Secret("S003", start, end, f"'{name[0].lower().strip()}'")


def _is_known_place(before: str, behind: str) -> bool:
    """Return whether a random word belongs to a URL, a file, an image or a hash."""
    token = re.split(r"[\s\"'`(<]", before)[-1]
    return (
        "://" in token
        or token.endswith(("/", ":", "data:", "base64,"))
        or _pattern(r"\$[a-z0-9-]{1,16}\$").match(token) is not None  # a hash of a password
        or _pattern(_HASHES).search(before[-40:]) is not None
        or _pattern(r"[ \t]{1,2}(?:dist/|\S{1,80}\.(?:tar|gz|zip|whl))").match(behind) is not None
    )


@functools.cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form)
