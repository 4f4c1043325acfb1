"""The table of memctl's settings: what each is called, what it must be, and how a wrong one is said."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from memctl.core.nearest import nearest
from memctl.errors import ConfigError, MemctlError, SeveralErrors

Kind = Literal[
    "text", "path", "paths", "integer", "number", "choice", "flag", "url", "words", "choices by word", "words by glob"
]


class Setting(NamedTuple):
    """One setting: its key, what it must be, its default, its variable, its choices and a line of help."""

    key: str
    kind: Kind
    default: object
    variable: str | None
    choices: tuple[str, ...]
    sentence: str
    minimum: int | None = None
    maximum: int | None = None


SETTINGS: tuple[Setting, ...] = (
    Setting("roots", "paths", (), "MEMCTL_ROOT", (), "where the memories are; empty: the places of the HQ that exist"),
    Setting("user_memory", "path", None, "MEMCTL_USER_MEMORY", (), "the user memory; none: where CodeWhale keeps it"),
    Setting("agent", "text", None, "MEMCTL_AGENT", (), "the agent that a NAME alone belongs to"),
    Setting("color", "choice", "auto", "MEMCTL_COLOR", ("auto", "always", "never"), "when to colour the output"),
    Setting("pager", "text", "less -FRX", "MEMCTL_PAGER", (), "the command line of the pager; empty: no pager"),
    Setting("editor", "text", None, "MEMCTL_EDITOR", (), "the editor; none: $VISUAL, then $EDITOR"),
    Setting("jobs", "integer", None, "MEMCTL_JOBS", (), "workers that read at a time; none: the processors", 1),
    Setting("history_days", "number", 90, "MEMCTL_HISTORY_DAYS", (), "how many days the history keeps a change", 0),
    Setting("history_mb", "number", 200, "MEMCTL_HISTORY_MB", (), "how many megabytes of images the history keeps", 0),
    Setting("wait", "number", 10, "MEMCTL_WAIT", (), "how many seconds to wait for a lock", 0),
)

HQ_SETTINGS: tuple[Setting, ...] = (
    Setting("url", "url", None, None, (), "the address of the HQ of this data folder"),
    Setting("token_file", "path", None, None, (), "the file that has the token of this HQ"),
)

_SEVERITIES = ("error", "warning", "info")
# The table `[check]`, and `[tool.memctl.check]` of a pyproject.toml.
CHECK_SETTINGS: tuple[Setting, ...] = (
    Setting("select", "words", None, None, (), "the rules that are on; none: all but hygiene"),
    Setting("ignore", "words", (), None, (), "rules that are off"),
    Setting("severity", "choice", "info", None, _SEVERITIES, "from which severity on findings are shown"),
    Setting("fail_on", "choice", "error", None, (*_SEVERITIES, "never"), "from which severity on check exits with 1"),
    Setting("stale_days", "integer", 180, None, (), "after how many days without an update a memory is stale", 1),
    Setting("near", "number", 0.9, None, (), "from which likeness on two memories are near duplicates", 0, 1),
    Setting("salt", "text", None, None, (), "what keys the fingerprints of secrets"),
    Setting("allow", "words", (), None, (), "fingerprints of findings that are let pass"),
    Setting("inline_allow", "flag", True, None, (), "whether a comment in a file lets its findings pass"),
    Setting("severities", "choices by word", None, None, _SEVERITIES, "the severity of rules"),
    Setting("per_path_ignores", "words by glob", None, None, (), "rules that are off for files that fit a pattern"),
)

BY_KEY = {setting.key: setting for setting in SETTINGS}
HQ_BY_KEY = {setting.key: setting for setting in HQ_SETTINGS}
CHECK_BY_KEY = {setting.key: setting for setting in CHECK_SETTINGS}
# Those of them that are tables of their own.
CHECK_TABLES = ("severities", "per_path_ignores")
# What may stand in the file beside the settings: tables.
_TABLES = ("hq", "check")
_FLAGS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
# Compiled when a value is checked, not at each start.
_URL = r"(?i:https?)://[^\s/?#]\S*"
_INTEGER = r"[+-]?[0-9]{1,18}"
_NUMBER = r"[+-]?([0-9]{1,18}(\.[0-9]*)?|\.[0-9]+)"
# Beyond it a float is not exact, and inf and nan are no seconds.
_LARGEST = 2**53


def check_config(data: Mapping[str, Any], where: str, path: str | None = None) -> list[MemctlError]:
    """Return what is wrong with the parsed text of a config file: unknown keys, wrong types and values."""
    problems: list[MemctlError] = []
    for key, value in data.items():
        if key in BY_KEY:
            problems += _check_value(BY_KEY[key], value, key, where, path)
        elif key not in _TABLES:
            problems.append(unknown_setting(key, (*BY_KEY, *_TABLES), where=where, path=path))
    problems += check_table(data.get("check", {}), where, path)
    tables = data.get("hq", {})
    if not isinstance(tables, dict):
        return [*problems, ConfigError(f"'hq' in {where} must be a table", path=path, hint='[hq."DIR"]')]
    for folder, table in tables.items():
        if not isinstance(table, dict) or not is_path(folder):
            message = f"'{hq_key(folder)}' in {where} must be a table that is named after a data folder"
            problems.append(ConfigError(message, path=path, hint='[hq."DIR"]'))
            continue
        for field, value in table.items():
            if field in HQ_BY_KEY:
                problems += _check_value(HQ_BY_KEY[field], value, hq_key(folder, field), where, path)
            else:
                error = unknown_setting(field, HQ_BY_KEY, key=hq_key(folder, field), where=where, path=path)
                if field in BY_KEY:  # appended to the file by hand, it landed in the last table
                    error.hint = f"put '{field}' above the first table"
                problems.append(error)
    return problems


def check_table(table: object, where: str, path: str | None = None, name: str = "check") -> list[MemctlError]:
    """Return what is wrong with the settings of `check`: unknown keys, wrong types and values."""
    if not isinstance(table, dict):
        return [ConfigError(f"'{name}' in {where} must be a table", path=path, hint=f"[{name}]")]
    problems: list[MemctlError] = []
    for key, value in table.items():
        if key in CHECK_BY_KEY:
            problems += _check_value(CHECK_BY_KEY[key], value, f"{name}.{key}", where, path)
        else:
            error = unknown_setting(key, CHECK_BY_KEY, key=f"{name}.{key}", where=where, path=path)
            if key in BY_KEY and name == "check":
                error.hint = f"put '{key}' above the first table"
            problems.append(error)
    return problems


def _check_value(setting: Setting, value: object, key: str, where: str, path: str | None) -> list[MemctlError]:
    if accepts(setting, value):
        return []
    message = must_be(setting, value, f"'{key}' in {where}")
    return [ConfigError(message, path=path, hint=choice_hint(setting, value))]


def raise_all(problems: list[MemctlError]) -> None:
    """Raise the one problem, or SeveralErrors for more than one; nothing without a problem."""
    if len(problems) > 1:
        raise SeveralErrors(problems)
    if problems:
        raise problems[0]


def unknown_setting(
    word: str, known: Iterable[str], *, key: str = "", where: str = "", path: str | None = None
) -> ConfigError:
    """Return the error for an unknown key, whose hint names the nearest known word."""
    meant = nearest(word, known)
    hint = f"did you mean '{meant}'?" if meant else "memctl config show lists the settings"
    return ConfigError(f"unknown setting '{key or word}'{where and f' in {where}'}", path=path, hint=hint)


def accepts(setting: Setting, value: Any) -> bool:
    """Tell whether a typed value is one that the setting can have."""
    if setting.kind == "paths":
        return isinstance(value, list | tuple) and all(is_path(path) for path in value)
    if setting.kind == "flag":
        return isinstance(value, bool)
    if setting.kind in ("integer", "number"):
        types = (int,) if setting.kind == "integer" else (int, float)
        least = -_LARGEST if setting.minimum is None else setting.minimum
        most = _LARGEST if setting.maximum is None else setting.maximum
        return isinstance(value, types) and not isinstance(value, bool) and least <= value <= most
    if setting.kind == "words":
        return _are_words(value)
    if setting.kind == "choices by word":
        return isinstance(value, dict) and all(choice in setting.choices for choice in value.values())
    if setting.kind == "words by glob":
        return isinstance(value, dict) and all(map(_are_words, value.values()))
    if setting.kind == "path":
        return is_path(value)
    if setting.kind == "choice":
        return value in setting.choices
    return isinstance(value, str) and (setting.kind == "text" or re.fullmatch(_URL, value) is not None)


def _are_words(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(word, str) and word.strip() for word in value)


def is_path(value: object) -> bool:
    """Tell whether a value is a text that can be a path."""
    return isinstance(value, str) and value != "" and "\0" not in value


def from_text(setting: Setting, text: str) -> object:
    """Return the typed value that a text means for a setting; ValueError when it means none."""
    value: object = text
    if setting.kind == "paths":
        value = [path for path in text.split(os.pathsep) if path]
    elif setting.kind == "words":
        value = [word for part in text.split(",") if (word := part.strip())]
    elif setting.kind == "flag":
        value = _FLAGS.get(text.lower())
    elif setting.kind in ("integer", "number") and re.fullmatch(_INTEGER, text):
        value = int(text)
    elif setting.kind == "number" and re.fullmatch(_NUMBER, text):
        value = float(text)
    if not accepts(setting, value):
        raise ValueError(text)
    return value


def must_be(setting: Setting, value: object, name: str) -> str:
    """Return the sentence that says what a setting must be, and what it is instead."""
    shown = f"'{value}'" if isinstance(value, str) else _shown(value)
    least = "" if setting.minimum is None else f" of at least {setting.minimum}"
    if setting.maximum is not None:
        least = f" from {setting.minimum} to {setting.maximum}"
    what = {
        "text": "a text",
        "path": "a path",
        "paths": "a list of paths",
        "integer": f"a whole number{least}",
        "number": f"a number{least}",
        "choice": " or ".join(f"'{choice}'" for choice in setting.choices),
        "flag": "true or false",
        "words": "a list of words",
        "choices by word": f"a table of rules, each with {', '.join(map(repr, setting.choices[:-1]))}"
        + (f" or {setting.choices[-1]!r}" if setting.choices else ""),
        "words by glob": "a table of patterns, each with a list of rules",
        "url": "a URL that begins with http:// or https://",
    }[setting.kind]
    return f"{name} must be {what}, not {shown}"


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) or (isinstance(value, int) and abs(value) <= _LARGEST):
        return str(value)
    if isinstance(value, int):
        return "a number of that size"
    if isinstance(value, dict):
        return "a table"
    return "such a list" if isinstance(value, list | tuple) else "a date or time"


def choice_hint(setting: Setting, value: object) -> str | None:
    """Return the hint that names the nearest choice, or None."""
    meant = nearest(value, setting.choices) if setting.choices and isinstance(value, str) else None
    return f"did you mean '{meant}'?" if meant else None


def hq_key(folder: str, field: str | None = None) -> str:
    """Return the dotted key of a field of a data folder, or of its table, as TOML writes it."""
    quoted = quoted_key(folder, bare=False)
    return f"hq.{quoted}.{field}" if field else f"hq.{quoted}"


def quoted_key(key: str, *, bare: bool = True) -> str:
    """Return a key as TOML writes it: in quotes, but with `bare` not where it needs none."""
    if bare and re.fullmatch("[A-Za-z0-9_-]+", key):
        return key
    import json

    # A TOML basic string is a JSON string, but for DEL.
    return json.dumps(key, ensure_ascii=False).replace("\x7f", "\\u007f")
