"""Which values are a password, a PIN or a key where a text says that one stands there."""

from __future__ import annotations

import functools
import re

from memctl.core.checks.secrets.randomness import is_harmless, is_hex, is_random, is_stand_in
from memctl.core.checks.secrets.words import PLAIN, SHORT_TOKENS, UNITS, WEAK

# Words with digits that are nobody's password.
_TERMS = re.compile(
    r"(?i)n?(?:var)?(?:char|binary)2?\d+|u?(?:big|small)?(?:int|float|numeric|string|text)\d+"  # types of columns
    r"|wpa\d?(?:[-_]?(?:psk|eap))?|1password|2fa|mfa|o?auth-?\d.*|https?\d*|s3|ec2|k8s|[a-z]\d{1,2}[a-z]|base(?:32|58|62|64)(?:url)?|utf-?(?:8|16|32)"
    r"|sha-?\d.*|md[45]|bcrypt|argon2.*|pbkdf2.*|scrypt|x-?509|[rhep]s(?:256|384|512)|ed25519|rsa-?\d*|aes-?\d*.*|p-?256"
    r"|ipv[46]|pkcs#?\d+|tls.?1.*|index-?\d{1,3}|[a-z]{1,4}-?\d{1,3}|\d{1,4}[a-z]{1,4}|\d+-[a-z]+(?:-[a-z]+)*|v\d+(?:\.\d+)*|q[1-4][-/]?\d{2,4}|(?-i:[A-Z]{2,10}-\d{1,6})"
    r"|(?:agent|build|chapter|day|debian|group|issue|java|layer|level|line|mysql|node|office|option|oracle|page|part|phase"
    r"|port|postgres|postgresql|python|redis|release|room|rule|section|server|sprint|stage|step|table|team|tenant|ticket"
    r"|tier|ubuntu|user|vault|version|week|wiki|windows|zone)[-_]?\d{1,4}"
)


@functools.cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form)


def _is_address(value: str) -> bool:
    """Return whether a value is a path, a URL, a host, a mail address or a file's name."""
    return (
        "://" in value
        or value[0] in "/~\\"
        or (value[0] == "#" and not _pattern(r"#(?=.*[A-Z])(?=.*[a-z])(?=.*\d)[^\s/]{6,}").fullmatch(value))
        or value.startswith(("./", "../"))
        or _pattern(r"[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64}").fullmatch(value) is not None
        or _pattern(r"[\w/-]{1,200}(?:\.[A-Za-z][A-Za-z0-9]{1,4}){1,2}(?::\d+)?").fullmatch(value) is not None
    )


def is_password(value: str, *, quoted: bool, direct: bool) -> bool:
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
    return quoted and direct and value.isalpha() and len(value) >= 6 and value.lower() not in PLAIN


def _is_made_up(value: str) -> bool:
    """Return whether letters and digits are a password and no term: `hunter2` is one, `oauth2` and `15m` are not."""
    if "/" in value and not is_random(value, 12):
        return False
    return len(value) >= 6 and not _TERMS.fullmatch(value)


def has_sign(value: str) -> bool:
    """Return whether a value has the sign by which the prefilter of `secrets` finds its file."""
    return _pattern(r"[A-Za-z_/][0-9!@#$%^&+=]").search(value) is not None


def is_striking(value: str) -> bool:
    """Return whether a value is a password also where no word says so: of three kinds of signs, and of no name's form."""
    kinds = sum(_pattern(kind).search(value) is not None for kind in (r"[a-z]", r"[A-Z]", r"\d", r"[!@#$%^&*?+]"))
    named = _pattern(r"[A-Za-z]*\d{0,4}(?:[A-Z][a-z]{2,20}|[A-Z]{2,5})?").fullmatch(value) is not None
    return kinds > 2 and not named and has_sign(value) and is_password(value, quoted=False, direct=False)


def is_weak(value: str, text: str, end: int) -> bool:
    """Return whether letters that end a clause are a password: one that many people take, or what nobody can say."""
    if not _pattern(r"[\"'`*_)]{0,4}[ \t]{0,4}(?:[.,;!]?[ \t]{0,4}(?:[\r\n]|\Z)|[.,;!][ \t])").match(text, end):
        return False
    lower = value.lower()
    return lower in WEAK or (
        8 <= len(value) <= 64 and _pattern(r"[a-z]*[b-df-hj-np-tv-xz]{6}[a-z]*").fullmatch(lower) is not None
    )


def is_number(value: str, word: str, behind: str) -> bool:
    """Return whether digits are a PIN or a password, and no count of something or a year."""
    least = 4 if word in ("pin", "passcode", "暗証番号") else 6
    unit = _pattern(r"[ \t-]{0,2}([A-Za-z]+|%)").match(behind)
    return value.isdigit() and least <= len(value) <= 12 and not (unit and (unit[1].lower() in UNITS or unit[1] == "%"))


def is_token(value: str, word: str, around: str, *, direct: bool) -> bool:
    """Return whether a value behind a word for a key is one; `around` is the word with what stands beside it."""
    if is_hex(value):
        return 16 <= len(value) <= 128 and not value.isdigit() and not value.isalpha()
    if is_harmless(value):
        # A UUID is a key where the words leave no doubt.
        strong = _pattern(r"(?i)(?:api|access|secret|auth)[ _-]?(?:key|token)|client[ _-]?secret")
        return direct and value.count("-") == 4 and len(value) == 36 and strong.search(around) is not None
    if _is_address(value):
        return False
    named = word not in SHORT_TOKENS or _pattern(r"(?i)api[ _-]?key").search(around) is not None
    return is_random(value, 12) or (direct and named and _is_short_key(value))


def _is_short_key(value: str) -> bool:
    """Return whether so few letters and digits are mixed as only a machine does it."""
    changes = _pattern(r"(?<=[A-Za-z])\d|(?<=\d)[A-Za-z]").findall(value)
    cases = value.isalnum() and not value.islower() and not value.isupper()
    words = sum(map(len, _pattern(r"[A-Z][a-z]{2,}").findall(value)))
    return (
        cases and 8 <= len(value) < 16 and len(changes) > 2 and words * 2 < len(value) and not _TERMS.fullmatch(value)
    )
