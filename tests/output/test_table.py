from __future__ import annotations

from pathlib import Path

import pytest

from memctl.core.dialects.notes import read_notes
from memctl.disk.codewhale import find_facts
from memctl.disk.locate import Target
from memctl.disk.user_store import FileStore, open_user_store
from memctl.ops.agents import state
from memctl.ops.explain_user import explain
from memctl.ops.list import ListRequest, list_store
from memctl.ops.results import ListedNotes, ShownNote, ShownUserMemory
from memctl.ops.show import show
from memctl.output.table import Screen, explained, listed, listed_notes, shown, states
from tests.stores import env_of, make_store, memory

EVIL = "\x1b]0;x\x07\x9b\u202e\u200b"
FILES = {
    "a.md": memory("a", type="user", description="word " * 30),
    "long-name-of-a-memory.md": memory("long-name-of-a-memory", source="import", description="short"),
    "wide.md": memory("wide", description="東京" * 40),
    "evil.md": memory("evil", description=EVIL, content=f"# {EVIL}\n\n- {EVIL}\n\n[x](http://example.com)"),
    "bad.md": b"bad",
}


def cells(line: str) -> int:
    return sum(2 if ord(character) > 0x2E80 else 1 for character in line)


@pytest.mark.parametrize("width", [200, 80, 60, 40, 25])
def test_no_line_is_wider_than_the_screen(tmp_path: Path, width: int) -> None:
    text = listed(list_store(make_store(tmp_path, files=FILES), ListRequest()), Screen(width, color=False), headed=True)
    assert [line for line in text.splitlines() if cells(line) > width] == []


@pytest.mark.parametrize("width", [80, 40])
def test_no_word_is_lost(tmp_path: Path, width: int) -> None:
    text = listed(list_store(make_store(tmp_path, files=FILES), ListRequest()), Screen(width, color=False), headed=True)
    assert text.count("word") == 30
    assert text.count("東京") + text.count("東\n") >= 38


def test_groups_are_types_with_their_counts(tmp_path: Path) -> None:
    text = listed(list_store(make_store(tmp_path, files=FILES), ListRequest()), Screen(80, color=False), headed=True)
    heads = [line for line in text.splitlines() if line and not line.startswith(" ")]
    assert heads == ["1a2b3c4d", "User (1)", "Project (3)", "Not loaded (1)"]


def test_without_a_head_the_agent_is_not_named(tmp_path: Path) -> None:
    text = listed(list_store(make_store(tmp_path, "a"), ListRequest()), Screen(80, color=False), headed=False)
    assert text == "Project (1)\n  a  about a  agent\n\n"


def test_a_name_that_differs_from_its_file_is_shown_with_it(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"file.md": memory("said")})
    text = listed(list_store(store, ListRequest()), Screen(80, color=False), headed=False)
    assert "  file (said)  about said  agent\n" in text


def test_without_colour_there_is_no_escape(tmp_path: Path) -> None:
    text = listed(list_store(make_store(tmp_path, files=FILES), ListRequest()), Screen(80, color=False), headed=True)
    assert "\x1b" not in text


def test_with_colour_there_is_some(tmp_path: Path) -> None:
    text = listed(list_store(make_store(tmp_path, "a"), ListRequest()), Screen(80, color=True), headed=True)
    assert "\x1b[32ma\x1b[0m" in text


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("name", ["evil", "bad"])
def test_nothing_stored_is_obeyed(tmp_path: Path, plain: bool, name: str) -> None:
    store = make_store(tmp_path, files=FILES | {"bad.md": EVIL.encode()})
    [result] = show(Target(store, name, name))
    text = shown(result, Screen(80, color=False), plain=plain)
    assert set(text) & set(EVIL) <= set("]0;x")


def test_markdown_links_show_where_they_lead(tmp_path: Path) -> None:
    [result] = show(Target(make_store(tmp_path, files=FILES), "evil", "evil"))
    assert "http://example.com" in shown(result, Screen(80, color=False), plain=False)


def test_brackets_in_a_description_are_no_markup(tmp_path: Path) -> None:
    store = make_store(tmp_path, files={"a.md": memory("a", description="x [red]y[/red] :smile:")})
    text = listed(list_store(store, ListRequest()), Screen(80, color=False), headed=False)
    assert "x [red]y[/red] :smile:" in text


@pytest.mark.parametrize("sweep", [True, False])
@pytest.mark.parametrize("width", [80, 40])
def test_states_fit_the_screen(tmp_path: Path, sweep: bool, width: int) -> None:
    text = states([state(make_store(tmp_path))], Screen(width, color=False), sweep=sweep)
    assert [line for line in text.splitlines() if cells(line) > width] == []
    assert text.split()[0] == "agent"


NOTES = f"""\
- (2026-11-01 09:02 UTC) {"word " * 30}
- by hand, [red]no markup[/red]
  more
- {EVIL} {"東京" * 40}
""".encode()


def user_store(tmp_path: Path) -> FileStore:
    """Return the user memory at a short path."""
    env = env_of(tmp_path, DEEPSEEK_MEMORY_PATH="/m.md", DEEPSEEK_MANAGED_CONFIG_PATH=str(tmp_path / "managed.toml"))
    return open_user_store(find_facts(env), env)


def test_notes_are_rows_of_number_text_and_stamp(tmp_path: Path) -> None:
    notes = read_notes(b"- (2026-11-01 09:02 UTC) a\n- by hand\n  more\n")
    text = listed_notes(ListedNotes(user_store(tmp_path), 40, notes, 0, ()), Screen(80, color=False))
    assert text == "/m.md\n  1  a        2026-11-01 09:02 UTC\n  2  by hand\n       more\n\n"


def test_in_a_narrow_terminal_the_text_of_a_note_is_below_its_stamp(tmp_path: Path) -> None:
    notes = read_notes(b"- (2026-11-01 09:02 UTC) a\n- by hand\n")
    text = listed_notes(ListedNotes(user_store(tmp_path), 40, notes, 0, ()), Screen(40, color=False))
    assert text == "/m.md\n  1  2026-11-01 09:02 UTC\n    a\n  2\n    by hand\n\n"


def test_no_notes_are_said(tmp_path: Path) -> None:
    text = listed_notes(ListedNotes(user_store(tmp_path), None, [], 0, ()), Screen(80, color=False))
    assert text == "/m.md\n  no notes\n\n"


@pytest.mark.parametrize("width", [200, 80, 40, 25])
def test_notes_fit_the_screen_and_no_word_is_lost(tmp_path: Path, width: int) -> None:
    result = ListedNotes(user_store(tmp_path), 1, read_notes(NOTES), 0, ())
    text = listed_notes(result, Screen(width, color=False))
    assert [line for line in text.splitlines() if cells(line) > width] == []
    assert (text.count("word"), text.count("東"), "[red]no" in text) == (30, 40, True)


@pytest.mark.parametrize("plain", [True, False])
def test_nothing_in_a_note_is_obeyed(tmp_path: Path, plain: bool) -> None:
    store, notes, screen = user_store(tmp_path), read_notes(NOTES), Screen(80, color=False)
    texts = [
        listed_notes(ListedNotes(store, 1, notes, 0, ()), screen),
        shown(ShownNote(store, notes[2]), screen, plain=plain),
        shown(ShownUserMemory(store, NOTES, notes), screen, plain=plain),
    ]
    assert [text for text in texts if not set(text) & set(EVIL) <= set("]0;x")] == []
    assert [text for text in texts if "^[]0;x^G" not in text] == []


@pytest.mark.parametrize(("plain", "bullet"), [(True, "- "), (False, " • ")])
def test_the_user_memory_is_rendered_unless_it_shall_be_plain(tmp_path: Path, plain: bool, bullet: str) -> None:
    result = ShownUserMemory(user_store(tmp_path), b"- one\n- two\n", [])
    text = shown(result, Screen(80, color=False), plain=plain)
    assert text.split("\n") == ["/m.md", "", *([] if plain else [""]), f"{bullet}one", f"{bullet}two", ""]


def test_a_note_has_its_fields_above_its_text(tmp_path: Path) -> None:
    [note] = read_notes(b"- (2026-11-01 09:02 UTC) a\n  b\n")
    assert shown(ShownNote(user_store(tmp_path), note), Screen(80, color=False), plain=False) == (
        "address  @user/1\nwritten  2026-11-01 09:02 UTC\npath     /m.md, line 1\n\na\n  b\n"
    )


@pytest.mark.parametrize("width", [80, 40])
def test_what_decides_fits_the_screen_and_the_verdict_is_last(tmp_path: Path, width: int) -> None:
    text = explained(explain(user_store(tmp_path), env_of(tmp_path)), Screen(width, color=False))
    lines = text.splitlines()
    assert [line for line in lines if cells(line) > width] == []
    assert [line.split()[0] for line in lines if not line.startswith(" ")][-1] == "verdict"
