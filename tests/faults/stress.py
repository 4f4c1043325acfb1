"""16 writers of memctl at once beside one that behaves as the HQ does, and readers that check every read (R7, R7b, R9).

python -m tests.faults.stress --help
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.faults import ledger
from tests.faults.forked import HANGS, Ended, preload, run_forked
from tests.faults.hq_writer import HqWriter, content_of, text_of
from tests.stores import fill, index

AGENT = "aaaa1111"
OURS = 100
THEIRS = 110
SAME = 6
NOTES = "home/.deepseek/memory.md"

Figures = Counter[str]


class Place:
    """The world of a stress run: one agent, a user memory, a history, and what each process writes down."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.agent = path / "data" / "memory" / AGENT
        self.stop = path / "stop"
        self.aim: int | None = None
        self.logs = path / "logs"
        self.env = {
            "HOME": f"{path}/home",
            "LANG": "C.UTF-8",
            "MEMCTL_ROOT": f"{path}/data",
            "MEMCTL_STATE_DIR": f"{path}/state",
            "DEEPSEEK_MANAGED_CONFIG_PATH": "/no-managed-config.toml",
        }
        fill(self.logs, {})
        fill(path / "home/.deepseek", {"memory.md": b""})
        fill(self.agent, {})

    def fill(self, names: list[str]) -> dict[str, bytes]:
        """Make the memories that are not there, and the index; return what memctl's writers find at first."""
        for name in names:
            if not (self.agent / f"{name}.md").exists():
                (self.agent / f"{name}.md").write_bytes(text_of(name, f"start-{name}-{time.monotonic_ns()}"))
        (self.agent / "MEMORY.md").write_bytes(index())
        return {name: (self.agent / f"{name}.md").read_bytes() for name in names}

    def memctl(self, *words: str, session: str = "judge", hook: Callable[..., None] | None = None) -> Ended:
        """Run memctl there."""
        return run_forked(list(words), self.env | {"XDG_SESSION_ID": session}, cwd=str(self.path), hook=hook)


def run(
    *,
    same: bool,
    operations: int,
    reads: int = 0,
    writers: int = 16,
    readers: int = 2,
    lease: bool = True,
    seed: int = 1,
    keep: bool = False,
) -> dict[str, int]:
    """Let them all work at once, judge what is there afterwards, and return the figures.

    `same` lets the HQ-like writer work on the very memories of memctl's writers (R7b), else on names of its own (R7).
    """
    preload()
    path = Path(tempfile.mkdtemp(prefix="memctl-stress-"))
    figures: Figures = Counter()
    rounds = max(1, operations // 2000)
    try:
        for number in range(rounds):
            place = Place(path / str(number))
            part = (operations // rounds, reads // rounds)
            figures += _round(place, same, part, writers, readers, lease=lease, seed=seed * 1000 + number)
    finally:
        if not keep:
            shutil.rmtree(path, ignore_errors=True)
    return {name: figures.get(name, 0) for name in dict.fromkeys([*ledger.names(same), *sorted(figures)])}


def _round(
    place: Place, same: bool, part: tuple[int, int], writers: int, readers: int, *, lease: bool, seed: int
) -> Figures:
    operations, reads = part
    ours = [f"m-{at:03}" for at in range(SAME if same else OURS)]
    theirs = ours if same else [f"hq-{at:03}" for at in range(THEIRS)]
    first = place.fill(ours)
    began = time.monotonic()
    hq_like = HqWriter(place.agent, theirs, place.logs / "hq", removes=not same, seed=seed)
    aim, place.aim = os.pipe() if same else (None, None)
    beside = [_fork(lambda: hq_like.run(place.stop, 0.1 if same else 0.01, aim))]
    work = [
        _fork(lambda at=at: _write(place, ours, -(-operations // writers), at, seed + at, same=same, lease=lease))
        for at in range(writers)
    ]
    if reads:
        work += [_fork(lambda at=at: _read(place, ours, -(-reads // readers), at, seed + at)) for at in range(readers)]
    failed = sum(_ended(child) for child in work)
    place.stop.touch()
    failed += sum(_ended(child) for child in beside)
    seconds = time.monotonic() - began
    figures: Figures = Counter({"processes that failed": failed, "milliseconds": int(seconds * 1000)})
    return figures + ledger.judge(place, first, same=same)


def _fork(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(code)
    return child


def _ended(child: int) -> int:
    return int(os.waitpid(child, 0)[1] != 0)


def _write(place: Place, names: list[str], count: int, at: int, seed: int, *, same: bool, lease: bool) -> None:
    """Be one of memctl's writers: an administrator, a cron job, a person who takes notes."""
    rolls = random.Random(seed)
    session = f"writer-{at}"
    with (place.logs / f"writer-{at}").open("a") as log:
        for number in range(count):
            token = f"w{at}-{number}-{seed}"
            words = _words(rolls, names, token, same=same)
            hook = _watched(place, at, words, lease=lease, moment=rolls.randrange(14))
            ended = place.memctl(*words, session=session, hook=hook)
            said = ended.err.strip().replace(str(place.path), "")[-300:]
            log.write(json.dumps({"words": words, "code": ended.code, "said": said, "token": token}) + "\n")


def _watched(place: Place, at: int, words: list[str], *, lease: bool, moment: int) -> Callable[[], None]:
    """Return what is done in a run of memctl before it begins."""

    def hook() -> None:
        ledger.watch(str(place.logs / f"counts-{at}"), lease=lease)
        if place.aim is not None:
            ledger.call_the_hq(place.aim, words[1].partition("/")[2], moment)

    return hook


def _words(rolls: random.Random, names: list[str], token: str, *, same: bool) -> list[str]:
    name = f"{AGENT}/{rolls.choice(names)}"
    edit = ["edit", name, "--description", f"token {token}", "--content", content_of(token)]
    if same:
        return edit
    kinds: list[tuple[int, list[str]]] = [
        (36, edit),
        (12, ["delete", "-y", name]),
        (14, ["undo", "-y"]),
        (5, ["redo", "-y"]),
        (10, ["reindex", AGENT]),
        (5, ["prune", "-y", AGENT, "--over", "190", "--name", "m-*", "--max-removed", "3"]),
        (3, ["edit", f"{AGENT}/{rolls.choice(names)[:-1]}*", "--type", rolls.choice(["user", "project"])]),
        (15, ["remember", f"note {token} end-{token}"]),
    ]
    return rolls.choices([words for _, words in kinds], [weight for weight, _ in kinds])[0]


def _read(place: Place, names: list[str], count: int, at: int, seed: int) -> None:
    """Be a reader, and check each read at once."""
    rolls = random.Random(-seed)
    with (place.logs / f"reader-{at}").open("a") as log:
        for _ in range(count):
            name = f"{AGENT}/{rolls.choice(names)}"
            words, judge = rolls.choice(
                [
                    (["list", AGENT, "--json"], ledger.check_list),
                    (["show", name, "--json"], ledger.check_show),
                    (["list", "@user", "--json"], ledger.check_notes),
                    (["recall", AGENT, "token", "--json"], ledger.check_any(0, 1)),
                    (["history", "--json"], ledger.check_any(0)),
                    (["reindex", "--check", AGENT], ledger.check_any(0, 1)),
                    (["undo", "-n"], ledger.check_any(0, 66, 75)),
                ]
            )
            ended = place.memctl(*words, session="writer-0")
            figures: dict[str, Any] = dict(judge(ended))
            if ended.code == HANGS or "Traceback" in ended.err or "bug in memctl" in ended.err:
                figures["reads that failed"] = 1
            if figures.get("reads that failed") or figures.get("torn reads"):
                figures["said"] = [words, ended.code, ended.out[-500:], ended.err[-500:]]
            log.write(json.dumps(figures) + "\n")


def main() -> int:
    """Run it from the command line; exit code 1 where something was lost or went wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.stress", description=__doc__.splitlines()[0])
    parser.add_argument("--same", action="store_true", help="the HQ-like writer works on the same names (R7b)")
    parser.add_argument("--no-lease", action="store_true", help="as where leases are not to be had")
    parser.add_argument("--operations", type=int, default=1000, help="of memctl's writers, in all")
    parser.add_argument("--reads", type=int, default=0, help="of memctl's readers, in all")
    parser.add_argument("--writers", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="leave the files there to be looked at")
    options = parser.parse_args()
    figures = run(
        same=options.same,
        operations=options.operations,
        reads=options.reads,
        writers=options.writers,
        lease=not options.no_lease,
        seed=options.seed,
        keep=options.keep,
    )
    for name, value in figures.items():
        print(f"{value:8}  {name}")
    return int(any(figures[name] for name in ledger.MUST_BE_ZERO))


if __name__ == "__main__":
    sys.exit(main())
