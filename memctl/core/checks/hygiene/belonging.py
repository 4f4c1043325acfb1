"""What the documents say does not belong in memory: status, plans, code structure, conversations, long instructions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from memctl.core.checks.hygiene.signs import Sign, earliest
from memctl.core.checks.hygiene.status import SIGNS
from memctl.core.checks.hygiene.units import Unit, finding, lowered, quoted
from memctl.core.checks.rule import Finding, Severity

if TYPE_CHECKING:
    import re

# Products that are called like a file.
_NO_FILE = r"(?!(?:node|reveal|vue|next|nuxt|react|three|express|d3|chart|ember|backbone|discord|socket|p5|moment|alpine|nest|angular)\.js\b)"
_CODE = _NO_FILE + (
    r"[\w./-]{0,100}\w\.(?:py|pyi|tsx?|jsx?|mjs|rs|go|java|kts?|rb|cc?|cpp|hpp?|cs|php|swift|scala|sql|sh|vue|svelte|ex|exs|lua|dart|zig)\b"
)
# A plan that is only pointed to is what should be written: `Design: https://…`.
_HERE = r"(?![ \t]*(?:https?://|see\b|in\b|at\b|on\b|\[|<|`))"
_VERBS = (
    "renders|parses|loads|handles|contains|defines|implements|exports|holds|builds|computes|reads|writes|calls|wraps|owns"
    "|provides|registers|manages|creates|validates|maps|converts|stores|serves|routes|imports|checks|decides|keeps"
)
_PLANS = (
    Sign((".",), rf"(?<![\w/.])(?<!://){_CODE}(?::\d{{1,6}}\b|[^\n;]{{0,60}}?\b(?:class|function|method|module|struct|interface|component|line \d{{1,6}}|def|defines?|contains|implements|exports|handles|is in|lives in|entry point)\b)"),
    Sign((".",), rf"\b(?:class|function|method|module|struct|interface|component|parser|handler|controller|router|entry point|logic|code|model|schema|helpers?)\b[^.\n]{{0,60}}?\b(?:in|at|lives in|defined in|implemented in|located in|inside)\s[`'\"]?{_CODE}"),
    Sign((".",), rf"\b(?:entry ?point|main (?:file|module|class|script|function))(?: of [\w -]{{1,40}})? (?:is|are) [`'\"]?{_CODE}"),
    Sign((".",), rf"\b(?:module|class|component|package|file|source file|controller|handler) [`'\"]?{_CODE}[`'\"]? (?:{_VERBS})\b"),
    Sign(("──", "-- "), r"[├└]──|^[ \t]{0,12}[|`+]-- \S"),
    Sign(("#",), r"^#{1,4} (?:the )?(?:implementation |project |technical |system )?(?:plan|design|architecture|roadmap|milestones|phases|code structure|project structure|directory structure|file structure|folder structure|directory layout)\b"),
    Sign(("plan", "design", "architecture", "roadmap", "approach"), rf"^[^\w\n]{{0,6}}(?:implementation plan|plan|design|architecture|roadmap|approach)[ \t]?[^\w\n]{{0,3}}:{_HERE}"),
    Sign(
        ("plan", "design", "architecture", "roadmap"),
        r"^[^\w\n]{0,6}(?:the )?(?:api|database|db|system|software|technical|schema|data model|backend|frontend|back-end|front-end|service|component|module|class|code|migration"
        rf"|refactor(?:ing)?|rollout|high-level|low-level|detailed|initial) (?:design|architecture|plan|roadmap)[ \t]?[^\w\n]{{0,3}}:{_HERE}",
    ),
    Sign(
        ("structure", "layout", "tree", "organi"),
        r"^[^\w\n]{0,6}(?:the )?(?:project |repo |repository |source )?(?:directory|folder|file|project|code|repo(?:sitory)?|source|module|package) (?:structure|layout|tree|organi[sz]ation)"
        rf"[ \t]?[^\w\n]{{0,3}}:{_HERE}",
    ),
    Sign(("plan", "intend", "will first"), r"\bthe plan is to\b|\b(?:we|i) (?:plan|are planning|intend) to\b|\b(?:we|i) will first\b"),
    Sign(("phase", "milestone", "step"), r"^[^\w\n]{0,6}(?:phase|milestone|step) \d{1,2}[ \t]?[^\w\n]{0,3}[:.)—-]"),
    Sign(("class", "function", "method", "struct"), r"\b(?:class|function|method|struct) `?\w{1,60}(?:\(\))?`? (?:extends|inherits|implements|takes|returns|calls|wraps|handles)\b"),
    Sign(("the code", "the repo", "the project"), r"\bthe (?:code|codebase|repo|repository|project) (?:is (?:organi[sz]ed|structured|split)|has (?:the following|this) (?:structure|layout))\b"),
)  # fmt: skip
_ROLES = {
    "user": "u", "human": "u", "me": "u", "you": "u", "customer": "u", "q": "u", "question": "u",
    "assistant": "a", "agent": "a", "ai": "a", "bot": "a", "claude": "a", "gpt": "a", "chatgpt": "a", "model": "a",
    "a": "a", "answer": "a", "support": "a", "gemini": "a", "deepseek": "a", "codewhale": "a",
}  # fmt: skip
# In other languages only those of a person and a machine: `Frage` and `Antwort` stand in a list of questions too.
_ROLES |= {"u": "u"} | dict.fromkeys(
    (
        "用户",
        "用戶",
        "使用者",
        "ユーザー",
        "ユーザ",
        "사용자",
        "nutzer",
        "benutzer",
        "utilisateur",
        "usuario",
        "usuário",
        "utente",
        "gebruiker",
        "пользователь",
    ),
    "u",
)
_ROLES |= dict.fromkeys(
    ("助手", "助理", "アシスタント", "어시스턴트", "assistent", "asistente", "assistente", "ассистент", "помощник"), "a"
)
_SPEAKER = (
    rf"(?:^|[.!?…\"”|/] {{1,2}}|[。！？])[ \t]{{0,4}}(?:[-*>] )?[*_`\[]{{0,3}}(?P<role>{'|'.join(sorted(_ROLES, key=len, reverse=True))})"
    r"[*_`\]]{0,3}(?::[*_]{0,2} |：)"
)
_CHAT = r"^[ \t>*-]{0,6}\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]? {0,2}[-–—]? ?<?@?\w[\w .-]{0,30}>?: "
_TALK = (
    r"\b(?:earlier|previously|above|before) in (?:this|our|the) (?:chat|conversation|session|thread)\b|\bin (?:this|our|the current) (?:chat|conversation|session)\b"
    r"|\b(?:as )?(?:i|you) (?:said|mentioned|asked|told (?:me|you)) (?:above|earlier|before|just now)\b|\byou (?:just )?asked me\b"
    r"|\b(?:the )?user (?:said|asked|wrote|replied|answered)\b[^\n]{0,10}[\"“'][^\n]{8,200}[\"”'][^\n]{0,60}\b(?:assistant|agent|i|we) (?:said|answered|replied|responded)\b"
)  # fmt: skip
# A step stands in a list, on a line, or in a sentence of its own.
_STEP = (
    r"(?:^[ \t]{0,8}(?:(?:\d{1,3}[.)]|[-*+])[ \t]{1,4}(?:\[[ x]\] )?)?|[.!?;:)][\"')]?[ \t]{1,2})[*_`]{0,3}"
    r"(?:(?:then|please|first|next|finally|now|also|and),? ){0,2}(?P<word>[a-z']{2,20})\b|(?:^|[。！？；])[ \t]{0,4}(?P<han>请|請|不要|必须|务必|切勿|先|然后)"
)
_IMPERATIVES = frozenset(
    "add always apply ask assert avoid backup build bump call change check choose clean click clone close collect commit"
    " compare configure confirm connect convert copy create define delete deploy describe disable do document don't download"
    " drop edit enable ensure enter execute explain export extract fetch fill find finish first fix follow format generate"
    " get give go if import include increase initialize insert inspect install invoke keep launch list load log look make"
    " mark measure merge migrate mention monitor move must name navigate never note notify only open paste pick ping prefer"
    " prepare press print provision publish pull push put read rebase record refactor reload remember remove rename repeat"
    " replace report request reset resolve restart restore return review roll rotate run save scan search select send set"
    " should show sign skip source split start stop submit switch sync tag take tell test then tidy trigger type update"
    " upgrade upload use validate verify wait when write".split()
)
_STEPS = 8
_NOTE_SENTENCES = 6
_NOTE_LENGTH = 600


@cache
def _compiled(name: str) -> re.Pattern[str]:
    import re

    patterns = {
        "speaker": _SPEAKER,
        "chat": _CHAT,
        "talk": _TALK,
        "step": _STEP,
        "sentence": r"[.!?](?=\s|$)|[。！？]",
    }
    return re.compile(patterns[name], re.M)


def status(unit: Unit) -> Iterator[Finding]:
    """Yield the status of a task, branch, pull request or deploy."""
    yield from _first(unit, "H006", SIGNS, "the status of a task, branch, pull request or deploy")


def plan(unit: Unit) -> Iterator[Finding]:
    """Yield a plan, a design, or where something is in the code."""
    yield from _first(unit, "H007", _PLANS, "a plan, a design or the structure of code")


def _first(unit: Unit, rule: str, signs: Sequence[Sign], what: str) -> Iterator[Finding]:
    """Yield the first place of each text of a unit that a sign finds: one is enough to say what it is."""
    for part in unit.parts:
        folded = lowered(part.text)
        if span := earliest(signs, folded.text):
            start, end = folded.span(*span)
            words = part.text[start:end].strip(" \t\r\n.;!?")
            offset = part.start + part.text.find(words, start)
            message = f"{what} does not belong in memory: {quoted(words)}"
            yield finding(unit, rule, Severity.INFO, message, words, offset, len(words.partition("\n")[0]))


def conversation(unit: Unit) -> Iterator[Finding]:
    """Yield a piece of a conversation: two speakers, lines of a chat, or talk about the talk."""
    part = unit.content
    folded = lowered(part.text)
    turns = list(_compiled("speaker").finditer(folded.text))
    lines = list(_compiled("chat").finditer(folded.text))
    if len({_ROLES[turn["role"]] for turn in turns}) == 2:
        where = turns[0].span("role")
    elif len(lines) >= 3:
        where = lines[0].span()
    elif talk := _compiled("talk").search(folded.text):
        where = talk.span()
    else:
        return
    start, end = folded.span(*where)
    message = f"a piece of a conversation, at {quoted(part.text[start:end])}; write down the fact"
    yield finding(unit, "H008", Severity.INFO, message, part.text[start:end], part.start + start, end - start)


def long_instructions(unit: Unit) -> Iterator[Finding]:
    """Yield a long list of instructions, and a note of more than a few sentences."""
    part = unit.content
    folded = lowered(part.text)
    steps = [step for step in _compiled("step").finditer(folded.text) if step["han"] or step["word"] in _IMPERATIVES]
    if len(steps) >= _STEPS:
        start, _ = folded.span(*steps[0].span("han" if steps[0]["han"] else "word"))
        message = f"{len(steps)} instructions in one memory; keep them in the workspace, and say where"
        offset = part.start + start
        yield finding(unit, "H009", Severity.INFO, message, part.text.strip(), offset)
    elif unit.record is None:
        sentences = len(_compiled("sentence").findall(folded.text))
        if sentences >= _NOTE_SENTENCES or len(part.text) > _NOTE_LENGTH:
            message = (
                f"a note of {max(sentences, 1)} sentences and {len(part.text):,} characters; keep it in the workspace"
            )
            yield finding(unit, "H009", Severity.INFO, message, part.text.strip(), part.start)
