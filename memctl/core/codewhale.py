"""Where CodeWhale keeps the user memory, and whether it loads it: the rules of its releases (spec/codewhale.md 1.8)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import NamedTuple

from memctl.core.dialects.notes import trim
from memctl.core.prompt import Rules
from memctl.errors import UsageError

_TRUTHY = ("1", "on", "true", "yes", "y", "enabled")
NATIVE_FILE = "memory/global/MEMORY.md"


class Era(StrEnum):
    """Rules of a release, named after the first that has them."""

    V0_8_8 = "0.8.8"
    V0_8_48 = "0.8.48"
    V0_9_10 = "0.9.10"


class Config(NamedTuple):
    """What CodeWhale's configuration says of memory; None where it says nothing."""

    memory_path: str | None = None
    enabled: bool | None = None
    backend: str | None = None


class Resolved(NamedTuple):
    """The user memory of a release: whether it is on, its path as the program shows it, and what decided either.

    `native` is set where the release reads the native tree, whose global file is then the path.
    """

    enabled: bool
    path: str
    native: bool
    enabled_by: str
    path_by: str


def _version(text: str) -> tuple[int, ...] | None:
    parts = text.removeprefix("v").split(".")
    if not 2 <= len(parts) <= 3 or not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
        return None
    return tuple(map(int, parts))


def era_of(release: str) -> Era:
    """Return whose path rules a release follows. Raises UsageError for what is no release with a user memory."""
    version = _version(release)
    if version is None or version < (0, 8, 8):
        raise UsageError(
            f"'{release}' is no release with a user memory", hint="such as 0.8.8, 0.8.17, 0.8.21 or 0.9.10"
        )
    if version < (0, 8, 48):
        return Era.V0_8_8
    return Era.V0_8_48 if version < (0, 9, 2) else Era.V0_9_10


def truncation_of(release: str | None) -> Rules:
    """Return how a release cuts a long file; without one as the last that had the file. Raises as era_of()."""
    if release is None:
        return Rules.V0_8_21
    era_of(release)
    version = _version(release) or ()
    if version < (0, 8, 17):
        return Rules.V0_8_8
    return Rules.V0_8_17 if version < (0, 8, 21) else Rules.V0_8_21


def is_truthy(value: str) -> bool:
    """Return whether a value of DEEPSEEK_MEMORY switches on; everything else switches off (spec/codewhale.md 1.8)."""
    # Rust lowers ASCII alone; but no other character has a letter of these words as its small letter.
    return trim(value.lower()) in _TRUTHY


def expand(path: str, home: str | None) -> str:
    r"""Return a path with `~`, `~/x` and `~\\\\x` expanded; `~name` and variables stay (spec/codewhale.md 1.8)."""
    if home and path == "~":
        return home
    if home and path[:2] in ("~/", "~\\"):
        return f"{home.rstrip('/')}/{path[2:].lstrip('/')}"
    return path


def resolve(
    config: Config, variables: Mapping[str, str], home: str | None, exists: Callable[[str], bool], era: Era
) -> Resolved:
    """Return where the user memory is and whether it is on, by the rules of one release.

    `home` is the home directory (None where there is none), `exists` tells whether a path exists.
    """
    names = ("CODEWHALE", "DEEPSEEK") if era is Era.V0_9_10 else ("DEEPSEEK",)
    enabled, enabled_by = _enabled(config, variables, names, era)
    path, path_by = _path(config, variables, names, home, exists, era)
    native = era is Era.V0_9_10 and enabled
    return Resolved(enabled, native_file(path) if native else path, native, enabled_by, path_by)


def native_file(anchor: str) -> str:
    """Return the global file of the native tree that a memory path anchors (spec/codewhale.md 2.1)."""
    if anchor == NATIVE_FILE or anchor.endswith("/" + NATIVE_FILE):
        return anchor
    parent = anchor.rpartition("/")[0].rstrip("/") if "/" in anchor else "."
    return f"{parent}/{NATIVE_FILE}"


def _enabled(config: Config, variables: Mapping[str, str], names: tuple[str, ...], era: Era) -> tuple[bool, str]:
    if era is Era.V0_9_10 and config.backend is not None:
        return config.backend == "native", "[memory] backend"
    for name in names:
        if f"{name}_MEMORY" in variables:
            return is_truthy(variables[f"{name}_MEMORY"]), f"{name}_MEMORY"
    if config.enabled is not None:
        return config.enabled, "[memory] enabled"
    return False, "default"


def _path(
    config: Config,
    variables: Mapping[str, str],
    names: tuple[str, ...],
    home: str | None,
    exists: Callable[[str], bool],
    era: Era,
) -> tuple[str, str]:
    for name in names:
        if f"{name}_MEMORY_PATH" in variables:
            return expand(variables[f"{name}_MEMORY_PATH"], home), f"{name}_MEMORY_PATH"
    if config.memory_path is not None:
        return expand(config.memory_path, home), "memory_path"
    return _default_path(variables, home, exists, era), "default"


def _default_path(variables: Mapping[str, str], home: str | None, exists: Callable[[str], bool], era: Era) -> str:
    own = trim(variables.get("CODEWHALE_HOME", "")) if era is Era.V0_9_10 else ""
    if own:
        folder = expand(own, home)
        # A relative one is refused, and nothing takes its place.
        return f"{folder.rstrip('/')}/memory.md" if folder.startswith("/") else "./memory.md"
    if not home:
        return "./memory.md"
    base = home.rstrip("/")
    old, new = f"{base}/.deepseek/memory.md", f"{base}/.codewhale/memory.md"
    if era is Era.V0_8_8 or (not exists(new) and exists(old)):
        return old
    return new
