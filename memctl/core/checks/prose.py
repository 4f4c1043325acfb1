"""Secrets that a sentence or a setting gives away: "the password for X is …", "API key: …", "pw = …"."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from memctl.core.checks.detectors import Secret
from memctl.core.checks.randomness import is_harmless, is_hex, is_random, is_stand_in

# Words for what a person makes up: any word may be one.
_PASSWORDS = (
    "password", "passwords", "passphrase", "passcode", "passwd", "passwort", "passwörter", "kennwort", "contraseña",
    "contrasena", "palavra-passe", "senha", "wachtwoord", "mot de passe", "mots de passe", "parola", "salasana",
    "lösenord", "adgangskode", "hasło", "şifre", "пароль", "пароля", "密码", "密碼", "口令", "パスワード", "暗証番号",
    "비밀번호", "암호",
)  # fmt: skip
# Those of them that have no `pass` in them: in a text that has none but ASCII they are rare.
FOREIGN = tuple(word for word in _PASSWORDS if "pass" not in word)
# The same, where no letter stands beside them.
_SHORT = ("pass", "pwd", "pw", "pin")
# Words for what a machine makes up: random, or nothing.
_TOKENS = (
    "token", "secret", "credential", "bearer", "schlüssel", "clave", "chiave", "chave", "sleutel", "nyckel", "ключ",
    "токен", "密钥", "密鑰", "令牌", "キー", "トークン", "토큰",
)  # fmt: skip
_SHORT_TOKENS = ("key", "keys", "clé")
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
# What stands between the word and the value.
_LINK = (
    r"[ \t\"'`)\]*_]{0,4}(?::=|=>|->|→|={1,3}|[:：＝])|(?<=[ \t])(?:is|are|was|equals|reads|lautet|ist|es|est|é|è|sono"
    r"|jest|är|er|это|равен)(?=[ \t])|是|为|為|は|이다"
)
_MARKS = (*dict.fromkeys((*_PASSWORDS, *_SHORT, *_TOKENS, *_SHORT_TOKENS)),)

# So far behind its word a value stands at most, and so many links may stand between the two.
_REACH = 160
_LINKS = 4
# So many words for secrets are looked at: no person writes more, and 10 MB of them would take a minute.
_WORDS_MAX = 20_000

# A password's word with one of these behind it is about passwords, and gives none away.
_ABOUT = frozenset(
    "age algorithm change changed count created expires expiry field file format generator hash hashed hashes hashing"
    " hint length limit manager max maximum min minimum name page path policy prompt reset rotated rotation rule rules"
    " size store strategy strength ttl type updated url vault version".split()
)
# So has a token's word: what follows is no secret, or is known to be public.
_PUBLIC = frozenset(
    "checksum commit digest etag field fingerprint format header hash hashes id ids image integrity md5 public publishable rev revision sha"
    " sha1 sha256 sha512 trace uuid version".split()
)
# Words with digits that are nobody's password.
_TERMS = re.compile(
    r"(?i)1password|2fa|mfa|o?auth-?\d.*|https?\d*|s3|ec2|k8s|[a-z]\d{1,2}[a-z]|base(?:32|58|62|64)(?:url)?|utf-?(?:8|16|32)"
    r"|sha-?\d.*|md[45]|bcrypt|argon2.*|pbkdf2.*|scrypt|x-?509|[rhep]s(?:256|384|512)|ed25519|rsa-?\d*|aes-?\d*.*|p-?256"
    r"|ipv[46]|pkcs#?\d+|tls.?1.*|index-?\d{1,3}|[a-z]{1,4}-?\d{1,3}|\d{1,4}[a-z]{1,4}|\d+-[a-z]+(?:-[a-z]+)*|v\d+(?:\.\d+)*|q[1-4][-/]?\d{2,4}"
    r"|(?:agent|build|chapter|day|debian|group|issue|java|layer|level|line|mysql|node|office|option|oracle|page|part|phase"
    r"|port|postgres|postgresql|python|redis|release|room|rule|section|server|sprint|stage|step|table|team|tenant|ticket"
    r"|tier|ubuntu|user|version|week|windows|zone)[-_]?\d{1,4}"
)
# Quoted words that describe a value.
_PLAIN = frozenset(
    "admin any boolean changed changeme default disabled empty enabled encrypted expired false hashed hidden integer long"
    " masked missing never none null number optional password passwort plain required reset rotated same sample secret short"
    " string string? text todo token true unchanged undefined unique unknown unset value vault weak wrong".split()
)
_UNITS = frozenset(
    "attempts bits bytes character characters chars day days digit digits hours letters minutes months of percent seconds"
    " times tokens users weeks words years zeichen".split()
)


@functools.cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form)


def lowered(text: str) -> str:
    """Return a text in lower case, each character where it was: a few become two in lower case, and stay."""
    lower = text.lower()
    return lower if len(lower) == len(text) else "".join(low if len(low := one.lower()) == 1 else one for one in text)


def has_mark(lower: str) -> bool:
    """Return whether a text in lower case has a word for a secret."""
    return any(mark in lower for mark in _MARKS)


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


def in_prose(text: str, lower: str) -> Iterator[Secret]:
    """Yield the secrets that a text gives away by saying what they are; they may overlap, also with those of a form.

    `lower` is the text as `lowered` returns it.
    """
    worth = _pattern(r"\d|[\"'`«„“]|-[a-z]|[A-Za-z][!@#$%^&+][A-Za-z!@#$%^&+]|[a-z][A-Z]")
    for word in islice(_words(lower), _WORDS_MAX):
        end = min(len(text), word.end + _REACH)
        if worth.search(text, word.end, end) is not None:
            yield from _behind(text, word, end)
        if worth.search(text, max(0, word.start - 80), word.start) is not None:
            yield from _before(text, word)


def _words(lower: str) -> Iterator[_Word]:
    """Yield the words for secrets; to look for each in turn is ten times as fast as an expression of them all."""
    for mark in _MARKS:
        at = lower.find(mark)
        while at >= 0:
            end = at + len(mark)
            if lower.endswith(_OPEN_KEYS if mark == "key" else ("public key ", "publickey"), max(0, at - 16), at):
                pass
            elif (mark not in _SHORT and mark not in _SHORT_TOKENS) or _stands_alone(lower, at, end):
                yield _Word(at, end, mark, mark in _PASSWORDS or mark in _SHORT)
            at = lower.find(mark, end)


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
        link = _pattern(f"(?i){_LINK}").search(text, link_at, end)
        if link is None:
            break
        between = text[word.end : link.start()]
        if not _leads_on(between, word.password):
            break
        span = _value(text, link.end(), colon=link[0].strip()[-1] in ":：")
        if span is not None and _fits(text, span, word, link=link[0], direct=len(between) < 2):
            yield Secret("S002", *span, word.kind)
            return
        link_at = link.end()
    # "log in with password …": nothing stands between the two.
    if word.password and word.text != "pin" and (bare := _pattern(r"[ \t]{1,4}(?:is )?").match(text, word.end, end)):
        span = _value(text, bare.end(), colon=False)
        if span is not None and _is_password(text[slice(*span)], quoted=False, direct=False):
            yield Secret("S002", *span, word.kind)


def _leads_on(between: str, password: bool) -> bool:
    """Return whether what stands between a word and its link belongs to the same clause, and is not about secrets."""
    if len(between) > 100 or _pattern(r"[.!?;][\s\"')]|\n|[,;] (?:and|but|which|und|aber)\b").search(between):
        return False
    words = {word.lower() for word in _pattern(r"[A-Za-z0-9]+").findall(between)}
    return not words & (_ABOUT if password else _PUBLIC)


_FILLERS = r"(?i)(?:[ \t]{1,4}|\*{1,2}|(?:now|still|currently|set to|just|simply|jetzt|ahora|the following:?)[ \t])"
_QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "‘": "’", "「": "」"}


def _value(text: str, at: int, *, colon: bool) -> tuple[int, int] | None:
    """Return where the value behind a link begins and ends; behind a colon it may stand on the next line."""
    start = at
    fillers = _pattern(f"{_FILLERS}{{0,4}}").match(text, at)
    start = fillers.end() if fillers else at
    if colon and (newline := _pattern(r"[ \t]{0,4}\r?\n(?:[ \t]{0,8}\r?\n)?[ \t>]{0,8}(?:[-*] )?").match(text, start)):
        start = newline.end()
        if _pattern(r"```\w{0,10}\r?\n").match(text, start):
            start = text.index("\n", start) + 1
    closer = _QUOTES.get(text[start : start + 1])
    if closer is not None:
        stop = text.find(closer, start + 1, start + 130)
        if stop > start and "\n" not in text[start:stop]:
            return start + 1, stop
    word = _pattern(r"[^\s\"'`<>，。；、」”»]{1,512}").match(text, start)
    if word is None:
        return None
    value = word[0]
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
    quoted = span[0] > 0 and text[span[0] - 1] in _QUOTES
    if not word.password:
        return _is_token(value, text, word, direct=direct)
    if value.isdigit() or word.text == "pin":
        return _is_number(value, word.text, text[span[1] : span[1] + 24])
    return _is_password(value, quoted=quoted, direct=direct or link.strip() not in ":=")


def _is_number(value: str, word: str, behind: str) -> bool:
    """Return whether digits are a PIN or a password, and no count of something or a year."""
    least = 4 if word in ("pin", "passcode", "暗証番号") else 6
    unit = _pattern(r"[ \t-]{0,2}([A-Za-z]+|%)").match(behind)
    return (
        value.isdigit() and least <= len(value) <= 12 and not (unit and (unit[1].lower() in _UNITS or unit[1] == "%"))
    )


def _is_token(value: str, text: str, word: _Word, *, direct: bool) -> bool:
    if is_hex(value):
        return 16 <= len(value) <= 128 and not value.isdigit() and not value.isalpha()
    if is_harmless(value):
        # A UUID is a key where the words leave no doubt.
        strong = _pattern(r"(?i)(?:api|access|secret|auth)[ _-]?(?:key|token)|client[ _-]?secret")
        around = text[max(0, word.start - 8) : word.end + 6]
        return direct and value.count("-") == 4 and len(value) == 36 and strong.search(around) is not None
    return not _is_address(value) and is_random(value, 12)


def _is_address(value: str) -> bool:
    """Return whether a value is a path, a URL, a host, a mail address or a file's name."""
    return (
        "://" in value
        or value[0] in "/~\\#"
        or value.startswith(("./", "../"))
        or _pattern(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}").fullmatch(value) is not None
        or _pattern(r"[\w/-]{1,200}(?:\.[A-Za-z][A-Za-z0-9]{1,4}){1,2}(?::\d+)?").fullmatch(value) is not None
    )


def _is_password(value: str, *, quoted: bool, direct: bool) -> bool:
    """Return whether a value behind a password's word is one, and not a word of the sentence."""
    if not 4 <= len(value) <= 128 or is_stand_in(value) or is_harmless(value) or _is_address(value):
        return False
    if _pattern(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z0-9]+)+").fullmatch(value):
        return False  # the name of a variable
    if " " in value:
        return quoted and direct and _pattern(r"[a-z]{3,12}(?: [a-z]{3,12}){3,7}").fullmatch(value) is not None
    if not value.isascii():
        return quoted and direct
    letters = any(letter.isalpha() for letter in value)
    digits = any(letter.isdigit() for letter in value)
    if letters and digits:
        return _is_made_up(value) and (direct or not _pattern(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+){2,}").fullmatch(value))
    if not letters:
        return False
    if _pattern(r"[A-Za-z]+[!@#$%^&+][A-Za-z!@#$%^&+]+|[A-Za-z]{4,}[!@#$%^&+]{2,}").fullmatch(value):
        return True
    if _pattern(r"[A-Za-z]{3,}(?:[-.][A-Za-z]{3,}){3,}").fullmatch(value):
        return direct
    if value.isalpha() and not value.islower() and is_random(value, 10):
        return True
    return quoted and direct and value.isalpha() and len(value) >= 6 and value.lower() not in _PLAIN


def _is_made_up(value: str) -> bool:
    """Return whether letters and digits are a password and no term: `hunter2` is one, `oauth2` and `15m` are not."""
    if "/" in value and not is_random(value, 12):
        return False
    return len(value) >= 6 and not _TERMS.fullmatch(value)


def _before(text: str, word: _Word) -> Iterator[Secret]:
    """Yield a value of which the text says that it is the secret: "use … as the password"."""
    begin = max(0, word.start - 100)
    before = text[begin : word.start]
    said = _pattern(
        r"(?i)(?:^|[\s\"'`(])([^\s\"'`()]{6,80})[\"'`)]{0,2}[ \t](?:is|as|ist|als|es|est|é|è)[ \t]"
        r"(?:(?:the|our|my|your|its|a|an|das|la|le|el|il|o|mein|unser)[ \t])?(?:[\w-]{1,20}[ \t]){0,2}[\w-]{0,12}$"
    ).search(before)
    if said is None:
        return
    value = said[1].rstrip(".,;:")
    if _pattern(r"\b(?:kind|sort|type|example|name)\b").search(said[0], len(said[1])):
        return
    fits = _is_password(value, quoted=False, direct=True) if word.password else is_random(value, 16)
    if fits and any(letter.isdigit() for letter in value):
        start = begin + said.start(1)
        yield Secret("S002", start, start + len(value), word.kind)
