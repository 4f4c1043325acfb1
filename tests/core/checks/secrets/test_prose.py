from __future__ import annotations

import random

import pytest

from memctl.core.checks.secrets.rules import found
from tests.core.checks.secrets.credentials import ALNUM, HEX, OTHER_LOOKALIKES, some
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
        "password: 12!34!56",
        "password: ...",
        "Use a1b2c3d4 as usual; the password is in the vault.",
    ],
)
def test_no_sentence_about_secrets_is_taken_for_one(text: str) -> None:
    assert values(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Use the OPENAI_API_KEY env var; it is read by config.py line 42.",
        "The API token expires after 3600s and is refreshed by auth0-refresh-job.",
        "Auth: uses OAuth2 PKCE flow; client id is 0oa1b2c3d4e5f6g7h8i9.",
        "Password auth is disabled; use ssh key ~/.ssh/id_ed25519_work.",
        "Secret rotation runs via cron-job-2025-11 in namespace prod-eu1.",
        "The token field is called `access_token_v2` in the payload.",
        "JWT secret lives in AWS Secrets Manager: prod/ledger/jwt-secret-v3",
        "The key metric is p99 latency: 250ms at 1200rps.",
        "Key contact: mei.lin@example.com, +49 30 1234567",
        "key: region=eu-central-1a",
        "Keys: 1) fast 2) cheap 3) reliable",
        "Foreign key: orders.customer_id -> customers.id2",
        "Token limit: 128k for gpt-4o, 200k for claude-3-5-sonnet-20241022.",
        "The password manager is Bitwarden2go.",
        "User prefers passphrases: 5 words, from the EFF list 2016",
        "Session key format: sess:{uuid4}:{ts}",
        "The secret santa draw is on 2026-12-05.",
        "Uses bcrypt cost 12 for passwords; argon2id m=65536,t=3,p=4 planned.",
        "pass rate: 98.5%25 on main",
        "The build key is ABC-1234 in Jira.",
        "API key: see vault path kv/data/ledger#api_key",
        "api key: ask #platform-oncall in Slack",
        "The API key header is X-Api-Key-V2.",
        "Bearer token is sent in `X-Forwarded-Authorization2` header.",
        "The secret's ARN is arn:aws:secretsmanager:eu-west-1:123456789012:secret:ledger-AbCdEf",
        "kubectl create secret generic ledger-db-2 --from-literal=password=$DB_PASSWORD",
        "export API_KEY=$(vault kv get -field=key kv/ledger)",
        "token: !secret relay_token_2",
        "password: !vault |",
        "The license key is MIT.",
        "The primary key is a ULID such as 01ARZ3NDEKTSV4RRFFQ69G5FAV.",
        "Deployment keys: blue1, green2",
        "Encryption: AES-256-GCM, key size 256bit",
        "The signing key is an ed25519 key; its fingerprint is SHA256:abc.",
        "Public key token=b77a5c561934e089 of the assembly.",
        "keyboard layout: us-intl2",
        "The door code is on the fridge.",
        "password reset token TTL: 15m30s",
        "The admin password is set in terraform.tfvars2.",
        "Password strength: zxcvbn3",
        "2FA codes are 6digits1",
        "The commit 4f5e6d7c8b9a0f1e2d3c4b5a69788796a5b4c3d2 fixed the token leak.",
        "The token leak was fixed in 4f5e6d7c8b9a0f1e2d3c4b5a69788796a5b4c3d2.",
        "secret_key_base is generated by `rails secret`.",
        "S3 key: invoices/2026/11/INV-20261130-000123.pdf",
        "The S3 object key is exports/ledger/part-00000-of-00012.parquet",
        "redis key: user:12345:sessions",
        "Key=Value pairs",
        "ssh root@10.0.0.5 with the shared key, port 2222",
        "login: bob, password: in 1Password",
        "Passwort für Test: siehe Wiki",
        "pw: ask bob",
        "Token usage: input=1200 output=300",
        "tokens: 1500in/300out",
        "Das Token heißt `CI_JOB_TOKEN2`",
        "The key is that step2 runs before step3.",
        "Credentials are in ~/.aws/credentials, profile ledger-prod1.",
        "The credential helper is osxkeychain2.",
        "hash of the password is 5f4dcc3b5aa765d61d8327deb882cf99",
        "password123 is the kind of password to reject",
        "Reject passwords like hunter2 or letmein1.",
        'The word "secret" is 6 letters',
        "npm token scopes: read-only:publish2",
        "Webhook secret header: X-Hub-Signature-256",
        "The secret name is relay-hmac-2026q1",
        "token bucket: rate=100/s, burst=200x",
        "Always mask tokens as abcd****wxyz1234",
        "The cookie key is __Host-session2",
        "The test user is test1 / password is in the README",
        "auth: basic, user ci-bot2",
        "The account key is Ledger2024 in the UI",
        "the token (a JWT) is 3 parts joined by dots",
        "pin: numpy==1.26.4",
        "Pin: python 3.11.7",
        "pin postgres at 16.3",
        "Pass: 1234 tests",
        "The API key is 32 characters long and starts with rly_.",
        "database password: rotated 2026-10-01 by Mei",
        "The passphrase: never share it.",
        'secret = keyring.get_password("svc2", "bob")',
        'const token = req.headers["x-token-2"];',
        'password = input("Password: ")',
        '"password": {"type": "string", "minLength": 12}',
        "The key `feature.new_checkout.v2` is on for 10%",
        "The i18n key is checkout.title2",
        "config key = billing.retry.max2",
        "The map key is lat51.5_lon0.12",
        "Access key ID field name: accessKeyId2",
        "The cache key contains sha256(url)[:16].",
        "API keys start with `lk_live_` and have 32 chars.",
        "Trello board aBcD1234 has key cards",
    ],
)
def test_what_agents_note_about_keys_and_passwords_is_no_secret(text: str) -> None:
    assert values(text) == []


def _policies() -> list[str]:
    make, _ = OTHER_LOOKALIKES["policy"]
    return sorted({make(random.Random(seed)) for seed in range(600)})


@pytest.mark.parametrize("text", _policies())
def test_no_rule_of_a_team_is_taken_for_a_secret(text: str) -> None:
    assert list(filter(lambda finding: finding.rule[0] == "S", _findings(text))) == []


def _findings(text: str) -> list[object]:
    from memctl.core.checks.secrets.rules import check

    return list(check(a_subject({"a.md": a_memory("a", content=text)}), EVERY))
