"""The line at the top of a text that scrolls, kept there while the text is wrapped anew."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QTextEdit


class ReadingPlace:
    """The text that stood at the top of *view* when it was last scrolled.

    A width that comes back brings the very same place back: it is told by a character, and only noted again once
    somebody has scrolled.
    """

    def __init__(self, view: QTextEdit) -> None:
        self._view = view
        self._unit: int | None = None
        """None: the beginning."""
        self._below = 0.0
        """Pixels by which the line of that character has left the view."""
        self._value = 0

    def forget(self) -> None:
        """Another text: it is read from its beginning."""
        self._unit, self._value = None, 0

    def note(self) -> None:
        """Before the text is wrapped anew."""
        value = self._view.verticalScrollBar().value()
        if value == self._value:
            return
        self._value = value
        self._unit = self._view.document().documentLayout().hitTest(QPointF(0, value), Qt.HitTestAccuracy.FuzzyHit)
        self._below = value - line_top(self._view.document(), self._unit)

    def find(self) -> None:
        """After it was wrapped."""
        bar, document = self._view.verticalScrollBar(), self._view.document()
        if self._unit is None:
            bar.setValue(0)
            return
        # Laid out to its end, or the scroll bar does not reach as far yet.
        document.size()
        bar.setValue(round(line_top(document, self._unit) + self._below))
        self._value = bar.value()


def line_top(document: QTextDocument, unit: int) -> float:
    """Pixels from the top of *document* to the line of the character at *unit*, in UTF-16 units."""
    block = document.findBlock(unit)
    line = block.layout().lineForTextPosition(unit - block.position())
    top = document.documentLayout().blockBoundingRect(block).top()
    return top + (line.y() if line.isValid() else 0.0)
