"""What a pyproject.toml beside the memories says for `check`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from memctl.core.env import Env
from memctl.disk.reads import NotRegular, read_at
from memctl.disk.settings import Settings, read_config
from memctl.disk.settings_table import check_table, raise_all
from memctl.errors import ConfigError

NAME = "pyproject.toml"


class CheckTable(NamedTuple):
    """The settings of `check` from one file: the keys that it has, its path, and what `check` is called there."""

    values: Mapping[str, Any]
    path: str
    name: str = "check"


def own_tables(settings: Settings) -> list[CheckTable]:
    """Return what memctl's own settings say for `check`: one table, or none."""
    return [CheckTable(settings.check, settings.path)] if settings.check and settings.path else []


def find_project(directory: str, env: Env) -> CheckTable | None:
    """Return what the nearest pyproject.toml with a `[tool.memctl]` says, from a directory upwards; None without one.

    The top of a checkout and the home directory are the last ones that are looked at. Raises ConfigError.
    """
    for place in _upwards(directory, env):
        path = os.path.join(place, NAME)
        if os.path.isfile(path):
            found = _table(path)
            if found is not None:
                return found
    return None


def _upwards(directory: str, env: Env) -> Iterator[str]:
    while True:
        yield directory
        above = os.path.dirname(directory)
        if above == directory or directory == env.home or os.path.lexists(os.path.join(directory, ".git")):
            return
        directory = above


def _table(path: str) -> CheckTable | None:
    """Return what one file says; the keys may stand in `[tool.memctl]` itself or in `[tool.memctl.check]`."""
    try:
        if b"memctl" not in read_at(None, path):  # what else is wrong with it is other tools' business
            return None
    except (OSError, NotRegular):
        return None
    tool = read_config(path).get("tool")
    if not isinstance(tool, dict) or "memctl" not in tool:
        return None
    table = tool["memctl"]
    if not isinstance(table, dict):
        raise ConfigError(f"'tool.memctl' in '{path}' must be a table", path=path, hint="[tool.memctl.check]")
    inner = table.get("check", {})
    outer = {key: value for key, value in table.items() if key != "check"}
    where = f"'{path}'"
    problems = check_table(inner, where, path, "tool.memctl.check")
    problems += check_table(outer, where, path, "tool.memctl")
    raise_all(problems)
    return CheckTable({**outer, **inner}, path, "tool.memctl.check")
