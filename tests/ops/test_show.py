"""`show` gives a memory in full with its place in the index, a file that is not loaded, or an agent's card."""

from __future__ import annotations

from pathlib import Path

import pytest

from memctl.disk.locate import Target
from memctl.errors import NotFound
from memctl.ops.results import Card, IndexPlace, ShownFile, ShownMemory
from memctl.ops.show import show
from tests.stores import AGENT, index, make_store, memory, register, store_at


def only(found: list[ShownMemory | ShownFile | Card]) -> ShownMemory | ShownFile | Card:
    (shown,) = found
    return shown


def card_of(store: object) -> Card:
    shown = only(show(Target(store, None, AGENT)))  # type: ignore[arg-type]
    assert isinstance(shown, Card)
    return shown


# --- memories ---


def test_a_memory_is_shown_in_full_with_its_place_in_the_index(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"z.md": memory("z", type="user"), "a.md": memory("a")})
    shown = only(show(Target(store, "a", "a")))
    assert isinstance(shown, ShownMemory)
    assert (shown.entry.file, shown.entry.memory.content) == ("a.md", "body of a")
    # The user's are listed before those of projects.
    assert shown.place == IndexPlace(2, 2, 0)


def test_a_memory_that_does_not_fit_the_index_has_no_line(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={f"m{at}.md": memory(f"m{at}", description="k" * 200) for at in range(30)})
    shown = only(show(Target(store, "m9", "m9")))
    assert isinstance(shown, ShownMemory)
    assert shown.place.line is None
    assert shown.place.listed + shown.place.omitted == 30


def test_the_files_name_goes_before_the_name_in_the_file(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"x.md": memory("y"), "y.md": memory("x"), "f.md": memory("inner")})
    shown = [only(show(Target(store, name, name))) for name in ("x", "y", "inner")]
    assert [one.entry.file for one in shown if isinstance(one, ShownMemory)] == ["x.md", "y.md", "f.md"]


def test_two_memories_that_call_themselves_so_are_an_error_with_their_paths(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"a.md": memory("same"), "b.md": memory("same")})
    with pytest.raises(NotFound) as caught:
        show(Target(store, "same", "same"))
    paths = f"{store.path}/a.md, {store.path}/b.md"
    assert caught.value.message == f"two memories of agent '{AGENT}' are named 'same': {paths}"


def test_a_pattern_shows_all_files_that_fit(tmp_path: Path) -> None:
    store = make_store(tmp_path, "api-a", "api-b", "other", files={"api-bad.md": b"bad"})
    shown = show(Target(store, "api-*", "api-*"))
    assert [one.entry.file for one in shown if isinstance(one, ShownMemory)] == ["api-a.md", "api-b.md"]
    assert [one.file.file for one in shown if isinstance(one, ShownFile)] == ["api-bad.md"]


def test_a_file_whose_name_looks_like_a_pattern_is_meant_itself(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"a*.md": memory("x"), "ab.md": memory("ab")})
    shown = only(show(Target(store, "a*", "a*")))
    assert isinstance(shown, ShownMemory)
    assert shown.entry.file == "a*.md"


@pytest.mark.parametrize(
    ("name", "message", "hint"),
    [
        ("deplyo", f"no memory named 'deplyo' in agent '{AGENT}'", f"did you mean '{AGENT}/deploy'?"),
        ("zzzz", f"no memory named 'zzzz' in agent '{AGENT}'", f"memctl list {AGENT}"),
        ("z*", f"no memory of agent '{AGENT}' fits 'z*'", f"memctl list {AGENT}"),
        ("MEMORY", f"no memory named 'MEMORY' in agent '{AGENT}'", f"memctl list {AGENT}"),
        ("../x", f"no memory named '../x' in agent '{AGENT}'", f"memctl list {AGENT}"),
    ],
)
def test_an_unknown_name_names_the_nearest(tmp_path: Path, name: str, message: str, hint: str) -> None:
    store = make_store(tmp_path, "deploy", files={"MEMORY.md": b""})
    with pytest.raises(NotFound) as caught:
        show(Target(store, name, name))
    assert (caught.value.message, caught.value.hint) == (message, hint)


def test_a_file_that_is_not_loaded_can_be_shown(tmp_path: Path) -> None:
    shown = only(show(Target(make_store(tmp_path, files={"bad.md": b"\xffbad"}), "bad", "bad")))
    assert isinstance(shown, ShownFile)
    assert (shown.file.data, shown.file.problem.code) == (b"\xffbad", "no-front-matter")


# --- cards ---


def test_a_card_counts_what_the_agent_has(tmp_path: Path) -> None:
    files = {
        "a.md": memory("a", type="user", source="user", updated="2026-03-01"),
        "b.md": memory("b", updated="2025-03-01"),
        "c.md": memory("c", updated="yesterday"),
        "bad.md": b"",
        ".legacy-imported": b"",
        "MEMORY.md": b"stale",
    }
    store = make_store(tmp_path, files=files)
    register(tmp_path / "data", {"id": AGENT, "name": "billing-bot", "model": "openai/gpt"})
    card = card_of(store)
    assert (card.exists, card.memories, card.by_type, card.by_source) == (
        True,
        3,
        {"user": 1, "project": 2},
        {"user": 1, "agent": 2},
    )
    assert (card.oldest, card.newest) == ("2025-03-01", "2026-03-01")
    assert (card.listed, card.omitted, card.index_state, card.imported) == (3, 0, "stale", True)
    assert card.sweeps is False
    assert [file.file for file in card.unloaded] == ["bad.md"]
    assert card.errors == ()


@pytest.mark.parametrize(("data", "state"), [(None, "missing"), (b"x", "stale"), (index("a"), "current")])
def test_a_card_says_whether_the_index_is_current(tmp_path: Path, data: bytes | None, state: str) -> None:
    assert card_of(make_store(tmp_path, "a", files={} if data is None else {"MEMORY.md": data})).index_state == state


def test_the_length_of_the_index_is_in_utf16_units(tmp_path: Path) -> None:
    plain = card_of(make_store(tmp_path / "1", files={"a.md": memory("a", description="kk")}))
    emoji = card_of(make_store(tmp_path / "2", files={"a.md": memory("a", description="\U0001f600")}))
    assert plain.index_units == emoji.index_units


def test_an_agent_that_the_registry_does_not_have_has_no_sweep_to_tell(tmp_path: Path) -> None:
    card = card_of(make_store(tmp_path, "a"))
    assert (card.sweeps, card.why, card.oldest, card.imported) == (None, "not in the registry", "2026-01-02", False)


def test_a_registered_agent_without_a_directory_is_an_empty_store(tmp_path: Path) -> None:
    register(tmp_path / "data", {"id": AGENT})
    card = card_of(store_at(tmp_path / "data" / "memory" / AGENT))
    assert (card.exists, card.memories, card.index_state, card.oldest) == (False, 0, "missing", None)


def test_an_agent_with_neither_a_directory_nor_an_entry_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=f"no agent '{AGENT}'"):
        show(Target(store_at(tmp_path / "data" / "memory" / AGENT), None, AGENT))
