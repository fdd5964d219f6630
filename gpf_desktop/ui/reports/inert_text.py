"""Rich text that loads nothing but the pictures it was given, and goes nowhere, whatever stands in it."""

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl
from PySide6.QtGui import QFont, QImage, QPainter, QResizeEvent, QTextOption
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from gpf_desktop.figures.svg import FONTS

_NOTHING: Final = b" "
"""Not empty: where a view has nothing to give, Qt's document goes and reads the file itself."""

_LOGO: Final = QSize(260, 64)
"""At most, as reports that are web pages have it."""
_NARROW: Final = 540
"""Pixels of a drawing at most: what the narrowest preview has, whatever width the page had when it was set."""
_FINE: Final = 2
"""Pixels for each of the page's: screens of today have as many."""


class InertBrowser(QTextBrowser):
    """Shows rich text; links are only words, and nothing is loaded but the pictures it was given."""

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
        self._pictures: dict[str, bytes] = {}

    def set_widest(self, pixels: int) -> None:
        """Lines get no longer than this, however wide the window is; 0: no limit."""
        self._widest = pixels
        self._fit()

    def set_pictures(self, pictures: Mapping[str, bytes]) -> None:
        """Let texts that are set from now on show *pictures*, PNG, JPEG or SVG, by their names, and nothing else."""
        self._pictures = dict(pictures)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        # A table as wide as the page comes out up to two pixels wider, which would ask for a scroll bar.
        room = self.viewport().width() - 2
        self.setLineWrapColumnOrWidth(min(room, self._widest) if self._widest else room)

    def loadResource(self, _kind: int, name: QUrl | str) -> Any:
        data = self._pictures.get(QUrl(name).toString(), b"")
        image = self._drawn(data) if data.startswith(b"<svg") else _small(QImage.fromData(data))
        return QByteArray(_NOTHING) if image.isNull() else image

    def _drawn(self, svg: bytes) -> QImage:
        """On paper, as it is printed, and no wider than the page."""
        # Qt takes a list of fonts for the name of one.
        QFont.insertSubstitution(FONTS, self.document().defaultFont().family())
        drawing = QSvgRenderer(QByteArray(svg))
        if not drawing.isValid():
            return QImage()
        room = min(_NARROW, self.lineWrapColumnOrWidth() - 2 * round(self.document().documentMargin()))
        size = drawing.defaultSize()
        if size.width() > room:
            size = QSize(room, round(size.height() * room / size.width()))
        image = QImage(size * _FINE, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        drawing.render(painter)
        painter.end()
        image.setDevicePixelRatio(_FINE)
        return image


def _small(logo: QImage) -> QImage:
    if logo.isNull():
        return logo
    size = logo.size()
    if size != size.boundedTo(_LOGO):
        size.scale(_LOGO, Qt.AspectRatioMode.KeepAspectRatio)
    image = logo.scaled(size * _FINE, mode=Qt.TransformationMode.SmoothTransformation)
    image.setDevicePixelRatio(_FINE)
    return image
