"""Small help with layouts."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLayout, QLayoutItem, QScrollArea, QScrollBar, QWidget

from gpf_desktop.engine.core.gc_pause import gc_paused
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, spaced_grid

NO_BOUND: Final = 16_777_215
"""Qt's QWIDGETSIZE_MAX."""
_TURNS = 4
"""Twice without the scroll bar and twice with it: a content that has not settled by then never will."""


def clear_layout(layout: QLayout) -> None:
    """Take everything out of *layout* and let it go."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            # At once: until Qt deletes it, it would still be seen where it stood.
            widget.hide()
            widget.deleteLater()
        elif (inner := item.layout()) is not None:
            clear_layout(inner)


def marked_lines(holder: QWidget) -> QGridLayout:
    """In *holder*, lines with a mark in front: the mark in column 0, words in the rest."""
    return spaced_grid(parent=holder, across=SPACE_3, down=SPACE_2, wide=1)


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


class Scrolling(QScrollArea):
    """Fits its content at most `_TURNS` times in a row.

    Content whose height depends on its width may want the scroll bar without it and not want it with it; Qt would go
    from one to the other until the stack is full.
    """

    def __init__(self, *, steady: bool = False) -> None:
        super().__init__()
        self._turns = 0
        if steady:
            self.setVerticalScrollBar(_SteadyBar(Qt.Orientation.Vertical))
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)

    def leave_below(self, pixels: int) -> None:
        """So many pixels at the lower end are not scrolled over."""
        if self.viewportMargins().bottom() != pixels:
            self.setViewportMargins(0, 0, 0, pixels)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is not QEvent.Type.Resize:
            return super().eventFilter(watched, event)
        if self._turns >= _TURNS:
            return False
        self._turns += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._turns -= 1


class _SteadyBar(QScrollBar):
    """Takes its room where there is nothing to scroll, too, and is not seen there: what stands beside it keeps its
    width, and its height with that."""

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.maximum() > self.minimum():
            super().paintEvent(event)


def scrolling(content: QWidget, name: str = "", *, steady: bool = False) -> Scrolling:
    """*content* in an area that scrolls up and down and never sideways; *steady*: with room for its bar even where that
    is not needed."""
    area = Scrolling(steady=steady)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setProperty("plain", True)
    content.setProperty("plain", True)
    area.setObjectName(name)
    area.setWidget(content)
    return area


class _ItemsLayout(QLayout):
    """The base of the layouts below: a list of items, and a height that depends on the width."""

    def __init__(self, parent: QWidget | None = None, *widgets: QWidget, spacing: int = SPACE_2) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        """Width → height of what stands in it now: Qt asks many times for each change."""
        self._least: QSize | None = None
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def insert_widget(self, at: int, widget: QWidget) -> None:
        """*widget* as the item of number *at*, from 0."""
        # Which makes it a child of the layout's widget and its item the last one.
        self.addWidget(widget)
        self._items.insert(at, self._items.pop())
        self.invalidate()

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
        if width not in self._heights:
            with gc_paused():
                self._heights[width] = self.arrange(QRect(0, 0, width, 0), move=False)
        return self._heights[width]

    def invalidate(self) -> None:
        self._heights.clear()
        self._least = None
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        with gc_paused():
            self.arrange(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        if self._least is None:
            self._least = QSize()
            with gc_paused():
                for item in self.shown():
                    self._least = self._least.expandedTo(item.minimumSize())
        return self._least

    def shown(self) -> list[QLayoutItem]:
        """The items that take room."""
        return [item for item in self._items if not item.isEmpty()]

    def arrange(self, rect: QRect, *, move: bool) -> int:
        """Lay the items out in *rect* and return the height that they take."""
        raise NotImplementedError


class FlowLayout(_ItemsLayout):
    """Items in rows, as words in a text: chips, buttons."""

    def arrange(self, rect: QRect, *, move: bool) -> int:
        y = rect.y()
        for row in self.rows(rect):
            hints = [_kept_within(item, rect) for item in row]
            height = max(hint.height() for hint in hints)
            x = rect.x()
            for item, hint in zip(row, hints, strict=True):
                if move:
                    above = 0 if item.alignment() & Qt.AlignmentFlag.AlignTop else (height - hint.height()) // 2
                    item.setGeometry(QRect(QPoint(x, y + above), hint))
                x += hint.width() + self.spacing()
            y += height + self.spacing()
        return max(0, y - self.spacing() - rect.y())

    def rows(self, rect: QRect) -> list[list[QLayoutItem]]:
        """The items of each line within *rect*."""
        rows: list[list[QLayoutItem]] = []
        x = rect.x()
        items = self.shown()
        widths = [_kept_within(item, rect).width() for item in items]
        for number, item in enumerate(items):
            # For Qt the right edge of a rectangle is the last pixel within it.
            if not rows or x + self.stretch(number, widths, rect) > rect.right() + 1:
                rows.append([])
                x = rect.x()
            rows[-1].append(item)
            x += widths[number] + self.spacing()
        return rows

    def stretch(self, number: int, widths: Sequence[int], _rect: QRect) -> int:
        """Pixels that must be free on a line for item *number* to stand on it; *widths* of all items."""
        return widths[number]


class EndsFlow(FlowLayout):
    """Items in rows; the last *ends* of them keep together, at the right end of a line that they share with others."""

    def __init__(self, parent: QWidget, *widgets: QWidget, ends: int, spacing: int = SPACE_2) -> None:
        super().__init__(parent, *widgets, spacing=spacing)
        self._ends = ends

    def arrange(self, rect: QRect, *, move: bool) -> int:
        height = super().arrange(rect, move=move)
        items = self.shown()
        if move and len(items) > self._ends:
            last = items[-self._ends :]
            shares = len(self.rows(rect)[-1]) > self._ends
            free = rect.right() - last[-1].geometry().right()
            for item in last if shares else ():
                item.setGeometry(item.geometry().translated(max(0, free), 0))
        return height

    def stretch(self, number: int, widths: Sequence[int], rect: QRect) -> int:
        if number != len(widths) - self._ends:
            return super().stretch(number, widths, rect)
        return min(sum(widths[number:]) + self.spacing() * (self._ends - 1), rect.width())


class ButtonsFlow(FlowLayout):
    """Items on one line where it has room for all, else in rows that end at the right."""

    def sizeHint(self) -> QSize:
        hints = [item.sizeHint() for item in self.shown()]
        width = sum(hint.width() for hint in hints) + self.spacing() * max(0, len(hints) - 1)
        return QSize(width, max((hint.height() for hint in hints), default=0))

    def arrange(self, rect: QRect, *, move: bool) -> int:
        height = super().arrange(rect, move=move)
        for row in self.rows(rect) if move else ():
            free = max(0, rect.right() - row[-1].geometry().right())
            for item in row:
                item.setGeometry(item.geometry().translated(free, 0))
        return height


def flowing(*widgets: QWidget, tops: bool = False, spacing: int | None = None) -> QWidget:
    """*widgets* in rows, as words in a text, in a plain widget that is as high as its rows.

    Those of a row stand at one middle; *tops*: at one top, as fields of which some have help below. *spacing*: pixels
    between them; None: as between any widgets.
    """
    holder = PlainWidget()
    holder.setSizePolicy(by_width())
    flow = FlowLayout(holder, *widgets)
    if spacing is not None:
        flow.setSpacing(spacing)
    for widget in widgets if tops else ():
        flow.setAlignment(widget, Qt.AlignmentFlag.AlignTop)
    return holder


class EqualFlow(_ItemsLayout):
    """Items of one width in as many columns as fit: cards with figures."""

    def arrange(self, rect: QRect, *, move: bool) -> int:
        items = self.shown()
        if not items:
            return 0
        widest = max(item.minimumSize().width() for item in items)
        fitting = max(1, (rect.width() + self.spacing()) // (widest + self.spacing()))
        # As few rows as will do, then as few columns as fill them: four of which three would fit stand two by two.
        columns = -(-len(items) // -(-len(items) // min(fitting, len(items))))
        # To the pixel: one that is narrower than the others might wrap a line more. What is left over is between them.
        width = (rect.width() + self.spacing()) // columns - self.spacing()
        step = (rect.width() - width) / max(1, columns - 1)
        lefts = [rect.x() + round(at * step) for at in range(columns)]
        y = rect.y()
        for start in range(0, len(items), columns):
            row = items[start : start + columns]
            height = max(height_at(item, width) for item in row)
            for item, left in zip(row, lefts, strict=False):
                if move:
                    item.setGeometry(QRect(left, y, width, height))
            y += height + self.spacing()
        return y - self.spacing() - rect.y()


class SpreadLayout(_ItemsLayout):
    """Two items at the two ends of a line, the second below the first where it does not fit at its least width."""

    def __init__(self, parent: QWidget, *widgets: QWidget, spacing: int = SPACE_2, whole: bool = False) -> None:
        """*whole*: the second is below as soon as it does not fit as wide as it would be."""
        super().__init__(parent, *widgets, spacing=spacing)
        self._whole = whole

    def arrange(self, rect: QRect, *, move: bool) -> int:
        items = self.shown()
        if len(items) != 2:
            for item in items:
                if move:
                    item.setGeometry(rect)
            return max((item.sizeHint().height() for item in items), default=0)
        left, right = items
        ends = right.sizeHint()
        room = rect.width() - left.sizeHint().width() - self.spacing()
        if room >= (ends if self._whole else right.minimumSize()).width():
            ends.setWidth(min(ends.width(), room))
            height = max(left.sizeHint().height(), ends.height())
            if move:
                left.setGeometry(QRect(rect.x(), rect.y(), rect.width() - ends.width() - self.spacing(), height))
                right.setGeometry(QRect(rect.right() + 1 - ends.width(), rect.y(), ends.width(), height))
            return height
        top = left.sizeHint().height()
        width = min(ends.width(), rect.width())
        height = height_at(right, width)
        if move:
            left.setGeometry(QRect(rect.x(), rect.y(), rect.width(), top))
            right.setGeometry(QRect(rect.right() + 1 - width, rect.y() + top + self.spacing(), width, height))
        return top + self.spacing() + height


def _kept_within(item: QLayoutItem, rect: QRect) -> QSize:
    hint = item.sizeHint()
    hint.setWidth(min(hint.width(), max(rect.width(), item.minimumSize().width())))
    return hint


def height_at(item: QLayoutItem | QWidget, width: int) -> int:
    """How high *item* wants to be, *width* pixels across; Qt says −1 where that makes no difference to it."""
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


def bring_into_view(part: QWidget) -> None:
    """Scroll every area around *part* so far that it is seen."""
    around = part.parentWidget()
    while around is not None:
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(part)
        around = around.parentWidget()
