"""Stretches of a text made of whole words."""

from PySide6.QtCore import QTextBoundaryFinder

_UTF_16 = "utf-16-le"


def whole_words(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The stretch from *start* to *end* made wider to whole words, without spaces at its ends; None: only spaces.

    Words are those of Unicode's annex 29, so that scripts without spaces are not taken by the sentence.
    """
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        return None
    words = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Word, text)
    words.setPosition(_units(text[:start]))
    first = words.position() if words.isAtBoundary() else words.toPreviousBoundary()
    words.setPosition(_units(text[:end]))
    last = words.position() if words.isAtBoundary() else words.toNextBoundary()
    return _characters(text, first), _characters(text, last)


def _characters(text: str, units: int) -> int:
    return len(text.encode(_UTF_16, "surrogatepass")[: 2 * units].decode(_UTF_16, "surrogatepass"))


def _units(text: str) -> int:
    # Half a surrogate pair can stand in an answer that came as JSON, and plain UTF-16 refuses it.
    return len(text.encode(_UTF_16, "surrogatepass")) // 2
