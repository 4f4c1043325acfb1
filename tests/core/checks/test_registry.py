"""What the registry and CodeWhale's configuration say against a store."""

from __future__ import annotations

from datetime import UTC, datetime

from memctl.core.checks.engine import check_folder
from memctl.core.checks.rule import Severity
from memctl.core.checks.subject import Agent, Folder, Subject, UserFacts
from tests.core.checks.subjects import EVERY, a_memory, a_subject, codes, found, user_memory

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC).timestamp()
OFF = Agent("billing-bot", False, "auto", None)


def test_a_registered_agent_breaks_no_rule() -> None:
    assert codes(a_subject({"a.md": a_memory("a")}, registered=True, agent=OFF._replace(enabled=True)), "R") == []
    assert codes(a_subject({"a.md": a_memory("a")}, registered=None), "R") == []


def test_a_directory_of_no_agent_is_told_with_what_it_holds() -> None:
    (finding,) = found(a_subject({"a.md": a_memory("a")}, registered=False), "R001")
    assert (finding.severity, finding.file) == (Severity.WARNING, "")
    assert finding.message == "the registry has no such agent: nobody reads its 1 memory"
    (finding,) = found(a_subject({}, registered=False), "R001")
    assert finding.message.endswith("its directory holds no memory")


def grown(updated: str, written: float, agent: Agent | None = OFF, switched: float | None = NOON) -> Subject:
    subject = a_subject({"a.md": a_memory("a", updated=updated)}, agent=agent, registered=True, switched=switched)
    return subject._replace(items=[item._replace(mtime=written) for item in subject.items])


def test_an_agent_that_is_off_and_whose_memories_grow_is_told() -> None:
    (finding,) = found(grown("2026-11-02", NOON + 86_400), "R002")
    assert finding.message == "automatic memory is off, and 'a' was written since 2026-11-01"
    two = a_subject(
        {name: a_memory(name[:-3], updated="2026-11-02") for name in ("a.md", "b.md")}, agent=OFF, switched=NOON
    )
    two = two._replace(items=[item._replace(mtime=NOON + 86_400) for item in two.items])
    assert "and 2 memories were written since" in found(two, "R002")[0].message


def test_a_checkout_is_no_growth() -> None:
    assert codes(grown("2026-11-02", NOON + 60), "R") == []
    assert codes(grown("2026-10-02", NOON + 86_400), "R") == []
    assert codes(grown("soon", NOON + 86_400), "R") == []
    assert codes(grown("2026-11-02", NOON + 86_400, switched=None), "R") == []
    assert codes(grown("2026-11-02", NOON + 86_400, agent=OFF._replace(enabled=True)), "R") == []


def folder(**changes: object) -> Folder:
    return Folder("/hq/agents.json", "", None, ())._replace(**changes)  # type: ignore[arg-type]


def test_a_good_registry_breaks_no_rule() -> None:
    assert check_folder(folder(agents=(("1a2b3c4d", OFF, 3),)), EVERY) == []


def test_a_registry_that_does_not_parse_is_an_error_at_its_line() -> None:
    (finding,) = check_folder(folder(problem="'/hq/agents.json' is not valid JSON (line 3, column 5)", line=3), EVERY)
    assert (finding.rule, finding.severity, finding.path, finding.line) == (
        "R004",
        Severity.ERROR,
        "/hq/agents.json",
        3,
    )
    assert finding.fingerprint


def test_an_unknown_sweep_mode_is_told_with_the_nearest() -> None:
    agents = (("1a2b3c4d", OFF._replace(sweep="of"), 3), ("2a2b3c4d", OFF._replace(sweep="always!"), None))
    near, far = check_folder(folder(agents=agents), EVERY)
    assert near.message == "the sweep mode 'of' of agent 'billing-bot' is not auto, on or off; did you mean 'off'?"
    assert (near.line, far.line) == (3, None)
    assert far.message == "the sweep mode 'always!' of agent 'billing-bot' is not auto, on or off"


def test_rules_that_are_off_are_off_for_registries_too() -> None:
    broken = folder(problem="no JSON")
    assert check_folder(broken, EVERY._replace(enabled=EVERY.enabled - {"R004"})) == []


def test_keys_in_the_wrong_place_of_codewhales_configuration_are_told() -> None:
    ignored = ("[memory] path", "it counts as memory_path above the first table", "/home/ada/c.toml", 3)
    facts = UserFacts(True, (ignored,), "", False)
    (finding,) = found(user_memory("- note\n", user=facts), "R005")
    assert finding.message == (
        "'[memory] path' is ignored by CodeWhale; it counts as memory_path above the first table"
    )
    assert (finding.path, finding.line, finding.store) == ("/home/ada/c.toml", 3, "@user")


def test_a_newer_layout_and_an_older_file_beside_a_user_memory_are_told() -> None:
    facts = UserFacts(True, (), "", False, "CodeWhale 0.10 and later do not read this file, but /m", "/old.md")
    newer, older = found(user_memory("- note\n", user=facts), "R006")
    assert newer.message == facts.newer
    assert (older.path, older.message) == (
        "/old.md",
        "CodeWhale does not load the file since '/home/ada/.deepseek/memory.md' is there: move its notes into that",
    )
    assert codes(user_memory("", user=facts), "R") == ["R006"]


def test_a_user_memory_that_nobody_loads_is_told_where_there_is_one() -> None:
    facts = UserFacts(False, (), "CodeWhale does not load the file: memory is off (default)", False)
    (finding,) = found(user_memory("- note\n", user=facts), "R006")
    assert finding.message == "CodeWhale does not load the file: memory is off (default)"
    assert codes(user_memory("", user=facts), "R") == []
    assert codes(user_memory("- note\n"), "R") == []


def test_entries_that_are_no_agents_are_one_error_at_the_first_of_them() -> None:
    odd = ((2, "a number or a switch", 3), (3, "an object without an id", 4))
    (finding,) = check_folder(folder(odd=odd), EVERY)
    assert (finding.rule, finding.severity, finding.line) == ("R004", Severity.ERROR, 3)
    assert finding.message == (
        "entry 2 is no agent but a number or a switch (2 such entries): "
        "no directory is said to be nobody's until that is mended"
    )
    (alone,) = check_folder(folder(odd=odd[1:]), EVERY)
    assert alone.message.startswith("entry 3 is no agent but an object without an id: no directory")


def test_an_id_that_stands_twice_is_a_warning() -> None:
    (finding,) = check_folder(folder(twice=(("1a2b3c4d", 9),)), EVERY)
    assert (finding.rule, finding.severity, finding.line) == ("R004", Severity.WARNING, 9)
    assert finding.message == "the id '1a2b3c4d' stands in two entries: the HQ takes the last one"
