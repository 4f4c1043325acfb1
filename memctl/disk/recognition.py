"""How a directory looks that holds memories: what makes it a store, or one of many (DESIGN 2)."""

from __future__ import annotations

import os

from memctl.core.dialects import hq
from memctl.core.legacy import MARKER_NAME
from memctl.core.memory import Memory, NotLoaded
from memctl.core.text import decode, in_order
from memctl.disk.reads import NotRegular, failure, read_at
from memctl.errors import MemctlError

REGISTRY = "agents.json"
# How many files are read before a directory is said to hold no memories.
_SAMPLES = 50


def names_in(directory: str) -> list[str]:
    """Return the names in a directory. Raises IoFailure."""
    try:
        return os.listdir(directory)
    except OSError as error:
        raise failure(error, directory, "read") from None


def can_list(directory: str) -> bool:
    """Return whether the names in a directory can be read."""
    try:
        names_in(directory)
    except MemctlError:
        return False
    return True


def is_store(path: str, names: list[str]) -> bool:
    """Return whether a directory that was named is one agent's."""
    if MARKER_NAME in names:
        return True
    files = [name for name in names if name.endswith(".md")]
    if ".git" in names:  # the top of a checkout, where a workspace's own MEMORY.md and README.md may be
        return holds_memories(path, files)
    if REGISTRY in names or "memory" in names:
        return False
    if hq.INDEX_NAME in names:
        return True
    flat = not any(os.path.isdir(os.path.join(path, name)) for name in names if not name.startswith("."))
    if os.path.basename(os.path.dirname(path)) == "memory":
        return bool(files) or flat
    return bool(files) and (flat or holds_memories(path, files))


def is_agents(directory: str) -> bool:
    """Return whether a directory with a file `memory.md` is an agent's all the same."""
    return os.path.basename(os.path.dirname(directory)) == "memory" or holds_memories(directory, names_in(directory))


def is_plain_fleet(path: str, names: list[str]) -> bool:
    """Return whether a directory has nothing but directories of .md files."""
    seen = [os.path.join(path, name) for name in names if not name.startswith(".")]
    if not seen or not all(os.path.isdir(below) and not os.path.islink(below) for below in seen):
        return False
    for below in seen:
        try:
            inside = [name for name in os.listdir(below) if not name.startswith(".")]
        except OSError:
            continue
        if not all(name.endswith(".md") for name in inside):
            return False
    return True


def holds_stores(memory: str) -> bool:
    """Return whether a `memory/` without a registry beside it has an agent's directory: programs have such names too."""
    for name in names_in(memory):
        below = os.path.join(memory, name)
        if os.path.isdir(below) and can_list(below):
            inside = names_in(below)
            if MARKER_NAME in inside or holds_memories(below, inside):
                return True
    return False


def holds_memories(path: str, names: list[str]) -> bool:
    """Return whether a directory has an index of the HQ, or a file that reads as a memory or was meant to."""
    files = [name for name in in_order(names) if name.endswith(".md")]
    return any(_is_meant(os.path.join(path, name), name) for name in files[:_SAMPLES])


def _is_meant(path: str, name: str) -> bool:
    try:
        text = decode(read_at(None, path))
    except (OSError, NotRegular):
        return False
    if name == hq.INDEX_NAME:
        return text.startswith("# Memory index\n")
    text = text.removeprefix("\ufeff")
    if isinstance(hq.parse(text, name[:-3]), Memory):
        return True
    parts = hq.split(text)
    if isinstance(parts, NotLoaded):
        return False
    return len({key for key, _, _, _ in hq.scan(parts.head)}.intersection(hq.KEYS)) > 1
