"""Runs of memctl into which strace puts a fault: an error, a signal or a kill at the N-th call of a kind."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.faults.commands import CASES, Case, World
from tests.stores import CODE

# What changes the disk, and what stands between such calls. A kill at any other call leaves what one of these leaves.
CHANGING = (
    "openat",
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "link",
    "linkat",
    "symlinkat",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "rmdir",
    "mkdir",
    "mkdirat",
    "fchmod",
    "chmod",
    "fchown",
    "fchownat",
    "chown",
    "lchown",
    "flock",
    "fcntl",
    "close",
)
READING = ("read", "pread64", "newfstatat", "fstat", "readlink", "readlinkat", "getdents64")
CALLS = (*CHANGING, *READING)

SECONDS = 60

# It imports everything once, by doing everything once, and forks for each run: the calls of a run are memctl's alone.
_SERVER = """
import ctypes, gc, importlib, io, json, os, pkgutil, signal, sys

sys.path.insert(0, sys.argv[1])
import memctl
from memctl.cli.app import entry, main

for module in pkgutil.walk_packages(memctl.__path__, "memctl."):
    if module.name != "memctl.__main__":
        importlib.import_module(module.name)

def become(job):
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"])
    files = [("/dev/null", os.O_RDONLY), (job["out"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)]
    for number, (path, flags) in enumerate([*files, (job["err"], files[1][1])]):
        descriptor = os.open(path, flags, 0o600)
        os.dup2(descriptor, number)
        os.close(descriptor)
    sys.stdin = io.TextIOWrapper(open(0, "rb", closefd=False), "utf-8", "surrogateescape")
    sys.stdout = io.TextIOWrapper(open(1, "wb", closefd=False), "utf-8", "surrogateescape")
    sys.stderr = io.TextIOWrapper(open(2, "wb", closefd=False), "utf-8", "backslashreplace", line_buffering=True)
    sys.argv = ["memctl", *job["words"]]

def run(job):
    become(job)
    system = ctypes.CDLL(None)
    system.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: a run that was stopped must not outlive the tests
    signal.alarm(job["seconds"])
    # As at a terminal: under nohup, or in the background of a shell, some of them would be ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if job["prepare"]:
        exec(job["prepare"], {})
    if job["stop"]:
        # PR_SET_PTRACER: strace is no ancestor, which some systems want a tracer to be.
        system.prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)
        os.kill(os.getpid(), signal.SIGSTOP)
    entry()

def fork(do):
    child = os.fork()
    if child == 0:
        try:
            do()
        finally:
            os._exit(99)
    return child

for line in iter(sys.stdin.buffer.readline, b""):
    job = json.loads(line)
    if "wait" in job:
        told = os.waitstatus_to_exitcode(os.waitpid(job["wait"], 0)[1])
    elif "warm" in job:
        kept = [os.dup(number) for number in (0, 1, 2)]
        streams = sys.stdin, sys.stdout, sys.stderr
        environment, here = dict(os.environ), os.getcwd()
        become(job)
        told = main(job["words"])
        sys.stdin, sys.stdout, sys.stderr = streams
        for number, descriptor in enumerate(kept):
            os.dup2(descriptor, number)
            os.close(descriptor)
        os.environ.clear()
        os.environ.update(environment)
        os.chdir(here)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        gc.collect()
        gc.freeze()
    else:
        told = fork(lambda: run(job))
        if job["stop"]:
            os.waitpid(told, os.WUNTRACED)
    os.write(1, json.dumps(told).encode() + b"\\n")
"""


class Point(NamedTuple):
    """One call of a run: its name, which of its kind it is (from 1), and the line that strace has for it."""

    call: str
    number: int
    line: str

    def __str__(self) -> str:
        return f"{self.call} {self.number}: {self.line}"


class Ended(NamedTuple):
    """How a run ended: its exit code (a negative signal's number), its streams, and the log of strace."""

    code: int
    out: str
    err: str
    log: str

    @property
    def fired(self) -> bool:
        """Whether the fault came to pass: strace says so of an error, and the process of a signal."""
        return (
            "(INJECTED)" in self.log or re.search(r"^--- SIG(?!CONT|STOP|IO)\w+ ", self.log, re.MULTILINE) is not None
        )


class Process:
    """A run that goes on."""

    def __init__(
        self, child: int, strace: subprocess.Popen[bytes] | None, streams: Path, wait: Callable[[], int]
    ) -> None:
        self._child = child
        self._strace = strace
        self._streams = streams
        self._wait = wait

    def _read(self, kind: str) -> str:
        try:
            return Path(f"{self._streams}.{kind}").read_text("utf-8", "surrogateescape")
        except FileNotFoundError:
            return ""  # it has only begun

    def _is_over(self) -> bool:
        return Path(f"/proc/{self._child}/stat").read_text().rpartition(")")[2].split()[0] == "Z"

    def wait_for_stop(self) -> None:
        """Return when the injected signal has stopped it."""
        limit = time.monotonic() + SECONDS
        while re.search(r"^--- SIGSTOP .*\n--- stopped by SIGSTOP", self._read("log"), re.MULTILINE) is None:
            assert not self._is_over(), "it was never stopped"
            assert time.monotonic() < limit
            time.sleep(0.0005)

    def waits(self, seconds: float = 0.08) -> bool:
        """Return whether it waits for another memctl: it says so, or is not at its end after a while."""
        limit = time.monotonic() + seconds
        while time.monotonic() < limit:
            if self._is_over():
                return False
            if "waiting for another memctl" in self._read("err"):
                return True
            time.sleep(0.001)
        return True

    def go_on(self) -> None:
        """Let it go on after a stop."""
        os.kill(self._child, signal.SIGCONT)

    def kill(self) -> None:
        """Kill it, whatever it does."""
        os.kill(self._child, signal.SIGKILL)

    def end(self) -> Ended:
        """Wait for its end, and return how that was."""
        code = self._wait()
        log = ""
        if self._strace is not None:
            self._strace.wait(timeout=SECONDS)
            assert self._strace.stderr is not None
            self._strace.stderr.close()
            log = self._read("log")
        return Ended(code, self._read("out"), self._read("err"), log)


class ForkedWorld(World):
    """A world in which memctl is run by forks: ten times as fast as by processes of its own."""

    def __init__(self, runner: Runner, place: Path, case: Case, *, warm: bool = False) -> None:
        self._runner = runner
        self._warm = warm
        super().__init__(place, case)

    def run(self, *words: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
        """Run memctl."""
        if self._warm:
            done = self._runner.warm(self, words, variables)
        else:
            done = self._runner.begin(self, *words, variables=variables).end()
        return subprocess.CompletedProcess(words, done.code, done.out.encode(), done.err.encode())


class Runner:
    """A process that forks runs of memctl. A context manager that ends it."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._numbers = itertools.count()
        place.mkdir(parents=True, exist_ok=True)
        self._server = subprocess.Popen(
            [sys.executable, "-c", _SERVER, CODE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/"
        )
        self._warm()

    def _warm(self) -> None:
        world = ForkedWorld(self, self._place / "warm", Case(""), warm=True)
        for case in CASES.values():
            for words in (case.words, "undo -y", "redo -y"):
                world.run(*words.split())

    def warm(self, world: World, words: Sequence[str], variables: Mapping[str, str]) -> Ended:
        """Run memctl in the very process from which the runs are forked, so that it loads what that needs."""
        code = self._ask({**self._job(world, words, variables, "warm"), "warm": True})
        return Process(0, None, self._place / "warm", lambda: code).end()

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server.stdin is not None
        self._server.stdin.close()
        self._server.wait(timeout=SECONDS)

    def _ask(self, job: dict[str, object]) -> int:
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps(job).encode() + b"\n")
        self._server.stdin.flush()
        return int(json.loads(self._server.stdout.readline()))

    def _job(self, world: World, words: Sequence[str], variables: Mapping[str, str], streams: str) -> dict[str, object]:
        return {
            "words": list(words),
            "cwd": str(world.cwd),
            "env": {**world.env, **variables},
            "out": f"{self._place}/{streams}.out",
            "err": f"{self._place}/{streams}.err",
            "prepare": "",
            "stop": False,
            "seconds": SECONDS,
        }

    def begin(
        self,
        world: World,
        *words: str,
        trace: Sequence[str] = (),
        inject: str = "",
        prepare: str = "",
        variables: Mapping[str, str] | None = None,
    ) -> Process:
        """Begin a run; with `trace` strace follows these calls and injects what `inject` says.

        `prepare` is Python that the process carries out first.
        """
        name = f"streams{next(self._numbers) % 8}"
        streams = self._place / name
        for kind in ("out", "err", "log"):
            Path(f"{streams}.{kind}").unlink(missing_ok=True)
        child = self._ask({**self._job(world, words, variables or {}, name), "prepare": prepare, "stop": bool(trace)})
        strace = None
        if trace:
            options = ["-qq", "-o", f"{streams}.log", "-e", f"trace={','.join(trace)}", "-s", "0", "-y"]
            if inject:
                options += ["-e", f"inject={inject}"]
            strace = subprocess.Popen(["strace", *options, "-p", str(child)], stderr=subprocess.PIPE)
            self._await_tracer(child, strace)
            os.kill(child, signal.SIGCONT)
        return Process(child, strace, streams, lambda: self._ask({"wait": child}))

    def probe(self) -> None:
        """Raise PermissionError where strace may not trace."""
        world = ForkedWorld(self, self._place / "probe", Case(""))
        assert "openat(" in self.traced(world, "config", "show").log

    def run(self, world: World, *words: str, prepare: str = "") -> Ended:
        """Run memctl without a tracer."""
        return self.begin(world, *words, prepare=prepare).end()

    def traced(
        self, world: World, *words: str, trace: Sequence[str] = CALLS, inject: str = "", prepare: str = ""
    ) -> Ended:
        """Run memctl under strace."""
        return self.begin(world, *words, trace=trace, inject=inject, prepare=prepare).end()

    @staticmethod
    def _await_tracer(child: int, strace: subprocess.Popen[bytes]) -> None:
        limit = time.monotonic() + SECONDS
        status = Path(f"/proc/{child}/status")
        while "TracerPid:\t0\n" in status.read_text():
            if strace.poll() is not None:
                os.kill(child, signal.SIGKILL)
                assert strace.stderr is not None
                raise PermissionError(strace.stderr.read().decode().strip())
            assert time.monotonic() < limit
            time.sleep(0.0005)

    def points(self, world: World) -> list[Point]:
        """Return the calls of the write phase of a world's command: from the first that could change or lock anything on.

        The world is restored.
        """
        ended = self.traced(world, *world.words)
        assert ended.code == 0, ended.err
        world.restore()
        return write_phase(ended.log)


_BEGINS = re.compile(r"^(?:flock|mkdir|mkdirat)\(|^openat\(.*O_(?:CREAT|WRONLY|RDWR)")


def write_phase(log: str) -> list[Point]:
    """Return the calls in a log of strace from the beginning of the write phase on."""
    counts: dict[str, int] = {}
    found = []
    begun = False
    for line in log.splitlines():
        if (match := re.match(r"(\w+)\(", line)) is None:
            continue
        call = match[1]
        counts[call] = counts.get(call, 0) + 1
        begun = begun or _BEGINS.match(line) is not None
        if begun:
            found.append(Point(call, counts[call], line))
    return found


def spread(points: Sequence[Point], count: int, turn: int) -> list[Point]:
    """Return `count` of some points, evenly spread; `turn` shifts them, so that few points of many runs fall everywhere."""
    if count >= len(points):
        return list(points)
    step = len(points) / count
    shift = (turn * 0.6180339887) % 1.0
    return [points[int((at + shift) * step) % len(points)] for at in range(count)]
