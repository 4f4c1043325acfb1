from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest

from memctl.cli import completion
from memctl.cli.app import main
from memctl.cli.commands import ALIASES, COMMANDS
from memctl.cli.completion import FILES, SHELLS
from memctl.output.completions import every_option
from tests.stores import CODE, NOBODY, fill, memory

COMPLETIONS = Path(CODE) / "completions"
HOSTILE = {
    "a": "a $(touch pwned)",
    "b": "b`touch pwned`",
    "c": "c it's",
    "d": 'd "quoted"',
    "e": "e;touch pwned",
    "f": "f\\back",
    "g": "g*?[x]",
    "h": "h${HOME}~",
    "i": "i:colon=at@",
    "j": "jürgen-weiß",
    "k": "k #!&|<>(){}",
}
INVISIBLE = ("x\nnew", "y\x1b[31m", "z\ttab")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with agents and memories."""
    folder = tmp_path / "data"
    fill(folder / "memory" / "1a2b3c4d", {f"{name}.md": memory(name) for name in ("api-migration", "api-docs", "team")})
    (folder / "memory" / "1a2b3c4d" / "MEMORY.md").write_text("# Memory index\n")
    fill(folder / "memory" / "7c09e5f2", {f"{name}.md": memory("x") for name in (*HOSTILE.values(), *INVISIBLE)})
    fill(folder / "memory" / "e4d81b36", {})
    register(folder, {"1a2b3c4d": "billing-bot", "7c09e5f2": "docs-writer", "99ff": "$(touch pwned)"})
    return folder


def register(folder: Path, names: dict[str, str]) -> None:
    (folder / "agents.json").write_text(json.dumps([{"id": key, "name": name} for key, name in names.items()]))


@pytest.fixture
def env(tmp_path: Path, data: Path) -> dict[str, str]:
    """An environment in which `memctl` is this program, and nothing of the person who runs the tests."""
    program = tmp_path / "bin" / "memctl"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m memctl "$@"\n')
    program.chmod(0o755)
    home = tmp_path / "home"
    (home / "some-folder").mkdir(parents=True)
    (home / "some-file.md").write_text("")
    return {
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "PYTHONPATH": CODE,
        "HOME": str(home),
        "TERM": "vt100",
        "LC_ALL": "C.UTF-8",
        "MEMCTL_ROOT": str(data),
        "MEMCTL_CONFIG": os.devnull,
    }


class Shell:
    """A shell at a terminal, in which `memctl` only prints its arguments, and its completion asks the program."""

    start: tuple[str, ...] = ()

    def __init__(self, env: dict[str, str], *setup: str) -> None:
        name, *arguments = self.program
        if shutil.which(name) is None:
            pytest.skip(f"{name} is not installed")
        self.process = pexpect.spawn(
            name, arguments, env=env, cwd=env["HOME"], dimensions=(60, 160), encoding="utf-8", timeout=20
        )
        self.process.delaybeforesend = None
        for line in (*setup, *self.start):
            self.process.send(line + "\r")
        self.process.send("echo READ''Y\r")
        self.process.expect("READY\r\n")

    program: tuple[str, ...] = ()

    def arguments(self, line: str, more: str = "") -> list[str]:
        """Return the arguments of the command that a line with one TAB behind it becomes."""
        self.process.send(f"memctl {line}\t{more}\r")
        self.process.expect("<BEGIN>\r\n(.*)<END>")
        return re.findall("ARG ([^\r]*)\r\n", self.process.match.group(1))

    def shown(self, line: str, tabs: int = 2) -> str:
        """Return what the screen shows where a line has several continuations."""
        self.process.send(f"memctl {line}" + "\t" * tabs)
        self.process.send("\x15echo DO''NE\r")
        self.process.expect("DONE\r\n")
        return str(self.process.before)


class Bash(Shell):
    program = ("bash", "--norc", "--noprofile", "-i")
    start = (
        "bind 'set enable-bracketed-paste off'; bind 'set completion-query-items 0'; bind 'set page-completions off'",
        f"source '{COMPLETIONS / FILES['bash']}'",
        r"""memctl() { echo '<BEGIN>'; for word; do printf 'ARG %s\n' "$word"; done; echo '<END>'; }""",
    )


class Zsh(Shell):
    program = ("zsh", "-f", "-i")
    # The TAB of zsh runs a $(...) under the cursor before it completes; that is not ours, so it only completes here.
    start = (
        "bindkey '^I' complete-word",
        f"fpath=('{COMPLETIONS}' $fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep",
        r"""memctl() { echo '<BEGIN>'; for word; do printf 'ARG %s\n' "$word"; done; echo '<END>'; }""",
    )


class ZshSourced(Zsh):
    start = (
        f"autoload -Uz compinit; compinit -u -D; source '{COMPLETIONS / FILES['zsh']}'",
        *(line for line in Zsh.start if "compinit" not in line),
    )


class Fish:
    """fish, asked for what it would offer."""

    def __init__(self, env: dict[str, str]) -> None:
        if shutil.which("fish") is None:
            pytest.skip("fish is not installed")
        self.env = env

    def offers(self, line: str) -> list[str]:
        """Return what fish offers at the end of a line: each candidate, a tab and what it is."""
        code = 'source $argv[1]; complete -C "memctl $argv[2]"'
        answer = subprocess.run(
            ["fish", "--no-config", "-c", code, str(COMPLETIONS / FILES["fish"]), line],
            env=self.env,
            cwd=self.env["HOME"],
            capture_output=True,
            text=True,
            check=True,
            timeout=20,
        )
        assert answer.stderr == ""
        return answer.stdout.splitlines()


SHELL_CLASSES = [Bash, Zsh, ZshSourced]

# A line, and what it is after one TAB. A directory ends with a slash in bash, which zsh takes away at the line's end.
LINES = {
    "li": ["list"],
    "sweep": ["sweep-mode"],
    "xyz": ["xyz"],
    "list --typ": ["list", "--type"],
    "--no-p": ["--no-pager"],
    "-q --no-p": ["-q", "--no-pager"],
    "list --no-p": ["list", "--no-pager"],
    "delete --missi": ["delete", "--missing-ok"],
    "list --type us": ["list", "--type", "user"],
    "list --type=us": ["list", "--type=user"],
    "list -t us": ["list", "-t", "user"],
    "list -rt us": ["list", "-rt", "user"],
    "list --source imp": ["list", "--source", "import"],
    "prune -s sw": ["prune", "-s", "sweep"],
    "list --sort upd": ["list", "--sort", "updated"],
    "list --color nev": ["list", "--color", "never"],
    "--color nev": ["--color", "never"],
    "list --format js": ["list", "--format", "json"],
    "list --filter bill": ["list", "--filter", "bill"],
    "list --filter li bill": ["list", "--filter", "li", "billing-bot"],
    "list -- --ty": ["list", "--", "--ty"],
    "list -- bill": ["list", "--", "billing-bot"],
    "list bill": ["list", "billing-bot"],
    "ls bill": ["ls", "billing-bot"],
    "list 1a": ["list", "1a2b3c4d"],
    'list "bill': ["list", "billing-bot"],
    "list 1a2b3c4d docs": ["list", "1a2b3c4d", "docs-writer"],
    "reindex e4": ["reindex", "e4d81b36"],
    "check bill": ["check", "billing-bot"],
    "check some-fi": ["check", "some-file.md"],
    "check billing-bot ./some-fi": ["check", "billing-bot", "./some-file.md"],
    "check --fail-on warn": ["check", "--fail-on", "warning"],
    "check --select N00": ["check", "--select", "N00"],
    "check --select N004": ["check", "--select", "N004"],
    "check -o sar": ["check", "-o", "sarif="],
    "list billing-bot/": ["list", "billing-bot/"],
    "show billing-bot/te": ["show", "billing-bot/team"],
    "cat billing-bot/te": ["cat", "billing-bot/team"],
    "show 1a2b3c4d/te": ["show", "1a2b3c4d/team"],
    "show billing-bot/ap": ["show", "billing-bot/api-"],
    "show 'billing-bot/te": ["show", "billing-bot/team"],
    "show BILLING-BOT/te": ["show", "BILLING-BOT/team"],
    "rm -y billing-bot/team 1a2b3c4d/te": ["rm", "-y", "billing-bot/team", "1a2b3c4d/team"],
    "edit e4d81b36/": ["edit", "e4d81b36/"],
    "edit nobody/x": ["edit", "nobody/x"],
    "sweep-mode bill": ["sweep-mode", "billing-bot"],
    "sweep-mode docs-writer of": ["sweep-mode", "docs-writer", "off"],
    "auto-memory of": ["auto-memory", "off"],
    "config sh": ["config", "show"],
    "config set colo": ["config", "set", "color"],
    "help cro": ["help", "cron"],
    "help prun": ["help", "prune"],
    "completion z": ["completion", "zsh"],
    "completion zsh b": ["completion", "zsh", "b"],
    "import-legacy --file some-fi": ["import-legacy", "--file", "some-file.md"],
    "--user-memory some-fi": ["--user-memory", "some-file.md"],
    "show ./some-fi": ["show", "./some-file.md"],
    "list --jobs 2 --type=user bill": ["list", "--jobs", "2", "--type=user", "billing-bot"],
}
DIRECTORIES = {
    "--root some-fo": ["--root", "some-folder"],
    "list --root=some-fo": ["list", "--root=some-folder"],
    "import-legacy --workspace some-": ["import-legacy", "--workspace", "some-folder"],
    "demo some-": ["demo", "some-folder"],
    "list ./some-": ["list", "./some-folder"],
    "show bill": ["show", "billing-bot"],
    "edit 1a": ["edit", "1a2b3c4d"],
    "delete -n docs": ["delete", "-n", "docs-writer"],
}
FISH = {
    "li": ["list\tList memories in groups by type."],
    "list --typ": ["--type\tuser, feedback, project or reference. Repeatable."],
    "list --missi": [],
    "list --sort up": ["updated\tname, updated, created or size."],
    "list --format=js": ["--format=json\ttext or json."],
    "list --filter bill": [],
    "list -- --ty": [],
    "list bill": ["billing-bot\t1a2b3c4d"],
    "ls bill": ["billing-bot\t1a2b3c4d"],
    "list 1a": ["1a2b3c4d\tbilling-bot"],
    'list "bill': ["billing-bot\t1a2b3c4d"],
    "show bill": ["billing-bot/\t1a2b3c4d"],
    "show billing-bot/a": ["billing-bot/api-docs", "billing-bot/api-migration"],
    "rm -y 'billing-bot/te": ["billing-bot/team"],
    "sweep-mode docs-writer of": ["off"],
    "config ": ["path", "set", "show"],
    "config set colo": ["color\twhen to colour the output"],
    "help cro": ["cron\tA topic."],
    "completion zsh ": [],
    "--root some": ["some-folder/\tDirectory"],
    "list --root=some": ["--root=some-folder/\tDirectory"],
    "import-legacy --file some": ["some-file.md", "some-folder/"],
    "show ./some-fi": ["./some-file.md"],
    "list (touch pwned)": [],
}


@pytest.mark.parametrize("shell", SHELLS)
def test_the_checked_in_script_is_what_the_program_prints(shell: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert capfd.readouterr().out == (COMPLETIONS / FILES[shell]).read_text()


def test_the_module_writes_the_scripts(tmp_path: Path) -> None:
    completion.write_scripts(str(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES.values())


def test_an_unknown_shell_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "tcsh"]) == 2
    assert "there is no completion for 'tcsh'" in capsys.readouterr().err


@pytest.mark.parametrize("name", [entry.name for entry in COMMANDS])
def test_the_table_has_the_options_that_the_help_shows(name: str, env: dict[str, str]) -> None:
    spec = completion.program_spec()
    command = next(command for command in spec.commands if command.names[0] == name)
    assert command.names[1:] == tuple(alias for alias, meant in ALIASES.items() if meant == name)
    table = {word: option.values is not None for option in every_option(spec, command) for word in option.names}
    assert table == options_of_help(name, env)


def options_of_help(command: str, env: dict[str, str]) -> dict[str, bool]:
    """Return the options that the help of a command shows, and whether they take a value."""
    text = subprocess.run(
        ["memctl", command, "--help"], env=env, capture_output=True, text=True, check=True
    ).stdout.partition("\nOptions:\n")[2]
    found = {}
    for names, value in re.findall(r"^  (-\S+(?:, -\S+)*)( [A-Z]\S*)?(?:  |$)", text, re.MULTILINE):
        found |= dict.fromkeys(names.split(", "), bool(value))
    return found


def test_each_word_for_a_value_is_known_to_the_completion() -> None:
    values = [
        value
        for command in completion.program_spec().commands
        for value in (*command.arguments, *(option.values for option in command.options if option.values))
    ]
    assert {value.what for value in values} <= {value.what for known in completion.VALUES.values() for value in known}


@pytest.mark.parametrize("shell", SHELL_CLASSES)
def test_tab_completes(shell: Callable[..., Shell], env: dict[str, str]) -> None:
    running = shell(env)
    assert {line: running.arguments(line) for line in LINES} == LINES
    found = {line: running.arguments(line) for line in DIRECTORIES}
    assert {line: [*words[:-1], words[-1].rstrip("/")] for line, words in found.items()} == DIRECTORIES
    for line in ("list $(touch pwned)", "list `touch pwned`", "list --root=$(touch pwned) 1", "show $(touch pwned)/"):
        running.shown(line, tabs=1)
    assert not list(Path(env["HOME"]).glob("*pwned*"))


def test_fish_offers(env: dict[str, str]) -> None:
    fish = Fish(env)
    assert {line: fish.offers(line) for line in FISH} == FISH
    assert [offer.partition("\t")[0] for offer in fish.offers("")] == sorted(entry.name for entry in COMMANDS)
    assert not list(Path(env["HOME"]).glob("*pwned*"))


def test_an_agent_leads_on_to_its_memories_without_a_space(env: dict[str, str]) -> None:
    assert Bash(env).arguments("show bill", "te\t") == ["show", "billing-bot/team"]


def test_the_slash_behind_an_agent_goes_away_in_zsh(env: dict[str, str]) -> None:
    running = Zsh(env)
    assert running.arguments("show bill", "te\t") == ["show", "billing-bot/team"]
    assert running.arguments("show bill", " x") == ["show", "billing-bot", "x"]


@pytest.mark.parametrize("shell", SHELL_CLASSES[:2])
def test_agents_are_shown_with_their_names(shell: Callable[..., Shell], env: dict[str, str]) -> None:
    shown = shell(env).shown("list ")
    assert re.search(r"1a2b3c4d  (\(billing-bot\)|-- billing-bot)", shown)
    assert re.search(r"99ff +(\(\$\(touch pwned\)\)|-- \$\(touch pwned\))", shown)


def test_fish_shows_agents_with_their_names(env: dict[str, str]) -> None:
    assert Fish(env).offers("list ") == [
        "1a2b3c4d\tbilling-bot",
        "7c09e5f2\tdocs-writer",
        "99ff\t$(touch pwned)",
        "e4d81b36",
    ]


@pytest.mark.parametrize("shell", SHELL_CLASSES[:2])
@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_hostile_names_are_quoted_and_never_run(shell: Callable[..., Shell], quote: str, env: dict[str, str]) -> None:
    running = shell(env)
    # bash reads an exclamation mark in double quotes as its history, so such a name is not offered there.
    names = {key: name for key, name in HOSTILE.items() if not (shell is Bash and quote == '"' and "!" in name)}
    found = {key: running.arguments(f"show {quote}7c09e5f2/{key}") for key in names}
    assert found == {key: ["show", f"7c09e5f2/{name}"] for key, name in names.items()}
    assert running.arguments("list '$(to")[1] == "$(touch pwned)"
    assert not list(Path(env["HOME"]).glob("*pwned*"))


def test_hostile_names_in_fish(env: dict[str, str]) -> None:
    fish = Fish(env)
    offered = [f"7c09e5f2/{name}" for name in HOSTILE.values()]
    assert sorted(fish.offers("show 7c09e5f2/")) == sorted(offered)
    assert fish.offers("show '7c09e5f2/a $(t") == ["7c09e5f2/a $(touch pwned)"]
    assert not list(Path(env["HOME"]).glob("*pwned*"))


ROOT_LINES = ("--root {} list bill", "list --root={} bill", "list --root '{}' bill", "-q --root {} -- list bill")


@pytest.mark.parametrize("shell", SHELL_CLASSES[:2])
def test_agents_come_from_the_roots_of_the_line(
    shell: Callable[..., Shell], env: dict[str, str], data: Path, tmp_path: Path
) -> None:
    running = shell(env | {"MEMCTL_ROOT": str(tmp_path / "none")})
    assert {line: running.arguments(line.format(data))[-1] for line in ROOT_LINES} == dict.fromkeys(
        ROOT_LINES, "billing-bot"
    )
    assert running.arguments("list bill") == ["list", "bill"]


def test_agents_come_from_the_roots_of_the_line_in_fish(env: dict[str, str], data: Path, tmp_path: Path) -> None:
    fish = Fish(env | {"MEMCTL_ROOT": str(tmp_path / "none")})
    for line in ROOT_LINES:
        assert fish.offers(line.format(data)) == ["billing-bot\t1a2b3c4d"]
    assert fish.offers("list bill") == []


@pytest.mark.parametrize("shell", SHELL_CLASSES[:2])
def test_where_nothing_can_be_read_the_line_stays_as_it_is(
    shell: Callable[..., Shell], env: dict[str, str], tmp_path: Path
) -> None:
    running = shell(env | {"MEMCTL_ROOT": str(tmp_path / "none"), "MEMCTL_CONFIG": str(tmp_path)})
    for line in ("list 1a", "show 1a2b3c4d/te"):
        assert "memctl:" not in running.shown(line)
        assert running.arguments(line) == line.split()


def candidates(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Return what `memctl __complete` prints, without the descriptions."""
    assert main(["__complete", *arguments]) == 0
    printed = capfd.readouterr()
    assert printed.err == ""
    return [line.partition("\t")[0] for line in printed.out.splitlines()]


@pytest.fixture
def inside(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in env.items():
        if name != "PATH":
            monkeypatch.setenv(name, value)
    monkeypatch.delenv("MEMCTL_AGENT", raising=False)
    monkeypatch.chdir(env["HOME"])


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([""], ["1a2b3c4d", "7c09e5f2", "99ff", "e4d81b36"]),
        ([], ["1a2b3c4d", "7c09e5f2", "99ff", "e4d81b36"]),
        (["bill"], ["billing-bot"]),
        (["1"], ["1a2b3c4d"]),
        (["BILL"], []),
        (["$("], ["$(touch pwned)"]),
        (["--addresses", "bill"], ["billing-bot/"]),
        (["--addresses", "--", "1"], ["1a2b3c4d/"]),
        (["billing-bot/"], ["billing-bot/api-docs", "billing-bot/api-migration", "billing-bot/team"]),
        (["1a2b3c4d/t"], ["1a2b3c4d/team"]),
        (["bill/t"], ["bill/team"]),
        (["99ff/"], []),
        (["e4d81b36/"], []),
        (["nobody/"], []),
        (["7c09e5f2/x"], []),
        (["/"], []),
        (["../"], []),
        (["@user/"], []),
        (["--", "--root"], []),
        (["--root"], ["1a2b3c4d", "7c09e5f2", "99ff", "e4d81b36"]),
        (["\0/"], []),
        (["\udcff"], []),
    ],
)
@pytest.mark.usefixtures("inside")
def test_what_a_word_can_become(words: list[str], expected: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert candidates(capfd, *words) == expected


@pytest.mark.usefixtures("inside")
def test_a_candidate_has_the_other_name_beside_it(capfd: pytest.CaptureFixture[str]) -> None:
    main(["__complete", "1"])
    main(["__complete", "--addresses", "bill"])
    assert capfd.readouterr().out == "1a2b3c4d\tbilling-bot\nbilling-bot/\t1a2b3c4d\n"


@pytest.mark.usefixtures("inside")
def test_a_name_that_is_not_one_agents_alone_is_not_offered(data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    register(data, {"1a2b3c4d": "twin", "7c09e5f2": "twin", "e4d81b36": "1a2b3c4d", "99ff": "-twin"})
    assert candidates(capfd, "tw") == []
    assert candidates(capfd, "--", "-t") == []
    assert candidates(capfd, "1a") == ["1a2b3c4d"]


@pytest.mark.usefixtures("inside")
def test_names_of_agents_are_made_visible(data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    register(data, {"1a2b3c4d": "a\x1b[31m\nb", "7c\n": "x"})
    main(["__complete", ""])
    assert capfd.readouterr().out == "1a2b3c4d\ta^[[31m^Jb\n7c09e5f2\t\ne4d81b36\t\n"
    assert candidates(capfd, "a") == []


@pytest.mark.usefixtures("inside")
def test_a_name_alone_is_offered_where_it_is_enough(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert candidates(capfd, "--addresses", "--root", str(data / "memory" / "1a2b3c4d"), "t") == ["team"]
    monkeypatch.setenv("MEMCTL_AGENT", "billing-bot")
    assert candidates(capfd, "--addresses", "te") == ["team"]
    assert candidates(capfd, "te") == []
    monkeypatch.setenv("MEMCTL_AGENT", "nobody")
    assert candidates(capfd, "--addresses", "1") == ["1a2b3c4d/"]


@pytest.mark.parametrize("text", ["", "[", "{}", '[{"id": 5}]', "[" * 100_000, "\ufeff[]"])
@pytest.mark.usefixtures("inside")
def test_a_broken_registry_leaves_the_ids(text: str, data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (data / "agents.json").write_text(text)
    assert candidates(capfd, "") == ["1a2b3c4d", "7c09e5f2", "e4d81b36"]
    assert candidates(capfd, "1a2b3c4d/t") == ["1a2b3c4d/team"]


@pytest.mark.usefixtures("inside")
def test_wrong_roots_and_settings_give_nothing(
    data: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert candidates(capfd, "--root", str(data / "none"), "") == []
    assert candidates(capfd, f"--root={data / 'agents.json'}", "") == []
    assert candidates(capfd, "--root", str(data / "none"), "--root", str(data), "1") == ["1a2b3c4d"]
    monkeypatch.setenv("MEMCTL_JOBS", "many")
    assert candidates(capfd, "") == []


@pytest.mark.usefixtures("inside")
def test_roots_that_cannot_be_read_give_nothing(data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    user = os.geteuid()
    data.chmod(0)
    if user == 0:
        os.seteuid(NOBODY)
    try:
        assert candidates(capfd, "") == []
        assert candidates(capfd, "1a2b3c4d/") == []
        assert candidates(capfd, "--root", str(data / "memory"), "--addresses", "1") == []
    finally:
        os.seteuid(user)
        data.chmod(0o755)


@pytest.mark.usefixtures("inside")
def test_a_file_in_place_of_a_directory_and_a_fifo_hold_nothing_up(
    data: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (data / "memory" / "file").write_text("")
    os.mkfifo(data / "memory" / "1a2b3c4d" / "fifo.md")
    assert candidates(capfd, "f") == []
    assert candidates(capfd, "file/") == []
    assert candidates(capfd, "1a2b3c4d/f") == ["1a2b3c4d/fifo"]


@pytest.mark.usefixtures("inside")
def test_it_does_not_load_typer() -> None:
    code = "import sys; from memctl.cli.app import main; main(['__complete', '']); print(sorted(sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "1a2b3c4d\tbilling-bot\n" in answer.stdout
    assert not re.search(r"'(typer|click|rich|rapidfuzz|tomlkit)'", answer.stdout)
