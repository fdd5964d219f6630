"""Rich text that loads nothing and goes nowhere, whatever stands in it."""

from typing import Any, Final

from PySide6.QtCore import QByteArray, QUrl
from PySide6.QtGui import QResizeEvent, QTextOption
from PySide6.QtWidgets import QTextBrowser, QTextEdit

_NOTHING: Final = b" "
"""Not empty: where a view has nothing to give, Qt's document goes and reads the file itself."""


class InertBrowser(QTextBrowser):
    """Shows rich text; links are only words, and no resource is loaded."""

    def __init__(self, says: str, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(says)
        self.setTabChangesFocus(True)
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        # A wide table scrolls sideways; broken anywhere, 160.65 would read as 160.6 and 5.
        self.setWordWrapMode(QTextOption.WrapMode.WordWrap)
        self._widest = 0

    def set_widest(self, pixels: int) -> None:
        """Lines get no longer than this, however wide the window is; 0: no limit."""
        self._widest = pixels
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        # A table as wide as the page comes out up to two pixels wider, which would ask for a scroll bar.
        room = self.viewport().width() - 2
        self.setLineWrapColumnOrWidth(min(room, self._widest) if self._widest else room)

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        return QByteArray(_NOTHING)
