"""memctl at a terminal: questions, the editor, the pager, tables, colour."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import MEMCTL, Session, at_terminal, script, shell, tree, without_color
from tests.conftest import NOW, UNDO, Done
from tests.stores import fill, memory

FILE = "memory/1a2b3c4d/api-migration.md"
QUESTION = "Remove 1 memory\\? \\[y/N\\] "
CLOCK = "MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z\n"
KEPT = "your text is kept in '"


def edges(path: Path) -> list[str]:
    """Return the files of memctl that an editor was given and that are still there."""
    return sorted(name for name in os.listdir(path) if name.startswith("memctl-"))


# --- questions ---


def test_what_would_go_is_shown_before_the_question(demo: Path) -> None:
    session = Session("delete", "billing-bot/api-migration")
    session.expect(QUESTION)
    assert session.before == (
        "  1a2b3c4d/api-migration  Move the billing service to the new payments API by the end of the quarter\r\n"
    )
    session.sendline("n")
    session.end()


@pytest.mark.parametrize("answer", ["n", "", "no", "maybe", "yess"])
def test_declined_is_no_and_changes_nothing(demo: Path, answer: str) -> None:
    before = tree(demo)
    session = Session("delete", "billing-bot/api-migration")
    session.expect(QUESTION)
    session.sendline(answer)
    code, shown = session.end()
    assert (code, shown.strip()) == (1, "nothing was deleted")
    assert tree(demo) == before


@pytest.mark.parametrize("answer", ["y", "yes", "Y", " YES "])
def test_agreed_is_done(demo: Path, answer: str) -> None:
    session = Session("delete", "billing-bot/api-migration")
    session.expect(QUESTION)
    session.sendline(answer)
    code, shown = session.end()
    assert (code, shown.lstrip()) == (0, f"deleted 1 memory, kept 8\n{UNDO}")
    assert not (demo / FILE).exists()


def test_the_end_of_the_input_is_no(demo: Path) -> None:
    session = Session("delete", "billing-bot/api-migration")
    session.expect(QUESTION)
    session.sendeof()
    assert session.end()[0] == 1
    assert (demo / FILE).exists()


def test_an_interrupted_question_is_130_and_changes_nothing(demo: Path) -> None:
    before = tree(demo)
    session = Session("delete", "billing-bot/api-migration")
    session.expect(QUESTION)
    session.sendintr()
    code, shown = session.end()
    assert (code, "Traceback" in shown) == (130, False)
    assert tree(demo) == before


def test_yes_asks_nothing(demo: Path) -> None:
    assert at_terminal("delete", "-y", "billing-bot/api-migration") == (
        0,
        f"1a2b3c4d/api-migration\ndeleted 1 memory, kept 8\n{UNDO}",
        "",
    )


def test_prune_asks_with_the_reasons(demo: Path, now: str) -> None:
    session = Session("prune", "--all", "--older-than", "1y")
    session.expect(QUESTION)
    assert (
        "  e4d81b36/version-3-end  Version 3 gets its last fixes in March 2025 (last updated 2025-03-04, older than 1y)"
        in (session.before)
    )
    session.sendline("n")
    assert session.end()[1].strip() == "nothing was removed"


def test_many_are_shown_in_part(tmp_path: Path) -> None:
    fill(tmp_path / "memory/a", {f"m{at:02}.md": memory(f"m{at:02}") for at in range(30)})
    session = Session("--root", tmp_path, "delete", "a/*")
    session.expect("Remove 30 memories\\? \\[y/N\\] ")
    lines = session.before.splitlines()
    assert (len(lines), lines[-1]) == (21, "  … and 10 more; -n shows them all")
    session.sendline("n")
    session.end()


def test_the_question_is_for_stderr_and_the_answer_does_not_come_from_stdin(demo: Path) -> None:
    # stdin has addresses, stdout is a file; the person is at stderr.
    words = f"$M delete - < {demo}/addresses > {demo}/out"
    (demo / "addresses").write_text("1a2b3c4d/api-migration\n")
    session = Session(command=["bash", "-c", words.replace("$M", shlex.join(MEMCTL))])
    session.expect(QUESTION)
    session.sendline("y")
    code, _ = session.end()
    assert (code, (demo / "out").read_text()) == (0, "1a2b3c4d/api-migration\n")


def test_a_person_at_stderr_may_use_a_prefix(demo: Path) -> None:
    session = Session("delete", "bill/api-migration")
    session.expect(QUESTION)
    session.sendline("n")
    assert session.end()[0] == 1


# --- the editor ---


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the directory where the text for the editor is put."""
    path = tmp_path / "scratch"
    path.mkdir()
    monkeypatch.setenv("TMPDIR", str(path))
    monkeypatch.setenv("MEMCTL_NOW", NOW)
    return path


@pytest.fixture
def editing(tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Session]:
    """Give a function that edits the demo's memory with a small program as the editor."""

    def start(text: str, *words: str) -> Session:
        monkeypatch.setenv("VISUAL", script(tmp_path / "editor", text))
        return Session("edit", "billing-bot/api-migration", *words, columns=200)

    return start


EDIT = "sed -i 's/Move the billing service/Bring the billing service/' \"$1\""
BREAK = "sed -i 's/^type: .*/type: todo/' \"$1\""


def test_the_editor_gets_the_fields_and_the_content(
    demo: Path, tmp_path: Path, editing: Callable[..., Session]
) -> None:
    editing(f'cp "$1" {tmp_path}/seen').end()
    seen = (tmp_path / "seen").read_text().splitlines()
    assert seen[:3] == [
        "---",
        "description: Move the billing service to the new payments API by the end of the quarter",
        "type: project",
    ]
    assert seen[-1].startswith("**How to apply:** ")


def test_the_text_is_for_this_user_alone(demo: Path, tmp_path: Path, editing: Callable[..., Session]) -> None:
    editing(f'stat -c %a "$1" > {tmp_path}/seen').end()
    assert (tmp_path / "seen").read_text() == "600\n"


def test_what_was_edited_is_written(demo: Path, scratch: Path, editing: Callable[..., Session]) -> None:
    code, shown = editing(EDIT).end()
    assert (code, shown.splitlines()[-2:]) == (0, ["updated 1a2b3c4d/api-migration", UNDO.rstrip()])
    text = (demo / FILE).read_text()
    assert "description: Bring the billing service to" in text
    assert "source: user\n" in text
    assert "updated: 2026-11-30\n" in text
    assert edges(scratch) == []


def test_a_dry_run_writes_nothing(demo: Path, scratch: Path, editing: Callable[..., Session]) -> None:
    before = tree(demo)
    code, shown = editing(EDIT, "-n").end()
    assert (code, shown.splitlines()[-1]) == (0, "dry run: nothing was changed; 1 would be")
    assert (tree(demo), edges(scratch)) == (before, [])


def test_what_was_left_as_it_was_is_not_written(demo: Path, scratch: Path, editing: Callable[..., Session]) -> None:
    before = tree(demo)
    code, shown = editing("sleep 0.6").end()
    assert (code, shown) == (0, f"{CLOCK}no changes\n")
    assert (tree(demo), edges(scratch)) == (before, [])


def test_without_a_place_for_the_history_no_editor_opens(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, editing: Callable[..., Session]
) -> None:
    monkeypatch.setenv("MEMCTL_STATE_DIR", "/dev/null/none")
    code, shown = editing(f"touch {tmp_path}/seen").end()
    assert (code, "there is no place for the history" in shown, (tmp_path / "seen").exists()) == (78, True, False)
    for words in (["--no-history"], ["-n"]):
        editing(f"touch {tmp_path}/seen", *words).end()
        assert (tmp_path / "seen").exists()
        (tmp_path / "seen").unlink()


def test_an_editor_that_is_back_at_once_is_told_to_wait(demo: Path, editing: Callable[..., Session]) -> None:
    code, shown = editing("true").end()
    assert (code, "came back at once; if it opens a window, let it wait: EDITOR='editor --wait'" in shown) == (0, True)


def test_an_editor_that_fails_is_no_and_writes_nothing(
    demo: Path, scratch: Path, editing: Callable[..., Session]
) -> None:
    before = tree(demo)
    code, shown = editing("exit 3").end()
    assert (code, shown) == (1, f"{CLOCK}memctl: error: the editor ended with 3; nothing was written\n")
    assert (tree(demo), edges(scratch)) == (before, [])


def test_the_text_of_an_editor_that_fails_is_kept(demo: Path, scratch: Path, editing: Callable[..., Session]) -> None:
    code, shown = editing(f"{EDIT}; exit 3").end()
    assert (code, KEPT in shown, len(edges(scratch))) == (1, True, 1)


def test_what_is_wrong_is_said_and_asked_again(
    demo: Path, tmp_path: Path, scratch: Path, editing: Callable[..., Session]
) -> None:
    rounds = tmp_path / "rounds"
    second = "sed -i 's/^type: .*/type: reference/' \"$1\""
    session = editing(f'if [ -e {rounds} ]; then cp "$1" {tmp_path}/seen; {second}; else touch {rounds}; {BREAK}; fi')
    session.expect("\\[e\\]dit again or \\[g\\]ive up\\? ")
    assert session.before.splitlines()[1] == (
        "memctl: error: Memory type must be one of user, feedback, project, reference"
    )
    session.sendline("e")
    assert session.end()[0] == 0
    assert (tmp_path / "seen").read_text().splitlines()[1].startswith("# ! ")
    assert "type: reference\n" in (demo / FILE).read_text()
    assert edges(scratch) == []


def test_who_gives_up_keeps_the_text(demo: Path, scratch: Path, editing: Callable[..., Session]) -> None:
    before = tree(demo)
    session = editing(BREAK)
    session.expect("ive up\\? ")
    session.sendline("g")
    code, shown = session.end()
    [name] = edges(scratch)
    assert (code, shown.strip()) == (1, f"nothing was written; {KEPT}{scratch}/{name}'")
    assert "type: todo\n" in (scratch / name).read_text()
    assert tree(demo) == before


def test_an_interrupt_at_the_question_keeps_the_text(
    demo: Path, scratch: Path, editing: Callable[..., Session]
) -> None:
    session = editing(BREAK)
    session.expect("ive up\\? ")
    session.sendintr()
    assert (session.end()[0], len(edges(scratch))) == (130, 1)


def test_a_memory_that_changed_meanwhile_is_not_overwritten(
    demo: Path, scratch: Path, editing: Callable[..., Session]
) -> None:
    code, shown = editing(f"{EDIT}; echo more >> {demo}/{FILE}").end()
    assert code == 75
    assert f"'{demo}/{FILE}' changed while memctl worked; nothing was overwritten" in shown
    assert (demo / FILE).read_text().endswith("more\n")
    assert len(edges(scratch)) == 1


def test_an_editor_that_is_not_there_is_wrong_configuration(
    demo: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "/nowhere/editor")
    assert at_terminal("edit", "billing-bot/api-migration", columns=200)[:2] == (
        78,
        CLOCK + "memctl: error: cannot start the editor '/nowhere/editor': no such file or directory\n"
        "memctl: hint: set VISUAL or EDITOR\n",
    )
    assert edges(scratch) == []


def test_visual_goes_before_editor_and_a_setting_before_both(
    demo: Path, tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MEMCTL_EDITOR", "VISUAL", "EDITOR"):
        monkeypatch.setenv(name, script(tmp_path / name, f"echo {name} >> {tmp_path}/seen"))
    for name in ("MEMCTL_EDITOR", "VISUAL", "EDITOR"):
        at_terminal("edit", "billing-bot/api-migration")
        monkeypatch.delenv(name)
    assert (tmp_path / "seen").read_text().split() == ["MEMCTL_EDITOR", "VISUAL", "EDITOR"]


# --- tables ---


def test_memories_are_shown_in_groups_with_columns(demo: Path) -> None:
    assert at_terminal("list", "docs-writer", "--color", "never").out == (
        "docs-writer (7c09e5f2)\n"
        "User (1)\n"
        "  writes-for-admins  Writes for administrators who read in a hurry  agent\n"
        "Feedback (2)\n"
        "  plain-english     Plain English, one idea a sentence, no idioms  user\n"
        "  screenshots-last  Take screenshots last, when the words stand    sweep\n"
        "Project (2)\n"
        "  french-edition  A French edition follows the release             sweep\n"
        "  handbook-split  Split the handbook into a guide and a reference  agent\n"
        "Reference (2)\n"
        "  review-board  The board with the pages that wait for a review  sweep\n"
        "  style-guide   The style guide and the list of terms            agent\n"
        "Not loaded (1)\n"
        "  meeting-2026-10-15.md  the type 'note' is not one of user, feedback,\n"
        "                         project, reference\n"
        "\n"
        "7 memories in 1 agent, 1 file not loaded\n"
    )


def test_in_a_narrow_terminal_a_row_is_several_lines(demo: Path) -> None:
    assert without_color(at_terminal("list", "docs-writer", columns=40).out).splitlines()[:7] == [
        "docs-writer (7c09e5f2)",
        "User (1)",
        "  writes-for-admins  agent",
        "    Writes for administrators who read",
        "    in a hurry",
        "Feedback (2)",
        "  plain-english  user",
    ]


@pytest.mark.parametrize("columns", [80, 40, 20])
@pytest.mark.parametrize(
    "words",
    [
        "list",
        "show billing-bot",
        "show docs-writer/meeting-2026-10-15",
        "show billing-bot/finance-contacts",
        "sweep-mode",
        "auto-memory",
    ],
)
def test_no_line_is_wider_than_the_terminal(demo: Path, words: str, columns: int) -> None:
    shown = without_color(at_terminal("--no-pager", *words.split(), columns=columns).out)
    body = shown.rpartition("\n\n")[0] if words == "list" else shown
    wide = {line: sum(2 if ord(character) > 0x2E80 else 1 for character in line) for line in body.splitlines()}
    assert {line: width for line, width in wide.items() if width > columns} == {}


def test_markdown_is_rendered_and_plain_is_not(demo: Path) -> None:
    rendered = without_color(at_terminal("show", "billing-bot/api-migration").out)
    plain = without_color(at_terminal("show", "--plain", "billing-bot/api-migration").out)
    assert ("**Why:**" in rendered, "**Why:**" in plain) == (False, True)


@pytest.mark.parametrize("words", ["list a", "show a/x", "show a/x --plain", "delete -n a/x"])
def test_what_a_terminal_would_obey_is_made_visible(tmp_path: Path, words: str) -> None:
    evil = "\x1b]0;title\x07\x1b[2J\x9b1m\u202e\u200b"
    fill(tmp_path / "memory/a", {"x.md": memory("x", description=f"d{evil}", content=f"c{evil}")})
    shown = at_terminal("--root", tmp_path, "--color", "never", *words.split()).out
    assert set(shown) & set("\x1b\x07\x9b\u202e\u200b") == set()


def test_an_agent_without_memories_says_so(tmp_path: Path) -> None:
    fill(tmp_path / "memory/a", {})
    assert without_color(at_terminal("--root", tmp_path, "list").out) == "a\n  no memories\n\n0 memories in 1 agent\n"


# --- colour ---


@pytest.mark.parametrize(
    ("options", "env", "colored"),
    [
        ([], {}, True),
        ([], {"NO_COLOR": "1"}, False),
        ([], {"NO_COLOR": ""}, True),
        ([], {"TERM": "dumb"}, False),
        ([], {"TERM": "dumb", "FORCE_COLOR": "1"}, True),
        ([], {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False),
        (["--color", "never"], {}, False),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        (["--color", "auto"], {"NO_COLOR": "1"}, False),
        ([], {"MEMCTL_COLOR": "never"}, False),
    ],
)
@pytest.mark.parametrize("words", ["list docs-writer", "show docs-writer", "sweep-mode"])
def test_who_decides_on_colour(demo: Path, options: list[str], env: dict[str, str], colored: bool, words: str) -> None:
    assert ("\x1b[" in at_terminal(*options, *words.split(), env=env).out) == colored


@pytest.mark.parametrize(
    ("options", "env"), [([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"}), (["--color", "never"], {})]
)
@pytest.mark.parametrize("words", ["--help", "list --help", "help", "help list", "xyzzy", "list --xyzzyq"])
def test_help_and_errors_heed_it_too(demo: Path, options: list[str], env: dict[str, str], words: str) -> None:
    assert "\x1b" not in at_terminal(*options, *words.split(), env=env).out


def test_help_at_a_terminal_has_the_groups_as_panels() -> None:
    shown = without_color(at_terminal("--help").out)
    assert [
        name for name in ("Look", "Change", "Keep in order", "Agents", "Set up") if f"─ {name} ─" not in shown
    ] == []


def test_json_at_a_terminal_is_json(demo: Path) -> None:
    done = at_terminal("--json", "-q", "list", columns=2000)
    assert len(json.loads(done.out)["data"]["stores"]) == 3


# --- the pager ---


def pager(tmp_path: Path, text: str) -> str:
    return script(tmp_path / "pager", text)


def paged(tmp_path: Path, *words: str, lines: int = 10, text: str = "") -> tuple[Done, bool]:
    """Return what was shown, and whether the pager was used."""
    seen = tmp_path / "paged"
    env = {"MEMCTL_PAGER": pager(tmp_path, text or f"cat > {seen}")}
    return at_terminal(*words, lines=lines, env=env), seen.exists()


def test_what_is_longer_than_the_screen_is_paged(demo: Path, tmp_path: Path) -> None:
    done, used = paged(tmp_path, "list")
    assert (done.code, used, "Feedback" in done.out) == (0, True, False)


@pytest.mark.parametrize("words", [["--no-pager", "list"], ["list", "--json"], ["list", "--addresses", "-t", "user"]])
def test_what_is_not_paged(demo: Path, tmp_path: Path, words: list[str]) -> None:
    assert paged(tmp_path, *words)[1] is False


def test_what_fits_the_screen_is_not_paged(demo: Path, tmp_path: Path) -> None:
    assert paged(tmp_path, "list", lines=100)[1] is False


def test_an_empty_pager_is_none(demo: Path, home: Path) -> None:
    fill(home / ".config/memctl", {"config.toml": b'pager = ""\n'})
    assert "Feedback" in at_terminal("list", lines=10).out


def test_a_pager_that_is_not_there_is_no_failure(demo: Path) -> None:
    done = at_terminal("list", lines=10, env={"MEMCTL_PAGER": "/nowhere/pager"})
    assert (done.code, "Feedback" in done.out) == (0, True)


def test_a_pager_that_ends_early_is_no_failure(demo: Path, tmp_path: Path) -> None:
    done, _ = paged(tmp_path, "list", text="exit 0")
    assert (done.code, "Traceback" in done.out) == (0, False)


def test_a_pipe_is_never_paged(demo: Path, tmp_path: Path) -> None:
    done = shell(f"MEMCTL_PAGER={pager(tmp_path, f'cat > {tmp_path}/paged')} $M list")
    assert (len(done.rows), (tmp_path / "paged").exists()) == (21, False)
