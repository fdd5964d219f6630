"""One line of the lead figure on the page: to be read, unfolded, copied, and followed to its answers."""

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpf_desktop.domain.text import tr, unbroken
from gpf_desktop.figures.lead import Strip
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, hbox, vbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.figure_view import paint_shapes
from gpf_desktop.ui.widgets.labels import label, show_words
from gpf_desktop.ui.widgets.layouts import height_at
from gpf_desktop.ui.widgets.plain import plain_tip

_BAR = 3
"""Pixels of the bar at the left of an open row."""
_COPIES_NUMBERS = QKeySequence(Qt.Modifier.CTRL | Qt.Modifier.SHIFT | Qt.Key.Key_C)


class ConclusionRow(QWidget):
    """Paints its strip; below, once it is unfolded, why."""

    read = Signal()
    """Its answers are wanted in Review."""
    tables = Signal()
    moved = Signal(int)
    """The keyboard goes to the row so many further down."""
    ended = Signal(int)
    """To the first row (0) or the last (-1)."""
    copied = Signal(bool)
    """The sentence, or with True the numbers, is wanted in the clipboard."""
    as_table = Signal()

    def __init__(self, theme: Theme, at: int, *, name: str) -> None:
        super().__init__()
        self._theme = theme
        self._strip: Strip | None = None
        self.at = at
        self.setObjectName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(by_width(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum))
        self._space = QWidget()
        self._space.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._space.setFixedHeight(0)
        self.why = PlainWidget(name=f"{name}.why")
        self.said = label("", wrap=True, name=f"{name}.said")
        self._reply = label("", wrap=True, name=f"{name}.reply")
        self.answers = link(tr("Read the answers"), self.read.emit, name=f"{name}.read")
        self.its_tables = link(tr("Its tables"), self.tables.emit, name=f"{name}.tables")
        top = Qt.AlignmentFlag.AlignTop
        hbox(
            (vbox(self.said, self._reply, spacing=SPACE_1), 1),
            (self.answers, 0, top),
            (self.its_tables, 0, top),
            parent=self.why,
            spacing=SPACE_2,
            margins=(SPACE_3, 0, SPACE_2, SPACE_2),
        )
        self.why.hide()
        vbox(self._space, self.why, parent=self, spacing=0)
        theme.on_change(self, self.update)

    @property
    def strip(self) -> Strip | None:
        return self._strip

    @property
    def unfolded(self) -> bool:
        return not self.why.isHidden()

    @property
    def told_height(self) -> int:
        """The height of “Why” at this width, unfolded or not."""
        return height_at(self.why, self.width())

    @property
    def replied(self) -> str:
        """The audited party's reply to the finding."""
        return self._reply.text()

    def show_reply(self, words: str) -> None:
        show_words(self._reply, unbroken(words))

    def show_strip(self, strip: Strip, why: tuple[str, ...], spoken: str, *, leads: bool) -> None:
        """*leads*: there are tables that it rests on."""
        self._strip = strip
        self._space.setFixedHeight(round(strip.height * self._scale))
        self.said.setText(unbroken(" ".join(why)))
        self.said.setVisible(bool(why))
        self.setAccessibleName(spoken)
        self.answers.setAccessibleName(tr("Read the answers: {row}", row=spoken))
        self.its_tables.setAccessibleName(tr("Its tables: {row}", row=spoken))
        self.its_tables.setVisible(leads)
        self.setToolTip(plain_tip(tr("{row} Enter: read its answers.", row=strip.says)))
        self.update()

    def unfold(self, *, on: bool = True) -> None:
        self.why.setVisible(on)
        said = " ".join(filter(None, (self.said.text(), self.replied)))
        self.setAccessibleDescription(said if on else tr("Right arrow: why"))
        self.updateGeometry()
        self.update()

    @property
    def _scale(self) -> float:
        return self._theme.text_scale / 100

    def minimumSizeHint(self) -> QSize:
        # As narrow as it may be: it is painted at whatever width it has.
        return QSize(self._theme.px(200), self.sizeHint().height())

    def sizeHint(self) -> QSize:
        # No higher than it is at its width: by “Why” at its narrowest a page would scroll on which all has room.
        hint = super().sizeHint()
        needed = self.heightForWidth(self.width())
        return QSize(hint.width(), needed if 0 < needed < hint.height() else hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.unfolded:
            ground = self._theme.color("selection")
            ground.setAlphaF(0.35)
            painter.fillRect(self.rect(), ground)
            painter.fillRect(QRect(0, 0, _BAR, self.height()), self._theme.color("accent"))
        if self._strip is not None:
            paint_shapes(painter, self._strip.shapes, self._theme, self._scale)
        if self.hasFocus():
            painter.setOpacity(1.0)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def event(self, event: QEvent) -> bool:
        # Its own keys come before the window's commands of the same name.
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._means(event):
            event.accept()
            return True
        return super().event(event)

    def _means(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        return (
            event.matches(QKeySequence.StandardKey.Copy)
            or QKeySequence(event.keyCombination()) == _COPIES_NUMBERS
            or (plain and event.key() in _PLAIN)
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._means(event):
            super().keyPressEvent(event)
            return
        if QKeySequence(event.keyCombination()) == _COPIES_NUMBERS:
            self.copied.emit(True)
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copied.emit(False)
        else:
            self._press(Qt.Key(event.key()))

    def _press(self, key: Qt.Key) -> None:
        match key:
            case Qt.Key.Key_Down:
                self.moved.emit(1)
            case Qt.Key.Key_Up:
                self.moved.emit(-1)
            case Qt.Key.Key_Home:
                self.ended.emit(0)
            case Qt.Key.Key_End:
                self.ended.emit(-1)
            case Qt.Key.Key_Right:
                self.unfold()
            case Qt.Key.Key_Left:
                self.unfold(on=False)
            case Qt.Key.Key_Space:
                self.unfold(on=not self.unfolded)
            case Qt.Key.Key_F2:
                self.as_table.emit()
            case _:
                self.read.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton or not self.rect().contains(event.position().toPoint()):
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self._on_marks(event.position().toPoint()):
            self.read.emit()
        else:
            self.unfold(on=not self.unfolded)

    def _on_marks(self, at: QPoint) -> bool:
        if self._strip is None or self._strip.row < 0 or at.y() > self._space.height():
            return False
        left, right = self._strip.marks
        return left * self._scale <= at.x() <= right * self._scale


_PLAIN = frozenset(
    {
        *(Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End),
        *(Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_F2),
    }
)
