"""A button that says what is chosen by it: a word, its key, and what the word means."""

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionButton, QStylePainter

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.qt_palette import disabled_text
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.buttons import PushButton
from gpf_desktop.ui.widgets.plain import plain_tip

_SMALL = 0.85
_ENDLESS = 10_000
_WRAPPED = Qt.TextFlag.TextWordWrap.value


class ChoiceTile(PushButton):
    """Checked: chosen. Its meaning stands under the word, or in the tool tip where it is *brief*."""

    def __init__(self, theme: Theme, word: str, means: str, do: Callable[[], object], *, example: str = "") -> None:
        super().__init__(word)
        self._theme = theme
        self._means = means
        self._key = ""
        self._brief = False
        self.setAutoDefault(False)
        self.setCheckable(True)
        self.setAccessibleName(word)
        self.setAccessibleDescription(means)
        self._tip = f"{word}. {means} {example}".rstrip()
        self.setToolTip(plain_tip(self._tip))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(lambda _checked=False: do())
        theme.follow(self, self.updateGeometry)

    @property
    def key(self) -> str:
        """The key that chooses the tile, as it is shown."""
        return self._key

    def show_key(self, key: str) -> None:
        self._key = key
        self.update()

    def wait_for(self, why: str) -> None:
        """*why* it can't be chosen yet, for its tool tip; empty: it can."""
        self.setToolTip(plain_tip(f"{why} {self._tip}".lstrip()))

    def set_brief(self, brief: bool) -> None:
        self._brief = brief
        self.update()

    def least_width(self) -> int:
        """In which word and key stand whole."""
        word = QFontMetrics(self._word_font()).horizontalAdvance(self.text())
        return word + self._key_width() + SPACE_2 + 2 * SPACE_3

    def needed_height(self, width: int) -> int:
        """The height of the tile, in pixels, where it is as wide as *width*."""
        high = QFontMetrics(self._word_font()).height() + 2 * SPACE_2
        if self._brief:
            return high
        room = QRect(0, 0, width - 2 * SPACE_3, _ENDLESS)
        return high + SPACE_1 + QFontMetrics(self._small_font()).boundingRect(room, _WRAPPED, self._means).height()

    def sizeHint(self) -> QSize:
        return QSize(self.least_width(), self.height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QStylePainter(self)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        inside = self.rect().adjusted(SPACE_3, SPACE_2, -SPACE_3, -SPACE_2)
        self._paint_word(painter, inside)
        if not self._brief:
            painter.setFont(self._small_font())
            painter.setPen(self._ink("text_secondary"))
            high = QFontMetrics(self._word_font()).height() + SPACE_1
            painter.drawText(inside.adjusted(0, high, 0, 0), _WRAPPED, self._means)
        painter.end()

    def _paint_word(self, painter: QPainter, inside: QRect) -> None:
        theme, font = self._theme, self._word_font()
        line = QRect(inside.left(), inside.top(), inside.width(), QFontMetrics(font).height())
        painter.setFont(font)
        painter.setPen(self._ink("text"))
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text())
        if self._key:
            painter.setFont(self._small_font())
            cap = line.adjusted(line.width() - self._key_width(), 0, 0, 0)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("border"), 1))
            painter.drawRoundedRect(cap, SPACE_1, SPACE_1)
            painter.setPen(self._ink("text_secondary"))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, self._key)

    def _ink(self, token: str) -> QColor:
        return self._theme.color(token) if self.isEnabled() else QColor(disabled_text(self._theme.tokens))

    def _key_width(self) -> int:
        return QFontMetrics(self._small_font()).horizontalAdvance(self._key or "W") + 2 * SPACE_1 + 2

    def _word_font(self) -> QFont:
        return self._theme.font(weight=QFont.Weight.DemiBold)

    def _small_font(self) -> QFont:
        return self._theme.font(_SMALL)
