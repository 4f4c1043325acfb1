from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.dialects.notes import Note, read_notes, read_stamp
from memctl.core.filters import Filters
from memctl.core.memory import Memory, MemoryType, Source
from memctl.core.policy import MaxRemoved, Policy, Removal, parse_max_removed, select, select_notes
from tests.core.making import memory

JULY = datetime(2026, 7, 1, tzinfo=UTC)
OLD = Policy(older_than=JULY, older_than_word="90d")


def dated(*days: str) -> list[Memory]:
    """Memories a, b, c, ... with these dates of their last update."""
    return [memory(chr(ord("a") + at), updated=day) for at, day in enumerate(days)]


def gone(memories: list[Memory], policy: Policy) -> str:
    return "".join(memories[removal.position].name for removal in select(memories, policy))


def test_a_policy_without_a_reason_removes_nothing() -> None:
    policy = Policy(include_user_authored=True, no_floor=True)
    assert not policy.has_reason
    assert select(dated("2020-01-01", "2021-01-01"), policy) == []


@pytest.mark.parametrize("policy", [OLD, Policy(over=0)])
def test_age_and_number_are_reasons(policy: Policy) -> None:
    assert policy.has_reason


def test_what_is_older_goes_with_the_reason_in_the_order_given() -> None:
    assert select(dated("2026-06-30", "2026-07-01", "2026-01-02"), OLD) == [
        Removal(0, ("last updated 2026-06-30, older than 90d",)),
        Removal(2, ("last updated 2026-01-02, older than 90d",)),
    ]


def test_what_is_over_the_newest_goes() -> None:
    memories = dated("2026-01-01", "2026-03-01", "2026-02-01")
    assert select(memories, Policy(over=1)) == [
        Removal(0, ("over the newest 1",)),
        Removal(2, ("over the newest 1",)),
    ]
    assert gone(memories, Policy(over=3)) == ""


def test_reasons_add_up() -> None:
    [removal] = select(dated("2026-01-01", "2026-08-01"), OLD._replace(over=1))
    assert removal.reasons == ("last updated 2026-01-01, older than 90d", "over the newest 1")


def test_ties_go_by_name() -> None:
    memories = [memory(name, updated="2026-01-01") for name in ("c", "a", "b")]
    assert gone(memories, Policy(over=2)) == "c"
    assert gone(memories, OLD) == "cb"


@pytest.mark.parametrize("day", ["", "yesterday", "2026-02-30"])
def test_a_memory_without_a_readable_date_is_never_old_and_counts_as_the_newest(day: str) -> None:
    memories = dated("2026-01-01", day, "2026-01-02")
    memories[1] = memories[1]._replace(created="")
    assert gone(memories, OLD._replace(no_floor=True)) == "ac"
    assert gone(memories, Policy(over=1)) == "ac"


def test_the_floor_keeps_the_newest_unless_it_is_taken_away() -> None:
    memories = dated("2026-01-01", "2026-01-02")
    assert gone(memories, OLD) == "a"
    assert gone(memories, OLD._replace(no_floor=True)) == "ab"
    assert gone(memories, Policy(over=0)) == "a"


def test_filters_narrow_but_the_floor_and_the_keeps_count_all() -> None:
    memories = [
        memory("a", type=MemoryType.USER, updated="2026-01-01"),
        memory("b", type=MemoryType.USER, updated="2026-01-02"),
        memory("c", type=MemoryType.PROJECT, updated="2026-01-03"),
    ]
    only_users = OLD._replace(filters=Filters(types=(MemoryType.USER,)))
    assert gone(memories, only_users) == "ab"
    assert gone(memories, only_users._replace(keep_last=2)) == "a"


def test_what_a_person_wrote_stays_unless_it_is_included() -> None:
    memories = [memory(name, source=source, updated="2026-01-01") for name, source in zip("abcd", Source, strict=True)]
    policy = OLD._replace(no_floor=True)
    assert gone(memories, policy) == "ab"
    assert gone(memories, policy._replace(include_user_authored=True)) == "abcd"


def test_what_was_updated_within_a_time_stays() -> None:
    memories = dated("2026-05-31", "2026-06-01", "2026-06-30", "2026-08-01")
    assert gone(memories, OLD._replace(keep_within=datetime(2026, 6, 1, 18, tzinfo=UTC))) == "a"


DAYS = st.dates(date(2025, 1, 1), date(2026, 12, 31)).map(str) | st.sampled_from(["", "soon"])
MOMENTS = st.datetimes(datetime(2025, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))
AGENTS = st.lists(
    st.builds(
        memory,
        st.from_regex("[a-z]{1,6}", fullmatch=True),
        type=st.sampled_from(MemoryType),
        source=st.sampled_from(Source),
        created=st.just(""),
        updated=DAYS,
    ),
    max_size=12,
    unique_by=lambda memory: memory.name,
)
POLICIES = st.builds(
    Policy,
    older_than=st.none() | MOMENTS,
    over=st.none() | st.integers(0, 10),
    filters=st.lists(st.sampled_from(MemoryType), max_size=2).map(lambda types: Filters(types=tuple(types))),
    keep_last=st.integers(0, 6),
    keep_within=st.none() | MOMENTS,
    include_user_authored=st.booleans(),
    no_floor=st.booleans(),
)


def newest(memories: list[Memory], count: int) -> list[Memory]:
    """The newest by date, a missing one being the newest and ties going by name."""
    days = {memory.name: memory.updated if memory.updated[:2] == "20" else "9999" for memory in memories}
    return [
        found
        for found in memories
        if sum(
            days[other.name] > days[found.name] or (days[other.name] == days[found.name] and other.name < found.name)
            for other in memories
        )
        < count
    ]


@given(AGENTS, POLICIES)
def test_no_policy_removes_what_a_keep_protects(memories: list[Memory], policy: Policy) -> None:
    removed = [memories[removal.position] for removal in select(memories, policy)]
    if not policy.include_user_authored:
        assert not [memory for memory in removed if memory.source in (Source.USER, Source.IMPORT)]
    kept = newest(memories, max(policy.keep_last, 0 if policy.no_floor else 1))
    assert not [memory for memory in removed if memory in kept]
    if policy.keep_within:
        first = str(policy.keep_within.date())
        assert not [memory for memory in removed if memory.updated[:2] == "20" and memory.updated >= first]


@given(AGENTS, POLICIES)
def test_each_removal_has_a_reason_that_is_true_and_passes_the_filters(memories: list[Memory], policy: Policy) -> None:
    for position, reasons in select(memories, policy):
        found = memories[position]
        assert reasons
        assert policy.filters.match(found)
        old = policy.older_than is not None and found.updated[:2] == "20"
        assert any("older than" in reason for reason in reasons) == (
            old and policy.older_than is not None and found.updated < str(policy.older_than.date())
        )
        assert any("over the newest" in reason for reason in reasons) == (
            policy.over is not None and found not in newest(memories, policy.over)
        )


@given(AGENTS, POLICIES, st.integers(1, 400))
def test_an_older_age_removes_no_more(memories: list[Memory], policy: Policy, days: int) -> None:
    if policy.older_than is None:
        return
    older = policy._replace(older_than=policy.older_than - timedelta(days=days))
    assert set(gone(memories, older)) <= set(gone(memories, policy))


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("10", MaxRemoved(10)),
        ("0", MaxRemoved(0)),
        ("999999999", MaxRemoved(999_999_999)),
        ("1000000000", None),
        ("25%", MaxRemoved(25, percent=True)),
        ("", None),
        ("%", None),
        ("-1", None),
        ("5%%", None),
        ("²", None),
        ("1.5%", None),
        ("9" * 5000, None),
    ],
)
def test_a_bound_is_a_number_or_a_percentage(text: str, bound: MaxRemoved | None) -> None:
    assert parse_max_removed(text) == bound
    assert bound is None or str(bound) == text


@pytest.mark.parametrize(
    ("bound", "removed", "total", "allowed"),
    [
        (MaxRemoved(3), 3, 100, True),
        (MaxRemoved(3), 4, 100, False),
        (MaxRemoved(10, percent=True), 2, 20, True),
        (MaxRemoved(10, percent=True), 2, 19, False),
        (MaxRemoved(0, percent=True), 0, 0, True),
        (MaxRemoved(33, percent=True), 1, 3, False),
    ],
)
def test_a_bound_allows_what_is_within_it(bound: MaxRemoved, removed: int, total: int, allowed: bool) -> None:
    assert bound.allows(removed, total) is allowed


def test_keep_within_keeps_a_memory_without_a_readable_date() -> None:
    assert gone(dated("some day", "some day", "2026-01-01"), Policy(over=0, no_floor=True, keep_within=JULY)) == "c"


# The notes of the user memory


def written(*stamps: str) -> list[Note]:
    """Notes a, b, c, ... with these stamps, '' where there is none."""
    lines = [
        f"- ({stamp} UTC) {chr(ord('a') + at)}" if stamp else f"- {chr(ord('a') + at)}"
        for at, stamp in enumerate(stamps)
    ]
    return read_notes("\n".join(lines).encode())


def gone_notes(notes: list[Note], policy: Policy) -> str:
    return "".join(notes[removal.position].text for removal in select_notes(notes, policy))


def test_a_note_goes_to_the_minute_with_the_reason() -> None:
    notes = written("2026-06-30 23:59", "2026-07-01 00:00", "2026-08-01 10:00")
    assert select_notes(notes, OLD._replace(over=2)) == [
        Removal(0, ("written 2026-06-30 23:59 UTC, older than 90d", "over the newest 2"))
    ]
    assert select_notes(notes, Policy(no_floor=True)) == []


def test_a_note_without_a_stamp_is_never_old_and_counts_as_the_newest() -> None:
    notes = written("", "2026-01-01 10:00", "2026-01-02 10:00")
    assert gone_notes(notes, OLD) == "bc"
    assert gone_notes(notes, Policy(over=1)) == "bc"
    assert gone_notes(notes, Policy(over=0, no_floor=True, keep_within=JULY)) == "bc"


def test_of_notes_of_one_minute_the_later_in_the_file_is_the_newer() -> None:
    notes = written(*["2026-01-01 10:00"] * 3)
    assert gone_notes(notes, OLD) == "ab"
    assert gone_notes(notes, OLD._replace(keep_last=2)) == "a"
    assert gone_notes(notes, OLD._replace(no_floor=True)) == "abc"


def test_filters_narrow_notes_and_what_is_recent_stays() -> None:
    notes = written("2026-01-01 10:00", "2026-06-01 10:00", "2026-08-01 10:00")
    assert gone_notes(notes, OLD._replace(filters=Filters(matching="B"))) == "b"
    assert gone_notes(notes, OLD._replace(keep_within=datetime(2026, 6, 1, 10, tzinfo=UTC))) == "a"
    assert gone_notes(notes, OLD._replace(include_user_authored=True)) == "ab"


STAMPS = MOMENTS.map(lambda moment: f"{moment:%Y-%m-%d %H:%M}") | st.just("")


@given(st.lists(STAMPS, max_size=12), POLICIES.map(lambda policy: policy._replace(filters=Filters())))
def test_each_note_that_goes_has_a_true_reason_and_no_keep(stamps: list[str], policy: Policy) -> None:
    notes = written(*stamps)
    keys = [(not stamp, stamp, at) for at, stamp in enumerate(stamps)]
    places = {at: place for place, (_, _, at) in enumerate(sorted(keys, reverse=True))}
    expected = []
    for at, note in enumerate(notes):
        moment = read_stamp(note.stamp or "")
        old = policy.older_than is not None and moment is not None and moment < policy.older_than
        over = policy.over is not None and places[at] >= policy.over
        kept = places[at] < max(policy.keep_last, 0 if policy.no_floor else 1)
        recent = policy.keep_within is not None and (moment is None or moment >= policy.keep_within)
        if (old or over) and not kept and not recent:
            expected.append(at)
    assert [removal.position for removal in select_notes(notes, policy)] == expected
