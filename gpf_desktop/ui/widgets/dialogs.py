"""The base of every dialog of the program, and the box that asks whether to go on."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QBoxLayout, QDialog, QMessageBox, QScrollArea, QWidget

from gpf_desktop.ui.widgets.boxes import PlainWidget
from gpf_desktop.ui.widgets.layouts import scrolling

_FRAME = QSize(16, 48)
"""Of the screen, what a window's title and edges take."""


class TitledDialog(QDialog):
    """Over *parent*, and no more once it is closed."""

    def __init__(self, parent: QWidget, title: str, name: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.body: QScrollArea | None = None
        """All but the last row, once that has no room."""

    def event(self, event: QEvent) -> bool:
        # Before it is shown its words have not the size of the text yet, and more may be shown later.
        if event.type() in (QEvent.Type.Show, QEvent.Type.LayoutRequest) and self.body is None:
            self.keep_in(self.screen().availableSize() - _FRAME)
        return super().event(event)

    def keep_in(self, room: QSize) -> None:
        """Be no larger than *room*; what does not fit, with large text or on a small screen, is scrolled above the last
        row, which has the buttons."""
        column = self.layout()
        if not isinstance(column, QBoxLayout):
            return
        self.setMinimumWidth(min(self.minimumWidth(), room.width()))
        least = column.totalMinimumSize()
        width = min(max(self.width(), least.width()), room.width())
        high = max(least.height(), column.totalMinimumHeightForWidth(width) if column.hasHeightForWidth() else 0)
        if column.count() > 1 and (high > room.height() or least.width() > room.width()):
            direct = Qt.FindChildOption.FindDirectChildrenOnly
            shown = [each for each in self.findChildren(QWidget, options=direct) if not each.isHidden()]
            inside = _taken_out(column)
            self.body = scrolling(inside, f"{self.objectName()}.body")
            self.body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
            column.insertWidget(0, self.body, 1)
            # At once: what Qt shows by an event of its own cannot have the keyboard until then.
            for each in (self.body, *(one for one in shown if one.parentWidget() is inside)):
                each.show()
            # What it had to be with all of them stays otherwise.
            self.setMinimumSize(0, 0)
        needed = QSize(width, max(self.height(), high)).boundedTo(room)
        if needed != self.size():
            self.resize(needed)


def _taken_out(column: QBoxLayout) -> QWidget:
    """All parts of *column* but the last, in a widget of their own."""
    body = PlainWidget()
    inside = QBoxLayout(column.direction(), body)
    inside.setContentsMargins(0, 0, 0, 0)
    inside.setSpacing(column.spacing())
    while column.count() > 1:
        stretch = column.stretch(0)
        part = column.takeAt(0)
        assert part is not None
        if (nested := part.layout()) is not None:
            nested.setParent(None)
            inside.addLayout(nested, stretch)
        elif (widget := part.widget()) is not None:
            inside.addWidget(widget, stretch)
        else:
            inside.addStretch(stretch)
    return body


@dataclass(frozen=True, slots=True)
class GoOn:
    """The answer that goes on: its button's label, role and object name, and what it does."""

    label: str
    role: QMessageBox.ButtonRole
    name: str
    then: Callable[[], object]


def ask_whether(
    parent: QWidget, icon: QMessageBox.Icon, what: str, informative: str, name: str, yes: GoOn
) -> QMessageBox:
    """Ask over *parent*, without holding up the window; *Cancel*, the default, changes nothing."""
    asked = QMessageBox(icon, parent.window().windowTitle(), what, parent=parent)
    asked.setInformativeText(informative)
    asked.setTextFormat(Qt.TextFormat.PlainText)
    asked.setObjectName(name)
    go_on = asked.addButton(yes.label, yes.role)
    go_on.setObjectName(yes.name)
    asked.setDefaultButton(asked.addButton(QMessageBox.StandardButton.Cancel))
    asked.finished.connect(lambda _: yes.then() if asked.clickedButton() is go_on else None)
    asked.finished.connect(asked.deleteLater)
    asked.open()
    return asked
