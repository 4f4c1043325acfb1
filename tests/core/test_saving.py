from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.limits import Draft
from memctl.core.memory import Memory, Source
from memctl.core.saving import kept_source, plan_forget, plan_save, removes
from memctl.errors import ExitCode, InvalidInput, LimitReached
from tests.core.making import MEMORIES, memory

TODAY = "2026-09-15"
DRAFT = Draft("build-checks", " How \t", "project", "agent", "\n  Run them.\n")


@given(st.none() | MEMORIES, st.sampled_from(Source))
def test_agents_and_the_sweep_never_take_what_a_person_wrote(existing: Memory | None, source: Source) -> None:
    kept = kept_source(existing, source)
    if existing is not None and existing.user_authored:
        assert kept in (Source.USER, Source.IMPORT)
    assert kept == source or (existing is not None and kept == existing.source)


def test_a_new_memory_is_trimmed_and_dated_today() -> None:
    saved = plan_save(DRAFT, None, 0, TODAY)
    assert saved.action == "created"
    assert saved.memory == memory(description="How", created=TODAY, updated=TODAY, content="Run them.")


def test_an_update_keeps_when_it_was_created_whatever_text_that_is() -> None:
    saved = plan_save(DRAFT, memory(created="last spring", source=Source.USER), 7, TODAY)
    assert saved.action == "updated"
    assert (saved.memory.created, saved.memory.updated, saved.memory.source) == ("last spring", TODAY, Source.USER)


def test_an_update_of_a_memory_without_dates_creates_it_today() -> None:
    assert plan_save(DRAFT, memory(created="", updated=""), 7, TODAY).memory.created == TODAY


@pytest.mark.parametrize(("count", "full"), [(199, False), (200, True), (250, True)])
def test_the_two_hundred_and_first_memory_is_refused(count: int, full: bool) -> None:
    if full:
        with pytest.raises(LimitReached) as raised:
            plan_save(DRAFT, None, count, TODAY)
        assert raised.value.message == "This agent already has 200 memories; update or forget one first"
        assert raised.value.hint == "memctl list AGENT --sort updated -r shows the oldest"
        assert raised.value.exit_code == ExitCode.LIMIT
    else:
        assert plan_save(DRAFT, None, count, TODAY).action == "created"


def test_an_update_is_possible_however_many_there_are() -> None:
    assert plan_save(DRAFT, memory(), 250, TODAY).action == "updated"


def test_what_is_invalid_is_told_before_the_limit() -> None:
    with pytest.raises(InvalidInput):
        plan_save(DRAFT._replace(type="note"), None, 250, TODAY)


@pytest.mark.parametrize(
    ("name", "existing", "removed"),
    [("build-checks", memory(), True), ("build-checks", None, False), ("Build", memory(), False)],
)
def test_a_removal_wants_a_legal_name_and_a_memory_that_is_loaded(
    name: str, existing: Memory | None, removed: bool
) -> None:
    assert removes(name, existing) is removed


@pytest.mark.parametrize(
    ("name", "existing", "answer"),
    [
        ("x", None, (False, 'Memory "x" not found.')),
        ("X!", memory(), (False, 'Memory "X!" not found.')),
        ("x", memory(source=Source.SWEEP), (True, 'Forgot memory "x".')),
    ],
)
def test_an_agent_forgets_what_is_its_own(name: str, existing: Memory | None, answer: tuple[bool, str]) -> None:
    assert plan_forget(name, existing) == answer


@given(MEMORIES)
def test_an_agent_never_forgets_what_a_person_wrote(existing: Memory) -> None:
    assert plan_forget(existing.name, existing).removed is (existing.source in (Source.AGENT, Source.SWEEP))
