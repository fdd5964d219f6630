"""Rich text that loads nothing but the logo it was given, and goes nowhere, whatever stands in it."""

from typing import Any, Final

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl
from PySide6.QtGui import QImage, QResizeEvent, QTextOption
from PySide6.QtWidgets import QTextBrowser, QTextEdit

_NOTHING: Final = b" "
"""Not empty: where a view has nothing to give, Qt's document goes and reads the file itself."""

_LOGO: Final = QSize(260, 64)
"""At most, as reports that are web pages have it."""


class InertBrowser(QTextBrowser):
    """Shows rich text; links are only words, and nothing is loaded but the logo."""

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
        self._logo, self._logo_name = QImage(), ""

    def set_widest(self, pixels: int) -> None:
        """Lines get no longer than this, however wide the window is; 0: no limit."""
        self._widest = pixels
        self._fit()

    def set_logo(self, name: str, data: bytes) -> None:
        """What is set from now on may show the picture in *data* by this *name*; without one none."""
        image = QImage.fromData(data)
        self._logo, self._logo_name = image, name
        if image.isNull():
            return
        size = image.size()
        if size != size.boundedTo(_LOGO):
            size.scale(_LOGO, Qt.AspectRatioMode.KeepAspectRatio)
        # Two pixels for each of the page's: screens of today have as many.
        self._logo = image.scaled(size * 2, mode=Qt.TransformationMode.SmoothTransformation)
        self._logo.setDevicePixelRatio(2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        # A table as wide as the page comes out up to two pixels wider, which would ask for a scroll bar.
        room = self.viewport().width() - 2
        self.setLineWrapColumnOrWidth(min(room, self._widest) if self._widest else room)

    def loadResource(self, _kind: int, name: QUrl | str) -> Any:
        if not self._logo.isNull() and QUrl(name).toString() == self._logo_name:
            return self._logo
        return QByteArray(_NOTHING)
