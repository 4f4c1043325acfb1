from __future__ import annotations

import base64
import random
import re
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.core.checks.secrets.detectors import _is_made
from memctl.core.checks.secrets.randomness import is_random
from memctl.core.checks.secrets.rules import _may_have, found
from memctl.core.checks.secrets.token_forms import FORMS, NAMELIKE
from tests.core.checks.secrets.credentials import ALNUM, BASE64, DIGITS, HEX, LOWER, UPPER, jwt, some

RNG = random.Random(3)
MADE = some(RNG, ALNUM, 24)


def values(text: str) -> list[tuple[str, str]]:
    return [(secret.kind, text[secret.start : secret.end]) for secret in found(text)]


@pytest.mark.parametrize(("kind", "mark", "form"), FORMS, ids=[form for _, _, form in FORMS])
@given(data=st.data())
@settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck))
def test_each_form_is_found_in_a_sentence(kind: str, mark: str, form: str, data: st.DataObject) -> None:
    pattern = re.compile(form, re.ASCII)
    word = data.draw(st.from_regex(pattern, fullmatch=True).filter(lambda word: any(map(str.isdigit, word))))
    match = pattern.fullmatch(word)
    assert match is not None
    value = match[1] if pattern.groups else word
    if not _is_made(value) or not value[-1].isalnum():
        return
    assert mark in word
    assert any(value in shown or shown in value for _, shown in values(f"Use {word} for it"))


def _uuid() -> str:
    return "-".join(some(RNG, HEX, count) for count in (8, 4, 4, 4, 12))


@pytest.mark.parametrize("text", ["export X={}", 'export X="{}"', "The team uses {}.", "- {} (Mei)", "X: {}"])
@pytest.mark.parametrize(
    "word",
    [
        "sk" + "_" + some(RNG, HEX, 48),
        "fc" + "-" + some(RNG, HEX, 32),
        "pat" + "-na1-" + _uuid(),
        "GR13" + "48941" + some(RNG, ALNUM, 20),
        "dt0c" + "01." + some(RNG, UPPER + DIGITS, 24) + "." + some(RNG, UPPER + DIGITS, 64),
        "re" + "_" + some(RNG, ALNUM, 8) + "_" + some(RNG, ALNUM, 24),
        "re" + "_" + some(RNG, ALNUM, 32),
        "ph" + "x_" + some(RNG, ALNUM, 43),
        "tgp" + "_v1_" + some(RNG, ALNUM, 43),
        "fw" + "_" + some(RNG, ALNUM, 24),
        "cs" + "k-" + some(RNG, LOWER + DIGITS, 48),
        "ji" + "na_" + some(RNG, HEX, 32) + some(RNG, ALNUM, 28),
        "pa" + "-" + some(RNG, ALNUM, 43),
        "sk-" + "lf-" + _uuid(),
        "CFP" + "AT-" + some(RNG, ALNUM, 43),
        "NR" + "II-" + some(RNG, ALNUM, 32),
        some(RNG, HEX, 36) + "NR" + "AL",
        "EZ" + "AK" + some(RNG, ALNUM, 54),
        "tf" + "p_" + some(RNG, ALNUM, 44),
        "gt" + "o_" + some(RNG, LOWER + "234567", 52),
        "pn" + "u_" + some(RNG, ALNUM, 36),
        "rd" + "me_" + some(RNG, LOWER + DIGITS, 70),
        "ver" + "cel_" + some(RNG, ALNUM, 24),
        "FLW" + "SECK-" + some(RNG, HEX, 32) + "-X",
        "FLW" + "SECK_TEST-" + some(RNG, HEX, 32) + "-X",
        "sny" + "k_uat." + some(RNG, HEX, 8) + "." + some(RNG, ALNUM, 80),
        "EA" + "AA" + some(RNG, ALNUM, 60),
        "1/" + "/0" + some(RNG, ALNUM, 60),
        "v1" + ".0-" + some(RNG, HEX, 24) + "-" + some(RNG, HEX, 146),
        "SSW" + "S 00" + some(RNG, ALNUM, 40),
        "ak" + "-" + some(RNG, ALNUM, 22),
    ],
    ids=lambda word: word[:6],
)
def test_the_tokens_of_further_providers_are_errors(word: str, text: str) -> None:
    text = text.format(word)
    [secret] = found(text)
    assert (secret.rule, text[secret.start : secret.end]) == ("S001", word.removeprefix("SSW" + "S "))
    assert _may_have(text.encode())


@pytest.mark.parametrize(("kind", "mark", "form"), NAMELIKE, ids=[form for _, _, form in NAMELIKE])
def test_a_mark_that_names_have_as_well_is_none_before_a_name(kind: str, mark: str, form: str) -> None:
    words = "The" + "BillingServiceConfigurationManagerForTheTeamOfTheUsers"
    start = form.partition("(")[0].replace(r"\d{15,16}\|", "1" * 15 + "|")
    for size in (22, 28, 40, 43):
        word = start + words[:size]
        assert not [secret for secret in found(f"Use {word} for it") if secret.rule == "S001"]
    for size in (22, 24, 30, 43):
        assert mark in start or "4b1d" in form
        made = found(f"Use {start}{some(RNG, ALNUM, size)} for it")
        assert all(secret.kind == kind for secret in made)


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("an AWS access key", "AS" + "IA" + some(RNG, UPPER, 16)),
        ("a GitHub token", "gh" + "s_" + some(RNG, ALNUM, 48)),
        ("a Stripe key", "rk_" + "live_" + some(RNG, ALNUM, 99)),
        ("a Slack token", "xo" + f"xp-{some(RNG, DIGITS, 12)}-{some(RNG, ALNUM, 24)}"),
        ("an npm token", "np" + "m_" + some(RNG, ALNUM, 36)),
        ("a Twilio key", "S" + "K" + some(RNG, HEX, 32)),
        ("an Artifactory key", "AK" + "C" + some(RNG, ALNUM, 64)),
    ],
)
def test_the_forms_of_the_library(kind: str, word: str) -> None:
    assert values(f"Use {word}, or not.") == [(kind, word)]
    assert values(f"Use x{word}") == [] or kind == "an Artifactory key"


def test_an_artifactory_key_begins_behind_its_sign() -> None:
    word = "AK" + "C" + some(RNG, ALNUM, 40)
    assert values(f"x={word}") == [("an Artifactory key", word)]


@pytest.mark.parametrize(
    "text",
    [
        "AK" + "IAIOSFODNN7" + "EXAMPLE",
        "gh" + "p_" + "x" * 36,
        "hf_transfer_is_the_name_of_a_library_that_speeds_downloads",
        "AC" + some(RNG, HEX, 32),
        "eyJhbGciOiJIUzI1NiJ9" + "." + "eyJub3RoaW5nIjoKfQ123",
        "https://hooks.slack.com/services/ is the beginning",
        "region eu-us1-west, key SKU-12345678",
        "The token: Basic authentication2 is off",
        "Authorization: Basic " + base64.b64encode(b"no colon here").decode(),
        "Authorization: Basic " + base64.b64encode(b"a:\x00\x01binary").decode(),
        '"auth": "abcdefgh1"',
        "Bearer tokens-are-read-from-the-env2",
        "curl -u ci:$PASSWORD2 https://x",
        "curl --user ci:password https://x",
        "postgres://user:password@localhost",
        "postgres://postgres:postgres@localhost",
        "https://user2name@example.com/x",
        "aws secret access key: " + some(RNG, HEX, 40)[:39] + "f # a hash, git",
        "aws_secret_access_key is in the vault\n" + some(RNG, BASE64, 40),
        "AWS token bucket of 40 requests",
    ],
)
def test_what_is_near_a_form_is_none(text: str) -> None:
    assert [kind for kind, _ in values(text) if kind not in ("a key or token", "a password")] == []


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Authorization: Bearer {}.", "a bearer token", MADE),
        ("git clone https://{}@git.internal/a", "a token in a URL", MADE),
        ("ftp://bob:{}@host", "a password in a URL", "swordfish"),
        ("curl -u 'ci:{}' https://x", "a password of a command", "a1b2c3d4"),
        ("aws secret: {}", "an AWS secret key", some(RNG, BASE64, 40)),
        ('{{"auth": "{}"}}', "a user and password in base64", base64.b64encode(b"ci:" + b"sword9").decode()),
    ],
)
def test_what_stands_in_a_place_for_secrets(text: str, kind: str, value: str) -> None:
    assert values(text.format(value)) == [(kind, value)]


def test_a_web_token_ends_before_the_full_stop() -> None:
    token = jwt(RNG)
    assert values(f"The session is {token}.") == [("a JSON web token", token)]
    assert values(f"Unsigned: {token.rpartition('.')[0]}.") == [("a JSON web token", token.rpartition(".")[0])]


@pytest.mark.parametrize(
    "word",
    [
        "internationalisation", "OAuth2TokenCacheForUsers", "xmlSecTmplKeyInfoAddKeyName", "2026-11-30T12:00:00Z", "1.2.3-rc4+build5",
        "billing-service-prefers-001", "search-index-7d9f8b6c5d-x2x8z", "a1a1a1a1a1a1a1a1a1a1", "12345678901234567890123",
        "01J" + some(RNG, UPPER.translate({73: 65, 76: 65, 79: 65, 85: 65}), 23), "<a1B2c3D4e5F6g7H8>", "größe1234567890abcdef",
        "THEQUICKBROWNFOXJUMPS", "thequickbrownfoxjumps", "/etc/relay/keys/deploy-2026.pem", "--------------------",
        "123e4567-e89b-42d3-a456-426614174000", "claude-sonnet-4-20250514-thinking",
    ],
)  # fmt: skip
def test_what_a_person_wrote_does_not_look_random(word: str) -> None:
    assert not is_random(word)


@pytest.mark.parametrize("letters", [ALNUM, HEX, LOWER + DIGITS, UPPER + DIGITS, BASE64])
def test_what_a_machine_made_looks_random(letters: str) -> None:
    rng = random.Random(9)
    words = [some(rng, letters, 32) for _ in range(300)]
    assert sum(map(is_random, words)) > 0.97 * len(words)


def test_a_name_with_a_random_end_is_random_where_the_end_is_most_of_it() -> None:
    assert is_random("relay_live_" + MADE)
    assert not is_random("the-relay-of-the-billing-service-" + MADE)
    assert is_random("aB3dE6-gH9jK2-mN5pQ8")


def test_a_clean_store_imports_no_scanner() -> None:
    code = (
        "import sys; from memctl.core.checks.secrets.rules import found, redacted\n"
        "for text in ('The team is in Singapore.', 'password: falcon' + '482', 'commit 1a2b3c4d5e6f'): found(text)\n"
        "print('detect_secrets' in sys.modules, 'requests' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
