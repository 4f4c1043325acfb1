"""The hidden command `__complete`, which the completion scripts ask for agents and memories.

`memctl __complete [--addresses] [--root DIR]... [--] WORD` prints what WORD can become, one candidate a line: the
candidate, a tab, and what it is (perhaps nothing). Each begins with WORD, so that what is typed stays as it is:

- an id that begins with WORD, with the agent's name beside it; and, where WORD is not empty, a name that begins with
  WORD, with the id beside it (a name that more than one agent has, or that means something else, is not offered);
- with `--addresses` agents end with a slash, `AGENT/`, and NAMEs are offered where NAME alone is enough;
- for `AGENT/PREFIX` the memories of that agent as `AGENT/NAME`, AGENT as it was typed.

Nothing is offered that has a control character: one candidate is one line, and a terminal would obey it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memctl.core.address import AgentWord, parse_word
from memctl.errors import MemctlError
from memctl.output.escape import visible

if TYPE_CHECKING:
    from memctl.disk.locate import Fleet


class _Asked(NamedTuple):
    """What a completion script asks for."""

    word: str
    roots: list[str]
    addresses: bool


def complete(arguments: Sequence[str]) -> int:
    """Print the candidates and return 0, whatever happens: an error would land in the line that is being typed."""
    try:
        lines = [f"{value}\t{about}\n" for value, about in _candidates(_asked(arguments))]
        if sys.stdout is not None:
            sys.stdout.buffer.write("".join(lines).encode())
            sys.stdout.flush()
    except Exception:  # also a bug must not be printed there
        pass
    return 0


def _asked(arguments: Sequence[str]) -> _Asked:
    roots: list[str] = []
    word = ""
    addresses = False
    rest = iter(arguments)
    for argument in rest:
        if argument == "--":
            word = next(rest, "")
            break
        if argument == "--addresses":
            addresses = True
        elif argument == "--root":
            roots.append(next(rest, ""))
        elif argument.startswith("--root="):
            roots.append(argument.removeprefix("--root="))
        else:
            word = argument
    return _Asked(word, [root for root in roots if root], addresses)


def _candidates(asked: _Asked) -> Iterator[tuple[str, str]]:
    from memctl.cli.surroundings import take_env
    from memctl.disk.locate import Fleet, find_roots
    from memctl.disk.settings import load_settings

    env = take_env()
    settings = load_settings(env, {"roots": asked.roots} if asked.roots else {})
    roots, _ = find_roots(settings.value("roots"), env)
    fleet = Fleet(roots, env)
    agent, slash, prefix = asked.word.partition("/")
    if slash:
        word = parse_word(agent)
        if isinstance(word, AgentWord):
            for name in _names(fleet, agent, prefix):
                yield f"{agent}/{name}", ""
        return
    if asked.addresses:
        only = settings.value("agent") or _only_id(fleet)
        if only:
            try:
                yield from ((name, "") for name in _names(fleet, only, asked.word) if _is_word(name))
            except MemctlError:
                pass  # MEMCTL_AGENT may name one that these roots do not have
    end = "/" if asked.addresses else ""
    for value, about in _agents(fleet, asked.word):
        yield value + end, about


def _only_id(fleet: Fleet) -> str | None:
    known = fleet.known()
    return known[0].id if len(known) == 1 else None


def _agents(fleet: Fleet, word: str) -> Iterator[tuple[str, str]]:
    """Yield the ids and names of agents that begin with the word, each with the other one beside it."""
    known = fleet.known()
    ids: dict[str, str] = {}
    holders: dict[str, int] = {}
    for agent in known:
        name = agent.name if agent.name and agent.name != agent.id else ""
        ids[agent.id] = ids.get(agent.id) or name
        if name:
            holders[name] = holders.get(name, 0) + 1
    for agent_id, name in ids.items():
        if agent_id.startswith(word) and _is_word(agent_id):
            yield agent_id, visible(name)
    for agent_id, name in ids.items():
        if word and name.startswith(word) and holders[name] == 1 and name not in ids and _is_word(name):
            yield name, visible(agent_id)


def _names(fleet: Fleet, agent: str, prefix: str) -> list[str]:
    """Return the NAMEs of an agent's files that begin with the prefix. Raises MemctlError."""
    from memctl.core.dialects.hq import memory_files

    with fleet.agent(agent).open() as directory:
        files = directory.names()
    names = [file.removesuffix(".md") for file in memory_files(files)]
    return [name for name in names if name and name.startswith(prefix) and name.isprintable()]


def _is_word(text: str) -> bool:
    """Return whether a text stands for itself on the command line: not an option, a path or a user memory."""
    if not text.isprintable() or text.startswith("-"):
        return False
    try:
        return parse_word(text) == AgentWord(text, None)
    except MemctlError:
        return False
