"""The processes of this machine: which of them is the HQ of a data folder, by what it was started with."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memctl.core.env import Env
from memctl.core.text import trim


class Process(NamedTuple):
    """What a process was started with.

    `words` are its arguments; of a process that only `ps` can show (`exact` False) they are the pieces between
    the spaces of its line. `cwd` and `vars` are None where they cannot be read.
    """

    words: tuple[str, ...]
    exact: bool
    cwd: str | None
    vars: Mapping[str, str] | None
    uid: int | None


def process_of(pid: int, timeout: float) -> Process | None:
    """Return what a process was started with; None if that cannot be read."""
    return process_of_proc(pid) if sys.platform == "linux" else process_of_ps(pid, timeout)


def process_of_ps(pid: int, timeout: float) -> Process | None:
    """Return what `ps` shows of a process, in at most `timeout` seconds; None if that is nothing."""
    import subprocess

    try:
        line = subprocess.run(
            ["ps", "-ww", "-o", "command=", "-p", str(pid)],
            env={"PATH": "/bin:/usr/bin", "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=timeout,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    text = os.fsdecode(line).strip("\n")
    return Process(tuple(text.split(" ")), exact=False, cwd=None, vars=None, uid=None) if text else None


def process_of_proc(pid: int) -> Process | None:
    """Return what /proc shows of a process; None if that is nothing."""
    folder = f"/proc/{pid}"
    words = _words(pid)
    if not words:
        return None
    try:
        uid: int | None = os.stat(folder).st_uid
    except OSError:
        uid = None
    try:
        cwd: str | None = os.readlink(f"{folder}/cwd")
    except OSError:
        cwd = None
    try:
        with open(f"{folder}/environ", "rb") as file:
            pairs = os.fsdecode(file.read()).split("\0")
    except OSError:
        return Process(words, exact=True, cwd=cwd, vars=None, uid=uid)
    variables = {name: value for name, found, value in (pair.partition("=") for pair in pairs) if found}
    return Process(words, exact=True, cwd=cwd, vars=variables, uid=uid)


def _words(pid: int) -> tuple[str, ...]:
    """Return the arguments of a process from /proc; none for a kernel thread or what cannot be read."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            data = file.read()
    except OSError:
        return ()
    return tuple(os.fsdecode(data).removesuffix("\0").split("\0")) if data else ()


def serves(process: Process, data_folder: str, env: Env) -> bool | None:
    """Return whether a process is the HQ of a data folder; None if that cannot be told."""
    wanted = os.path.realpath(data_folder)
    named = list(_data_dirs(process))
    if any(_resolved(folder, process.cwd) == wanted for folder in named):
        return True
    if not _looks_like_hq(process.words):
        return None  # the HQ of a container or of another machine, whose process ids are not ours
    if named:
        return None if any(_resolved(folder, process.cwd) is None for folder in named) else False
    default = _default_folder(process, env)
    return None if default is None else default == wanted


def _data_dirs(process: Process) -> Iterator[str]:
    """Yield what the value of `--data-dir` can be: one, or none; of a line of `ps` each way to end it."""
    words = process.words
    at = max((n for n, word in enumerate(words) if word.partition("=")[0] == "--data-dir"), default=None)
    if at is None:
        return
    _, joined, value = words[at].partition("=")
    rest = [value, *words[at + 1 :]] if joined else list(words[at + 1 :])
    for count in range(1, 2 if process.exact else len(rest) + 1):
        yield " ".join(rest[:count])


def _resolved(folder: str, cwd: str | None) -> str | None:
    if not os.path.isabs(folder):
        if cwd is None:
            return None
        folder = os.path.join(cwd, folder)
    return os.path.realpath(folder)


def _default_folder(process: Process, env: Env) -> str | None:
    """Return the data folder of an HQ that was started without `--data-dir` (spec/hq.md 2)."""
    if process.vars is None and process.uid not in (None, env.uid):
        return None  # the home of another user
    variables = env.vars if process.vars is None else process.vars
    dash_home = trim(variables.get("DASH_HOME", ""))
    if dash_home:
        return _resolved(os.path.join(dash_home, "gateway"), process.cwd)
    home = env.home if process.vars is None else process.vars.get("HOME") or env.home
    return _resolved(os.path.join(home, ".dash", "gateway"), process.cwd) if home else None


def _looks_like_hq(words: tuple[str, ...]) -> bool:
    for word in words:
        if word.partition("=")[0] == "--data-dir":
            return False
        if "gateway" in word.lower() or "dash" in word.lower():
            return True
    return False


def other_process(data_folder: str, env: Env) -> int | None:
    """Return a process that looks like an HQ of the data folder by its arguments (Linux only)."""
    try:
        pids = sorted(int(name) for name in os.listdir("/proc") if name.isdecimal())
    except OSError:
        return None
    for pid in pids:
        words = _words(pid)
        flags = {word.partition("=")[0] for word in words}
        if "--data-dir" not in flags or not _looks_like_hq(words):
            continue
        process = process_of_proc(pid)
        if process and serves(process, data_folder, env):
            return pid
    return None
