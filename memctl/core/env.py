"""The surroundings of a run, taken once by the front end and handed down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Env(NamedTuple):
    """Environment variables, the home directory (None where there is none), the working directory, the user id.

    `home` and `cwd` are absolute paths. `vars` is a plain mapping: nothing below `cli/` reads `os.environ`.
    """

    vars: Mapping[str, str]
    home: str | None
    cwd: str
    uid: int
