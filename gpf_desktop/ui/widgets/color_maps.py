"""Colour maps that people with a colour vision deficiency can read, and text that stands out on them."""

from functools import cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from gpf_desktop.ui.theme.tokens import contrast

SEQUENTIAL = "cividis"
DIVERGING = "CET-CBD1"
_STEPS = 256


@cache
def steps(name: str = SEQUENTIAL) -> tuple[QColor, ...]:
    """256 colours from low to high."""
    import pyqtgraph as pg

    table = pg.colormap.get(name).getLookupTable(nPts=_STEPS)
    return tuple(QColor(*map(int, row[:3])) for row in table)


def color_at(share: float, name: str = SEQUENTIAL) -> QColor:
    """The colour for *share* from 0 to 1."""
    return steps(name)[round(max(0.0, min(1.0, share)) * (_STEPS - 1))]


def text_on(color: QColor) -> QColor:
    """Black or white, whichever reads better on *color*; one of them always has 4.58:1."""
    white, black = QColor(Qt.GlobalColor.white), QColor(Qt.GlobalColor.black)
    return white if contrast(color.name(), white.name()) >= contrast(color.name(), black.name()) else black
