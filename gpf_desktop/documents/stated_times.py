"""The many ways in which a source says when an item appeared, read as an aware time."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from email.utils import parsedate_to_datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from gpf_desktop.documents.named_dates import read_named
from gpf_desktop.domain.text import tr

EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)
"""What is dated before is a clock or a default gone wrong (1970-01-01), not news."""

_LONGEST = 80
# Several stand for more than one zone: BST is taken as Britain's, IST as India's, CST as North America's.
_ZONES = {
    "UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "BST": 60, "IST": 330, "WEST": 60, "CET": 60, "CEST": 120,
    "EET": 120, "EEST": 180, "MSK": 180, "JST": 540, "KST": 540, "SGT": 480, "HKT": 480, "AEST": 600, "AEDT": 660,
    "NZST": 720, "NZDT": 780, "EST": -300, "EDT": -240, "CST": -360, "CDT": -300, "MST": -420, "MDT": -360,
    "PST": -480, "PDT": -420, "МСК": 180,
    "MEZ": 60, "MESZ": 120, "SAST": 120, "CAT": 120, "WAT": 60, "EAT": 180, "TRT": 180, "PKT": 300,
    "ICT": 420, "WIB": 420, "WITA": 480, "WIT": 540, "PHT": 480, "BRT": -180, "ART": -180,
}  # fmt: skip
_FURTHEST = 16 * 60
_TIME_OF_DAY = re.compile(r":\d\d\s*$")
_UNITS = {
    "second": 1, "sec": 1, "minute": 60, "min": 60, "hour": 3600, "hr": 3600, "h": 3600, "day": 86400, "d": 86400,
    "week": 604800,
}  # fmt: skip
_AGO = re.compile(
    r"^(?:about |over |updated )?(\d{1,4}|an?|one) ?(second|sec|minute|min|hour|hr|h|day|d|week)s?\.? ago$"
)
_DAY_WORD = re.compile(r"^(today|yesterday|just now|now)(?:,? (?:at )?(\d{1,2}):(\d{2}))?$")
_EPOCH = re.compile(r"^\d{9,10}(?:\d{3})?(?:\.\d+)?$")
_ZONE = re.compile(
    r"\s*\(?(?:(?:\b|(?<=:\d\d))([A-ZМСК]{1,5})|(?:(?:GMT|UTC?) ?)?([+−-])(\d{2}):?(\d{2})"
    r"|(?:GMT|UTC?) ?([+−-])(\d{1,2})(?::(\d{2}))?|(?<=:\d\d)([+−-])(\d{2}))\)?$"
)
# JavaScript writes a zone's name behind its offset, Java its place.
_NAMED_TWICE = re.compile(r"(?<=[+−-]\d{4}) ?\([^()]+\)$|(?<=[+−-]\d\d:\d\d)\[[A-Za-z]+/[\w/+-]+\]$")
_PLACE = re.compile(r" ?[\[( ]([A-Za-z]+/[\w/+-]+)[\])]?$")
_MONTH_NAMES = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september", "october"),
    *("november", "december"),
)
_DAY_NAME_DATE = re.compile(
    r"^(?:[a-z]+,? ?)?(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{4}|(?<=-)\d\d(?= ))\b(.*)$"
)
_NAME_DAY_DATE = re.compile(r"^(?:[a-z]+,? )?([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})\b(.*)$")
# Before a date of digits only: “Thứ sáu, 27/11/2026”.
_WEEKDAY = re.compile(r"^[^\d]{2,20}\s+(?=\d{1,4}[/.-]\d{1,2}[/.-]\d)")
_YEAR_FIRST = re.compile(r"^(\d{4})[/.-] ?(\d{1,2})[/.-] ?(\d{1,2})(?!\d)\.?(.*)$")
_YEAR_LAST = re.compile(r"^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?!\d)(.*)$")
_CLOCK = re.compile(
    r"^[ ,t|–-]*(?:(?:at|às|as|à|a las|kl|klo|ore|alle|um|в|о)\.? )?(\d{1,2})(?:[:.]| ?h ?)(\d{2})"
    r"(?:[:.](\d{2})(?:[.,]\d+)?)? ?(?:([ap])\.?m\.?|uhr|hrs?|h)?\.?$"
)
_RUN_TOGETHER = re.compile(r"^((?:19|20)\d{6})(\d{4}(?:\d{2})?)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedTime:
    """A time as a source states it: an aware time, or None, and a note where something was odd."""

    when: datetime | None
    note: str = ""


def read_time(text: str, *, now: datetime | None, language: str = "") -> StatedTime:
    """Reads RFC 822 and ISO 8601 dates, epochs, "2 hours ago", "Nov 20, 2026" and the like, months in any language.

    *now* is when the document was retrieved: relative times are counted from it, and what claims to be more
    than a day later than it is not believed. Where no zone is stated, UTC is assumed and the note says so. *language*
    is that of the document, where it says so: “listopad” is one month in Polish and another in Croatian.
    """
    words = " ".join(text.split())
    if not words:
        return StatedTime(when=None, note=tr("no publication time: the retrieval time is used"))
    found = _understood(words, now, language) if len(words) <= _LONGEST else None
    if found is None:
        shown = words if len(words) <= _LONGEST else words[:_LONGEST] + "…"
        note = tr("publication time “{text}” not understood: the retrieval time is used", text=shown)
        return StatedTime(when=None, note=note)
    notes: list[str] = []
    ahead = found.utcoffset()
    # No place is further off, and an offset of days would make it another day.
    if ahead is None or abs(ahead) >= timedelta(minutes=_FURTHEST):
        found = found.replace(tzinfo=UTC)
        notes.append(tr("publication time without a zone: UTC assumed"))
    if _either_order(words):
        notes.append(
            tr("publication time “{text}” could be read in two ways: the day is taken to stand first", text=words)
        )
    try:
        found = found.astimezone(UTC)
    # An offset in the first or the last year leads out of the calendar.
    except OverflowError:
        found = EARLIEST - timedelta(days=1)
    if found < EARLIEST:
        return StatedTime(when=None, note=tr("publication time “{text}” is too old to be meant", text=words))
    if now is not None and found > now + timedelta(days=1):
        note = tr("publication time “{text}” lies in the future: the retrieval time is used", text=words)
        return StatedTime(when=None, note=note)
    return StatedTime(when=found, note="; ".join(notes))


def _either_order(words: str) -> bool:
    """Whether day and month may be either: with slashes Americans write the month first, most others the day; other
    marks stand behind the day alone."""
    match = _YEAR_LAST.match(_WEEKDAY.sub("", words))
    return match is not None and "/" in match[0] and match[1] != match[2] and max(int(match[1]), int(match[2])) <= 12


def _understood(words: str, now: datetime | None, language: str) -> datetime | None:
    words = _NAMED_TWICE.sub("", words)
    bare, zone = _without_zone(words)
    readers: tuple[Callable[[], datetime | None], ...] = (
        lambda: _iso(words),
        lambda: _iso(bare),
        lambda: _worded(bare.lower()),
        lambda: _worded(_WEEKDAY.sub("", bare.lower())),
        # Without the zone where ours was read: the mail parser knows few names of zones and takes others for none.
        lambda: parsedate_to_datetime(words if zone is None else bare),
        lambda: _relative(words.lower(), now),
        lambda: _epoch(words),
        lambda: read_named(unicodedata.normalize("NFC", bare.strip(" ,(").lower()), language),
    )
    for read in readers:
        try:
            found = read()
        # The mail parser lets IndexError and TypeError out for some nonsense, beside the ValueError it promises.
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
        if found is not None:
            return found if found.tzinfo is not None or zone is None else found.replace(tzinfo=zone)
    return None


def _without_zone(words: str) -> tuple[str, tzinfo | None]:
    match = _ZONE.search(words)
    if match is None:
        return _without_place(words)
    if match[1] is not None:
        minutes = _ZONES.get(match[1])
    else:
        hours, past = match[3] or match[6] or match[9], match[4] or match[7] or "0"
        ahead = (match[2] or match[5] or match[8]) == "+"
        minutes = (int(hours) * 60 + int(past)) * (1 if ahead else -1)
    # No place is further off; “19-Nov-2026” ends in a year.
    if minutes is None or abs(minutes) >= _FURTHEST:
        # Behind a time of day it is an offset that no place has, and says nothing.
        no_place = minutes is not None and _TIME_OF_DAY.search(words[: match.start()])
        return (words[: match.start()] if no_place else words), None
    return words[: match.start()], timezone(timedelta(minutes=minutes))


def _without_place(words: str) -> tuple[str, tzinfo | None]:
    match = _PLACE.search(words)
    try:
        return (words, None) if match is None else (words[: match.start()], ZoneInfo(match[1]))
    except (ValueError, OSError, ZoneInfoNotFoundError):
        return words, None


def _iso(words: str) -> datetime | None:
    if together := _RUN_TOGETHER.match(words):
        return datetime.fromisoformat(f"{together[1]}T{together[2]}")
    # Eight digits are a date; nine and more are seconds since 1970.
    dated = words[:4].isdigit() and (len(words) == 8 or (len(words) > 8 and not words.isdigit()))
    return datetime.fromisoformat(words) if dated else None


def _worded(words: str) -> datetime | None:
    """Dates by parts, not by `strptime`: month names must be English whatever the user's locale is."""
    if match := _DAY_NAME_DATE.match(words):
        # Of two figures in the dates of RFC 850.
        return _on(f"20{match[3]}"[-4:], _month(match[2]), match[1], match[4])
    if match := _NAME_DAY_DATE.match(words):
        return _on(match[3], _month(match[1]), match[2], match[4])
    if match := _YEAR_FIRST.match(words):
        return _on(match[1], int(match[2]), match[3], match[4])
    if match := _YEAR_LAST.match(words):
        # The day stands first unless only the other order is a date.
        day, month = (match[1], match[2]) if int(match[2]) <= 12 else (match[2], match[1])
        return _on(match[3], int(month), day, match[4])
    return None


def _month(name: str) -> int:
    # By all of its letters: Finland's “marras” is no March.
    whole = "sep" if name == "sept" else name
    return next((number for number, month in enumerate(_MONTH_NAMES, start=1) if month.startswith(whole)), 0)


def _on(year: str, month: int, day: str, clock: str) -> datetime | None:
    found = datetime(int(year), month, int(day))  # noqa: DTZ001 - the zone is settled by the caller
    if not clock.strip():
        return found
    match = _CLOCK.match(clock)
    if match is None:
        return None
    hour = int(match[1]) % 12 + (12 if match[4] == "p" else 0) if match[4] else int(match[1])
    if hour > 24 or int(match[2]) > 59:
        return None
    # By addition: 24:00 and a leap second are the moment after, where `replace` would raise.
    return found + timedelta(hours=hour, minutes=int(match[2]), seconds=int(match[3] or 0))


def _relative(words: str, now: datetime | None) -> datetime | None:
    if now is None:
        return None
    if ago := _AGO.match(words):
        count = int(ago[1]) if ago[1].isdigit() else 1
        return now - timedelta(seconds=count * _UNITS[ago[2]])
    if day := _DAY_WORD.match(words):
        base = now - timedelta(days=1) if day[1] == "yesterday" else now
        if day[2] is None:
            return base
        return base.replace(hour=int(day[2]), minute=int(day[3]), second=0, microsecond=0)
    return None


def _epoch(words: str) -> datetime | None:
    if not _EPOCH.match(words):
        return None
    seconds = float(words)
    # 10^11 is the year 5138 in seconds and 1973 in milliseconds: nothing that is meant lies between.
    return datetime.fromtimestamp(seconds / 1000 if seconds > 1e11 else seconds, tz=UTC)
