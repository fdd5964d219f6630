"""Going from difference to difference, and comparing with a baseline, where answers say the very same."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.writer import Connection
from gpf_desktop.ui.review.reading_content import CONTROL, Layout
from gpf_desktop.ui.review.reading_pane import ReadingPane
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.widgets.span_text import Mark
from tests.support.filled_audit import fill
from tests.ui.review.conftest import open_review

Press = Callable[[str], None]
Settle = Callable[[], None]

DIFFERENCES = (Mark.CARRIES_MOST, Mark.ONLY_HERE, Mark.CARRIES_LITTLE, Mark.MISSING_HERE)
SAID = (
    "The lanes open in spring.",
    "The lanes open in late spring.",
    "The lanes open in spring.",
    "Buses run later from spring.",
)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    """Bundles of four answers, the first and the third of which say the same."""
    path = tmp_path / "filled.gpf"
    audit = AuditFile.create(path, title="Evening round")
    fill(audit, models_asked=("neutral",), dimensions=("Political",), families=("Impact",))

    def say(connection: Connection) -> None:
        cells = connection.execute(
            "SELECT c.id FROM cell c JOIN bundle b ON b.id = c.bundle_id WHERE b.arm = 'main' ORDER BY c.id"
        ).fetchall()
        for number, (cell,) in enumerate(cells):
            connection.execute("UPDATE response SET text = ? WHERE cell_id = ?", (SAID[number % len(SAID)], cell))

    audit.write(say).result()
    audit.close()
    return path


@pytest.fixture
def page(desktop: Desktop, qtbot: QtBot, filled: Path) -> ReviewPage:
    made = open_review(desktop.window, qtbot, filled)
    made.queue.setFocus()
    return made


def places(page: ReviewPage) -> list[tuple[int, int]]:
    """Every marked difference, card by card."""
    return [
        (at, start)
        for at, card in enumerate(page.reading.answers.cards())
        if card.content is not None
        for start in sorted(s.start for s in card.content.spans if s.mark in DIFFERENCES)
    ]


def visited(page: ReviewPage, press: Press, times: int) -> list[tuple[int, int]]:
    found = []
    for _ in range(times):
        press("F8")
        at, card = next((at, card) for at, card in enumerate(page.reading.answers.cards()) if card.text.hasFocus())
        found.append((at, card.text.textCursor().position()))
    return found


def test_that_f8_comes_to_every_difference_once_and_then_round_again(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    page.model.reader.mark_more(4)
    settle()
    expected = places(page)
    assert len({at for at, _ in expected}) > 1
    assert visited(page, press, len(expected) + 1) == [*expected, expected[0]]


def test_that_it_does_with_the_identity_free_answer_and_against_it(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    page.model.reader.set_baseline(CONTROL)
    settle()
    expected = places(page)
    assert expected[0][0] > 0
    assert visited(page, press, len(expected)) == expected


def test_that_a_baseline_that_shares_its_card_is_known_by_all_its_letters(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    reading = page.model.reader.reading
    assert reading is not None
    third = list(reading.letters)[2]
    page.model.reader.set_layout(Layout.BASELINE)
    page.model.reader.set_baseline(third)
    settle()
    first = page.reading.answers.cards()[0].content
    assert first is not None
    assert first.baseline
    assert third in first.levels
    assert first.letter in page.reading.bar._against_button.accessibleName()
    assert not any(at == 0 for at, _ in places(page))
    assert visited(page, press, 1) == [places(page)[0]]


def test_that_where_nothing_is_marked_f8_says_so(page: ReviewPage, press: Press, settle: Settle) -> None:
    press("H")
    settle()
    press("F8")
    assert "No difference" in page.context.messages.messages[-1].text


def test_that_only_words_that_carry_the_score_are_marked_and_more_of_them_as_the_slider_goes(
    long_page: ReviewPage, qtbot: QtBot, press: Press, settle: Settle
) -> None:
    def marked() -> list[str]:
        return [
            card.content.shown.text[span.start : span.end].casefold()
            for card in long_page.reading.answers.cards()
            if card.content
            for span in card.content.spans
            if span.mark in (Mark.CARRIES_MOST, Mark.ONLY_HERE, Mark.CARRIES_LITTLE)
        ]

    settle()
    usual = marked()
    assert "service" in usual
    assert not {"the", "1", "2", "and", "you"} & set(usual)
    long_page.reading.amount.setFocus()
    press("Right")
    settle()
    more = marked()
    assert len(more) > len(usual)
    assert set(usual) <= set(more)
    chosen = long_page.model.reader.options.amount
    later = ReadingPane(long_page.context, ReviewViewModel(long_page.context, long_page))
    qtbot.addWidget(later)
    assert later.amount.value() == chosen
    long_page.queue.setFocus()
    press("H")
    settle()
    assert marked() == []


def test_that_sentences_alike_in_all_stand_in_one_line_until_it_is_opened(
    long_page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    long_page.model.reader.set_layout(Layout.GRID)
    settle()
    grid = long_page.reading.answers.grid
    first = grid.grid_model.index(0, 0)
    assert first.data() == "3 sentences alike in all"
    said = [grid.grid_model.index(row, 0).data() for row in range(grid.grid_model.rowCount())]
    assert any(text.startswith("Consultation. The consultation stays open") for text in said)
    assert "What changes for you" not in said
    second = [grid.grid_model.index(row, 1).data() for row in range(grid.grid_model.rowCount())]
    assert "= A" in second
    before = len(said)
    qtbot.mouseClick(grid.viewport(), Qt.MouseButton.LeftButton, pos=grid.visualRect(first).center())
    assert grid.grid_model.rowCount() == before + 2
    assert "Bus lanes" in "".join(grid.grid_model.index(row, 0).data() for row in range(3))


def test_that_why_stands_beside_the_answers_and_leaves_them_their_height(
    long_page: ReviewPage, press: Press, qtbot: QtBot
) -> None:
    long_page.queue.setFocus()
    answers = long_page.reading.answers
    before = answers.height()
    press("W")
    qtbot.waitUntil(lambda: long_page.reading.panels.isVisible() and long_page.reading.panels.width() >= 280)
    assert answers.height() == before
    assert long_page.reading.panels.x() > answers.x()
    press("W")
    press("Y")
    qtbot.waitUntil(lambda: answers.height() < before)


def test_that_two_whole_answers_stand_beside_each_other_where_there_is_room(
    long_page: ReviewPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    long_page.model.reader.set_layout(Layout.STACK)
    settle()
    cards = long_page.reading.answers.cards()
    qtbot.waitUntil(lambda: cards[1].y() > cards[0].geometry().bottom())
    long_page.window().resize(1920, 1080)
    qtbot.waitUntil(lambda: cards[1].y() == cards[0].y() and cards[2].y() > cards[0].geometry().bottom())
    assert cards[2].x() == cards[0].x() < cards[1].x()
