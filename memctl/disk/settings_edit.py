"""What `config set KEY VALUE` means: the key, the value, and the new text of the config file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memctl.disk.settings import expand_path, parse_toml
from memctl.disk.settings_table import (
    BY_KEY,
    CHECK_BY_KEY,
    CHECK_TABLES,
    HQ_BY_KEY,
    check_config,
    choice_hint,
    from_text,
    hq_key,
    is_path,
    must_be,
    raise_all,
    unknown_setting,
)
from memctl.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from tomlkit.container import Container

_WHERE = "the config file"


def parse_value(key: str, text: str, *, cwd: str | None = None) -> object:
    """Return the typed value that `config set KEY TEXT` means; with `cwd`, relative paths become absolute.

    Raises ConfigError for an unknown key, UsageError for a value that the setting cannot have.
    """
    place = setting_place(key)
    setting = {1: BY_KEY, 2: CHECK_BY_KEY, 3: HQ_BY_KEY}[len(place)][place[-1]]
    try:
        value = from_text(setting, text)
    except ValueError:
        raise UsageError(must_be(setting, text, f"'{key}'"), hint=choice_hint(setting, text)) from None
    if cwd is None:
        return value
    if setting.kind == "path":
        return _from_cwd(text, cwd)
    return [_from_cwd(path, cwd) for path in value] if setting.kind == "paths" and isinstance(value, list) else value


def _from_cwd(path: str, cwd: str) -> str:
    return path if path == "~" or path.startswith("~/") else expand_path(path, cwd, None)


def setting_place(key: str) -> tuple[str, ...]:
    """Return where a dotted key stands: `(key,)`, `("check", field)` or `("hq", DIR, field)`.

    Raises ConfigError for an unknown key, and for a table of `check`, which has no one value.

    DIR may stand in quotes, or without them: a shell takes those of `hq."/some/dir".url` away.
    """
    if key in BY_KEY:
        return (key,)
    if key.startswith("check."):
        return _place_in_check(key)
    if key != "hq" and not key.startswith("hq."):
        raise unknown_setting(key, (*BY_KEY, "hq", *(f"check.{name}" for name in CHECK_BY_KEY)))
    folder, dot, field = key[len("hq.") :].rpartition(".")
    if dot and field not in HQ_BY_KEY:
        raise unknown_setting(field, HQ_BY_KEY, key=key)
    folder = _unquoted(folder)
    if not is_path(folder):
        raise ConfigError(f"unknown setting '{key}'", hint='hq."DIR".url and hq."DIR".token_file are known')
    return ("hq", folder, field)


def _place_in_check(key: str) -> tuple[str, ...]:
    field = key.removeprefix("check.")
    if field.partition(".")[0] in CHECK_TABLES:
        raise ConfigError(f"'{key}' is a table, not one value", hint="edit the config file by hand")
    if field not in CHECK_BY_KEY:
        raise unknown_setting(field, CHECK_BY_KEY, key=key)
    return ("check", field)


def _unquoted(word: str) -> str:
    if len(word) < 2 or word[0] != word[-1] or word[0] not in "\"'":
        return word
    try:
        value = parse_toml(f"word = {word}", "the key")["word"]
    except ConfigError:
        return ""
    return value if isinstance(value, str) else ""


def edit_config(text: str, key: str, value: object) -> str:
    """Return the text of a config file with one setting set; the same text when it has that value already.

    `text` has its line ends as they are on disk. Raises ConfigError for an unknown key, a text that does not
    parse, a result that the loader would refuse, or a place where the value cannot be put without touching
    others; UsageError for what is not valid Unicode.
    """
    value = list(value) if isinstance(value, tuple) else value
    _check_unicode(key, value)
    before = parse_toml(text, _WHERE)
    place = _place_in_file(before, setting_place(key))
    expected = parse_toml(text, _WHERE)
    table = expected
    for step in place[:-1]:
        table = table.setdefault(step, {})
        if not isinstance(table, dict):
            raise_all(check_config(before, _WHERE))
    if _is_same(table.get(place[-1]), value):
        return text
    replace = place[-1] in table
    table[place[-1]] = value
    raise_all(check_config(expected, _WHERE))
    after = _edited(text, place, value, replace=replace)
    if after is None or not _says(after, expected):
        raise ConfigError(f"cannot set '{key}' without touching other settings", hint="edit the config file by hand")
    return after


def _says(text: str, expected: dict[str, Any]) -> bool:
    try:
        return parse_toml(text, _WHERE) == expected
    except ConfigError:
        return False


def _check_unicode(key: str, value: object) -> None:
    for word in (key, *(value if isinstance(value, list) else [value])):
        try:
            str(word).encode()
        except UnicodeEncodeError:
            shown = str(word).encode(errors="replace").decode()
            raise UsageError(f"'{shown}' is not valid UTF-8, which a config file has to be") from None


def _place_in_file(data: dict[str, Any], place: tuple[str, ...]) -> tuple[str, ...]:
    """Return the place with DIR as the file writes it: `/a/` and `/a` are one data folder."""
    if len(place) < 3 or not isinstance(data.get("hq"), dict) or place[1] in data["hq"]:
        return place
    wanted = os.path.normpath(place[1])
    # The last one, since it is the one that counts.
    for folder in reversed(data["hq"]):
        if os.path.normpath(folder) == wanted:
            return (place[0], folder, place[2])
    return place


def _is_same(old: object, new: object) -> bool:
    return type(old) is type(new) and old == new


def _edited(text: str, place: tuple[str, ...], value: object, *, replace: bool) -> str | None:
    """Return the text with the value at its place, or None where tomlkit cannot do that."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError
    from tomlkit.items import Table

    eol = "\r\n" if "\r\n" in text else "\n"
    if not replace and text and not text.endswith("\n"):
        text += eol
    try:
        document = tomlkit.parse(text)
        if document.as_string() != text:
            return None
        table: Any = document
        for step in place[:-1]:
            if step not in table:
                return text + _new_table(place, value, eol, first=not text)
            table = table[step]
        if replace or not isinstance(table, tomlkit.TOMLDocument | Table):
            table[place[-1]] = value
        else:
            _insert(table if isinstance(table, tomlkit.TOMLDocument) else table.value, place[-1], value, eol)
        return document.as_string()
    except TOMLKitError:
        return None


def _new_table(place: tuple[str, ...], value: object, eol: str, *, first: bool) -> str:
    import tomlkit

    name = place[0] if len(place) == 2 else hq_key(place[1])
    header = f"[{name}]{eol}{place[-1]} = {tomlkit.item(value).as_string()}{eol}"
    return header if first else eol + header


def _insert(container: Container, name: str, value: object, eol: str) -> None:
    """Put a new key behind the last key that stands before the first table.

    tomlkit by itself puts it right above the table, between that and the comment about it.
    """
    import tomlkit
    from tomlkit.items import AoT, SingleKey, Table, Whitespace

    body = container.body
    tables = [
        at for at, (key, item) in enumerate(body) if key and isinstance(item, Table | AoT) and not key.is_dotted()
    ]
    end = tables[0] if tables else len(body)
    keys = [at for at in range(end) if body[at][0] is not None]
    new = tomlkit.item(value)
    new.trivia.trail = eol
    if keys:
        at = keys[-1] + 1
        new.trivia.indent = body[keys[-1]][1].trivia.indent
    elif tables:
        # The comment right above a table is about that table; a blank line parts it from what is above.
        blanks = [at for at in range(end) if isinstance(body[at][1], Whitespace)]
        at = blanks[-1] + 1 if blanks else 0
        body.insert(at, (None, Whitespace(eol)))
    else:
        at = end
    body.insert(at, (SingleKey(name), new))
