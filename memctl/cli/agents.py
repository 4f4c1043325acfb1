"""The commands `sweep-mode` and `auto-memory`."""

from collections.abc import Sequence
from typing import Annotated

import typer

from memctl.cli.context import Run
from memctl.cli.options import All, DryRun, Jobs, NoHistory, NoLock, Shard, Wait, command
from memctl.cli.words import plural
from memctl.core.sweep import SweepMode
from memctl.disk.stores import DirectoryStore
from memctl.errors import MemctlError
from memctl.ops.agents import SetRequest, set_switch, state
from memctl.ops.results import AgentState, UserState
from memctl.ops.user_switch import set_user_switch, user_state
from memctl.output import plain

_SWITCH = ("on", "off")

HqStopped = Annotated[bool, typer.Option("--hq-stopped", help="Your word that no HQ runs for this data folder.")]


@command
def sweep_mode(
    run: Run,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[AGENT]... [auto|on|off]", help="Agents, and the mode to set.", show_default=False),
    ] = None,
    every: All = False,
    dry_run: DryRun = False,
    hq_stopped: HqStopped = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
    jobs: Jobs = None,
    shard: Shard = None,
) -> int:
    """Show or set the mode of the post-turn sweep.

    Shows the mode, the model, and whether a sweep would run and why. The last word is the mode to set, if it is one
    of auto, on and off; an agent of such a name goes by its id.
    """
    agents, value = _split(words or [], [*SweepMode])
    if value is None:
        return _show(run, agents, every, shard, sweep=True)
    request = SetRequest("sweep", value, run.locking(wait, no_lock=no_lock, no_history=no_history), dry_run, hq_stopped)
    return _set(run, agents, every, shard, request, sweep=True)


@command
def auto_memory(
    run: Run,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[AGENT]... [on|off]", help="Agents, and what to set.", show_default=False),
    ] = None,
    every: All = False,
    dry_run: DryRun = False,
    hq_stopped: HqStopped = False,
    wait: Wait = None,
    no_lock: NoLock = False,
    no_history: NoHistory = False,
    jobs: Jobs = None,
    shard: Shard = None,
) -> int:
    """Show or set automatic memory.

    While it is off, the agent gets no memory at all and no sweep runs; the files stay, and can be seen and deleted.
    The last word is what to set, if it is on or off; an agent of such a name goes by its id.
    """
    agents, value = _split(words or [], _SWITCH)
    if value is None:
        return _show(run, agents, every, shard, sweep=False)
    request = SetRequest(
        "enabled", value == "on", run.locking(wait, no_lock=no_lock, no_history=no_history), dry_run, hq_stopped
    )
    return _set(run, agents, every, shard, request, sweep=False)


def _split(words: list[str], values: Sequence[str]) -> tuple[list[str], str | None]:
    """Return the agents, and the value to set if the last word is one."""
    if words and words[-1] in values:
        return words[:-1], str(words[-1])
    return words, None


def _show(run: Run, agents: list[str], every: bool, shard: str | None, *, sweep: bool) -> int:
    if sweep:
        stores = run.agent_stores(agents, every=every, changing=False, shard=shard, lacks="sweep")
        _emit(run, [state(store) for store in stores], [], sweep=True)
        return run.code()
    found = run.stores(agents, every=every, changing=False, shard=shard)
    users = [user_state(store, run.env) for store in found if not isinstance(store, DirectoryStore)]
    _emit(run, [state(store) for store in found if isinstance(store, DirectoryStore)], users, sweep=False)
    return run.code()


def _set(run: Run, agents: list[str], every: bool, shard: str | None, request: SetRequest, *, sweep: bool) -> int:
    users: list[UserState] = []
    if sweep:
        stores = run.agent_stores(agents, every=every, changing=True, shard=shard, lacks="sweep")
    else:
        found = run.stores(agents, every=every, changing=True, shard=shard)
        stores = [store for store in found if isinstance(store, DirectoryStore)]
        for store in found:
            if not isinstance(store, DirectoryStore):
                enabled = bool(request.value)
                try:
                    users.append(set_user_switch(store, run.env, enabled, request.locking, dry_run=request.dry_run))
                except MemctlError as problem:
                    run.fail(problem)
    if every:
        # A directory that outlived its agent has no switch.
        orphans = [store for store in stores if store.registered is False]
        stores = [store for store in stores if store.registered is not False]
        if orphans:
            run.say(f"left out {plural(len(orphans), 'directory', 'directories')} of no agent in the registry")
    if not request.dry_run:
        run.changes()

    results = list(set_switch(stores, request, run.env, run.hq_address))
    said = set()
    for result in results:
        for error in result.errors:
            # One that is about the data folder is said once, not for each of its agents.
            if id(error) not in said:
                said.add(id(error))
                run.fail(error)
    emitted = [result for result in results if run.json or not result.errors]
    _emit(run, emitted, users, sweep=sweep, dry_run=request.dry_run)
    for user in users:
        if user.changed and not request.dry_run:
            effective = user.enabled is bool(request.value)
            end = "; restart CodeWhale's TUI for it to count" if effective else f", but {user.why}"
            run.say(f"set [memory] enabled in '{user.path}'{end}")
    if users and not results:
        if not any(user.changed for user in users):
            run.say("nothing to change")
        elif request.dry_run:
            run.say("dry run: nothing was changed; 1 would be")
        return run.code()
    changed = [result for result in results if result.changed and not result.errors]
    if request.dry_run:
        also = " and @user" if any(user.changed for user in users) else ""
        run.say(f"dry run: nothing was changed; {plural(len(changed), 'agent')}{also} would be")
    elif changed:
        ways = {"api": "by its HQ", "file": "in agents.json"}
        counts = {way: sum(result.way == way for result in changed) for way in ways}
        run.say(
            "changed " + ", ".join(f"{plural(count, 'agent')} {ways[way]}" for way, count in counts.items() if count)
        )
    elif not run.errors:
        run.say("nothing to change")
    return run.code()


def _emit(
    run: Run,
    results: Sequence[AgentState],
    users: Sequence[UserState],
    *,
    sweep: bool,
    dry_run: bool | None = None,
) -> None:
    if run.json:
        from memctl.output import json_agents

        run.emit_json(json_agents.states(results, users, sweep=sweep, dry_run=dry_run))
    elif run.terminal.draws and results and not users:
        from memctl.output.table import Screen, states

        screen = Screen(run.terminal.width, color=run.terminal.color)
        run.terminal.show(states(results, screen, sweep=sweep))
    else:
        row = plain.sweep_state if sweep else plain.memory_state
        run.write("".join([*map(row, results), *map(plain.user_state, users)]))
