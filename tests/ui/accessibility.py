"""What a screen reader and a keyboard would find wrong with a widget; for the tests of every page.

assert problems_in(page) == []
assert tab_problems(window) == []
"""

from PySide6.QtCore import QAbstractListModel, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QKeySequenceEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

_INNER = ("qt_", "Qt")
"""Qt's own parts of composite widgets: named through the widget that they are in."""
_LONGEST = 5_000


def focusable(root: QWidget, *, shown_only: bool = False) -> list[QWidget]:
    """Every widget in *root* that Tab or a click can give the keyboard to."""
    found = [root, *root.findChildren(QWidget)]
    return [
        widget
        for widget in found
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and not widget.objectName().startswith(_INNER)
        and widget.focusProxy() is None
        and not _inside_composite(widget)
        and (widget.isVisible() or not shown_only)
    ]


def spoken_name(widget: QWidget) -> str:
    """What a screen reader says the widget is called."""
    interface = QAccessible.queryAccessibleInterface(widget)
    return "" if interface is None else interface.text(QAccessible.Text.Name).strip()


def problems_in(root: QWidget) -> list[str]:
    """One line for every focusable widget without a name, silent table cell, and text field that swallows Tab."""
    problems = []
    for widget in focusable(root):
        if not spoken_name(widget):
            problems.append(f"no accessible name: {_called(widget)}")
        if isinstance(widget, (QPlainTextEdit, QTextEdit)) and not widget.tabChangesFocus():
            problems.append(f"swallows Tab: {_called(widget)}")
        if isinstance(widget, QAbstractItemView):
            problems += _silent_cells(widget)
    for button in root.findChildren(QAbstractButton):
        if not button.text() and not button.accessibleName() and not button.objectName().startswith(_INNER):
            problems.append(f"an icon without words: {_called(button)}")
    return problems


def tab_problems(window: QWidget) -> list[str]:
    """What Tab does not reach or cannot get back from, among the widgets shown in *window*."""
    expected = {
        widget
        for widget in focusable(window, shown_only=True)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isEnabled()
    }
    if not expected:
        return []
    problems = []
    for forward in (True, False):
        reached = _walk(window, forward=forward)
        problems += [f"{'Tab' if forward else 'Shift+Tab'} misses {_called(each)}" for each in expected - reached]
    return problems


def _walk(window: QWidget, *, forward: bool) -> set[QWidget]:
    reached: set[QWidget] = set()
    for _ in range(_LONGEST):
        window.focusNextPrevChild(forward)
        focus = QApplication.focusWidget()
        if focus is None or focus in reached:
            break
        reached.add(focus)
    return reached


def _silent_cells(view: QAbstractItemView) -> list[str]:
    model = view.model()
    if model is None or not model.rowCount():
        return []
    silent = []
    # A list has one column, and no public way to say so.
    for column in range(1 if isinstance(model, QAbstractListModel) else model.columnCount()):
        index = model.index(0, column)
        said = index.data(Qt.ItemDataRole.AccessibleTextRole) or index.data(Qt.ItemDataRole.DisplayRole)
        if not said:
            silent.append(f"a cell of {_called(view)} in column {column} says nothing")
    return silent


def _inside_composite(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, (QAbstractSpinBox, QComboBox, QKeySequenceEdit)):
            return True
        if type(parent).__name__ == "PlotWidget":
            return True
        parent = parent.parentWidget()
    return False


def _called(widget: QWidget) -> str:
    parents = []
    each: QWidget | None = widget
    while each is not None and len(parents) < 3:
        parents.append(each.objectName() or type(each).__name__)
        each = each.parentWidget()
    return f"{type(widget).__name__} {' in '.join(parents)}"
