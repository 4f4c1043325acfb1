"""What the documents say does not belong in memory: status, plans, code structure, conversations, long instructions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from memctl.core.checks.folding import fold
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.units import Unit, finding, quoted

if TYPE_CHECKING:
    import re

_STATE = (
    "open|opened|merged|closed|draft|waiting|awaiting|pending|ready|approved|in review|under review|blocked|needs|failing|green"
    "|submitted|rebased|conflicts?|landed|up for review|in progress|done|finished|assigned|todo|to do|resolved|fixed|reopened"
    "|started|stuck|wip|complete|completed|on hold"
)
_CODE = r"[\w./-]{0,100}\w\.(?:py|pyi|tsx?|jsx?|mjs|rs|go|java|kts?|rb|cc?|cpp|hpp?|cs|php|swift|scala|sql|sh|vue|svelte|ex|exs|lua|dart|zig)\b"
_STATUS = (
    rf"\b(?:pr|pull request|mr|merge request)s?\s{{0,2}}[#!]?\d{{1,7}}\b[^.\n]{{0,60}}?\b(?:{_STATE})\b",
    rf"\b(?:task|ticket|issue|story|bug|epic|card)\s{{0,2}}#?(?:[a-z]{{1,10}}-)?\d{{1,7}}\b[^.\n]{{0,40}}?\b(?:{_STATE})\b",
    rf"\b[a-z]{{2,10}}-\d{{1,6}}(?: is| was| has been|:) (?:now |still |currently )?(?:{_STATE})\b",
    r"\b(?:is|are|currently|still) (?:waiting for|awaiting|blocked on|pending|ready for|in) (?:code |a |the )?(?:review|approval|merge|ci|qa|deploy\w{0,6})\b",
    r"\bbranch [`'\"]?[\w-]{1,40}/[\w./-]{1,60}|\b(?:feature|feat|fix|bugfix|hotfix|chore|release)/[\w.-]{1,60}[`'\"]?[^.\n]{0,40}?\b(?:merged|pushed|rebased|ahead|behind|ready|deleted|open|in progress|pending|waiting)\b",
    r"\bbranch [`'\"]?[\w./-]{1,60}[`'\"]? (?:is|was|has been|needs|got) (?:\w{1,12} )?(?:merged|pushed|rebased|ahead|behind|ready|deleted|open|stale|\d{1,4} commits)\b",
    r"\b\d{1,4} commits? (?:ahead|behind)\b|\b(?:pushed|force-pushed) to (?:origin|main|master|the branch)\b|\bchecked out (?:on|to) [`'\"]?[\w-]{1,40}/",
    r"\b(?:deploy(?:ed|ment)?|rollout|migration|release)\b[^.\n]{0,40}?\b(?:is|was|has|currently|still)\b[^.\n]{0,15}?\b(?:in progress|failed|pending|succeeded|done|complete|completed|rolled back|running|finished|stuck|blocked|live)\b",
    r"\b(?:deployed|rolled out|shipped|released) (?:\S{1,30} )?(?:to|on|in) (?:the )?(?:staging|production|prod|dev|qa|canary|preview)\b",
    r"\b(?:staging|production|prod) (?:is|runs)(?: running)?(?: on| at)? (?:version )?v?\d{1,4}\.\d",
    r"^\W{0,6}status\s?\W{0,3}:\W{0,3}(?:in progress|done|todo|open|blocked|staged|pending|wip|complete|completed|started|merged|closed)\b",
    r"\b(?:i'm|i am|we're|we are|is|am|are)? ?currently (?:working|implementing|debugging|editing|fixing|investigating|refactoring|writing|migrating|blocked|testing|reviewing)\b|\b(?:i'm|i am|we're|we are) (?:now |still )?(?:working on|editing|debugging|fixing|in the middle of)\b",
    r"^\W{0,6}(?:wip|todo|fixme|next steps?|remaining(?: work| tasks| steps)?|left to do|in progress|blocked)\s?\W{0,3}:",
    r"^[ \t]{0,8}[-*+] \[[ xX]\] ",
    r"\b(?:ci|the build|build|pipeline|tests|the tests|test suite) (?:is|are) (?:currently |still |now )?(?:red|green|failing|broken|passing)\b",
    r"\b\d{1,3} ?% (?:done|complete|completed|finished)\b|\bhalf[- ]done\b",
    r"\bpr\b[^.\n]{0,30}?\b(?:is|was)\b[^.\n]{0,20}?\b(?:open|merged|waiting|in review|under review|approved|ready)\b",
)  # fmt: skip
_PLANS = (
    rf"(?<![\w/.])(?<!://){_CODE}(?::\d{{1,6}}\b|[^\n]{{0,60}}?\b(?:class|function|method|module|struct|interface|component|line \d{{1,6}}|def|defines?|contains|implements|exports|handles|is in|lives in|entry point)\b)",
    rf"\b(?:class|function|method|module|struct|interface|component|parser|handler|controller|router|entry point|logic|code|model|schema|helpers?)\b[^.\n]{{0,60}}?\b(?:in|at|lives in|defined in|implemented in|located in|inside)\s[`'\"]?{_CODE}",
    r"[├└]──|^[ \t]{0,12}[|`+]-- \S",
    r"^#{1,4} (?:the )?(?:implementation |project |technical |system )?(?:plan|design|architecture|roadmap|milestones|phases|code structure|project structure|directory structure|file structure|folder structure|directory layout)\b",
    r"^\W{0,6}(?:implementation plan|plan|design|architecture|roadmap|approach)\s?\W{0,3}:",
    r"\bthe plan is to\b|\b(?:we|i) (?:plan|are planning|intend) to\b|\b(?:we|i) will first\b",
    r"^\W{0,6}(?:phase|milestone|step) \d{1,2}\s?\W{0,3}[:.)—-]",
    r"\b(?:class|function|method|struct) `?\w{1,60}(?:\(\))?`? (?:extends|inherits|implements|takes|returns|calls|wraps|handles)\b",
    r"\bthe (?:code|codebase|repo|repository|project) (?:is (?:organi[sz]ed|structured|split)|has (?:the following|this) (?:structure|layout))\b",
)  # fmt: skip
_ROLES = {
    "user": "u", "human": "u", "me": "u", "you": "u", "customer": "u", "q": "u", "question": "u",
    "assistant": "a", "agent": "a", "ai": "a", "bot": "a", "claude": "a", "gpt": "a", "chatgpt": "a", "model": "a",
    "a": "a", "answer": "a", "support": "a", "gemini": "a", "deepseek": "a", "codewhale": "a",
}  # fmt: skip
_SPEAKER = rf"(?:^|[.!?…\"”|/] {{1,2}})[ \t]{{0,4}}(?:[-*>] )?[*_`\[]{{0,3}}(?P<role>{'|'.join(_ROLES)})[*_`\]]{{0,3}}:[*_]{{0,2}} "
_CHAT = r"^[ \t>*-]{0,6}\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?\]? {0,2}[-–—]? ?<?@?\w[\w .-]{0,30}>?: "
_TALK = (
    r"\b(?:earlier|previously|above|before) in (?:this|our|the) (?:chat|conversation|session|thread)\b|\bin (?:this|our|the current) (?:chat|conversation|session)\b"
    r"|\b(?:as )?(?:i|you) (?:said|mentioned|asked|told (?:me|you)) (?:above|earlier|before|just now)\b|\byou (?:just )?asked me\b"
    r"|\b(?:the )?user (?:said|asked|wrote|replied|answered)\b[^\n]{0,10}[\"“'][^\n]{8,200}[\"”'][^\n]{0,60}\b(?:assistant|agent|i|we) (?:said|answered|replied|responded)\b"
)  # fmt: skip
_STEP = r"^[ \t]{0,8}(?:\d{1,3}[.)]|[-*+])[ \t]{1,4}(?:\[[ x]\] )?[*_`]{0,3}(?P<word>[a-z']{2,20})"
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
        "H006": "|".join(_STATUS),
        "H007": "|".join(_PLANS),
        "speaker": _SPEAKER,
        "chat": _CHAT,
        "talk": _TALK,
        "step": _STEP,
        "sentence": r"[.!?](?=\s|$)|[。！？]",
    }
    return re.compile(patterns[name], re.M)


def status(unit: Unit) -> Iterator[Finding]:
    """Yield the status of a task, branch, pull request or deploy."""
    yield from _first(unit, "H006", "the status of a task, branch, pull request or deploy")


def plan(unit: Unit) -> Iterator[Finding]:
    """Yield a plan, a design, or where something is in the code."""
    yield from _first(unit, "H007", "a plan, a design or the structure of code")


def _first(unit: Unit, rule: str, what: str) -> Iterator[Finding]:
    """Yield the first place of each text of a unit that a pattern finds: one is enough to say what it is."""
    for part in unit.parts:
        folded = fold(part.text)
        if match := _compiled(rule).search(folded.text):
            start, end = folded.span(*match.span())
            words = part.text[start:end].strip()
            offset = part.start + part.text.find(words, start)
            message = f"{what} does not belong in memory: {quoted(words)}"
            yield finding(unit, rule, Severity.INFO, message, words, offset, len(words.partition("\n")[0]))


def conversation(unit: Unit) -> Iterator[Finding]:
    """Yield a piece of a conversation: two speakers, lines of a chat, or talk about the talk."""
    part = unit.content
    folded = fold(part.text)
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
    folded = fold(part.text)
    steps = [step for step in _compiled("step").finditer(folded.text) if step["word"] in _IMPERATIVES]
    if len(steps) >= _STEPS:
        start, _ = folded.span(*steps[0].span())
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
