"""The ledger in the window: a round's calls, retry by selection, copies, archive, deletion."""

from array import array
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QTableView,
)
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.runs import NoteKind, RunState
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.exchange.daily_copies import all_copies
from gpf_desktop.storage.ledger import CallState
from gpf_desktop.storage.runs import RunNote
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.calls_view import _columns
from gpf_desktop.ui.runs.note_folding import folded
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.runs.runs_view_model import RunsView
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import server_model, small_protocol
from tests.ui.accessibility import problems_in
from tests.ui.runs.steps import add

_TIME = 200_000


@pytest.fixture
def finished(
    window: MainWindow, audit: Path, settle: Callable[[], None], qtbot: QtBot
) -> tuple[RunsPage, OpenAIServer]:
    """The page at a round of ten calls, two of which the server refused."""
    open_audit = window.context.engine.open_audit
    open_audit.sources.take([(SAMPLE, "")], 1)
    window.context.navigator.go("runs")
    page = window.findChild(RunsPage, "page.runs")
    assert page is not None
    with OpenAIServer(cached=0.5) as server:
        server.fail("Democrat", status=400)
        add(window, server_model(server.base_url), synthetic=False)
        page.model.set_up()
        settle()
        setup = page.setup.model
        setup.protocol = small_protocol()
        setup.set_controls(False)
        setup.news.take_newest(1)
        setup.take_model(setup.models[0], on=True)
        settle()
        setup.start()
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED_WITH_GAPS, timeout=_TIME)
        settle()
        yield page, server  # type: ignore[misc]


def told(window: MainWindow) -> str:
    return "\n".join(message.text for message in window.context.messages.messages)


def text(page: RunsPage, name: str) -> str:
    found = page.findChild(QPlainTextEdit, name)
    assert found is not None
    return found.toPlainText()


def button(page: RunsPage, name: str) -> QPushButton:
    found = page.findChild(QPushButton, name)
    assert found is not None
    return found


def choose_finished(page: RunsPage, qtbot: QtBot) -> None:
    """Choose the older of the two rounds that the list shows as soon as it does."""
    qtbot.waitUntil(lambda: page.list.table.model().rowCount() == 2, timeout=_TIME)
    page.list.table.selectRow(1)
    assert page.model.chosen is not None
    assert page.model.chosen.state is RunState.FINISHED_WITH_GAPS


def from_the_menu(table: QTableView, words: str) -> None:
    """Choose what a right click offers in *words*."""
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), table.mapToGlobal(QPoint(5, 5)))
    QApplication.sendEvent(table.viewport(), event)
    (menu,) = (each for each in table.findChildren(QMenu) if each.isVisible())
    next(each for each in menu.actions() if each.text().replace("&", "") == words).trigger()
    menu.close()


def test_that_the_calls_of_a_round_are_listed_sorted_looked_at_and_asked_again(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page, server = finished
    window.context.actions.action("run.calls").trigger()
    settle()
    assert page.model.view is RunsView.CALLS
    calls, table = page.calls.model, page.calls.table
    assert calls.counted == "10 calls"
    assert not page.calls.pane.isVisible()
    table.horizontalHeader().setSortIndicator(4, Qt.SortOrder.DescendingOrder)
    settle()
    qtbot.waitUntil(lambda: page.calls.rows.row_at(0) is not None)
    assert [page.calls.rows.row_at(at).status for at in range(2)] == [400, 400]  # type: ignore[union-attr]
    calls.narrow(state=CallState.GAPS)
    settle()
    qtbot.waitUntil(lambda: page.calls.rows.row_at(0) is not None)
    assert calls.counted == "2 of 10"
    table.selectRow(0)
    settle()
    assert "POST http://127.0.0.1" in text(page, "calls.request")
    assert text(page, "calls.reply").startswith("400")
    button(page, "calls.curl").click()
    assert QGuiApplication.clipboard().text().startswith("curl -X POST")
    table.selectAll()
    qtbot.waitUntil(lambda: button(page, "calls.curl").text() == "Copy 2 as curl")
    clipboard, said = QGuiApplication.clipboard(), window.context.messages
    with qtbot.waitSignal(said.changed, check_params_cb=lambda: "2 calls copied as commands" in told(window)):
        button(page, "calls.curl").click()
    assert clipboard.text().count("curl -X POST") == 2
    assert "sk-" not in clipboard.text()
    with qtbot.waitSignal(said.changed, check_params_cb=lambda: "2 rows copied." in told(window)):
        table.copy()
    assert len(clipboard.text().splitlines()) == 3
    server.fail_no_more()
    # More are listed than the window could ask about one by one; only those that failed are asked.
    calls.ids = array("q", range(1, 300_001))
    calls.listed.emit()
    table.selectAll()
    qtbot.waitUntil(lambda: button(page, "calls.curl").text() == "Copy 300,000 as curl")
    assert button(page, "calls.retry").text() == "Ask the failed ones again"
    button(page, "calls.retry").setFocus()
    button(page, "calls.retry").click()
    qtbot.waitUntil(lambda: calls.counted == "0 of 10", timeout=_TIME)
    settle()
    assert window.focusWidget() is table
    assert not problems_in(page)
    # What was sent names the model, and tells in its words for whom it was asked.
    calls.narrow(state=None)
    settle()
    table.selectRow(0)
    settle()
    clipboard.setText("nothing yet")
    window.context.engine.open_audit.reviews.hides_names = True
    button(page, "calls.curl").click()
    (asked,) = [each for each in window.findChildren(QDialog) if each.objectName() == "names.asked"]
    assert clipboard.text() == "nothing yet"
    asked.reject()
    button(page, "runs.progressView").click()
    settle()
    assert page.model.view is RunsView.RUN
    label = page.findChild(QLabel, "runs.facts")
    assert label is not None
    assert "1 article · 1 model · started" in label.text()
    assert "by hand" in label.text()


def test_that_what_is_looked_at_is_what_would_be_asked_again(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page, _ = finished
    window.context.actions.action("run.calls").trigger()
    settle()
    calls, table = page.calls.model, page.calls.table
    table.selectRow(1)
    settle()
    qtbot.waitUntil(lambda: calls.details is not None)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert table.currentIndex().row() == 2
    assert calls.details is not None
    assert [calls.details.row.cell_id] == list(calls.selected)
    table.selectAll()
    assert button(page, "calls.retry").isEnabled()
    calls.narrow(state=CallState.ANSWERED)
    settle()
    assert len(calls.selected) == 0, "nobody sees them selected any more"
    assert not button(page, "calls.retry").isEnabled()


def test_that_a_call_that_the_filter_leaves_out_is_looked_at_no_longer_and_one_that_stays_is_selected(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page, _ = finished
    window.context.actions.action("run.calls").trigger()
    settle()
    calls, table = page.calls.model, page.calls.table
    calls.narrow(state=CallState.GAPS)
    settle()
    table.selectRow(0)
    settle()
    qtbot.waitUntil(page.calls.pane.isVisible)
    (gap,) = calls.selected
    calls.narrow(state=None)
    settle()
    assert list(calls.selected) == [gap]
    assert calls.ids[table.currentIndex().row()] == gap
    calls.narrow(state=CallState.ANSWERED)
    settle()
    assert not page.calls.pane.isVisible()
    assert len(calls.selected) == 0


def test_that_calls_that_are_asked_again_are_shown_as_such_while_they_are_on_their_way(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page, server = finished
    window.context.actions.action("run.calls").trigger()
    calls, table, rows = page.calls.model, page.calls.table, page.calls.rows
    calls.narrow(state=CallState.GAPS)
    qtbot.waitUntil(lambda: calls.counted == "2 of 10")
    table.selectRow(0)
    qtbot.waitUntil(button(page, "calls.retry").isEnabled)
    server.fail_no_more()
    server.latency = 600.0
    button(page, "calls.retry").click()
    qtbot.waitUntil(lambda: (row := rows.row_at(0)) is not None and row.state == "asked")
    assert list(calls.selected) == [calls.ids[0]], "the selection stays"
    table.clearSelection()
    qtbot.waitUntil(lambda: calls.counted == "1 of 10")
    assert page.model.state is RunState.RUNNING
    window.context.engine.open_audit.rounds.stop().result(timeout=250)


def test_that_calls_name_the_model_in_full_and_say_which_were_lost(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page, _ = finished
    window.context.actions.action("run.calls").trigger()
    rows = page.calls.rows
    qtbot.waitUntil(lambda: rows.rowCount() > 0 and rows.row_at(0) is not None, timeout=_TIME)
    row = rows.row_at(0)
    assert row is not None
    texts = {column.title: column.text for column in _columns()}
    assert texts["Model"](replace(row, model="openai-compatible/maker/large")) == "maker/large", "as others' large"
    assert texts["Outcome"](replace(row, state="open", missing=None, unknown=1)) == "lost, maybe billed"
    assert texts["Outcome"](replace(row, state="answered", missing=None, unknown=1)) == "answered, 1 lost"
    page.calls.model.narrow(state=CallState.UNKNOWN)
    settle()
    assert any(each.isVisible() and each.text() == "Nothing matches this filter." for each in hints(page))
    page.calls.model.narrow(state=None)
    settle()
    assert any(each.isVisible() and each.text().startswith("Choose a call") for each in hints(page))


def hints(page: RunsPage) -> list[QLabel]:
    return page.calls.findChildren(QLabel)


def test_that_a_round_is_copied_archived_and_deleted_after_a_typed_word(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page, _ = finished
    actions = window.context.actions
    actions.action("run.duplicate").trigger()
    qtbot.waitUntil(lambda: page.model.run is not None and page.model.run.name.endswith(", again"), timeout=_TIME)
    page.model.show_list()
    qtbot.waitUntil(lambda: page.model.chosen is not None, timeout=_TIME)
    assert page.model.chosen is not None
    assert page.model.chosen.name.endswith(", again"), "the round that was left for the list"
    choose_finished(page, qtbot)
    old = window.context.engine.open_audit.old_texts
    from_the_menu(page.list.table, "Texts of the round beside the audit, or back")
    qtbot.waitUntil(lambda: "Keep both together." in told(window), timeout=_TIME)
    assert list(old.moved()) == [page.model.chosen.id]
    actions.action("run.texts").trigger()
    qtbot.waitUntil(lambda: "back." in told(window), timeout=_TIME)
    assert not old.moved()
    from_the_menu(page.list.table, "Archive the round")
    qtbot.waitUntil(lambda: len(page.model.listed) == 1, timeout=_TIME)
    assert page.model.chosen is None, "what nobody sees selected is not to be resumed or deleted"
    page.model.set_show_archived(True)
    choose_finished(page, qtbot)
    assert actions.action("run.archive").text().replace("&", "") == "Take the round out of the archive"
    actions.action("run.delete").trigger()
    qtbot.waitUntil(lambda: page.findChild(QDialog, "runs.delete") is not None, timeout=_TIME)
    dialog = page.findChild(QDialog, "runs.delete")
    assert dialog is not None
    field, do = dialog.findChild(QLineEdit), dialog.findChild(QPushButton, "runs.delete.do")
    assert field is not None
    assert do is not None
    assert not do.isEnabled()
    page.list.table.selectRow(0)  # another round is chosen by the time the word stands
    field.setText("delete")
    do.click()
    qtbot.waitUntil(lambda: len(page.model.runs) == 1, timeout=_TIME)
    assert page.model.runs[0].state is RunState.DRAFT
    assert sum(each.before_deletion for each in all_copies()) == 1, "beside copies that are made as days pass"


def test_that_a_round_that_was_read_is_told_to_stay_before_a_word_is_typed(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, qtbot: QtBot
) -> None:
    page, _ = finished
    audit = window.context.engine.open_audit
    (bundle,) = audit.context.audit.read(lambda connection: connection.execute("SELECT min(id) FROM bundle").fetchone())
    audit.reviews.set_flagged(BundleId(bundle), True).result()
    page.model.show_list()
    qtbot.waitUntil(lambda: page.list.table.model().rowCount() == 1, timeout=_TIME)
    page.list.table.selectRow(0)
    window.context.actions.action("run.delete").trigger()

    def told() -> bool:
        return any("1 set of answers of the round was read" in each.text for each in window.context.messages.messages)

    qtbot.waitUntil(told, timeout=_TIME)
    assert page.findChild(QDialog, "runs.delete") is None


def test_that_the_money_of_a_deleted_round_stays_in_the_sum_on_home(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page, _ = finished
    open_audit = window.context.engine.open_audit
    paid = "UPDATE call SET microdollars = 20000 WHERE outcome = 'answered'"
    open_audit.context.audit.write(lambda connection: connection.execute(paid)).result()
    calls = page.calls.model
    window.context.actions.action("run.calls").trigger()
    qtbot.waitUntil(lambda: bool(calls.ids) and page.calls.rows.row_at(0) is not None, timeout=_TIME)
    page.calls.table.selectRow(0)
    qtbot.waitUntil(lambda: calls.details is not None, timeout=_TIME)
    page.model.show_list()
    qtbot.waitUntil(lambda: bool(page.model.runs) and page.model.runs[0].spent == pytest.approx(0.16), timeout=_TIME)
    page.list.table.selectRow(0)
    window.context.actions.action("run.delete").trigger()
    qtbot.waitUntil(lambda: page.findChild(QDialog, "runs.delete") is not None, timeout=_TIME)
    dialog = page.findChild(QDialog, "runs.delete")
    assert dialog is not None
    field, do = dialog.findChild(QLineEdit), dialog.findChild(QPushButton, "runs.delete.do")
    assert field is not None
    assert do is not None
    assert any("What it cost, $0.16 + price unknown," in each.text() for each in dialog.findChildren(QLabel))
    field.setText("delete")
    do.click()
    qtbot.waitUntil(lambda: not page.model.runs and calls.details is None, timeout=_TIME)
    window.context.navigator.go("home")
    said = "$0.16 + price unknown, all in rounds deleted since"

    def told() -> bool:
        words = window.findChild(QLabel, "home.now.spend.words")
        return words is not None and words.isVisible() and words.text() == said

    qtbot.waitUntil(told, timeout=_TIME)


def test_that_a_round_that_rests_is_resumed_from_the_list(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page, server = finished
    server.fail_no_more()
    window.context.actions.action("run.duplicate").trigger()
    qtbot.waitUntil(lambda: page.model.state is RunState.DRAFT, timeout=_TIME)
    page.model.show_list()
    settle()
    page.list.table.selectRow(0)
    assert page.model.resume_words == "Start"
    window.context.actions.action("run.resume").trigger()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED, timeout=_TIME)
    assert page.model.view is RunsView.RUN


def test_that_what_came_from_the_provider_s_cache_is_told(
    finished: tuple[RunsPage, OpenAIServer], window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    page, _ = finished
    facts = page.findChild(QLabel, "runs.facts")
    assert facts is not None
    assert "from the provider's cache" in facts.text()
    window.context.actions.action("run.calls").trigger()
    settle()
    calls = page.calls
    calls.model.narrow(state=CallState.ANSWERED)
    qtbot.waitUntil(lambda: calls.model.counted == "8 of 10", timeout=_TIME)
    asked = calls.rows.index(0, 6)
    qtbot.waitUntil(lambda: bool(asked.data(Qt.ItemDataRole.ToolTipRole)), timeout=_TIME)
    assert "from the provider's cache" in asked.data(Qt.ItemDataRole.ToolTipRole)


def test_that_changes_of_the_pace_in_a_row_are_one_line() -> None:
    def note(second: int, kind: NoteKind, sentence: str) -> RunNote:
        return RunNote(at=datetime(2026, 11, 20, 14, 2, second, tzinfo=UTC), sentence=sentence, kind=kind)

    pace = [note(9 - at, NoteKind.PACE, f"limit {at}") for at in range(3)]
    other = note(1, NoteKind.PLAIN, "Started by hand.")
    shown = folded([*pace, other, pace[0]])
    assert [each.kind for each in shown] == [NoteKind.PACE, NoteKind.PLAIN, NoteKind.PACE]
    assert shown[0].sentence.startswith("The pace changed 3 times")
    assert shown[2].sentence == "limit 0"
