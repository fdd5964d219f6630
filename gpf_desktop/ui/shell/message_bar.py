"""Shows the queue of messages over the page, one at a time, gravest first."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.messages import Message, MessageCentre, MessageKind, Remedy
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.announcing import announce
from gpf_desktop.ui.widgets.boxes import hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, icon_button
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import clear_layout, restyle

_LOOK = {
    MessageKind.INFO: ("info", "info", "info"),
    MessageKind.SUCCESS: ("success", "check-circle", "success"),
    MessageKind.WARNING: ("warning", "warning", "warning"),
    MessageKind.ERROR: ("error", "error", "danger"),
}
_ICON = 20
_WIDEST, _LEAST_WORDS = 720, 240
"""Pixels at 100 %, of all and of the sentence."""


def _words() -> dict[MessageKind, str]:
    return {
        MessageKind.INFO: tr("Information"),
        MessageKind.SUCCESS: tr("Done"),
        MessageKind.WARNING: tr("Warning"),
        MessageKind.ERROR: tr("Error"),
    }


class MessageBar(QFrame):
    """Icon, sentence, buttons that do something about it, details to copy, dismiss.

    It lies over the foot of the page, so that nothing under the pointer moves when it comes or goes, and above what
    *foot* names there: what a page has at its foot to be pressed. Its buttons take the keyboard by Tab and F6 only.
    """

    left = Signal()
    """It went while one of its buttons had the keyboard."""

    def __init__(
        self, theme: Theme, centre: MessageCentre, over: QWidget, foot: Callable[[], QWidget | None] = lambda: None
    ) -> None:
        super().__init__(over)
        self.setObjectName("messageBar")
        self._theme = theme
        self._over, self._foot = over, foot
        self._centre = centre
        self._message: Message | None = None
        self._icon = QLabel()
        self._text = label("", wrap=True, name="messageText")
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._remedies = hbox(spacing=SPACE_2)
        self._more = label("", "caption")
        self._show_details = button(tr("Details"), compact=True)
        self._show_details.setCheckable(True)
        self._show_details.toggled.connect(self._toggle_details)
        self._copy = icon_button(theme, "copy", tr("Copy details"))
        self._copy.clicked.connect(self._copy_details)
        self._dismiss = icon_button(theme, "close", tr("Dismiss the message"))
        self._dismiss.setObjectName("dismissMessage")
        self._dismiss.clicked.connect(self.dismiss)
        self._details = QPlainTextEdit(readOnly=True, tabChangesFocus=True)
        self._details.setAccessibleName(tr("Details"))
        self._details.setMaximumHeight(160)
        self._words = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._words.setSpacing(SPACE_2)
        self._words.addWidget(self._text, 1)
        self._words.addLayout(self._remedies)
        self._words.setAlignment(self._remedies, Qt.AlignmentFlag.AlignLeft)
        self._row = row = hbox(
            self._icon, (self._words, 1), self._more, self._show_details, self._copy, self._dismiss, spacing=SPACE_2
        )
        self._column = vbox(row, self._details, parent=self, margins=(SPACE_3, SPACE_2, SPACE_2, SPACE_2))
        for each in (self._show_details, self._copy, self._dismiss):
            each.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._expiry = QTimer(self, singleShot=True)
        self._expiry.timeout.connect(self._expire)
        # What is around a foot is laid out after this is told of it.
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._place_again)
        self._placed: tuple[QSize, QRect | None, QSize] | None = None
        """What it was placed by."""
        over.installEventFilter(self)
        centre.changed.connect(self._refresh)
        theme.follow(self, self._refresh)

    @property
    def message(self) -> Message | None:
        """The one that is shown."""
        return self._message

    def take_keyboard(self, topic: str) -> None:
        """Give the keyboard to the first answer of a question under *topic* that the auditor has just brought about."""
        buttons = self.remedy_buttons()
        if buttons and self._message is not None and self._message.topic == topic:
            buttons[0].setFocus()

    def dismiss(self) -> None:
        if self._message is not None:
            self._centre.dismiss(self._message)

    def remedy_buttons(self) -> list[QPushButton]:
        """The buttons of the message that is shown."""
        return [each for each in self.findChildren(QPushButton) if self._remedies.indexOf(each) >= 0]

    def _refresh(self) -> None:
        messages = self._centre.messages
        message = messages[0] if messages else None
        changed = message is not self._message
        self._message = message
        if message is None:
            self._expiry.stop()
            self._leave()
            return
        name, icon, token = _LOOK[message.kind]
        self.setProperty("kind", name)
        restyle(self)
        self._icon.setPixmap(self._theme.pixmap(icon, token, _ICON))
        self._icon.setAccessibleName(_words()[message.kind])
        self._text.setText(message.text)
        self.setAccessibleName(f"{_words()[message.kind]}: {message.text}")
        others = len(messages) - 1
        self._more.setVisible(others > 0)
        self._more.setText(trn("and {n} more", "and {n} more", others))
        has_details = bool(message.details)
        self._show_details.setVisible(has_details)
        self._copy.setVisible(has_details)
        # A change of colours, or of the messages behind this one, leaves its buttons and open details as they are.
        if changed:
            self._count_down()
            self._details.setPlainText(message.details)
            self._show_details.setChecked(False)
            self._details.hide()
            clear_layout(self._remedies)
            for remedy in message.remedies:
                made = button(remedy.text, compact=True)
                made.clicked.connect(lambda _=False, remedy=remedy: self._remedy(message, remedy))
                made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
                self._remedies.addWidget(made)
        self.show()
        self._place()
        if changed:
            answers = " ".join(tr("Button: {name}.", name=each.text) for each in message.remedies)
            at_once = message.asks or message.kind is MessageKind.ERROR
            announce(self, f"{self.accessibleName()} {answers}".strip(), at_once=at_once)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and watched is self._over:
            self._place_again()
            self._soon.start()
        return super().eventFilter(watched, event)

    def _place_again(self) -> None:
        """Place the bar if anything has changed by which it is placed. Placing asks what is around for a layout,
        which comes back here: without an end, if it were placed each time.
        """
        if self.isVisible() and self._placed != self._placed_by():
            self._place()

    def _placed_by(self) -> tuple[QSize, QRect | None, QSize]:
        foot = self._foot()
        buttons = None if foot is None or not foot.isVisible() else QRect(foot.mapTo(self._over, QPoint()), foot.size())
        return self._over.size(), buttons, self.sizeHint()

    def _place(self) -> None:
        room = self._over.rect()
        widest = min(room.width() - 2 * SPACE_4, self._theme.px(_WIDEST))
        width = self._width(widest)
        height = max(self.heightForWidth(width), self.minimumSizeHint().height())
        place = QRect((room.width() - width) // 2, room.height() - SPACE_4 - height, width, height)
        self._placed = self._placed_by()
        _, buttons, _ = self._placed
        if buttons is not None:
            above = buttons.top() - SPACE_2 - height
            if place.intersects(buttons) and above > 0:
                place.moveTop(above)
        self.setGeometry(place)
        self.raise_()

    def _width(self, widest: int) -> int:
        """As the sentence takes unwrapped, with what stands around it: no more of the page is covered. Buttons that
        would leave it no room stand below it."""
        self._turn(QBoxLayout.Direction.LeftToRight)
        advance, said = self._text.fontMetrics().horizontalAdvance, self._text.text()
        words = advance(said) + SPACE_4
        # A seal has no place to break.
        longest = max(map(advance, said.split()), default=0)
        around = self.sizeHint().width() - self._text.sizeHint().width()
        if around + max(longest, min(words, self._theme.px(_LEAST_WORDS))) > widest:
            self._turn(QBoxLayout.Direction.TopToBottom)
            return widest
        return widest if self._show_details.isChecked() else min(widest, around + words)

    def _turn(self, direction: QBoxLayout.Direction) -> None:
        self._words.setDirection(direction)
        # Turned, a layout leaves those around it with the size that it had.
        for around_it in (self._row, self._column):
            around_it.invalidate()

    def _count_down(self) -> None:
        self._expiry.stop()
        seconds = None if self._message is None else self._message.shown_for
        if seconds is not None:
            self._expiry.start(round(seconds * 1000))

    def _expire(self) -> None:
        """Not while it is being read or used."""
        if self.underMouse() or self._show_details.isChecked() or self._has_keyboard():
            self._count_down()
        else:
            self.dismiss()

    def _has_keyboard(self) -> bool:
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _leave(self) -> None:
        # Asked first: hiding hands the keyboard on.
        had = self._has_keyboard()
        self.hide()
        if had:
            self.left.emit()

    def _remedy(self, message: Message, remedy: Remedy) -> None:
        """Dismiss *message* and act on *remedy*; if it fails again, the message is shown again."""
        self.dismiss()
        self._centre.act(message, remedy)

    def _toggle_details(self, shown: bool) -> None:
        self._details.setVisible(shown)
        self._place()

    def _copy_details(self) -> None:
        if self._message is not None:
            QGuiApplication.clipboard().setText(f"{self._message.text}\n\n{self._message.details}")
