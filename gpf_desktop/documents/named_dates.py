"""Dates whose months have names in other languages than English, by the names that Unicode's CLDR lists.

    “dom, 02 ott 2022 18:55:00” → 2022-10-02 18:55

A name may stand for two months (“listopad” is November in Polish, October in Croatian): then the language of the
other words decides, the day of the week among them, and where nothing does, nothing is read.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from itertools import pairwise
from typing import Any, cast

_LANGUAGES = (
    "af", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "es", "et", "eu", "fa", "fi",
    "fil", "fr", "ga", "gl", "gu", "he", "hi", "hr", "hu", "hy", "id", "is", "it", "ja", "ka", "kk", "ko", "ky",
    "lt", "lv", "mk", "ml", "mr", "ms", "nb", "ne", "nl", "nn", "pa", "pl", "pt", "ro", "ru", "sk", "sl", "sq",
    "sr", "sr_Latn", "sv", "sw", "ta", "te", "th", "tr", "uk", "ur", "uz", "vi", "zh",
)  # fmt: skip
# What Levantine, Mesopotamian and Maghrebi papers call months; CLDR keeps them with countries, not with the language.
_MORE_ARABIC = ("ar_LB", "ar_DZ", "ar_MA")
LANGUAGES = (*_LANGUAGES, *_MORE_ARABIC)
"""Whose names of months and days are read, as Babel calls them."""
_BUDDHIST_YEARS = 543
_CLOCK = re.compile(
    r"(?<!\d)(\d{1,2})(?:(?:[:.]| ?h ?)(\d{2})(?:[:.](\d{2})(?:\.\d+)?)?|\s?h(?:rs?|s)?\b)"
    r"\s*(?:([ap])\.?\s?m\b\.?)?\s*(?:uhr|hrs?|hs|h|น)?\.?$"
)
_EAST = re.compile(r"^(\d{4})(?:\s?[年년]|\.)\s?(\d{1,2})(?:\s?[月월]|\.)\s?(\d{1,2})(?:\s?[日일号]|\.)(.*)$")
_ERA = re.compile(r"(令和|平成)\s?(\d{1,2}|元)(?=\s?年)")
_YEARS_BEFORE = {"令和": 2018, "平成": 1988}
"""The year before the first of a Japanese emperor's."""
_VIETNAMESE = re.compile(r"^(?:[^\d]*\s)?(\d{1,2}) (?:tháng|thg) (\d{1,2}),? (?:năm )?(\d{4})")
_EAST_CLOCK = re.compile(
    r"^(上午|下午|오전|오후|午前|午後)?\s?(\d{1,2})(?:[:：]|[時时点시]\s?)(\d{2})?(?:(?:[:：]|[分분]\s?)(\d{2})?秒?초?)?\s?[分분]?$"
)
_LATE = frozenset({"下午", "오후", "午後"})
_TOKEN = re.compile(r"\d+|[^\W\d_]+(?:['’.\u0300-\u036f\u0900-\u0dff\u0e30-\u0e4e]+[^\W\d_]*)*")
_ORDINALS = frozenset({"er", "º", "ª", "o", "e", "de", "th", "st", "nd", "rd", "ος", "го"})


@dataclass(frozen=True, slots=True)
class _Names:
    """The words of one language, without marks of abbreviation, in small letters."""

    months: dict[str, int]
    days: dict[str, int]


def read_named(words: str, language: str = "") -> datetime | None:
    """The time that *words*, in small letters and without a zone, state; None where they state none for certain.

    A *language*, by its two letters, decides between two that mean different days.
    """
    words = _ERA.sub(_in_our_years, words)
    if east := _EAST.match(words):
        return _eastern(east)
    clock = _CLOCK.search(words)
    if numbered := _VIETNAMESE.match(words):
        return _at(date(int(numbered[3]), int(numbered[2]), int(numbered[1])), clock)
    rest = words[: clock.start()] if clock else words
    tokens = _TOKEN.findall(rest)
    years = [token for token in tokens if token.isdigit() and len(token) == 4]
    days = [token for token in tokens if token.isdigit() and len(token) <= 2]
    names = [bare for token in tokens if not token.isdigit() and (bare := _bare(token))]
    if len(years) != 1 or len(days) != 1 or not names:
        return None
    # Months of two words, as Levantine ones are.
    names += [f"{first} {second}" for first, second in pairwise(names)]
    found = {when for language in _languages() for when in _in(language, names, int(years[0]), int(days[0]))}
    told = {when for when, stated in found if stated} or {when for when, _ in found}
    if len(told) > 1 and language in LANGUAGES:
        own = _languages()[LANGUAGES.index(language)]
        told = {when for when, _ in _in(own, names, int(years[0]), int(days[0]))}
    if len(told) != 1:
        return None
    return _at(next(iter(told)), clock)


def _in_our_years(match: re.Match[str]) -> str:
    return str(_YEARS_BEFORE[match[1]] + (1 if match[2] == "元" else int(match[2])))


def _in(language: _Names, names: list[str], year: int, day: int) -> set[tuple[date, bool]]:
    """The dates that *names* mean in *language*, and whether a day of the week stands beside that agrees."""
    told = [name for name in names if name in language.months]
    stated = {language.days[name] for name in names if name in language.days and name not in told}
    # What stands first beside another is the day: “mar., 17 nov.” is a Tuesday.
    if len(told) > 1 and told[0] == names[0] and told[0] in language.days:
        stated = {language.days[told.pop(0)]}
    months = {language.months[name] for name in told}
    if len(months) != 1:
        return set()
    # Thailand counts from 543 years before.
    year -= _BUDDHIST_YEARS if year > 2400 else 0
    try:
        when = date(year, months.pop(), day)
    except ValueError:
        return set()
    return {(when, when.weekday() in stated)} if not stated or when.weekday() in stated else set()


def _at(day: date, clock: re.Match[str] | None) -> datetime | None:
    start = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - the zone is settled by the caller
    if clock is None:
        return start
    hour, minute = int(clock[1]), int(clock[2] or 0)
    if clock[4]:
        hour = hour % 12 + (12 if clock[4] == "p" else 0)
    if hour > 24 or minute > 59:
        return None
    return start + timedelta(hours=hour, minutes=minute, seconds=int(clock[3] or 0))


def _eastern(match: re.Match[str]) -> datetime | None:
    start = datetime(int(match[1]), int(match[2]), int(match[3]))  # noqa: DTZ001 - the zone is settled by the caller
    # A day of the week in brackets may stand between.
    rest = re.sub(r"[(（].{1,4}[)）]|[月火水木金土日월화수목금토일]曜?요?日?일?(?=\s)|星期.|周.", "", match[4]).strip(
        " ,，"
    )
    if not rest:
        return start
    clock = _EAST_CLOCK.match(rest)
    if clock is None:
        return None
    hour = int(clock[2])
    if clock[1]:
        hour = hour % 12 + (12 if clock[1] in _LATE else 0)
    return start + timedelta(hours=hour, minutes=int(clock[3] or 0), seconds=int(clock[4] or 0))


def _bare(token: str) -> str:
    token = token.casefold().replace("’", "'").strip(".'")
    return "" if token in _ORDINALS else token


@cache
def _languages() -> tuple[_Names, ...]:
    """Read once, where the first date in another language comes: 60 languages take a quarter of a second."""
    return tuple(_names_of(language) for language in LANGUAGES)


def _names_of(language: str) -> _Names:
    from babel.dates import get_day_names, get_month_names

    months: dict[str, int] = {}
    days: dict[str, int] = {}
    words: dict[int, list[str]] = {}
    for context in ("format", "stand-alone"):
        for width in ("wide", "abbreviated"):
            for number, name in get_month_names(cast("Any", width), cast("Any", context), language).items():
                months.setdefault(_bare(name), number)
                if language == "he":
                    # Written in one word with “in”, which CLDR has in the pattern of the whole date.
                    months.setdefault(f"ב{_bare(name)}", number)
            for number, name in get_day_names(cast("Any", width), cast("Any", context), language).items():
                days.setdefault(_bare(name), number)
                words.setdefault(number, []).extend(map(_bare, _TOKEN.findall(name)))
    # Behind all whole names: Saturday's in Persian is a word of the other days'.
    for number, parts in words.items():
        for word in parts:
            days.setdefault(word, number)
    return _Names(_with_short(months), _with_short(days))


def _with_short(names: dict[str, int]) -> dict[str, int]:
    """Many write the first three letters of a name where CLDR abbreviates otherwise, as “set” for “settembre”."""
    short: dict[str, set[int]] = {}
    for name, number in names.items():
        if len(name) > 3 and name.isalpha():
            short.setdefault(name[:3], set()).add(number)
    return {name: numbers.pop() for name, numbers in short.items() if len(numbers) == 1} | names
