from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from memctl.disk.change import reindex
from memctl.disk.stores import DirectoryStore
from memctl.errors import NotFound, UsageError
from memctl.ops.check_request import Asked, make_request
from memctl.ops.explain_memory import ExplainedMemory, explain_memory
from tests.stores import NO_WAIT, fill, make_store, memory, register, store_at

TODAY = date(2026, 11, 30)


def explained(store: DirectoryStore, name: str) -> ExplainedMemory:
    return explain_memory(store, name, make_request(Asked(), [], TODAY), today=f"{TODAY}")


def step(told: ExplainedMemory, key: str) -> str:
    """Return what is said of one thing that decides."""
    (text,) = [step.text for step in told.steps if step.key == key]
    return text


def keys(told: ExplainedMemory) -> list[str]:
    return [step.key for step in told.steps if step.key not in ("finding", "mend")]


def overflowing(tmp_path: Path) -> DirectoryStore:
    """Return a store of which the index lists only a part: 30 memories with long descriptions."""
    files = {f"m{at:02}.md": memory(f"m{at:02}", description=f"d{at} " + "x" * 190) for at in range(30)}
    return make_store(tmp_path, files=files)


def test_an_indexed_memory_has_its_place(tmp_path: Path) -> None:
    store = make_store(tmp_path, "alpha", "beta")
    told = explained(store, "beta")
    assert (step(told, "index"), told.place) == ("entry 2 of 2", (2, 2, 0))


def test_what_the_index_on_disk_does_not_have_is_stale(tmp_path: Path) -> None:
    store = make_store(tmp_path, "alpha")
    assert step(explained(store, "alpha"), "stale") == f"MEMORY.md does not have it so: memctl reindex {store.address}"
    fill(Path(store.path), {"MEMORY.md": b"# Memory index\n\n## Project\n- **alpha** \xe2\x80\x94 something else\n"})
    assert "stale" in keys(explained(store, "alpha"))
    reindex(store, NO_WAIT)
    assert "stale" not in keys(explained(store, "alpha"))


def test_what_does_not_fit_the_index_has_the_number_that_it_would_have(tmp_path: Path) -> None:
    told = explained(overflowing(tmp_path), "m29")
    assert told.place is not None
    assert (told.place.line, told.place.listed + told.place.omitted) == (None, 30)
    assert step(told, "index") == (
        f"not in it: its 4,000 characters hold {told.place.listed} of 30 memories, in the order of types and names,"
        " and this one is number 30"
    )
    assert told.verdict == "the HQ loads it, does not list it in the index, but recalls it by its words"


def test_the_words_that_recall_it_are_those_of_name_and_description(tmp_path: Path) -> None:
    told = explained(
        make_store(tmp_path, files={"cafe-menu.md": memory("cafe-menu", description="Café at 12 the 2026")}),
        "cafe-menu",
    )
    assert told.words == ("cafe", "menu", "caf", "2026")


def test_a_memory_without_a_word_that_counts_is_recalled_for_nothing(tmp_path: Path) -> None:
    told = explained(make_store(tmp_path, files={"db.md": memory("db", description="ok")}), "db")
    assert step(told, "recall").startswith("for no message: ")
    assert told.verdict == "the HQ loads it, lists it in the index, but recalls it for no message"


@pytest.mark.parametrize(("rivals", "told_so"), [(4, False), (5, True)])
def test_what_others_always_come_before_is_hardly_ever_recalled(tmp_path: Path, rivals: int, told_so: bool) -> None:
    files = {f"a{at}.md": memory(f"a{at}", description="red green", updated="2026-05-01") for at in range(rivals)}
    files["zz.md"] = memory("zz", description="red green", updated="2026-01-02")
    told = explained(make_store(tmp_path, files=files), "zz")
    assert told.ahead == rivals
    assert ("5 memories come first, and 5 are recalled" in step(told, "recall")) is told_so
    assert ("hardly ever recalls it" in told.verdict) is told_so


@pytest.mark.parametrize(
    ("others", "then"), [({}, "then finds nothing"), ({"b.md": memory("b")}, "then gets what is in 'b.md'")]
)
def test_a_name_that_is_not_the_files_leads_elsewhere(tmp_path: Path, others: dict[str, bytes], then: str) -> None:
    told = explained(make_store(tmp_path, files={"a.md": memory("b"), **others}), "a")
    assert step(told, "name") == f"it calls itself 'b' in the file 'a.md': the agent is told 'b', and {then}"
    assert "F001" in {one.rule for one in told.findings}


def test_a_memory_goes_by_the_name_that_it_gives_itself(tmp_path: Path) -> None:
    assert explained(make_store(tmp_path, files={"a.md": memory("b")}), "b").file == "a.md"


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"# Notes\n", "N001"),
        (b"---\nname: a\n", "N002"),
        (b"\xef\xbb\xbf" + memory("a"), "N003"),
        (memory("a", type="todo"), "N004"),
        (b"---\nname: a\n---\nx\n", "N005"),
        (memory('"a"'), "N006"),
    ],
)
def test_a_file_that_is_not_loaded_has_the_reason_and_what_overwrites_it(
    tmp_path: Path, data: bytes, rule: str
) -> None:
    told = explained(make_store(tmp_path, files={"a.md": data}), "a")
    assert told.reason is not None
    assert (told.place, told.words) == (None, ())
    assert told.findings[0].rule == rule
    assert told.verdict == (
        f"the HQ does not load it: {told.reason}; the next save of 'a' overwrites it without a word"
    )


def test_what_is_only_an_info_is_left_to_check(tmp_path: Path) -> None:
    told = explained(make_store(tmp_path, files={"a.md": memory("a", extra="tags: x\n"), "b.md": memory("c")}), "a")
    assert told.findings == ()
    assert {one.rule for one in explained(store_at(Path(told.store.path)), "b").findings} == {"F001"}


def test_of_a_directory_nobody_says_that_a_save_overwrites_it(tmp_path: Path) -> None:
    store = make_store(tmp_path, "b")
    (Path(store.path) / "a.md").mkdir()
    assert explained(store, "a").verdict == "the HQ does not load it: a directory, not a file"


def test_a_symlink_is_shown_with_its_target(tmp_path: Path) -> None:
    store = make_store(tmp_path, "b")
    (Path(store.path) / "a.md").symlink_to("b.md")
    assert step(explained(store, "a"), "symlink") == "to b.md"


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        ({"id": "1a2b3c4d", "name": "bot", "memory": {"enabled": False}}, "automatic memory is off for 'bot'"),
        ({"id": "another"}, "the registry has no agent '1a2b3c4d'"),
    ],
)
def test_memories_that_no_agent_gets_are_said_to_be_so(tmp_path: Path, agent: dict[str, object], reason: str) -> None:
    store = make_store(tmp_path, "a")
    register(tmp_path / "data", agent)
    told = explained(store, "a")
    assert step(told, "agent") == reason
    assert told.verdict == f"the file can be loaded, but no agent gets it: {reason}"


def test_no_value_of_a_secret_is_told(tmp_path: Path) -> None:
    value = "ghp_" + "A1b2C3d4" * 4 + "E5f6"
    store = make_store(
        tmp_path,
        files={
            "a.md": memory("a", description=f"the token is {value}"),
            "b.md": memory("b", type=f"token {value}"),
        },
    )
    for told in (explained(store, "a"), explained(store, "b")):
        text = repr((told.steps, told.words, told.reason, told.verdict, [one.excerpt for one in told.findings])).lower()
        assert value.lower() not in text
        assert value[4:].lower() not in text
    assert "token" in explained(store, "a").words


@pytest.mark.parametrize(
    ("file", "name", "message", "hint"),
    [
        ("style.txt", "style", "no memory named 'style' in agent '1a2b3c4d': the HQ does not read 'style.txt', which does not end in .md", "memctl check 1a2b3c4d says what is wrong with it"),
        (".style.md.swp", "style", "no memory named 'style' in agent '1a2b3c4d': the HQ does not read '.style.md.swp', which does not end in .md", "memctl check 1a2b3c4d says what is wrong with it"),
        ("style.md~", "style", "no memory named 'style' in agent '1a2b3c4d': the HQ does not read 'style.md~', which does not end in .md", "memctl check 1a2b3c4d says what is wrong with it"),
        ("style", "style", "no memory named 'style' in agent '1a2b3c4d': the HQ does not read 'style', which does not end in .md", "memctl check 1a2b3c4d says what is wrong with it"),
        ("style.md", "style.md", "no memory named 'style.md' in agent '1a2b3c4d'", "did you mean '1a2b3c4d/style'?"),
        ("style.md", "Style", "no memory named 'Style' in agent '1a2b3c4d'", "did you mean '1a2b3c4d/style'?"),
        ("MEMORY.md", "MEMORY", "'MEMORY.md' of agent '1a2b3c4d' is the index, not a memory", "memctl show 1a2b3c4d has its state; memctl reindex 1a2b3c4d renders it anew"),
        ("other-name.md", "zzz", "no memory named 'zzz' in agent '1a2b3c4d'", "memctl list 1a2b3c4d"),
    ],
)  # fmt: skip
def test_a_name_that_is_none_is_answered_with_what_is_there(
    tmp_path: Path, file: str, name: str, message: str, hint: str
) -> None:
    store = make_store(tmp_path, files={file: b"x"})
    with pytest.raises(NotFound) as caught:
        explained(store, name)
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_two_memories_of_one_name_are_both_named(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"a.md": memory("c"), "b.md": memory("c")})
    with pytest.raises(NotFound, match="two memories"):
        explained(store, "c")


def test_a_pattern_is_no_memory(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        explained(make_store(tmp_path, "a"), "*")
