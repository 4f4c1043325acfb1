"""The settings of memctl: one table, and where each value comes from."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from memctl.core.env import Env
from memctl.disk.settings_table import (
    BY_KEY,
    CHECK_BY_KEY,
    HQ_SETTINGS,
    SETTINGS,
    Setting,
    accepts,
    check_config,
    choice_hint,
    from_text,
    hq_key,
    must_be,
    quoted_key,
    raise_all,
    unknown_setting,
)
from memctl.errors import ConfigError, MemctlError, UsageError


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

    def __init__(
        self,
        values: Mapping[str, Value],
        hq_tables: tuple[HqTable, ...],
        env: Env,
        check: Mapping[str, Any] | None = None,
        path: str | None = None,
    ) -> None:
        self._values = values
        self._hq_tables = hq_tables
        # The table [check] as the file has it, and the path of the file.
        self.check: Mapping[str, Any] = check or {}
        self.path = path
        self._env = env

    def value(self, key: str) -> Any:
        """Return the value of a key: paths absolute, several as a tuple; ConfigError for an unknown key."""
        return self._get(key).value

    def origin(self, key: str) -> str:
        """Return where the value of a key comes from; ConfigError for an unknown key."""
        return self._get(key).origin

    def all(self) -> tuple[tuple[str, Value], ...]:
        """Return each key with its value, in the order of the table, then those of the tables that the file has."""
        hq = ((hq_key(table.written, name), value) for table in self._hq_tables for name, value in table.fields.items())
        return (*self._values.items(), *self._check_values(), *hq)

    def hq(self, data_folder: str) -> tuple[str | None, str | None] | None:
        """Return url and token file that the settings have for a data folder, or None without such a table."""
        fields = self._hq_fields(data_folder)
        if fields is None:
            return None
        url, token_file = (fields[key].value if key in fields else None for key in ("url", "token_file"))
        return url, token_file

    def _check_values(self) -> Iterator[tuple[str, Value]]:
        for key, value in self.check.items():
            inner = value.items() if isinstance(value, dict) else ()
            for name, one in inner:
                yield f"check.{key}.{quoted_key(name)}", Value(one, self.path or "")
            if not isinstance(value, dict):
                yield f"check.{key}", Value(value, self.path or "")

    def _get(self, key: str) -> Value:
        found = self._values.get(key) or dict(self.all()).get(key)
        if found is None:
            if key in (f"check.{name}" for name in CHECK_BY_KEY):
                return Value(CHECK_BY_KEY[key.removeprefix("check.")].default, "default")
            raise unknown_setting(key, (*BY_KEY, "hq", "check"))
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
    data = read_config(path) if path else {}
    raise_all(check_config(data, f"'{path}'", path))
    values: dict[str, Value] = {}
    problems: list[MemctlError] = []
    for setting in SETTINGS:
        try:
            values[setting.key] = _resolved(setting, env, flags or {}, data, path)
        except MemctlError as error:
            problems.append(error)
    raise_all(problems)
    return Settings(values, _hq_tables(data, path or "", env), env, data.get("check"), path)


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


def read_config(path: str) -> dict[str, Any]:
    """Return what a TOML file says; nothing where there is none. Raises ConfigError."""
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
