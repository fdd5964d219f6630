"""Filters kept under a name, from the filter row, the menu and after a restart."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.accessibility import problems_in, tab_problems
from tests.ui.review.conftest import open_review

Settle = Callable[[], None]
POLITICAL = QueueFilter(levels=(("dimension", "Political"),))


def chosen(menu: QMenu, *path: str) -> QAction:
    """The entry of the menu, or of a menu in it, with these words."""
    if len(path) > 1:
        inner = next(each for each in menu.findChildren(QMenu) if each.title() == path[0])
        return chosen(inner, *path[1:])
    return next(each for each in menu.actions() if each.text() == path[0])


def pick(page: ReviewPage, *path: str) -> None:
    page.filters.saved.fill()
    chosen(page.filters.saved.menu(), *path).trigger()


def save(page: ReviewPage, qtbot: QtBot, settle: Settle, name: str) -> None:
    pick(page, "Save this filter and order as …")
    page.filters.name_line.name.clear()
    qtbot.keyClicks(page.filters.name_line.name, name)
    qtbot.keyClick(page.filters.name_line.name, Qt.Key.Key_Return)
    settle()


@pytest.fixture
def saved(page: ReviewPage, qtbot: QtBot, settle: Settle) -> ReviewPage:
    """Two saved filters: Political at random, and everything by dispersion."""
    save(page, qtbot, settle, "Everything")
    page.model.filters.put_in_force(POLITICAL, QueueOrder(seed=5))
    settle()
    save(page, qtbot, settle, "Politics, mixed")
    return page


def test_that_a_filter_is_named_from_the_keyboard_and_shows_its_name(
    saved: ReviewPage, settle: Settle, window: MainWindow
) -> None:
    page = saved
    assert page.bar.filter.text() == "Filter · Politics, mixed"
    assert page.bar.filter.accessibleName() == "Filter, “Politics, mixed” in force"
    assert QApplication.focusWidget() is page.filters.saved
    page.model.set_filter(QueueFilter())
    settle()
    assert page.bar.filter.text() == "Filter"
    pick(page, "Politics, mixed")
    settle()
    assert (page.model.wanted, page.model.order) == (POLITICAL, QueueOrder(seed=5))
    assert {row.coordinates["dimension"] for row in page.model.rows(page.model.queue.ids(page.model.tab))} == {
        "Political"
    }
    assert problems_in(page) == []
    assert tab_problems(window) == []


def test_that_saved_filters_are_there_after_a_restart(
    saved: ReviewPage, desktop: Desktop, qtbot: QtBot, filled: Path, settle: Settle
) -> None:
    desktop.window.files.close_audit()
    qtbot.waitUntil(lambda: not desktop.window.status.audit_open)
    settle()
    page = open_review(desktop.window, qtbot, filled)
    assert [each.name for each in page.model.filters.saved] == ["Everything", "Politics, mixed"]
    assert page.model.wanted == QueueFilter()
    assert page.bar.filter.text() == "Filter · Everything"
    pick(page, "Politics, mixed")
    settle()
    assert page.model.order.seed == 5


def test_that_a_name_that_is_taken_is_asked_about_and_undone(
    saved: ReviewPage, qtbot: QtBot, settle: Settle, window: MainWindow
) -> None:
    page, bar = saved, window.message_bar
    page.model.set_filter(QueueFilter(levels=(("family", "Impact"),)))
    settle()
    save(page, qtbot, settle, "everything")
    assert bar.message is not None
    assert "“Everything” already" in bar.message.text
    assert page.model.filters.name == ""
    qtbot.mouseClick(bar.remedy_buttons()[0], Qt.MouseButton.LeftButton)
    settle()
    assert page.model.filters.name == "Everything"
    qtbot.mouseClick(bar.remedy_buttons()[0], Qt.MouseButton.LeftButton)
    settle()
    found = page.model.filters.find("Everything")
    assert found is not None
    assert found.wanted == QueueFilter()


def test_that_a_filter_is_renamed_replaced_and_deleted_with_a_way_back(
    saved: ReviewPage, qtbot: QtBot, settle: Settle, window: MainWindow
) -> None:
    page, bar = saved, window.message_bar
    pick(page, "Rename", "Politics, mixed")
    assert page.filters.name_line.name.text() == "Politics, mixed"
    qtbot.keyClicks(page.filters.name_line.name, "Politics & more")
    qtbot.keyClick(page.filters.name_line.name, Qt.Key.Key_Return)
    settle()
    assert page.bar.filter.text() == "Filter · Politics && more"
    pick(page, "Replace with this filter", "Everything")
    settle()
    assert [each.wanted for each in page.model.filters.saved] == [POLITICAL, POLITICAL]
    pick(page, "Delete", "Politics && more")
    settle()
    assert [each.name for each in page.model.filters.saved] == ["Everything"]
    assert bar.message is not None
    assert "“Politics & more” is deleted" in bar.message.text
    qtbot.mouseClick(bar.remedy_buttons()[0], Qt.MouseButton.LeftButton)
    settle()
    assert [each.name for each in page.model.filters.saved] == ["Everything", "Politics & more"]


def test_that_escape_names_nothing(page: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    pick(page, "Save this filter and order as …")
    assert not page.filters.name_line.keep.isEnabled()
    qtbot.keyClicks(page.filters.name_line.name, "Half a na")
    qtbot.keyClick(page.filters.name_line.name, Qt.Key.Key_Escape)
    settle()
    assert page.model.filters.saved == ()
    assert QApplication.focusWidget() is page.filters.saved


def test_that_a_saved_filter_that_matches_nothing_says_so_without_a_form_and_is_cleared(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    page.model.set_filter(QueueFilter(levels=(("dimension", "Political"),), flag="leakage", arm="identity-free"))
    settle()
    save(page, qtbot, settle, "Nothing at all")
    assert page.empty.sentence.text() == "No set of answers matches the filter “Nothing at all”."
    assert page.empty.button is not None
    page.folding.set_roomy(True)
    assert page.foot() is None
    assert not any(part.isVisible() for part in (page.foot_form, page.form, page.rail, page.queue_pane))
    qtbot.mouseClick(page.empty.button, Qt.MouseButton.LeftButton)
    settle()
    assert page.model.wanted == QueueFilter()
    assert page.model.bundle is not None
    assert page.foot_form.isVisible()
    assert page.rail.isVisible()
    page.model.reader.leave_audit()
    page.model.touch_now()
    settle()
    assert page.empty.sentence.text() == "Choose a set of answers in the list."
    assert page.queue_pane.isVisible()
    assert not page.foot_form.isVisible()


def test_that_a_filter_that_names_a_model_is_not_offered_while_reading_blind(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    page.model.set_filter(QueueFilter(model="calibration/faulty"))
    settle()
    save(page, qtbot, settle, "One model")
    assert page.model.bundle is not None
    behind = QueueFilter(bundle_ids=(page.model.bundle.id,))
    page.model.set_filter(behind)
    settle()
    save(page, qtbot, settle, "Its sets")
    page.model.set_filter(QueueFilter())
    page.model.filters.use("Its sets")
    assert page.model.wanted == behind
    page.model.set_blind(True)
    settle()
    assert page.model.wanted == QueueFilter()
    page.filters.saved.fill()
    for name in ("One model", "Its sets"):
        assert not chosen(page.filters.saved.menu(), name).isEnabled()
        page.model.filters.use(name)
        assert page.model.wanted == QueueFilter()


def test_that_going_elsewhere_and_back_keeps_the_filter(saved: ReviewPage, settle: Settle, window: MainWindow) -> None:
    page, navigator = saved, window.context.navigator
    bundle = page.model.reader.current
    navigator.go("results")
    settle()
    navigator.go("review", filter=BundleFilter(levels=(("family", "Impact"),)))
    settle()
    assert page.model.wanted.levels == (("family", "Impact"),)
    navigator.back()
    navigator.back()
    settle()
    assert window.stack.current is page
    assert page.model.wanted == POLITICAL
    assert page.model.filters.name == "Politics, mixed"
    assert page.model.reader.current == bundle


def test_that_menu_commands_open_what_they_name(page: ReviewPage, settle: Settle) -> None:
    actions = page.context.actions
    actions.start("review.filter")
    assert page.filters.isVisible()
    actions.start("review.save_filter")
    assert QApplication.focusWidget() is page.filters.name_line.name
    actions.start("review.sample")
    assert page.filters.panel.isVisible()
    page.model.set_filter(POLITICAL)
    actions.start("review.all_bundles")
    assert page.model.wanted == QueueFilter()
    settle()
