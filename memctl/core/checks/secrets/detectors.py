"""Secrets of known forms: keys and tokens that begin with a mark of their own, private keys, URLs with a password."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from memctl.core.checks.secrets.randomness import is_hex, is_random, is_stand_in
from memctl.core.checks.secrets.token_forms import FORMS, NAMELIKE

# Of a private key without an end so much belongs to it at most.
_BLOCK_MAX = 20_000


class Secret(NamedTuple):
    """A secret in a text: the rule, the offsets of its value, and what it is, with its article."""

    rule: str
    start: int
    end: int
    kind: str


# Words of which one is in each word that a detector of the library may find.
_LIBRARY_MARKS = (
    "AKIA", "ASIA", "ABIA", "ACCA", "A3T", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "k_live_", "xox", "hooks.slack.com",
    "npm_", "SG.", "sq0csp-", "SK", "-us", "AKC",
)  # fmt: skip


# A word in which a detector of the library looks: longer than any of its forms, and bounded.
_WORD_MIN, _WORD_MAX = 13, 512
_TOKEN_SIGNS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


@functools.cache
def _form(form: str) -> re.Pattern[str]:
    # A full stop ends the sentence.
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{form})(?<!\.)(?![A-Za-z0-9])", re.ASCII)


@functools.cache
def _pattern(form: str) -> re.Pattern[str]:
    return re.compile(form)


@functools.cache
def _library() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the forms of bc-detect-secrets that a word alone can have. Slow to import: 0.1 s and more."""
    from detect_secrets.plugins.artifactory import ArtifactoryDetector
    from detect_secrets.plugins.aws import AWSKeyDetector
    from detect_secrets.plugins.github_token import GitHubTokenDetector
    from detect_secrets.plugins.mailchimp import MailchimpDetector
    from detect_secrets.plugins.npm import NpmDetector
    from detect_secrets.plugins.sendgrid import SendGridDetector
    from detect_secrets.plugins.slack import SlackDetector
    from detect_secrets.plugins.square_oauth import SquareOAuthDetector
    from detect_secrets.plugins.stripe import StripeDetector
    from detect_secrets.plugins.twilio import TwilioKeyDetector

    return (
        # Its second form looks for words some way before the value, and can be made slow; `_aws_secrets` does it.
        ("an AWS access key", AWSKeyDetector.denylist[0]),
        ("a GitHub token", GitHubTokenDetector.denylist[0]),
        ("a Stripe key", StripeDetector.denylist[0]),
        ("a Slack token", SlackDetector.denylist[0]),
        ("a Slack webhook", SlackDetector.denylist[1]),
        ("an npm token", NpmDetector.denylist[0]),
        ("a SendGrid key", SendGridDetector.denylist[0]),
        ("a Square secret", SquareOAuthDetector.denylist[0]),
        # The first form is the number of an account, which is no secret.
        ("a Twilio key", TwilioKeyDetector.denylist[1]),
        ("a Mailchimp key", MailchimpDetector.denylist[0]),
        ("an Artifactory key", ArtifactoryDetector.denylist[0]),
    )


def known(text: str, lower: str) -> Iterator[Secret]:
    """Yield the secrets of known forms in a text; they may overlap. Takes time linear in its length, whatever it says."""
    if "PRIVATE KEY" in text or "PuTTY-User-Key-File" in text:
        yield from _private_keys(text)
    # Each is a word of so many characters at least: to look for the marks in these alone is twice as fast.
    long = "\n".join(_pattern(r"[^\s\"'`<>;()\[\]{}]{16,}").findall(text))
    for kind, mark, form in FORMS if long else ():
        if mark in long:
            yield from _matches(kind, _form(form), text)
    for kind, mark, form in NAMELIKE if long else ():
        if mark in long:
            for match in _form(form).finditer(text):
                if is_random(match[1]):
                    yield Secret("S001", *match.span(), kind)
    if any(mark in text for mark in _LIBRARY_MARKS):
        yield from _of_library(text)
    if "eyJ" in text:
        yield from _web_tokens(text)
    if "://" in text:
        yield from _urls(text)
    if "bearer" in lower or "basic" in lower or '"auth"' in lower:
        yield from _headers(text)
    if " -u" in text or "--user" in text:
        yield from _commands(text)
    if "aws" in lower or "secret" in lower:
        yield from _aws_secrets(text)


def _matches(kind: str, pattern: re.Pattern[str], text: str) -> Iterator[Secret]:
    group = 1 if pattern.groups else 0
    for match in pattern.finditer(text):
        if _is_made(match[group]):
            yield Secret("S001", *match.span(group), kind)


def _is_made(value: str) -> bool:
    """Return whether a value is no stand-in and no name: few keys are small letters alone, or words in capitals."""
    named = value.islower() or (value.isupper() and "_" in value)
    return (not named or any(letter.isdigit() for letter in value)) and not is_stand_in(value)


def _of_library(text: str) -> Iterator[Secret]:
    words = _pattern(rf"[^\s\"'`<>,;()\[\]{{}}|]{{{_WORD_MIN},{_WORD_MAX}}}")
    for word in words.finditer(text):
        if not any(mark in word[0] for mark in _LIBRARY_MARKS):
            continue
        for kind, pattern in _library():
            for match in pattern.finditer(word[0]):
                start, end = _whole(text, word.start() + match.start(), word.start() + match.end())
                if start >= 0 and _is_made(text[start:end]):
                    yield Secret("S001", start, end, kind)


def _whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the word ends in which something stands, (-1, -1) where it begins within one.

    Tokens have become longer than the library knows.
    """
    while text[start] in ':="':
        start += 1
    if start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return -1, -1
    limit = min(len(text), end + _WORD_MAX)
    while end < limit and text[end] in _TOKEN_SIGNS:
        end += 1
    return start, end


def _web_tokens(text: str) -> Iterator[Secret]:
    """Yield the JSON web tokens; the library decides which are some."""
    form = _form(r"eyJ[\w=-]{8,4000}\.eyJ[\w=-]{4,6000}(?:\.[\w=-]{0,2000})?")
    for match in form.finditer(text):
        from detect_secrets.plugins.jwt import JwtTokenDetector

        value = match[0].rstrip(".")
        if JwtTokenDetector.is_formally_valid(value):
            yield Secret("S001", match.start(), match.start() + len(value), "a JSON web token")


def _private_keys(text: str) -> Iterator[Secret]:
    """Yield the blocks of private keys whole; one without an end ends where no further line of it follows."""
    begin = _pattern(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:")
    end = _pattern(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: ?[0-9a-f]{40,64}")
    at = 0
    close: re.Match[str] | None = None
    fence, searched = -1, -1
    while (match := begin.search(text, at)) is not None:
        at = match.end()
        # Each is looked for once, however many keys begin before it. The front matter's end is no part of a key.
        if searched < at:
            close, fence = end.search(text, at), text.find("\n---\n", at)
            searched = min(close.start() if close else len(text), fence if fence >= 0 else len(text))
        limit = min(at + _BLOCK_MAX, fence if fence >= at else len(text))
        if close is not None and at <= close.start() and close.end() <= limit:
            stop = close.end()
        else:
            lines = _pattern(r"(?:(?:[ \t>]|\\n|\r?\n){0,20}[A-Za-z0-9+/=]{16,100}){0,400}").match(text, at, limit)
            stop = lines.end() if lines else at
        if _pattern(r"[A-Za-z0-9+/=]{32}").search(text, at, stop):
            yield Secret("S001", match.start(), stop, "a private key")
        at = stop


def _urls(text: str) -> Iterator[Secret]:
    """Yield the passwords in URLs, and words that stand alone in the place of a user and look random."""
    pattern = _pattern(r"://([^\s/:@?#\"'<>`]{0,128})(?::([^\s\"'<>`@/]{5,256}))?@(?=[\w\[.-])")
    for match in pattern.finditer(text):
        user, secret = match[1], match[2]
        if secret is None:
            if is_random(user, 20) and not (is_hex(user) and _is_dsn(text, match.end())):
                yield Secret("S001", *match.span(1), "a token in a URL")
        elif secret != user and secret.lower() not in _SHAPES and not is_stand_in(secret):
            yield Secret("S001", *match.span(2), "a password in a URL")


def _is_dsn(text: str, at: int) -> bool:
    """Return whether a URL says only where an application reports its errors to: whoever runs it can read the key."""
    return (
        _pattern(r"[\w.-]{1,128}(?::\d{2,5})?(?:/[\w-]{1,64}){0,3}/\d{1,20}(?![\w/.-]*[\w/-])").match(text, at)
        is not None
    )


# What stands for a password where the shape of a URL is shown.
_SHAPES = frozenset("password passwd pass pw pwd secret token key apikey api_key".split())


def _headers(text: str) -> Iterator[Secret]:
    """Yield what stands behind `Bearer` and `Basic`, and in the settings of Docker."""
    for match in _pattern(r"(?i:bearer)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,2000})").finditer(text):
        if is_random(match[1].rstrip("."), 16):
            yield Secret("S001", match.start(1), match.start(1) + len(match[1].rstrip(".")), "a bearer token")
    for match in _pattern(
        r'(?:(?i:basic)[ \t]{1,4}|"auth"[ \t]{0,4}:[ \t]{0,4}")([A-Za-z0-9+/]{8,400}={0,2})'
    ).finditer(text):
        if _is_pair(match[1]):
            yield Secret("S001", *match.span(1), "a user and password in base64")


def _commands(text: str) -> Iterator[Secret]:
    """Yield the passwords that a command as curl gets with its user."""
    for match in _pattern(r"[ \t](?:-u|--user)[ \t=]{0,4}[\"']?[\w.@-]{1,64}:([^\s\"'`]{4,128})").finditer(text):
        if _is_made(match[1]):
            yield Secret("S001", *match.span(1), "a password of a command")


def _is_pair(word: str) -> bool:
    """Return whether base64 is that of `user:password`."""
    from base64 import b64decode

    try:
        pair = b64decode(word, validate=True).decode("ascii")
    except ValueError:
        return False
    return pair.isprintable() and 0 < pair.find(":") < len(pair) - 1


def _aws_secrets(text: str) -> Iterator[Secret]:
    """Yield the secret keys of AWS: 40 characters of base64 behind a word that says so."""
    words = _pattern(r"(?i)secret[_ -]?access[_ -]?key|aws.{1,20}?(?:secret|key|token)")
    value = _pattern(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])")
    for match in words.finditer(text):
        found = value.search(text, match.end(), match.end() + 120)
        if found is not None and "\n" not in text[match.end() : found.start()] and _is_aws(found[0]):
            yield Secret("S001", *found.span(), "an AWS secret key")


def _is_aws(word: str) -> bool:
    # A hash has forty characters as well, all of them lower-case hexadecimal digits; a path has words.
    return word.strip("0123456789abcdef") != "" and is_random(word.replace("/", "").replace("+", ""), 30)
