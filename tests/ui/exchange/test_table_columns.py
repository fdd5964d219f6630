"""Tables of thousands of columns, to be mapped."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.commands.import_command import ImportPreview
from gpf_desktop.ui.exchange.table_columns import ColumnBox, FirstRows

COLUMNS = tuple(f"metadata.column {number}" for number in range(5000))


def test_that_a_box_of_thousands_of_columns_holds_them_once_it_has_the_keyboard(qtbot: QtBot) -> None:
    box = ColumnBox(COLUMNS, name="model", title="Model")
    qtbot.addWidget(box)
    box.say_first("(none found)")
    assert (box.count(), box.currentText(), box.currentData()) == (1, "(none found)", "")
    with qtbot.waitExposed(box):
        box.show()
    box.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: box.count() == len(COLUMNS) + 1)
    assert (box.currentText(), box.itemText(5000), box.itemData(5000)) == ("(none found)", COLUMNS[-1], COLUMNS[-1])
    chosen = []
    box.currentIndexChanged.connect(chosen.append)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert (chosen, box.currentData()) == ([1], COLUMNS[0])


def test_that_a_box_can_be_opened_without_having_had_the_keyboard(qtbot: QtBot) -> None:
    box = ColumnBox(COLUMNS[:3], name="model", title="Model")
    qtbot.addWidget(box)
    box.show()
    box.showPopup()
    assert [box.itemText(at) for at in range(box.count())] == ["(by its name)", *COLUMNS[:3]]
    box.hidePopup()


def test_that_long_cells_and_names_of_columns_are_shown_cut_in_one_line(qtbot: QtBot) -> None:
    found = ImportPreview(columns=("a", "b" * 300), rows=(("one\ntwo", "x" * 300), ("", "y")), heads=())
    view = FirstRows(found)
    qtbot.addWidget(view)
    model = view.model()
    assert model.index(0, 0).data() == "one two"
    assert (len(model.index(0, 1).data()), len(model.headerData(1, Qt.Orientation.Horizontal))) == (200, 200)
    assert (model.rowCount(), model.columnCount(), model.headerData(1, Qt.Orientation.Vertical)) == (2, 2, 2)


def test_that_names_of_columns_are_whole_in_whatever_looks_the_head_gets(qtbot: QtBot) -> None:
    found = ImportPreview(columns=COLUMNS, rows=(tuple("x" for _ in COLUMNS),), heads=())
    view = FirstRows(found)
    qtbot.addWidget(view)
    head = view.horizontalHeader()
    head.setStyleSheet("QHeaderView::section { font-weight: bold; padding: 0 12px }")
    view.show()
    qtbot.waitUntil(lambda: all(head.sectionSize(at) >= head.sectionSizeFromContents(at).width() for at in range(60)))
