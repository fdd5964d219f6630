"""Looking for words in the whole audit, from Ctrl+F and from the palette, by real keys."""

from collections.abc import Callable

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.review_page import ReviewPage

Press = Callable[[str], None]
Settle = Callable[[], None]


def marked(page: ReviewPage) -> set[str]:
    return {
        each.cursor.selectedText().casefold()
        for card in page.reading.answers.cards()
        for each in card.text.extraSelections()
    }


def test_that_words_are_found_in_the_whole_audit_marked_and_read_as_a_queue(
    page: ReviewPage, press: Press, qtbot: QtBot, settle: Settle
) -> None:
    page.queue.setFocus()
    everything = page.model.queue.count(page.model.tab)
    word = max(page.reading.answers.cards()[0].content.shown.text.split(), key=len).strip(".,;:")  # type: ignore[union-attr]
    press("Ctrl+F")
    QTest.keyClicks(QApplication.focusWidget(), word)
    line = page.reading.finding
    qtbot.waitUntil(lambda: line.everywhere.isVisible() and "not searched" not in line.everywhere.text())
    assert "In the audit:" in line.everywhere.text()
    assert marked(page) == {word.casefold()}
    at = next(card.text for card in page.reading.answers.cards() if card.text.textCursor().hasSelection())
    others = {each.format.background().color().name() for each in at.extraSelections()}
    assert at.palette().highlight().color().name() not in others, "the place gone to is told from the others"
    press("Alt+Return")
    settle()
    qtbot.waitUntil(page.queue_pane.only.isVisible)
    assert word in page.model.filters.words
    assert 0 < page.model.queue.count(page.model.tab) <= everything
    before = page.model.reader.current
    page.model.go(1)
    qtbot.waitUntil(lambda: page.model.reader.current != before)
    settle()
    found = line.findChild(QLabel, "review.found")
    assert found is not None
    assert found.text().startswith("1 of "), "the places of the bundle that is shown"
    assert any(card.text.textCursor().hasSelection() for card in page.reading.answers.cards())
    press("Ctrl+Shift+F")
    QTest.keyClicks(QApplication.focusWidget(), "another")
    assert line.field.text() == "another"
    press("Escape")
    assert line.isHidden()
    assert marked(page) == set()


def test_that_the_palette_leads_to_it_from_another_page(
    page: ReviewPage, window: MainWindow, press: Press, qtbot: QtBot, settle: Settle
) -> None:
    window.context.navigator.go("home")
    settle()
    window.context.actions.action("review.search").trigger()
    settle()
    assert page.reading.finding.isVisible()
    assert QApplication.focusWidget() is page.reading.finding.field


def test_that_what_is_covered_is_not_found_while_one_reads_blind(
    long_page: ReviewPage, press: Press, qtbot: QtBot, settle: Settle
) -> None:
    service = long_page.model.service
    assert service is not None
    service.search.index_all()
    long_page.model.set_blind(True)
    settle()
    long_page.queue.setFocus()
    press("Ctrl+F")
    QTest.keyClicks(QApplication.focusWidget(), "student")
    line = long_page.reading.finding
    qtbot.waitUntil(line.everywhere.isVisible)
    assert line.everywhere.text() == "nowhere else in the audit"
    assert not line.narrow.isVisible()
