"""Marks by which programs tell a model who speaks: tags of blocks, headers of roles, calls of tools."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import re

# No tag, header or call is without one of these words, or of these signs, in lower case.
ROLES = frozenset((b"assistant", b"system", b"human", b"developer", b"action"))
_MARKS = (
    b"<", b"{", b"[inst", b"[/inst", b"[tool", b"[/tool", b"[available_tools]", b"```", b"##", b"_memory(", b"=functions", b'"role"',
    b"[system]", b"[assistant]", b"[developer]",
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
    r"<\s{0,20}(?P<slash>[/\\]?)\s{0,20}(?P<block>recalled[-_ ]?memories|user[-_ ]?memory|memory|memories)(?![\w-])"
    r"(?P<rest>[^<>\n]{0,80})(?:>|$)"
)
_HEADERS = (
    r"<\|\s?(?!tool)[a-z][\w ]{1,40}\s?\|>",
    r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>",
    r"^[ \t]{0,3}#{2,4}[ \t]{0,3}(?:instructions?|system(?: prompt)?|response|human|assistant|user input|input)[ \t]?:",
    r"</?(?:system|system[-_ ]?(?:prompt|message|instructions?|reminder)|human|assistant)\s{0,3}>",
    r"^[ \t]{0,8}(?:[-*>][ \t]{1,3})?\[(?:system|assistant|developer)\](?!\()",
    r"""["']role["']\s{0,4}:\s{0,4}["'](?:system|developer|assistant)["']""",
)
_CALLS = (
    r"</?(?:[a-z]{1,10}:)?(?:function_calls?|invoke|tool_use|tool_calls?|tool_results?|tool_response|function_results?"
    r"|function_response|tool_code|tool_outputs?)(?![\w-])[^<>\n]{0,200}>?|<(?:[a-z]{1,10}:)?parameter name=|<function=\w",
    r"```[ \t]?(?:tool_code|tool_calls?|tool_outputs?|tool_use)\b",
    r"\[/?(?:tool_calls?|tool_results?|available_tools)\]|<\|\s?tool[\w ]{0,40}\|>|\bto=functions\.\w",
    r"""\{\s{0,8}["'](?:tool|tool_name|tool_call|function|function_name|function_call)["']\s{0,4}:\s{0,4}["'][\w.:/-]{1,80}["']\s{0,4},\s{0,8}["']"""
    r"""(?:args|arguments|parameters|params|input|inputs|tool_input|command|cmd|code|query|path|content)["']\s{0,4}:""",
    r"""\{\s{0,8}["']name["']\s{0,4}:\s{0,4}["'][\w.:/-]{1,80}["']\s{0,4},\s{0,8}["'](?:arguments|parameters|tool_input)["']\s{0,4}:\s{0,4}["'{]""",
    r"""["'](?:tool_calls|function_call|tool_use|tool_call)["']\s{0,4}:\s{0,4}[\[{]|["']type["']\s{0,4}:\s{0,4}["'](?:tool_use|tool_result|function_call|tool_call)["']""",
    r"""["']action["']\s{0,4}:\s{0,4}["'][\w. -]{1,80}["']\s{0,4},\s{0,8}["']action_input["']|^action:[ \t]{0,4}[\w.-]{1,80}[ \t]{0,4}\n[ \t]{0,4}action input:""",
    r"""\b(?:save|recall|forget)_memory\(\s{0,4}[\w"'{]""",
)  # fmt: skip
# A bullet, a number, the stamp of a note, or the key of the front matter that an agent gets.
_BEFORE = r"^(?:description:[ \t]{0,4}|[ \t]{0,8}(?:(?:[-*+>]|\d{1,3}[.)])[ \t]{1,4}){0,2}(?:\(\d{4}-\d\d-\d\d \d\d:\d\d utc\) )?)"
_SPEAKER = rf"{_BEFORE}[*_`\"'\[]{{0,3}}(?P<role>assistant|human|system|developer)[*_`\"'\]]{{0,3}}[ \t]?:(?P<said>[^\n]{{0,200}})"
# `System: Debian 13` says what somebody has; these are words of one who instructs.
_INSTRUCTS = r"\b(?:you|your|ignore|overrid\w{1,4}|prompt|instructions?|obey|disregard|forget|grant\w{0,3}|approved|authori[sz]ed|bypass\w{0,3}|admin\w{0,8})\b"


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    import re

    rules = (("P003", _HEADERS), ("P004", _CALLS))
    return tuple((rule, re.compile(one, re.M)) for rule, many in rules for one in many)


@cache
def _line_patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    import re

    return re.compile(_TAG, re.M), re.compile(_SPEAKER, re.M), re.compile(_INSTRUCTS)


def marks(folded: str) -> Iterator[Mark]:
    """Yield the tags, headers and calls in a text, which is in lower case and as it looks."""
    if "<" in folded:
        for match in _line_patterns()[0].finditer(folded):
            opens = not match["slash"]
            rest = match["rest"].strip()
            # `<memory unit="GiB">` is of some other program; the block of the HQ has no attribute.
            if opens and (rest if match["block"] != "user_memory" else rest and not rest.startswith("source=")):
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
    _, speaker, instructs = _line_patterns()
    for match in speaker.finditer(folded):
        start, end = match.span("role")
        if start < head_end and not match[0].startswith("description:"):
            continue
        shouts = text[start:end].isupper()
        if match["role"] in ("assistant", "human") or shouts or instructs.search(match["said"]):
            yield Mark("P003", "", False, start, match.start("said"))
