"""One reviewer at work, by keyboard and by mouse."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.reviews import Judgement, ReviewStatus, Verdict
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.draft_view_model import Saved
from gpf_desktop.ui.review.queue_groups import row_of
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.review.conftest import counts, open_review

Press = Callable[[str], None]


def test_that_a_bundle_is_judged_from_the_keyboard_and_the_next_one_opens(
    page: ReviewPage, qtbot: QtBot, press: Press
) -> None:
    first = page.model.reader.current
    second = page.model.queue.ids(QueueTab.TO_DO)[1]
    page.queue.setFocus()
    press("D")
    press("3")
    press(".")
    press("A")
    press("N")
    qtbot.keyClicks(page.form.note, "D speaks to two readers: leakage, not framing.")
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: page.model.bundle is not None and page.model.bundle.id == second)
    service = page.model.service
    assert service is not None
    assert first is not None
    qtbot.waitUntil(lambda: service.bundle(first).state.submitted is not None)
    letters = {"A": service.bundle(first).answers[0].level}
    assert service.bundle(first).state.submitted == Judgement(
        verdict=Verdict.HARMFUL,
        severity=3,
        affected=(letters["A"],),
        note="D speaks to two readers: leakage, not framing.",
    )
    assert counts(page)[QueueTab.DONE] == 1
    assert page.bar.tabs.tabText(0) == f"To do {counts(page)[QueueTab.TO_DO]}"


def test_that_the_keyboard_is_somewhere_useful_after_a_submission(
    page: ReviewPage, qtbot: QtBot, press: Press, settle: Callable[[], None]
) -> None:
    page.folding.set_folded(False)
    page.form.note.setFocus()
    page.model.draft.set_verdict(Verdict.UNSURE)
    press("Ctrl+Return")
    settle()
    assert QApplication.focusWidget() is page.queue
    press("O")
    assert page.model.draft.judgement.verdict is Verdict.CONTEXT


@pytest.mark.parametrize("field", ["note", "tags"])
def test_that_hotkey_letters_typed_into_a_text_field_change_nothing_else(
    page: ReviewPage, qtbot: QtBot, settle: Callable[[], None], field: str
) -> None:
    page.folding.set_folded(False)
    editor = getattr(page.form, field)
    editor.setFocus()
    bundle, layout, options = page.model.reader.current, page.model.reader.layout, page.model.reader.options
    qtbot.keyClicks(editor, "DOLXUMNTFBVHRWPY1234.?")
    settle()
    judgement = page.model.draft.judgement
    typed = judgement.note if field == "note" else ",".join(judgement.tags)
    assert typed == "DOLXUMNTFBVHRWPY1234.?"
    assert (judgement.verdict, judgement.severity, judgement.affected) == (None, None, ())
    assert (page.model.reader.current, page.model.reader.layout, page.model.reader.options) == (
        bundle,
        layout,
        options,
    )


def test_that_a_held_key_acts_once(page: ReviewPage) -> None:
    assert not any(
        page.context.actions.action(spec.id).autoRepeat()
        for spec in page.context.actions.specs()
        if spec.page == "review"
    )


def test_that_an_incomplete_form_says_which_field_is_missing(page: ReviewPage, press: Press) -> None:
    bundle = page.model.reader.current
    page.queue.setFocus()
    press("Ctrl+Return")
    assert page.form.problem.text() == "Choose a verdict first."
    press("D")
    assert page.form.problem.text() == ""
    page.queue.setFocus()
    press("Ctrl+Return")
    assert page.form.problem.text() == "Choose a severity first, from 1 slight to 4 severe."
    assert page.model.reader.current == bundle
    assert page.foot_form.problem.text() == page.form.problem.text()


def test_that_what_is_typed_is_saved_without_being_asked_for(
    page: ReviewPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.folding.set_folded(False)
    bundle = page.model.bundle
    assert bundle is not None
    qtbot.keyClicks(page.form.note, "half a sent")
    assert page.model.draft.saved is Saved.WAITING
    qtbot.waitUntil(lambda: page.model.draft.saved is Saved.SAVED)
    service = page.model.service
    assert service is not None
    assert service.bundle(bundle.id).state.judgement.note == "half a sent"
    qtbot.waitUntil(lambda: page.form.saved.text() == "Saved")


def test_that_no_row_is_chosen_by_a_key_while_a_bundle_of_another_tab_is_open(
    page: ReviewPage, press: Press, settle: Callable[[], None]
) -> None:
    page.queue.setFocus()
    press("U")
    press("Ctrl+Return")
    settle()
    page.context.actions.action("edit.undo").trigger()
    settle()
    assert page.model.queue.index(page.model.tab, page.model.reader.current) < 0  # type: ignore[arg-type]
    assert page.queue.hasFocus()
    press("Control")
    assert page.queue.selected() == []


def test_that_going_on_saves_the_last_letters_and_coming_back_shows_them(
    page: ReviewPage, qtbot: QtBot, press: Press, settle: Callable[[], None]
) -> None:
    page.folding.set_folded(False)
    first = page.model.reader.current
    qtbot.keyClicks(page.form.note, "unfinished")
    page.queue.setFocus()
    press("Right")
    settle()
    assert page.model.reader.current != first
    assert page.form.note.toPlainText() == ""
    assert counts(page)[QueueTab.DRAFT] == 1
    page.model.set_tab(QueueTab.DRAFT)
    settle()
    assert page.model.reader.current == first
    assert page.form.note.toPlainText() == "unfinished"


def test_that_undo_and_redo_are_named_and_go_back_to_the_bundle_across_a_submit(
    page: ReviewPage, qtbot: QtBot, press: Press, settle: Callable[[], None]
) -> None:
    first = page.model.reader.current
    page.queue.setFocus()
    press("O")
    press("Ctrl+Return")
    settle()
    undo = page.context.actions.action("edit.undo")
    qtbot.waitUntil(lambda: "submit" in undo.text())
    assert "Policy / Action" in undo.text() or "Impact" in undo.text()
    undo.trigger()
    qtbot.waitUntil(lambda: page.model.bundle is not None and page.model.bundle.id == first)
    settle()
    assert page.model.bundle is not None
    assert page.model.bundle.state.status is ReviewStatus.DRAFT
    assert page.form.verdicts[Verdict.CONTEXT].isChecked()
    undo.trigger()
    qtbot.waitUntil(lambda: page.model.draft.judgement.verdict is None)
    redo = page.context.actions.action("edit.redo")
    qtbot.waitUntil(redo.isEnabled)
    assert "verdict" in redo.text()
    redo.trigger()
    qtbot.waitUntil(lambda: page.model.draft.judgement.verdict is Verdict.CONTEXT)
    redo.trigger()
    qtbot.waitUntil(lambda: page.model.bundle is not None and page.model.bundle.state.status is ReviewStatus.DONE)


def test_that_undo_is_there_after_a_restart(
    page: ReviewPage, window: MainWindow, qtbot: QtBot, press: Press, filled: Path, settle: Callable[[], None]
) -> None:
    first = page.model.reader.current
    page.queue.setFocus()
    press("O")
    press("Ctrl+Return")
    settle()
    window.context.actions.action("file.close").trigger()
    qtbot.waitUntil(lambda: not window.status.audit_open)
    assert not page.context.actions.action("edit.undo").isEnabled()
    open_review(window, qtbot, filled)
    undo = page.context.actions.action("edit.undo")
    qtbot.waitUntil(undo.isEnabled)
    assert "submit" in undo.text()
    undo.trigger()
    qtbot.waitUntil(lambda: page.model.bundle is not None and page.model.bundle.id == first)
    assert page.model.draft.judgement.verdict is Verdict.CONTEXT


def test_that_bundles_with_some_refusals_come_first_and_show_the_refusal_in_its_place(page: ReviewPage) -> None:
    row = page.queue.rows_model.row_at(1)
    assert row is not None
    assert row.refused
    refused = [card for card in page.reading.answers.cards() if card.content is not None and card.content.missing]
    assert refused
    assert len(page.reading.answers.cards()) == len(page.model.bundle.answers) if page.model.bundle else False
    assert not refused[0].text.isVisibleTo(refused[0])


def test_that_a_flag_is_a_tab_of_its_own(page: ReviewPage, press: Press, settle: Callable[[], None]) -> None:
    page.queue.setFocus()
    press("F")
    settle()
    assert counts(page)[QueueTab.FLAGGED] == 1
    press("F")
    settle()
    assert counts(page)[QueueTab.FLAGGED] == 0


def test_that_arrows_go_through_the_queue_and_stop_at_its_ends(page: ReviewPage, press: Press, qtbot: QtBot) -> None:
    ids = page.model.queue.ids(QueueTab.TO_DO)
    page.queue.setFocus()
    press("Left")
    assert page.model.reader.current == ids[0]
    for bundle in ids[1:4]:
        press("Right")
        qtbot.waitUntil(lambda wanted=bundle: page.model.bundle is not None and page.model.bundle.id == wanted)
        assert page.queue.currentIndex().row() == row_of(page.model.groups(), ids.index(bundle))
    press("Left")
    qtbot.waitUntil(lambda: page.model.bundle is not None and page.model.bundle.id == ids[2])


def test_that_arrows_on_the_tabs_change_the_tab(page: ReviewPage, press: Press, settle: Callable[[], None]) -> None:
    page.bar.tabs.setFocus()
    press("Right")
    settle()
    assert page.model.tab is QueueTab.DRAFT
    press("Left")
    settle()
    assert page.model.tab is QueueTab.TO_DO


def test_that_clicking_a_row_opens_its_bundle(page: ReviewPage, qtbot: QtBot) -> None:
    row = row_of(page.model.groups(), 2)
    place = page.queue.visualRect(page.queue.rows_model.index(row, 0)).center()
    qtbot.mouseClick(page.queue.viewport(), Qt.MouseButton.LeftButton, pos=place)
    wanted = page.model.queue.ids(QueueTab.TO_DO)[2]
    qtbot.waitUntil(lambda: page.model.bundle is not None and page.model.bundle.id == wanted)


def test_that_a_filter_that_nothing_matches_says_so_and_can_be_cleared(
    page: ReviewPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.model.set_filter(QueueFilter(levels=(("family", "No such family"),)))
    settle()
    qtbot.waitUntil(page.empty.isVisible)
    assert "matches" in page.empty.sentence.text()
    button = page.empty.button
    assert button is not None
    button.click()
    settle()
    qtbot.waitUntil(lambda: page.model.bundle is not None)
    assert page.model.wanted == QueueFilter()


def test_that_an_audit_without_scores_says_what_to_do(
    desktop: Desktop, audit: Path, settle: Callable[[], None]
) -> None:
    desktop.window.context.navigator.go("review")
    settle()
    page = desktop.window.stack.current
    assert isinstance(page, ReviewPage)
    assert page.empty.isVisible()
    assert "Nothing to read yet" in page.empty.sentence.text()


def test_that_random_order_is_kept_for_the_reviewer(page: ReviewPage, settle: Callable[[], None]) -> None:
    page.model.set_order(QueueOrder(seed=page.model.preferences.seed))
    settle()
    before = list(page.model.queue.ids(QueueTab.TO_DO))
    page.model.set_order(QueueOrder())
    settle()
    page.model.set_order(QueueOrder(seed=page.model.preferences.seed))
    settle()
    assert list(page.model.queue.ids(QueueTab.TO_DO)) == before


def test_that_results_open_just_their_bundles_and_back_returns(page: ReviewPage, settle: Callable[[], None]) -> None:
    from gpf_desktop.domain.findings import BundleFilter

    navigator = page.context.navigator
    navigator.go("results")
    navigator.go("review", filter=BundleFilter(levels=(("dimension", "Political"), ("family", "Impact"))))
    settle()
    assert len(page.model.queue) == 2
    assert page.bar.filter.text() == "Filter · 2"
    navigator.back()
    assert page.window().stack.current is not page  # type: ignore[attr-defined]
