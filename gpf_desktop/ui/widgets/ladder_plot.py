"""The ladder of power in the theme's colours: the drawing that the check of the instrument writes as a file too."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpf_desktop.domain.ladders import WIDTH, Inks, Ladder, ladder_height, ladder_picture
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.boxes import by_width


class LadderPlot(QWidget):
    """As wide as it is given room; its numbers are its description for a screen reader, and its tool tip."""

    def __init__(self, theme: Theme, ladders: Sequence[Ladder], *, name: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._ladders = tuple(ladders)
        self._drawing = QSvgRenderer(self)
        self.setObjectName(name)
        self.setAccessibleName(tr("How small an effect is found"))
        self.setAccessibleDescription(". ".join(ladder.words for ladder in ladders))
        self.setSizePolicy(by_width(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed))
        theme.follow(self, self._draw)

    def heightForWidth(self, width: int) -> int:
        return round(width * ladder_height(self._ladders) / WIDTH)

    def hasHeightForWidth(self) -> bool:
        return True

    def sizeHint(self) -> QSize:
        width = self._theme.px(WIDTH)
        return QSize(width, self.heightForWidth(width))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        self._drawing.render(painter, QRectF(self.rect()))

    def _draw(self) -> None:
        tokens = self._theme.tokens
        inks = Inks(
            ground=tokens.surface,
            text=tokens.text,
            faint=tokens.text_secondary,
            line=tokens.border,
            mark=tokens.synthetic,
        )
        picture = ladder_picture(self._ladders, inks, self._theme.font().family())
        self._drawing.load(picture.encode())
        self._drawing.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
        self.update()
