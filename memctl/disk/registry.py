"""The HQ's agent registry, `agents.json` of a data folder, as the HQ reads it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.disk.walk import open_walked
from memctl.errors import ConfigError, IoFailure, MemctlError, Protected

if TYPE_CHECKING:
    import json

_REPAIR = "repair it first: an HQ that starts now takes it for a registry without agents and overwrites it"


class RegisteredAgent(NamedTuple):
    """One agent of the registry; what is absent in the file has the HQ's default (spec/hq.md 12).

    `enabled` is False for a literal false only. `sweep` is the raw value of the file (the JSON text of a
    value that is no string): what is not `auto`, `on` or `off` behaves as `auto`. `model` may be empty.
    """

    id: str
    name: str
    workspace: str | None
    model: str
    enabled: bool
    sweep: str


class Registry(NamedTuple):
    """The agents of one `agents.json`, in the order of the file.

    `present` is False if there is no such file. `problem` says why the file gives no agents: ConfigError
    for its content, IoFailure for what cannot be read. `odd` are the numbers of the entries that are no agents, with what
    they are; `twice` the ids that several entries have, with the number of the last.
    """

    path: str
    agents: tuple[RegisteredAgent, ...]
    problem: MemctlError | None
    present: bool
    odd: tuple[tuple[int, str], ...] = ()
    twice: tuple[tuple[str, int], ...] = ()


def read_registry(data_folder: str, *, follow: bool = True) -> Registry:
    """Return the registry of a data folder; with `follow=False` a symbolic link is not read.

    Never raises: what is wrong is the `problem` of the result. Only a regular file is read.
    """
    path = os.path.join(data_folder, "agents.json")
    try:
        data = _read_regular(path, follow)
    except (FileNotFoundError, NotADirectoryError):
        return Registry(path, (), None, present=False)
    except Protected as error:
        return _failed(path, error)
    except OSError as error:
        if not follow and os.path.islink(path):
            reason = "it is a symbolic link, and links are not followed here"
        else:
            reason = (error.strerror or "the system gave no reason").lower()
        return _failed(path, IoFailure(f"cannot read '{path}': {reason}", path=path))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return _failed(path, ConfigError(f"'{path}' is not valid UTF-8", path=path, hint=_REPAIR))
    return parse_registry(text, path)


def parse_registry(text: str, path: str) -> Registry:
    """Return the registry that `text` holds; `path` is only named.

    Entries that are no objects or have no id are left out. Of several entries with one id the last one
    counts, since the HQ keeps a map. No sentence has any content of the file, which can hold API keys.
    """
    try:
        entries = parse_entries(text, path)
    except ConfigError as problem:
        return _failed(path, problem)
    agents: dict[str, RegisteredAgent] = {}
    odd: list[tuple[int, str]] = []
    twice: dict[str, int] = {}
    for number, entry in enumerate(entries, 1):
        agent_id = entry_id(entry)
        if agent_id is None:
            odd.append((number, _what(entry)))
            continue
        if agent_id in agents:
            twice[agent_id] = number
        agents[agent_id] = _agent(agent_id, entry)
    return Registry(path, tuple(agents.values()), None, True, tuple(odd), tuple(twice.items()))


def lines_of_entries(text: str) -> list[int]:
    """Return on which line each entry of a registry's text begins; it must be one that parse_entries() takes."""
    import re

    decoder = json_decoder()
    blank = re.compile(r"[ \t\n\r,]*")
    lines: list[int] = []
    at, line, counted = text.index("[") + 1, 1, 0
    while (at := blank.match(text, at).end()) < len(text) and text[at] != "]":  # type: ignore[union-attr]
        line += text.count("\n", counted, at)
        counted = at
        lines.append(line)
        _, at = decoder.raw_decode(text, at)
    return lines


def _what(entry: Any) -> str:
    if isinstance(entry, dict):
        return "an object without an id" if "id" not in entry else "an object whose id is no text"
    if isinstance(entry, list):
        return "a list"
    return "text" if isinstance(entry, str) else "null" if entry is None else "a number or a switch"


def parse_entries(text: str, path: str | None = None) -> list[Any]:
    """Return the JSON array of a registry's text.

    Raises ConfigError, with line and column, for what `JSON.parse` refuses (a BOM and NaN as well), for
    nesting beyond what Python can read, and for a value that is not an array.
    """
    import json

    name = f"'{path}'" if path else "the agent registry"
    if text.startswith("\ufeff"):
        raise ConfigError(f"{name} is not valid JSON (it begins with a byte order mark)", path=path, hint=_REPAIR)
    try:
        entries = json_decoder().decode(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
    except _NoJsonConstantError:
        where = _where_constant(text)
    except RecursionError:
        raise ConfigError(f"{name} is nested too deeply", path=path) from None
    else:
        if isinstance(entries, list):
            return entries
        raise ConfigError(f"{name} is not a JSON array of agents", path=path, hint=_REPAIR)
    raise ConfigError(f"{name} is not valid JSON ({where})", path=path, hint=_REPAIR) from None


def json_decoder() -> json.JSONDecoder:
    """Return a `json.JSONDecoder` that accepts what `JSON.parse` accepts."""
    import json

    return json.JSONDecoder(parse_int=_whole_number, parse_constant=_refuse_constant)


def entry_id(entry: Any) -> str | None:
    """Return the id of a registry's entry; None if the value is no agent."""
    agent_id = entry.get("id") if isinstance(entry, dict) else None
    return agent_id if isinstance(agent_id, str) and agent_id else None


def sweep_text(value: Any) -> str:
    """Return a sweep value for people: a string as it is, anything else as its JSON text."""
    import json

    return value if isinstance(value, str) else json.dumps(value)


class _NoJsonConstantError(ValueError):
    """NaN or Infinity, which Python reads and JSON does not know."""


def _refuse_constant(_word: str) -> None:
    raise _NoJsonConstantError


def _whole_number(digits: str) -> int | float:
    # int() refuses more than 4,300 digits with an error of its own; JavaScript has doubles anyway.
    return int(digits) if len(digits) < 1000 else float(digits)


def _where_constant(text: str) -> str:
    import re

    for match in re.finditer(r'"[^"\\]*(?:\\.[^"\\]*)*"|NaN|-?Infinity', text, re.DOTALL):
        if text[match.start()] != '"':
            before = text[: match.start()]
            line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
            return f"line {line}, column {column}"
    return "a number that JSON does not know"


def _read_regular(path: str, follow: bool) -> bytes:
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
    if follow:
        descriptor = os.open(path, flags)
    else:
        folder, name = os.path.split(path)
        directory = open_walked(folder)
        try:
            descriptor = os.open(name, flags | os.O_NOFOLLOW, dir_fd=directory)
        finally:
            os.close(directory)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "it is not a regular file")
        chunks = []
        while chunk := os.read(descriptor, 1 << 20):
            chunks.append(chunk)
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def _failed(path: str, problem: MemctlError) -> Registry:
    return Registry(path, (), problem, present=True)


def _agent(agent_id: str, entry: dict[str, Any]) -> RegisteredAgent:
    config = _object(entry.get("config"))
    memory = _object(config.get("memory"))
    return RegisteredAgent(
        id=agent_id,
        name=_string(entry.get("name")) or _string(config.get("name")) or agent_id,
        workspace=_string(config.get("workspace")) or None,
        model=_string(config.get("model")),
        enabled=memory.get("enabled") is not False,
        sweep=sweep_text(memory.get("sweep", "auto")),
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""
