"""What the real programs answered for given inputs: the judges of memctl."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "vectors"
TODAY = "2026-09-15"


@cache
def load(name: str) -> dict[str, Any]:
    """Return one file of vectors, such as `hq/save`."""
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


def cases(name: str) -> list[Any]:
    """Return the cases of a file as pytest parameters, each under its own id."""
    import pytest

    return [pytest.param(case, id=case["id"]) for case in load(name)["cases"]]


def data(value: str | dict[str, str]) -> bytes:
    """Return the bytes of a file in a vector: text (a lone surrogate as U+FFFD), or `{b64}`."""
    if isinstance(value, dict):
        return base64.b64decode(value["b64"])
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def record(memory: Any, today: str = TODAY) -> dict[str, str]:
    """Return a memory as the HQ's record."""
    known = memory.dated(today)
    return {
        "name": known.name,
        "description": known.description,
        "type": str(known.type),
        "source": str(known.source),
        "createdAt": known.created,
        "updatedAt": known.updated,
        "content": known.content,
    }
