"""Words on a page."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QAbstractButton, QLabel, QStyle, QStyleOption

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.announcing import announce
from gpf_desktop.ui.widgets.plain import plain_tip

MIN_TEXT_WIDTH = 180
"""A wrapped label never gets narrower than this, so that it does not become a column of single words."""


class ElidedLabel(QLabel):
    """One line that gives way: cut short with dots where there is no room, then whole in its tool tip."""

    def __init__(
        self, text: str = "", role: str = "", *, cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight, least: int = 6
    ) -> None:
        """*least*: letters, about, that it keeps."""
        super().__init__(text)
        self._cut, self._least = cut, least
        self.setTextFormat(Qt.TextFormat.PlainText)
        if role:
            self.setProperty("role", role)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._tell()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell()

    def _tell(self) -> None:
        self.setToolTip(plain_tip(self.text() if super().sizeHint().width() > self.width() else ""))

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), self.fontMetrics().averageCharWidth() * self._least), hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        # In place of the label's own painting, which cuts nothing short: ground and border of the style sheet, then the
        # text.
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        shown = self.fontMetrics().elidedText(self.text(), self._cut, self.contentsRect().width())
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            self.alignment().value,
            self.palette(),
            self.isEnabled(),
            shown,
            self.foregroundRole(),
        )


class MarkedLabel(QLabel):
    """Wrapped plain text, some of it on a tint: what is underlined looks like a link."""

    def __init__(self, theme: Theme, *, name: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._marked: Sequence[tuple[int, int]] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setMinimumWidth(MIN_TEXT_WIDTH)
        self.setObjectName(name)

    def show_marked(self, text: str, marked: Sequence[tuple[int, int]]) -> None:
        """*marked*: from which to which character a stretch of *text* goes."""
        self._marked = marked
        self.setText(text)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        layout, place = QTextLayout(self.text().replace("\n", "\u2028"), self.font()), self.contentsRect()
        wrap = QTextOption()
        wrap.setWrapMode(QTextOption.WrapMode.WordWrap)
        layout.setTextOption(wrap)
        layout.setFormats([self._tinted(*each) for each in self._marked])
        layout.beginLayout()
        y = 0.0
        while (line := layout.createLine()).isValid():
            line.setLineWidth(place.width())
            line.setPosition(QPointF(0, y))
            y += line.height()
        layout.endLayout()
        layout.draw(painter, QPointF(place.topLeft()))

    def _tinted(self, start: int, end: int) -> QTextLayout.FormatRange:
        # Qt counts some characters as two.
        units = [len(self.text()[:at].encode("utf-16-le")) // 2 for at in (start, end)]
        made = QTextLayout.FormatRange()
        made.start, made.length = units[0], units[1] - units[0]
        made.format.setBackground(self._theme.color("selection"))
        return made


def label(text: str = "", role: str = "", *, wrap: bool = False, name: str = "") -> QLabel:
    """A label of plain text; *role* is one of the style sheet's (title, heading, secondary, caption, ...)."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setObjectName(name)
    if role:
        made.setProperty("role", role)
    if wrap:
        made.setWordWrap(True)
        made.setMinimumWidth(MIN_TEXT_WIDTH)
    return made


def heading(text: str, *, name: str = "") -> QLabel:
    """The title of a part of a page."""
    return label(text, "heading", name=name)


def caption(text: str = "", *, name: str = "") -> QLabel:
    """Small, quiet, wrapped text under something."""
    return label(text, "caption", wrap=True, name=name)


def secondary(text: str = "", *, wrap: bool = False, name: str = "") -> QLabel:
    return label(text, "secondary", wrap=wrap, name=name)


def show_words(made: QLabel | QAbstractButton, words: str) -> None:
    """Let *made* say *words*, and take no room where there are none."""
    made.setText(words)
    made.setVisible(bool(words))


class _Problem(QLabel):
    """Takes no room while it is empty."""

    def setText(self, words: str) -> None:
        changed = words != self.text()
        super().setText(words)
        self.setVisible(bool(words))
        if changed:
            announce(self, words)


def problem_label(*, name: str = "") -> QLabel:
    """A label for what keeps a field or a button from being used; takes no room while it is empty."""
    made = _Problem()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    made.setMinimumWidth(MIN_TEXT_WIDTH)
    made.setProperty("role", "problem")
    made.setObjectName(name)
    made.setText("")
    return made
