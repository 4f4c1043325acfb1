"""The grammar of addresses: `AGENT`, `AGENT/NAME`, `@user`, `@user/3`, a path (DESIGN 2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memctl.core.nearest import nearest
from memctl.errors import NotFound, UsageError

USER = "@user"
_PATTERN = "*?["
_DIGITS = 9  # int() refuses thousands of them
PREFIX_MIN = 4


class PathWord(NamedTuple):
    """A word that names a file or a directory."""

    path: str


class UserWord(NamedTuple):
    """The user memory, or one of its notes (numbered from 1)."""

    note: int | None


class AgentWord(NamedTuple):
    """An agent, or the memory `name` of it, which may be a shell pattern."""

    agent: str
    name: str | None


Word = PathWord | UserWord | AgentWord


class Known(NamedTuple):
    """An agent that a word can mean: its id, its registry name if any, and the directory it would have."""

    id: str
    name: str | None
    path: str


def parse_word(word: str) -> Word:
    """Return what a word of the command line means. Raises UsageError for an empty or impossible one."""
    if not word:
        raise UsageError("an address is empty", hint="an address is AGENT or AGENT/NAME; see memctl help addresses")
    if "\0" in word:
        raise UsageError("an address holds a NUL byte", hint="NUL-separated addresses want -0")
    if word in (".", "..") or word.startswith(("/", "./", "../", "~/")) or word == "~":
        return PathWord(word)
    if word == USER or word.startswith(USER + "/"):
        note = word[len(USER) + 1 :]
        if word == USER:
            return UserWord(None)
        if not (note.isascii() and note.isdigit() and len(note) <= _DIGITS and int(note) > 0):
            raise UsageError(f"'{word}' is no note", hint="notes are numbered: @user/3; memctl list @user shows them")
        return UserWord(int(note))
    agent, _, name = word.partition("/")  # a path, if nothing stands before the slash
    return AgentWord(agent, name or None)  # AGENT/ is the agent, as dir/ is for a path


def is_pattern(name: str) -> bool:
    """Return whether a NAME is a shell pattern."""
    return any(character in name for character in _PATTERN)


def resolve_agent(word: str, agents: Sequence[Known], *, exact: bool = False) -> Known:
    """Return the agent that `word` means.

    That is, in this order: an id, a registry name, a name in another case, a unique prefix of an id or name of at
    least 4 characters (DESIGN 2).
    `exact` takes ids and registry names only, for a changing command without a terminal. Raises UsageError with the
    candidates where several fit, NotFound with the nearest where none does.
    """
    steps = [
        [agent for agent in agents if agent.id == word],
        [agent for agent in agents if agent.name == word],
    ]
    folded = word.casefold()
    loose = [
        [agent for agent in agents if agent.name is not None and agent.name.casefold() == folded],
        [
            agent
            for agent in agents
            if len(word) >= PREFIX_MIN
            and (agent.id.startswith(word) or (agent.name is not None and agent.name.casefold().startswith(folded)))
        ],
    ]
    for found in steps if exact else [*steps, *loose]:
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"'{word}' is ambiguous: {', '.join(_pastable(found))}", hint="give one of these instead")
    if exact and any(loose):
        found = next(filter(None, loose))
        raise NotFound(
            f"no agent has the id or name '{word}'",
            hint=f"without a terminal a changing command takes no prefixes: {', '.join(_pastable(found))}",
        )
    raise NotFound(f"no agent '{word}'", hint=_suggestion(word, agents))


def _pastable(agents: Sequence[Known]) -> list[str]:
    """Return words that each mean one of the agents alone: ids, or paths where two data folders share an id."""
    ids = [agent.id for agent in agents]
    return ids if len(set(ids)) == len(ids) else [agent.path for agent in agents]


def _suggestion(word: str, agents: Sequence[Known]) -> str:
    if not agents:
        return "there are no agents here; memctl list says where it looks"
    near = nearest(word, [agent.name for agent in agents if agent.name] + [agent.id for agent in agents])
    return f"did you mean '{near}'?" if near else "memctl list shows the agents"


def resolve_name(name: str, files: Sequence[str], names: Sequence[str]) -> list[int]:
    """Return the positions of the memories that NAME means in one agent's directory.

    `files` are the file names without `.md`, `names` the names that the memories say of themselves ('' where a file
    is not loaded), in the same order. A pattern is matched against file names and may mean many or none; a plain NAME
    is the file of that name, else the one memory that calls itself so. Two of these are returned both (DESIGN 4.5).
    """
    if is_pattern(name) and name not in files:
        import fnmatch

        return [at for at, file in enumerate(files) if fnmatch.fnmatchcase(file, name)]
    if name in files:
        return [files.index(name)]
    return [at for at, own in enumerate(names) if own == name]
