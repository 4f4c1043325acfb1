"""Keys of CodeWhale's configuration that mean memory and count nowhere, since it ignores what it does not know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from memctl.core.nearest import nearest
from memctl.disk.reads import read_file
from memctl.errors import MemctlError

# (the key for a person, what would count, the file, the line)
Found = tuple[str, str, str, int | None]

_PATH = "it counts as memory_path above the first table"
_ENABLED = "it counts as enabled under [memory]"
_TABLE = "it counts as [memory]"
# Those of all releases; none has a limit, though the marker of the first ones speaks of max_size.
_KNOWN = ("enabled", "backend", "moraine_fallback")
_WRONG = {
    "memory_path": _PATH,
    "path": _PATH,
    "max_size": "there is no such option, CodeWhale always loads 102,400 bytes",
}


def misplaced(table: Mapping[str, Any], profile: str | None, path: str) -> Iterator[Found]:
    """Yield what of a configuration CodeWhale silently ignores (spec/codewhale.md 1.8, TRAP)."""
    found = [*_of_scope(table, ())]
    profiles = table.get("profiles")
    if profile is not None and isinstance(profiles, dict) and isinstance(profiles.get(profile), dict):
        found += _of_scope(profiles[profile], ("profiles", profile))
    if found:
        lines = _Lines(path)
        for keys, counts in found:
            shown = f"[{'.'.join(keys[:-1])}] {keys[-1]}" if len(keys) > 1 else keys[0]
            yield f"[{'.'.join(keys)}]" if counts == _TABLE else shown, counts, path, lines.of(keys)


def _of_scope(table: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the keys that count nowhere of the whole configuration, or of a profile, which has the same tables."""
    for key, value in table.items():
        keys = (*above, key)
        if key == "memory" and isinstance(value, dict):
            yield from (((*keys, name), counts) for name in value if (counts := _of_memory(name)))
        elif key in ("enabled", "memory_enabled"):
            yield keys, _ENABLED
        elif isinstance(value, dict):
            if key.lower() == "memory":
                yield keys, _TABLE
            elif key != "profiles" or above:
                yield from _elsewhere(value, keys)
        elif key != "memory_path" and key.lower().replace("-", "_") in ("memory_path", "memorypath"):
            yield keys, "did you mean 'memory_path'?"


def _of_memory(name: str) -> str:
    if name in _WRONG:
        return _WRONG[name]
    near = None if name in _KNOWN else nearest(name, _KNOWN)
    return f"did you mean '{near}'?" if near else ""


def _elsewhere(table: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield what belongs to memory in a table that has nothing to do with it."""
    for key, value in table.items():
        if key == "memory_path":
            yield (*above, key), _PATH
        elif isinstance(value, dict):
            if key == "memory" and not {*value}.isdisjoint((*_KNOWN, *_WRONG)):
                yield (*above, key), _TABLE
            else:
                yield from _elsewhere(value, (*above, key))


class _Lines:
    """The lines on which the keys of a TOML file stand, as far as a look at each line tells."""

    def __init__(self, path: str) -> None:
        self._places: dict[tuple[str, ...], int] = {}
        try:
            text = read_file(path).decode("utf-8", "replace")
        except MemctlError:
            return
        table: tuple[str, ...] = ()
        for number, line in enumerate(text.split("\n"), 1):
            if header := re.match(r"\s*\[\[?([^\]]+)\]", line):
                table = _parts(header[1])
                self._places.setdefault(table, number)
            elif assigned := re.match(r"\s*([^=#]+?)\s*=\s*(\{.*)?", line):
                keys = (*table, *_parts(assigned[1]))
                for end in range(len(table) + 1, len(keys) + 1):
                    self._places.setdefault(keys[:end], number)
                for name in re.findall(r"[{,]\s*([\w-]+)\s*=", assigned[2] or ""):
                    self._places.setdefault((*keys, name), number)

    def of(self, keys: tuple[str, ...]) -> int | None:
        return self._places.get(keys)


def _parts(dotted: str) -> tuple[str, ...]:
    """Return the keys of a dotted key."""
    parts = re.findall(r"\"([^\"]*)\"|'([^']*)'|([^.\s\"']+)", dotted)
    return tuple("".join(part) for part in parts)
