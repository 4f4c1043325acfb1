"""Mutation tests: how many small changes of the code no test notices (`python -m tests.mutants core`).

mutmut makes the mutants and judges them, in a copy of the tree. This file is its front end, and the pytest plugin
of its runs.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
COPIED = ("memctl", "tests", "man", "completions", "README.md", "pyproject.toml")


class Target(NamedTuple):
    """Which files are changed, and which tests must notice it."""

    files: tuple[str, ...]
    tests: tuple[str, ...]


TARGETS = {
    "core": Target(("memctl/core/*.py",), ("tests/core",)),
    "change": Target(
        ("memctl/disk/change.py",),
        ("tests/disk/test_change.py", "tests/disk/test_aside.py", "tests/ops/test_reindex.py"),
    ),
    "files": Target(
        tuple(
            f"memctl/disk/{name}.py" for name in ("appends", "files", "locking", "private", "single_file", "tree_lock")
        ),
        (
            "tests/disk/test_appends.py",
            "tests/disk/test_aside.py",
            "tests/disk/test_change.py",
            "tests/disk/test_files.py",
            "tests/disk/test_history_errors.py",
            "tests/disk/test_history_file.py",
            "tests/disk/test_native_tree.py",
            "tests/disk/test_private.py",
            "tests/disk/test_single_file.py",
            "tests/disk/test_tree_lock.py",
            "tests/disk/test_walk.py",
        ),
    ),
    "history": Target(
        ("memctl/disk/history*.py",),
        (
            "tests/disk/test_history.py",
            "tests/disk/test_history_errors.py",
            "tests/disk/test_history_file.py",
            "tests/ops/test_undo.py",
            "tests/cli/test_history.py",
            "tests/cli/test_undo.py",
        ),
    ),
}
# These look at the source, which mutmut has rewritten.
_SOURCE_TESTS = ("tests/core/test_purity.py",)
_SETTINGS = """\
[mutmut]
source_paths = memctl
only_mutate =
{files}
also_copy =
    man
    completions
    README.md
pytest_add_cli_args_test_selection =
{tests}
pytest_add_cli_args =
    -p
    tests.mutants
    -p
    no:cacheprovider
{ignored}
use_git_change_detection = false
timeout_multiplier = 4
timeout_constant = 2
"""
_CASELESS = re.compile(
    r'"( ?(SELECT|INSERT|UPDATE|DELETE|PRAGMA|VACUUM|BEGIN|COMMIT|ROLLBACK|ORDER BY|AND NOT)\b|(page|freelist)_|utf-)'
)
# The variable that names the file in which a process says what it ran, and that of how long a test may take.
_RAN = "MUTANTS_RAN"
_SECONDS = "MUTANTS_SECONDS"
# A test that starts Python without its site packages finds no mutmut: this is what a mutated module wants of it.
_TRAMPOLINE = f"""\
import functools, inspect, os

MutantDict = dict

def tell(function):
    # Told when the module is imported, not when it is called: a test may count the calls of the system.
    path = os.environ.get("{_RAN}")
    if path and os.environ.get("MUTANT_UNDER_TEST") == "stats":
        *classes, name = function.__qualname__.split(".")
        name = "ǁ".join(["x", *classes, name]) if classes else "x_" + name
        with open(path, "a", encoding="utf-8") as file:
            file.write(f"{{function.__module__}}.{{name}}\\n")

def wrap_in_trampoline(mutants, is_classmethod=False):
    def wrap(function):
        tell(function)
        def chosen(args):
            module, _, name = os.environ.get("MUTANT_UNDER_TEST", "").rpartition(".")
            found = mutants.get(name) if module == function.__module__ else None
            found = found or mutants["_mutmut_orig"]
            return (getattr(args[0], found.__name__), args[1:]) if is_classmethod else (found, args)

        if inspect.isgeneratorfunction(function):
            @functools.wraps(function)
            def call(*args, **kwargs):
                run, args = chosen(args)
                return (yield from run(*args, **kwargs))
        else:
            @functools.wraps(function)
            def call(*args, **kwargs):
                run, args = chosen(args)
                return run(*args, **kwargs)
        return call
    return wrap
"""


def pytest_configure() -> None:
    """Make each run of a property the same, and stop at the first example that fails.

    What processes of their own run is told in a file to which any user may write.
    """
    from hypothesis import HealthCheck, Phase, settings

    settings.register_profile(
        "mutants",
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("mutants")
    if os.environ["MUTANT_UNDER_TEST"] == "stats":
        descriptor, os.environ[_RAN] = tempfile.mkstemp()
        os.fchmod(descriptor, 0o666)
        os.close(descriptor)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown() -> None:
    """Tell mutmut what a test ran in processes of its own."""
    if os.environ["MUTANT_UNDER_TEST"] != "stats":
        return
    from mutmut.state import state

    path = Path(os.environ[_RAN])
    state()._stats.update(path.read_text().split())
    path.write_text("")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the quick tests judge first: most mutants fall there. The slow ones judge what is left in a second round."""
    seconds: dict[str, float] = {}
    if os.path.exists("mutmut-stats.json"):
        with open("mutmut-stats.json", encoding="utf-8") as file:
            seconds = json.load(file)["duration_by_test"]
    if os.environ["MUTANT_UNDER_TEST"] not in ("stats", "list_all_tests"):
        most = float(os.environ.get(_SECONDS, "inf"))
        items[:] = [item for item in items if seconds.get(item.nodeid, 0) <= most]
    items.sort(key=lambda item: seconds.get(item.nodeid, 0))


def _indented(words: tuple[str, ...]) -> str:
    return "\n".join(f"    {word}" for word in words)


def _bare(source: str) -> str:
    """Return a module as mutmut makes the right mutants of it.

    Decorators are called below their functions: mutmut leaves decorated ones out. The letters of what has no case, SQL
    and the names of codecs, are escaped: mutmut leaves escapes as they are, and would make two mutants of each that
    are none.
    """
    lines = source.split("\n")
    for token in reversed(list(tokenize.generate_tokens(io.StringIO(source).readline))):
        (row, start), (last, end) = token.start, token.end
        if token.type == tokenize.STRING and row == last and _CASELESS.match(token.string):
            text = re.sub("[A-Za-z]", lambda letter: f"\\x{ord(letter[0]):02x}", token.string)
            lines[row - 1] = lines[row - 1][:start] + text + lines[row - 1][end:]
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    for node in sorted(functions, key=lambda node: node.lineno, reverse=True):
        match node.decorator_list:
            case [ast.Name(("contextmanager" | "property") as decorator, lineno=line)]:
                lines.insert(node.end_lineno or 0, f"{' ' * node.col_offset}{node.name} = {decorator}({node.name})")
                del lines[line - 1]
    return "\n".join(lines)


def _prepare(place: Path, target: Target) -> None:
    """Copy the tree to `place` and write mutmut's settings there; what earlier runs found stays."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.rmtree(place / name, ignore_errors=True)
            shutil.copytree(ROOT / name, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(ROOT / name, place / name)
    for path in (place / "memctl").rglob("*.py"):
        bare = _bare(path.read_text())
        if bare != path.read_text():
            times = path.stat()
            path.write_text(bare)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # mutmut tells by it what is new
    ignored = tuple(f"--ignore={path}" for path in _SOURCE_TESTS)
    settings = _SETTINGS.format(
        files=_indented(target.files), tests=_indented(target.tests), ignored=_indented(ignored)
    )
    (place / "setup.cfg").write_text(settings)
    stub = place / "mutants" / "mutmut" / "mutation"
    stub.mkdir(parents=True, exist_ok=True)
    (stub.parent / "__init__.py").touch()
    (stub / "__init__.py").touch()
    (stub / "trampoline.py").write_text(_TRAMPOLINE)


def _judged(place: Path) -> Iterator[tuple[str, dict[str, int | None]]]:
    """Yield each module with what became of its mutants, by their names: 1 is killed, 0 survived."""
    for path in sorted((place / "mutants").rglob("*.py.meta")):
        codes = json.loads(path.read_text())["exit_code_by_key"]
        if codes:
            yield str(path.relative_to(place / "mutants")).removesuffix(".meta"), codes


def _left(codes: dict[str, int | None]) -> list[str]:
    """Return the names of the mutants that no test noticed. A run that never ends is noticed."""
    return [name for name, code in codes.items() if code in (0, 5, 33, 34, None)]


def main() -> int:
    """Run mutmut and print a table; the names of the survivors go with `mutmut show NAME` in the directory."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--at", type=Path, required=True, help="a directory to work in; a second run goes on there")
    parser.add_argument("--again", action="store_true", help="judge those that survived once more")
    parser.add_argument("--most", default="inf", help="the seconds that a test may take to be asked")
    parser.add_argument("--children", default="1", help="how many at a time")
    options = parser.parse_args()
    # A shell ignores it for what it starts in the background, and tests want it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    place = options.at.absolute()
    place.mkdir(parents=True, exist_ok=True)
    _prepare(place, TARGETS[options.target])
    names = [name for _, codes in _judged(place) for name in _left(codes)] if options.again else []
    command = [Path(sys.executable).parent / "mutmut", "run", "--max-children", options.children, *names]
    code = subprocess.run(command, cwd=place, env={**os.environ, _SECONDS: options.most}).returncode
    made = killed = 0
    for path, codes in _judged(place):
        left = _left(codes)
        made, killed = made + len(codes), killed + len(codes) - len(left)
        print(path, len(codes), f"{100 - 100 * len(left) / len(codes):.1f} %", *left, sep="\t")
    print("all", made, f"{100 * killed / made:.1f} %", sep="\t")
    return code


if __name__ == "__main__":
    sys.exit(main())
