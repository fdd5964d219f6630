"""Beside an answer's words: a bar along each coded passage, whose tip names the codes."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.span_text import Span, SpanTextView

_BAR, _STEP = 3, 4
"""Pixels of a bar, and from one to the next where passages overlap."""
_FRAME, _GAP = 2, 3
"""Pixels of the card's frame, and between a bar and the words."""
_LANES = 2
"""Bars beside each other; further ones share the last lane."""
_MOVES = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide})


class CodeGutter(QWidget):
    """Stands in the margin of *card*, left of *text*; differences are lines under words, and never here."""

    def __init__(self, theme: Theme, text: SpanTextView, card: QWidget) -> None:
        super().__init__(card)
        self._theme, self._text = theme, text
        self._spans: tuple[Span, ...] = ()
        text.installEventFilter(self)
        text.verticalScrollBar().valueChanged.connect(lambda _value: self.update())
        text.document().documentLayout().documentSizeChanged.connect(lambda _size: self.update())
        theme.follow(self, self.update)
        self.hide()

    def show_codes(self, spans: Sequence[Span]) -> None:
        """*spans*: coded passages, with the codes' names as tips."""
        self._spans = tuple(sorted(spans, key=lambda span: (span.start, -span.end)))
        self._follow()
        self.update()

    def bars(self) -> tuple[tuple[QRect, Span], ...]:
        """The place of each passage's bar, as far as its lines are in sight."""
        found: list[tuple[QRect, Span]] = []
        ends = [-1] * _LANES
        for span in self._spans:
            lane = next((at for at, end in enumerate(ends) if end <= span.start), _LANES - 1)
            ends[lane] = max(ends[lane], span.end)
            top, bottom = self._text.lines_of(span.start, span.end)
            place = QRect(self.width() - _BAR - lane * _STEP, top, _BAR, bottom - top).intersected(self.rect())
            if not place.isEmpty():
                found.append((place, span))
        return tuple(found)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES:
            self._follow()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            at = event.pos().y()
            tips = [span.tip for place, span in self.bars() if place.top() <= at <= place.bottom()]
            QToolTip.showText(event.globalPos(), plain_tip("\n".join(tips)), self)
            return True
        return super().event(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("accent"))
        for place, _span in self.bars():
            painter.drawRoundedRect(place, _BAR / 2, _BAR / 2)

    def _follow(self) -> None:
        self.setVisible(bool(self._spans) and not self._text.isHidden())
        high = self._text.viewport().height()
        self.setGeometry(self._text.x() - SPACE_3 + _FRAME, self._text.y(), SPACE_3 - _FRAME - _GAP, high)
