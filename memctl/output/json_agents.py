"""The switches of agents and of the user memory as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memctl.ops.results import AgentState, UserState


def states(
    results: Iterable[AgentState], users: Iterable[UserState], *, sweep: bool, dry_run: bool | None
) -> dict[str, Any]:
    """Return the data of `sweep-mode` and `auto-memory`; `dry_run` is there where something is changed."""
    shape = sweep_state if sweep else memory_state
    more = {} if dry_run is None else {"dry_run": dry_run}
    return {"agents": [shape(result) for result in results] + [user_state(user) for user in users]} | more


def sweep_state(result: AgentState) -> dict[str, Any]:
    """Return one of the `agents` of `sweep-mode`."""
    return {
        "id": result.store.id,
        "name": result.store.agent.name if result.store.agent else None,
        "mode": result.mode,
        "model": result.model,
        "sweeps": result.sweeps,
        "why": result.why,
        "changed": result.changed,
        "way": result.way,
    }


def memory_state(result: AgentState) -> dict[str, Any]:
    """Return one of the `agents` of `auto-memory`."""
    return {
        "id": result.store.id,
        "name": result.store.agent.name if result.store.agent else None,
        "enabled": result.enabled,
        "why": result.why_enabled,
        "changed": result.changed,
        "way": result.way,
    }


def user_state(result: UserState) -> dict[str, Any]:
    """Return the user memory as one of the `agents` of `auto-memory`."""
    return {
        "address": result.store.address,
        "enabled": result.enabled,
        "why": result.why,
        "changed": result.changed,
        "way": "config" if result.changed else None,
    }
