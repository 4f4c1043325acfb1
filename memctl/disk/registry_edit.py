"""Change one value of an agent inside the text of `agents.json`, and not one other byte."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from memctl.core.sweep import SweepMode
from memctl.disk.registry import entry_id, json_decoder, parse_entries
from memctl.errors import ConfigError, InvalidInput, MemctlError, NotFound

_SPACE = " \t\n\r"
_DEFAULTS: Mapping[str, bool | str] = {"enabled": True, "sweep": "auto"}  # spec/hq.md 12


class RegistryEdit(NamedTuple):
    """The new text, the ids whose value it changes, and why others could not be changed."""

    text: str
    changed: tuple[str, ...]
    problems: Mapping[str, MemctlError]


def set_agent_value(text: str, agent_id: str, key: str, value: bool | str) -> str:
    """Return `text` with `config.memory.<key>` of one agent set; `key` is `enabled` or `sweep`.

    The text comes back unchanged if the value is already what is asked, also as the default of an absent
    one. Raises NotFound for an unknown agent, ConfigError for a text that does not parse or a `config` or
    `memory` that is neither object nor null, InvalidInput for a value that the HQ would refuse.
    """
    edit = set_agent_values(text, (agent_id,), key, value)
    for problem in edit.problems.values():
        raise problem
    return edit.text


def set_agent_values(text: str, agent_ids: Iterable[str], key: str, value: bool | str) -> RegistryEdit:
    """Set one value of several agents in one pass; one agent's problem does not stop the others.

    Raises ConfigError for a text that does not parse, InvalidInput for a value that the HQ would refuse.
    """
    import json

    _check_value(key, value)
    entries = parse_entries(text)
    places = {entry_id(entry): number for number, entry in enumerate(entries)}  # the last of an id, as in the HQ's map
    starts = _element_starts(text)
    unit = _file_unit(text)
    splices: dict[int, _Splice] = {}
    changed: list[str] = []
    problems: dict[str, MemctlError] = {}
    for agent_id in dict.fromkeys(agent_ids):
        if agent_id not in places:
            problems[agent_id] = NotFound(f"no agent '{agent_id}' in the registry")
            continue
        number = places[agent_id]
        try:
            current = _current(entries[number], agent_id, key)
        except ConfigError as problem:
            problems[agent_id] = problem
            continue
        if type(current) is type(value) and current == value:  # 0 == False, but only a literal false disables
            continue
        splices[number] = _plan(text, starts[number], ("config", "memory", key), json.dumps(value), unit)
        changed.append(agent_id)
    new = _spliced(text, [splices[number] for number in sorted(splices)])
    for number in splices:
        _put(entries[number], key, value)
    _check_difference(new, entries)
    return RegistryEdit(new, tuple(changed), problems)


def _check_value(key: str, value: bool | str) -> None:
    # The sentences of the HQ's PATCH route (spec/hq.md 14).
    if key == "enabled" and not isinstance(value, bool):
        raise InvalidInput("enabled must be a boolean")
    if key == "sweep" and value not in tuple(SweepMode):
        raise InvalidInput("sweep must be auto, on or off")
    if key not in _DEFAULTS:
        raise InvalidInput(f"no memory setting '{key}'", hint="enabled or sweep")


def _check_difference(new: str, expected: list[Any]) -> None:
    """Raise ConfigError unless the new text means what is expected: the belt to the braces of the splices."""
    try:
        same = parse_entries(new) == expected
    except RecursionError:
        same = False
    if not same:
        raise ConfigError("the agent registry cannot be changed without changing more of it: nothing was written")


def _current(entry: dict[str, Any], agent_id: str, key: str) -> Any:
    """Return the value in effect; raise ConfigError if an object on the way is something else."""
    value: Any = entry
    for name in ("config", "memory"):
        value = value.get(name)
        if value is None:
            return _DEFAULTS[key]
        if not isinstance(value, dict):
            what = "config" if name == "config" else "config.memory"
            raise ConfigError(
                f"'{what}' of agent '{agent_id}' in the agent registry is not an object, so '{key}' cannot be set",
                hint="repair the agent in the registry first",
            )
    return value.get(key, _DEFAULTS[key])


def _put(entry: dict[str, Any], key: str, value: bool | str) -> None:
    for name in ("config", "memory"):
        if entry.get(name) is None:
            entry[name] = {}
        entry = entry[name]
    entry[key] = value


class _Splice(NamedTuple):
    """Put `new` in place of text[start:end]."""

    start: int
    end: int
    new: str


class _Member(NamedTuple):
    """A member of an object, and where its value stands."""

    start: int
    end: int
    value: Any
    key: str
    before: str  # the white space in front of the key
    colon: str  # all between key and value


class _Style(NamedTuple):
    """How an object is laid out: `newline` is empty for one line, `indent` is that of its members."""

    newline: str
    indent: str
    unit: str
    gap: str  # after a comma
    pad: str  # inside braces
    colon: str

    def deeper(self) -> _Style:
        return self._replace(indent=self.indent + self.unit) if self.newline else self


def _element_starts(text: str) -> list[int]:
    """Return where each element of the array begins; `text` has been parsed before."""
    decoder = json_decoder()
    starts = []
    at = _skip(text, 0) + 1
    while text[start := _skip(text, at)] != "]":
        starts.append(start)
        _, end = decoder.raw_decode(text, start)
        at = _after_comma(text, end)
    return starts


def _members(text: str, at: int) -> tuple[list[_Member], int]:
    """Return the members of the object whose brace opens at `at`, and where its brace closes."""
    decoder = json_decoder()
    members = []
    at += 1
    while text[start := _skip(text, at)] != "}":
        key, key_end = decoder.raw_decode(text, start)
        value_start = _skip(text, text.index(":", key_end) + 1)
        value, end = decoder.raw_decode(text, value_start)
        members.append(_Member(value_start, end, value, key, text[at:start], text[key_end:value_start]))
        at = _after_comma(text, end)
    return members, start


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] in _SPACE and at < len(text):
        at += 1
    return at


def _after_comma(text: str, at: int) -> int:
    at = _skip(text, at)
    return at + 1 if text[at] == "," else at


def _plan(text: str, entry_start: int, path: tuple[str, ...], literal: str, unit: str) -> _Splice:
    """Return the splice that gives the value at `path` of the object at `entry_start` the text `literal`."""
    at, style = entry_start, _Style("", "", unit, "", "", ":")
    while True:
        members, close = _members(text, at)
        if not members:
            return _fill_empty(text, at, close, path, literal, style)
        style = _style(text, members, close, unit)
        # Of a repeated key JSON.parse keeps the last.
        member = next((member for member in reversed(members) if member.key == path[0]), None)
        if member is None:
            separator = style.newline + style.indent if style.newline else style.gap
            end = members[-1].end
            return _Splice(end, end, "," + separator + _member(path, literal, style))
        path = path[1:]
        if not path:
            return _Splice(member.start, member.end, literal)
        style = style.deeper()
        if member.value is None:
            return _Splice(member.start, member.end, _object(path, literal, style))
        at = member.start


def _fill_empty(text: str, at: int, close: int, path: tuple[str, ...], literal: str, style: _Style) -> _Splice:
    inside = text[at + 1 : close]
    if not inside:
        return _Splice(at + 1, at + 1, _object(path, literal, style)[1:-1])
    if "\n" in inside:  # the white space that is there stays, and closes the object
        newline, indent = _line_break(inside)
        style = style._replace(newline=newline, indent=indent + style.unit)
        return _Splice(at + 1, at + 1, style.newline + style.indent + _member(path, literal, style))
    style = style._replace(newline="", pad=inside)
    return _Splice(at + 1, at + 1, inside + _member(path, literal, style))


def _object(path: tuple[str, ...], literal: str, style: _Style) -> str:
    """Return an object with the one member `path[0]`; `style.indent` is the indentation of that member."""
    member = _member(path, literal, style)
    if not style.newline:
        return "{" + style.pad + member + style.pad + "}"
    closing = style.indent.removesuffix(style.unit)
    return "{" + style.newline + style.indent + member + style.newline + closing + "}"


def _member(path: tuple[str, ...], literal: str, style: _Style) -> str:
    value = _object(path[1:], literal, style.deeper()) if path[1:] else literal
    return f'"{path[0]}"{style.colon}{value}'


def _style(text: str, members: list[_Member], close: int, unit: str) -> _Style:
    last = members[-1]
    colon = last.colon if "\n" not in last.colon else ": "
    if "\n" in last.before:
        newline, indent = _line_break(last.before)
        behind = text[last.end : close]
        closing = _line_break(behind)[1]
        if "\n" in behind and indent.startswith(closing):
            unit = indent[len(closing) :] or unit
        return _Style(newline, indent, unit, "", "", colon)
    pad = members[0].before
    gap = last.before if len(members) > 1 else pad or colon.partition(":")[2]
    return _Style("", "", unit, gap, pad if "\n" not in pad else "", colon)


def _line_break(space: str) -> tuple[str, str]:
    """Return the newline in white space and what stands behind the last one."""
    return ("\r\n" if "\r\n" in space else "\n"), space[space.rfind("\n") + 1 :]


def _file_unit(text: str) -> str:
    start = _skip(text, _skip(text, 0) + 1)
    _, indent = _line_break(text[:start]) if "\n" in text[:start] else ("", "")
    return indent or "  "


def _spliced(text: str, splices: list[_Splice]) -> str:
    parts, at = [], 0
    for splice in splices:
        parts += [text[at : splice.start], splice.new]
        at = splice.end
    return "".join([*parts, text[at:]])
