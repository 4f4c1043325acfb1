from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.core.ages import ago, cutoff, is_older, is_since, read_date
from memctl.errors import UsageError

NOW = datetime(2026, 9, 15, 10, 30, tzinfo=UTC)
MOMENTS = st.datetimes(timezones=st.just(UTC))


@given(st.dates())
def test_a_date_as_it_is_stored_is_read(day: date) -> None:
    assert read_date(day.isoformat()) == day


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yesterday",
        "2026-1-31",
        "20260131",
        "2026-01-31T00:00:00Z",
        " 2026-01-31",
        "2026-02-29",
        "2026-13-01",
        "0000-01-01",
        "2026-W05-6",
        "२०२६-01-31",
        "2026/01/31",
    ],
)
def test_any_other_text_is_no_date(text: str) -> None:
    assert read_date(text) is None


@given(st.text())
def test_reading_a_date_never_fails(text: str) -> None:
    assert read_date(text) is None or len(text) == 10


@pytest.mark.parametrize(
    ("word", "moment"),
    [
        ("30d", datetime(2026, 8, 16, 10, 30, tzinfo=UTC)),
        ("2w", datetime(2026, 9, 1, 10, 30, tzinfo=UTC)),
        ("6mo", datetime(2026, 3, 15, 10, 30, tzinfo=UTC)),
        ("9mo", datetime(2025, 12, 15, 10, 30, tzinfo=UTC)),
        ("1y", datetime(2025, 9, 15, 10, 30, tzinfo=UTC)),
        ("0d", NOW),
        (" 1Y ", datetime(2025, 9, 15, 10, 30, tzinfo=UTC)),
        ("2026-01-31", datetime(2026, 1, 31, tzinfo=UTC)),
        ("today", datetime(2026, 9, 15, tzinfo=UTC)),
        ("Yesterday", datetime(2026, 9, 14, tzinfo=UTC)),
    ],
)
def test_an_age_counts_back_from_now_and_a_date_is_its_first_moment(word: str, moment: datetime) -> None:
    assert cutoff(word, NOW) == moment


@pytest.mark.parametrize(
    ("today", "word", "day"),
    [
        ("2026-03-31", "1mo", "2026-02-28"),
        ("2028-03-31", "1mo", "2028-02-29"),
        ("2028-02-29", "1y", "2027-02-28"),
        ("2028-02-29", "4y", "2024-02-29"),
        ("2026-12-31", "1mo", "2026-11-30"),
        ("2026-01-31", "2mo", "2025-11-30"),
        ("0001-02-28", "1mo", "0001-01-28"),
        ("9999-12-31", "0mo", "9999-12-31"),
        ("9999-12-31", "10mo", "9999-02-28"),
    ],
)
def test_months_and_years_go_by_the_calendar_to_the_last_day_there_is(today: str, word: str, day: str) -> None:
    now = datetime.fromisoformat(today).replace(hour=7, tzinfo=UTC)
    assert cutoff(word, now) == datetime.fromisoformat(day).replace(hour=7, tzinfo=UTC)


def test_now_may_be_in_another_zone_and_the_machine_too(elsewhere: None) -> None:
    now = datetime(2026, 9, 15, 1, 0, tzinfo=timezone(timedelta(hours=8)))
    assert cutoff("today", now) == datetime(2026, 9, 14, tzinfo=UTC)


@pytest.mark.parametrize("word", ["3000y", "99999mo", "999999d", "9" * 30 + "d", "9" * 5000 + "w"])
def test_an_age_before_the_year_one_is_refused(word: str) -> None:
    with pytest.raises(UsageError, match=r"reaches back before the year 1$"):
        cutoff(word, NOW)


@pytest.mark.parametrize("word", ["", "30", "d", "-3d", "1.5y", "3 d", "³d", "3dd", "tomorrow", "2026-02-30", "30s"])
def test_what_is_no_age_and_no_date_is_refused(word: str) -> None:
    with pytest.raises(UsageError) as raised:
        cutoff(word, NOW)
    assert raised.value.message == f"'{word}' is no age and no date"
    assert raised.value.hint == "ages are 30d, 2w, 6mo, 1y; dates are 2026-01-31, today, yesterday"


@pytest.mark.parametrize("word", ["6m", "6min"])
def test_a_bare_m_is_refused_with_the_word_for_months(word: str) -> None:
    with pytest.raises(UsageError) as raised:
        cutoff(word, NOW)
    assert str(raised.value.hint).startswith("for months write 6mo; ")


@given(MOMENTS, st.integers(0, 12 * 10_000))
def test_months_back_are_months_back(now: datetime, count: int) -> None:
    try:
        then = cutoff(f"{count}mo", now)
    except UsageError:
        assert count >= now.year * 12 + now.month - 12
    else:
        assert (now.year - then.year) * 12 + now.month - then.month == count
        assert then.day == now.day or (then.day < now.day and (then + timedelta(days=1)).day == 1)


@pytest.mark.parametrize(
    ("stored", "moment", "older"),
    [
        ("2026-09-14", datetime(2026, 9, 15, tzinfo=UTC), True),
        ("2026-09-14", datetime(2026, 9, 14, 23, 59, 59, tzinfo=UTC), False),
        ("2026-12-31", datetime(2027, 1, 1, tzinfo=UTC), True),
        ("0001-01-01", datetime(1, 1, 2, tzinfo=UTC), True),
        ("9999-12-31", datetime(9999, 12, 31, 23, 59, tzinfo=UTC), False),
        ("9999-12-30", datetime(9999, 12, 31, tzinfo=UTC), True),
    ],
)
def test_an_age_counts_from_the_end_of_the_stored_day(stored: str, moment: datetime, older: bool) -> None:
    assert is_older(stored, moment) is older
    assert is_since(stored, moment) is not older


@given(st.text(), MOMENTS)
def test_what_is_no_date_is_never_old_nor_since_anything(stored: str, moment: datetime) -> None:
    if read_date(stored) is None:
        assert not is_older(stored, moment)
        assert not is_since(stored, moment)


@given(st.dates(), MOMENTS)
def test_a_stored_date_is_either_older_or_since(day: date, moment: datetime) -> None:
    assert is_older(str(day), moment) is not is_since(str(day), moment)
    assert is_older(str(day), moment) is (day < moment.date())


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0, "just now"),
        (59.9, "just now"),
        (60, "1 minute ago"),
        (3_599, "59 minutes ago"),
        (3_600, "1 hour ago"),
        (86_399, "23 hours ago"),
        (86_400, "1 day ago"),
        (30 * 86_400 - 1, "29 days ago"),
        (30 * 86_400, "2026-10-31"),
        (-1, "2026-11-30"),
    ],
)
def test_how_long_ago_is_said_for_a_person(seconds: float, said: str) -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert ago(now - timedelta(seconds=seconds), now) == said
