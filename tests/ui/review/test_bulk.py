"""Several bundles selected, and what is done with all of them: only by explicit commands."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import ReviewAction, Verdict
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review import bulk_view_model
from gpf_desktop.ui.review.bulk_strip import BulkStrip
from gpf_desktop.ui.review.queue_groups import row_of
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.accessibility import problems_in, tab_problems
from tests.ui.review.conftest import counts, open_review

Press = Callable[[str], None]
Settle = Callable[[], None]
NO = Qt.KeyboardModifier.NoModifier
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def click(page: ReviewPage, qtbot: QtBot, row: int, held: Qt.KeyboardModifier = NO) -> None:
    place = page.queue.visualRect(page.queue.rows_model.index(row_of(page.model.groups(), row), 0)).center()
    qtbot.mouseClick(page.queue.viewport(), Qt.MouseButton.LeftButton, held, QPoint(place))


@pytest.fixture
def strip(page: ReviewPage, qtbot: QtBot, press: Press, settle: Settle) -> BulkStrip:
    """The first three bundles of To do are selected, the third is open."""
    page.queue.setFocus()
    press("Shift+Down")
    press("Shift+Down")
    settle()
    return page.queue_pane.strip


def first(page: ReviewPage, n: int, tab: QueueTab = QueueTab.TO_DO) -> list[BundleId]:
    return list(page.model.queue.ids(tab)[:n])


def verdicts(page: ReviewPage, bundles: list[BundleId]) -> list[Verdict | None]:
    service = page.model.service
    assert service is not None
    return [service.bundle(bundle).state.judgement.verdict for bundle in bundles]


def test_that_rows_are_selected_by_keyboard_and_mouse_and_the_current_one_is_open(
    page: ReviewPage, strip: BulkStrip, qtbot: QtBot, settle: Settle
) -> None:
    ids = first(page, 9)
    assert page.queue.selected() == ids[:3]
    assert page.model.reader.current == ids[2]
    assert strip.isVisible()
    assert strip._count.text() == "3 selected"
    click(page, qtbot, 4, CTRL)
    settle()
    assert (page.queue.selected(), page.model.reader.current) == ([*ids[:3], ids[4]], ids[4])
    click(page, qtbot, 0, CTRL)
    settle()
    assert (page.queue.selected(), page.model.reader.current) == ([*ids[1:3], ids[4]], ids[0])
    click(page, qtbot, 1)
    click(page, qtbot, 5, SHIFT)
    settle()
    assert (page.queue.selected(), page.model.reader.current) == (ids[1:6], ids[5])
    assert page.queue.currentIndex().row() == row_of(page.model.groups(), 5)


def test_that_one_row_alone_is_just_the_open_bundle(
    page: ReviewPage, strip: BulkStrip, qtbot: QtBot, press: Press, settle: Settle
) -> None:
    click(page, qtbot, 1)
    settle()
    assert not strip.isVisible()
    assert page.queue.selected() == [page.model.reader.current]
    press("Shift+Down")
    settle()
    assert strip.isVisible()
    press("Escape")
    settle()
    assert not strip.isVisible()
    assert page.queue.selected() == [page.model.reader.current]


def test_that_ctrl_a_selects_the_whole_tab_and_says_how_many(page: ReviewPage, press: Press, settle: Settle) -> None:
    page.queue.setFocus()
    press("Ctrl+A")
    settle()
    assert page.queue.selected() == first(page, 10_000)
    assert page.queue_pane.strip._count.text() == f"{len(page.model.queue)} selected"
    assert page.model.reader.current == first(page, 1)[0]


def test_that_keys_of_the_form_judge_the_open_bundle_only(
    page: ReviewPage, strip: BulkStrip, press: Press, settle: Settle
) -> None:
    three = first(page, 3)
    press("X")
    press("F")
    settle()
    assert verdicts(page, three) == [None, None, Verdict.ARTEFACT]
    assert first(page, 5, QueueTab.FLAGGED) == [three[2]]


def test_that_many_are_flagged_as_one_named_step_and_counts_follow_at_once(
    page: ReviewPage, strip: BulkStrip, qtbot: QtBot, press: Press, settle: Settle, window: MainWindow
) -> None:
    three = first(page, 3)
    qtbot.mouseClick(strip.flag, Qt.MouseButton.LeftButton)
    settle()
    assert counts(page)[QueueTab.FLAGGED] == 3
    assert page.bar.tabs.tabText(3) == "Flagged 3"
    assert page.queue.selected() == three
    assert window.message_bar.message is not None
    assert window.message_bar.message.text == "Flagged 3 sets."
    assert page.context.actions.action("edit.undo").text() == "&Undo flag of 3 sets"
    page.queue.setFocus()
    press("Ctrl+Z")
    settle()
    assert counts(page)[QueueTab.FLAGGED] == 0
    assert page.bar.tabs.tabText(3) == "Flagged 0"
    assert page.context.actions.action("edit.redo").text() == "&Redo flag of 3 sets"
    press("Ctrl+Shift+Z")
    settle()
    assert first(page, 9, QueueTab.FLAGGED) == three
    service = page.model.service
    assert service is not None
    assert [entry.action for entry in service.bundle(three[1]).history] == [ReviewAction.FLAG] * 3


def test_that_a_bulk_step_is_undone_after_a_restart(
    page: ReviewPage, strip: BulkStrip, desktop: Desktop, qtbot: QtBot, filled: Path, press: Press, settle: Settle
) -> None:
    qtbot.mouseClick(strip.flag, Qt.MouseButton.LeftButton)
    settle()
    desktop.window.files.close_audit()
    qtbot.waitUntil(lambda: not desktop.window.status.audit_open)
    settle()
    page = open_review(desktop.window, qtbot, filled)
    assert counts(page)[QueueTab.FLAGGED] == 3
    page.queue.setFocus()
    press("Ctrl+Z")
    settle()
    assert counts(page)[QueueTab.FLAGGED] == 0


def test_that_a_verdict_goes_to_drafts_that_are_then_submitted_together(
    page: ReviewPage, strip: BulkStrip, qtbot: QtBot, settle: Settle, window: MainWindow
) -> None:
    four = first(page, 4)
    page.model.draft.type_note("Only here.")
    next(each for each in strip.verdict.menu().actions() if each.text() == "Test fault").trigger()
    settle()
    assert counts(page)[QueueTab.DRAFT] == 3
    assert page.model.reader.current == four[3]
    assert not strip.isVisible()
    qtbot.mouseClick(window.message_bar.remedy_buttons()[0], Qt.MouseButton.LeftButton)
    settle()
    assert page.model.tab is QueueTab.DRAFT
    assert page.queue.selected() == four[:3]
    page.queue.setFocus()
    qtbot.mouseClick(strip.submit, Qt.MouseButton.LeftButton)
    settle()
    assert counts(page)[QueueTab.DONE] == 3
    service = page.model.service
    assert service is not None
    said = [service.bundle(bundle).state.submitted for bundle in four[:3]]
    assert [each.verdict for each in said if each] == [Verdict.ARTEFACT] * 3
    assert [each.note for each in said if each] == ["", "", "Only here."]


def test_that_undoing_a_flag_counts_at_once_while_the_bundle_stays_open(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    page.queue.setFocus()
    press("F")
    settle()
    assert page.bar.tabs.tabText(3) == "Flagged 1"
    press("Ctrl+Z")
    settle()
    assert page.bar.tabs.tabText(3) == "Flagged 0"


def test_that_a_harmful_verdict_asks_for_its_severity_in_place(
    page: ReviewPage, strip: BulkStrip, settle: Settle
) -> None:
    three = first(page, 3)
    (harmful,) = strip.verdict.menu().findChildren(QMenu)
    assert harmful.title() == "Harmful"
    harmful.actions()[1].trigger()
    settle()
    service = page.model.service
    assert service is not None
    assert [service.bundle(bundle).state.judgement.severity for bundle in three] == [2, 2, 2]


def test_that_a_tag_is_typed_in_the_strip_and_keeps_the_keyboard(
    page: ReviewPage, strip: BulkStrip, qtbot: QtBot, settle: Settle
) -> None:
    three = first(page, 3)
    qtbot.mouseClick(strip.tag, Qt.MouseButton.LeftButton)
    assert QApplication.focusWidget() is strip.word
    assert problems_in(page) == []
    qtbot.keyClicks(strip.word, "DXF round")
    qtbot.keyClick(strip.word, Qt.Key.Key_Return)
    settle()
    service = page.model.service
    assert service is not None
    assert [service.bundle(bundle).state.judgement.tags for bundle in three] == [("DXF round",)] * 3
    assert verdicts(page, three) == [None] * 3
    assert QApplication.focusWidget() is page.queue


def test_that_what_is_left_out_is_said(
    page: ReviewPage, strip: BulkStrip, press: Press, qtbot: QtBot, settle: Settle, window: MainWindow
) -> None:
    press("D")
    settle()
    qtbot.mouseClick(strip.submit, Qt.MouseButton.LeftButton)
    settle()
    assert window.message_bar.message is not None
    assert window.message_bar.message.text == (
        "Nothing was changed. 2 sets had no draft to submit."
        " 1 set kept as drafts: a verdict or its severity is missing."
    )
    assert page.context.actions.action("edit.undo").text().startswith("&Undo verdict")


def test_that_a_large_number_is_said_and_confirmed_before_anything_is_done(
    page: ReviewPage, press: Press, qtbot: QtBot, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk_view_model, "ASKED_FROM", 8)
    strip = page.queue_pane.strip
    n = len(page.model.queue)
    assert n >= 8
    page.queue.setFocus()
    press("Ctrl+A")
    qtbot.mouseClick(strip.flag, Qt.MouseButton.LeftButton)
    settle()
    assert strip._said.text() == f"Flag: {n} sets?"
    assert counts(page)[QueueTab.FLAGGED] == 0
    assert QApplication.focusWidget() is strip.yes
    press("Escape")
    settle()
    assert counts(page)[QueueTab.FLAGGED] == 0
    assert strip.flag.isVisible()
    qtbot.mouseClick(strip.flag, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(strip.yes, Qt.MouseButton.LeftButton)
    settle()
    assert counts(page)[QueueTab.FLAGGED] == n


def test_that_bulk_commands_need_several_bundles_and_stand_in_the_menu(
    page: ReviewPage, strip: BulkStrip, qtbot: QtBot, settle: Settle
) -> None:
    actions = page.context.actions
    bulk = [spec.id for spec in actions.specs() if spec.id.startswith("review.bulk_")]
    assert len(bulk) == 12
    assert all(actions.action(each).isEnabled() for each in bulk)
    actions.start("review.bulk_harmful3")
    settle()
    assert counts(page)[QueueTab.DRAFT] == 3
    assert not any(actions.action(each).isEnabled() for each in bulk)
    actions.start("review.select_all")
    settle()
    assert page.queue.selected() == first(page, 10_000)


def test_that_a_refresh_and_a_bundle_that_leaves_keep_the_others_selected(
    page: ReviewPage, strip: BulkStrip, settle: Settle
) -> None:
    three = first(page, 3)
    page.model.refresh()
    settle()
    assert page.queue.selected() == three
    page.model.set_tab(QueueTab.DONE)
    page.model.set_tab(QueueTab.TO_DO)
    settle()
    assert not strip.isVisible()


def test_that_a_selection_tells_nothing_that_blind_reading_hides(
    page: ReviewPage, strip: BulkStrip, qtbot: QtBot, settle: Settle, window: MainWindow
) -> None:
    page.model.set_blind(True)
    settle()
    qtbot.mouseClick(strip.flag, Qt.MouseButton.LeftButton)
    settle()
    assert window.message_bar.message is not None
    said = [window.message_bar.message.text, page.context.actions.action("edit.undo").text(), strip._count.text()]
    assert not any("calibration" in words for words in said)


def test_that_tab_reaches_the_strip_and_comes_back(strip: BulkStrip, window: MainWindow) -> None:
    assert tab_problems(window) == []


def test_that_undo_is_offered_for_a_change_of_many_only_while_it_would_take_just_that_back(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    def offered() -> bool:
        return any(each.topic == "review bulk" and each.remedies for each in page.context.messages.messages)

    page.queue.setFocus()
    press("Ctrl+A")
    page.model.bulk.flag(True)
    settle()
    assert offered()
    page.model.draft.type_note("Read since")
    page.model.draft.flush()
    assert not offered(), "what was typed since would go"
    settle()
    assert not offered()
