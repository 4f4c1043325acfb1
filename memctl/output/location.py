"""Where a file is, for those who read a report: relative to the current directory."""

from __future__ import annotations

_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/"


def shown(path: str, cwd: str) -> str:
    """Return an absolute path relative to `cwd` where it is below it, else as it is."""
    if path == cwd:
        return "."
    root = cwd if cwd.endswith("/") else f"{cwd}/"
    return path.removeprefix(root)


def uri(path: str, cwd: str) -> tuple[str, bool]:
    """Return the URI of an absolute path, and whether it is relative to `cwd`: it is for what is below it.

    All but the unreserved characters of RFC 3986 and slashes are percent-encoded; a name that is not UTF-8 by its bytes.
    """
    name = shown(path, cwd)
    data = name.encode("utf-8", "surrogateescape" if _is_from_bytes(name) else "replace")
    text = "".join(chr(byte) if chr(byte) in _SAFE else f"%{byte:02X}" for byte in data)
    return (f"file://{text}", False) if name.startswith("/") else (text, True)


def _is_from_bytes(name: str) -> bool:
    """Return whether the surrogates in a name, if any, stand for bytes of a file's name."""
    return not any(0xD800 <= ord(character) < 0xDC80 or 0xDCFF < ord(character) < 0xE000 for character in name)
