from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.address import (
    AgentWord,
    Known,
    PathWord,
    UserWord,
    Word,
    is_pattern,
    parse_word,
    resolve_agent,
    resolve_name,
)
from memctl.errors import NotFound, UsageError

BILLING = Known("1a2b3c4d", "billing-bot", "/data/memory/1a2b3c4d")
DOCS = Known("1a2bffff", "Docs", "/data/memory/1a2bffff")
GONE = Known("e4d81b36", None, "/data/memory/e4d81b36")
AGENTS = (BILLING, DOCS, GONE)


@pytest.mark.parametrize(
    ("word", "meaning"),
    [
        ("@user", UserWord(None)),
        ("@user/3", UserWord(3)),
        ("@user/1", UserWord(1)),
        ("@user/007", UserWord(7)),
        ("@user/999999999", UserWord(999_999_999)),
        ("@users", AgentWord("@users", None)),
        ("/data/memory", PathWord("/data/memory")),
        ("./x", PathWord("./x")),
        ("../x", PathWord("../x")),
        ("~/x", PathWord("~/x")),
        (".", PathWord(".")),
        ("..", PathWord("..")),
        ("~", PathWord("~")),
        ("~bot", AgentWord("~bot", None)),
        (".hidden", AgentWord(".hidden", None)),
        ("billing-bot", AgentWord("billing-bot", None)),
        ("billing-bot/api-*", AgentWord("billing-bot", "api-*")),
        ("a/b/c", AgentWord("a", "b/c")),
    ],
)
def test_a_word_is_a_path_the_user_memory_or_an_agent(word: str, meaning: Word) -> None:
    assert parse_word(word) == meaning


NUMBERED = "notes are numbered: @user/3; memctl list @user shows them"


@pytest.mark.parametrize(
    ("word", "message", "hint"),
    [
        ("", "an address is empty", "an address is AGENT or AGENT/NAME; see memctl help addresses"),
        ("a\0b", "an address holds a NUL byte", "NUL-separated addresses want -0"),
        ("@user/", "'@user/' is no note", NUMBERED),
        ("@user/0", "'@user/0' is no note", NUMBERED),
        ("@user/-1", "'@user/-1' is no note", NUMBERED),
        ("@user/three", "'@user/three' is no note", NUMBERED),
        ("@user/²", "'@user/²' is no note", NUMBERED),
        ("@user/1000000000", "'@user/1000000000' is no note", NUMBERED),
        ("@user/" + "1" * 5000, f"'@user/{'1' * 5000}' is no note", NUMBERED),
    ],
)
def test_an_impossible_word_is_wrong_usage_with_a_hint_what_to_give(word: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        parse_word(word)
    assert (raised.value.message, raised.value.hint) == (message, hint)


@given(st.text("@user/.~1*a\0"))
def test_any_word_is_parsed_or_wrong_usage(word: str) -> None:
    try:
        meaning = parse_word(word)
    except UsageError:
        return
    match meaning:
        case PathWord(path):
            assert path == word
        case UserWord(note):
            assert word == "@user" if note is None else int(word.removeprefix("@user/")) == note > 0
        case AgentWord(agent, name):
            # AGENT/ is the agent, as dir/ is for a path.
            assert word in (agent, f"{agent}/") if name is None else word == f"{agent}/{name}"
            assert agent
            assert "/" not in agent


@pytest.mark.parametrize(("name", "pattern"), [("api-*", True), ("a?", True), ("[ab]", True), ("a]-b", False)])
def test_a_name_with_a_star_a_question_mark_or_a_bracket_is_a_pattern(name: str, pattern: bool) -> None:
    assert is_pattern(name) is pattern


@pytest.mark.parametrize(
    ("word", "agent"),
    [
        ("1a2b3c4d", BILLING),
        ("billing-bot", BILLING),
        ("BILLING-bot", BILLING),
        ("docs", DOCS),
        ("1a2b3", BILLING),
        ("bill", BILLING),
        ("Bill", BILLING),
        ("e4d8", GONE),
    ],
)
def test_an_agent_is_found_by_id_name_case_and_prefix(word: str, agent: Known) -> None:
    assert resolve_agent(word, AGENTS) == agent


def test_an_id_comes_before_a_name_and_a_name_before_one_in_another_case_and_that_before_a_prefix() -> None:
    named = Known("00000001", "1a2b3c4d", "/1")
    upper = Known("00000002", "BOTS", "/2")
    lower = Known("00000003", "bots", "/3")
    longer = Known("00000004", "bots-of-old", "/4")
    agents = (named, BILLING, upper, lower, longer)
    assert resolve_agent("1a2b3c4d", agents) == BILLING
    assert resolve_agent("bots", agents) == lower
    assert resolve_agent("Bots", (longer, upper)) == upper


def test_a_prefix_has_at_least_four_characters() -> None:
    with pytest.raises(NotFound):
        resolve_agent("bil", AGENTS)


def test_an_ambiguous_word_names_the_ids_to_paste() -> None:
    with pytest.raises(UsageError) as raised:
        resolve_agent("1a2b", AGENTS)
    assert raised.value.message == "'1a2b' is ambiguous: 1a2b3c4d, 1a2bffff"
    assert raised.value.hint == "give one of these instead"


def test_an_id_that_two_data_folders_have_names_the_paths_to_paste() -> None:
    twin = BILLING._replace(path="/other/memory/1a2b3c4d")
    with pytest.raises(UsageError) as raised:
        resolve_agent("1a2b3c4d", (BILLING, twin))
    assert raised.value.message == "'1a2b3c4d' is ambiguous: /data/memory/1a2b3c4d, /other/memory/1a2b3c4d"


@pytest.mark.parametrize("word", ["1a2b3c4d", "billing-bot", "Docs"])
def test_exact_takes_ids_and_names(word: str) -> None:
    assert resolve_agent(word, AGENTS, exact=True) == resolve_agent(word, AGENTS)


@pytest.mark.parametrize(("word", "ids"), [("bill", "1a2b3c4d"), ("docs", "1a2bffff"), ("1a2b", "1a2b3c4d, 1a2bffff")])
def test_exact_takes_no_prefix_and_no_other_case_and_says_what_they_would_mean(word: str, ids: str) -> None:
    with pytest.raises(NotFound) as raised:
        resolve_agent(word, AGENTS, exact=True)
    assert raised.value.message == f"no agent has the id or name '{word}'"
    assert str(raised.value.hint).endswith(f" takes no prefixes: {ids}")


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("word", "agents", "hint"),
    [
        ("biling-bot", AGENTS, "did you mean 'billing-bot'?"),
        ("e4d81b63", AGENTS, "did you mean 'e4d81b36'?"),
        ("nothing-like-it", AGENTS, "memctl list shows the agents"),
        ("billing-bot", (), "there are no agents here; memctl list says where it looks"),
    ],
)
def test_an_unknown_agent_names_the_nearest(word: str, agents: tuple[Known, ...], hint: str, exact: bool) -> None:
    with pytest.raises(NotFound) as raised:
        resolve_agent(word, agents, exact=exact)
    assert (raised.value.message, raised.value.hint) == (f"no agent '{word}'", hint)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("api", [0]),
        ("other", [1]),
        ("twice", [2, 3]),
        ("own-name", []),
        ("a*", [0, 4]),
        ("?ther", []),
        ("A*", []),
        ("[x]", [5]),
    ],
)
def test_a_name_is_a_file_else_what_a_memory_calls_itself_or_a_pattern_of_files(name: str, found: list[int]) -> None:
    files = ["api", "file", "one", "two", "a-note", "[x]"]
    names = ["api", "other", "twice", "twice", "", "x"]
    assert resolve_name(name, files, names) == found


def test_a_file_comes_before_a_memory_that_calls_itself_so() -> None:
    assert resolve_name("b", ["a", "b"], ["b", "c"]) == [1]


@given(st.text("ab*?[]!", min_size=1, max_size=5), st.lists(st.text("ab[]", min_size=1, max_size=4), unique=True))
def test_a_pattern_means_the_files_that_a_shell_would_match(name: str, files: list[str]) -> None:
    found = resolve_name(name, files, [""] * len(files))
    if name in files:
        assert found == [files.index(name)]
    elif is_pattern(name):
        assert [files[at] for at in found] == [file for file in files if fnmatch.fnmatchcase(file, name)]
    else:
        assert found == []
