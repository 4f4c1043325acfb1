"""Paths as a person and as a report has them: relative to the current directory where they are below it."""

from __future__ import annotations

_UNRESERVED = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/")


def relative(path: str, cwd: str) -> str:
    """Return a path relative to the current directory, unchanged where it is not below it."""
    below = cwd if cwd.endswith("/") else f"{cwd}/"
    return path[len(below) :] if path.startswith(below) and len(path) > len(below) else path


def uri(path: str, cwd: str) -> tuple[str, bool]:
    """Return the URI of an absolute path, and whether it is relative to the current directory.

    All but the unreserved characters of RFC 3986 and slashes are percent-encoded; what is not UTF-8 in a name by its bytes.
    """
    name = relative(path, cwd)
    try:
        data = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a surrogate pair, which no name on disk has
        data = name.encode("utf-8", "replace")
    text = "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)
    return (f"file://{text}", False) if name.startswith("/") else (text, True)
