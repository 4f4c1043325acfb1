"""CodeWhale's configuration as its program finds it: which files are read, and what they say of memory."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from memctl.core.codewhale import Config, Era, Resolved, expand, resolve
from memctl.core.env import Env
from memctl.disk.reads import read_file
from memctl.errors import ConfigError, MemctlError, NotFound

MANAGED = "/etc/deepseek/managed_config.toml"  # spec/codewhale.md 1.8


class ConfigFile(NamedTuple):
    """A configuration file that decides, or would: its role (`config`, `managed`), and whether it is there."""

    role: str
    path: str
    present: bool


class Misplaced(NamedTuple):
    """A key or table that CodeWhale ignores where it stands: what would count (`it counts as …`), its file and line."""

    key: str
    counts: str
    path: str
    line: int | None


class Facts(NamedTuple):
    """All that decides about the user memory, in the order in which it does (spec/codewhale.md 1.8 and 1.9).

    `misplaced` are keys that CodeWhale ignores where they stand. `shadowed` is the user memory of the time before
    `~/.codewhale`, '' unless the one there goes before it. `given` is set where memctl was told the path, so that
    CodeWhale's rules did not find it.
    """

    era: Era
    files: tuple[ConfigFile, ...]
    profile: str | None
    config: Config
    managed: Config
    variables: tuple[tuple[str, str], ...]
    misplaced: tuple[Misplaced, ...]
    resolved: Resolved
    given: str | None
    shadowed: str = ""

    @property
    def path(self) -> str:
        """The path of the user memory, as CodeWhale shows it."""
        return self.given if self.given is not None else self.resolved.path


_VARIABLES = (
    "DEEPSEEK_MEMORY",
    "DEEPSEEK_MEMORY_PATH",
    "CODEWHALE_MEMORY",
    "CODEWHALE_MEMORY_PATH",
    "CODEWHALE_HOME",
    "DEEPSEEK_CONFIG_PATH",
    "DEEPSEEK_PROFILE",
    "DEEPSEEK_MANAGED_CONFIG_PATH",
)


def find_facts(env: Env, *, given: str | None = None, era: Era | None = None) -> Facts:
    """Return what decides about the user memory of this user.

    `given` is a path that overrides CodeWhale's rules (`--user-memory`), `era` the rules of a release; by default
    those of 0.8.8, and of 0.8.48 where `~/.codewhale` exists (DESIGN 4.2). Raises ConfigError for a configuration
    that CodeWhale would not start with (line and column), or a profile that does not exist; IoFailure.
    """
    home = env.home
    if era is None:
        era = Era.V0_8_48 if home and os.path.isdir(os.path.join(home, ".codewhale")) else Era.V0_8_8
    path = config_file(env, era)
    managed_path = env.vars.get("DEEPSEEK_MANAGED_CONFIG_PATH") or MANAGED
    table = _read_toml(path) if path else None
    managed_table = _read_toml(managed_path)
    profile = env.vars.get("DEEPSEEK_PROFILE") or None
    merged = _with_profile(table or {}, profile, path)
    config = _config(merged, path)
    managed = _config(managed_table or {}, managed_path)
    found = resolve(config, env.vars, home, _exists_from(env.cwd), era)
    if managed.enabled is not None:
        found = found._replace(enabled=managed.enabled, enabled_by="the managed configuration")
    if managed.memory_path is not None:
        found = found._replace(path=expand(managed.memory_path, home), path_by="the managed configuration")
    files = [ConfigFile("managed", managed_path, managed_table is not None)]
    if path:
        files.insert(0, ConfigFile("config", path, table is not None))
    variables = tuple((name, env.vars[name]) for name in _VARIABLES if name in env.vars)
    ignored = [*_misplaced(table, profile, path or ""), *_misplaced(managed_table, None, managed_path)]
    hidden = _shadowed(found, home) if given is None and era is not Era.V0_8_8 else ""
    return Facts(era, tuple(files), profile, config, managed, variables, tuple(ignored), found, given, hidden)


def _misplaced(table: dict[str, Any] | None, profile: str | None, path: str) -> Iterator[Misplaced]:
    if table:
        from memctl.disk.codewhale_keys import misplaced

        yield from (Misplaced(*one) for one in misplaced(table, profile, path))


def _shadowed(found: Resolved, home: str | None) -> str:
    """Return the old user memory where the one of `~/.codewhale` goes before it (spec/codewhale.md 1.9)."""
    old, new = (os.path.join(home or "", folder, "memory.md") for folder in (".deepseek", ".codewhale"))
    if found.path_by != "default" or not home or not os.path.exists(new):
        return ""
    try:
        return "" if not os.path.getsize(old) or os.path.samefile(old, new) else old
    except OSError:
        return ""


def config_file(env: Env, era: Era) -> str | None:
    """Return the configuration file that CodeWhale reads: DEEPSEEK_CONFIG_PATH if that file exists, else its default."""
    chosen = env.vars.get("DEEPSEEK_CONFIG_PATH", "")
    if chosen:
        chosen = os.path.join(env.cwd, expand(chosen, env.home))
        if os.path.isfile(chosen):
            return chosen
    if not env.home:
        return None
    old = os.path.join(env.home, ".deepseek", "config.toml")
    new = os.path.join(env.home, ".codewhale", "config.toml")
    if era is Era.V0_8_8 or (not os.path.exists(new) and os.path.exists(old)):
        return old
    return new


def _exists_from(cwd: str) -> Any:
    return lambda path: os.path.exists(os.path.join(cwd, path))


def _read_toml(path: str) -> dict[str, Any] | None:
    """Return the table of a TOML file, None where there is none. Raises ConfigError, with line and column."""
    from memctl.disk.settings import parse_toml

    try:
        data = read_file(path)
    except NotFound:
        return None
    except MemctlError as error:
        raise ConfigError(error.message, path=path) from None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ConfigError(f"'{path}' is not UTF-8, so CodeWhale does not start", path=path) from None
    return parse_toml(text, f"'{path}'", path)


def _with_profile(table: Mapping[str, Any], name: str | None, path: str | None) -> dict[str, Any]:
    """Return the table with a profile over it: field by field, a table of its own as a whole."""
    if name is None:
        return dict(table)
    profiles = table.get("profiles")
    profiles = profiles if isinstance(profiles, dict) else {}
    if not isinstance(profiles.get(name), dict):
        known = ", ".join(profiles) or "none"
        raise ConfigError(f"CodeWhale's profile '{name}' does not exist", path=path, hint=f"profiles are: {known}")
    return {**table, **profiles[name]}


def _config(table: Mapping[str, Any], path: str | None) -> Config:
    memory = table.get("memory")
    if memory is not None and not isinstance(memory, dict):
        raise ConfigError(f"'memory' in '{path}' is no table, so CodeWhale does not start", path=path)
    memory = memory or {}
    memory_path, enabled, backend = table.get("memory_path"), memory.get("enabled"), memory.get("backend")
    for key, value, kind in (("memory_path", memory_path, str), ("enabled", enabled, bool), ("backend", backend, str)):
        if value is not None and not isinstance(value, kind):
            word = "text" if kind is str else "true or false"
            raise ConfigError(f"'{key}' in '{path}' must be {word}, so CodeWhale does not start", path=path)
    return Config(memory_path, enabled, backend)


def set_enabled(text: str, enabled: bool, profile: str | None, path: str) -> str:
    """Return a configuration with `[memory] enabled` set; of a profile with a table of its own, in that table.

    A text that says so already comes back unchanged. Raises ConfigError where it cannot be set without touching
    anything else.
    """
    import tomllib

    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    from memctl.disk.settings import parse_toml

    before = parse_toml(text, f"'{path}'", path)
    own = profile is not None and "memory" in before.get("profiles", {}).get(profile, {})
    wanted: dict[str, Any] = tomllib.loads(text)
    place = wanted["profiles"][profile] if own else wanted
    if place.get("memory", {}).get("enabled") is enabled:
        return text
    place.setdefault("memory", {})["enabled"] = enabled
    try:
        document = tomlkit.parse(text)
        table: Any = document["profiles"][profile] if own else document
        if "memory" in table:
            table["memory"]["enabled"] = enabled
            new = tomlkit.dumps(document)
        else:
            gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
            new = f"{text}{gap}[memory]\nenabled = {str(enabled).lower()}\n"
        if tomllib.loads(new) == wanted and _is_one_edit(text, new):
            return new
    except (TOMLKitError, ValueError):
        pass
    # Where tables stand out of order tomlkit moves them: one word, or one line behind a header, moves nothing.
    for new in _edits(text, str(enabled).lower()):
        try:
            if tomllib.loads(new) == wanted:
                return new
        except ValueError:
            pass
    raise ConfigError(
        f"cannot set enabled in '{path}' without touching other values", path=path, hint="edit it by hand"
    )


def _edits(text: str, value: str) -> Iterator[str]:
    """Yield `text` with each of its booleans as `value`, then with a line `enabled = value` behind each header."""
    import re

    for word in re.finditer(r"\b(?:true|false)\b", text):
        yield text[: word.start()] + value + text[word.end() :]
    for header in re.finditer(r"^[ \t]*\[.*(?:\n|\Z)", text, re.MULTILINE):
        gap = "" if header[0].endswith("\n") else "\n"
        yield f"{text[: header.end()]}{gap}enabled = {value}\n{text[header.end() :]}"


def _is_one_edit(old: str, new: str) -> bool:
    """Return whether `new` is `old` with a piece put in, or with one short word replaced."""
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    end = next((at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start)
    return len(old) - start - end <= len("false")
