"""A writer that behaves as the HQ does: no lock, truncate and write in place, the index too (spec of the HQ, 7 to 9)."""

from __future__ import annotations

import json
import os
import random
import re
import select
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from memctl.core.dialects import hq
from memctl.core.index import render_index
from memctl.core.limits import PER_AGENT
from memctl.core.memory import Memory
from tests.stores import memory

_TOKEN = re.compile(rb"description: token (\S+)")
_LINES = 12


def text_of(name: str, token: str) -> bytes:
    """Return a memory which names its token from the first line to the last, so that half of it can be told."""
    body = "".join(f"line {at} {token}\n" for at in range(_LINES)) + f"end {token}"
    return memory(name, description=f"token {token}", content=body)


def content_of(token: str) -> str:
    """Return the content of text_of()."""
    return "".join(f"line {at} {token}\n" for at in range(_LINES)) + f"end {token}"


def token_of(data: bytes) -> str:
    """Return the token of a memory's file, '' where it has none (truncated, and not written yet)."""
    found = _TOKEN.search(data)
    return found[1].decode() if found else ""


class Wrote(NamedTuple):
    """One write of the HQ's: what it wrote, what it truncated away, and whether the file had its name afterwards."""

    name: str
    token: str
    over: str
    named: bool


class HqWriter:
    """Saves and removes memories as the HQ does, and keeps a log of it."""

    def __init__(self, directory: Path, names: Sequence[str], log: Path, *, removes: bool, seed: int) -> None:
        self.directory = directory
        self.names = names
        self.removes = removes
        self.random = random.Random(seed)
        self._log = log
        self._count = 0
        self.touched = 0
        self.aimed = 0
        self._mine: dict[str, bytes | None] = {}

    def run(self, stop: Path, pause: float, aim: int | None = None) -> None:
        """Write until the file `stop` is there, up to `pause` seconds between two writes.

        A line that comes from the descriptor `aim` is a name that is to be written now: its memory is just replaced.
        """
        with self._log.open("a") as log:
            while not stop.exists():
                name = self.random.choice(self.names)
                wait = pause * self.random.random()
                if aim is None:
                    time.sleep(wait)
                elif select.select([aim], [], [], wait)[0]:
                    name = os.read(aim, 4096).decode().splitlines()[-1]
                    self.aimed += 1
                if self.removes:
                    self._look(name)
                if self.removes and self.random.random() < 0.2:
                    self.remove(name)
                else:
                    wrote = self.save(name)
                    if wrote:
                        log.write(json.dumps(wrote) + "\n")
            log.write(json.dumps({"touched": self.touched, "aimed": self.aimed}) + "\n")

    def _look(self, name: str) -> None:
        """Count a memory of its own that is not as it left it."""
        try:
            data: bytes | None = (self.directory / f"{name}.md").read_bytes()
        except FileNotFoundError:
            data = None
        if name in self._mine and self._mine[name] != data:
            self.touched += 1
            self._mine[name] = data

    def save(self, name: str) -> Wrote | None:
        """Write a memory as the HQ does; None where it has 200 already."""
        path = self.directory / f"{name}.md"
        if not path.exists() and len(self._memories()) >= PER_AGENT:
            return None
        self._count += 1
        token = f"hq-{os.getpid()}-{self._count}"
        data = text_of(name, token)
        # The HQ opens with O_TRUNC, and writes in a later turn of its loop. Here what goes is looked at first, on the same
        # open file: for a lease both are an open for writing. Every other time it is truncated as late as it is written,
        # which is harder: a comparison in between sees nothing.
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            over = token_of(os.pread(descriptor, 1 << 16, 0))
            late = self.removes or self._count % 2 == 0
            if not late:
                os.ftruncate(descriptor, 0)
            if not self.removes:
                time.sleep(self.random.random() * 0.001)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, data, 0)
            named = os.fstat(descriptor).st_nlink > 0
        finally:
            os.close(descriptor)
        self._mine[name] = data
        if self.removes or self._count % 8 == 0:
            self.write_index()
        return Wrote(name, token, over, named)

    def remove(self, name: str) -> None:
        """Remove a memory as the HQ does."""
        try:
            os.unlink(self.directory / f"{name}.md")
        except FileNotFoundError:
            return
        self._mine[name] = None
        self.write_index()

    def write_index(self) -> None:
        """Render and write MEMORY.md in place."""
        (self.directory / "MEMORY.md").write_bytes(render_index(self._memories()).text.encode())

    def _memories(self) -> list[Memory]:
        found = []
        for name in hq.memory_files(os.listdir(self.directory)):
            try:
                read = hq.read((self.directory / name).read_bytes(), name[:-3])
            except OSError:
                continue
            if isinstance(read, Memory):
                found.append(read)
        return found
