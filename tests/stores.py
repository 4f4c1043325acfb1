"""Stores for tests: real files in a directory, and programs that work on them in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memctl.core.env import Env
from memctl.disk.aside import TEMP_PREFIX
from memctl.disk.locate import Fleet, open_root
from memctl.disk.locking import Locking
from memctl.disk.stores import DataFolder, DirectoryStore

AGENT = "1a2b3c4d"
NOBODY = 65534
CODE = str(Path(__file__).parents[1])
NO_WAIT = Locking(wait=0)

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="changes owners, or drops its own user id")


def memory(
    name: str = "deploy",
    *,
    description: str | None = None,
    type: str = "project",
    source: str = "agent",
    created: str = "2026-01-01",
    updated: str = "2026-01-02",
    content: str | None = None,
    extra: str = "",
) -> bytes:
    """Return the bytes of a memory's file; `extra` are whole lines of other keys."""
    lines = [
        f"name: {name}",
        f"description: {f'about {name}' if description is None else description}",
        f"type: {type}",
        f"source: {source}",
        f"created: {created}",
        f"updated: {updated}",
    ]
    return (
        "---\n" + "\n".join(lines) + f"\n{extra}---\n{f'body of {name}' if content is None else content}\n"
    ).encode()


def index(*names: str, heading: str = "Project") -> bytes:
    """Return the index of memories of one type with their usual descriptions."""
    if not names:
        return b"# Memory index\n\n_No memories yet._\n"
    lines = [f"- **{name}** — about {name}\n" for name in names]
    return f"# Memory index\n\n## {heading}\n{''.join(lines)}".encode()


def fill(directory: Path, files: Mapping[str, bytes]) -> Path:
    """Make a directory with these files."""
    directory.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (directory / name).write_bytes(data)
    return directory


def make_store(
    tmp_path: Path, *names: str, files: Mapping[str, bytes] | None = None, foreign: bool = False
) -> DirectoryStore:
    """Return the store of an agent with memories of these names, and these files."""
    path = fill(
        tmp_path / "data" / "memory" / AGENT, {f"{name}.md": memory(name) for name in names} | dict(files or {})
    )
    return store_at(path, foreign=foreign)


def store_at(path: Path, *, foreign: bool = False) -> DirectoryStore:
    """Return the store at `<data folder>/memory/<agent id>`, whether or not it is there."""
    folder = DataFolder(str(path.parents[1]), str(path.parent), foreign=foreign)
    return DirectoryStore(path.name, str(path), path.name, folder, foreign)


def register(data_folder: Path, *agents: Mapping[str, Any]) -> None:
    """Write the registry; each agent is its `id`, perhaps a `name`, and what its config has."""
    entries = [
        {
            "id": agent["id"],
            "name": agent.get("name", agent["id"]),
            "config": {key: value for key, value in agent.items() if key not in ("id", "name")},
            "status": "registered",
            "registeredAt": "2026-01-02T03:04:05.678Z",
        }
        for agent in agents
    ]
    data_folder.mkdir(parents=True, exist_ok=True)
    (data_folder / "agents.json").write_text(json.dumps(entries, indent=2))


def env_of(tmp_path: Path, **variables: str) -> Env:
    """Return the surroundings of the user who runs the tests, at home in `tmp_path/home`."""
    return Env(variables, str(tmp_path / "home"), str(tmp_path), os.geteuid())


def fleet(tmp_path: Path, *roots: Path, exact: bool = False) -> Fleet:
    """Return the agents of these roots."""
    env = env_of(tmp_path)
    return Fleet([open_root(str(root), env) for root in roots], env, exact=exact)


def contents(path: str | Path) -> dict[str, bytes]:
    """Return the names in a directory with the bytes of the files, links not followed."""
    found = {}
    for entry in os.scandir(path):
        found[entry.name] = Path(entry.path).read_bytes() if entry.is_file(follow_symlinks=False) else b""
    return found


def temp_files(path: str | Path) -> list[str]:
    """Return the temp files of memctl in a directory."""
    return [name for name in os.listdir(path) if name.startswith(TEMP_PREFIX)]


PRELUDE = """
import fcntl, hashlib, json, os, signal, sys, tempfile, time
sys.path.insert(0, sys.argv[1])
from memctl.disk.change import change, reindex, removal
from memctl.disk.aside import *
from memctl.disk.directories import *
from memctl.disk.files import *
from memctl.disk.images import *
from memctl.disk.locking import *
from memctl.disk.reads import *
from memctl.disk.single_file import *
from memctl.disk.tree_lock import *
from memctl.disk.writes import *
from memctl.disk.stores import *
from memctl.core.env import Env
from memctl.disk.locate import *
from memctl.errors import *
from memctl.ops.delete import *
from memctl.ops.import_legacy import *
from memctl.ops.list import *
from memctl.ops.reindex import *

"—".encode("utf-16-le")  # codecs and hashlib are loaded when first used: not by a user who may not, nor in what is counted
uid = int(sys.argv[2])
given = json.loads(sys.argv[3])
if uid >= 0:
    os.setgroups([]); os.setgid(uid); os.setuid(uid)

def store(path=".", foreign=False):
    return DirectoryStore("agent", path, "agent", DataFolder(None, os.path.dirname(path), foreign=foreign), foreign)

def told(error):
    return [type(error).__name__, int(error.exit_code), error.message]

def tell(value):
    os.writev(1, [json.dumps(value).encode()])

def outcome(do):
    try:
        done = do()
    except MemctlError as error:
        return tell({"done": [], "index": False, "errors": [told(error)]})
    if done is None:
        return tell({"done": None, "index": False, "errors": []})
    tell({"done": [edit.file for edit in done.done], "index": done.index_changed,
          "errors": [told(error) for error in done.errors]})

def ready():
    # The caller attaches strace, or waits for this moment, and then lets us go on.
    os.kill(os.getpid(), signal.SIGSTOP)
    time.sleep(0.01)
"""


def command(code: str, given: Any = None, uid: int = -1) -> list[str]:
    """Return the command line of a Python program after PRELUDE, which runs as `uid` (-1: as we do)."""
    return [sys.executable, "-I", "-S", "-c", PRELUDE + code, CODE, str(uid), json.dumps(given)]


def run(code: str, given: Any = None, *, cwd: str | Path, uid: int = -1) -> Any:
    """Run a Python program in a process of its own, in `cwd`, and return what it tells.

    It is in `cwd` before it becomes another user, whom pytest's own directories keep out: it uses relative paths.
    """
    if uid >= 0:
        os.chmod(cwd, os.stat(cwd).st_mode | 0o055)
    done = subprocess.run(command(code, given, uid), cwd=cwd, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)
