from __future__ import annotations

import random

import pytest

from memctl.core.checks.secrets import found
from tests.core.checks.credentials import ALNUM, HEX, OTHER_LOOKALIKES, some
from tests.core.checks.subjects import EVERY, a_memory, a_subject

RNG = random.Random(5)
PASSWORD = "falcon" + "482"
TOKEN = some(RNG, ALNUM, 24)
HASH = some(RNG, HEX, 40)
UUID = "-".join(some(RNG, HEX, count) for count in (8, 4, 4, 4, 12))


def values(text: str) -> list[tuple[str, str]]:
    return [(secret.rule, text[secret.start : secret.end]) for secret in found(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The password is {}.",
        "Password: {}",
        "PASSWORD={}",
        "the password for user bob at host: db is {}",
        "password := '{}'",
        "password => {}",
        "Password → {}",
        "**Password:** {}",
        "- Password: `{}`",
        "Password:\n\n    {}",
        "Password:\n- {}",
        "Password:\n```\n{}\n```",
        "The passphrase is now {}",
        "the root password is set to {}",
        "pwd={}",
        "pw: {}",
        "db_pass: {}",
        "bob / password {}",
        "Kennwort: {} für Zoë",
        "Пароль: {}",
        "密码：{}",
        "use {} as the wiki password",
        "'{}' is the password",
        "The password of Zoë's account is “{}”",
        "password: ({})",
    ],
)
def test_a_password_that_a_sentence_gives_away(text: str) -> None:
    assert values(text.format(PASSWORD)) == [("S002", PASSWORD)]


@pytest.mark.parametrize(
    "value",
    [
        "Summer!" + "2024x",
        "p@ss" + "w0rd1",
        "Tr0ub4" + "dor&3",
        "x9!Kd" + "#2",
        "abc" + "!def",
        "Secure" + "!!",
        "qZtKpLvX" + "wRbNmYcB",
    ],
)
def test_passwords_come_in_many_shapes(value: str) -> None:
    assert values(f"The password is {value}") == [("S002", value)]


@pytest.mark.parametrize("word", ["'swordfish'", '"swordfish"', "`swordfish`"])
def test_a_word_in_quotes_is_a_password_only_right_behind_its_word(word: str) -> None:
    assert values(f"password: {word}") == [("S002", "swordfish")]
    assert values(f"The password that the script asks for is {word}.") == [("S002", "swordfish")]
    assert values(f"The password for the field: {word}") == []


def test_a_passphrase_of_words() -> None:
    words = "correct horse battery" + " staple"
    assert values(f"passphrase: '{words}'") == [("S002", words)]
    assert values(f"passphrase: {words}") == []
    assert values("passphrase is " + words.replace(" ", "-")) == [("S002", words.replace(" ", "-"))]
    assert values("passphrase for the disk: " + words.replace(" ", "-")) == []


@pytest.mark.parametrize("value", ["kühles-Bier", "пароль123"])
def test_a_password_of_other_letters_counts_in_quotes(value: str) -> None:
    assert values(f"password: '{value}'") == [("S002", value)]
    assert values(f"password: {value}") == []


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The PIN is 4711.", "4711"),
        ("PIN of the door: 829104", "829104"),
        ("Passcode: 8291", "8291"),
        ("The password is 829104", "829104"),
        ("The pin: 4711", "4711"),
    ],
)
def test_digits_are_a_pin(text: str, value: str) -> None:
    assert values(text) == [("S002", value)]


@pytest.mark.parametrize(
    "text",
    [
        "The API key is {}",
        "api_key={}",
        "apiKey: '{}'",
        "The token for the relay: {}",
        "client secret = {}",
        "credentials: {}",
        "The key is: {}",
        "Der API-Schlüssel ist {}",
        "secret\n\nToken:\n{}",
        "use {} as the token",
    ],
)
def test_a_key_that_a_sentence_gives_away(text: str) -> None:
    assert values(text.format(TOKEN)) == [("S002", TOKEN)]


def test_a_hash_behind_a_token_is_one_and_behind_a_hash_is_none() -> None:
    assert values(f"The deploy token is {HASH}") == [("S002", HASH)]
    assert values(f"The token's sha is {HASH}") == []
    assert values(f"The public key is {HASH}") == []
    assert values(f"The host key: {TOKEN}") == []


def test_a_uuid_is_a_key_where_the_words_leave_no_doubt() -> None:
    assert values(f"API key: {UUID}") == [("S002", UUID)]
    assert values(f"key: {UUID}") == []
    assert values(f"The API key of tenant {UUID} is in the vault") == []


@pytest.mark.parametrize(
    "text",
    [
        "The password is required.",
        "The password for the relay is in the vault.",
        "The API key is kept in 1Password.",
        "password: <password>",
        "password: ${DB_PASSWORD}",
        "password: {{ vault.db }}",
        "password: ********",
        "password: xxxx",
        "password: %DB_PASS%",
        "password = config.password2",
        "password = get_password(user, 3)",
        "password = row[3]",
        "password: your-password-1",
        "password: example123",
        "password: DB_PASSWORD_2",
        "password: db_password_2",
        "password: /run/secrets/db2",
        "password: https://vault.internal/db2",
        "password: secrets2.yaml",
        "password: mei2@example.com",
        "password: 2026-11-30",
        "password: v2.1.0",
        "password: oauth2",
        "password: kv2/ledger/prod1",
        "The password is 12 characters long.",
        "The password is 123456 characters long.",
        "The PIN is 1234 digits",
        "Password length: 16bytes1",
        "password hash: abc123def",
        "Passwords expire: see policy2024a",
        "The password has changed. The port is db5432x",
        "password: 'required'",
        "password: 'string'",
        'password is "never"',
        "The passport: ab123456",
        "The compass = north123",
        "3 tests pass; 4 fail: test12ab",
        "The monkey: abcd1234efgh5678",
        "The keyboard is qwerty12345678abc",
        "key: Ctrl+Shift+P",
        "The key is user:42:profile2",
        "token: abc123",
        "The token bucket is billing-service-2026-limits",
        "Keys are in ~/.ssh/id_ed25519_2",
        "password (see wiki page 12)",
        "The pin is 3a4b5c",
        "Spinning: 4711 rounds",
        "password &#x27;123&quot;",
        "password: &quot;abc1234",
        "The password, and the port is a5432b",
        "password policy is abc123x",
        "password: 'two words here1'",
        "password:",
        "password: ...",
        "Use a1b2c3d4 as usual; the password is in the vault.",
    ],
)
def test_no_sentence_about_secrets_is_taken_for_one(text: str) -> None:
    assert values(text) == []


def _policies() -> list[str]:
    make, _ = OTHER_LOOKALIKES["policy"]
    return sorted({make(random.Random(seed)) for seed in range(600)})


@pytest.mark.parametrize("text", _policies())
def test_no_rule_of_a_team_is_taken_for_a_secret(text: str) -> None:
    assert list(filter(lambda finding: finding.rule[0] == "S", _findings(text))) == []


def _findings(text: str) -> list[object]:
    from memctl.core.checks.secrets import check

    return list(check(a_subject({"a.md": a_memory("a", content=text)}), EVERY))
