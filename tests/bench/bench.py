"""The benchmarks of memctl as a table: ratios of medians in one run, so that they mean something on any machine.

    python tests/bench/bench.py [--only B1,B5] [--runs N] [--memctl PROGRAM] [--output FILE] [--keep DIR]
                                [--memory-lint PROGRAM] [--detect-secrets PROGRAM]

Run it with the Python of an environment that has memctl installed. Needs `strace` for B13 and `grep` for B5; the rest
is the standard library. Each benchmark runs its commands in turn, A B A B ..., on a warm cache, their output going to
a file; the ratio is that of the medians of their wall-clock times, or of their peak memory for B12. A benchmark that
does not hold is run a second time, and the better ratio counts: a machine that somebody else uses can only be slower.
Exits with 1 where a bound does not hold. B3, B4 and B9 want another tool, from an environment of its own; without it
they are left out, with a word. `--keep DIR` makes the data folders there, and uses them again.

| # | command | agents x memories | beside it | at most |
|---|---|---|---|---|
| B1 | `--version`; `list` of an empty root | | a Typer program with one command | 1.20 |
| B2 | `list AGENT` | 1x200 | the same Typer program | 1.30 |
| B3 | `check AGENT` without secrets | 1x200 | memory-lint 0.1.0 | 0.7 |
| B4 | `check --all` without secrets | 100x50 | memory-lint 0.1.0 | 0.12 |
| B5 | `list --all --json` | 1000x100 | `grep -rc '^type:'` | 2.5 |
| B6 | `check --all` without secrets; a file of it | 1000x100 | `grep -rc`; a file of 100x50 | 4; 1.2 |
| B8 | `recall AGENT WORDS` | 1x200 | own `list AGENT` | 1.1 |
| B9 | `check --all` | 100x50 | `detect-secrets scan --all-files .` | 0.15 |
| B10 | `reindex --all`, nothing changed | 100x50 | own `list --all` | 1.5 |
| B11 | `edit` of one | 1x200 | own `list AGENT` | 1.5 |
| B12 | peak memory of `list --all --json` | 1000x100 | the same on 1x200 | 1.3 |
| B13 | system calls per further memory | 1x40, 1x200 | | 5 |
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import NamedTuple

from corpus import make

EMPTY = """\
import typer

app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)


@app.command()
def empty() -> None:
    pass


app()
"""


class Row(NamedTuple):
    """One line of the table: what was measured, in words, against its bound."""

    number: str
    what: str
    ours: str
    beside: str
    ratio: float
    bound: float

    @property
    def holds(self) -> bool:
        """Whether the bound holds."""
        return self.ratio <= self.bound


class Usage(NamedTuple):
    """What one run took: seconds on the wall, and the peak memory of the largest process in KiB."""

    seconds: float
    memory: int


class Bench:
    """The data folders, made when they are first asked for, and how commands are run."""

    def __init__(self, folder: Path, memctl: Sequence[str], runs: int, others: dict[str, str | None]) -> None:
        """`others` are the programs of other tools, by name; None where there is none."""
        self.others = others
        self.folder = folder
        self.memctl = list(memctl)
        self.runs = runs
        program = folder / "empty" / "empty_program.py"
        program.parent.mkdir(exist_ok=True)
        program.write_text(EMPTY)
        self.typer = [sys.executable, str(program)]
        # As on a machine where nothing is set: no site of this project, and compiled modules are kept.
        unwanted = ("MEMCTL_", "PYTHON", "XDG_", "DASH_")
        self.env = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
        self.env["HOME"] = str(folder / "home")
        (folder / "home").mkdir(exist_ok=True)

    def corpus(self, agents: int, memories: int) -> Path:
        """Return the data folder of that size."""
        path = self.folder / f"{agents}x{memories}"
        if not (path / "agents.json").exists():
            shutil.rmtree(path, ignore_errors=True)
            print(f"making {agents:,} agents with {memories} memories each", file=sys.stderr)
            make(path, agents, memories)
            self.run([*self.memctl, "--root", str(path), "reindex", "--all", "--no-history"])
        return path

    def agent(self, corpus: Path) -> str:
        """Return the id of the first agent."""
        return sorted(os.listdir(corpus / "memory"))[0]

    def other(self, name: str) -> str:
        """Return the program of another tool. Raises LookupError where there is none."""
        program = self.others[name]
        if program is None:
            raise LookupError(f"wants --{name} PROGRAM")
        return program

    def run(self, command: Sequence[str]) -> Usage:
        """Run a command once, its output going to a file. Ends the benchmark where it fails."""
        out = self.folder / "out"
        with open(out, "wb") as stdout, open(self.folder / "err", "wb") as stderr:
            began = time.perf_counter()
            child = subprocess.Popen(command, stdout=stdout, stderr=stderr, stdin=subprocess.DEVNULL, env=self.env)
            _, status, usage = os.wait4(child.pid, 0)
            seconds = time.perf_counter() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"bench: {' '.join(command)} ended with {child.returncode}: {(self.folder / 'err').read_text()}")
        # wait4() counts the largest process of the tree; macOS counts bytes.
        return Usage(seconds, usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1))

    def both(
        self, ours: Sequence[str], beside: Sequence[str], runs: int | None = None
    ) -> tuple[list[Usage], list[Usage]]:
        """Run two commands in turn, after each once for the cache."""
        self.run(ours), self.run(beside)
        pairs = [(self.run(ours), self.run(beside)) for _ in range(runs or self.runs)]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def compare(
        self, number: str, what: str, ours: Sequence[str], beside: Sequence[str], bound: float, runs: int | None = None
    ) -> Row:
        """Return the row for the times of two commands."""
        mine, theirs = self.both(ours, beside, runs)
        a, b = median(usage.seconds for usage in mine), median(usage.seconds for usage in theirs)
        return Row(number, what, f"{a * 1000:,.1f} ms", f"{b * 1000:,.1f} ms", a / b, bound)


def b1_version(bench: Bench) -> Row:
    """The cost of a start."""
    return bench.compare("B1", "--version", [*bench.memctl, "--version"], bench.typer, 1.20)


def b1_empty(bench: Bench) -> Row:
    """The cost of a command with nothing to do."""
    root = bench.folder / "nothing"
    (root / "memory").mkdir(parents=True, exist_ok=True)
    return bench.compare("B1", "list, empty root", [*bench.memctl, "--root", str(root), "list"], bench.typer, 1.20)


def b2(bench: Bench) -> Row:
    """The cost of the most frequent command."""
    corpus = bench.corpus(1, 200)
    ours = [*bench.memctl, "--root", str(corpus), "list", bench.agent(corpus)]
    return bench.compare("B2", "list AGENT, 1x200", ours, bench.typer, 1.30)


def b5(bench: Bench) -> Row:
    """A whole fleet beside a plain scan of its files."""
    corpus = bench.corpus(1000, 100)
    ours = [*bench.memctl, "--root", str(corpus), "list", "--all", "--json"]
    beside = ["grep", "-rc", "^type:", str(corpus / "memory")]
    return bench.compare("B5", "list --all --json, 1000x100", ours, beside, 2.5, max(3, bench.runs // 4))


# Without the secret scanner, as the other tool has none.
_WITHOUT_SECRETS = ("--ignore", "S")


def _lint(bench: Bench, corpus: Path) -> list[str]:
    config = str(Path(__file__).with_name("memory-lint.yaml"))
    return [bench.other("memory-lint"), "--config", config, "--corpus-root", str(corpus / "memory")]


def b3(bench: Bench) -> Row:
    """The linter over one agent beside the nearest equal job."""
    corpus = bench.corpus(1, 200)
    ours = [*bench.memctl, "--root", str(corpus), "check", bench.agent(corpus), *_WITHOUT_SECRETS]
    return bench.compare("B3", "check AGENT, 1x200", ours, _lint(bench, corpus), 0.7)


def b4(bench: Bench) -> Row:
    """The linter over a fleet beside the nearest equal job."""
    corpus = bench.corpus(100, 50)
    ours = [*bench.memctl, "--root", str(corpus), "check", "--all", *_WITHOUT_SECRETS]
    return bench.compare("B4", "check --all, 100x50", ours, _lint(bench, corpus), 0.12, max(3, bench.runs // 4))


def b6(bench: Bench) -> Row:
    """The linter over a large fleet beside a plain scan of its files."""
    corpus = bench.corpus(1000, 100)
    ours = [*bench.memctl, "--root", str(corpus), "check", "--all", *_WITHOUT_SECRETS]
    beside = ["grep", "-rc", "^type:", str(corpus / "memory")]
    return bench.compare("B6", "check --all, 1000x100", ours, beside, 4, max(3, bench.runs // 4))


def b6_growth(bench: Bench) -> Row:
    """What a file of a large fleet costs beside one of a small fleet."""
    large, small = (
        [*bench.memctl, "--root", str(bench.corpus(*size)), "check", "--all", *_WITHOUT_SECRETS]
        for size in ((1000, 100), (100, 50))
    )
    mine, theirs = bench.both(large, small, max(3, bench.runs // 4))
    a, b = median(usage.seconds for usage in mine) / 100_000, median(usage.seconds for usage in theirs) / 5_000
    return Row("B6", "check --all, a file", f"{a * 1e6:,.1f} us", f"{b * 1e6:,.1f} us", a / b, 1.2)


def b8(bench: Bench) -> Row:
    """What is recalled, beside a list."""
    corpus = bench.corpus(1, 200)
    agent = bench.agent(corpus)
    ours = [*bench.memctl, "--root", str(corpus), "recall", agent, "backups caches sessions metric shared"]
    beside = [*bench.memctl, "--root", str(corpus), "list", agent]
    return bench.compare("B8", "recall AGENT, 1x200", ours, beside, 1.1)


def b9(bench: Bench) -> Row:
    """The linter with its secret scanner beside another scanner."""
    corpus = bench.corpus(100, 50)
    ours = [*bench.memctl, "--root", str(corpus), "check", "--all"]
    beside = [bench.other("detect-secrets"), "-C", str(corpus), "scan", "--all-files", "."]
    return bench.compare("B9", "check --all with secrets", ours, beside, 0.15, 3)


def b10(bench: Bench) -> Row:
    """A fleet whose indexes are right, beside a list of it."""
    corpus = bench.corpus(100, 50)
    ours = [*bench.memctl, "--root", str(corpus), "reindex", "--all"]
    beside = [*bench.memctl, "--root", str(corpus), "list", "--all"]
    return bench.compare("B10", "reindex --all, 100x50", ours, beside, 1.5, max(3, bench.runs // 2))


def b11(bench: Bench) -> Row:
    """One change, history and fsync included, beside a list."""
    corpus = bench.folder / "changing"
    if not (corpus / "agents.json").exists():
        make(corpus, 1, 200)
        bench.run([*bench.memctl, "--root", str(corpus), "reindex", "--all", "--no-history"])
    agent = bench.agent(corpus)
    name = next(file for file in sorted(os.listdir(corpus / "memory" / agent)) if file != "MEMORY.md")[:-3]
    edit = [*bench.memctl, "--root", str(corpus), "edit", f"{agent}/{name}", "--description"]
    beside = [*bench.memctl, "--root", str(corpus), "list", agent]
    bench.run([*edit, "first"]), bench.run(beside)
    pairs = [(bench.run([*edit, f"number {at}"]), bench.run(beside)) for at in range(bench.runs)]
    a, b = (median(pair[side].seconds for pair in pairs) for side in (0, 1))
    return Row("B11", "edit of one, 1x200", f"{a * 1000:,.1f} ms", f"{b * 1000:,.1f} ms", a / b, 1.5)


def b12(bench: Bench) -> Row:
    """The peak memory of a whole fleet beside that of one agent."""
    large, small = (
        [*bench.memctl, "--root", str(bench.corpus(*size)), "list", "--all", "--json"]
        for size in ((1000, 100), (1, 200))
    )
    mine, theirs = bench.both(large, small, 3)
    a, b = median(usage.memory for usage in mine), median(usage.memory for usage in theirs)
    return Row("B12", "peak memory, 1000x100", f"{a / 1024:,.1f} MiB", f"{b / 1024:,.1f} MiB", a / b, 1.3)


def b13(bench: Bench) -> Row:
    """The slope of the system calls, which needs no quiet machine."""
    calls = []
    for count in (40, 200):
        corpus = bench.corpus(1, count)
        summary = bench.folder / "strace.txt"
        ours = [*bench.memctl, "--root", str(corpus), "list", bench.agent(corpus)]
        bench.run(ours)
        bench.run(["strace", "-c", "-f", "-o", str(summary), *ours])
        calls.append(int(summary.read_text().splitlines()[-1].split()[3]))
    slope = (calls[1] - calls[0]) / 160
    return Row("B13", "system calls a memory", f"{calls[1]:,} for 200", f"{calls[0]:,} for 40", slope, 5)


BENCHMARKS: dict[str, list[Callable[[Bench], Row]]] = {
    "B1": [b1_version, b1_empty],
    "B2": [b2],
    "B3": [b3],
    "B4": [b4],
    "B5": [b5],
    "B6": [b6, b6_growth],
    "B8": [b8],
    "B9": [b9],
    "B10": [b10],
    "B11": [b11],
    "B12": [b12],
    "B13": [b13],
}


def table(rows: Sequence[Row]) -> str:
    """Return the rows as a table."""
    head = ("#", "measured", "memctl", "beside it", "ratio", "at most", "verdict")
    lines = [head] + [
        (
            row.number,
            row.what,
            row.ours,
            row.beside,
            f"{row.ratio:.2f}",
            f"{row.bound:g}",
            "holds" if row.holds else "FAILS",
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    texts = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    texts.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(texts) + "\n"


def measure(bench: Bench, benchmark: Callable[[Bench], Row]) -> Row:
    """Return the row of a benchmark; one that fails gets a second try."""
    row = benchmark(bench)
    return row if row.holds else min(row, benchmark(bench), key=lambda other: other.ratio)


def main() -> int:
    """Run the benchmarks that are asked for, print the table, and return 1 where a bound does not hold."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", default=",".join(BENCHMARKS), help="numbers, such as B1,B5")
    parser.add_argument("--runs", type=int, default=31, help="runs of each command (a quarter for the large ones)")
    parser.add_argument("--memctl", help="the program to measure; default: the one of this Python's environment")
    for tool in ("memory-lint", "detect-secrets"):
        parser.add_argument(f"--{tool}", metavar="PROGRAM", help=f"{tool} of an environment of its own")
    parser.add_argument("--output", type=Path, help="a file for the table")
    parser.add_argument("--keep", type=Path, help="a directory for the data folders, to be used again")
    options = parser.parse_args()
    program = options.memctl or str(Path(sys.executable).parent / "memctl")
    if not os.access(program, os.X_OK):
        sys.exit(f"bench: there is no '{program}'; install memctl, or name it with --memctl")
    compiled = find_spec("memctl")
    if compiled is not None and compiled.submodule_search_locations:
        compileall.compile_dir(next(iter(compiled.submodule_search_locations)), quiet=2)
    with tempfile.TemporaryDirectory(prefix="memctl-bench-") as temporary:
        folder = options.keep.absolute() if options.keep else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        others = {"memory-lint": options.memory_lint, "detect-secrets": options.detect_secrets}
        bench = Bench(folder, [program], options.runs, others)
        rows = []
        for number in options.only.split(","):
            for benchmark in BENCHMARKS[number]:
                try:
                    rows.append(measure(bench, benchmark))
                except LookupError as error:
                    print(f"{number} is left out: it {error}", file=sys.stderr)
                    continue
                print(table(rows[-1:]).splitlines()[-1], file=sys.stderr)
    text = table(rows)
    print(text, end="")
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
