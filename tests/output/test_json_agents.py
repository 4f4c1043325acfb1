"""The keys of JSON are a contract: they are only ever added to."""

from __future__ import annotations

from pathlib import Path

import pytest

from memctl.ops.results import (
    AgentState,
    UserState,
)
from memctl.output import json_agents
from tests.output.user import user_store
from tests.stores import make_store


def test_the_states_of_an_agent(tmp_path: Path) -> None:
    state = AgentState(make_store(tmp_path), "on", "m", True, "why", False, "why not", True, "api")
    both = {"id": "1a2b3c4d", "name": None, "changed": True, "way": "api"}
    assert json_agents.sweep_state(state) == both | {"mode": "on", "model": "m", "sweeps": True, "why": "why"}
    assert json_agents.memory_state(state) == both | {"enabled": False, "why": "why not"}


@pytest.mark.parametrize(("changed", "way"), [(True, "config"), (False, None)])
def test_the_switch_of_the_user_memory(tmp_path: Path, changed: bool, way: str | None) -> None:
    assert json_agents.user_state(UserState(user_store(tmp_path), True, "why", "/c.toml", changed)) == {
        "address": "@user",
        "enabled": True,
        "why": "why",
        "changed": changed,
        "way": way,
    }
