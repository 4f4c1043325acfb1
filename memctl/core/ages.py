"""Ages and dates: `30d`, `2w`, `6mo`, `1y`, `2026-01-31`, `yesterday`, and what is older than what."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from memctl.errors import UsageError

_DAY = timedelta(days=1)
_MONTH = 30 * 86_400  # seconds


def read_date(text: str) -> date | None:
    """Return the UTC date that a stored text is (`YYYY-MM-DD`, nothing else), or None."""
    if len(text) == 10 and text.isascii() and text[4] == text[7] == "-":
        try:
            return date.fromisoformat(text)
        except ValueError:
            return None
    return None


def cutoff(text: str, now: datetime) -> datetime:
    """Return the moment (UTC) that an age or date of the command line means.

    `30d 2w 6mo 1y` count back from `now`, months and years by the calendar; a date is its first moment; `today` and
    `yesterday` are dates. Raises UsageError for anything else, a bare `m` too, which could be minutes or months.
    """
    word = text.strip().lower()
    now = now.astimezone(UTC)
    if word == "today":
        return _midnight(now.date())
    if word == "yesterday":
        word = "1d"
        now = _midnight(now.date())
    if day := read_date(word):
        return _midnight(day)
    digits = word.rstrip("abcdefghijklmnopqrstuvwxyz")
    unit = word[len(digits) :]
    if digits.isascii() and digits.isdigit() and unit in ("d", "w", "mo", "y"):
        try:
            return _back(now, int(digits), unit)
        except (OverflowError, ValueError):
            raise UsageError(f"the age '{text}' reaches back before the year 1") from None
    hint = "ages are 30d, 2w, 6mo, 1y; dates are 2026-01-31, today, yesterday"
    if digits.isdigit() and unit in ("m", "min"):
        hint = f"for months write {digits}mo; {hint}"
    raise UsageError(f"'{text}' is no age and no date", hint=hint)


def is_older(stored: str, moment: datetime) -> bool:
    """Return whether the stored day was over at `moment`.

    Stored dates are days, so an age counts from the end of that UTC day; what is no date is never old (DESIGN 6).
    """
    day = read_date(stored)
    if day is None or day == date.max:
        return False
    return _midnight(day + _DAY) <= moment


def is_since(stored: str, moment: datetime) -> bool:
    """Return whether the stored day had not ended before `moment`; what is no date is not since anything."""
    day = read_date(stored)
    return day is not None and not is_older(stored, moment)


def ago(moment: datetime, now: datetime) -> str:
    """Return how long ago a moment was, for a person: `3 minutes ago`; beyond a month, or ahead of `now`, its UTC date."""
    seconds = (now - moment).total_seconds()
    if not 0 <= seconds < _MONTH:
        return moment.astimezone(UTC).date().isoformat()
    for length, word in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        count = int(seconds // length)
        if count:
            return f"{count} {word}{'s' if count > 1 else ''} ago"
    return "just now"


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _back(now: datetime, count: int, unit: str) -> datetime:
    if unit in ("d", "w"):
        return now - timedelta(days=count * (7 if unit == "w" else 1))
    from calendar import monthrange

    months = now.year * 12 + now.month - 1 - count * (12 if unit == "y" else 1)
    year, month = months // 12, months % 12 + 1
    # The 31st of March minus one month is the last day of February.
    return now.replace(year=year, month=month, day=min(now.day, monthrange(year, month)[1]))
