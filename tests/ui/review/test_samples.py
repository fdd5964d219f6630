"""Drawing samples from the panel, and what is said about them."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.queue_samples import MODEL, SampleKind
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.scores import SENTIMENT_RANGE
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.review.sample_panel import SamplePanel
from gpf_desktop.ui.review.sample_words import kind_help
from tests.ui.accessibility import problems_in, tab_problems
from tests.ui.review.conftest import counts

Settle = Callable[[], None]


@pytest.fixture
def panel(page: ReviewPage, qtbot: QtBot, settle: Settle) -> SamplePanel:
    qtbot.mouseClick(page.bar.filter, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(page.filters.sample, Qt.MouseButton.LeftButton)
    settle()
    return page.filters.panel


def draw(page: ReviewPage, qtbot: QtBot, settle: Settle, kind: SampleKind, size: int) -> None:
    if page.filters.panel.isHidden():
        page.filters.toggle_sample()
        settle()
    page.filters.panel.kinds[kind].click()
    page.filters.panel.number.setValue(size)
    qtbot.mouseClick(page.filters.panel.draw, Qt.MouseButton.LeftButton)
    settle()


def test_that_the_panel_says_what_a_sample_is_drawn_from_and_what_it_is_for(
    page: ReviewPage, panel: SamplePanel, settle: Settle
) -> None:
    assert panel.wish.kind is SampleKind.RANDOM
    assert panel._from.text() == f"out of {len(page.model.queue)} sets"
    assert "agreement is measured" in panel._help.text()
    panel.kinds[SampleKind.TOP].click()
    assert "Not for measuring agreement" in panel._help.text()
    assert "main score" in panel.kinds[SampleKind.TOP].text()
    page.model.set_order(QueueOrder(score=SENTIMENT_RANGE))
    settle()
    assert "Highest by spread of tone" in panel.kinds[SampleKind.TOP].text()
    page.model.set_filter(QueueFilter(levels=(("family", "Impact"),)))
    settle()
    assert panel._from.text() == f"out of {len(page.model.queue)} sets"
    assert problems_in(page) == []


def test_that_a_sample_is_drawn_from_the_keyboard(
    page: ReviewPage, panel: SamplePanel, qtbot: QtBot, settle: Settle
) -> None:
    assert QApplication.focusWidget() is panel.kinds[SampleKind.RANDOM]
    panel.number.setFocus()
    panel.number.selectAll()
    qtbot.keyClicks(panel.number, "3")
    qtbot.keyClick(panel.number, Qt.Key.Key_Return)
    settle()
    assert len(page.model.queue) == 3
    assert sum(counts(page).values()) == 3
    assert page.bar.tabs.tabText(0) == "To do 3"
    assert page.bar.filter.text() == "Filter · sample of 3"
    assert QApplication.focusWidget() is page.filters.sample


def test_that_a_stratified_sample_says_its_strata_and_seed_and_has_a_way_back(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    everything = len(page.model.queue)
    page.filters.panel.strata["family"].setChecked(False)
    draw(page, qtbot, settle, SampleKind.STRATIFIED, 4)
    drawn = page.model.wanted.drawn
    assert drawn is not None
    rows = page.model.rows(page.model.queue.ids(page.model.tab))
    assert set(Counter((row.model, row.coordinates["dimension"]) for row in rows).values()) == {1}
    how = f"equally many by model × group of readers, 4 groups, out of {everything}, seed {drawn.seed}"
    assert page.filters._only.text() == f"Only a sample of 4 sets ({how})"
    qtbot.mouseClick(page.filters._all, Qt.MouseButton.LeftButton)
    settle()
    assert len(page.model.queue) == everything
    assert not page.filters._only.isVisible()


def test_that_a_stratum_left_out_is_told(page: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    draw(page, qtbot, settle, SampleKind.STRATIFIED, 3)
    assert page.filters._only.text().endswith("one each of 3 groups, none of the others")


def test_that_nothing_is_drawn_without_strata(page: ReviewPage, panel: SamplePanel) -> None:
    panel.kinds[SampleKind.STRATIFIED].click()
    for box in panel.strata.values():
        box.setChecked(False)
    assert not panel.draw.isEnabled()
    panel.strata[MODEL].click()
    assert panel.draw.isEnabled()


def test_that_the_top_is_called_the_highest_and_not_random(page: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    draw(page, qtbot, settle, SampleKind.TOP, 2)
    words = page.filters._only.text()
    assert "highest by how far apart, in words, out of" in words
    assert "seed" not in words


def test_that_the_time_told_is_of_the_sets_that_are_asked_for() -> None:
    assert "24 sets take about 2 hours." in kind_help(SampleKind.CONCLUSION, 24)
    assert "10 sets take about 50 minutes." in kind_help(SampleKind.CONCLUSION, 10)


def test_that_samples_drawn_before_can_be_had_again(page: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    draw(page, qtbot, settle, SampleKind.RANDOM, 2)
    first = page.model.wanted
    page.model.filters.leave_sample()
    draw(page, qtbot, settle, SampleKind.TOP, 3)
    page.filters.toggle_sample()
    settle()
    before = page.filters.panel._before.menu().actions()
    assert [words in action.text() for words, action in zip(("highest", "at random"), before, strict=True)] == [
        True
    ] * 2
    before[1].trigger()
    settle()
    assert page.model.wanted == first


def test_that_what_tests_the_conclusions_is_read_at_once_from_its_first_set_on(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    draw(page, qtbot, settle, SampleKind.RANDOM, len(page.model.queue))
    drawn = page.model.wanted.drawn
    assert drawn is not None
    test = replace(page.model.wanted, drawn=replace(drawn, kind=SampleKind.CONCLUSION))
    page.model.filters.leave_sample()
    page.model.open(page.model.queue.order[-1])
    page.filters.toggle_sample()
    settle()
    page.model.filters.use_sample(test)
    settle()
    assert page.model.blind
    assert page.filters.isHidden()
    assert page.model.reader.current == page.model.queue.order[0]
    assert page.queue.hasFocus()


def test_that_a_sample_is_still_read_after_a_restart_and_all_sets_once_it_was_left(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    everything, path = len(page.model.queue), page.context.engine.open_audit.path
    window = page.window()
    assert isinstance(window, MainWindow)

    def again() -> None:
        window.files.close_audit()
        settle()
        window.files.open(path)
        settle()

    draw(page, qtbot, settle, SampleKind.RANDOM, 2)
    again()
    assert page.bar.filter.text() == "Filter · sample of 2"
    assert len(page.model.queue) == 2
    page.model.arrive(QueueFilter(), None, "from elsewhere")
    settle()
    again()
    assert len(page.model.queue) == 2
    page.model.filters.leave_sample()
    settle()
    again()
    assert len(page.model.queue) == everything


def test_that_escape_closes_the_panel_and_gives_the_keyboard_back(
    page: ReviewPage, panel: SamplePanel, qtbot: QtBot
) -> None:
    assert tab_problems(page.window()) == []
    panel.kinds[SampleKind.RANDOM].setFocus()
    qtbot.keyClick(panel.kinds[SampleKind.RANDOM], Qt.Key.Key_Escape)
    assert panel.isHidden()
    assert QApplication.focusWidget() is page.filters.sample
