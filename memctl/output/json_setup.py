"""Settings, and what sets memctl up, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def settings(values: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return the data of `config show`."""
    return {"settings": [{"key": key, "value": value.value, "origin": value.origin} for key, value in values]}


def setting_set(key: str, value: object, path: str, *, changed: bool, dry_run: bool) -> dict[str, Any]:
    """Return the data of `config set`."""
    return {"key": key, "value": value, "path": path, "changed": changed, "dry_run": dry_run}


def config_path(path: str) -> dict[str, Any]:
    """Return the data of `config path`."""
    return {"path": path}


def script(shell: str, text: str) -> dict[str, Any]:
    """Return the data of `completion`."""
    return {"shell": shell, "script": text}


def demo(path: str, files: Iterable[str], commands: Iterable[str], *, dry_run: bool) -> dict[str, Any]:
    """Return the data of `demo`."""
    return {"path": path, "files": sorted(files), "try": list(commands), "dry_run": dry_run}
