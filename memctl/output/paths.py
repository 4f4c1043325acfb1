"""Paths as a person reads them: relative to the current directory where they are below it."""

from __future__ import annotations


def relative(path: str, cwd: str) -> str:
    """Return a path relative to the current directory, unchanged where it is not below it."""
    below = cwd if cwd.endswith("/") else f"{cwd}/"
    return path[len(below) :] if path.startswith(below) and len(path) > len(below) else path
