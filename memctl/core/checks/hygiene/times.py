"""Time: memories that nobody touched for long, whose own time is over, or that count days from a day nobody knows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import TYPE_CHECKING

from memctl.core.ages import read_date
from memctl.core.checks.hygiene.dates import DATE, last_day
from memctl.core.checks.hygiene.signs import Sign, each
from memctl.core.checks.hygiene.units import Unit, finding, lowered, quoted
from memctl.core.checks.loading import field_place
from memctl.core.checks.rule import Finding, Severity
from memctl.core.dialects import hq

if TYPE_CHECKING:
    import re

_KEYS = frozenset(
    "validuntil validto validthrough expires expiresat expireson expiry expirydate expiration expirationdate expireat"
    " expire expired expiredat expireddate until enddate due duedate bestbefore notafter invalidat invalidafter invalidfrom"
    " invalidatedat ends endsat endat endson sunset sunsetat".split()
)
_NUMBER = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few|a couple of|several|some)"
_WEEKDAY = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAY = r"(?:mon|tues?|wed|thu(?:rs)?|fri|sat|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)"
# Where the words stand behind the date.
_TILL = r"(?: ?(?:に|で)?(?:まで|期限|締切|締め切り)| ?까지|为止|為止|截止|到期|失效)"
_RELATIVE = (
    Sign(("day", "tomorrow", "tonight"), r"(?<![\w.`/-])(?:today|tomorrow|yesterday|tonight)(?![\w(`-]|'s\b)"),
    Sign(("next ", "last ", "this ", "coming "), rf"\b(?:next|last|this|this coming|coming) (?:week|weekend|month|quarter|year|sprint|{_WEEKDAY})\b(?! of\b)|\blast night\b|\bthis (?:morning|afternoon|evening)\b"),
    Sign(("in ",), rf"\bin {_NUMBER} (?:more )?(?:days?|weeks?|months?)\b(?! (?:or less|at most))"),
    Sign((" ago", "from now"), rf"\b{_NUMBER} (?:minutes?|hours?|days?|weeks?|months?|years?) (?:ago|from now)\b"),
    Sign(("day", "ago", "just now"), rf"\b(?:by|until|due) {_WEEKDAY}\b(?!,? (?:the )?\d)|\bthe other day\b|\ba while ago\b|\bjust now\b|\bthe day (?:before yesterday|after tomorrow)\b"),
    Sign(("gestern", "heute", "morgen", "woche", "monat", "quartal", "jahr", "tag", "freitag"), r"(?<!\w)(?:heute|gestern|vorgestern|übermorgen)(?!\w)|\b(?:nächste|letzte|kommende|vorige|diese)[nrs]? (?:woche|monat|quartal|jahr|montag|freitag)\b|\b(?:in|vor) (?:zwei|drei|\d{1,2}) (?:tagen|wochen|monaten)\b"),
    Sign(("aujourd", "demain", "hier", "semaine", "mois", "année", "jours"), r"(?<!\w)(?:aujourd'hui|demain|après-demain|avant-hier)(?!\w)|\b(?:la semaine|le mois|l'année) (?:prochaine?|dernière?)\b|\bil y a (?:deux|trois|\d{1,2}) (?:jours|semaines|mois)\b|\bdans (?:deux|trois|\d{1,2}) (?:jours|semaines|mois)\b"),
    Sign(("mañana", "ayer", "hoy", "semana", "día", "mes"), r"(?<!\w)(?<!la )(?<!esta )(?:mañana|ayer|hoy|anteayer)(?!\w)|\bla (?:próxima semana|semana (?:que viene|pasada|próxima))\b|\b(?:hace|dentro de) (?:dos|tres|\d{1,2}) (?:días|semanas|meses)\b"),
    Sign(("amanhã", "ontem", "hoje", "semana", "domani", "ieri", "oggi", "settimana"), r"(?<!\w)(?:amanhã|ontem|hoje)(?!\w)|\b(?:próxima semana|semana (?:que vem|passada))\b|(?<!\w)(?:domani|dopodomani|ieri|oggi)(?!\w)|\bla settimana (?:prossima|scorsa)\b"),
    Sign(("gisteren", "vandaag", "overmorgen", "week", "maand", "завтра", "вчера", "сегодня", "неделе", "месяце"), r"(?<!\w)(?:gisteren|vandaag|overmorgen)(?!\w)|\b(?:volgende|vorige) (?:week|maand)\b|(?<!\w)(?:завтра|вчера|сегодня|послезавтра|позавчера)(?!\w)|на (?:следующей|прошлой|этой) неделе|в (?:следующем|прошлом) месяце"),
    Sign(tuple("天年周週星月日내어오모다지이"), r"明天|昨天|今天|后天|後天|前天|(?:下|上|本|这|這)个?(?:周|週|星期|月|季度)|明年|去年|(?<!説)明日|昨日|今日|明後日|来週|先週|今週|来月|先月|今月|내일|어제|오늘|모레|다음 ?주|지난 ?주|이번 ?주|다음 ?달|지난 ?달"),
)  # fmt: skip
_RECURRING = ("each ", "every ", "weekly", "monthly", "always ")
_UNTIL = (
    r"(?<!\w)(?:valid (?:until|till|through|to)|good until|(?:expires?|expired|expiry|expiration)(?: date)?(?: on| at| is)?"
    r"|until|till|through|no later than|by|due(?: on| by| date)?(?: is)?|deadline(?: is)?|ends?(?: on)?|not (?:valid )?after"
    r"|best before|gültig bis|bis(?: zum)?|läuft ab am|endet am|jusqu'au|valable jusqu'au|hasta(?: el)?|válido hasta|fino al|até|geldig tot|tot|до"
    r"|valide jusqu'au|valido fino al|válido até|действует до|有效期[至到]|有效期截?止?[至到]?|有效至|截止[至到]?|截至|失效日期|到期日|期限は?|有効期限は?|만료일은?)"
    rf"(?:\s{{0,2}}[:：=]?\s{{0,2}}|\s)(?:(?:the|{_WEEKDAY}|{_DAY}),? ){{0,2}}"
)  # fmt: skip
_OVER = ("was ", "were ", "used to", "had ", "lasted", "ended", "until then")
_OVER_BEHIND = ("した", "だった", "했", "였")


@cache
def _until() -> re.Pattern[str]:
    import re

    return re.compile(f"{_UNTIL}(?:{DATE})")


@cache
def _till() -> re.Pattern[str]:
    import re

    return re.compile(f"(?:{DATE}){_TILL}")


def stale(unit: Unit, today: date, days: int) -> Iterator[Finding]:
    """Yield a unit whose last update is more than so many days old; what has no date is never old."""
    day = read_date(unit.day)
    if day is None or (today - day).days <= days:
        return
    age = (today - day).days
    message = f"not updated for {age:,} days, since {unit.day}"
    lines = unit.head.split("\n")[1:]
    for key in ("updated", "created") if lines else ():
        line, column, length, value = field_place(lines, key)
        if value.strip("\"'") == unit.day:
            yield Finding("H004", Severity.INFO, unit.file, message, unit.day, line, column, length)
            return
    yield finding(unit, "H004", Severity.INFO, message, unit.day)


def expired(unit: Unit, today: date) -> Iterator[Finding]:
    """Yield a unit that says itself until when it holds: in a key of its front matter, or in its text."""
    if unit.head:
        lines = unit.head.split("\n")[1:]
        for key in dict.fromkeys(key for key, *_ in hq.scan(lines)):
            if key.lower().replace("-", "").replace("_", "") in _KEYS:
                line, column, length, value = field_place(lines, key)
                day = read_date(value.strip("\"'")[:10])
                if day is not None and day < today:
                    message = f"'{key}' is {day}: its time is over"
                    yield Finding("H005", Severity.WARNING, unit.file, message, f"{key}:{value}", line, column, length)
    for part in unit.parts:
        folded = lowered(part.text)
        for match in _ends(folded.text):
            day = last_day(match)
            if day is None or day >= today:
                continue
            start, end = folded.span(*match.span())
            words = part.text[start:end]
            message = f"its time is over: {quoted(words)}"
            yield finding(unit, "H005", Severity.WARNING, message, words, part.start + start, end - start)
            break


def _ends(text: str) -> Iterator[re.Match[str]]:
    """Yield where a text says until when it holds, and not until when something held."""
    if not any(digit in text for digit in "0123456789"):
        return
    for match in _until().finditer(text):
        before = text[max(0, match.start() - 60) : match.start()].rpartition(". ")[2]
        if not any(word in before for word in _OVER):
            yield match
    if not text.isascii():
        for match in _till().finditer(text):
            if not any(word in text[match.end() : match.end() + 20] for word in _OVER_BEHIND):
                yield match


def relative(unit: Unit) -> Iterator[Finding]:
    """Yield dates that count from the day on which somebody wrote them, each once."""
    seen: set[str] = set()
    for part in unit.parts:
        folded = lowered(part.text)
        for match in each(_RELATIVE, folded.text):
            words = match[0]
            near = folded.text[max(0, match.start() - 80) : match.end() + 40]
            if words in seen or any(word in near for word in _RECURRING):
                continue
            seen.add(words)
            start, end = folded.span(*match.span())
            message = f"{quoted(part.text[start:end])} counts from a day that nobody knows any more; write the date"
            yield finding(unit, "H010", Severity.INFO, message, words, part.start + start, end - start)
