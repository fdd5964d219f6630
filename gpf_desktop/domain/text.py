"""Words that a user sees go through here, so that every sentence can be translated."""

import gettext as _gettext
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from string import Formatter
from typing import Any, Final

DOMAIN = "gpf_desktop"

ENGLISH: Final = "en"


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A language with its sentences."""

    language: str = ENGLISH
    sentences: _gettext.NullTranslations = field(default_factory=_gettext.NullTranslations)
    signs: Mapping[int, str] | None = None
    """What stands in its numbers for English's comma and point; None: the same."""


_spoken = _Spoken()
_borrowed: ContextVar[_Spoken | None] = ContextVar("borrowed language", default=None)


def install(folder: Path, languages: Iterable[str]) -> str:
    """Use the first of *languages* that has a catalogue under *folder*, and say which; English where none has.

    Whoever names English before another language gets English, which has no catalogue.
    """
    global _spoken  # noqa: PLW0603 - one language for the process, as gettext has it
    _spoken = _found(folder, languages)
    return _spoken.language


@contextmanager
def speaking(folder: Path, language: str) -> Iterator[None]:
    """Within the block, on this thread alone, the sentences of *language*; English where it has no catalogue.

    *language* may come from anybody's file.
    """
    token = _borrowed.set(_found(folder, [language] if re.fullmatch(r"[\w@]+", language) else []))
    try:
        yield
    finally:
        _borrowed.reset(token)


@contextmanager
def in_english() -> Iterator[None]:
    """Within the block, on this thread alone, English: models are told the same whatever language the auditor reads."""
    token = _borrowed.set(_Spoken())
    try:
        yield
    finally:
        _borrowed.reset(token)


def _found(folder: Path, languages: Iterable[str]) -> _Spoken:
    wanted = list(takewhile(lambda name: re.split("[_.@-]", name)[0].lower() not in (ENGLISH, "c", "posix"), languages))
    found = _gettext.find(DOMAIN, folder, wanted) if wanted else None
    if found is None:
        return _Spoken()
    language = Path(found).parent.parent.name
    return _Spoken(language, _gettext.translation(DOMAIN, folder, [language]), _signs_of(language))


def _signs_of(language: str) -> Mapping[int, str]:
    from babel import Locale

    signs = Locale.parse(language).number_symbols["latn"]
    return str.maketrans({",": signs["group"], ".": signs["decimal"]})


def language() -> str:
    """The one in use."""
    return (_borrowed.get() or _spoken).language


def tr(message: str, /, **values: object) -> str:
    """*message* in the user's language, with ``{name}`` fields filled from *values*."""
    # Of nothing gettext gives the catalogue's head.
    translated = (_borrowed.get() or _spoken).sentences.gettext(message) if message else ""
    # A sentence without values may hold braces of its own.
    return _filled(translated, kept_apart(values)) if values else translated


def _filled(sentence: str, values: Mapping[str, object]) -> str:
    if (_borrowed.get() or _spoken).signs is None:
        return sentence.format(**values)
    return _NUMBERS_AS_SAID.vformat(sentence, (), values)


class _NumbersAsSaid(Formatter):
    """Fills fields as `str.format` does; a number that has a form, as ``{n:,}``, has the signs of the language."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = format(value, format_spec)
        return as_said(text) if format_spec and isinstance(value, int | float) else text


_NUMBERS_AS_SAID: Final = _NumbersAsSaid()
_DIRECTS: Final = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f]")
_ISOLATES: Final = re.compile("[\u2066-\u2069]")


def kept_apart(values: Mapping[str, object]) -> Mapping[str, object]:
    """*values* for a sentence: a name that turns the direction of what follows it turns no more than itself."""
    return {name: _apart(value) if isinstance(value, str) else value for name, value in values.items()}


def dotted(parts: Iterable[str]) -> str:
    """*parts* in one line, each kept apart from the others."""
    return " · ".join(map(_apart, parts))


def _apart(text: str) -> str:
    return f"\u2068{_ISOLATES.sub('', text)}\u2069" if _DIRECTS.search(text) else text


class Translated:
    """An attribute of a class: *message* in the user's language, whichever that is when it is read."""

    def __init__(self, message: str) -> None:
        self._message = message

    def __get__(self, _instance: object, _owner: type | None = None) -> str:
        return tr(self._message)


def percent(share: float, digits: int = 0) -> str:
    """34%, of a share from 0 to 1."""
    return tr("{number}%", number=as_said(f"{100 * share:.{digits}f}"))


def decimal(value: float, digits: int) -> str:
    """*value* with the decimal sign of the language and a real minus sign; what rounds to 0 has no sign."""
    return as_said(f"{value:z.{digits}f}".replace("-", "−"))


_SAME_DIGIT: Final = 1e-6
"""Of the last digit, within which a number is one that has no more digits: 0.3 is stored as a little less."""


def outward(low: float, high: float, digits: int) -> tuple[float, float]:
    """The ends of a range in so many decimals, rounded away from each other: what is told holds all of it."""
    return downward(low, digits), upward(high, digits)


def downward(value: float, digits: int) -> float:
    """*value* in so many decimals, or the next such number below it."""
    return _at_digit(value, digits, math.floor)


def upward(value: float, digits: int) -> float:
    """*value* in so many decimals, or the next such number above it."""
    return _at_digit(value, digits, math.ceil)


def range_ends(low: float, high: float, digits: int) -> tuple[str, str]:
    """`outward` as texts."""
    first, last = outward(low, high, digits)
    return decimal(first, digits), decimal(last, digits)


def range_words(low: float, high: float, digits: int) -> str:
    """0.67 to 0.72, of `range_ends`."""
    first, last = range_ends(low, high, digits)
    return tr("{low} to {high}", low=first, high=last)


def _at_digit(value: float, digits: int, way: Callable[[float], int]) -> float:
    scaled = value * 10**digits
    if not math.isfinite(scaled):
        return value
    near = round(scaled)
    return float(near if abs(scaled - near) < _SAME_DIGIT else way(scaled)) / 10.0**digits


def signed(value: float, digits: int) -> str:
    """`decimal` with a sign before what is above 0 too."""
    told = decimal(value, digits)
    return f"+{told}" if round(value, digits) > 0 else told


def grouped(n: float) -> str:
    """1,234, with the sign of the language between thousands."""
    return as_said(f"{n:,}")


def plain_number(value: float) -> str:
    """*value* in as many digits as it needs, at most ten, with the signs of the language: 0.05, 1,000,000."""
    return as_said(f"{value:,.10g}")


def as_said(number: str) -> str:
    """A *number* in English, as ``1,234.5``, with the signs of the language."""
    signs = (_borrowed.get() or _spoken).signs
    return number if signs is None else number.translate(signs)


def as_typed(number: str) -> str:
    """A *number* that a person typed, with the decimal sign of the language or a point, as `float` reads it."""
    return number if "." in number else number.replace(as_said("."), ".")


_WITHIN_A_NUMBER: Final = re.compile(
    r"(?<=\d) (?=to [-−+\d]|%|\([-−+\d]|\[[-−+\d])|(?<=\d to) (?=[-−+\d])|(?<=\d%) (?=\()"
    r"|(?<=\d,) (?=[-−+]?[\d.]+\])|(?<=\(n) (?=\d)|(?<=[<>≤≥=]) (?=[-−+.\d])"
)


def unbroken(line: str) -> str:
    """*line* with no place to break between a number, its sign, its interval, and within (n 24)."""
    return _WITHIN_A_NUMBER.sub("\u00a0", line)


def within(title: str) -> str:
    """*title* as it stands within a sentence: in small letters, but in a language whose nouns have capitals."""
    return title.lower() if language() == ENGLISH else title


def in_quotes(words: str) -> str:
    """*words* in the marks of the language that is spoken, whatever their own is."""
    return tr("“{words}”", words=words)


def capital(words: str) -> str:
    """*words* as a title or a sentence begins."""
    return words[:1].upper() + words[1:]


def shortened(words: str, most: int) -> str:
    """*words* in *most* characters, the last one an ellipsis where more were cut off."""
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"


def middle_shortened(words: str, most: int) -> str:
    """*words* in *most* characters, an ellipsis for their middle: names of models are alike where they begin."""
    if len(words) <= most:
        return words
    head = most // 2
    return f"{words[:head].rstrip()}…{words[len(words) - (most - 1 - head) :].lstrip()}"


def trn(singular: str, plural: str, n: int, /, **values: object) -> str:
    """The form for *n* of a sentence that counts; ``{n}`` is filled with *n*."""
    sentence = (_borrowed.get() or _spoken).sentences.ngettext(singular, plural, n)
    return _filled(sentence, {"n": n, **kept_apart(values)})


# XML 1.0, of which DOCX, XLSX and SVG are made, holds of the first 32 characters tab and line ends alone, no half of a
# surrogate pair, and neither U+FFFE nor U+FFFF; the other controls would only be unseen.
_PICTURES: Final = {
    **{code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n\r"},
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),
    0xFFFE: 0xFFFD,
    0xFFFF: 0xFFFD,
}


def printable(text: str) -> str:
    """*text* with control characters as their pictures (␀ … ␡), so that every format can hold it and they are seen.

    Tab and line ends stay; a carriage return becomes a line end. Halves of surrogate pairs cannot be written.
    """
    if text.isprintable():  # most cells of a table, and a tenth of the time
        return text
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_PICTURES)
