"""Tables: what cells show and say, sorting, copying, paging, what is remembered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSettings, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QStyleOptionViewItem
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.theme import Scheme, Theme
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.table_models import BAR_ROLE, PagedTableModel, RowsTableModel
from tests.ui.accessibility import problems_in


@dataclass(frozen=True)
class Line:
    name: str
    done: int
    left: float | None = None
    kept: bool = False


LINES = [Line("openai/gpt-x", 611, 4.0), Line("ollama/llama", 191, None), Line("Anthropic/claude-y", 402, 7.5)]
COLUMNS: tuple[TableColumn[Line], ...] = (
    TableColumn(title="Model", text=lambda line: line.name, checked=lambda line: line.kept, stretch=True),
    TableColumn(
        title="Answered",
        text=lambda line: str(line.done),
        numeric=True,
        sort=lambda line: line.done,
        spoken=lambda line: f"{line.done} answered",
        help="Answers stored",
    ),
    TableColumn(title="Progress", text=lambda line: f"{line.done} of 1000", bar=lambda line: line.done / 1000),
    TableColumn(title="Left", text=lambda line: str(line.left or "–"), numeric=True, sort=lambda line: line.left),
)


@pytest.fixture
def model(theme: Theme) -> RowsTableModel[Line]:
    made = RowsTableModel(theme, COLUMNS, key=lambda line: line.name)
    made.set_rows(LINES)
    return made


@pytest.fixture
def table(theme: Theme, model: RowsTableModel[Line], settings: QSettings, qtbot: QtBot) -> DataTable:
    made = DataTable(theme, model, says="Models", name="models", settings=settings)
    qtbot.addWidget(made)
    made.resize(700, 300)
    made.show()
    return made


def _names(model: RowsTableModel[Line]) -> list[str]:
    return [line.name for line in model.rows]


def test_that_names_are_cut_in_their_middle_and_words_at_their_end(
    table: DataTable, model: RowsTableModel[Line]
) -> None:
    def cut(row: int) -> Qt.TextElideMode:
        option = QStyleOptionViewItem()
        table.initViewItemOption(option)
        table.itemDelegate().initStyleOption(option, model.index(row, 0))
        return option.textElideMode

    assert cut(0) is Qt.TextElideMode.ElideMiddle
    model.set_rows([Line("A sentence of several words", 1)])
    assert cut(0) is Qt.TextElideMode.ElideRight
    model.set_rows([Line("some-model (127.0.0.1:9000)", 1)])
    assert cut(0) is Qt.TextElideMode.ElideMiddle, "the same model at another host differs in its end alone"


def test_that_the_model_keeps_qts_rules(model: RowsTableModel[Line], qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(model)
    model.set_rows(LINES[:1])
    qtmodeltester.check(model)


def test_that_cells_show_and_say(model: RowsTableModel[Line]) -> None:
    answered = model.index(0, 1)
    assert answered.data() == "611"
    assert answered.data(Qt.ItemDataRole.AccessibleTextRole) == "611 answered"
    assert answered.data(Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight
    progress = model.index(0, 2)
    assert progress.data() == ""
    assert progress.data(BAR_ROLE) == pytest.approx(0.611)
    assert progress.data(Qt.ItemDataRole.AccessibleTextRole) == "Progress 611 of 1000"
    assert model.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole) == "Answers stored"


def test_that_sorting_puts_the_unknown_last_both_ways(model: RowsTableModel[Line]) -> None:
    model.sort(3, Qt.SortOrder.AscendingOrder)
    assert _names(model) == ["openai/gpt-x", "Anthropic/claude-y", "ollama/llama"]
    model.sort(3, Qt.SortOrder.DescendingOrder)
    assert _names(model) == ["Anthropic/claude-y", "openai/gpt-x", "ollama/llama"]
    model.sort(0, Qt.SortOrder.AscendingOrder)
    assert _names(model)[0] == "Anthropic/claude-y"


def test_that_the_mark_of_the_order_leaves_a_title_whole(table: DataTable, theme: Theme) -> None:
    theme.apply()
    theme.dress(table)
    head = table.horizontalHeader()
    last = head.count() - 1
    title = QRect(head.sectionViewportPosition(last), 0, head.sectionSize(last), head.height())
    words = title.adjusted(0, theme.px(11), 0, 0)
    plain, plain_words = head.grab(title).toImage(), head.grab(words).toImage()
    table.sortByColumn(last, Qt.SortOrder.AscendingOrder)
    assert head.grab(title).toImage() != plain, "the order is marked"
    assert head.grab(words).toImage() == plain_words


def test_that_a_table_is_not_sorted_until_asked(table: DataTable, model: RowsTableModel[Line]) -> None:
    assert _names(model) == [line.name for line in LINES]


def test_that_the_current_row_stays_through_sorting_and_new_rows(table: DataTable, model: RowsTableModel[Line]) -> None:
    assert table.select_key("ollama/llama")
    model.sort(1, Qt.SortOrder.AscendingOrder)
    assert table.current_row().name == "ollama/llama"
    model.set_rows([*LINES, Line("google/gemini-z", 5)])
    assert table.current_row().name == "ollama/llama"
    assert not table.select_key("gone")


def test_that_the_same_rows_only_repaint(table: DataTable, model: RowsTableModel[Line], qtbot: QtBot) -> None:
    table.select_key("ollama/llama")
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.dataChanged):
        model.set_rows([Line("openai/gpt-x", 612), LINES[1], LINES[2]])
    assert model.index(0, 1).data() == "612"


def test_that_rows_are_copied_as_text_with_tabs(table: DataTable, qtbot: QtBot) -> None:
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert lines == ["Model\tAnswered\tProgress\tLeft", "openai/gpt-x\t611\t611 of 1000\t4.0"]


def test_that_enter_opens_the_row_and_ticking_is_announced(
    table: DataTable, model: RowsTableModel[Line], qtbot: QtBot
) -> None:
    table.selectRow(1)
    with qtbot.waitSignal(table.opened) as opened:
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert opened.args == [LINES[1]]
    with qtbot.waitSignal(model.ticked) as ticked:
        model.setData(model.index(1, 0), Qt.CheckState.Checked.value, Qt.ItemDataRole.CheckStateRole)
    assert ticked.args == [LINES[1], True]


def test_that_widths_are_remembered(table: DataTable, theme: Theme, settings: QSettings, qtbot: QtBot) -> None:
    table.setColumnWidth(1, 173)
    again_model = RowsTableModel(theme, COLUMNS, key=lambda line: line.name)
    again_model.set_rows(LINES)
    again = DataTable(theme, again_model, says="Models", name="models", settings=settings)
    qtbot.addWidget(again)
    again.resize(table.size())
    again.show()
    assert again.columnWidth(1) == 173
    theme.set_text_scale(200)
    table.hide()
    table.show()
    assert table.columnWidth(1) == 346


def test_that_a_width_that_nobody_chose_is_not_remembered(
    table: DataTable, theme: Theme, settings: QSettings, qtbot: QtBot
) -> None:
    table.resize(900, 300)
    table.resize(300, 300)
    assert settings.value("tables/models") is None
    settings.setValue("tables/models", "[1")
    odd, plain = (_another(theme, qtbot, kept) for kept in (settings, None))
    assert odd.columnWidth(1) == plain.columnWidth(1)


def _another(theme: Theme, qtbot: QtBot, settings: QSettings | None) -> DataTable:
    model = RowsTableModel(theme, COLUMNS, key=lambda line: line.name)
    model.set_rows(LINES)
    made = DataTable(theme, model, says="Models", name="models", settings=settings)
    qtbot.addWidget(made)
    return made


def test_that_spare_columns_make_room_for_the_words_of_the_others(theme: Theme, qtbot: QtBot) -> None:
    titles = ("Kept", "First to go", "Second")
    columns: list[TableColumn[str]] = [
        TableColumn(title=title, text=lambda word: word * 10, spare=spare)
        for title, spare in zip(titles, (0, 2, 1), strict=True)
    ]
    rows: RowsTableModel[str] = RowsTableModel(theme, columns)
    rows.set_rows(["words "])
    table = DataTable(theme, rows, says="Words")
    qtbot.addWidget(table)
    table.resize(2000, 200)
    table.show()
    head, need = table.horizontalHeader(), table.sizeHintForColumn(0)

    def shown() -> list[str]:
        return [title for at, title in enumerate(titles) if not head.isSectionHidden(at)]

    for width, left in ((2.5, ["Kept", "Second"]), (1.5, ["Kept"]), (3.5, list(titles))):
        table.resize(round(width * need), 200)
        assert shown() == left
        assert head.sectionSize(0) >= need


@pytest.mark.parametrize("whole", [False, True])
def test_that_a_date_is_whole_where_words_beside_it_are_cut(theme: Theme, qtbot: QtBot, whole: bool) -> None:
    columns: list[TableColumn[str]] = [
        TableColumn(title="Published", text=lambda _: "20 November 2026 at 19:40", whole=whole, width=150),
        TableColumn(title="Headline", text=lambda word: word * 20, stretch=True),
        TableColumn(title="Kind", text=lambda word: word * 4, width=150),
    ]
    rows: RowsTableModel[str] = RowsTableModel(theme, columns)
    rows.set_rows(["words "])
    table = DataTable(theme, rows, says="Articles")
    qtbot.addWidget(table)
    table.resize(theme.px(420), 200)
    table.show()
    cut = table.columnWidth(0) < table.sizeHintForColumn(0)
    assert cut is not whole


def test_that_a_table_that_is_scrolled_sideways_anyway_keeps_its_titles_whole(theme: Theme, qtbot: QtBot) -> None:
    wide: TableColumn[Line] = TableColumn(title="Left", text=lambda line: f"{line.done} 000 000 000 000", numeric=True)
    columns = (replace(wide, title="Answered in all", text=lambda _: "1"), *(wide for _ in range(4)))
    model = RowsTableModel(theme, columns, key=lambda line: line.name)
    model.set_rows(LINES)
    table = DataTable(theme, model, says="Models", name="wide")
    qtbot.addWidget(table)
    table.resize(theme.px(300), 200)
    table.show()
    head = table.horizontalHeader()
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() > 0)
    assert all(head.sectionSize(at) >= head.sectionSizeHint(at) for at in range(head.count()))


def test_that_titles_stand_on_as_few_lines_as_are_whole(theme: Theme, qtbot: QtBot) -> None:
    """Above numbers narrower than half of a title, which two lines would cut."""
    number: TableColumn[Line] = TableColumn(
        title="How far apart answers lay, in words", text=lambda _: "0.75", numeric=True
    )
    columns = (replace(number, title="Share"), *(number for _ in range(3)))
    model = RowsTableModel(theme, columns, key=lambda line: line.name)
    model.set_rows(LINES)
    table = DataTable(theme, model, says="Models")
    qtbot.addWidget(table)
    table.show()
    head = table.horizontalHeader()
    model.broken = dict.fromkeys(range(4), 2)
    on_two = sum(head.sectionSizeHint(at) for at in range(4))
    table.resize(on_two - theme.px(40), 200)
    assert all(head.sectionSize(at) >= head.sectionSizeHint(at) for at in range(4))
    assert sum(head.sectionSize(at) for at in range(4)) <= table.viewport().width()
    assert [str(model.headerData(at, Qt.Orientation.Horizontal)).count("\n") for at in range(4)] == [0, 2, 2, 2]


def test_that_titles_stand_on_two_lines_before_they_are_cut(theme: Theme, qtbot: QtBot) -> None:
    number: TableColumn[Line] = TableColumn(title="Every one of them", text=lambda _: "1", numeric=True)
    columns = (replace(number, title="Share"), number, replace(number, title="None of them at all"))
    model = RowsTableModel(theme, columns, key=lambda line: line.name)
    model.set_rows(LINES)
    table = DataTable(theme, model, says="Models")
    qtbot.addWidget(table)
    table.resize(theme.px(600), 200)
    table.show()
    head = table.horizontalHeader()
    whole, high = [head.sectionSizeHint(at) for at in range(3)], head.height()
    table.resize(sum(whole) - theme.px(40), 200)
    assert all(head.sectionSize(at) >= head.sectionSizeHint(at) for at in range(3))
    assert head.sectionSizeHint(2) < whole[2]
    assert head.height() > high
    table.resize(theme.px(600), 200)
    assert [head.sectionSizeHint(at) for at in range(3)] == whole
    assert head.height() == high


def test_that_a_table_can_be_read_aloud_and_left_with_tab(table: DataTable) -> None:
    assert problems_in(table) == []
    assert not table.tabKeyNavigation()


def test_that_a_table_fits_its_rows_at_any_text_size(
    table: DataTable, model: RowsTableModel[Line], theme: Theme
) -> None:
    table.fit_height()
    before = table.height()
    theme.set_text_scale(200)
    assert table.height() > 1.5 * before
    model.set_rows(LINES[:1])
    assert table.height() < 1.5 * before


def test_that_a_hidden_table_takes_the_text_size_when_it_is_shown(
    table: DataTable, model: RowsTableModel[Line], theme: Theme
) -> None:
    table.fit_height()
    before = table.height()
    table.hide()
    theme.set_text_scale(200)
    table.show()
    assert table.height() > 1.5 * before
    width = table.columnWidth(1)
    theme.set_scheme(Scheme.DARK)
    assert table.columnWidth(1) == width


def key_of(line: Line) -> int:
    return line.done


class Shelf:
    """Answers like the bridge does: later, and when told."""

    def __init__(self) -> None:
        self.asked: list[Sequence[int]] = []
        self.waiting: list[tuple[Sequence[int], Callable[[Sequence[Line]], None]]] = []

    def load(self, keys: Sequence[int], then: Callable[[Sequence[Line]], None]) -> None:
        self.asked.append(keys)
        self.waiting.append((keys, then))

    def deliver(self) -> None:
        waiting, self.waiting = self.waiting, []
        for keys, then in waiting:
            then([Line(f"row {key}", key) for key in keys])


def test_that_only_the_pages_looked_at_are_loaded(theme: Theme, qtbot: QtBot) -> None:
    shelf = Shelf()
    model: PagedTableModel[int, Line] = PagedTableModel(theme, COLUMNS, shelf.load, key_of)
    table = DataTable(theme, model, says="Bundles")
    qtbot.addWidget(table)
    table.resize(500, 300)
    table.show()
    model.set_keys(range(1_000_000))
    assert model.rowCount() == 1_000_000
    bar = table.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    bar.setValue(700_000 * table.verticalHeader().defaultSectionSize())
    qtbot.waitUntil(lambda: any(700_000 in keys for keys in shelf.asked))
    shelf.deliver()
    assert model.index(700_000, 0).data() == "row 700000"
    assert sum(map(len, shelf.asked)) <= 6 * PagedTableModel.PAGE


@pytest.mark.parametrize("spoken", [False, True], ids=["in silence", "with a screen reader"])
def test_that_selecting_every_row_looks_at_those_in_sight_alone(theme: Theme, qtbot: QtBot, *, spoken: bool) -> None:
    looks = 0

    class Counting(PagedTableModel[int, Line]):
        def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
            nonlocal looks
            looks += 1
            return super().flags(index)

    model = Counting(theme, COLUMNS, lambda keys, then: then([Line("row", key) for key in keys]), key_of)
    model.set_keys(range(20_000))
    table = DataTable(theme, model, says="Lines", name="lines")
    qtbot.addWidget(table)
    table.resize(600, 300)
    with qtbot.waitExposed(table):
        table.show()
    QAccessible.setActive(spoken)
    try:
        looks = 0
        table.selectAll()
        table.repaint()
        table.horizontalHeader().repaint()
        assert looks < 500
        table.selectRow(3)
        assert looks < 500
    finally:
        QAccessible.setActive(False)


def test_that_rows_not_yet_loaded_are_copied_too_and_as_they_stood(theme: Theme, qtbot: QtBot) -> None:
    shelf = Shelf()
    model: PagedTableModel[int, Line] = PagedTableModel(theme, COLUMNS, shelf.load, key_of)
    table = DataTable(theme, model, says="Bundles")
    qtbot.addWidget(table)
    model.set_keys(range(1_200))
    QGuiApplication.clipboard().setText("before")
    table.selectAll()
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    model.set_keys([1, 2, 3])
    while shelf.waiting:
        assert QGuiApplication.clipboard().text() == "before"
        shelf.deliver()
    lines = QGuiApplication.clipboard().text().split("\n")
    assert [line.split("\t")[0] for line in lines] == ["Model", *(f"row {at}" for at in range(1_200))]


def test_that_late_pages_of_an_old_order_are_dropped(theme: Theme) -> None:
    shelf = Shelf()
    model: PagedTableModel[int, Line] = PagedTableModel(theme, COLUMNS, shelf.load, key_of)
    model.set_keys([1, 2, 3])
    assert model.index(0, 0).data() == "…"
    old = shelf.waiting.copy()
    shelf.waiting.clear()
    model.set_keys([3, 2, 1])
    model.index(0, 0).data()
    shelf.deliver()
    for keys, then in old:
        then([Line(f"row {key}", key) for key in keys])
    assert model.index(0, 0).data() == "row 3"
    assert model.key_at(0) == 3
    assert model.key_at(9) is None


def test_that_pages_long_unseen_are_let_go(theme: Theme) -> None:
    shelf = Shelf()
    model: PagedTableModel[int, Line] = PagedTableModel(theme, COLUMNS, shelf.load, key_of)
    model.set_keys(range(100 * PagedTableModel.PAGE))
    for page in range(100):
        model.index(page * PagedTableModel.PAGE, 0).data()
        shelf.deliver()
    model.index(0, 0).data()
    assert len(shelf.waiting) == 1
