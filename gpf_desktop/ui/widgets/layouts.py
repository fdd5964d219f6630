"""Small help with layouts."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QFrame, QLayout, QLayoutItem, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from gpf_desktop.ui.theme.tokens import SPACE_2


def clear_layout(layout: QLayout) -> None:
    """Take everything out of *layout* and let it go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear_layout(inner)


def restyle(widget: QWidget) -> None:
    """Let the style sheet see a property of *widget* that has just changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def rule() -> QFrame:
    """A hairline between two parts."""
    line = QFrame()
    line.setProperty("rule", True)
    line.setFixedHeight(1)
    return line


def scrolling(content: QWidget, name: str = "") -> QScrollArea:
    """*content* in an area that scrolls up and down and never sideways."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setProperty("plain", True)
    content.setProperty("plain", True)
    area.setObjectName(name)
    area.setWidget(content)
    return area


def column(*widgets: QWidget, spacing: int = SPACE_2, margins: int = 0) -> QWidget:
    """*widgets* above each other in a plain widget."""
    holder = QWidget()
    holder.setProperty("plain", True)
    layout = QVBoxLayout(holder)
    layout.setContentsMargins(margins, margins, margins, margins)
    layout.setSpacing(spacing)
    for widget in widgets:
        layout.addWidget(widget)
    return holder


class FlowLayout(QLayout):
    """Items in rows, as words in a text: chips, buttons, cards of one size."""

    def __init__(self, parent: QWidget | None = None, *, spacing: int = SPACE_2) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, move: bool) -> int:
        at, line = QPoint(rect.topLeft()), 0
        for item in self._items:
            widget = item.widget()
            if widget is not None and widget.isHidden():
                continue
            hint = item.sizeHint()
            if widget is not None and widget.sizePolicy().horizontalPolicy() is QSizePolicy.Policy.Expanding:
                hint.setWidth(max(hint.width(), item.minimumSize().width()))
            if at.x() > rect.x() and at.x() + hint.width() > rect.right() + 1:
                at = QPoint(rect.x(), at.y() + line + self.spacing())
                line = 0
            if move:
                item.setGeometry(QRect(at, hint))
            at.setX(at.x() + hint.width() + self.spacing())
            line = max(line, hint.height())
        return at.y() + line - rect.y()
