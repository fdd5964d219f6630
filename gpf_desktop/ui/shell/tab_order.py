"""Tab goes through a page as one reads it, and what it reaches is in view."""

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLayout,
    QScrollArea,
    QSplitter,
    QTabBar,
    QTabWidget,
    QWidget,
)

_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


def order_tabs(root: QWidget) -> None:
    """Let Tab go through what is shown in *root* in the order of its layouts.

    Qt goes by the order in which parts were made, so cards that come with the data would follow after all that was
    there before them.
    """
    for one, other in pairwise(tab_stops(root)):
        # Moved itself, the proxy of a QTabWidget would take all that follows it out of the round.
        if not isinstance(other, QTabBar):
            QWidget.setTabOrder(one, other)


def tab_stops(root: QWidget, *, whole: bool = False) -> Iterator[QWidget]:
    """The widgets that Tab can reach in *root*, in the order of its layouts; *whole*: root itself too."""
    for part in (root,) if whole else _parts(root):
        if part.isHidden():
            continue
        # Who has a proxy hands the keyboard on: in the order as well, it would be a second stop at the same place.
        if part.isEnabled() and part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.focusProxy() is None:
            yield part
        yield from tab_stops(part)


def _parts(widget: QWidget) -> Iterator[QWidget]:
    layout = widget.layout()
    if isinstance(widget, QScrollArea):
        content = widget.widget()
        if content is not None:
            yield content
    elif isinstance(widget, QTabWidget):
        yield from filter(None, (widget.tabBar(), widget.currentWidget()))
    elif isinstance(widget, QSplitter):
        yield from filter(None, (widget.widget(at) for at in range(widget.count())))
    elif layout is not None and not isinstance(widget, (QAbstractScrollArea, QAbstractSpinBox, QComboBox)):
        yield from _laid_out(layout)


def _laid_out(layout: QLayout) -> Iterator[QWidget]:
    # Never by `itemAt`: its wrappers outlive what they wrap (docs/decisions/pyside6.md).
    holder = layout.parentWidget()
    inner = [each for each in layout.children() if isinstance(each, QLayout)]
    widgets = [] if holder is None else holder.findChildren(QWidget, options=_DIRECT)
    parts: list[QLayout | QWidget] = [*inner, *(each for each in widgets if layout.indexOf(each) >= 0)]
    for part in sorted(parts, key=layout.indexOf):
        if isinstance(part, QWidget):
            yield part
        else:
            yield from _laid_out(part)
