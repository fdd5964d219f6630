"""Words that a user sees go through here, so that every sentence can be translated."""

import gettext as _gettext
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

DOMAIN = "gpf_desktop"

_translation: _gettext.NullTranslations = _gettext.NullTranslations()
_language = "en"


def install(folder: Path, languages: list[str]) -> str:
    """Use the first of *languages* that has a catalogue under *folder*, and say which; English where none has."""
    global _translation, _language  # noqa: PLW0603 - one language for the process, as gettext has it
    _translation = _gettext.translation(DOMAIN, folder, languages, fallback=True)
    found = _gettext.find(DOMAIN, folder, languages)
    _language = "en" if found is None else Path(found).parent.parent.name
    return _language


def language() -> str:
    """The one in use."""
    return _language


def tr(message: str, /, **values: object) -> str:
    """*message* in the user's language, with ``{name}`` fields filled from *values*."""
    translated = _translation.gettext(message)
    # A sentence without values may hold braces of its own.
    return translated.format(**kept_apart(values)) if values else translated


_DIRECTS: Final = re.compile("[\u202a-\u202e\u2066-\u2069\u200e\u200f]")
_ISOLATES: Final = re.compile("[\u2066-\u2069]")


def kept_apart(values: Mapping[str, object]) -> Mapping[str, object]:
    """*values* for a sentence: a name that turns the direction of what follows it turns no more than itself."""
    return {
        name: f"\u2068{_ISOLATES.sub('', value)}\u2069" if isinstance(value, str) and _DIRECTS.search(value) else value
        for name, value in values.items()
    }


class Translated:
    """An attribute of a class: *message* in the user's language, whichever that is when it is read."""

    def __init__(self, message: str) -> None:
        self._message = message

    def __get__(self, _instance: object, _owner: type | None = None) -> str:
        return tr(self._message)


def percent(share: float, digits: int = 0) -> str:
    """34%, of a share from 0 to 1, whatever the locale."""
    return f"{100 * share:.{digits}f}%"


def decimal(value: float, digits: int) -> str:
    """With a decimal point and a real minus sign, whatever the locale; what rounds to 0 has no sign."""
    return f"{value:z.{digits}f}".replace("-", "−")


_WITHIN_A_NUMBER: Final = re.compile(
    r"(?<=\d) (?=to [-−+\d]|%|\([-−+\d]|\[[-−+\d])|(?<=\d to) (?=[-−+\d])|(?<=\d%) (?=\()"
    r"|(?<=\d,) (?=[-−+]?[\d.]+\])|(?<=\(n) (?=\d)|(?<=[<>≤≥=]) (?=[-−+.\d])"
)


def unbroken(line: str) -> str:
    """*line* with no place to break between a number, its sign, its interval, and within (n 24)."""
    return _WITHIN_A_NUMBER.sub("\u00a0", line)


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
    return _translation.ngettext(singular, plural, n).format(n=n, **kept_apart(values))


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
