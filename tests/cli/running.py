"""memctl in processes of its own: in pipes, at terminals, as another user."""

from __future__ import annotations

import os
import re
import shlex
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pexpect

from tests.conftest import Done
from tests.stores import CODE, NOBODY

MEMCTL = [sys.executable, "-m", "memctl"]
TIMEOUT = 30

# Everything is imported before the user id is dropped: another user may not be able to read our Python.
_AS_NOBODY = f"""
import importlib, os, pkgutil, sys
sys.path.insert(0, {CODE!r})
import difflib, fcntl, hashlib, pwd, shlex, sqlite3, zlib
import rapidfuzz.distance, typer
import memctl
from memctl.cli.app import main
for module in pkgutil.walk_packages(memctl.__path__, "memctl."):
    if module.name != "memctl.__main__":
        importlib.import_module(module.name)
"—".encode("utf-16-le")
os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
sys.exit(main(sys.argv[1:]))
"""


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a child: ours, the project's code found from anywhere, and more."""
    return {**os.environ, "PYTHONPATH": CODE, **(more or {})}


def spawn(*words: object, stdin: bytes = b"", env: Mapping[str, str] | None = None, **options: Any) -> Done:
    """Run memctl in a process of its own, its streams being pipes."""
    command = [*MEMCTL, *map(str, words)]
    return _run(command, stdin, environment(env), **options)


def as_nobody(*words: object, env: Mapping[str, str] | None = None) -> Done:
    """Run memctl as a user who owns nothing but a place for the history, which `env` can overrule."""
    with tempfile.TemporaryDirectory(prefix="memctl-state-") as state:
        os.chown(state, NOBODY, NOBODY)
        command = [sys.executable, "-c", _AS_NOBODY, *map(str, words)]
        return _run(command, b"", environment({"MEMCTL_STATE_DIR": state, **(env or {})}))


def shell(script: str, env: Mapping[str, str] | None = None) -> Done:
    """Run a line of bash in which $M is memctl."""
    return _run(["bash", "-c", script], b"", environment({"M": shlex.join(MEMCTL), **(env or {})}))


def _run(command: list[str], stdin: bytes, env: dict[str, str], **options: Any) -> Done:
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=TIMEOUT, env=env, **options)
    out, err = (data.decode("utf-8", "surrogateescape") for data in (done.stdout, done.stderr))
    return Done(done.returncode, out, err)


class Session(pexpect.spawn):
    """memctl at a terminal."""

    def __init__(
        self,
        *words: object,
        columns: int = 80,
        lines: int = 200,
        env: Mapping[str, str] | None = None,
        command: list[str] | None = None,
    ) -> None:
        command = command or [*MEMCTL, *map(str, words)]
        super().__init__(
            command[0],
            command[1:],
            dimensions=(lines, columns),
            timeout=TIMEOUT,
            encoding="utf-8",
            echo=False,
            env=environment(env),
        )

    def end(self) -> tuple[int, str]:
        """Return how memctl ended, and what the terminal showed since the last expectation."""
        self.expect(pexpect.EOF)
        self.close()
        return self.exitstatus, self.before.replace("\r\n", "\n")


def at_terminal(*words: object, columns: int = 80, lines: int = 200, env: Mapping[str, str] | None = None) -> Done:
    """Run memctl at a terminal on which nobody types, and return what it showed."""
    code, shown = Session(*words, columns=columns, lines=lines, env=env).end()
    return Done(code, shown, "")


def without_color(text: str) -> str:
    """Return text without the sequences that colour it."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def script(path: Path, text: str) -> str:
    """Write a small program for bash, an editor or a pager, and return its path."""
    path.write_text(f"#!/usr/bin/env bash\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def tree(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return all files below a folder, with their bytes and when they were last changed."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
