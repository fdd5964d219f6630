"""Line icons from ``resources/icons``, painted in a colour of the palette in force."""

from functools import cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gpf_desktop.domain.resources import resources

_SIZES = (16, 20, 24, 32)
_RATIOS = (1.0, 2.0)


@cache
def _drawing(name: str) -> str:
    return icon_file(name).read_text(encoding="utf-8")


def icon_file(name: str) -> Path:
    return resources() / "icons" / f"{name}.svg"


def icon_names() -> tuple[str, ...]:
    """Every icon that ships."""
    return tuple(sorted(file.stem for file in (resources() / "icons").glob("*.svg")))


def tinted(name: str, color: str) -> str:
    """The SVG of icon *name* with its strokes in *color*."""
    return _drawing(name).replace("currentColor", color)


def pixmap(name: str, color: str, size: int, ratio: float = 1.0) -> QPixmap:
    """Icon *name* of *size* logical pixels, sharp at *ratio* device pixels each."""
    return _painted(_renderer(name, color), size, ratio)


def _renderer(name: str, color: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(tinted(name, color).encode()))


def _painted(drawing: QSvgRenderer, size: int, ratio: float) -> QPixmap:
    picture = QPixmap(round(size * ratio), round(size * ratio))
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    drawing.render(painter, QRectF(picture.rect()))
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture


def icon(name: str, *, normal: str, disabled: str) -> QIcon:
    """Icon *name* in the colours of enabled and of disabled text."""
    made = QIcon()
    for color, mode in ((normal, QIcon.Mode.Normal), (disabled, QIcon.Mode.Disabled)):
        drawing = _renderer(name, color)
        for ratio in _RATIOS:
            for size in _SIZES:
                made.addPixmap(_painted(drawing, size, ratio), mode)
    return made
