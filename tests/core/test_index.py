from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.index import escape_tag, render_index
from memctl.core.memory import Memory, MemoryType
from memctl.core.text import WHITESPACE, length
from tests.core.making import MEMORIES, memory


def literal(memories: list[Memory], max_chars: int, tools: bool) -> str:
    """The algorithm of the HQ over an array of lines, step by step (spec/hq.md 9)."""

    def footer(count: int) -> str:
        return f"- …and {count} more — use recall_memory\n" if tools else f"- …and {count} more, not shown\n"

    if not memories:
        return "# Memory index\n\n_No memories yet._\n"
    lines = ["# Memory index", ""]
    for kind in ("user", "feedback", "project", "reference"):
        group = [memory for memory in memories if memory.type == kind]
        if group:
            lines += [f"## {kind.capitalize()}"]
            lines += [f"- **{memory.name}** — {escape_tag(memory.description)}" for memory in group]
            lines += [""]
    text = "\n".join(lines)
    if length(text) <= max_chars:
        return text
    dropped = 0
    while len(lines) > 2:
        if dropped > 0 and length("\n".join(lines) + "\n" + footer(dropped)) <= max_chars:
            break
        at = max(at for at, line in enumerate(lines) if line.startswith("- **"))
        del lines[at]
        dropped += 1
        if lines[at - 1].startswith("## ") and (at >= len(lines) or lines[at] == "" or lines[at].startswith("## ")):
            del lines[at - 1]
        lines = [line for at, line in enumerate(lines) if at == 0 or line or lines[at - 1]]
    return "\n".join(lines).rstrip("\n") + "\n" + footer(dropped)


SHORT = st.builds(
    memory,
    st.from_regex("[a-z]{1,5}", fullmatch=True),
    st.text("aä😀\n#-* </memory>", max_size=12),
    st.sampled_from(MemoryType),
)


@given(st.lists(SHORT | MEMORIES, max_size=12), st.integers(0, 400) | st.just(4000), st.booleans())
def test_the_index_is_that_of_the_algorithm_over_lines(memories: list[Memory], max_chars: int, tools: bool) -> None:
    assert render_index(memories, max_chars=max_chars, tools=tools).text == literal(memories, max_chars, tools)


@pytest.mark.parametrize("tools", [True, False])
def test_a_limit_is_kept_to_the_unit_whatever_it_is(tools: bool) -> None:
    memories = [memory(f"m{at}", f"é {'long ' * (at % 4)}X", [*MemoryType][at % 3]) for at in range(14)]
    for limit in range(length(literal(memories, 9999, tools)) + 1):
        assert render_index(memories, max_chars=limit, tools=tools).text == literal(memories, limit, tools)


@given(st.lists(SHORT, max_size=12), st.integers(0, 400))
def test_listed_and_omitted_are_all_memories_in_the_order_of_their_types(
    memories: list[Memory], max_chars: int
) -> None:
    index = render_index(memories, max_chars=max_chars)
    order = [MemoryType.USER, MemoryType.FEEDBACK, MemoryType.PROJECT, MemoryType.REFERENCE]
    assert [*index.listed, *index.omitted] == sorted(memories, key=lambda memory: order.index(memory.type))
    assert index.text.count("- **") >= len(index.listed)
    assert (f"…and {len(index.omitted)} more" in index.text) == bool(index.omitted)


@given(st.lists(SHORT, min_size=1, max_size=12), st.integers(80, 400))
def test_a_cut_index_stays_below_the_limit(memories: list[Memory], max_chars: int) -> None:
    index = render_index(memories, max_chars=max_chars)
    if index.omitted:
        assert length(index.text) < max_chars
    else:
        assert length(index.text) <= max_chars


@given(st.text([*"</>mMeEoOrRyY", *WHITESPACE[:6], "ſ", "\ufeff"]))
def test_a_closing_tag_is_escaped_as_the_expression_of_the_hq_does(text: str) -> None:
    blank = f"[{re.escape(WHITESPACE)}]*"
    tag = "".join(f"[{letter}{letter.upper()}]" for letter in "memory")
    assert escape_tag(text) == re.sub(f"<{blank}/{blank}{tag}{blank}>", "&lt;/memory&gt;", text)


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a </MEMORY> b", "a &lt;/memory&gt; b"),
        ("<<\t/\u2028memory\ufeff>>", "<&lt;/memory&gt;>"),
        ("</memory", "</memory"),
        ("</memory x>", "</memory x>"),
        ("</memorx>", "</memorx>"),
        ("< /memory", "< /memory"),
        ("</memory ", "</memory "),
        ("<memory>", "<memory>"),
        ("<", "<"),
    ],
)
def test_only_a_whole_closing_tag_is_escaped(text: str, escaped: str) -> None:
    assert escape_tag(text) == escaped


def test_no_other_letter_counts_as_one_of_the_tag() -> None:
    assert escape_tag("</recalled-memorieſ>", "recalled-memories") == "</recalled-memorieſ>"
    assert escape_tag("</Recalled-Memories>", "recalled-memories") == "&lt;/recalled-memories&gt;"
    # Its small letter is the k of ASCII.
    assert escape_tag("</\u212a>", "k") == "</\u212a>"
