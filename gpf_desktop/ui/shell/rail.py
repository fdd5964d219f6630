"""The rail at the left: the way to every page, with icon and word."""

from collections.abc import Collection

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QSizePolicy, QWidget

from gpf_desktop.ui.shell.pages import PageSpec
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import ICON, RADIUS, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.buttons import pressed_by
from gpf_desktop.ui.widgets.plain import plain_tip

_BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class RailButton(QAbstractButton):
    """One page's entry; a dot at its end says that something goes on there."""

    def __init__(self, theme: Theme, text: str, icon: str) -> None:
        super().__init__()
        self._theme = theme
        self._icon = icon
        self._dot = False
        self._ring = False
        self._narrow = False
        self._meaning = ""
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.follow(self, self._restyle)

    def set_dot(self, shown: bool, meaning: str = "") -> None:
        """Show or hide the dot; *meaning* is what a screen reader and the tool tip say of it."""
        self._dot = shown
        self._meaning = meaning if shown else ""
        self.setAccessibleDescription(self._meaning)
        self._restyle()

    def set_narrow(self, narrow: bool) -> None:
        """The icon alone; the word is its tool tip."""
        self._narrow = narrow
        self._restyle()

    def focusInEvent(self, event: QFocusEvent) -> None:
        # A ring after a click would only say what the click said; coming back to the window keeps it as it was.
        if event.reason() is not Qt.FocusReason.ActiveWindowFocusReason:
            self._ring = event.reason() in _BY_KEYBOARD
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if pressed_by(event):
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self._theme.font(weight=QFont.Weight.DemiBold))
        icon = self._theme.px(ICON)
        word = 0 if self._narrow else 2 * SPACE_3 + metrics.horizontalAdvance(self.text()) + self._theme.px(12)
        return QSize(
            SPACE_3 * 2 + icon + word,
            max(self._theme.px(36), metrics.height() + SPACE_3),
        )

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner = self.rect().adjusted(1, 1, -1, -1)
        if self.isChecked() or self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("selection" if self.isChecked() else "window"))
            painter.drawRoundedRect(inner, RADIUS, RADIUS)
        if self.hasFocus() and self._ring:
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(inner, RADIUS, RADIUS)
        icon = self._theme.px(ICON)
        strong = self.isChecked()
        self._theme.icon(self._icon, "text" if strong else "text_secondary").paint(
            painter, QRect(SPACE_3, (self.height() - icon) // 2, icon, icon)
        )
        if not self._narrow:
            painter.setFont(self._theme.font(weight=QFont.Weight.DemiBold if strong else QFont.Weight.Normal))
            painter.setPen(self._theme.color("text" if strong else "text_secondary"))
            left = SPACE_3 + icon + SPACE_2
            painter.drawText(self.rect().adjusted(left, 0, -SPACE_3, 0), Qt.AlignmentFlag.AlignVCenter, self.text())
        if self._dot:
            size = self._theme.px(7)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("accent"))
            edge, top = (3, 3) if self._narrow else (SPACE_3, (self.height() - size) // 2)
            painter.drawEllipse(self.width() - edge - size, top, size, size)

    def _restyle(self) -> None:
        said = [self.text()] if self._narrow else []
        self.setToolTip(plain_tip(": ".join([*said, *filter(None, [self._meaning])])))
        self.updateGeometry()
        self.update()


_WORDS_FROM = 800
"""Width of the window at 100 % from which there is room for words beside the icons."""


class Rail(QWidget):
    """The column of page entries; ↑ and ↓ move among them."""

    chosen = Signal(str)

    def __init__(self, theme: Theme, pages: tuple[PageSpec, ...]) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, RailButton] = {}
        column = vbox(parent=self, spacing=1, margins=SPACE_2)
        for page in pages:
            button = RailButton(theme, page.title, page.icon)
            button.setObjectName(f"rail.{page.id}")
            button.clicked.connect(lambda _=False, page_id=page.id: self.chosen.emit(page_id))
            self._group.addButton(button)
            self._buttons[page.id] = button
            column.addWidget(button)
        column.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)

    def show_page(self, page_id: str) -> None:
        """Mark *page_id* as the one shown."""
        self._buttons[page_id].setChecked(True)
        for each in self._buttons.values():
            # As Qt does for a group of its own accord, but only once one of them has had the keyboard.
            policy = Qt.FocusPolicy.StrongFocus if each.isChecked() else Qt.FocusPolicy.ClickFocus
            each.setFocusPolicy(policy)

    def fit(self, window: int, *, roomy: bool = False) -> None:
        """*window*: how wide it is, in pixels; *roomy*: the page wants the room of the words."""
        narrow = roomy or window < self._theme.px(_WORDS_FROM)
        for each in self._buttons.values():
            each.set_narrow(narrow)

    def hide_pages(self, page_ids: Collection[str]) -> None:
        """Leave *page_ids* out, and no others; keys and the palette still lead there."""
        for page_id, each in self._buttons.items():
            each.setVisible(page_id not in page_ids)

    def set_dot(self, page_id: str, shown: bool, meaning: str = "") -> None:
        self._buttons[page_id].set_dot(shown, meaning)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        buttons = [each for each in self._buttons.values() if each.isVisible()]
        focused = next((at for at, button in enumerate(buttons) if button.hasFocus()), None)
        if steps is None or focused is None:
            super().keyPressEvent(event)
            return
        buttons[(focused + steps) % len(buttons)].setFocus(Qt.FocusReason.TabFocusReason)
