"""Dates as people write them, in some languages, and the last day that each means."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

from memctl.core.ages import read_date

if TYPE_CHECKING:
    import re

_NAMES = (
    "january jan janvier januar enero gennaio janeiro januari января",
    "february feb février februar febrero febbraio fevereiro februari февраля",
    "march mar mars märz marzo março maart марта",
    "april apr avril abril aprile апреля",
    "may mai mayo maggio maio mei мая",
    "june jun juin juni junio giugno junho июня",
    "july jul juillet juli julio luglio julho июля",
    "august aug août agosto augustus августа",
    "september sep sept septembre septiembre settembre setembro сентября",
    "october oct octobre oktober octubre ottobre outubro октября",
    "november nov novembre noviembre novembro ноября",
    "december dec décembre dezember diciembre dicembre dezembro декабря",
)
_MONTHS = {name: number for number, names in enumerate(_NAMES, 1) for name in names.split()}
_MONTH = "|".join(sorted(_MONTHS, key=lambda name: (-len(name), name)))
_NTH = r"(?:st|nd|rd|th|er|º|\.)?"
# Of the parts of a date each has a name with a number, since a pattern has each name once.
DATE = (
    r"(?P<iso>\d{4}-\d\d-\d\d)|(?P<slashed>\d{4}/\d{1,2}/\d{1,2})|(?P<dotted>\d{1,2}\.\d{1,2}\.\d{4})"
    rf"|(?P<day>\d{{1,2}}){_NTH} (?:of |de )?(?P<month>{_MONTH})\.?,? (?:de )?(?P<year>\d{{4}})"
    rf"|(?P<month2>{_MONTH})\.? (?P<day2>\d{{1,2}}){_NTH},? (?P<year2>\d{{4}})"
    rf"|(?:the )?(?:end of )?(?P<month3>{_MONTH})\.? (?P<year3>\d{{4}})"
    r"|(?:the )?(?:end of )?q(?P<quarter>[1-4])[ /-]?(?P<year4>\d{4})|(?:the )?end of (?P<year5>20\d\d)\b|(?P<month6>\d{4}-\d\d)\b"
    r"|(?P<year7>\d{4}) ?[年년] ?(?P<month7>\d{1,2}) ?[月월](?: ?(?P<day7>\d{1,2}) ?[日号號일])?"
)


def last_day(match: re.Match[str]) -> date | None:
    """Return the last day of what a text calls a date, None for one that is none."""
    found = {key.rstrip("234567"): value for key, value in match.groupdict().items() if value}
    if "iso" in found:
        return read_date(found["iso"])
    if "dotted" in found:
        day, month, year = map(int, found["dotted"].split("."))
    elif "slashed" in found:
        year, month, day = map(int, found["slashed"].split("/"))
    elif "quarter" in found:
        year, month, day = int(found["year"]), int(found["quarter"]) * 3, 0
    elif "month" in found:
        name = found["month"]
        year, month, day = int(found.get("year", name[:4])), _MONTHS.get(name, 0), int(found.get("day", 0))
        month = month or int(name.rpartition("-")[2])
    else:
        year, month, day = int(found["year"]), 12, 0
    try:
        if day:
            return date(year, month, day)
        return date(year + month // 12, date(year, month, 1).month % 12 + 1, 1) - timedelta(days=1)
    except ValueError:
        return None
