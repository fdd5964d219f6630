"""A text field that grows with what is written in it."""

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

_PADDING = 16
"""Pixels of a text field above and below its lines."""


class GrowingText(QPlainTextEdit):
    """As high as its text, within bounds, so that what is written is seen whole."""

    def __init__(self, least: int = 1, most: int = 12) -> None:
        super().__init__()
        self._least, self._most = least, most
        self.setTabChangesFocus(True)
        self.setUndoRedoEnabled(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self._fit())
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        # The size of a plain text document is in lines.
        lines = min(self._most, max(self._least, round(self.document().size().height())))
        height = lines * self.fontMetrics().lineSpacing() + _PADDING + round(2 * self.document().documentMargin())
        if height != self.height():
            self.setFixedHeight(height)
