"""Time: memories that nobody touched for long, whose own time is over, or that count days from a day nobody knows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from typing import TYPE_CHECKING

from memctl.core.ages import read_date
from memctl.core.checks.folding import fold
from memctl.core.checks.loading import field_place
from memctl.core.checks.rule import Finding, Severity
from memctl.core.checks.units import Unit, finding, quoted
from memctl.core.dialects import hq

if TYPE_CHECKING:
    import re

_KEYS = frozenset(
    "valid_until validuntil valid_to valid_through expires expires_at expires_on expiresat expiry expiry_date expiration"
    " expiration_date expire_at expire until end_date due due_date best_before not_after".split()
)
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_NUMBER = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few|a couple of|several|some)"
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_RELATIVE = (
    r"(?<![\w.`/-])(?:today|tomorrow|yesterday|tonight)(?![\w(`-]|'s\b)",
    rf"\b(?:next|last|this|this coming|coming) (?:week|weekend|month|quarter|year|sprint|{_WEEKDAY})\b(?! of\b)|\blast night\b|\bthis (?:morning|afternoon|evening)\b",
    rf"\bin {_NUMBER} (?:more )?(?:days?|weeks?|months?)\b(?! (?:or less|at most))",
    rf"\b{_NUMBER} (?:minutes?|hours?|days?|weeks?|months?|years?) (?:ago|from now)\b",
    rf"\b(?:by|until|due) {_WEEKDAY}\b|\bthe other day\b|\ba while ago\b|\bjust now\b|\bthe day (?:before yesterday|after tomorrow)\b",
    r"(?<!\w)(?:heute|gestern|vorgestern|übermorgen)(?!\w)|\b(?:nächste|letzte|kommende|vorige|diese)[nrs]? (?:woche|monat|quartal|jahr|montag|freitag)\b|\b(?:in|vor) (?:zwei|drei|\d{1,2}) (?:tagen|wochen|monaten)\b",
    r"(?<!\w)(?:aujourd'hui|demain|après-demain|avant-hier)(?!\w)|\b(?:la semaine|le mois|l'année) (?:prochaine?|dernière?)\b|\bil y a (?:deux|trois|\d{1,2}) (?:jours|semaines|mois)\b|\bdans (?:deux|trois|\d{1,2}) (?:jours|semaines|mois)\b",
    r"(?<!\w)(?<!la )(?<!esta )(?:mañana|ayer|hoy|anteayer)(?!\w)|\bla (?:próxima semana|semana (?:que viene|pasada|próxima))\b|\b(?:hace|dentro de) (?:dos|tres|\d{1,2}) (?:días|semanas|meses)\b",
    r"(?<!\w)(?:amanhã|ontem|hoje)(?!\w)|\b(?:próxima semana|semana (?:que vem|passada))\b|(?<!\w)(?:domani|dopodomani|ieri|oggi)(?!\w)|\bla settimana (?:prossima|scorsa)\b",
    r"(?<!\w)(?:gisteren|vandaag|overmorgen)(?!\w)|\b(?:volgende|vorige) (?:week|maand)\b|(?<!\w)(?:завтра|вчера|сегодня|послезавтра|позавчера)(?!\w)|на (?:следующей|прошлой|этой) неделе|в (?:следующем|прошлом) месяце",
    r"明天|昨天|今天|后天|後天|前天|(?:下|上|本|这|這)个?(?:周|週|星期|月|季度)|明年|去年|(?<!説)明日|昨日|今日|明後日|来週|先週|今週|来月|先月|今月|내일|어제|오늘|모레|다음 ?주|지난 ?주|이번 ?주|다음 ?달|지난 ?달",
)  # fmt: skip
_RECURRING = ("each ", "every ", "weekly", "monthly", "always ")
_DATE = (
    r"(?P<iso>\d{4}-\d\d-\d\d)|(?P<dotted>\d{1,2}\.\d{1,2}\.\d{4})"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{'|'.join(_MONTHS)}) (?P<year>\d{{4}})"
    rf"|(?P<month2>{'|'.join(_MONTHS)}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<year2>\d{{4}})"
    rf"|(?:the )?(?:end of )?(?P<month3>{'|'.join(_MONTHS)}) (?P<year3>\d{{4}})"
    r"|(?:the )?(?:end of )?q(?P<quarter>[1-4])[ /-]?(?P<year4>\d{4})|(?:the )?end of (?P<year5>20\d\d)\b|(?P<month6>\d{4}-\d\d)\b"
)
_UNTIL = (
    r"(?<!\w)(?:valid (?:until|till|through|to)|good until|(?:expires?|expired|expiry|expiration)(?: date)?(?: on| at| is)?"
    r"|until|till|through|no later than|by|due(?: on| by| date)?(?: is)?|deadline(?: is)?|ends?(?: on)?|not (?:valid )?after"
    r"|best before|gültig bis|bis(?: zum)?|läuft ab am|jusqu'au|valable jusqu'au|hasta(?: el)?|válido hasta|fino al|até|geldig tot|tot|до"
    r"|有效期至|有效至|截止到?|期限は?|まで)(?:\s{0,2}[:：=]?\s{0,2}|\s)"
)  # fmt: skip
_OVER = ("was ", "were ", "used to", "had ", "lasted", "ended", "until then")


@cache
def _relative() -> re.Pattern[str]:
    import re

    return re.compile("|".join(_RELATIVE))


@cache
def _until() -> re.Pattern[str]:
    import re

    return re.compile(f"{_UNTIL}(?:{_DATE})")


def stale(unit: Unit, today: date, days: int) -> Iterator[Finding]:
    """Yield a unit whose last update is more than so many days old; what has no date is never old."""
    day = read_date(unit.day)
    if day is None or (today - day).days <= days:
        return
    age = (today - day).days
    message = f"not updated for {age:,} days, since {unit.day}"
    at = unit.head.rfind(unit.day)  # `updated` stands last
    yield finding(unit, "H004", Severity.INFO, message, unit.day, at if at >= 0 else None, len(unit.day))


def expired(unit: Unit, today: date) -> Iterator[Finding]:
    """Yield a unit that says itself until when it holds: in a key of its front matter, or in its text."""
    if unit.head:
        lines = unit.head.split("\n")[1:]
        for key in dict.fromkeys(key for key, *_ in hq.scan(lines)):
            if key.lower().replace("-", "_") in _KEYS:
                line, column, length, value = field_place(lines, key)
                day = read_date(value.strip("\"'")[:10])
                if day is not None and day < today:
                    message = f"'{key}' is {day}: its time is over"
                    yield Finding("H005", Severity.WARNING, unit.file, message, f"{key}:{value}", line, column, length)
    for part in unit.parts:
        folded = fold(part.text)
        for match in _until().finditer(folded.text):
            before = folded.text[max(0, match.start() - 60) : match.start()].rpartition(". ")[2]
            day = _last_day(match)
            if day is None or day >= today or any(word in before for word in _OVER):
                continue
            start, end = folded.span(*match.span())
            words = part.text[start:end]
            message = f"its time is over: {quoted(words)}"
            yield finding(unit, "H005", Severity.WARNING, message, words, part.start + start, end - start)
            break


def _last_day(match: re.Match[str]) -> date | None:
    """Return the last day of what a text calls a date, None for one that is none."""
    found = {key.rstrip("23456"): value for key, value in match.groupdict().items() if value}
    if "iso" in found:
        return read_date(found["iso"])
    if "dotted" in found:
        day, month, year = map(int, found["dotted"].split("."))
    elif "quarter" in found:
        year, month, day = int(found["year"]), int(found["quarter"]) * 3, 0
    elif "month" in found and "-" in found["month"]:
        year, month, day = int(found["month"][:4]), int(found["month"][5:]), 0
    elif "month" in found:
        year, month, day = int(found["year"]), _MONTHS.index(found["month"]) + 1, int(found.get("day", 0))
    else:
        year, month, day = int(found["year"]), 12, 0
    try:
        if day:
            return date(year, month, day)
        return date(year + month // 12, date(year, month, 1).month % 12 + 1, 1) - timedelta(days=1)
    except ValueError:
        return None


def relative(unit: Unit) -> Iterator[Finding]:
    """Yield dates that count from the day on which somebody wrote them, each once."""
    seen: set[str] = set()
    for part in unit.parts:
        folded = fold(part.text)
        for match in _relative().finditer(folded.text):
            words = match[0]
            near = folded.text[max(0, match.start() - 80) : match.end() + 40]
            if words in seen or any(word in near for word in _RECURRING):
                continue
            seen.add(words)
            start, end = folded.span(*match.span())
            message = f"{quoted(part.text[start:end])} counts from a day that nobody knows any more; write the date"
            yield finding(unit, "H010", Severity.INFO, message, words, part.start + start, end - start)
