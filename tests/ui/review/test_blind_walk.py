"""A blind reader walks through the page: nothing that can be read, hovered, heard or copied names who was asked."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QAccessible, QAction, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QMenu, QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.storage import models
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.reports.reports_page import ReportsPage
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.runs.runs_page import RunsPage
from tests.ui.review.two_readers import two_reviewers

Press = Callable[[str], None]
Settle = Callable[[], None]
_PROPERTIES = (
    *("text", "title", "toolTip", "whatsThis", "statusTip", "accessibleName", "accessibleDescription"),
    *("placeholderText", "windowTitle", "plainText", "currentText", "iconText"),
)
_ROLES = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.EditRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.StatusTipRole,
    Qt.ItemDataRole.WhatsThisRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.AccessibleDescriptionRole,
)
_SPOKEN = (
    *(QAccessible.Text.Name, QAccessible.Text.Description),
    *(QAccessible.Text.Value, QAccessible.Text.Help),
)


@pytest.fixture(autouse=True)
def nothing_copied(page: ReviewPage) -> None:
    """What was copied before the page was blind, or by another test, is nothing that it says."""
    QGuiApplication.clipboard().clear()


def told_by(thing: QObject) -> Iterator[str]:
    """All that *thing* says of itself, by sight, mouse or screen reader."""
    for name in _PROPERTIES:
        if isinstance(said := thing.property(name), str):
            yield said
    if isinstance(thing, QWidget) and (spoken := QAccessible.queryAccessibleInterface(thing)) is not None:
        yield from (spoken.text(part) for part in _SPOKEN)
    if isinstance(thing, QComboBox):
        yield from (thing.itemText(at) for at in range(thing.count()))
    if isinstance(thing, QTextEdit):
        yield thing.toHtml()
    if isinstance(thing, QAbstractItemView) and (rows := thing.model()) is not None:
        heads = (
            rows.headerData(at, Qt.Orientation.Horizontal, role) for at in range(rows.columnCount()) for role in _ROLES
        )
        yield from (said for said in heads if isinstance(said, str))
        yield from told_in(rows, QModelIndex())


def copied() -> str:
    """What lies in the clipboard, in every format."""
    held = QGuiApplication.clipboard().mimeData()
    return (
        ""
        if held is None
        else "\n".join(bytes(held.data(each).data()).decode(errors="replace") for each in held.formats())
    )


def told_in(rows: QAbstractItemModel, parent: QModelIndex) -> Iterator[str]:
    for row in range(min(rows.rowCount(parent), 60)):
        for column in range(rows.columnCount(parent)):
            index = rows.index(row, column, parent)
            yield from (said for role in _ROLES if isinstance(said := rows.data(index, role), str))
        yield from told_in(rows, rows.index(row, 0, parent))


def all_told(window: QWidget) -> dict[str, str]:
    """What is said, by who says it: widgets in sight, actions, and menus as they open."""
    found = {}
    for menu in window.findChildren(QMenu):
        menu.aboutToShow.emit()
    for thing in (window, *window.findChildren(QWidget), *window.findChildren(QAction)):
        if isinstance(thing, QWidget) and not isinstance(thing, QMenu) and not thing.isVisibleTo(window):
            continue
        if said := "\n".join(told_by(thing)).strip():
            found[f"{type(thing).__name__} {thing.objectName()} {id(thing)}"] = said
    return found


def secrets(page: ReviewPage) -> set[str]:
    """Names of the readers of the open bundle, and of every model and who makes it."""
    bundle = page.model.bundle
    if bundle is None:
        return set()
    asked = page.context.engine.open_audit.context.audit.read(models.every)
    makers = {name for each in asked for name in (each.endpoint.provider, each.endpoint.model)}
    return {*filter(None, (answer.level for answer in bundle.answers)), *bundle.model.split("/"), *makers}


def leaks(page: ReviewPage) -> list[str]:
    told = {**all_told(page.window()), "the clipboard": copied()}
    return [f"{who}: {name}" for who, said in told.items() for name in secrets(page) if name in said]


KEYS = (
    *("Ctrl+Z", "Ctrl+Y", "Y", "A", "H", "K", "Escape", "Alt+M", "Alt+N", "Backspace"),
    *("V", "L", "W", "X", "P", "B", "F", "S", "E", "G", "I", "Z", "M", "2", "Right", "Shift+Right", "J"),
    *("Ctrl+C", "Ctrl+Shift+C", "Ctrl+A", "Ctrl+F"),
)


def test_that_the_walk_sees_names_that_are_shown(page: ReviewPage) -> None:
    assert leaks(page)


def test_that_no_key_brings_a_name_into_sight_of_a_blind_reader(page: ReviewPage, press: Press, settle: Settle) -> None:
    press("Q")
    settle()
    assert [each for each in leaks(page) if "MessageBar" in each]
    page.bar.blind.click()
    settle()
    assert leaks(page) == []
    page.bar.blind.click()
    settle()
    # What is still being done while names go says none either.
    assert page.model.bundle is not None
    page.model.add_passage(page.model.bundle.answers[0].cell_id, 0, 9)
    page.bar.blind.click()
    settle()
    assert leaks(page) == []
    for key in KEYS:
        press(key)
        settle()
        assert leaks(page) == [], key


def test_that_a_blind_reader_finds_no_names_among_the_team(page: ReviewPage, settle: Settle) -> None:
    page.bar.blind.click()
    settle()
    page.toggle_team()
    settle()
    assert leaks(page) == []


def test_that_no_tab_of_the_queue_names_what_a_blind_reader_may_not_know(page: ReviewPage, settle: Settle) -> None:
    page.bar.blind.click()
    settle()
    for tab in range(page.bar.tabs.count()):
        page.bar.tabs.setCurrentIndex(tab)
        settle()
        assert leaks(page) == [], page.bar.tabs.tabText(tab)


def test_that_reports_and_results_tell_a_blind_reader_nothing_of_a_set(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    window = page.window()
    assert isinstance(window, MainWindow)
    window.context.navigator.go("results")
    settle()
    results = window.stack.page("results")
    assert isinstance(results, ResultsPage)
    assert results.read_first.first.isVisible()
    read_first, bundle = results.read_first.about.text(), results.model.answers.to_read.rows[0].bundle_id
    window.context.navigator.go("review", bundle=bundle)
    settle()
    press("Q")
    settle()
    window.context.navigator.go("reports", part="evidence")
    settle()
    reports = window.stack.page("reports")
    assert isinstance(reports, ReportsPage)

    def named(where: QWidget) -> list[str]:
        # That models of calibration are among them is told of the whole audit.
        secret = secrets(page) - {"calibration"}
        return [f"{who}: {name}" for who, said in all_told(where).items() for name in secret if name in said]

    assert named(reports)
    window.context.navigator.go("review")
    page.bar.blind.click()
    settle()
    for part, panel in enumerate((reports.write, reports.findings, reports.tray)):
        window.context.navigator.go("reports")
        settle()
        reports.tabs.setCurrentIndex(part)
        if panel is reports.findings:
            reports.findings.add.click()
        settle()
        assert named(reports) == [], part
    # Who wants to see it all the same is not kept from it, and is asked the next time again.
    assert reports.cover.button is not None
    reports.cover.button.click()
    settle()
    assert reports.preview.isVisible()
    window.context.navigator.go("results")
    settle()
    assert named(results.read_first) == []
    assert not results.read_first.first.isVisible()
    window.context.navigator.go("reports")
    settle()
    assert not reports.preview.isVisible()
    page.model.set_blind(False)
    window.context.navigator.go("results")
    settle()
    assert results.read_first.about.text() == read_first
    assert results.read_first.first.isVisible()


def test_that_the_calls_of_a_round_are_covered_from_a_blind_reader(page: ReviewPage, settle: Settle) -> None:
    window = page.window()
    assert isinstance(window, MainWindow)
    runs = window.stack.page("runs")
    assert isinstance(runs, RunsPage)
    window.context.navigator.go("runs")
    settle()
    runs.list.table.selectRow(0)
    window.context.actions.action("run.calls").trigger()
    settle()
    runs.calls.table.selectRow(0)
    settle()
    assert [each for each in all_told(runs.calls).values() if any(name in each for name in secrets(page))]
    window.context.navigator.go("review")
    page.bar.blind.click()
    settle()
    for _ in range(2):
        window.context.navigator.go("runs")
        settle()
        told = all_told(runs.calls).values()
        assert not [each for each in told if any(name in each for name in secrets(page))]
        assert not runs.calls.table.isVisible()
        # Who wants to see them all the same is not kept from it, and is asked the next time again.
        assert runs.calls.cover.button is not None
        runs.calls.cover.button.click()
        assert runs.calls.table.isVisible()
        window.context.navigator.go("review")
        settle()


def test_that_a_disagreement_is_settled_blind(page: ReviewPage, press: Press, settle: Settle, qtbot: QtBot) -> None:
    two_reviewers(page, qtbot)
    page.bar.blind.click()
    settle()
    page.model.set_tab(QueueTab.DISAGREE)
    settle()
    qtbot.waitUntil(lambda: page.form.submit.text().startswith("Settle"))
    assert leaks(page) == []
    page.queue.setFocus()
    for key in ("D", "3", "X", "B", "Ctrl+C", "Ctrl+Shift+C"):
        press(key)
        settle()
        assert leaks(page) == [], key


def test_that_the_grid_of_an_item_s_choices_names_no_model_to_a_blind_reader(
    choices: ReviewPage,
    press: Press,
    settle: Settle,
) -> None:
    def named() -> list[str]:
        bundle = choices.model.bundle
        assert bundle is not None
        told = {**all_told(choices.window()), "the clipboard": QGuiApplication.clipboard().text()}
        return [f"{who}: {name}" for who, said in told.items() for name in bundle.model.split("/") if name in said]

    assert named()
    choices.bar.blind.click()
    settle()
    assert named() == []
    choices.queue.setFocus()
    for key in ("Return", "Right", "Down", "C", "Ctrl+C", "Ctrl+Shift+C", "V", "W", "X"):
        press(key)
        settle()
        assert named() == [], key
