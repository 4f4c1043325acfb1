"""Fake credentials in plausible memories, and look-alikes of them, made when a test runs: none stands in a file.

`credentials` and `lookalikes` are the set that is published; `others` and `other_lookalikes` are a second one of other
kinds and other sentences, which no detector was written by.
"""

from __future__ import annotations

import base64
import json
import random
import string
import uuid
from collections.abc import Callable
from typing import NamedTuple

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = string.ascii_letters + DIGITS
HEX = DIGITS + "abcdef"
BASE64 = ALNUM + "+/"
URLSAFE = ALNUM + "-_"


class Sample(NamedTuple):
    """A memory's text with a credential in it, or with a look-alike: then `value` is ''."""

    kind: str
    text: str
    value: str


Maker = Callable[[random.Random], str]
Random = random.Random


def some(rng: Random, letters: str, count: int) -> str:
    """Return `count` of the letters; of mixed ones with a digit, a small and a capital letter in it."""
    while True:
        word = "".join(rng.choices(letters, k=count))
        sets = [group for group in (DIGITS, LOWER, UPPER) if set(group) <= set(letters)]
        if count < 8 or all(set(word) & set(group) for group in sets):
            return word


def after(prefix: str, letters: str, count: int) -> Maker:
    return lambda rng: prefix + some(rng, letters, count)


def jwt(rng: Random) -> str:
    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).decode().rstrip("=")

    head = part(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    body = part(json.dumps({"sub": str(rng.randrange(10**9)), "name": "relay", "iat": rng.randrange(10**9)}).encode())
    return f"{head}.{body}.{part(rng.randbytes(32))}"


def armour(label: str, size: int) -> Maker:
    def make(rng: Random) -> str:
        text = base64.b64encode(rng.randbytes(size)).decode()
        lines = "\n".join(text[at : at + 64] for at in range(0, len(text), 64))
        return f"-----BEGIN {label}-----\n{lines}\n-----END {label}-----"

    return make


PRIVATE = "PRIVATE" + " KEY"


def service_account(rng: Random) -> str:
    key = armour(PRIVATE, 400)(rng)
    fields = {"type": "service_account", "project_id": "billing-prod", "private_key_id": some(rng, HEX, 40)}
    return json.dumps(
        {**fields, "private_key": key + "\n", "client_email": "ci@billing-prod.iam.example.com"}, indent=1
    )


def password(rng: Random) -> str:
    word = rng.choice(["falcon", "Winter", "kitchen", "Lagoon", "mustard", "Pepper", "harbour"])
    return rng.choice([f"{word}{rng.randrange(10, 9999)}", f"{word}!{rng.randrange(10, 99)}x", some(rng, ALNUM, 12)])


# Sentences: {} is the value.
TOKENS = [
    "The deploy job reads {} from the environment.",
    "Use {} when you call the API for the billing team.",
    "- staging: {}\n- owner: platform team",
    "Mei Lin gave the agent this one on Monday: {}",
    "**How to apply:** set `RELAY_TOKEN={}` before the run.",
]
URLS = [
    "The database of staging is {}.",
    "Connect with {} and run the report.",
    "`DATABASE_URL={}`",
    "- connection: {}\n- read only",
    'The config has url: "{}"',
]
BLOCKS = ["The key of the deploy user:\n\n{}\n\nIt is used by the release job.", "{}", "Keep this:\n```\n{}\n```"]
PASSWORDS = [
    "The password for the relay is {}.",
    "Log in to the staging dashboard as admin with password {}.",
    "wifi password: {}",
    "DB_PASSWORD={}",
    "The admin password of the wiki is `{}`, and it changes in May.",
]
KEYS = [
    "The API key for the relay is {}",
    "API key: {}",
    "The client secret of the partner sandbox is `{}`.",
    "Access token for the metrics exporter: {}",
    '{{"api_key": "{}"}}',
]
PHRASES = [
    "The passphrase of the backup disk is '{}'.",
    "Das Passwort für das Testsystem lautet {}.",
    "pw = {}",
    "La contraseña del servidor es {}",
    "Le mot de passe du portail est {}.",
]


def connection(scheme: str, host: str) -> Maker:
    return lambda rng: f"{scheme}://app:{some(rng, ALNUM, 14)}@{host}"


KINDS: dict[str, tuple[Maker, list[str]]] = {
    "aws access key": (after("AK" + "IA", UPPER + "234567", 16), TOKENS),
    "aws session key": (after("AS" + "IA", UPPER + "234567", 16), TOKENS),
    "aws secret key": (
        after("", BASE64, 40),
        [
            "aws_secret_access_key = {}",
            "AWS secret access key: {}",
            "The AWS secret key of the deploy user is {}.",
            "`AWS_SECRET_ACCESS_KEY={}`",
            "secret_access_key: {}  # AWS, eu-central-1",
        ],
    ),
    "google api key": (after("AI" + "za", URLSAFE, 35), TOKENS),
    "google service account": (service_account, BLOCKS),
    "azure storage": (
        lambda rng: "AccountName=ledger;Account" + "Key=" + some(rng, BASE64, 86) + "==",
        ["DefaultEndpointsProtocol=https;{};EndpointSuffix=core.windows.net", *TOKENS],
    ),
    "azure client secret": (lambda rng: some(rng, ALNUM, 3) + "8Q" + "~" + some(rng, URLSAFE, 34), TOKENS),
    "github classic": (after("gh" + "p_", ALNUM, 36), TOKENS),
    "github fine-grained": (
        lambda rng: "github" + "_pat_" + some(rng, ALNUM, 22) + "_" + some(rng, ALNUM, 59),
        TOKENS,
    ),
    "gitlab": (after("gl" + "pat-", URLSAFE, 20), TOKENS),
    "bitbucket": (after("ATB" + "B", ALNUM, 32), TOKENS),
    "slack bot": (
        lambda rng: "xo" + f"xb-{some(rng, DIGITS, 12)}-{some(rng, DIGITS, 12)}-{some(rng, ALNUM, 24)}",
        TOKENS,
    ),
    "slack webhook": (
        lambda rng: (
            "https://hooks.slack"
            + f".com/services/T{some(rng, UPPER, 8)}/B{some(rng, UPPER, 9)}/{some(rng, ALNUM, 24)}"
        ),
        TOKENS,
    ),
    "discord bot": (
        lambda rng: "M" + some(rng, ALNUM, 23) + "." + some(rng, ALNUM, 6) + "." + some(rng, URLSAFE, 27),
        TOKENS,
    ),
    "telegram bot": (lambda rng: some(rng, "123456789", 10) + ":A" + "A" + some(rng, URLSAFE, 33), TOKENS),
    "stripe": (after("sk_" + "live_", ALNUM, 24), TOKENS),
    "square": (after("sq0" + "csp-", URLSAFE, 43), TOKENS),
    "twilio": (after("S" + "K", HEX, 32), TOKENS),
    "sendgrid": (lambda rng: "S" + "G." + some(rng, URLSAFE, 22) + "." + some(rng, URLSAFE, 43), TOKENS),
    "mailchimp": (lambda rng: some(rng, HEX, 32) + "-us" + str(rng.randrange(1, 20)), TOKENS),
    "mailgun": (after("ke" + "y-", HEX, 32), TOKENS),
    "npm": (after("np" + "m_", ALNUM, 36), TOKENS),
    "pypi": (after("py" + "pi-AgEIcHlwaS5vcmc", URLSAFE, 120), TOKENS),
    "docker hub": (after("dckr" + "_pat_", URLSAFE, 27), TOKENS),
    "rubygems": (after("ruby" + "gems_", HEX, 48), TOKENS),
    "anthropic": (after("sk-" + "ant-api03-", URLSAFE, 93), TOKENS),
    "openai": (after("sk-" + "proj-", URLSAFE, 74), TOKENS),
    "hugging face": (after("h" + "f_", ALNUM, 34), TOKENS),
    "jwt": (jwt, TOKENS),
    "rsa private key": (armour("RSA " + PRIVATE, 600), BLOCKS),
    "openssh private key": (armour("OPENSSH " + PRIVATE, 300), BLOCKS),
    "age": (after("AGE-SECRET" + "-KEY-1", UPPER + "234567", 58), TOKENS),
    "pgp": (armour("PGP " + PRIVATE + " BLOCK", 500), BLOCKS),
    "postgres url": (connection("postgresql", "db.internal:5432/ledger"), URLS),
    "mongodb url": (connection("mongodb+srv", "cluster0.abcde.mongodb.net/app"), URLS),
    "basic auth url": (connection("https", "reports.internal/daily"), URLS),
    "bearer header": (
        after("", URLSAFE, 32),
        [
            "Authorization: Bearer {}",
            'curl -H "Authorization: Bearer {}" https://relay.internal/v1/jobs',
            "Send the header `Authorization: Bearer {}` with each call.",
            "The relay wants Bearer {}",
            "header: authorization: bearer {}",
        ],
    ),
    "password in prose": (password, PASSWORDS),
    "key in prose": (after("", ALNUM, 20), KEYS),
    "passphrase in prose": (password, PHRASES),
}

_NAMES = ["ledger", "relay", "exporter", "billing-service", "search-index", "queue-worker"]


def _hex(count: int) -> Maker:
    return lambda rng: some(rng, HEX, count)


def _sri(rng: Random) -> str:
    return "sha512-" + base64.b64encode(rng.randbytes(64)).decode()


def _png(rng: Random) -> str:
    return "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n" + rng.randbytes(180)).decode()


def _isbn(rng: Random) -> str:
    return f"978-{rng.randrange(10)}-{rng.randrange(100, 999)}-{rng.randrange(10**4, 10**5)}-{rng.randrange(10)}"


def _name(rng: Random) -> str:
    return rng.choice(_NAMES)


# What looks like a credential and is none; `{}` is what is made, where something is.
LOOKALIKES: dict[str, tuple[Maker, list[str]]] = {
    "commit": (_hex(40), ["Fixed in commit {}.", "Bisected to {}; reverted it.", "git show {} has the secret sauce."]),
    "short commit": (_hex(9), ["See {} for the token parser.", "HEAD was {} at the release.", "merge {} into main"]),
    "sha256": (_hex(64), ["The sha256 of the release is {}.", "checksum: {}", "{}  dist/ledger.tar.gz"]),
    "md5": (_hex(32), ["md5: {}", "The MD5 checksum of the dump is {}.", "ETag: {}"]),
    "uuid": (
        lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        ["The agent's id is {}.", "request id {}", "Trace {} shows the token refresh."],
    ),
    "docker digest": (_hex(64), ["image: registry.internal/ledger@sha256:{}", "Pin the image to sha256:{}."]),
    "npm integrity": (_sri, ['"integrity": "{}"', "lockfile: integrity {}"]),
    "png": (_png, ["The logo is {}", "![logo]({})"]),
    "colour": (_hex(6), ["The brand colour is #{}.", "Buttons: #{}; the token is called --brand-primary."]),
    "version": (
        lambda rng: f"{rng.randrange(20)}.{rng.randrange(30)}.{rng.randrange(90)}-rc{rng.randrange(9)}",
        ["The gateway runs {}.", "key library: v{}"],
    ),
    "isbn": (_isbn, ["The book is ISBN {}.", "Key reading: {}"]),
    "path": (
        _name,
        [
            "The key file is /etc/{}/keys/deploy-2026.pem",
            "Tokens live in ~/.config/{}/tokens.json.",
            "secret: /run/secrets/{}_password_v2",
        ],
    ),
    "url": (
        _name,
        [
            "https://docs.example.com/{}/api-keys/rotate-v2",
            "Token docs: https://docs.example.com/{}/reference/tokens?page=2",
        ],
    ),
    "file name": (_name, ["The token parser is in {}_token_parser_v2.py.", "key table: {}-keys-2026-11.csv"]),
    "timestamp": (
        lambda rng: f"2026-{rng.randrange(1, 13):02}-{rng.randrange(1, 29):02}T{rng.randrange(24):02}:15:30.000Z",
        ["The token was rotated at {}.", "password changed: {}"],
    ),
    "placeholder": (
        lambda rng: rng.choice(["<your-token>", "xxxxxxxxxxxxxxxx", "****************", "YOUR_API_KEY_HERE"]),
        ["API key: {}", "The token for the relay is {}", "password = {}"],
    ),
    "variable": (
        lambda rng: rng.choice(["$RELAY_API_KEY", "${RELAY_TOKEN}", "process.env.API_KEY_V2", "{{ vault_pw }}"]),
        ["api_key = {}", "password: {}", "The token is read from {}."],
    ),
    "elsewhere": (
        lambda rng: rng.choice(["in the vault", "kept in 1Password", "stored in Vault under kv2/ledger", "required"]),
        ["The password for the relay is {}.", "The API key is {}.", "The root token is {}; ask Mei Lin."],
    ),
    "no value": (
        lambda rng: rng.choice(
            ["rotated every 90 days", "at least 12 characters", "checked by bcrypt", "never logged"]
        ),
        ["The admin password is {}.", "Each access token is {}.", "A passphrase is {}."],
    ),
    "public ssh key": (
        lambda rng: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + some(rng, ALNUM, 43) + " ci@relay",
        ["The deploy key is {}", "authorized_keys: {}"],
    ),
    "certificate": (armour("CERTIFICATE", 400), ["The relay's certificate:\n{}", "{}"]),
    "public key": (armour("PUBLIC" + " KEY", 200), ["Verify with this key:\n{}", "{}"]),
    "ssh fingerprint": (
        lambda rng: "SHA256:" + some(rng, BASE64, 43),
        ["Host key fingerprint {}.", "The host key is {}"],
    ),
    "arn": (
        lambda rng: f"arn:aws:iam::{some(rng, DIGITS, 12)}:role/ledger-deploy",
        ["Assume {} to rotate the key.", "role: {}"],
    ),
    "instance": (
        lambda rng: "i-0" + some(rng, HEX, 16),
        ["The worker runs on {}.", "Instance {} holds the session tokens."],
    ),
    "publishable key": (
        lambda rng: "cus_" + some(rng, ALNUM, 14),
        ["The test customer of Stripe is {}.", "Customer {} has a card token."],
    ),
    "channel": (lambda rng: "C0" + some(rng, UPPER + DIGITS, 9), ["Post to Slack channel {}.", "key channel: {}"]),
    "pod": (
        lambda rng: f"{_name(rng)}-{some(rng, HEX, 10)}-{some(rng, LOWER + DIGITS, 5)}",
        ["Pod {} lost its token.", "kubectl logs {}"],
    ),
    "identifier": (
        lambda rng: rng.choice(
            ["JwtTokenAuthenticationFilter", "get_access_token_v2", "OAuth2TokenCache", "X509KeyStore"]
        ),
        ["The token is parsed by {}.", "key class: {}", "Call `{}` to refresh the secret."],
    ),
    "code": (
        lambda rng: rng.choice(["getToken(user)", "os.environ['TOKEN']", "self.token2 or None", "await auth.token()"]),
        ["token = {}", "const apiKey = {};", "password = {}"],
    ),
    "key binding": (
        lambda rng: rng.choice(["Ctrl+Shift+P", "Cmd+K Cmd+S", "F12", "Alt+Enter"]),
        ["The key for the palette is {}.", "key: {}"],
    ),
    "data key": (
        lambda rng: rng.choice(["customer_id", "user:{id}:v2", "invoice_no_2026", "tenant_uuid4"]),
        ["The primary key is {}.", "The cache key is {}.", "partition key = {}"],
    ),
    "mac address": (
        lambda rng: ":".join(some(rng, HEX, 2) for _ in range(6)),
        ["The scanner's address is {}.", "key scanner {}"],
    ),
    "ipv6": (
        lambda rng: "2001:db8:" + ":".join(some(rng, HEX, 4) for _ in range(4)) + "::1",
        ["The key server listens on {}.", "relay {}"],
    ),
    "ulid": (lambda rng: "01J" + some(rng, UPPER + DIGITS, 23), ["Job {} failed.", "event id {}"]),
    "email": (
        lambda rng: f"{_name(rng)}+token{rng.randrange(99)}@example.com",
        ["Mail {} for a new password.", "contact: {}"],
    ),
    "words": (
        lambda rng: rng.choice(
            ["internationalisation", "counterrevolutionary", "key-value-store", "token-bucket-limiter"]
        ),
        ["The secret of good {} is patience.", "token: {}", "Key topic: {}"],
    ),
    "video": (
        lambda rng: "https://youtu.be/" + some(rng, URLSAFE, 11),
        ["The keynote is {}.", "Talk on secrets: {}"],
    ),
    "document": (
        lambda rng: "https://docs.google.com/document/d/1" + some(rng, URLSAFE, 43) + "/edit",
        ["Design doc: {}", "The token design is in {}."],
    ),
    "example key": (
        lambda rng: "AK" + "IAIOSFODNN7" + "EXAMPLE",
        ["The docs of AWS show {}.", "Do not flag {} in tests."],
    ),
}

# A second set. Other kinds, other places.
OTHERS: dict[str, tuple[Maker, list[str]]] = {
    "vault": (after("hv" + "s.", URLSAFE, 90), ["Vault root: {}", "login with {}"]),
    "databricks": (after("da" + "pi", HEX, 32), ["The notebook uses {}", "host ledger, {}"]),
    "shopify": (after("shp" + "at_", HEX, 32), ["Shop admin {}.", "{} is for the shop."]),
    "grafana": (lambda rng: "gls" + "a_" + some(rng, ALNUM, 32) + "_" + some(rng, HEX, 8), ["dashboards: {}", "({})"]),
    "new relic": (after("NR" + "AK-", UPPER + DIGITS, 27), ["NR {}", "'{}'"]),
    "groq": (after("gs" + "k_", ALNUM, 52), ["groq={}", "Groq works with {} now"]),
    "openrouter": (after("sk-" + "or-v1-", HEX, 64), ["Route with {}", "`{}`"]),
    "deepseek": (after("s" + "k-", HEX, 32), ["DeepSeek: {}", "export DEEPSEEK={}"]),
    "replicate": (after("r" + "8_", ALNUM, 37), ["replicate {}", "models: {}"]),
    "linear": (after("lin" + "_api_", ALNUM, 40), ["Linear: {}", "tickets via {}"]),
    "notion": (after("nt" + "n_", ALNUM, 46), ["Notion pages: {}", "{} reads the wiki"]),
    "digitalocean": (after("do" + "p_v1_", HEX, 64), ["droplets {}", "DO: {}"]),
    "postman": (lambda rng: "PM" + "AK-" + some(rng, HEX, 24) + "-" + some(rng, HEX, 34), ["{}", "Postman {}"]),
    "figma": (after("fig" + "d_", URLSAFE, 40), ["designs {}", "Figma: {}"]),
    "tailscale": (
        lambda rng: "tskey" + "-auth-" + some(rng, ALNUM, 12) + "-" + some(rng, ALNUM, 32),
        ["up --k={}", "{}"],
    ),
    "gitlab deploy": (after("gl" + "dt-", URLSAFE, 20), ["mirror {}", "clone as deploy: {}"]),
    "slack app": (
        lambda rng: "xap" + f"p-1-A{some(rng, UPPER, 10)}-{some(rng, DIGITS, 13)}-{some(rng, HEX, 64)}",
        ["socket mode {}", "{}"],
    ),
    "discord webhook": (
        lambda rng: "https://discord.com/api/web" + f"hooks/{some(rng, DIGITS, 18)}/{some(rng, URLSAFE, 68)}",
        ["alerts go to {}", "<{}>"],
    ),
    "npmrc": (_hex(40), ["//registry.internal/:_auth" + "Token={}", "npm config set //r/:_auth" + "Token {}"]),
    "docker auth": (
        lambda rng: base64.b64encode(f"ci:{some(rng, ALNUM, 18)}".encode()).decode(),
        ['{{"auths": {{"r.internal": {{"auth": "{}"}}}}}}', "Authorization: Basic {}"],
    ),
    "netrc": (password, ["machine relay.internal login ci password {}", "machine a login b\n  password {}"]),
    "shell": (
        password,
        ["export PGPASSWORD='{}'", "curl -u ci:{} https://relay.internal/", "mysql -u root --password={} ledger"],
    ),
    "yaml": (password, ["db:\n  user: app\n  password: {}\n", 'smtp_password: "{}"', "redis:\n  auth_pass: {}"]),
    "json": (after("", URLSAFE, 32), ['{{"client_secret": "{}"}}', '{{"refreshToken":"{}"}}', "'secret_key': '{}',"]),
    "hex token": (_hex(40), ["The deploy token is {}.", "Signing secret: {}", "auth token for CI = {}"]),
    "amqp": (connection("amqps", "mq.internal/jobs"), ["broker {}", "queue url: {}"]),
    "redis": (lambda rng: f"redis://:{some(rng, ALNUM, 16)}@cache.internal:6379/0", ["cache: {}", "({})"]),
    "turned round": (password, ["Use {} as the password for the wiki.", "`{}` is the admin password."]),
    "other tongues": (
        password,
        [
            "Kennwort: {}",
            "A senha do wifi é {}",
            "Пароль от стенда: {}",
            "数据库密码是 {}",
            "管理画面のパスワードは {} です",
            "Il codice e la password sono: {}",
        ],
    ),
    "pin": (
        lambda rng: str(rng.randrange(1000, 999999)),
        ["The PIN of the door is {}.", "door pin: {}", "Passcode: {}"],
    ),
    "words": (
        lambda rng: "-".join(rng.sample(["correct", "horse", "battery", "staple", "lagoon", "pepper"], 4)),
        ["The passphrase is {}.", "disk passphrase: {}"],
    ),
    "unknown prefix": (after("rly" + "_live_", ALNUM, 28), ["The relay's API key is {}", "key for the relay: {}"]),
    "low context": (after("", ALNUM, 32), ["relay token ({})", "For the exporter the secret one, {}, works."]),
    "encrypted key": (armour("ENCRYPTED " + PRIVATE, 300), ["{}", "EC:\n\n{}"]),
}

OTHER_LOOKALIKES: dict[str, tuple[Maker, list[str]]] = {
    "hash in context": (_hex(40), ["Revision {} renamed the token class.", "upstream sha {} adds key rotation"]),
    "uuid token": (
        lambda rng: str(uuid.UUID(int=rng.getrandbits(128), version=4)),
        ["The session token table has row {}.", "tenant {} needs a new key"],
    ),
    "policy": (
        lambda rng: rng.choice(
            [
                "Passwords are hashed with argon2id and a 16-byte salt.",
                "The password must be at least 12 characters, with one digit.",
                "The token is valid for 15m; refresh it with /oauth2/token.",
                "API keys are read from the environment, never from code.",
                "password: ask Mei Lin",
                "Password reset links expire after 24h.",
                "The secret is patience: run the tests twice.",
                "Key: value pairs are sorted before they are signed.",
                "pass: 12 of 14 tests",
                "The tests pass = good.",
                "The API key is in the vault (kv2/ledger/prod).",
                "Never put a password=... in a URL.",
                "The token count is 4096 at most.",
                "max_tokens: 8192",
                "token: {type: string, minLength: 32}",
                "The secret manager is Vault 1.15.2.",
                "The public key id is 0x4AEE18F83AFDEB23.",
                "Secrets are mounted at /run/secrets/relay_v2_token.",
                "password: str | None = None",
                "The password is different on each machine.",
                "The password is the same as last year.",
                "The key is to keep functions short.",
                "Key decision: move to http2 by Q3",
                "pwd: /home/mei/ledger",
                "The passphrase is never stored on disk.",
                "Das Passwort ist im Tresor.",
                "La contraseña es obligatoria.",
                "Le mot de passe est expiré depuis 2024.",
                "密码是必填项",
                "パスワードは必須です",
                "password_hash: $2b$12$",
                "The bearer token is sent as Authorization: Bearer <token>.",
                "postgres://user:password@localhost/db is the shape of the URL.",
                "https://${USER}:${PASSWORD}@reports.internal/",
                "Set api_key to your own key.",
                "token=abc",
                "Passwort: siehe 1Password",
                "PIN the version to 4.2.1.",
                "The PIN has 4 digits.",
                "The key rate is 3.75%.",
            ]
        ),
        ["{}"],
    ),
    "k8s secret": (_name, ["The secret is called {}-tls-2026.", "secretName: {}-db-credentials-v2"]),
    "json schema": (_name, ['{{"token": {{"type": "string", "title": "{}"}}}}', '"secret_ref": "{}/db/main"']),
    "model": (
        lambda rng: rng.choice(["claude-3-5-sonnet-20241022", "gpt-4o-mini-2024-07-18", "text-embedding-3-large"]),
        ["The token limit of {} is enough.", "key model: {}"],
    ),
    "commit url": (
        _hex(40),
        ["https://github.com/acme/tokens/commit/{}", "token fix: https://git.internal/acme/ledger/-/commit/{}"],
    ),
    "trace": (_hex(32), ["trace_id={} shows the token refresh", "The key trace is 00-{}-00f067aa0ba902b7-01"]),
    "lockfile": (_sri, ["key-value@1.0.0: {}", "token-parser resolved, {}"]),
    "number": (
        lambda rng: some(rng, DIGITS, 16),
        ["The key account has number {}.", "invoice {} for the token ring"],
    ),
    "camel": (
        lambda rng: rng.choice(
            ["handleOAuth2TokenRefreshV2", "Base64UrlEncodedSecretKeySpec", "sha256WithRSAEncryption"]
        ),
        ["Secret handling is in {}.", "The key algorithm is {}"],
    ),
    "quote": (_name, ['The token "{}" is the name of a package.', "The key `{}` holds the list."]),
}


def _samples(kinds: dict[str, tuple[Maker, list[str]]], seed: str, count: int) -> list[Sample]:
    """Return `count` samples, of each kind as many."""
    made = []
    for kind, (make, sentences) in kinds.items():
        rng = random.Random(f"{seed}/{kind}")
        for at in range(-(-count // len(kinds))):
            value = make(rng)
            sentence = sentences[at % len(sentences)]
            made.append(Sample(kind, sentence.format(value), value))
    return made[:count]


def credentials(count: int = 200, seed: str = "1") -> list[Sample]:
    """Return fake credentials of 40 kinds."""
    return _samples(KINDS, seed, count)


def lookalikes(count: int = 200, seed: str = "1") -> list[Sample]:
    """Return what looks like a credential and is none, of 40 kinds."""
    return [sample._replace(value="") for sample in _samples(LOOKALIKES, seed, count)]


def others(count: int = 204, seed: str = "2") -> list[Sample]:
    """Return fake credentials of the second set."""
    return _samples(OTHERS, seed, count)


def other_lookalikes(count: int = 480, seed: str = "2") -> list[Sample]:
    """Return look-alikes of the second set."""
    return [sample._replace(value="") for sample in _samples(OTHER_LOOKALIKES, seed, count)]


def memory_file(sample: Sample, name: str) -> bytes:
    """Return a memory's file with a sample in its text, as the HQ writes one."""
    head = f"name: {name}\ndescription: What the {_NAMES[len(sample.kind) % len(_NAMES)]} needs\ntype: reference\n"
    dates = "source: agent\ncreated: 2026-05-01\nupdated: 2026-06-02\n"
    return f"---\n{head}{dates}---\n{sample.text}\n".encode()


def hidden(sample: Sample) -> str:
    """Return the part of a credential that nobody may see: of a URL the password, of a block a line of it."""
    value = sample.value
    if "://" in value:
        user, at, _ = value.partition("@")
        return user.rpartition(":")[2] if at else value.rpartition("/")[2]
    if "BEGIN" in value:
        return value.replace("\\n", "\n").split("\n")[-3 if value.startswith("-") else 8].strip('" ,}')
    return value.partition("Account" + "Key=")[2] or value
