"""JSON, and what each object has around its data: the modules `json*` are the only place of its keys (DESIGN 7)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from memctl.errors import MemctlError, SeveralErrors

SCHEMA = 1


def dumps(value: object) -> str:
    """Return the JSON text of a value, with characters as they are wherever UTF-8 has them."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)  # a file name that is no UTF-8, or half a pair
    return text


def head(version: str, host: str, command: str) -> dict[str, Any]:
    """Return what each object begins with."""
    return {"schema": SCHEMA, "memctl": version, "host": host, "command": command}


def error_list(errors: Iterable[MemctlError]) -> list[dict[str, Any]]:
    """Return the errors, several in one as each of them."""
    flat: list[MemctlError] = []
    for error in errors:
        flat += error.errors if isinstance(error, SeveralErrors) else (error,)
    return [{"code": error.code, "message": error.message, "path": error.path, "hint": error.hint} for error in flat]


def whole(begin: dict[str, Any], data: object, errors: Iterable[MemctlError]) -> str:
    """Return the text of an object with its head, its data and its errors."""
    return dumps(begin | {"data": data, "errors": error_list(errors)}) + "\n"
