"""Tab goes through a page as it is read, and shows what it reaches."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QTabWidget,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.shell.pages import page_specs
from gpf_desktop.ui.shell.tab_order import order_tabs, tab_stops
from gpf_desktop.ui.widgets.layouts import bring_into_view
from tests.support.filled_audit import fill


def _round(window: MainWindow) -> Iterator[QWidget]:
    """What Tab reaches, from where the keyboard is, until something comes again."""
    seen: set[QWidget] = set()
    window.focusNextPrevChild(True)
    while (part := window.focusWidget()) is not None and part not in seen:
        seen.add(part)
        yield part
        window.focusNextPrevChild(True)


def test_that_parts_made_later_come_where_they_stand(qtbot: QtBot) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    column, row = QVBoxLayout(root), QHBoxLayout()
    last, first, middle, hidden = (QLineEdit() for _ in range(4))
    column.addWidget(first)
    column.addLayout(row)
    row.addWidget(middle)
    row.addWidget(hidden)
    column.addWidget(last)
    hidden.hide()
    root.show()
    order_tabs(root)
    assert list(tab_stops(root)) == [first, middle, last]
    assert first.nextInFocusChain() is middle
    assert middle.nextInFocusChain() is last


def test_that_parts_of_a_tab_that_were_made_later_come_after_its_head_and_before_what_stands_below(
    qtbot: QtBot,
) -> None:
    root, tabs, card, other, below = QWidget(), QTabWidget(), QWidget(), QLineEdit(), QLineEdit()
    qtbot.addWidget(root)
    column, inside = QVBoxLayout(root), QVBoxLayout(card)
    column.addWidget(tabs)
    column.addWidget(below)
    add = QLineEdit()
    inside.addWidget(add)
    tabs.addTab(card, "Findings")
    tabs.addTab(other, "Other")
    made_later = QLineEdit()
    inside.insertWidget(0, made_later)
    root.show()
    order_tabs(root)
    assert list(tab_stops(root)) == [tabs.tabBar(), made_later, add, below]
    assert made_later.nextInFocusChain() is add


def test_that_what_has_the_keyboard_is_scrolled_into_view(qtbot: QtBot) -> None:
    area, content, field = QScrollArea(), QWidget(), QLineEdit()
    qtbot.addWidget(area)
    QVBoxLayout(content).addWidget(field)
    content.setFixedHeight(2000)
    area.setWidget(content)
    area.resize(300, 200)
    area.show()
    field.move(0, 1800)
    assert field.visibleRegion().isEmpty()
    bring_into_view(field)
    assert not field.visibleRegion().isEmpty()


def test_that_tab_shows_every_part_of_a_filled_page_it_reaches(
    window: MainWindow, context: Context, audit: Path, settle: Callable[[], None]
) -> None:
    fill(context.engine.open_audit.context.audit, items=1, repeats=2, models_asked=("tailoring-0.6",))
    for spec in page_specs():
        context.navigator.go(spec.id)
        settle()
        QApplication.processEvents()
        shown = window.stack.current
        assert shown is not None
        reached = {part: part.visibleRegion().isEmpty() for part in _round(window)}
        assert set(tab_stops(shown)) <= reached.keys(), spec.id
        assert [part.objectName() for part, hidden in reached.items() if hidden] == [], spec.id


def test_that_no_wrapper_of_a_layouts_item_is_left(qtbot: QtBot) -> None:
    root, inner = QWidget(), QHBoxLayout()
    qtbot.addWidget(root)
    column = QVBoxLayout(root)
    first, second, third = QLineEdit(), QLineEdit(), QLineEdit()
    column.addWidget(first)
    inner.addWidget(third)
    inner.insertWidget(0, second)
    column.addLayout(inner)
    root.show()
    before = wrapped_items()
    assert list(tab_stops(root)) == [first, second, third]
    # One that outlives its widget would be taken for whatever Qt puts at its address.
    assert wrapped_items() == before


def wrapped_items() -> int:
    return sum(type(each) is QWidgetItem for each in gc.get_objects())
