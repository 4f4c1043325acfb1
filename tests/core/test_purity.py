from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import memctl.core

MODULES = [name for _, name, _ in pkgutil.walk_packages(memctl.core.__path__, "memctl.core.")]
PURE = {
    "__future__",
    "_blake2",
    "base64",
    "bisect",
    "calendar",
    "collections",
    "datetime",
    "detect_secrets",
    "difflib",
    "enum",
    "fnmatch",
    "functools",
    "hashlib",
    "itertools",
    "frontmatter",
    "json",
    "rapidfuzz",
    "re",
    "shlex",
    "typing",
    "unicodedata",
    "zlib",
}
HEAVY = {
    "base64",
    "calendar",
    "detect_secrets",
    "difflib",
    "fnmatch",
    "frontmatter",
    "json",
    "rapidfuzz",
    "re",
    "shlex",
    "yaml",
}


def imports(tree: ast.AST) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("name", MODULES)
def test_a_module_of_the_core_imports_the_core_and_what_has_no_disk_clock_or_network(name: str) -> None:
    tree = ast.parse(inspect.getsource(importlib.import_module(name)))
    own = {module for module in imports(tree) if module.startswith("memctl.")}
    assert own <= {*MODULES, "memctl.core", "memctl.core.dialects", "memctl.errors"}
    assert {module.partition(".")[0] for module in imports(tree) - own} <= PURE


@pytest.mark.parametrize("name", MODULES)
def test_no_module_of_the_core_takes_the_clock(name: str) -> None:
    tree = ast.parse(inspect.getsource(importlib.import_module(name)))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {function.attr for function in calls if isinstance(function, ast.Attribute)}
    assert not called & {"now", "utcnow", "today"}


def test_importing_the_core_imports_nothing_heavy() -> None:
    # enum needs re and collections on its own in some versions of Python; what the core adds is what counts.
    code = (
        "import sys, enum, typing, datetime; before = set(sys.modules);"
        f"import {', '.join(MODULES)}; print(*set(sys.modules) - before)"
    )
    above = Path(memctl.core.__path__[0]).parents[1]
    answer = subprocess.run([sys.executable, "-S", "-c", code], cwd=above, capture_output=True, text=True, check=True)
    assert not HEAVY & set(answer.stdout.split())
