"""One result a store, over many stores: in this process, or in forked workers, in order either way."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO, NamedTuple, TypeVar

from memctl.cli.context import Run
from memctl.cli.terminal import is_terminal
from memctl.disk.locate import Store
from memctl.errors import MemctlError

# Below about 2,000 files a fork costs more than it gains; the directories are not opened to count them.
_FORK_FROM = 20
_PROGRESS_AFTER = 1.0


class Part(NamedTuple):
    """What one store gives: its text as bytes, what it adds to the summary, and what failed."""

    text: bytes
    counts: dict[str, int]
    errors: Sequence[MemctlError]


Work = Callable[[Store], Part]
# What is worked on, most often a store, and what it gives; a worker hands that over, so it can be pickled.
Given = TypeVar("Given")
Result = TypeVar("Result")


def each_store(
    run: Run, stores: Sequence[Given], work: Callable[[Given], Result], jobs: int | None
) -> Iterator[Result]:
    """Yield what the work gives for each store, in the order of the stores; progress is shown where it lasts."""
    count = jobs or run.settings.value("jobs") or os.cpu_count() or 1
    count = min(count, len(stores))
    if count < 2 or (jobs is None and len(stores) < _FORK_FROM):
        parts: Iterator[Result] = map(work, stores)
    else:
        parts = _forked(stores, work, count)
    shows = is_terminal(sys.stderr) and not is_terminal(sys.stdout) and not run.quiet
    return _with_progress(parts, len(stores)) if shows else parts


def _with_progress(parts: Iterator[Result], total: int) -> Iterator[Result]:
    started = shown = time.monotonic()
    drawn = False
    for at, part in enumerate(parts, 1):
        yield part
        moment = time.monotonic()
        if moment - started > _PROGRESS_AFTER and moment - shown > 0.1:
            shown = moment
            drawn = True
            sys.stderr.write(f"\r{at:,} of {total:,} agents")
            sys.stderr.flush()
    if drawn:
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


def _forked(stores: Sequence[Given], work: Callable[[Given], Result], count: int) -> Iterator[Result]:
    """Let each of `count` children do every count-th store, and take their parts in turn.

    A child that is ahead waits for its pipe to be read, so no more than a few parts are in memory.
    """
    import pickle
    import signal

    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # closed: what is written to it is said elsewhere
            stream.flush()
    pipes: list[IO[bytes]] = []
    children = []
    try:
        for first in range(count):
            reader, writer = os.pipe()
            child = os.fork()
            if child == 0:
                status = 1
                try:
                    os.close(reader)
                    for pipe in pipes:
                        pipe.close()
                    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
                        signal.signal(number, signal.SIG_DFL)
                    with open(writer, "wb") as out:
                        for store in stores[first::count]:
                            pickle.dump(work(store), out, pickle.HIGHEST_PROTOCOL)
                            out.flush()
                    status = 0
                except BaseException:
                    import traceback

                    traceback.print_exc()
                finally:
                    os._exit(status)
            os.close(writer)
            children.append(child)
            pipes.append(os.fdopen(reader, "rb"))
        for at in range(len(stores)):
            try:
                part: Result = pickle.load(pipes[at % count])
            except EOFError:
                raise RuntimeError("a worker ended early; its traceback stands above") from None
            yield part
    finally:
        for pipe in pipes:
            pipe.close()
        for child in children:
            os.waitpid(child, 0)
