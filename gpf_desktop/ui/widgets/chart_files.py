"""Files of one card of Results: pictures with a caption, a table with what it was filtered to."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.findings import Finding
from gpf_desktop.engine.exchange.finding_rows import finding_relation
from gpf_desktop.exporters.data_files import csv_text
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2

_PRINT_SCALE = 2
_WRAPPED = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedWords:
    """Words that a file of one card needs, since the page around it is not in it."""

    filtered: str = ""
    """What the numbers were filtered to; empty: everything."""
    caption: tuple[str, ...] = ()
    """Lines under a picture."""


def finding_csv(finding: Finding, filtered: str = "") -> str:
    """The same columns as `gpf-desktop tables` writes: full precision, bounds and n beside estimates."""
    return csv_text(finding_relation(finding, filtered))


class ChartPicture:
    """*chart* as it stands on the screen, on the surface's colour, with *caption* beneath."""

    def __init__(self, theme: Theme, chart: QWidget, caption: tuple[str, ...]) -> None:
        self._theme, self._chart = theme, chart
        self._words = "\n".join(line for line in caption if line)
        self._font = theme.font()
        self._caption = self._caption_room()

    @property
    def size(self) -> QSize:
        """In pixels of the screen."""
        return QSize(self._chart.width(), self._chart.height() + self._caption.height())

    def pixmap(self) -> QPixmap:
        """At twice its size on the screen."""
        picture = QPixmap(self.size * _PRINT_SCALE)
        picture.setDevicePixelRatio(_PRINT_SCALE)
        painter = QPainter(picture)
        self._paint(painter)
        painter.end()
        return picture

    def write_svg(self, path: Path, title: str, description: str) -> None:
        """Raises `OSError`."""
        writer = QSvgGenerator()
        writer.setFileName(str(path))
        writer.setSize(self.size)
        writer.setViewBox(QRect(QPoint(), self.size))
        writer.setTitle(title)
        writer.setDescription(description)
        painter = QPainter()
        # Qt says by this alone that the file cannot be written.
        if not painter.begin(writer):
            raise OSError("nothing was written")
        self._paint(painter)
        painter.end()

    def _paint(self, painter: QPainter) -> None:
        painter.fillRect(QRect(QPoint(), self.size), self._theme.color("surface"))
        self._chart.render(painter, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
        if self._words:
            painter.setFont(self._font)
            painter.setPen(self._theme.color("text_secondary"))
            painter.drawText(self._caption.adjusted(SPACE_2, SPACE_2, -SPACE_2, 0), _WRAPPED, self._words)

    def _caption_room(self) -> QRect:
        """Below the chart, as high as the words are once they are wrapped."""
        below = QRect(0, self._chart.height(), self._chart.width(), 0)
        if not self._words:
            return below
        # Measured as it is painted: on a pixmap, whose font metrics may differ from the screen's.
        paper = QPixmap(1, 1)
        painter = QPainter(paper)
        painter.setFont(self._font)
        room = below.adjusted(SPACE_2, SPACE_2, -SPACE_2, 1 << 16)
        needed = painter.boundingRect(room, _WRAPPED, self._words)
        painter.end()
        below.setHeight(needed.height() + 2 * SPACE_2)
        return below
