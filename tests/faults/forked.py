"""memctl as a real process, many times a second: a program that has imported everything forks for each run.

A run of the interpreter costs ten times what a fork does, and a suite of thousands of faults is only run if it is fast.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import os
import pkgutil
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

CODE = str(Path(__file__).parents[2])
TIMEOUT = 20.0
HANGS = -1000
Hook = Callable[..., None]


class Ended(NamedTuple):
    """How a run ended: its exit code (minus a signal, or HANGS) and its two streams."""

    code: int
    out: str
    err: str


def preload() -> None:
    """Import all of memctl, and what it imports only when it needs it: another user may not be able to read our Python."""
    import memctl

    wanted = {"encodings.idna", "rapidfuzz.distance"}
    for found in pkgutil.walk_packages(memctl.__path__, "memctl."):
        if found.name == "memctl.__main__":
            continue
        module = importlib.import_module(found.name)
        for node in ast.walk(ast.parse(inspect.getsource(module))):
            if isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                wanted.add(node.module)
    for name in sorted(wanted):
        try:
            importlib.import_module(name)
        except ImportError:
            pass  # what another system or an extra has
    for encoding in ("utf-16-le", "utf-16-be", "utf-8-sig", "latin-1", "idna", "ascii", "unicode_escape"):
        "x".encode(encoding)


def run_forked(
    words: list[str],
    env: Mapping[str, str],
    *,
    cwd: str = "/",
    stdin: bytes = b"",
    uid: int = -1,
    timeout: float = TIMEOUT,
    hook: Hook | None = None,
) -> Ended:
    """Run memctl in a fork of this process, which must have one thread only, with this environment and nothing else.

    `hook` is called in the child before memctl is. A run that takes longer than `timeout` seconds is killed (HANGS).
    """
    streams = [os.memfd_create("stream", 0) for _ in range(3)]
    os.write(streams[0], stdin)
    os.lseek(streams[0], 0, os.SEEK_SET)
    child = os.fork()
    if child == 0:
        _be_memctl(words, env, cwd, streams, uid, hook)
    try:
        status = _wait(child, timeout)
        out, err = (_content(stream) for stream in streams[1:])
    finally:
        for stream in streams:
            os.close(stream)
    code = HANGS if status is None else os.waitstatus_to_exitcode(status)
    return Ended(code, out, err)


def _wait(child: int, timeout: float) -> int | None:
    descriptor = os.pidfd_open(child)
    try:
        ended, _, _ = select.select([descriptor], [], [], timeout)
    finally:
        os.close(descriptor)
    if not ended:
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return status if ended else None


def _content(stream: int) -> str:
    return os.pread(stream, os.fstat(stream).st_size, 0).decode("utf-8", "surrogateescape")


def _be_memctl(
    words: list[str], env: Mapping[str, str], cwd: str, streams: list[int], uid: int, hook: Hook | None
) -> None:
    code = 99
    try:
        os.setpgid(0, 0)
        for target, stream in enumerate(streams):
            os.dup2(stream, target)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        time.tzset()
        sys.argv = ["memctl", *words]
        sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
        if hook:
            hook()
        if uid >= 0:
            os.setgroups([])
            os.setgid(uid)
            os.setuid(uid)
        from memctl.cli.app import main

        code = main()
        sys.stderr.flush()
    except BaseException:
        import traceback

        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)


class Forking:
    """A process of its own that runs memctl in forks: pytest's has threads, and must not fork. A context manager."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.faults.forked"]
        env = {**os.environ, "PYTHONPATH": CODE}
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env, cwd=CODE)

    def __call__(
        self,
        *words: object,
        env: Mapping[str, str] | None = None,
        cwd: str | Path = "/",
        stdin: bytes = b"",
        uid: int = -1,
        timeout: float = TIMEOUT,
        hook: tuple[str, list[Any]] | None = None,
    ) -> Ended:
        """Run memctl in the environment `env`, or ours; `hook` is `module:function` and its arguments."""
        asked = {
            "words": [os.fsencode(str(word)).decode("latin-1") for word in words],
            "env": {"XDG_SESSION_ID": "faults", **(os.environ if env is None else env)},
            "cwd": str(cwd),
            "stdin": stdin.decode("latin-1"),
            "uid": uid,
            "timeout": timeout,
            "hook": hook,
        }
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(asked).encode() + b"\n")
        self._server.stdin.flush()
        return Ended(*json.loads(self._server.stdout.readline()))

    def __enter__(self) -> Forking:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait(10)


def _hooked(name: str, arguments: list[Any]) -> Hook:
    module, _, function = name.partition(":")
    found = getattr(importlib.import_module(module), function)
    return lambda: found(*arguments)


def _serve() -> None:
    preload()
    asks, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    for line in asks:
        asked = json.loads(line)
        hook = _hooked(*asked["hook"]) if asked["hook"] else None
        ended = run_forked(
            [os.fsdecode(word.encode("latin-1")) for word in asked["words"]],
            asked["env"],
            cwd=asked["cwd"],
            stdin=asked["stdin"].encode("latin-1"),
            uid=asked["uid"],
            timeout=asked["timeout"],
            hook=hook,
        )
        answers.write(json.dumps(ended).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    _serve()
