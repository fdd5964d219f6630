"""What hands expect of every part: Enter presses, Enter and a double click open alike, the wheel scrolls the page."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QDialog, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import Message, MessageKind, Remedy
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.buttons import button, icon_button
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.table_models import RowsTableModel


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space])
def test_that_enter_presses_the_button_that_has_the_keyboard_and_no_other(
    qtbot: QtBot, theme: Theme, key: Qt.Key
) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    pressed: list[str] = []
    column = QVBoxLayout(dialog)
    usual = QPushButton("OK")
    usual.setDefault(True)
    usual.clicked.connect(lambda: pressed.append("default"))
    parts: dict[str, QAbstractButton] = {
        "button": button("Cancel", lambda: pressed.append("button")),
        "icon": icon_button(theme, "close", "Close", lambda: pressed.append("icon")),
    }
    for part in (*parts.values(), usual):
        column.addWidget(part)
    dialog.show()
    for part in parts.values():
        part.setFocus()
        QTest.keyClick(part, key)
    assert pressed == ["button", "icon"]


def test_that_a_double_click_opens_what_enter_opens_and_once(qtbot: QtBot, theme: Theme) -> None:
    model = RowsTableModel[str](theme, (TableColumn(title="Name", text=str),), key=str)
    table = DataTable(theme, model, says="Names")
    qtbot.addWidget(table)
    model.set_rows(("first", "second"))
    table.resize(300, 200)
    table.show()
    opened: list[str] = []
    table.opened.connect(opened.append)
    place = table.visualRect(model.index(1, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert opened == []
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert opened == ["second", "second"]


def test_that_a_message_moves_nothing_under_the_pointer_and_takes_no_keyboard(
    window: MainWindow, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    window.context.navigator.go("models")
    settle()
    page = window.stack.current
    assert page is not None
    held = window.focusWidget()
    places = {part: part.mapTo(window, QPoint(0, 0)) for part in page.findChildren(QWidget) if part.isVisible()}
    window.context.messages.warning("Something is wrong.", Remedy(text="Mend it", do=lambda: None))
    settle()
    bar = window.message_bar
    assert bar.isVisible()
    assert {part: part.mapTo(window, QPoint(0, 0)) for part in places} == places
    assert window.focusWidget() is held
    assert page.header.geometry().bottom() < bar.geometry().top()
    qtbot.mouseClick(bar.remedy_buttons()[0], Qt.MouseButton.LeftButton)
    assert not bar.isVisible()
    assert window.focusWidget() is held


def test_that_a_message_goes_by_itself_unless_something_is_wrong(window: MainWindow, qtbot: QtBot) -> None:
    said = {kind: Message(text="A few words", kind=kind).shown_for for kind in MessageKind}
    assert said[MessageKind.WARNING] is said[MessageKind.ERROR] is None
    assert said[MessageKind.INFO]
    assert said[MessageKind.SUCCESS]
    longer = Message(text=" ".join(["word"] * 40)).shown_for
    assert longer is not None
    assert longer > said[MessageKind.INFO]
    window.context.messages.say(Message(text="Gone at once", seconds=0.01))
    assert window.message_bar.isVisible()
    qtbot.waitUntil(lambda: not window.message_bar.isVisible())
    assert window.context.messages.messages == ()


def test_that_what_was_said_of_an_audit_goes_with_it(window: MainWindow, audit: Path, qtbot: QtBot) -> None:
    window.context.messages.warning("Two rounds of this audit have gaps.")
    window.files.close_audit()
    qtbot.waitUntil(lambda: not window.status.audit_open and window.context.bridge.idle)
    assert window.context.messages.messages == ()
