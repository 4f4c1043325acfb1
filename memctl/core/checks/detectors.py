"""Secrets of known forms: keys and tokens that begin with a mark of their own, private keys, URLs with a password."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import NamedTuple

from memctl.core.checks.randomness import is_random, is_stand_in

# Of a private key without an end so much belongs to it at most.
_BLOCK_MAX = 20_000


class Secret(NamedTuple):
    """A secret in a text: the rule, the offsets of its value, and what it is, with its article."""

    rule: str
    start: int
    end: int
    kind: str


# What it is; words of which one is in each such text; its form. Each repetition is bounded, and each form begins with
# a word of its own behind no letter or digit, so that no text is slow. All are ASCII.
_FORMS: tuple[tuple[str, str, str], ...] = (
    ("a Google API key", "AIza", r"AIza[\w-]{35}"),
    ("a Google client secret", "GOCSPX-", r"GOCSPX-[\w-]{24,40}"),
    ("a Google access token", "ya29.", r"ya29\.[\w-]{20,1000}"),
    ("an Azure client secret", "Q~", r"[\w.~-]{3}[78]Q~[\w.~-]{31,34}"),
    ("an Azure account key", "AccountKey=", r"AccountKey=([\w+/]{40,100}={0,2})"),
    ("an Azure access key", "SharedAccessKey=", r"SharedAccessKey=([\w+/]{40,100}={0,2})"),
    ("a signature of an Azure URL", "sig=", r"sig=([\w/+-]{20,80}(?:%25|%3[Dd]|%2[BbFf]|=)[\w+/=%]{0,80})"),
    ("a GitHub token", "github_pat_", r"github_pat_[\w]{40,200}"),
    ("a GitLab token", "gl", r"gl(?:pat|dt|rt|ft|soat|agent|oas|cbt|ptt|imt|ffct)-[\w.-]{20,300}"),
    ("a Bitbucket password", "ATBB", r"ATBB\w{28,60}"),
    ("an Atlassian token", "AT", r"AT(?:ATT|CTT)3[\w=-]{40,300}"),
    ("a Slack token", "xap", r"xapp-\d-\w{8,20}-\d{8,20}-\w{30,100}"),
    ("a Slack token", "xox", r"xox[cde](?:\.xox[bp])?-[\w-]{20,300}"),
    ("a Discord token", ".", r"[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}"),
    ("a Discord webhook", "/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/(\d{16,20}/[\w-]{50,80})"),
    ("a Teams webhook", "webhook.office.com", r"webhook\.office\.com/webhookb2/([\w@/_-]{60,300})"),
    ("a Zapier webhook", "hooks.zapier.com", r"hooks\.zapier\.com/hooks/catch/(\d{5,12}/\w{5,12})"),
    ("a Telegram bot token", ":A", r"\d{8,11}:A[\w-]{34}"),
    ("a Stripe key", "_test_", r"[sr]k_test_\w{20,250}"),
    ("a webhook secret", "whsec_", r"whsec_[\w+/=]{24,100}"),
    ("a Square token", "sq0atp-", r"sq0atp-[\w-]{22,60}"),
    ("a Braintree token", "access_token$", r"access_token\$production\$\w{16}\$\w{32}"),
    ("a PayPal token", "A21AA", r"A21AA[\w-]{60,120}"),
    ("a Razorpay key", "rzp_live_", r"rzp_live_\w{14,40}"),
    ("a Shopify token", "shp", r"shp(?:at|ca|pa|ss|tka)_\w{32,64}"),
    ("a Mailgun key", "key-", r"key-[0-9a-f]{32}"),
    ("a Brevo key", "xkeysib-", r"xkeysib-[0-9a-f]{64}-\w{16}"),
    ("a PyPI token", "pypi-", r"pypi-[\w-]{50,500}"),
    ("a Docker token", "dckr_", r"dckr_[po]at_[\w-]{20,60}"),
    ("a RubyGems key", "rubygems_", r"rubygems_[0-9a-f]{40,64}"),
    ("a crates.io token", "cio", r"cio\w{32}"),
    ("a NuGet key", "oy2", r"oy2[a-z0-9]{43}"),
    ("an Anthropic key", "sk-ant-", r"sk-ant-[\w-]{20,200}"),
    ("an OpenAI key", "sk-", r"sk-(?:proj|svcacct|admin|None)-[\w-]{20,250}"),
    ("an OpenRouter key", "sk-or-", r"sk-or-(?:v\d-)?\w{32,100}"),
    ("a key of a model provider", "sk-", r"sk-(?=[a-zA-Z]{0,40}\d)\w{20,100}"),
    ("a Hugging Face token", "hf_", r"hf_\w{30,60}"),
    ("a Hugging Face token", "api_org_", r"api_org_\w{30,60}"),
    ("a Groq key", "gsk_", r"gsk_\w{40,80}"),
    ("a Replicate token", "r8_", r"r8_\w{30,60}"),
    ("a Perplexity key", "pplx-", r"pplx-\w{32,80}"),
    ("an xAI key", "xai-", r"xai-\w{40,120}"),
    ("a Mem0 key", "m0-", r"m0-\w{32,80}"),
    ("a Tavily key", "tvly-", r"tvly-[\w-]{20,80}"),
    ("an NVIDIA key", "nvapi-", r"nvapi-[\w-]{40,120}"),
    ("a LangSmith key", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{8,16}"),
    ("a DigitalOcean token", "_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    ("a Vault token", "hv", r"hv[sbr]\.[\w-]{20,300}"),
    ("a Terraform token", ".atlasv1.", r"\w{14}\.atlasv1\.[\w-]{40,100}"),
    ("a Databricks token", "dapi", r"dapi[0-9a-f]{32}(?:-\d{1,2})?"),
    ("a Linear key", "lin_", r"lin_(?:api|oauth)_\w{32,80}"),
    ("a Notion token", "ntn_", r"ntn_\w{40,60}"),
    ("a Notion token", "secret_", r"secret_\w{43}"),
    ("a Grafana token", "glsa_", r"glsa_\w{32}_[0-9a-fA-F]{8}"),
    ("a Grafana key", "glc_", r"glc_[\w+/=]{32,400}"),
    ("a New Relic key", "NRAK-", r"NRAK-\w{27}"),
    ("a Doppler token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,80}"),
    ("a Postman key", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("a Figma token", "fig", r"fig[du]r?_[\w-]{40,60}"),
    ("an Airtable token", "pat", r"pat\w{14}\.[0-9a-f]{64}"),
    ("a Heroku key", "HRKU-", r"HRKU-[\w-]{36,64}"),
    ("a Fly token", "FlyV1", r"FlyV1 fm\d[rpa]?_[\w+/=,_-]{40,1000}"),
    ("a Supabase key", "sb", r"sb(?:p_|_secret_)[\w-]{30,60}"),
    ("a PlanetScale secret", "pscale_", r"pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}"),
    ("a Netlify token", "nfp_", r"nfp_\w{36,40}"),
    ("a Sentry token", "sntry", r"sntry[su]_[\w+/=-]{40,400}"),
    ("a Mapbox secret", "sk.eyJ", r"sk\.eyJ[\w-]{20,300}\.[\w-]{20,40}"),
    ("a Facebook token", "EAA", r"EAA\w{80,300}"),
    ("a Dropbox token", "sl.", r"sl\.(?:u\.)?[\w-]{100,1200}"),
    ("a Tailscale key", "tskey-", r"tskey-(?:[a-z]{2,10}-)?\w{10,20}-\w{20,60}"),
    ("a Pulumi token", "pul-", r"pul-[0-9a-f]{40}"),
    ("a SonarQube token", "sq", r"sq[pau]_[0-9a-f]{40}"),
    ("a CircleCI token", "CCIPAT_", r"CCIPAT_\w{20,30}_[0-9a-f]{40}"),
    ("a Buildkite token", "bkua_", r"bkua_[0-9a-f]{40}"),
    ("a 1Password token", "ops_eyJ", r"ops_eyJ[\w=-]{100,2000}"),
    ("a Plaid token", "access-", r"access-(?:production|development)-[0-9a-f-]{36}"),
    ("an Adafruit key", "aio_", r"aio_\w{28}"),
    ("an age secret key", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
)  # fmt: skip

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
    return re.compile(rf"(?<![A-Za-z0-9_])(?:{form})(?![A-Za-z0-9])", re.ASCII)


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
    for kind, mark, form in _FORMS:
        if mark in text:
            yield from _matches(kind, _form(form), text)
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
            if is_random(user, 20):
                yield Secret("S001", *match.span(1), "a token in a URL")
        elif secret != user and secret.lower() not in _SHAPES and not is_stand_in(secret):
            yield Secret("S001", *match.span(2), "a password in a URL")


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
