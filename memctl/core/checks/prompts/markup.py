"""Marks by which programs tell a model who speaks: tags of blocks, headers of roles, calls of tools."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

# No tag, header or call is without one of these words, or of these signs, in lower case.
ROLES = frozenset((b"assistant", b"system", b"human", b"developer", b"action", b"h"))
_MARKS = (
    b"<", b"{", b"[inst", b"[/inst", b"[tool", b"[/tool", b"[available_tools]", b"```", b"##", b"_memory(", b"=functions", b'"role"',
    b"[system", b"[assistant]", b"[developer", b"[admin", b"[automated", b"*** ", b"=== ", b"--- ", b"&lt;/", b">>",
)  # fmt: skip


def may_have_marks(low: bytes) -> bool:
    """Return whether a text, in lower case, may have a tag, a header or a call."""
    return any(map(low.__contains__, _MARKS))


class Mark(NamedTuple):
    """A mark in a text: the rule that it breaks, the block that a tag is of ('' for others), and where it stands."""

    rule: str
    block: str
    opens: bool
    start: int
    end: int


_TAG = (
    r"<\s{0,20}(?P<slash>[/\\]{0,2})\s{0,20}(?P<block>recalled[-_ ]?memories|user[-_ ]?memory|memory|memories)(?![\w-])"
    r"(?P<rest>[^<>\n]{0,80})(?:>|$)"
)
_HEADERS = (
    r"<\|\s?(?!tool)[a-z][\w ]{1,40}\s?\|>",
    r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>",
    r"^[ \t]{0,3}#{2,4}[ \t]{0,3}(?:instruction|system(?: prompt)?|response|human|assistant|user input|input)[ \t]?:",
    # `Option<System>` is a type of some program.
    r"(?:(?<!\w)<|</)(?:(?:system|developer)(?:[-_ ]?(?:prompt|message|instructions?|reminder|override|notice|policy))?(?:\s{1,3}(?:priority|override|level|authority|trusted|importance|urgent|role)"
    r"\b[^<>\n]{0,60})?|human|assistant|important)\s{0,3}>",
    # The end of a block that a program may put a memory into, with another block after it.
    r"</(?:context|documents?|instructions|claude[-_ ]?md|agents[-_ ]?md|project[-_ ]?memory|system[-_ ]?context|user[-_ ]?context|tool[-_ ]?output|untrusted[-_ ]?\w{1,20})\s{0,3}>"
    r"\s{0,4}<(?:system|instructions?|policy|policies|rules|important|admin|override|developer|new[-_ ]\w{1,20}|trusted[-_ ]?\w{0,20}|user|assistant|command)\b[^<>\n]{0,60}>",
    r"</(?:(?:claude|agents)[-_ ]?md|project[-_ ]?memory|system[-_ ]?context|user[-_ ]?context)\s{0,3}>(?!`)",
    r"&lt;/(?:memory|memories|recalled[-_ ]?memories|user[-_ ]?memory|context|documents?)\s{0,3}&gt;\s{0,4}&lt;(?!/)[a-z][\w -]{0,40}&gt;",
    r"(?:^|[.!?][ \t])[ \t]{0,8}(?:[-*>][ \t]{1,3})?\[(?:(?:system|developer|admin(?:istrator)?)[- ](?:message|notice|note|alert|reminder|instructions?|override|directive|prompt)"
    r"|automated (?:message|notice) from the (?:system|platform|provider|vendor|operator))[^\]\n]{0,40}\](?!\()(?! (?:tags?|labels?|prefix|marks?|tickets?|strings?|keys?|columns?|is|are|means|comes)\b)",
    r"^[ \t]{0,3}(?:\*{3,10}|={3,20}|-{3,20}|~{3,20})[ \t]{0,3}(?:begin |start of |new )?(?:system|developer|admin(?:istrator)?) (?:message|notice|override|instructions?|directive|alert|prompt)[ \t]{0,3}(?:\*{3,10}|={3,20}|-{3,20}|~{3,20})",
    # A dialogue: an H that asks and an A that answers, or arrows after both.
    r"^h:[ \t]{1,3}\S[^\n]{0,400}\n[ \t]{0,4}\n[ \t]{0,4}a:[ \t]{1,3}\S",
    r"^(?:user|human)[ \t]{0,2}>{2,3}[^\n]{0,400}\n{1,3}(?:ai|assistant|bot|model)[ \t]{0,2}>{2,3}",
    r"^[ \t]{0,8}(?:[-*>][ \t]{1,3})?\[(?:system|assistant|developer)\](?!\()(?! (?:tags?|labels?|prefix|marks?|tickets?|strings?|keys?|columns?|is|are|means|comes)\b)",
    r"""["']role["']\s{0,4}:\s{0,4}["'](?:system|developer|assistant)["']""",
)
_CALLS = (
    r"</?(?:[a-z]{1,10}:)?(?:function_calls?|invoke|tool_use|tool_calls?|tool_results?|tool_response|function_results?"
    r"|function_response|tool_code|tool_outputs?)(?![\w-])[^<>\n]{0,200}>?|<(?:[a-z]{1,10}:)?parameter name=|<function=\w",
    r"</?(?:use_mcp_tool|access_mcp_resource|execute_command|write_to_file|replace_in_file|attempt_completion|ask_followup_question|str_replace_editor)\s{0,3}>",
    r"```[ \t]?(?:tool_code|tool_calls?|tool_outputs?|tool_use)\b",
    r"\[/?(?:tool_calls?|tool_results?|available_tools)\]|<\|\s?tool[\w ]{0,40}\|>|\bto=functions\.\w",
    r"""\{\s{0,8}["'](?:tool|tool_name|tool_call|function|function_name|function_call)["']\s{0,4}:\s{0,4}["'][\w.:/-]{1,80}["']\s{0,4},\s{0,8}["']"""
    r"""(?:args|arguments|parameters|params|input|inputs|tool_input|command|cmd|code|query|path|content)["']\s{0,4}:""",
    r"""\{\s{0,8}["']name["']\s{0,4}:\s{0,4}["'][\w.:/-]{1,80}["']\s{0,4},\s{0,8}["'](?:arguments|parameters|tool_input)["']\s{0,4}:\s{0,4}["'{]""",
    r"""["'](?:tool_calls|function_call|tool_use|tool_call)["']\s{0,4}:\s{0,4}[\[{]|["']type["']\s{0,4}:\s{0,4}["'](?:tool_use|tool_result|function_call|tool_call)["']""",
    r"""["']action["']\s{0,4}:\s{0,4}["'][\w. -]{1,80}["']\s{0,4},\s{0,8}["']action_input["']|^action:[ \t]{0,4}[\w.-]{1,80}[ \t]{0,4}\n[ \t]{0,4}action input:""",
    r"^thought:[^\n]{1,400}\n{1,2}[ \t]{0,4}action:[ \t]{0,4}[\w.-]{1,40}[\[(][^\n]{0,400}\n{1,2}[ \t]{0,4}observation:",
    r"""\b(?:save|recall|forget)_memory\(\s{0,4}[\w"'{]""",
)  # fmt: skip
# A bullet, a number, the stamp of a note, or the key of the front matter that an agent gets.
_BEFORE = r"^(?:description:[ \t]{0,4}|[ \t]{0,8}(?:(?:[-*+>]|\d{1,3}[.)])[ \t]{1,4}){0,2}(?:\(\d{4}-\d\d-\d\d \d\d:\d\d utc\) )?)"
_SPEAKER = rf"{_BEFORE}[*_`\"'\[]{{0,3}}(?P<role>assistant|human|system(?:[- ](?:reminder|notice|alert))?|developer)[*_`\"'\]]{{0,3}}[ \t]?:(?P<said>[^\n]{{0,200}})"
# `System: Debian 13` says what somebody has; these are words of one who instructs.
_INSTRUCTS = (
    r"\b(?:you|your|ignore|overrid\w{1,4}|prompt|instructions?|obey|disregard|forget|grant\w{0,3}|approved|authori[sz]ed|bypass\w{0,3}|admin\w{0,8}|the (?:assistant|model|ai) (?:may|must|can|is allowed|shall|will|has)"
    r"|the user (?:has )?(?:already )?(?:consented|agreed|approved|been verified))\b"
)
# `Assistant: Maria Lopez, extension 4417` is a person.
_NAME = r"[*_ ]{1,4}[A-Z][a-z]{1,20} [A-Z][a-z]{1,20}(?:[,;.(]|[ ]?\n|\Z)"


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    import re

    rules = (("P003", _HEADERS), ("P004", _CALLS))
    return tuple((rule, re.compile(one, re.M)) for rule, many in rules for one in many)


@cache
def _line_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    import re

    return re.compile(_TAG, re.M), re.compile(_SPEAKER, re.M), re.compile(_INSTRUCTS), re.compile(_NAME)


def marks(folded: str) -> Iterator[Mark]:
    """Yield the tags, headers and calls in a text, which is in lower case and as it looks."""
    if "<" in folded:
        for match in _line_patterns()[0].finditer(folded):
            opens = not match["slash"]
            rest = match["rest"].strip()
            # `<memory unit="GiB">` is of some other program; the block of the HQ has no attribute.
            if opens and (rest if match["block"] != "user_memory" else rest and not rest.startswith("source=")):
                continue
            # `List<Memory>` and `#include <memory>` are code.
            before = folded[max(0, match.start() - 9) : match.start()]
            if opens and (before[-1:].isalnum() or before.endswith(("#include", "#include "))):
                continue
            if not opens or folded[match.end() - 1 : match.end()] == ">":
                yield Mark("P001", match["block"], opens, *match.span())
    for rule, pattern in _patterns():
        for match in pattern.finditer(folded):
            yield Mark(rule, "", False, *match.span())


def speakers(folded: str, text: str, head_end: int) -> Iterator[Mark]:
    """Yield the lines that begin with the name of a role, as a transcript has them.

    `text` is the text that was folded if its places are the same, else the folded one; a key of the front matter, which
    ends at `head_end`, is no such line. `User:` alone is how people write about a user.
    """
    _, speaker, instructs, name = _line_patterns()
    for match in speaker.finditer(folded):
        start, end = match.span("role")
        if start < head_end and not match[0].startswith("description:"):
            continue
        if match["role"] in ("assistant", "human"):
            speaks = name.match(text, match.start("said")) is None
        else:
            speaks = text[start:end].isupper()
        if speaks or instructs.search(match["said"]):
            yield Mark("P003", "", False, start, match.start("said"))
