"""Secrets that a sentence or a setting gives away: "the password for X is …", "API key: …", "pw = …"."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from memctl.core.checks.secrets.detectors import Secret
from memctl.core.checks.secrets.passwords import is_number, is_password, is_striking, is_token, is_weak
from memctl.core.checks.secrets.randomness import is_random, is_stand_in
from memctl.core.checks.secrets.words import ABOUT, COMMON, LINKS, PART, PASSWORDS, PUBLIC, SHORT, SHORT_TOKENS, TOKENS

# A key behind one of these is known to everybody, or names data.
_OPEN_KEYS = tuple(
    f"{word}{sign}"
    for word in (
        "cache document file foreign host idempotency map object partition primary public publishable sheet sort".split()
    )
    for sign in " _-"
)
# A key with one of these before it is no part of a longer word.
_BEFORE_KEY = (
    "api", "access", "secret", "auth", "client", "signing", "encryption", "account", "private", "master", "root",
    "deploy", "webhook", "shared", "session",
)  # fmt: skip
# What stands between the word and the value: signs; that it became something; and words for `is`.
_LINK = (
    r"[ \t\"'`)\]*_]{0,4}(?::=|=>|->|→|={1,3}|[:：＝])|[ \t][-–—](?=[ \t])|(?<=[ \t])(?:"
    r"(?:(?:has|have|had)[ \t])?(?:(?:been|is|was|were|got)[ \t])?(?:(?:now|just)[ \t])?(?:changed|set|reset|updated|rotated)"
    r"[ \t]to:?"
    r"|(?:changée?|modifiée?|cambi[oó]|cambiad[ao]|cambiat[ao]|alterad[ao]|mudad[ao])[ \t](?:en|in|à|a|para|por)"
    r"|(?:изменён|изменен|сменили|поменяли)[ \t]на"
    r"|is|are|was|equals|reads|lautet|ist|es|est|é|è|sono|jest|är|er|este|είναι|adalah|là|это|равен|היא|הוא|هي|هو"
    r")(?=[ \t\r\n])|是|为|為|改成|は|이다|(?<=호)[는가](?=[ \t])|คือ"
)
_MADE_UP = frozenset((*PASSWORDS, *SHORT))
_MARKS = (*dict.fromkeys((*PASSWORDS, *SHORT, *TOKENS, *SHORT_TOKENS)),)
# Most texts are ASCII: half of the words cannot be in them.
_ASCII_MARKS = tuple(mark for mark in _MARKS if mark.isascii())

# So far behind its word a value stands at most, and so many links may stand between the two.
_REACH = 160
_LINKS = 4
# So many words for secrets are looked at: no person writes more, and 10 MB of them would take a minute.
_WORDS_MAX = 20_000


@functools.cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form)


def lowered(text: str) -> str:
    """Return a text in lower case, each character where it was: a few become two in lower case, and stay."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(low if len(low := one.lower()) == 1 else one for one in text)


def has_mark(lower: str) -> bool:
    """Return whether a text in lower case has a word for a secret."""
    return any(mark in lower for mark in _marks(lower))


def _marks(lower: str) -> tuple[str, ...]:
    return _ASCII_MARKS if lower.isascii() else _MARKS


class _Word(NamedTuple):
    """A word for a secret: where it stands, and whether a person makes up what it names."""

    start: int
    end: int
    text: str
    password: bool

    @property
    def kind(self) -> str:
        if not self.password:
            return "a key or token"
        return "a PIN" if self.text == "pin" else "a password"


@functools.cache
def _link(word: str) -> re.Pattern[str]:
    """Return how a text says that the value of a word follows: in each language, and in that of the word."""
    own = rf"|(?<=[ \t])(?:{LINKS[word]})(?=[ \t\r\n])" if word in LINKS else ""
    return re.compile(f"(?i){_LINK}{own}")


def in_prose(text: str, lower: str) -> Iterator[Secret]:
    """Yield the secrets that a text gives away by saying what they are; they may overlap, also with those of a form.

    `lower` is the text as `lowered` returns it.
    """
    worth = _pattern(r"\d|[\"'`«„“]|-[a-z]|[A-Za-z][!@#$%^&+][A-Za-z!@#$%^&+]|[a-z][A-Z]")
    for word in islice(_words(lower), _WORDS_MAX):
        end = min(len(text), word.end + _REACH)
        if word.password or worth.search(text, word.end, end) is not None:
            yield from _behind(text, word, end)
        if worth.search(text, max(0, word.start - 80), word.start) is not None:
            yield from _before(text, word)


def _words(lower: str) -> Iterator[_Word]:
    """Yield the words for secrets; to look for each in turn is ten times as fast as an expression of them all."""
    for mark in _marks(lower):
        at = lower.find(mark)
        while at >= 0:
            end = at + len(mark)
            if lower.endswith(_OPEN_KEYS if mark == "key" else ("public key ", "publickey"), max(0, at - 16), at):
                pass
            elif (mark not in SHORT and mark not in SHORT_TOKENS) or _stands_alone(lower, at, end):
                yield _Word(at, end, mark, mark in _MADE_UP or _is_of_wifi(lower, at, end))
            at = lower.find(mark, end)


def _is_of_wifi(lower: str, start: int, end: int) -> bool:
    """Return whether a word for a key names that of a wireless network, which a person makes up."""
    net = r"(?:wi-?fi|wlan|wpa[23]?)"
    return (
        _pattern(net + r"[ \t_-]{0,2}$").search(lower, max(0, start - 20), start) is not None
        or _pattern(r"[ \t_-]{1,2}(?:du |de la |de |del |от )?" + net).match(lower, end) is not None
    )


def _stands_alone(lower: str, start: int, end: int) -> bool:
    """Return whether a short word is no part of a longer one, and `pass` names something: `DB_PASS=`, `pass: …`."""
    if lower[end : end + 1].isalpha():
        return False
    if lower[start:end] == "pass":
        before = lower[start - 1 : start]
        names = _pattern(r"[ \t]{0,3}[=:]").match(lower, end) is not None
        return before == "_" or (names and not before.isalpha())
    return not lower[start - 1 : start].isalpha() or lower.endswith(_BEFORE_KEY, max(0, start - 12), start)


def _behind(text: str, word: _Word, end: int) -> Iterator[Secret]:
    if _pattern(r"(?i)(?:hash|digest|checksum|length|name|id)(?:es)? of (?:the |our |a |an |my )?$").search(
        text, max(0, word.start - 24), word.start
    ):
        return
    link_at = word.end
    for _ in range(_LINKS):
        link = _link(word.text).search(text, link_at, end)
        if link is None:
            break
        between = text[word.end : link.start()]
        if not _leads_on(between, word.password):
            break
        span = _linked(text, word, link, between)
        if span is not None:
            yield Secret("S002", *span, word.kind)
            return
        link_at = link.end()
    span = _set_to(text, word) or _called(text, word)
    if span is None and word.password and word.text != "pin":
        # "log in with password …": nothing stands between the two.
        span = (bare := _pattern(r"[ \t]{1,4}(?:is )?").match(text, word.end, end)) and _value(text, bare.end())
        if span is not None and not is_password(text[slice(*span)], quoted=False, direct=False):
            span = None
    if span is not None:
        yield Secret("S002", *span, word.kind)


def _linked(text: str, word: _Word, link: re.Match[str], between: str) -> tuple[int, int] | None:
    """Return where the value behind a link begins and ends, None where it is no secret."""
    sign = link[0].strip()
    # Behind a word that ends its line the value has a line of its own; other lines only go on with the sentence.
    ends = sign[-1].isalpha() and _pattern(r"[ \t]{0,4}\r?\n").match(text, link.end()) is not None
    if word.password and not ends and (span := _app_password(text, word, link.end())) is not None:
        return span
    span = _value(text, link.end(), lines=ends or sign[-1] in ":：")
    if span is None or (ends and not _pattern(r"[.\"'`*_]{0,4}[ \t]{0,4}(?:\r?\n|\Z)").match(text, span[1])):
        return None
    direct = len(between) < 2 or between.strip().lower() == "api"
    return span if _fits(text, span, word, link=sign, direct=direct) else None


def _app_password(text: str, word: _Word, at: int) -> tuple[int, int] | None:
    """Return where a password for an app begins and ends: 16 small letters, in groups of four or in one."""
    value = _pattern(
        r"[ \t\"'`*]{0,4}([a-z]{16}|[a-z]{4}(?:[ -][a-z]{4}){3})(?![\w-])(?=[\"'`*.,;)]{0,4}[ \t]{0,4}(?:[\r\n(,;]|\Z))"
    ).match(text, at)
    if value is None or not _pattern(r"(?i)app\b|app[-_]|gmail|google|smtp|imap|mail").search(
        text, max(0, word.start - 40), value.start(1)
    ):
        return None
    groups = frozenset(_pattern(r"[ -]").split(value[1]))
    return None if groups & COMMON else value.span(1)


def _set_to(text: str, word: _Word) -> tuple[int, int] | None:
    """Return where the value begins and ends in "reset the password to …"."""
    to = _pattern(r"(?i)s?(?:[ \t](?:for|of|on|in|at)[ \t][^.!?;:\n]{1,50}?)?(?<!due)[ \t]to[ \t]{1,4}").match(
        text, word.end
    )
    if to is None or not _pattern(
        r"(?i)(?:^|[\s(*_])(?:re)?(?:set|chang|updat|rotat|switch)\w{0,4}[ \t][^.!?;\n]{0,60}$"
    ).search(text, max(0, word.start - 80), word.start):
        return None
    span = _value(text, to.end())
    if span is None:
        return None
    quoted = _is_quoted(text, span)
    value = text[slice(*span)]
    good = (
        is_password(value, quoted=quoted, direct=quoted) if word.password else _is_token(text, value, word, direct=True)
    )
    return span if good else None


def _called(text: str, word: _Word) -> tuple[int, int] | None:
    """Return where the value begins and ends in `setPassword("…")` and `<password>…</password>`."""
    call = _pattern(r"(?:_?value)?\([ \t]{0,2}([\"'])([^\s\"'()]{4,128})\1[ \t]{0,2}\)").match(text, word.end)
    if call is not None:
        # What gets a password has its name there.
        before = _pattern(r"(?i)((?:set|with|change|update)\w{0,20})$|\.$").search(
            text, max(0, word.start - 26), word.start
        )
        if before is None:
            return None
        sets, value, span = bool(before[1]), call[2], call.span(2)
    else:
        tag = _pattern(r"[\w:-]{0,20}(?:[ \t][^<>\n]{0,80})?>[ \t]{0,4}([^\s<>]{4,128})[ \t]{0,4}</").match(
            text, word.end
        )
        if tag is None or not _pattern(r"<[\w:-]{0,40}$").search(text, max(0, word.start - 42), word.start):
            return None
        sets, value, span = False, tag[1], tag.span(1)
    if is_stand_in(value):
        return None
    good = is_password(value, quoted=sets, direct=True) if word.password else _is_token(text, value, word, direct=True)
    return span if good else None


def _leads_on(between: str, password: bool) -> bool:
    """Return whether what stands between a word and its link belongs to the same clause, and is not about secrets."""
    if password and (first := _pattern(r"[ \t_-]{0,2}([A-Za-z]+)").match(between)) and first[1].lower() in PART:
        return False
    if len(between) > 100 or _pattern(r"[.!?;][\s\"')]|\n|[,;] (?:and|but|which|und|aber)\b").search(between):
        return False
    words = {word.lower() for word in _pattern(r"[A-Za-z0-9]+").findall(between)}
    return not words & (ABOUT if password else PUBLIC)


_FILLERS = r"(?i)(?:[ \t]{1,4}|\*{1,2}|(?:now|still|currently|set to|just|simply|jetzt|ahora|the following:?)[ \t])"
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "‘": "’", "「": "」"}


def _value(text: str, at: int, *, lines: bool = False) -> tuple[int, int] | None:
    """Return where the value behind a link begins and ends; behind a colon it may stand on one of the next lines."""
    start = at
    fillers = _pattern(f"{_FILLERS}{{0,4}}").match(text, at)
    start = fillers.end() if fillers else at
    if lines and (newline := _pattern(r"[ \t]{0,4}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t>]{0,8}(?:[-*] )?").match(text, start)):
        start = newline.end()
        if _pattern(r"```\w{0,10}\r?\n").match(text, start):
            start = text.index("\n", start) + 1
    closer = _QUOTES.get(text[start : start + 1])
    if closer is not None:
        stop = text.find(closer, start + 1, start + 130)
        if stop > start and "\n" not in text[start:stop]:
            return start + 1, stop
    word = _pattern(r"[^\s\"'`<>，。；、」”»،؛।]{1,512}").match(text, start)
    if word is None:
        return None
    # Some languages have no space behind it; what is said to be in it, or of it, is none.
    own = _pattern(r"[!-~]{4,}(?=[\u0590-\u1fff\u3040-\uffdc])(?![にのをへ에의]|から)").match(word[0])
    value = own[0] if own else word[0]
    # One exclamation mark ends the sentence, two are a part of a password.
    value = value.rstrip(".,;:?)]}*_…")
    stop = word.start() + len(value) - (value.endswith("!") and not value.endswith("!!"))
    if value[:1] in "(*_":
        start += len(value) - len(value.lstrip("(*_"))
    return (start, stop) if stop > start else None


def _fits(text: str, span: tuple[int, int], word: _Word, *, link: str, direct: bool) -> bool:
    value = text[slice(*span)]
    if len(value) > 128 and (word.password or not value.isascii()):
        return False
    if is_stand_in(value):
        return False
    says = link not in ":=-–—"
    if not word.password:
        return _is_token(text, value, word, direct=direct or says)
    if value.isdigit() or word.text == "pin":
        return is_number(value, word.text, text[span[1] : span[1] + 24])
    if is_password(value, quoted=_is_quoted(text, span), direct=direct or says):
        return True
    return (
        (direct or says)
        and not word.text.endswith("words")
        and not text.startswith("s", word.end)
        and is_weak(value, text, span[1])
    )


def _is_token(text: str, value: str, word: _Word, *, direct: bool) -> bool:
    return is_token(value, word.text, text[max(0, word.start - 8) : word.end + 6], direct=direct)


def _is_quoted(text: str, span: tuple[int, int]) -> bool:
    return span[0] > 0 and text[span[0] - 1] in _QUOTES


def _before(text: str, word: _Word) -> Iterator[Secret]:
    """Yield a value of which the text says that it is the secret: "use … as the password"."""
    begin = max(0, word.start - 100)
    before = text[begin : word.start]
    beside = _pattern(r"[\s\"'`(]([^\s\"'`()]{6,80})[\"'`]?[ \t]\($").search(before)
    if beside is not None and word.password and text.startswith(")", word.end) and is_striking(beside[1]):
        yield Secret("S002", begin + beside.start(1), begin + beside.end(1), word.kind)
    said = _pattern(
        r"(?i)(?:^|[\s\"'`(])([^\s\"'`()]{6,80})[\"'`)]{0,2}[ \t](?:is|as|ist|als|es|est|é|è)[ \t]"
        r"(?:(?:the|our|my|your|its|a|an|das|la|le|el|il|o|mein|unser)[ \t])?(?:[\w-]{1,20}[ \t]){0,2}[\w-]{0,12}$"
    ).search(before)
    if said is None:
        return
    value = said[1].rstrip(".,;:")
    if _pattern(r"\b(?:kind|sort|type|example|name)\b").search(said[0], len(said[1])):
        return
    fits = is_password(value, quoted=False, direct=True) if word.password else is_random(value, 16)
    if fits and any(letter.isdigit() for letter in value):
        start = begin + said.start(1)
        yield Secret("S002", start, start + len(value), word.kind)
