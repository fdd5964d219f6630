"""Line icons from ``resources/icons``, painted in a colour of the palette in force."""

from functools import cache, lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QImage, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gpf_desktop.domain.resources import resources

_SIZES = (16, 20, 24, 32)
_RATIOS = (1.0, 2.0)
_WINDOW_SIZES = (16, 24, 32, 48, 64, 128, 256)
_KEPT = 4096
"""Pictures: all of a palette's, a few kilobytes each."""


@cache
def _drawing(name: str) -> str:
    return icon_file(name).read_text(encoding="utf-8")


def icon_file(name: str) -> Path:
    return resources() / "icons" / f"{name}.svg"


def tinted(name: str, color: str) -> str:
    """The SVG of icon *name* with its strokes in *color*."""
    return _drawing(name).replace("currentColor", color)


def pixmap(name: str, color: str, size: int, ratio: float = 1.0) -> QPixmap:
    """Icon *name* of *size* logical pixels, sharp at *ratio* device pixels each."""
    picture = QPixmap.fromImage(_painted(name, color, round(size * ratio)))
    picture.setDevicePixelRatio(ratio)
    return picture


def window_icon() -> QIcon:
    """The program's own, in its own colours, for title bars, task bars and the tray."""
    made, drawing = QIcon(), QSvgRenderer(str(resources() / "gpf-desktop.svg"))
    for size in _WINDOW_SIZES:
        made.addPixmap(QPixmap.fromImage(_rendered(drawing, size)))
    return made


@cache
def _renderer(name: str, color: str) -> QSvgRenderer:
    return QSvgRenderer(QByteArray(tinted(name, color).encode()))


@lru_cache(_KEPT)
def _painted(name: str, color: str, pixels: int) -> QImage:
    """An image, which unlike a pixmap may outlive the application."""
    return _rendered(_renderer(name, color), pixels)


def _rendered(drawing: QSvgRenderer, pixels: int) -> QImage:
    picture = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    drawing.render(painter, QRectF(picture.rect()))
    painter.end()
    return picture


def icon(name: str, *, normal: str, disabled: str) -> QIcon:
    """Icon *name* in the colours of enabled and of disabled text."""
    made = QIcon()
    # Without one of its own, Qt would wash the picture of a selected row out with the colour of the selection.
    colors = ((normal, (QIcon.Mode.Normal, QIcon.Mode.Selected)), (disabled, (QIcon.Mode.Disabled,)))
    for color, modes in colors:
        for ratio in _RATIOS:
            for size in _SIZES:
                picture = pixmap(name, color, size, ratio)
                for mode in modes:
                    made.addPixmap(picture, mode)
    return made
