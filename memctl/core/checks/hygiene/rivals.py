"""Words that exclude each other: opposites, and the names of things of one kind of which a task takes one."""

from __future__ import annotations

_POLES = (
    ("on", "off"), ("yes", "no"), ("true", "false"), ("enabled", "disabled"), ("enable", "disable"),
    ("tabs", "spaces"), ("always", "never"), ("allowed", "forbidden prohibited banned disallowed"), ("before", "after"),
    ("left", "right"), ("minimum", "maximum"), ("dark", "light"), ("short brief concise terse", "long detailed verbose lengthy"),
    ("formal", "informal casual"), ("uppercase", "lowercase"), ("single", "double"), ("public", "private"),
    ("manual manually", "automatic automatically"), ("synchronous", "asynchronous"), ("relative", "absolute"),
    ("metric", "imperial"), ("ascending", "descending"), ("open", "closed"), ("required mandatory", "optional"),
    ("likes loves enjoys", "dislikes hates"), ("like love enjoy", "dislike hate"), ("more", "less fewer"),
    ("horizontal", "vertical"), ("first", "last"), ("early", "late"), ("warm", "cold"), ("loud", "quiet"),
    ("mag", "hasst"), ("kurze kurz", "lange lang ausführliche ausführlich"), ("helles", "dunkles"), ("hellen", "dunklen"),
    ("courtes", "longues"), ("cortas corto", "largas largo"), ("clair", "sombre"), ("claro", "oscuro escuro"),
    ("короткие", "длинные"), ("тёмную тёмная", "светлую светлая"), ("любит", "ненавидит"),
)  # fmt: skip
# Of a word its pair and its side: two texts that differ in the side of one word only exclude each other.
POLES = {
    word: (f"|{first} {second}", side)
    for first, second in _POLES
    for side, words in enumerate((first, second))
    for word in words.split()
}
# The same in scripts without blanks, where a word is not told apart from its neighbours.
RUNS = (
    ("喜欢", "讨厌"), ("喜歡", "討厭"), ("总是", "从不"), ("總是", "從不"), ("允许", "禁止"), ("允許", "禁止"), ("深色", "浅色"),
    ("深色", "淺色"), ("简短", "详细"), ("開啟", "關閉"), ("开启", "关闭"), ("启用", "禁用"), ("公开", "私有"), ("好き", "嫌い"),
    ("短い", "長い"), ("ます", "ません"), ("有効", "無効"), ("許可", "禁止"), ("좋아", "싫어"), ("짧은", "긴"), ("사용합니다", "사용하지 않습니다"),
)  # fmt: skip
_KINDS = (
    "postgres postgresql mysql mariadb sqlite oracle mssql mongodb cockroachdb dynamodb cassandra couchdb firestore",
    "pytest unittest nose jest mocha vitest jasmine junit testng rspec minitest phpunit ava",
    "stripe adyen paypal braintree mollie klarna square worldpay",
    "npm pnpm yarn bun",
    "poetry uv pip pipenv conda pdm",
    "aws gcp azure hetzner digitalocean heroku",
    "slack teams discord mattermost zulip",
    "jira linear asana trello clickup youtrack redmine",
    "github gitlab bitbucket codeberg gitea",
    "jenkins circleci travis teamcity buildkite",
    "black yapf autopep8",
    "webpack vite rollup parcel esbuild",
    "bash zsh fish powershell",
    "vim neovim emacs vscode pycharm intellij helix nano",
    "django flask fastapi",
    "svelte react vue angular",
    "rabbitmq kafka sqs nats",
    "datadog newrelic",
    "mypy pyright",
    "eslint biome",
    "make just bazel",
)
# What is written in one of them is not written in another; who writes may know both.
_WRITTEN = "python go rust java kotlin typescript javascript ruby php swift scala elixir perl haskell"
_SPOKEN = (
    "english german french spanish italian portuguese dutch polish russian chinese japanese korean turkish swedish"
)
_TIMES = (
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "montags dienstags mittwochs donnerstags freitags samstags sonntags",
    "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "lunes martes miércoles jueves viernes sábado domingo",
    "понедельник вторник среду четверг пятницу субботу воскресенье",
)
_SAME = {"postgresql": "postgres"}
KINDS = {word: (number, _SAME.get(word, word)) for number, words in enumerate(_KINDS) for word in words.split()}
KINDS |= {word: (-3 - number, word) for number, words in enumerate(_TIMES) for word in words.split()}
KINDS |= {word: (-1, word) for word in _WRITTEN.split()}
KINDS |= {word: (-2, word) for word in _SPOKEN.split()}
# Before a name of a kind, what says that it is the one taken; a language is taken by `written in` or `answer in` alone.
TAKEN = frozenset("uses use using with on to prefers prefer is are via by".split())
WRITING = frozenset("written implemented programmed answer answers reply replies respond write speak comments".split())


def rivals(one: str, other: str) -> bool:
    """Return whether two words, in lower case, exclude each other: opposites, or two of one kind."""
    first, second = POLES.get(one), POLES.get(other)
    if first and second and first[0] == second[0]:
        return first[1] != second[1]
    kind, twin = KINDS.get(one), KINDS.get(other)
    return kind is not None and twin is not None and kind[0] == twin[0] and kind[1] != twin[1]
