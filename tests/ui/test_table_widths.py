"""Columns follow what stands in them, unless the auditor has chosen their width."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.table_models import RowsTableModel

Line = tuple[str, int]

LINES: Sequence[Line] = [("openai/gpt-x", 611), ("ollama/llama", 191)]
COLUMNS: tuple[TableColumn[Line], ...] = (
    TableColumn(title="Model", text=lambda line: line[0], stretch=True),
    TableColumn(title="Answered", text=lambda line: str(line[1]), numeric=True, sort=lambda line: line[1]),
    TableColumn(title="Gaps", text=lambda line: "12 HTTP error" if line[1] else "none"),
)
NUMBER, WORDS = 1, 2


@pytest.fixture
def model(theme: Theme) -> RowsTableModel[Line]:
    made = RowsTableModel(theme, COLUMNS, key=lambda line: line[0])
    made.set_rows(LINES)
    return made


@pytest.fixture
def table(theme: Theme, model: RowsTableModel[Line], qtbot: QtBot) -> DataTable:
    made = DataTable(theme, model, says="Models")
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show()
    return made


def test_that_a_number_that_grows_is_never_cut(table: DataTable, model: RowsTableModel[Line]) -> None:
    first = table.columnWidth(NUMBER)
    model.set_rows([(name, 10**14) for name, _ in LINES])
    assert table.columnWidth(NUMBER) >= table.sizeHintForColumn(NUMBER)
    model.set_rows([("other/model", 10**18)])
    assert table.columnWidth(NUMBER) >= table.sizeHintForColumn(NUMBER)
    model.set_rows(LINES)
    assert table.columnWidth(NUMBER) == first


def test_that_a_word_that_grows_is_never_cut(theme: Theme, qtbot: QtBot) -> None:
    model = RowsTableModel(theme, COLUMNS, key=lambda line: line[0])
    model.set_rows([(name, 0) for name, _ in LINES])
    table = DataTable(theme, model, says="Models")
    qtbot.addWidget(table)
    table.resize(700, 300)
    table.show()
    first = table.columnWidth(WORDS)
    model.set_rows(LINES)
    assert table.columnWidth(WORDS) >= table.sizeHintForColumn(WORDS) > first


def test_that_a_short_word_is_not_cut_for_want_of_room(theme: Theme, qtbot: QtBot) -> None:
    short: TableColumn[Line] = TableColumn(title="K", text=lambda _: "not yet")
    long = replace(short, title="Provider", text=lambda _: "a long name of some provider", width=300)
    model = RowsTableModel(theme, (long, short, replace(long, title="Price")), key=lambda line: line[0])
    model.set_rows(LINES)
    table = DataTable(theme, model, says="Models")
    qtbot.addWidget(table)
    table.resize(300, 300)
    table.show()
    assert table.columnWidth(0) < table.sizeHintForColumn(0)
    assert table.columnWidth(1) >= table.sizeHintForColumn(1)


def test_that_a_width_that_the_auditor_chose_stays_when_a_number_grows(
    table: DataTable, model: RowsTableModel[Line]
) -> None:
    table.setColumnWidth(NUMBER, 60)
    model.set_rows([(name, 10**14) for name, _ in LINES])
    assert table.columnWidth(NUMBER) == 60
