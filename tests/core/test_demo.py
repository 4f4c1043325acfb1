from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from datetime import date
from typing import Any

from memctl.core.ages import read_date
from memctl.core.demo import demo_commands, demo_files
from memctl.core.dialects import hq
from memctl.core.index import render_index
from memctl.core.legacy import LEGACY_NAME, MARKER_NAME
from memctl.core.limits import Draft, problems
from memctl.core.memory import Memory, MemoryType, NotLoaded, Source
from memctl.core.text import encode

FILES = demo_files()
REGISTRY: list[dict[str, Any]] = json.loads(FILES["agents.json"])


def directory(agent: str) -> dict[str, bytes]:
    start = f"memory/{agent}/"
    return {path.removeprefix(start): data for path, data in FILES.items() if path.startswith(start)}


AGENTS = sorted({path.split("/")[1] for path in FILES if path.startswith("memory/")})
READ = {
    (agent, name): hq.read(directory(agent)[name], name.removesuffix(".md"))
    for agent in AGENTS
    for name in hq.memory_files(directory(agent))
}
LOADED = {place: memory for place, memory in READ.items() if isinstance(memory, Memory)}


def loaded(agent: str) -> list[Memory]:
    return [memory for (owner, _), memory in LOADED.items() if owner == agent]


def test_the_demo_is_the_same_each_time() -> None:
    assert demo_files() == FILES


def test_twenty_memories_of_three_agents_show_each_type_and_each_source() -> None:
    assert len(LOADED) == 20
    assert {agent for agent, _ in LOADED} == set(AGENTS)
    assert len(AGENTS) == 3
    assert {memory.type for memory in LOADED.values()} == set(MemoryType)
    assert {memory.source for memory in LOADED.values()} == set(Source)


def test_each_memory_is_one_that_the_hq_would_save() -> None:
    for (_, file), memory in LOADED.items():
        assert file == f"{memory.name}.md"
        assert problems(Draft(memory.name, memory.description, memory.type, memory.source, memory.content)) == []


def test_each_memory_is_written_as_the_hq_writes_it() -> None:
    for (agent, file), memory in LOADED.items():
        assert hq.write(memory) == directory(agent)[file]


def test_all_dates_are_fixed_days_from_2025_to_november_2026() -> None:
    for memory in LOADED.values():
        created, updated = read_date(memory.created), read_date(memory.updated)
        assert created is not None
        assert updated is not None
        assert date(2025, 1, 1) <= created <= updated < date(2026, 11, 30)
    assert sum(memory.updated < "2026" for memory in LOADED.values()) == 2


def test_one_old_memory_is_of_an_agent_so_that_prune_has_something_to_do() -> None:
    old = [memory.name for memory in LOADED.values() if memory.updated < "2025-11" and not memory.user_authored]
    assert old == ["version-3-end"]


def test_two_of_the_three_agents_are_registered_with_models_of_different_makers() -> None:
    assert [entry["name"] for entry in REGISTRY] == ["billing-bot", "docs-writer"]
    assert len({entry["id"] for entry in REGISTRY} & set(AGENTS)) == 2
    assert len({entry["config"]["model"].split("/")[0] for entry in REGISTRY}) == 2


def test_one_agent_has_no_sweep_mode_and_another_has_one() -> None:
    settings = [entry["config"]["memory"] for entry in REGISTRY]
    assert settings == [{"enabled": True}, {"enabled": True, "sweep": "on"}]


def test_the_registry_is_written_as_the_hq_writes_it() -> None:
    text = FILES["agents.json"].decode()
    assert text == json.dumps(REGISTRY, indent=2, ensure_ascii=False)


def test_one_file_is_not_loaded_since_its_type_is_unknown() -> None:
    problems_by_file = {file: why for (_, file), why in READ.items() if isinstance(why, NotLoaded)}
    assert problems_by_file == {
        "meeting-2026-10-15.md": NotLoaded(
            "bad-type", "the type 'note' is not one of user, feedback, project, reference"
        )
    }


def test_just_one_index_is_stale_and_lacks_one_memory() -> None:
    stale = {}
    for agent in AGENTS:
        there, due = directory(agent)["MEMORY.md"], encode(render_index(loaded(agent)).text)
        if there != due:
            stale[agent] = (there.splitlines(), due.splitlines())
    assert len(stale) == 1
    for there, due in stale.values():
        assert set(there) < set(due)
        assert len(due) - len(there) == 1


def test_the_imported_notes_are_in_the_one_directory_with_the_marker() -> None:
    imported = [(agent, memory) for (agent, _), memory in LOADED.items() if memory.name == LEGACY_NAME]
    assert [path for path in FILES if MARKER_NAME in path] == [f"memory/{imported[0][0]}/{MARKER_NAME}"]
    assert [memory.source for _, memory in imported] == [Source.IMPORT]


def test_the_import_came_before_every_other_memory_of_its_agent() -> None:
    [agent] = [agent for agent in AGENTS if MARKER_NAME in directory(agent)]
    marker = directory(agent)[MARKER_NAME].decode()[:10]
    dates = Counter(memory.created for memory in loaded(agent))
    assert min(dates) == marker
    assert dates[marker] == 1


def test_one_memory_has_text_beyond_ascii() -> None:
    assert any(ord(character) > 0x3000 for memory in LOADED.values() for character in memory.content)


def test_the_user_memory_has_six_stamped_notes_and_one_by_hand() -> None:
    lines = FILES["memory.md"].decode().splitlines()
    assert all(line.startswith("- ") for line in lines)
    assert sum(bool(re.match(r"- \(\d{4}-\d\d-\d\d \d\d:\d\d UTC\) \S", line)) for line in lines) == 6
    assert len(lines) == 7


def test_no_path_of_a_machine_is_in_the_demo_but_workspaces() -> None:
    for path, data in FILES.items():
        text = data.decode().replace("/srv/workspaces/", "")
        assert not any(place in text for place in ("/home/", "/srv/", "/Users/", "/root/", "/tmp/")), path


def test_the_commands_name_the_directory_quoted_for_a_shell() -> None:
    commands = [shlex.split(command) for command in demo_commands("my demo's")]
    assert [words[:3] for words in commands] == [["memctl", "--root", "my demo's"]] * 4
    assert [words[3] for words in commands] == ["list", "show", "reindex", "prune"]


def test_the_memory_that_a_command_shows_is_there() -> None:
    name, memory = shlex.split(demo_commands("demo")[1])[-1].split("/")
    [agent] = [entry["id"] for entry in REGISTRY if entry["name"] == name]
    assert (agent, f"{memory}.md") in LOADED
