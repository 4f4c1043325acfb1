"""Every command that writes, each with a small world to do it in, and the judge of what may be there afterwards."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from memctl.core.dialects import hq
from memctl.core.index import render_index
from memctl.core.memory import Memory
from memctl.core.text import encode
from memctl.disk.aside import TEMP_PREFIX
from memctl.disk.native_tree import LOCK
from tests.stores import CODE, fill, index, memory, register

NOW = "2026-11-30T12:00:00Z"
BOT = "data/memory/aaaa1111"
HELPER = "data/memory/bbbb2222"
NOTES = b"- (2024-01-02 03:04 UTC) use staging first\n- (2026-10-02 03:04 UTC) prefer pytest\n- no stamp\n"


class Case(NamedTuple):
    """One command that writes: its words, what is run before it, and how it is taken back.

    `back` are the words that bring the stores to what they were (none: nothing can, or nothing changed), `again` the
    exit codes of the same words once more, `same` whether that leaves the stores as one run does. `between` are words
    that do a part of it, for a command that takes several steps. With `fresh` it is the first that memctl ever did
    for this user: else there is a history with a change of another session.
    """

    words: str
    before: tuple[str, ...] = ()
    back: str = "undo -y"
    again: tuple[int, ...] = (0,)
    same: bool = True
    between: tuple[str, ...] = ()
    next: str = ""
    lacking: str = ""
    fresh: bool = False


_GONE = (0, 66)
_NEXT_NOTE = "edit @user/2 --content next"
_NEXT_SWITCH = "sweep-mode --hq-stopped helper on"
_NEXT_SETTING = "config set wait 4"
CASES: Mapping[str, Case] = {
    "edit description": Case("edit bot/deploy --description new"),
    "edit content": Case("edit bot/deploy --content longer --type feedback", fresh=True),
    "edit @user": Case("edit @user/1 --content new", next=_NEXT_NOTE),
    "delete": Case("delete -y bot/deploy", again=_GONE),
    "delete several": Case("delete -y bot/deploy bot/build helper/near", again=_GONE),
    "delete not loaded": Case("delete -y bot/broken", again=_GONE),
    "delete @user": Case("delete -y @user/3", again=_GONE, next=_NEXT_NOTE),
    "clear": Case("clear -y bot"),
    "clear @user": Case("clear -y @user", next="undo -y"),
    "remember": Case("remember hello", same=False),
    "remember several": Case("remember hello world", same=False, between=("remember hello",)),
    "remember first": Case("--user-memory new/memory.md remember hello", same=False, fresh=True),
    "reindex": Case("reindex stale"),
    "reindex --all": Case("reindex --all"),
    "check --fix": Case("check --fix --exit-zero messy"),
    "check --unsafe-fixes": Case(
        "check --unsafe-fixes --exit-zero --all", between=("check --unsafe-fixes --exit-zero --all --ignore F001",)
    ),
    "prune --older-than": Case("prune -y --all --older-than 180d"),
    "prune --over": Case("prune -y --all --over 1 --include-user-authored --no-floor"),
    "prune --orphans": Case("prune -y --all --orphans --include-user-authored"),
    "prune @user": Case("prune -y @user --older-than 1y", next=_NEXT_NOTE),
    # As the HQ: where there are memories it imports none, and writes no marker either.
    "import-legacy": Case("import-legacy empty", again=(0, 1), lacking="data/memory/dddd4444/.legacy-imported"),
    "import-legacy @user": Case("import-legacy @user", again=(0, 1), next="undo -y"),
    "sweep-mode": Case("sweep-mode --hq-stopped bot on", next=_NEXT_SWITCH),
    "auto-memory": Case("auto-memory --hq-stopped --all off", next=_NEXT_SWITCH),
    "auto-memory @user": Case("auto-memory @user on", next="auto-memory @user off"),
    "config": Case("config set color never", next=_NEXT_SETTING),
    "config first": Case("config set wait 3", next=_NEXT_SETTING, before=("config.toml goes",), fresh=True),
    "demo": Case("demo new/demo", back="", again=(0, 2)),
    "undo": Case("undo -y", before=("delete -y bot/deploy bot/build",), back="redo -y", again=_GONE),
    "undo edit": Case("undo -y", before=("edit bot/deploy --description new",), back="redo -y", again=_GONE),
    "redo": Case("redo -y", before=("delete -y bot/deploy bot/build", "undo -y"), back="undo -y", again=_GONE),
    "history --forget": Case(
        "history --forget 2 -y", before=("delete -y bot/deploy", "remember x"), back="", again=_GONE
    ),
    "history --prune": Case("history --prune -y --number 1", before=("delete -y bot/deploy", "remember x"), back=""),
}

# Commands that write nothing but to a terminal, whatever their options.
READING = {"list", "show", "recall", "explain", "path", "prompt", "completion", "help"}

Files = dict[str, tuple[bytes, int]]


class Tree(NamedTuple):
    """What is below a directory: files with their bytes and mode (links with their target), and directories."""

    files: Files
    folders: tuple[str, ...]

    @property
    def stores(self) -> dict[str, bytes]:
        """The files that hold somebody's words: neither the history, nor temp files, nor the lock of a native tree."""
        return {
            name: data
            for name, (data, _) in self.files.items()
            if not name.startswith("state/") and not name.endswith("/" + LOCK) and not _is_temp(name)
        }

    @property
    def temps(self) -> list[str]:
        """The temp files, as a killed run leaves them."""
        return [name for name in self.files if _is_temp(name)]

    @property
    def kept(self) -> Files:
        """The same files, with their modes."""
        return {name: self.files[name] for name in self.stores}


def _is_temp(name: str) -> bool:
    return name.rpartition("/")[2].startswith(TEMP_PREFIX)


class World:
    """A data folder, a home and a history below one directory, which can be put back to what they were at first."""

    def __init__(self, place: Path, case: Case) -> None:
        """Build it: everything but `state/` is a store or a setting of somebody."""
        self.place = place
        self.case = case
        self.words = case.words.split()
        build(place)
        if not case.fresh:
            (place / "old").mkdir()
            done = self.run("--user-memory", f"{place}/old/memory.md", "remember", "earlier", XDG_SESSION_ID="earlier")
            assert done.returncode == 0, done.stderr
        for words in case.before:
            if words == "config.toml goes":
                (place / "home/.config/memctl/config.toml").unlink()
            else:
                done = self.run(*words.split())
                assert done.returncode == 0, done.stderr
        self.first = self.tree()

    @property
    def env(self) -> dict[str, str]:
        """The environment of memctl in this world."""
        return environment(self.place)

    @property
    def cwd(self) -> Path:
        """The directory in which memctl runs."""
        return self.place / "work"

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
        """Run memctl in a process of its own."""
        command = [sys.executable, "-m", "memctl", *words]
        return subprocess.run(command, cwd=self.cwd, env=self.env | variables, capture_output=True, timeout=60)

    def tree(self) -> Tree:
        """Return what is there now."""
        return read_tree(self.place)

    def restore(self, tree: Tree | None = None) -> None:
        """Put everything back to what it was, at first or as `tree` says."""
        write_tree(self.place, tree or self.first)


def environment(place: Path) -> dict[str, str]:
    """Return an environment in which nothing but `place` is found."""
    return {
        "HOME": f"{place}/home",
        "PATH": os.environ.get("PATH", os.defpath),
        "PYTHONPATH": CODE,
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "MEMCTL_NOW": NOW,
        "MEMCTL_ROOT": f"{place}/data",
        "MEMCTL_STATE_DIR": f"{place}/state",
        "XDG_SESSION_ID": "faults",
        "DEEPSEEK_MANAGED_CONFIG_PATH": "/no-managed-config.toml",
    }


def build(place: Path) -> None:
    """Make four agents (one with a stale index, one with what check mends), one without a directory, a directory of none.

    And a user memory and settings.
    """
    register(
        place / "data",
        {"id": "aaaa1111", "name": "bot", "provider": "anthropic", "model": "some-model"},
        {"id": "bbbb2222", "name": "helper"},
        {"id": "cccc3333", "name": "stale"},
        {"id": "dddd4444", "name": "empty", "workspace": f"{place}/work/space"},
        {"id": "eeee5555", "name": "messy"},
    )
    fill(
        place / BOT,
        {
            "deploy.md": memory("deploy", content="old text " * 200, extra="custom: kept\n"),
            "build.md": memory("build", updated="2025-01-02"),
            "mine.md": memory("mine", source="user", updated="2025-01-02"),
            "broken.md": b"---\nname: broken\n",
            "MEMORY.md": index("build", "deploy", "mine"),
        },
    )
    fill(
        place / HELPER,
        {
            "near.md": memory("near"),
            "past.md": memory("past", updated="2024-01-02"),
            "MEMORY.md": index("near", "past"),
        },
    )
    fill(place / "data/memory/cccc3333", {"one.md": memory("one"), "MEMORY.md": b"stale\n"})
    fill(
        place / "data/memory/eeee5555",
        {
            "one.md": memory("one"),
            "one.md~": b"old\n",
            "two.md": memory("two").replace(b"\n", b"\r\n"),
            "wrong.md": memory("right"),
            "MEMORY.md": index("one", "two", "right"),
        },
    )
    fill(place / "data/memory/ffff6666", {"left.md": memory("left"), "MEMORY.md": index("left")})
    fill(place / "work/space", {"MEMORY.md": b"# Notes\n\n- one\n"})
    fill(place / "home/.deepseek", {"memory.md": NOTES, "config.toml": b'# mine\nmodel = "x"  # stays\n'})
    fill(place / "home/.config/memctl", {"config.toml": b'# mine\ncolor = "auto"\n'})
    fill(place / "work/new", {})


def read_tree(place: Path) -> Tree:
    """Return what is below a directory."""
    files: Files = {}
    folders = []
    for folder, names, others in os.walk(place):
        at = os.path.relpath(folder, place)
        folders.append(at)
        for name in [*others, *(name for name in names if os.path.islink(os.path.join(folder, name)))]:
            path = os.path.join(folder, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                data = os.fsencode(os.readlink(path))
            elif stat.S_ISREG(mode):
                with open(path, "rb") as file:
                    data = file.read()
            else:
                data = b""
            files[os.path.normpath(os.path.join(at, name))] = (data, mode)
    return Tree(files, tuple(sorted(folders)))


def write_tree(place: Path, tree: Tree) -> None:
    """Make a directory what it was when it was read, as far as that differs."""
    now = read_tree(place) if place.exists() else Tree({}, ())
    for name in now.files.keys() - tree.files.keys():
        (place / name).unlink()
    for folder in sorted(set(now.folders) - set(tree.folders), reverse=True):
        shutil.rmtree(place / folder, ignore_errors=True)
    for folder in tree.folders:
        (place / folder).mkdir(parents=True, exist_ok=True)
    for name, (data, mode) in tree.files.items():
        if now.files.get(name) == (data, mode):
            continue
        path = place / name
        path.unlink(missing_ok=True)
        if stat.S_ISLNK(mode):
            path.symlink_to(os.fsdecode(data))
        else:
            path.write_bytes(data)
            path.chmod(stat.S_IMODE(mode))


class Judge(NamedTuple):
    """What a command may leave: each file of the stores as it was before, as the command makes it, or as a step of it."""

    old: Tree
    new: Tree
    between: tuple[Tree, ...] = ()

    def broken(self, now: Tree) -> dict[str, bytes | None]:
        """Return the files that are none of these, by bytes or mode, with what they hold (None: they are gone).

        An index may also be that of the memories which are there now: some of several may be done.
        """
        may_be = [tree.kept for tree in (self.old, self.new, *self.between)]
        kept = now.kept
        names = set().union(kept, *may_be)
        return {
            name: now.stores.get(name)
            for name in sorted(names)
            if all(kept.get(name) != tree.get(name) for tree in may_be) and not _is_right_index(now, name)
        }


def _is_right_index(tree: Tree, name: str) -> bool:
    folder, _, file = name.rpartition("/")
    if not folder.startswith("data/memory/") or file != "MEMORY.md":
        return False
    files = {other.removeprefix(f"{folder}/"): data for other, data in tree.stores.items() if other.startswith(folder)}
    found = [hq.read(files[file], file[:-3]) for file in hq.memory_files(files)]
    memories = [one for one in found if isinstance(one, Memory)]
    return tree.stores.get(name) == encode(render_index(memories).text)


def judged(world: World) -> Judge:
    """Return the judge of a world's command, by running it there without a fault; the world is restored."""

    def after(*commands: Sequence[str]) -> Tree:
        for words in commands:
            done = world.run(*words)
            assert done.returncode == 0, done.stderr
        tree = world.tree()
        world.restore()
        return tree

    return Judge(world.first, after(world.words), tuple(after(words.split()) for words in world.case.between))


def judged_again(world: World, judge: Judge) -> Judge:
    """Return the judge of running a world's command once more: it begins where the first run may have ended."""
    world.restore(judge.new)
    world.run(*world.words)
    twice = world.tree()
    between = []
    for tree in judge.between:
        world.restore(tree)
        world.run(*world.words)
        between.append(world.tree())
    world.restore()
    return Judge(judge.new, twice, tuple(between))
