"""Bundles in front for refusals stand under a heading, the rest under the order; both fold."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueOrder, QueueRow, QueueTab
from gpf_desktop.domain.scores import SENTIMENT_RANGE_RAREFIED
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.queue_groups import OTHERS, REFUSED, past_folded, queue_groups, row_of, rows_of
from gpf_desktop.ui.review.review_page import ReviewPage

Press = Callable[[str], None]
Settle = Callable[[], None]


def headings(page: ReviewPage) -> dict[int, str]:
    model = page.queue.rows_model
    return {row: model.index(row, 0).data() for row in model.heading_rows()}


def test_that_headings_count_their_bundles_and_stand_above_them(page: ReviewPage, press: Press, settle: Settle) -> None:
    page.queue.setFocus()
    queue = page.model.queue
    refused, bundles = queue.refused(QueueTab.TO_DO), queue.count(QueueTab.TO_DO)
    rows = [page.model.rows([bundle])[0].refused for bundle in queue.ids(QueueTab.TO_DO)]
    assert 0 < refused < bundles
    assert all(rows[:refused])
    assert headings(page) == {
        0: f"Some readers declined, {refused}",
        refused + 1: f"Highest first: how far apart, in words, {bundles - refused}",
    }
    assert page.queue.rowHeight(0) == page.queue.rowHeight(refused + 1) < page.queue.rowHeight(1)
    press("O")
    press("Ctrl+Return")
    settle()
    assert headings(page) == {
        0: f"Some readers declined, {refused - 1}",
        refused: f"Highest first: how far apart, in words, {bundles - refused}",
    }
    assert page.queue.rowHeight(refused) < page.queue.rowHeight(refused + 1)


def test_that_left_and_right_on_a_heading_fold_and_unfold_it_and_what_is_folded_is_passed_over(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    queue, opened = page.model.queue, page.model.reader.current
    refused, bundles = queue.refused(QueueTab.TO_DO), queue.count(QueueTab.TO_DO)
    page.queue.setFocus()
    press("Up")
    press("Left")
    settle()
    assert headings(page)[0] == f"Some readers declined, {refused}, folded"
    assert page.queue.rows_model.rowCount() == bundles - refused + 2
    assert page.model.reader.current == opened
    heights = [page.queue.rowHeight(row) for row in range(page.queue.rows_model.rowCount())]
    assert heights[0] == heights[1] < min(heights[2:])
    press("Left")
    press("Down")
    press("Right")
    assert page.queue.rows_model.rowCount() == bundles - refused + 2
    press("Down")
    settle()
    assert page.model.reader.current == queue.ids(QueueTab.TO_DO)[refused]
    page.model.go(-1)
    assert page.model.reader.current == queue.ids(QueueTab.TO_DO)[refused]
    press("Up")
    press("Up")
    press("Right")
    settle()
    assert page.queue.rows_model.rowCount() == bundles + 2
    assert page.queue.selected() == [queue.ids(QueueTab.TO_DO)[refused]]


def test_that_a_click_on_a_heading_folds_it_and_that_the_audit_remembers(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    at = page.queue.visualRect(page.queue.rows_model.index(0, 0)).center()
    qtbot.mouseClick(page.queue.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at))
    settle()
    assert headings(page)[0].endswith(", folded")
    service = page.model.service
    assert service is not None
    assert service.preferences().folded == (REFUSED,)
    assert service.preferences() == page.model.preferences


def test_that_rows_places_and_the_way_past_what_is_folded_agree() -> None:
    ids = [BundleId(each) for each in range(10, 16)]
    assert queue_groups(QueueOrder(), 0, 6) == ()
    assert [group.key for group in queue_groups(QueueOrder(), 6, 6)] == [REFUSED]
    assert queue_groups(QueueOrder(seed=3), 2, 6)[1].words == "At random, 4"
    for folded in ((), (REFUSED,), (OTHERS,), (REFUSED, OTHERS)):
        groups = queue_groups(QueueOrder(), 2, 6, folded=folded)
        rows = rows_of(groups, ids)
        shown = [bundle for bundle in rows if bundle > 0]
        assert len(rows) == len(shown) + 2
        assert [row_of(groups, at) for at in range(6)] == [
            rows.index(bundle) if bundle in shown else -1 for bundle in ids
        ]
    first = queue_groups(QueueOrder(), 2, 6, folded=(REFUSED,))
    assert (past_folded(first, 0, 1), past_folded(first, 1, -1), past_folded(first, 3, -1)) == (2, -1, 3)


def test_that_rows_say_the_score_that_they_are_sorted_by(page: ReviewPage, qtbot: QtBot) -> None:
    model, rows = page.model, page.queue.rows_model
    service = model.service
    assert service is not None

    def shown() -> dict[BundleId, QueueRow | None]:
        return {bundle: rows.row_at(at) for at in range(10) if (bundle := rows.id_at(at)) is not None}

    qtbot.waitUntil(lambda: all(shown().values()))
    before = list(shown())
    model.set_order(QueueOrder(score=SENTIMENT_RANGE_RAREFIED))
    qtbot.waitUntil(lambda: list(shown()) != before and all(shown().values()))
    stored = service.rows(list(shown()), model.order)
    assert {row.bundle_id: row.score for row in shown().values() if row} == {row.bundle_id: row.score for row in stored}


def test_that_no_row_of_the_last_audit_is_left_for_the_next(page: ReviewPage, window: MainWindow, qtbot: QtBot) -> None:
    rows = page.queue.rows_model
    first = rows.ids(0, 2)[-1]
    qtbot.waitUntil(lambda: rows.row_at(1) is not None)
    window.files.close_audit()
    qtbot.waitUntil(lambda: not window.status.audit_open)
    rows.show([first])
    assert rows.row_at(0) is None
