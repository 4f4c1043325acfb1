"""Strange clocks and time zones: prune never removes what is too young (R14)."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.running import MEMCTL, environment
from tests.conftest import Done
from tests.faults.conftest import Figures, count, need
from tests.faults.forked import Forking
from tests.stores import AGENT, fill, memory

ZONES = ("UTC", "Pacific/Kiritimati", "America/Adak", "Asia/Kathmandu", "XXX-25:59", ":/dev/null", "nonsense", "")
CLOCKS = (
    "2024-02-29T00:00:00Z",
    "2024-02-29T23:59:59+14:00",
    "2026-11-30T12:00:00Z",
    "2026-12-31T23:59:60Z",
    "2027-01-01T00:00:00-12:00",
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-14:00",
    "1970-01-01T00:00:00Z",
    "1999-12-31T12:00:00",
    "0001-01-01T00:00:00Z",
    "0001-01-02T00:00:00+14:00",
)
AGES = ("30d", "1d", "0d", "1mo", "1y", "4y", "2w", "2024-02-29", "2024-02-28", "9999-12-31", "yesterday", "today")
DATES = (
    "0001-01-01 1969-12-31 1970-01-01 1999-12-01 1999-12-30 2023-02-28 2023-03-01 2024-01-29 2024-01-30 2024-02-27 "
    "2024-02-28 2024-02-29 2025-11-30 2026-10-30 2026-10-31 2026-11-29 2026-11-30 2026-12-01 2026-12-31 2027-01-01 "
    "9998-12-31 9999-12-30 9999-12-31"
).split()
ODD = ("2023-02-29", "2024-2-9", "10000-01-01", "tomorrow", "2024-02-29T00:00:00Z")


def make(place: Path, dates: tuple[str, ...]) -> Path:
    """Make an agent with a memory of each date, by whose name the date can be told."""
    shutil.rmtree(place, ignore_errors=True)
    files = {f"m{at:02}.md": memory(f"m{at:02}", updated=date) for at, date in enumerate(dates)}
    fill(place / "memory" / AGENT, files)
    return place


def left(place: Path, dates: tuple[str, ...]) -> set[str]:
    """Return the dates of the memories that are still there."""
    return {date for at, date in enumerate(dates) if (place / "memory" / AGENT / f"m{at:02}.md").exists()}


def moment_of(clock: str) -> datetime | None:
    """Return the moment of a clock in UTC; None where no calendar has it."""
    try:
        moment = datetime.fromisoformat(clock)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def is_too_young(date: str, age: str, now: datetime) -> bool:
    """Return whether something of that date may not go; it is judged by days alone, and on the safe side."""
    try:
        day = datetime.strptime(date, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        return True  # what is no date is never old
    if len(date) != 10:
        return True
    if age in ("today", "yesterday"):
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        limit = midnight - timedelta(days=1) if age == "yesterday" and midnight.year > 1 else midnight
        return day >= limit
    if age[4:5] == "-":
        return day >= datetime.strptime(age, "%Y-%m-%d").replace(tzinfo=UTC)
    number, unit = int(age.rstrip("dwmoy")), age.lstrip("0123456789")
    shortest = {"d": 1, "w": 7, "mo": 28, "y": 365}[unit]
    return (now - day) < timedelta(days=number * shortest)


def judge(done: Done, place: Path, dates: tuple[str, ...], age: str, now: datetime | None) -> int:
    """Check that nothing too young went; return how many memories went."""
    there = left(place, dates)
    if now is None:
        assert (done.code, there) == (78, set(dates)), done
        return 0
    gone = set(dates) - there
    wrong = {date for date in gone if is_too_young(date, age, now)}
    assert not wrong, (done, age, now)
    assert done.code in (0, 2), done  # 2: an age that reaches back before the year 1
    return len(gone)


def test_prune_takes_nothing_young_at_any_clock(forking: Forking, tmp_path: Path, figures: Figures) -> None:
    dates = (*DATES, *ODD)
    number = count(500, least=33)
    removed = 0
    for at in range(number):
        clock = CLOCKS[at % len(CLOCKS)]
        age = AGES[at // len(CLOCKS) % len(AGES)]
        zone = ZONES[(at * 5 + at // len(CLOCKS)) % len(ZONES)]
        place = make(tmp_path / "place", dates)
        env = {**os.environ, "MEMCTL_NOW": clock, "TZ": zone, "HOME": str(tmp_path)}
        words = ["--root", place, "prune", "-y", "--no-history", "--no-floor", AGENT, "--older-than", age]
        ended = forking(*words, env=env)
        removed += judge(Done(*ended), place, dates, age, moment_of(clock))
    assert removed > number
    figures("R14", clocks=number, removed=removed, too_young=0)


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Adak"])
@pytest.mark.parametrize(
    "clock", ["2024-02-29 12:00:00", "2026-03-29 02:30:00", "2037-12-31 23:59:59", "1971-01-01 00:00:01"]
)
def test_prune_takes_nothing_young_where_the_clock_of_the_system_is_wrong(
    tmp_path: Path, figures: Figures, clock: str, zone: str
) -> None:
    need("faketime")
    day = clock[:10]
    near = [
        (datetime.fromisoformat(day) + timedelta(days=shift)).strftime("%Y-%m-%d")
        for shift in (-32, -31, -30, -29, -1, 0, 1)
    ]
    dates = tuple(near)
    place = make(tmp_path / "place", dates)
    # It is given in the time of the zone, which is up to 14 hours from UTC.
    env = environment({"TZ": zone})
    command = [
        "faketime",
        clock,
        *MEMCTL,
        "--root",
        str(place),
        "prune",
        "-y",
        "--no-floor",
        AGENT,
        "--older-than",
        "30d",
    ]

    ended = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 0, ended.stderr
    assert dates[0] not in left(place, dates)
    assert set(dates[3:]) <= left(place, dates)
    history = subprocess.run(
        ["faketime", clock, *MEMCTL, "history"], env=env, capture_output=True, text=True, timeout=60
    )
    stamped = abs(
        datetime.fromisoformat(history.stdout.split("\t")[1].replace("Z", "")) - datetime.fromisoformat(clock)
    )
    assert stamped < timedelta(days=1), history.stdout  # the clock was the wrong one
    figures("R14", clocks=1)


def test_a_clock_that_goes_back_removes_no_more(forking: Forking, tmp_path: Path) -> None:
    place = make(tmp_path / "place", tuple(DATES))
    words = ["--root", place, "prune", "-y", "--no-floor", AGENT, "--older-than", "30d"]
    env = {**os.environ, "HOME": str(tmp_path)}
    assert forking(*words, env=env | {"MEMCTL_NOW": "2026-11-30T12:00:00Z"}).code == 0
    there = left(place, tuple(DATES))
    assert {"2026-11-29", "2026-12-31", "9999-12-31"} <= there
    assert forking(*words, env=env | {"MEMCTL_NOW": "1999-12-31T12:00:00Z"}).code == 0
    assert left(place, tuple(DATES)) == there
    # What was done later by the clock can be taken back, though now is before it.
    ended = forking("--root", place, "undo", "-y", env=env | {"MEMCTL_NOW": "1970-01-01T00:00:00Z"})
    assert ended.code == 0, ended
    assert left(place, tuple(DATES)) == set(DATES)


def test_a_clock_far_ahead_drops_no_change_of_today(forking: Forking, tmp_path: Path) -> None:
    # The history is kept for 90 days, by the clock; one that jumps ahead is no reason to lose what was just done.
    place = make(tmp_path / "place", tuple(DATES))
    env = {**os.environ, "HOME": str(tmp_path)}
    for clock in ("2026-11-30T12:00:00Z", "9999-12-31T23:59:59Z"):
        words = ["--root", place, "delete", "-y", f"{AGENT}/m0{int(clock.startswith('9'))}"]
        assert forking(*words, env=env | {"MEMCTL_NOW": clock}).code == 0
    shown = forking("history", env=env | {"MEMCTL_NOW": "2026-11-30T12:00:00Z"})
    assert shown.out.count("delete") >= 1
