"""The frame of every command: words, options, errors, streams, signals, exit codes."""

from __future__ import annotations

import json
import os
import pwd
import re
import signal
import subprocess
import threading
import time
from pathlib import Path

import pytest

from memctl import __version__
from memctl.cli.commands import ALIASES, COMMANDS, SYNONYMS
from memctl.core.env import Env
from tests.cli.running import MEMCTL, as_nobody, environment, shell, spawn, tree
from tests.conftest import UNDO, Cli
from tests.stores import NOBODY, fill, memory, needs_root, register, temp_files

ENVELOPE = ["schema", "memctl", "host", "command", "data", "errors"]
HISTORY = ".local/state/memctl/history.db"
MISSING_PLACES = "looked in {home}/.dash/gateway, {home}/.dashsquad/*; memctl demo DIR makes a small data folder to try"

# Each command once, as it changes nothing, with words that give it something to print.
HARMLESS = {
    "list": "list",
    "show": "show billing-bot docs-writer",
    "recall": "recall billing-bot api migration",
    "explain": "explain N001",
    "clear": "clear -n billing-bot",
    "remember": "remember -n hello",
    "path": "path billing-bot",
    "undo": "undo -n",
    "redo": "redo -n",
    "history": "history",
    "prompt": "prompt @user",
    "edit": "edit -n billing-bot/api-migration --description new",
    "delete": "delete -n billing-bot/*",
    "check": "check",
    "reindex": "reindex --all -n",
    "prune": "prune -n --all --over 0",
    "import-legacy": "import-legacy -n --all",
    "sweep-mode": "sweep-mode",
    "auto-memory": "auto-memory",
    "config": "config show",
    "completion": "completion bash",
    "demo": "demo -n new-place",
    "help": "help addresses",
    "--help": "--help",
    "--version": "--version",
}
# Each command that changes something, once, as it does so; what the bytes of the demo and of the home are then differs.
CHANGING = {
    "edit": "edit billing-bot/api-migration --description new",
    "edit @user": "edit @user/1 --content new",
    "delete": "delete -y billing-bot/api-migration",
    "delete @user": "delete -y @user/1",
    "clear": "clear -y billing-bot",
    "clear @user": "clear -y @user",
    "remember": "remember hello",
    "check": "check --fix --select I docs-writer",
    "reindex": "reindex --all",
    "prune": "prune -y --all --over 1",
    "import-legacy": "import-legacy --root ../fresh bot --file notes.md",
    "import-legacy @user": "import-legacy @user",
    "sweep-mode": "sweep-mode --hq-stopped billing-bot on",
    "auto-memory": "auto-memory --hq-stopped billing-bot off",
    "auto-memory @user": "auto-memory @user on",
    "config": "config set color never",
}
# What looks at the history, and so needs one.
OF_HISTORY = ("undo", "redo", "history")
# `import-legacy` finds no workspace there, and `check` what is planted: the answer is no.
ANSWERS = {"import-legacy": 1, "check": 1}


@pytest.fixture
def many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a data folder whose list is longer than a pipe holds."""
    files = {f"m{at:04}.md": memory(f"m{at:04}", description="d" * 190) for at in range(1000)}
    fill(tmp_path / "data/memory/aaaa1111", files)
    monkeypatch.setenv("MEMCTL_ROOT", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a place with a history: one change, and one that was undone."""
    place = tmp_path_factory.mktemp("kept")
    env = {
        "HOME": str(place),
        "MEMCTL_STATE_DIR": str(place / "state"),
        "MEMCTL_USER_MEMORY": str(place / "memory.md"),
        "XDG_SESSION_ID": "",
    }
    for words in ("remember one", "remember two", "undo"):
        assert spawn(*words.split(), env=env).code == 0
    return place


@pytest.fixture
def past(kept: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the history be one with something to undo and to redo."""
    monkeypatch.setenv("MEMCTL_STATE_DIR", str(kept / "state"))
    return kept


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give old notes to import, in the current directory, and beside it a data folder for them."""
    register(tmp_path / "fresh", {"id": "aaaa1111", "name": "bot"})
    fill(tmp_path / "work", {"notes.md": b"# Notes\n\n- one\n"})
    monkeypatch.chdir(tmp_path / "work")


# --- words and options ---


def test_the_version_is_printed(cli: Cli) -> None:
    assert cli("--version") == (0, f"memctl {__version__}\n", "")


def test_every_command_is_held_by_the_tests_of_the_frame() -> None:
    assert {command.name for command in COMMANDS} <= set(HARMLESS)


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("words", HARMLESS.values(), ids=HARMLESS)
def test_every_command_is_reached(cli: Cli, demo: Path, words: str) -> None:
    done = cli(*words.split())
    assert done.code == ANSWERS.get(words.split()[0], 0)
    assert done.out
    assert "Traceback" not in done.err


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("words", HARMLESS.values(), ids=HARMLESS)
def test_harmless_is_harmless(cli: Cli, demo: Path, home: Path, past: Path, words: str) -> None:
    before = (tree(demo), tree(home), (past / "memory.md").read_bytes())
    cli(*words.split())
    assert (tree(demo), tree(home), (past / "memory.md").read_bytes()) == before


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("words", [words for name, words in HARMLESS.items() if name[0] != "-" and name not in ANSWERS])
def test_quiet_prints_not_a_byte_on_success(cli: Cli, demo: Path, words: str) -> None:
    assert cli(*words.split(), "-q") == (0, "", "")


def test_quiet_does_not_silence_errors(cli: Cli, demo: Path) -> None:
    assert cli("-q", "list", "nobody") == (
        66,
        "",
        "memctl: error: no agent 'nobody'\nmemctl: hint: memctl list shows the agents\n",
    )


def test_quiet_leaves_a_machine_format_alone(cli: Cli, demo: Path) -> None:
    done = cli("-q", "--json", "list")
    assert (len(json.loads(done.out)["data"]["stores"]), done.err) == (3, "")


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_an_alias_is_its_command(cli: Cli, demo: Path, alias: str, name: str) -> None:
    words = {"list": ["docs-writer"], "show": ["docs-writer"], "delete": ["-n", "docs-writer/*"]}[name]
    assert cli(alias, *words) == cli(name, *words)


def test_an_alias_that_is_the_value_of_an_option_stays(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path / "ls/memory/a", {"x.md": memory("x")})
    assert cli("--root", "ls", "ls").err == "1 memory in 1 agent\n"


@pytest.mark.parametrize(("word", "meant"), SYNONYMS.items())
def test_a_word_that_people_guess_is_answered_with_the_command(cli: Cli, word: str, meant: str) -> None:
    assert cli(word, "x") == (
        2,
        "",
        f"memctl: error: no command '{word}'\nmemctl: hint: did you mean 'memctl {meant}'?\n",
    )


@pytest.mark.parametrize("meant", SYNONYMS.values())
def test_what_is_meant_is_a_command(meant: str) -> None:
    assert meant.split()[0] in {command.name for command in COMMANDS}


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("lst", "did you mean 'memctl list'?"),
        ("List", "did you mean 'memctl list'?"),
        ("STATUS", f"did you mean 'memctl {SYNONYMS['status']}'?"),
        ("xyzzy", "memctl help shows the commands"),
        ("", "memctl help shows the commands"),
    ],
)
def test_an_unknown_command_is_wrong_usage(cli: Cli, word: str, hint: str) -> None:
    assert cli(word) == (2, "", f"memctl: error: no command '{word}'\nmemctl: hint: {hint}\n")


def test_what_a_terminal_would_obey_is_made_visible(cli: Cli) -> None:
    assert cli("\x1b[31mred").err.splitlines()[0] == "memctl: error: no command '^[[31mred'"


@pytest.mark.parametrize(
    ("words", "err"),
    [
        (
            ["list", "--fliter", "x"],
            "memctl: error: no such option '--fliter'\nmemctl: hint: did you mean '--filter'? memctl list --help\n",
        ),
        (["list", "--xyzzyq"], "memctl: error: no such option '--xyzzyq'\nmemctl: hint: memctl list --help\n"),
        (["list", "-Z"], "memctl: error: no such option '-Z'\nmemctl: hint: memctl list --help\n"),
        (["--xyzzyq"], "memctl: error: no such option '--xyzzyq'\nmemctl: hint: memctl --help\n"),
        (["ls", "--root"], "memctl: error: option '--root' requires an argument\nmemctl: hint: memctl list --help\n"),
        (["-q"], "memctl: error: missing command\nmemctl: hint: memctl --help\n"),
        (["demo"], "memctl: error: missing argument 'DIR'\nmemctl: hint: memctl demo --help\n"),
        (["--format", "xml", "list"], "memctl: error: 'xml' is no format\nmemctl: hint: formats are text and json\n"),
        (
            ["--color", "sometimes", "list"],
            "memctl: error: 'color' must be 'auto' or 'always' or 'never', not 'sometimes'\n",
        ),
        (
            ["list", "--jobs", "0"],
            "memctl: error: invalid value for '--jobs': 0 is not in the range x>=1\nmemctl: hint: memctl list --help\n",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_a_hint(cli: Cli, demo: Path, words: list[str], err: str) -> None:
    assert cli(*words) == (2, "", err)


@pytest.mark.parametrize("form", [["--json"], ["-j"], ["--format", "json"], ["--format=json"], ["-qj"], ["-jv"]])
@pytest.mark.parametrize("before", [True, False])
def test_wrong_usage_speaks_json_as_well(cli: Cli, form: list[str], before: bool) -> None:
    words = [*form, "list", "--xyzzyq"] if before else ["list", "--xyzzyq", *form]
    done = cli(*words)
    value = json.loads(done.out)
    assert (done.code, list(value), value["command"], value["data"]) == (2, ENVELOPE, "list", None)
    assert value["errors"] == [
        {"code": "usage", "message": "no such option '--xyzzyq'", "path": None, "hint": "memctl list --help"}
    ]


def test_an_unknown_command_speaks_json_as_well(cli: Cli) -> None:
    value = json.loads(cli("-j", "xyzzy").out)
    assert (value["command"], value["data"], value["errors"][0]["code"]) == ("xyzzy", None, "usage")


def test_a_type_with_a_j_is_no_json(cli: Cli, demo: Path) -> None:
    assert cli("list", "-tproject", "nobody").out == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [(["-q"], []), ([], ["-q"]), (["--json"], []), ([], ["--json"]), (["--format", "json"], []), ([], ["-j"])],
)
def test_the_options_of_the_program_stand_before_and_after_the_command(
    cli: Cli, demo: Path, before: list[str], after: list[str]
) -> None:
    assert cli(*before, "list", *after) == cli(*after, "list", *before)


@pytest.mark.usefixtures("past")
def test_every_json_object_has_the_envelope(cli: Cli, demo: Path) -> None:
    commands = [name for name in HARMLESS if name[0] != "-" and name not in ("completion", "help")]
    for name in commands:
        value = json.loads(cli(*HARMLESS[name].split(), "--json").out)
        assert (list(value), value["schema"], value["memctl"], value["command"], value["host"]) == (
            ENVELOPE,
            1,
            __version__,
            name,
            os.uname().nodename,
        )


# --- the history ---


def test_every_option_to_keep_no_history_is_held_by_these_tests() -> None:
    import importlib
    import inspect

    changing = set()
    for command in COMMANDS:
        function = getattr(importlib.import_module(f"memctl.cli.{command.module}"), command.function)
        if "no_history" in inspect.signature(function).parameters:
            changing.add(command.name)
    assert {name.partition(" ")[0] for name in CHANGING} == changing


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("words", CHANGING.values(), ids=CHANGING)
def test_a_change_ends_with_how_it_is_undone(cli: Cli, demo: Path, home: Path, tmp_path: Path, words: str) -> None:
    before = (tree(tmp_path), tree(home))
    done = cli(*words.split())
    assert (done.code, done.err.splitlines(keepends=True)[-1], done.err.count("undo: ")) == (0, UNDO, 1)
    assert (home / HISTORY).stat().st_mode & 0o777 == 0o600
    for name in [name for name in tree(home) if name.startswith(".local/")]:
        (home / name).unlink()
    assert (tree(tmp_path), tree(home)) != before


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("words", CHANGING.values(), ids=CHANGING)
def test_json_of_a_change_has_its_id(cli: Cli, demo: Path, words: str) -> None:
    done = cli(*words.split(), "--json")
    assert (done.code, json.loads(done.out)["data"]["change"]) == (0, 1)


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("form", [[], ["--json"], ["-q"]])
@pytest.mark.parametrize("words", CHANGING.values(), ids=CHANGING)
def test_a_dry_run_opens_no_history(
    cli: Cli, demo: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: list[str], words: str
) -> None:
    monkeypatch.setenv("MEMCTL_STATE_DIR", "/dev/null/none")
    before = (tree(tmp_path), tree(home))
    done = cli(*words.split(), "-n", *form)
    assert (done.code, "undo: " in done.err) == (0, False)
    assert form != ["--json"] or json.loads(done.out)["data"]["change"] is None
    assert (tree(tmp_path), tree(home)) == before


def test_quiet_keeps_the_change_and_does_not_speak_of_it(cli: Cli, demo: Path, home: Path) -> None:
    assert cli("-q", "remember", "hello") == (0, "", "")
    assert (home / HISTORY).exists()


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("kind", ["no directory", "a file", "a directory", "no home"])
@pytest.mark.parametrize("words", CHANGING.values(), ids=CHANGING)
def test_without_a_place_for_the_history_nothing_is_changed(
    cli: Cli, demo: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, words: str
) -> None:
    state = "/dev/null/none" if kind == "no directory" else str(tmp_path / "state")
    why = {
        "no directory": "'/dev/null' is in the way: it is no directory",
        "a file": f"'{state}' is in the way: it is no directory",
        "a directory": f"cannot write '{state}/history.db': is a directory",
    }
    if kind == "a file":
        (tmp_path / "state").touch()
    elif kind == "a directory":
        (tmp_path / "state/history.db").mkdir(parents=True)
    if kind == "no home":
        if words.startswith(("config", "auto-memory @user", "import-legacy @user")):
            pytest.skip("it needs a home for itself")
        monkeypatch.setattr("memctl.cli.context.take_env", lambda: Env(os.environ, None, os.getcwd(), os.geteuid()))
    else:
        monkeypatch.setenv("MEMCTL_STATE_DIR", state)
    said = f"no place for the history: {why[kind]}" if kind in why else "no home directory to keep the history in"
    before = (tree(tmp_path), tree(home), sorted(home.rglob("*")))
    done = cli(*words.split())
    errors = [line for line in done.err.splitlines() if line.startswith("memctl: ")]
    assert (done.code, done.out, len(errors)) == (78, "", 2)
    assert errors[0] == f"memctl: error: there is {said}"
    assert errors[1].startswith("memctl: hint: MEMCTL_STATE_DIR names ")
    assert errors[1].endswith("; --no-history goes on without, and then nothing can be undone")
    assert "undo: " not in done.err
    assert (tree(tmp_path), tree(home), sorted(home.rglob("*"))) == before


@needs_root
def test_a_place_for_the_history_that_may_not_be_written_is_none(open_place: Path) -> None:
    os.chown(open_place / "memory/a", NOBODY, NOBODY)
    before = tree(open_place)
    env = {"HOME": "/nowhere", "MEMCTL_STATE_DIR": str(open_place / "state")}
    done = as_nobody("--root", open_place, "delete", "-y", "a/x", env=env)
    assert (done.code, done.out) == (78, "")
    assert done.err.startswith(
        f"memctl: error: there is no place for the history: cannot write '{open_place}/state': permission denied\n"
        "memctl: hint: "
    )
    assert "--no-history" in done.err.splitlines()[1]
    assert tree(open_place) == before


@pytest.mark.usefixtures("notes")
@pytest.mark.parametrize("place", ["/dev/null/none", None])
@pytest.mark.parametrize("words", CHANGING.values(), ids=CHANGING)
def test_without_a_history_it_goes_on_and_speaks_of_no_undo(
    cli: Cli, demo: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str | None, words: str
) -> None:
    if place:
        monkeypatch.setenv("MEMCTL_STATE_DIR", place)
    before = (tree(tmp_path), tree(home))
    done = cli(*words.split(), "--no-history")
    assert (done.code, "undo: " in done.err, (home / HISTORY).exists()) == (0, False, False)
    assert (tree(tmp_path), tree(home)) != before


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("words", [words for name, words in HARMLESS.items() if name not in OF_HISTORY])
def test_what_reads_never_opens_the_history(
    cli: Cli, demo: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, there: bool
) -> None:
    state = tmp_path / "state"
    monkeypatch.setenv("MEMCTL_STATE_DIR", str(state))
    if there:
        fill(state, {"history.db": b"no database: who opens it says so"})
    before = (tree(tmp_path), tree(home))
    done = cli(*words.split())
    assert (done.code, "history" in done.err) == (ANSWERS.get(words.split()[0], 0), False)
    assert (state.exists(), tree(tmp_path), tree(home)) == (there, *before)


@pytest.mark.parametrize("words", ["undo", "redo", "history --show 1", "history --forget 1 -y", "history", "undo -n"])
def test_what_looks_at_the_history_makes_none(cli: Cli, demo: Path, home: Path, words: str) -> None:
    assert cli(*words.split()).code == (0 if words == "history" else 66)
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        "reindex billing-bot",
        "sweep-mode --hq-stopped docs-writer on",
        "prune -y --all --over 999",
        "delete -y --missing-ok billing-bot/zz",
    ],
)
def test_a_change_of_nothing_is_none(cli: Cli, demo: Path, home: Path, words: str) -> None:
    done = cli(*words.split())
    assert (done.code, "undo: " in done.err, list(home.iterdir())) == (0, False, [])
    assert json.loads(cli(*words.split(), "--json").out)["data"]["change"] is None


# --- where to look ---


@pytest.mark.parametrize("command", ["list", "show x/y", "delete -y x/y", "reindex --all", "prune --all --over 1"])
def test_without_a_data_folder_it_says_where_it_looked(cli: Cli, home: Path, command: str) -> None:
    assert cli(*command.split()) == (
        66,
        "",
        f"memctl: error: no data folder of an HQ found\nmemctl: hint: {MISSING_PLACES.format(home=home)}\n",
    )


def test_without_a_data_folder_json_has_the_hint(cli: Cli, home: Path) -> None:
    assert json.loads(cli("list", "-j").out)["errors"] == [
        {
            "code": "not-found",
            "message": "no data folder of an HQ found",
            "path": None,
            "hint": MISSING_PLACES.format(home=home),
        }
    ]


@needs_root
def test_under_sudo_the_folder_of_the_one_who_called_is_named(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(tmp_path / ".dash/gateway/memory/a", {})
    entry = pwd.struct_passwd(("mei", "x", 1000, 1000, "", str(tmp_path), "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwnam", lambda _: entry)
    monkeypatch.setenv("SUDO_USER", "mei")
    assert f"; the user 'mei' has one: --root {tmp_path}/.dash/gateway; " in cli("list").err


def test_the_default_place_is_found(cli: Cli, home: Path) -> None:
    fill(home / ".dash/gateway/memory/a", {"x.md": memory("x")})
    assert cli("list").err == "1 memory in 1 agent\n"


def test_dash_home_is_heeded(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "gateway/memory/a", {"x.md": memory("x")})
    monkeypatch.setenv("DASH_HOME", str(tmp_path))
    assert cli("list").err == "1 memory in 1 agent\n"


def test_a_missing_root_is_not_found(cli: Cli, tmp_path: Path) -> None:
    assert cli("--root", tmp_path / "no", "list") == (
        66,
        "",
        f"memctl: error: the root '{tmp_path}/no' does not exist\n"
        "memctl: hint: memctl demo DIR makes a small data folder to try\n",
    )


def test_a_missing_root_does_not_stop_the_others(cli: Cli, demo: Path, tmp_path: Path) -> None:
    done = cli("--root", tmp_path / "no", "--root", demo, "list")
    assert (done.code, len(done.rows)) == (66, 21)


def test_a_clock_that_is_none_is_wrong_configuration(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_NOW", "noon")
    assert cli("list") == (
        78,
        "",
        "memctl: error: MEMCTL_NOW is 'noon', which is no ISO 8601 time\nmemctl: hint: such as 2026-11-30T12:00:00Z\n",
    )


@pytest.mark.parametrize("text", ["2026-11-30T13:00:00+01:00", "2026-11-30T12:00:00", "2026-11-30T12:00:00Z"])
def test_the_clock_is_utc(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("MEMCTL_NOW", text)
    assert cli("reindex", "--all").err.startswith("MEMCTL_NOW is set: the clock stands at 2026-11-30T12:00:00Z\n")


@pytest.mark.parametrize("command", ["list", "show docs-writer", "sweep-mode", "reindex --check"])
def test_a_reading_command_does_not_speak_of_the_clock(cli: Cli, demo: Path, now: str, command: str) -> None:
    assert "MEMCTL_NOW" not in cli(*command.split()).err


# --- one bad thing never stops the others ---


def test_a_broken_registry_is_78_and_the_rest_is_done(cli: Cli, demo: Path) -> None:
    (demo / "agents.json").write_text("[{]")
    done = cli("list")
    assert (done.code, len(done.rows)) == (78, 21)
    assert done.err.startswith(f"memctl: error: '{demo}/agents.json' is not valid JSON (line 1, column 3)\n")


def test_a_broken_registry_is_in_the_json_errors(cli: Cli, demo: Path) -> None:
    (demo / "agents.json").write_text("{}")
    value = json.loads(cli("list", "-j").out)
    assert (len(value["data"]["stores"]), [error["code"] for error in value["errors"]]) == (3, ["config"])


@pytest.mark.parametrize("kind", ["directory", "fifo"])
def test_what_is_no_file_is_listed_as_not_loaded(cli: Cli, tmp_path: Path, kind: str) -> None:
    folder = fill(tmp_path / "memory/a", {"y.md": memory("y")})
    if kind == "directory":
        (folder / "x.md").mkdir()
    else:
        os.mkfifo(folder / "x.md")
    done = cli("--root", tmp_path, "list")
    article = "a directory" if kind == "directory" else "a FIFO"
    assert (done.code, done.rows[1]) == (0, ["a/x", "not-loaded", "", "", "", f"{article}, not a file"])


def test_a_large_file_is_read(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory/a", {"x.md": memory("x", content="x" * 50_000_000)})
    assert cli("--root", tmp_path, "list").rows[0][4] == "50000000"


def test_ten_thousand_memories_in_one_directory_are_listed(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory/a", {f"m{at:05}.md": memory(f"m{at:05}") for at in range(10_000)})
    assert cli("--root", tmp_path, "list").err == "10,000 memories in 1 agent\n"


def test_dotted_directories_and_other_files_do_not_count(cli: Cli, tmp_path: Path) -> None:
    fill(tmp_path / "memory/a", {"x.md": memory("x"), "notes.txt": b"", ".hidden.md": b""})
    fill(tmp_path / "memory/a/.dreams", {"y.md": memory("y")})
    fill(tmp_path / "memory/.trash", {"z.md": memory("z")})
    assert cli("--root", tmp_path, "list", "--addresses").out == "a/x\n"


@pytest.fixture
def open_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a data folder that other users can reach, with a directory that they cannot read."""
    import shutil
    import tempfile

    place = Path(tempfile.mkdtemp(prefix="memctl-open-"))
    place.chmod(0o755)
    for name in ("a", "b", "c"):
        fill(place / "memory" / name, {"x.md": memory("x"), "y.md": memory("y")})
    (place / "memory/b").chmod(0o700)
    (place / "memory/c/y.md").chmod(0o600)
    yield place
    shutil.rmtree(place)


@needs_root
def test_what_may_not_be_read_is_74_and_the_rest_is_done(open_place: Path) -> None:
    done = as_nobody("--root", open_place, "list", "--addresses", env={"HOME": "/nowhere"})
    assert (done.code, done.out) == (74, "a/x\na/y\nc/x\n")
    assert done.err == (
        f"memctl: error: cannot read '{open_place}/memory/b': permission denied\n"
        f"memctl: error: cannot read '{open_place}/memory/c/y.md': permission denied\n"
        "3 memories in 3 agents, 1 file not loaded\n"
    )


@needs_root
def test_what_may_not_be_read_is_in_the_json_errors(open_place: Path) -> None:
    done = as_nobody("--root", open_place, "list", "-j", env={"HOME": "/nowhere"})
    value = json.loads(done.out)
    assert (done.code, [error["code"] for error in value["errors"]]) == (74, ["io", "io"])


@needs_root
def test_what_may_not_be_written_is_77_and_nothing_is_left_behind(open_place: Path) -> None:
    before = tree(open_place)
    done = as_nobody("--root", open_place, "delete", "-y", "a/x", env={"HOME": "/nowhere"})
    assert (done.code, done.out) == (77, "")
    assert tree(open_place) == before


@needs_root
def test_with_a_bad_registry_and_an_unreadable_directory_the_worst_code_counts(open_place: Path) -> None:
    (open_place / "agents.json").write_text("{")
    done = as_nobody("--root", open_place, "list", "nobody", "b", "a", env={"HOME": "/nowhere"})
    assert done.code == 74


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["nobody", "e4d81b36"], 66),
        (["nobody", "e4d81b36/x"], 66),
    ],
)
def test_the_exit_code_is_the_first_of_the_order(cli: Cli, demo: Path, words: list[str], code: int) -> None:
    assert cli("list", *words).code == code


def test_a_bad_registry_comes_before_an_unknown_agent(cli: Cli, demo: Path) -> None:
    (demo / "agents.json").write_text("{")
    assert cli("list", "1a2b3c4d", "nobody").code == 78


def test_protected_comes_before_not_found(cli: Cli, demo: Path) -> None:
    link = demo / "memory/1a2b3c4d/link.md"
    link.symlink_to("api-migration.md")
    assert cli("edit", "--touch", "1a2b3c4d/link", "1a2b3c4d/zz").code == 77


def test_not_found_comes_before_the_answer_no(cli: Cli, demo: Path) -> None:
    assert cli("reindex", "--check", "docs-writer", "nobody").code == 66


# --- streams ---


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", HARMLESS.values(), ids=HARMLESS)
def test_a_full_disk_behind_stdout_is_74(demo: Path, words: str, unbuffered: str) -> None:
    done = shell(f"$M {words} >/dev/full", {"PYTHONUNBUFFERED": unbuffered})
    assert (done.code, done.err.splitlines()[-1]) == (
        74,
        "memctl: error: cannot write to standard output: no space left on device",
    )


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("words", HARMLESS.values(), ids=HARMLESS)
def test_a_closed_stdout_is_74(demo: Path, words: str) -> None:
    done = shell(f"$M {words} >&-")
    assert (done.code, done.err.splitlines()[-1]) == (
        74,
        "memctl: error: cannot write to standard output: it is closed",
    )


@pytest.mark.parametrize("words", ["list --jobs 2", "reindex --all -n --jobs 2", "auto-memory --jobs 2"])
def test_a_closed_stdout_is_74_with_workers_too(demo: Path, words: str) -> None:
    done = shell(f"$M {words} >&-")
    assert (done.code, done.err.splitlines()[-1]) == (
        74,
        "memctl: error: cannot write to standard output: it is closed",
    )


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("words", HARMLESS.values(), ids=HARMLESS)
def test_all_streams_closed_is_no_traceback(demo: Path, tmp_path: Path, words: str) -> None:
    assert shell(f"$M {words} <&- >&- 2>&-").code == 74


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("words", HARMLESS.values(), ids=HARMLESS)
def test_a_closed_stderr_changes_nothing(demo: Path, words: str) -> None:
    done = shell(f"$M {words} 2>&-")
    assert (done.code, bool(done.out)) == (ANSWERS.get(words.split()[0], 0), True)


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("words", HARMLESS.values(), ids=HARMLESS)
def test_the_first_line_can_be_had_alone(demo: Path, words: str) -> None:
    done = shell(f"$M {words} | head -1; exit ${{PIPESTATUS[0]}}")
    assert done.code in (0, ANSWERS.get(words.split()[0], 0), 141)
    assert len(done.out.splitlines()) == 1
    assert "Traceback" not in done.err
    assert "memctl: error" not in done.err


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("options", ["", "--json", "--jobs 3"])
def test_a_reader_that_goes_away_is_141_and_silent(many: Path, options: str, unbuffered: str) -> None:
    done = shell(f"$M list {options} | head -c 10; exit ${{PIPESTATUS[0]}}", {"PYTHONUNBUFFERED": unbuffered})
    assert (done.code, len(done.out), done.err) == (141, 10, "")


def test_a_reader_that_goes_away_ends_the_workers_too(tmp_path: Path) -> None:
    files = {f"m{at:03}.md": memory(f"m{at:03}", description="d" * 190) for at in range(200)}
    for number in range(24):
        fill(tmp_path / f"memory/agent{number:02}", files)
    done = shell(f"$M --root {tmp_path} list --jobs 4 | head -c 10; exit ${{PIPESTATUS[0]}}")
    assert (done.code, done.err) == (141, "")


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("words", HARMLESS.values(), ids=HARMLESS)
@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"FORCE_COLOR": "1"}, {"TERM": ""}])
def test_a_pipe_gets_no_colour(
    cli: Cli, demo: Path, words: str, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert "\x1b" not in cli(*words.split()).out


@pytest.mark.usefixtures("past")
@pytest.mark.parametrize("words", [words for name, words in HARMLESS.items() if name[0] != "-"])
def test_colour_that_is_asked_for_is_for_terminals(cli: Cli, demo: Path, words: str) -> None:
    done = cli(*words.split(), "--color", "always")
    assert (done.code, "\x1b" in done.out) == (ANSWERS.get(words.split()[0], 0), False)


def test_nothing_waits_for_a_person(demo: Path) -> None:
    # stdin is a pipe that stays open: a question would hang.
    reader, writer = os.pipe()
    try:
        command = [*MEMCTL, "delete", "billing-bot/api-migration"]
        done = subprocess.run(command, stdin=reader, capture_output=True, timeout=20, env=environment())
    finally:
        os.close(reader)
        os.close(writer)
    assert done.returncode == 2


def test_a_bug_is_one_line_and_says_how_to_see_more(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import memctl.cli.list

    def broken(*_: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(memctl.cli.list, "_summary", broken)
    done = cli("list", "billing-bot")
    assert done.code == 70
    assert done.err == (
        "memctl: error: this is a bug in memctl (KeyError: 'oops')\n"
        "memctl: hint: run it again with --debug and report what it prints\n"
    )


def test_debug_shows_the_traceback_of_a_bug(cli: Cli, demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import memctl.cli.list

    def broken(*_: object) -> None:
        raise KeyError("oops")

    monkeypatch.setattr(memctl.cli.list, "_summary", broken)
    assert "Traceback" in cli("--debug", "list", "billing-bot").err


def test_the_module_runs_as_the_program() -> None:
    done = spawn("--version")
    assert done == (0, f"memctl {__version__}\n", "")


def test_a_working_directory_that_is_gone_is_no_failure(demo: Path, tmp_path: Path) -> None:
    done = shell(f"mkdir {tmp_path}/gone && cd {tmp_path}/gone && rmdir {tmp_path}/gone && $M list billing-bot")
    assert (done.code, len(done.rows)) == (0, 9)


def test_without_home_the_one_of_the_user_is_taken(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = pwd.struct_passwd(("mei", "x", 1000, 1000, "", str(tmp_path), "/bin/sh"))
    monkeypatch.setattr(pwd, "getpwuid", lambda _: entry)
    monkeypatch.delenv("HOME")
    assert cli("config", "path").out == f"{tmp_path}/.config/memctl/config.toml\n"


# --- signals ---


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)], ids=str
)
@pytest.mark.parametrize("group", [False, True], ids=["alone", "group"])
def test_a_signal_ends_it_with_its_code_and_no_traceback(
    tmp_path: Path, number: signal.Signals, code: int, group: bool
) -> None:
    # It waits to write into a pipe that nobody reads, its workers to write into theirs.
    files = {f"m{at:03}.md": memory(f"m{at:03}", description="d" * 190) for at in range(200)}
    for agent in range(24):
        fill(tmp_path / f"memory/agent{agent:02}", files)
    command = [*MEMCTL, "--root", str(tmp_path), "list", "--jobs", "3"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), start_new_session=True
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.read(1)
        time.sleep(0.2)
        (os.killpg if group else os.kill)(child.pid, number)
        time.sleep(0.05)
        rest = threading.Thread(target=child.stdout.read)
        rest.start()
        err = child.stderr.read().decode()
        rest.join()
        assert (child.wait(20), err) == (code, "")


def test_a_signal_while_it_changes_leaves_no_temp_file(tmp_path: Path) -> None:
    folder = fill(tmp_path / "memory/a", {f"m{at:03}.md": memory(f"m{at:03}") for at in range(400)})
    command = [*MEMCTL, "--root", str(tmp_path), "delete", "-y", "a/*"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as child:
        deadline = time.monotonic() + 20
        while len(os.listdir(folder)) > 390 and time.monotonic() < deadline:
            time.sleep(0.001)
        child.send_signal(signal.SIGTERM)
        _, err = child.communicate(timeout=20)
    assert b"Traceback" not in err
    assert temp_files(folder) == []
    assert child.returncode in (0, 143)


def test_what_a_lock_waits_for_is_said(tmp_path: Path) -> None:
    import fcntl

    folder = fill(tmp_path / "memory/a", {"x.md": memory("x")})
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        done = spawn("--root", tmp_path, "delete", "-y", "--wait", "0.1", "a/x")
    finally:
        os.close(descriptor)
    assert (done.code, done.out) == (75, "")
    assert re.sub(r"^.*deleted.*\n", "", done.err, flags=re.MULTILINE) == (
        f"waiting for another memctl that works in '{folder}'\n"
        f"memctl: error: '{folder}' is locked by another memctl\n"
        "memctl: hint: try again, or wait longer with --wait SECONDS\n"
    )


def test_a_short_write_is_finished(many: Path, tmp_path: Path) -> None:
    # The file may grow to 100 blocks; the next write fails, and that is said.
    env = {"PYTHONUNBUFFERED": "1"}
    done = shell(f"trap '' XFSZ; ulimit -f 100; $M list > {tmp_path}/out", env)
    assert (done.code, done.err.splitlines()[-1]) == (
        74,
        "memctl: error: cannot write to standard output: file too large",
    )
