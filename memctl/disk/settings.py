"""The settings of memctl: one table, and where each value comes from."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable, Mapping
from typing import Any, Literal, NamedTuple

from memctl.core.env import Env
from memctl.core.nearest import nearest
from memctl.errors import ConfigError, MemctlError, SeveralErrors, UsageError

Kind = Literal["text", "path", "paths", "integer", "number", "choice", "flag", "url"]


class Setting(NamedTuple):
    """One setting: its key, what it must be, its default, its variable, its choices and a line of help."""

    key: str
    kind: Kind
    default: object
    variable: str | None
    choices: tuple[str, ...]
    sentence: str
    minimum: int | None = None


SETTINGS: tuple[Setting, ...] = (
    Setting("roots", "paths", (), "MEMCTL_ROOT", (), "where the memories are; empty: the places of the HQ that exist"),
    Setting("user_memory", "path", None, "MEMCTL_USER_MEMORY", (), "the user memory; none: where CodeWhale keeps it"),
    Setting("agent", "text", None, "MEMCTL_AGENT", (), "the agent that a NAME alone belongs to"),
    Setting("color", "choice", "auto", "MEMCTL_COLOR", ("auto", "always", "never"), "when to colour the output"),
    Setting("pager", "text", "less -FRX", "MEMCTL_PAGER", (), "the command line of the pager; empty: no pager"),
    Setting("editor", "text", None, "MEMCTL_EDITOR", (), "the editor; none: $VISUAL, then $EDITOR"),
    Setting("jobs", "integer", None, "MEMCTL_JOBS", (), "workers that read at a time; none: the processors", 1),
    Setting("wait", "number", 10, "MEMCTL_WAIT", (), "how many seconds to wait for a lock", 0),
)

HQ_SETTINGS: tuple[Setting, ...] = (
    Setting("url", "url", None, None, (), "the address of the HQ of this data folder"),
    Setting("token_file", "path", None, None, (), "the file that has the token of this HQ"),
)

BY_KEY = {setting.key: setting for setting in SETTINGS}
HQ_BY_KEY = {setting.key: setting for setting in HQ_SETTINGS}
_FLAGS = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
_URL = re.compile(r"https?://[^\s/?#]\S*", re.IGNORECASE)
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER = re.compile(r"[+-]?([0-9]{1,18}(\.[0-9]*)?|\.[0-9]+)")
# Beyond it a float is not exact, and inf and nan are no seconds.
_LARGEST = 2**53


class Value(NamedTuple):
    """A value, and its origin: `flag`, the name of a variable, the path of the config file or `default`."""

    value: Any
    origin: str


class HqTable(NamedTuple):
    """What the file says about one data folder: its name as written and as a path, and the fields it has."""

    written: str
    folder: str
    fields: Mapping[str, Value]


class Settings:
    """The values of one run, each with its origin; made by `load_settings`."""

    def __init__(self, values: Mapping[str, Value], hq_tables: tuple[HqTable, ...], env: Env) -> None:
        self._values = values
        self._hq_tables = hq_tables
        self._env = env

    def value(self, key: str) -> Any:
        """Return the value of a key: paths absolute, several as a tuple; ConfigError for an unknown key."""
        return self._get(key).value

    def origin(self, key: str) -> str:
        """Return where the value of a key comes from; ConfigError for an unknown key."""
        return self._get(key).origin

    def all(self) -> tuple[tuple[str, Value], ...]:
        """Return each key with its value, in the order of the table, then those of the HQs that the file has."""
        hq = ((hq_key(table.written, name), value) for table in self._hq_tables for name, value in table.fields.items())
        return (*self._values.items(), *hq)

    def hq(self, data_folder: str) -> tuple[str | None, str | None] | None:
        """Return url and token file that the settings have for a data folder, or None without such a table."""
        fields = self._hq_fields(data_folder)
        if fields is None:
            return None
        url, token_file = (fields[key].value if key in fields else None for key in ("url", "token_file"))
        return url, token_file

    def _get(self, key: str) -> Value:
        found = self._values.get(key) or dict(self.all()).get(key)
        if found is None:
            raise unknown_setting(key, (*BY_KEY, "hq"))
        return found

    def _hq_fields(self, data_folder: str) -> dict[str, Value] | None:
        wanted = os.path.normpath(expand_path(data_folder, self._env.cwd, self._env.home))
        found = [table.fields for table in self._hq_tables if table.folder == wanted]
        # One folder can be written in two ways; the later table wins.
        return {name: value for fields in found for name, value in fields.items()} if found else None


def config_path(env: Env) -> str | None:
    """Return the path of config.toml, be it there or not; None without a home."""
    if given := env.vars.get("MEMCTL_CONFIG"):
        return expand_path(given, env.cwd, env.home)
    base = env.vars.get("XDG_CONFIG_HOME", "")
    # "All paths set in these environment variables must be absolute": a relative one is to be ignored.
    if os.path.isabs(base):
        return os.path.join(base, "memctl", "config.toml")
    return os.path.join(env.home, ".config", "memctl", "config.toml") if env.home else None


def expand_path(text: str, base: str, home: str | None) -> str:
    """Return an absolute path: `~` and `~/x` in the home, relative ones in `base`; ConfigError without a home."""
    if text == "~" or text.startswith("~/"):
        if home is None:
            raise ConfigError(f"'{text}' needs a home directory, and there is none", hint="set HOME")
        text = home + text[1:]
    path = os.path.join(base, text)
    # Behind a symlink, `..` is another directory than the text says; that is left to the system.
    return path if ".." in path.split("/") else os.path.normpath(path)


def load_settings(env: Env, flags: Mapping[str, object] | None = None) -> Settings:
    """Return the settings by flag > variable > config file > default; the file is opened once.

    A flag that is None or an empty list was not given. Raises ConfigError for a wrong file or variable,
    UsageError for a wrong flag, SeveralErrors for more than one.
    """
    path = config_path(env)
    data = _read_config(path) if path else {}
    raise_all(check_config(data, f"'{path}'", path))
    values: dict[str, Value] = {}
    problems: list[MemctlError] = []
    for setting in SETTINGS:
        try:
            values[setting.key] = _resolved(setting, env, flags or {}, data, path)
        except MemctlError as error:
            problems.append(error)
    raise_all(problems)
    return Settings(values, _hq_tables(data, path or "", env), env)


def _resolved(
    setting: Setting, env: Env, flags: Mapping[str, object], data: Mapping[str, object], path: str | None
) -> Value:
    flag = flags.get(setting.key)
    if flag is not None and flag not in ((), []):
        if not accepts(setting, flag):
            raise UsageError(must_be(setting, flag, f"'{setting.key}'"))
        return Value(_absolute(setting, flag, env.cwd, env.home), "flag")
    if setting.variable and (text := env.vars.get(setting.variable)):
        try:
            value = from_text(setting, text)
        except ValueError:
            message = must_be(setting, text, f"'{setting.key}' in '{setting.variable}'")
            raise ConfigError(message, hint=choice_hint(setting, text)) from None
        return Value(_absolute(setting, value, env.cwd, env.home), setting.variable)
    if path and setting.key in data:
        return Value(_absolute(setting, data[setting.key], os.path.dirname(path), env.home), path)
    return Value(setting.default, "default")


def _hq_tables(data: Mapping[str, Any], path: str, env: Env) -> tuple[HqTable, ...]:
    base = os.path.dirname(path)
    tables = []
    for written, table in data.get("hq", {}).items():
        fields = {
            setting.key: Value(_absolute(setting, table[setting.key], base, env.home), path)
            for setting in HQ_SETTINGS
            if setting.key in table
        }
        tables.append(HqTable(written, os.path.normpath(expand_path(written, base, env.home)), fields))
    return tuple(tables)


def _absolute(setting: Setting, value: Any, base: str, home: str | None) -> object:
    if setting.kind == "path":
        return expand_path(value, base, home)
    if setting.kind == "paths":
        return tuple(expand_path(path, base, home) for path in value)
    return value


def _read_config(path: str) -> dict[str, Any]:
    if path == os.devnull:  # the usual way to say: no config file
        return {}
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise ConfigError(f"cannot read '{path}': {_reason(error)}", path=path) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ConfigError(f"cannot read '{path}': not a regular file", path=path)
        chunks = []
        while chunk := os.read(descriptor, 1 << 16):
            chunks.append(chunk)
    except OSError as error:
        raise ConfigError(f"cannot read '{path}': {_reason(error)}", path=path) from error
    finally:
        os.close(descriptor)
    data = b"".join(chunks)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        begin = data.rfind(b"\n", 0, error.start) + 1
        line, column = data.count(b"\n", 0, begin) + 1, len(data[begin : error.start].decode()) + 1
        message = f"'{path}' is not valid TOML: line {line}, column {column}: not UTF-8"
        raise ConfigError(message, path=path) from None
    return parse_toml(text, f"'{path}'", path)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def parse_toml(text: str, where: str, path: str | None = None) -> dict[str, Any]:
    """Return what a TOML text says; ConfigError with line and column when it does not parse."""
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also: an integer of more digits than Python takes
        sentence, _, place = str(error).rpartition(" (at ")
        if not sentence:
            message = f"{where} is not valid TOML: {_lower_first(str(error))}"
            raise ConfigError(message, path=path) from None
        if not place.startswith("line "):  # "end of document)"
            place = f"line {text.count(chr(10)) + 1}, column {len(text) - text.rfind(chr(10))}"
        message = f"{where} is not valid TOML: {place.rstrip(')')}: {_lower_first(sentence)}"
        raise ConfigError(message, path=path) from None


def _lower_first(sentence: str) -> str:
    return sentence[:1].lower() + sentence[1:]


def check_config(data: Mapping[str, Any], where: str, path: str | None = None) -> list[MemctlError]:
    """Return what is wrong with the parsed text of a config file: unknown keys, wrong types and values."""
    problems: list[MemctlError] = []
    for key, value in data.items():
        if key in BY_KEY:
            problems += _check_value(BY_KEY[key], value, key, where, path)
        elif key != "hq":
            problems.append(unknown_setting(key, (*BY_KEY, "hq"), where=where, path=path))
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
        return isinstance(value, types) and not isinstance(value, bool) and least <= value <= _LARGEST
    if setting.kind == "path":
        return is_path(value)
    if setting.kind == "choice":
        return value in setting.choices
    return isinstance(value, str) and (setting.kind == "text" or _URL.fullmatch(value) is not None)


def is_path(value: object) -> bool:
    """Tell whether a value is a text that can be a path."""
    return isinstance(value, str) and value != "" and "\0" not in value


def from_text(setting: Setting, text: str) -> object:
    """Return the typed value that a text means for a setting; ValueError when it means none."""
    value: object = text
    if setting.kind == "paths":
        value = [path for path in text.split(os.pathsep) if path]
    elif setting.kind == "flag":
        value = _FLAGS.get(text.lower())
    elif setting.kind in ("integer", "number") and _INTEGER.fullmatch(text):
        value = int(text)
    elif setting.kind == "number" and _NUMBER.fullmatch(text):
        value = float(text)
    if not accepts(setting, value):
        raise ValueError(text)
    return value


def must_be(setting: Setting, value: object, name: str) -> str:
    """Return the sentence that says what a setting must be, and what it is instead."""
    shown = f"'{value}'" if isinstance(value, str) else _shown(value)
    least = "" if setting.minimum is None else f" of at least {setting.minimum}"
    what = {
        "text": "a text",
        "path": "a path",
        "paths": "a list of paths",
        "integer": f"a whole number{least}",
        "number": f"a number{least}",
        "choice": " or ".join(f"'{choice}'" for choice in setting.choices),
        "flag": "true or false",
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
    import json

    # A TOML basic string is a JSON string, but for DEL.
    quoted = json.dumps(folder, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"hq.{quoted}.{field}" if field else f"hq.{quoted}"
