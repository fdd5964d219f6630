"""The page's parts: layouts, panels, folding, what a screen reader and Tab find."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.review.reading_content import Layout
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.theme import Scheme
from gpf_desktop.ui.widgets.span_text import Mark, SpanTextView
from tests.ui.accessibility import problems_in, tab_problems

Press = Callable[[str], None]


def test_that_everything_has_a_name_and_gives_tab_back(page: ReviewPage) -> None:
    page.folding.set_folded(False)
    page.filters.show()
    for panel in ("why", "prompt", "history"):
        page.reading.toggle_panel(panel)
        assert problems_in(page) == []
    page.folding.set_folded(True)
    assert problems_in(page) == []


def test_that_tab_reaches_everything_and_comes_back(page: ReviewPage, window: MainWindow) -> None:
    page.folding.set_folded(False)
    page.reading.toggle_panel("why")
    assert tab_problems(window) == []


def test_that_what_is_seldom_seen_joins_the_page_when_it_is_first_asked_for(page: ReviewPage) -> None:
    why = page.reading.panels.why
    seldom: tuple[QWidget, ...] = (page.filters, why, page.reading.answers.choices)
    assert not any(page.isAncestorOf(part) for part in seldom)
    page.reading.toggle_panel("why")
    page.bar.filter_asked.emit()
    for part in (page.filters, why):
        assert page.isAncestorOf(part)
        assert part.isVisible()
        assert not part.isWindow()
    page.bar.filter_asked.emit()
    assert page.filters.isHidden()


def test_that_every_layout_shows_every_answer(page: ReviewPage, settle: Callable[[], None]) -> None:
    for layout in Layout:
        page.model.reader.set_layout(layout)
        settle()
        assert page.model.bundle is not None
        answers = len(page.model.bundle.answers)
        if layout is Layout.GRID:
            assert page.reading.answers.grid.grid_model.columnCount() == page.model.bundle.valid
            assert problems_in(page.reading.answers.grid) == []
        else:
            shown = [card for card in page.reading.answers.cards() if card.isVisibleTo(page)]
            assert sum(len(card.content.letters) for card in shown if card.content) == answers, layout


def test_that_v_goes_through_the_layouts_and_a_difference_has_a_baseline_in_front(
    page: ReviewPage, press: Press, settle: Callable[[], None]
) -> None:
    page.queue.setFocus()
    press("V")
    assert page.model.reader.layout is Layout.STACK
    press("V")
    settle()
    assert page.model.reader.layout is Layout.BASELINE
    first = page.reading.answers.cards()[0].content
    assert first is not None
    assert first.baseline
    others = [card.content for card in page.reading.answers.cards()[1:] if card.content and not card.content.missing]
    assert any(span.mark is Mark.MISSING_HERE for content in others for span in content.spans)


def test_that_b_goes_through_the_baselines_and_h_takes_the_marks_away(
    page: ReviewPage, press: Press, settle: Callable[[], None]
) -> None:
    page.queue.setFocus()
    press("B")
    settle()
    assert page.bar.tabs.isVisible()
    assert page.model.reader.options.baseline
    press("H")
    settle()
    assert not any(
        span.mark in (Mark.ONLY_HERE, Mark.MISSING_HERE)
        for card in page.reading.answers.cards()
        for span in card.text.spans
    )


def test_that_answers_scroll_together(long_page: ReviewPage, qtbot: QtBot) -> None:
    def longer() -> list[AnswerCard]:
        return [card for card in long_page.reading.answers.cards() if card.text.verticalScrollBar().maximum() > 0]

    # Columns get their heights a turn after their texts.
    qtbot.waitUntil(lambda: len(longer()) > 2)
    long = longer()
    bar = long[0].text.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert all(card.text.verticalScrollBar().value() == card.text.verticalScrollBar().maximum() for card in long)


def test_that_a_pinned_answer_stays_while_the_others_scroll_sideways(
    page: ReviewPage, settle: Callable[[], None]
) -> None:
    last = page.reading.answers.cards()[-1]
    assert last.content is not None
    level = last.content.levels[0]
    last.pin_asked.emit(level)
    settle()
    first = page.reading.answers.cards()[0]
    assert first.content is not None
    assert first.content.levels == (level,)
    assert not page.reading.answers.columns.area.isAncestorOf(first)
    first.pin_asked.emit(level)
    assert page.reading.answers.pinned == ()


def test_that_f8_goes_from_difference_to_difference(page: ReviewPage, press: Press) -> None:
    page.queue.setFocus()
    press("F8")
    first = QApplication.focusWidget()
    assert first is page.reading.answers.cards()[0].text
    place = page.reading.answers.cards()[0].text.textCursor().position()
    press("F8")
    assert page.reading.answers.cards()[0].text.textCursor().position() > place
    press("Shift+F8")
    assert page.reading.answers.cards()[0].text.textCursor().position() == place


@pytest.mark.parametrize("layout", [Layout.COLUMNS, Layout.STACK])
def test_that_f8_shows_the_difference_with_lines_around_it(
    page: ReviewPage, press: Press, settle: Callable[[], None], layout: Layout
) -> None:
    page.model.reader.set_layout(layout)
    settle()
    QApplication.processEvents()  # lays out what was just shown
    page.queue.setFocus()
    area = page.reading.answers.stack.area.viewport()
    for _ in range(25):
        press("F8")
        text = QApplication.focusWidget()
        assert isinstance(text, SpanTextView)
        seen = area if layout is Layout.STACK else text.viewport()
        place = text.viewport().mapTo(seen, text.cursorRect().center())
        line = text.cursorRect().height()
        assert place.y() < seen.height() - line
        assert place.y() > (line if text.verticalScrollBar().value() else 0)


def test_that_the_prompt_is_the_very_message_that_was_sent(page: ReviewPage, press: Press) -> None:
    page.queue.setFocus()
    press("P")
    bundle = page.model.bundle
    assert bundle is not None
    level = bundle.answers[1].level
    page.reading.panels.prompt.choose(level)
    shown = page.reading.panels.prompt._prompt.text
    assert f"I am {level}. " in shown
    assert bundle.anchor.headline in shown
    assert bundle.protocol.system_prompt in shown
    assert "max_tokens" in page.reading.panels.prompt._facts.text()


def test_that_why_lists_shares_that_add_up(page: ReviewPage, press: Press) -> None:
    page.queue.setFocus()
    press("W")
    assert page.reading.panels.isVisible()
    assert sum(line.share for line in page.reading.panels.why.answers.rows) == pytest.approx(1)
    press("W")
    assert not page.reading.panels.isVisible()


def test_that_why_ends_in_a_sentence_where_nothing_explains_the_score(
    page: ReviewPage, settle: Callable[[], None]
) -> None:
    page.reading.toggle_panel("why")
    reader = page.model.reader
    settle()
    assert reader.current is not None
    # As a scorer leaves it that says nothing of what its scores are made of.
    reader._explained(reader.current, None)
    settle()
    said = [each.text() for each in page.reading.panels.why.findChildren(QLabel)]
    assert "This method does not say which answers and words moved its scores." in said
    assert not any("Working out" in each for each in said)


def test_that_the_form_folds_where_room_is_short_and_letters_still_judge(
    page: ReviewPage, window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: page.folding.is_folded)
    assert not page.form.isVisible()
    assert page.foot_form._unfold.toolTip().endswith("(Ctrl+J)")
    window.context.actions.rebind("review.fold", ("Ctrl+Alt+J",))
    assert page.foot_form._unfold.toolTip().endswith("(Ctrl+Alt+J)")
    button = next(iter(page.foot_form.verdicts.values()))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert page.model.draft.judgement.verdict is not None
    window.resize(1920, 1080)
    qtbot.waitUntil(page.form.isVisible)


def test_that_nothing_is_cut_off_at_1280_by_720(page: ReviewPage, window: MainWindow, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    page.reading.toggle_panel("why")
    qtbot.waitUntil(lambda: window.width() == 1280)
    assert window.height() == 720
    assert page.minimumSizeHint().width() <= page.width()
    assert page.minimumSizeHint().height() <= page.height()
    for card in page.reading.answers.cards()[:2]:
        assert card.text.viewport().width() >= card.text.measure() * 34 // 75


def test_that_a_change_of_theme_reaches_answers_and_queue(page: ReviewPage, qtbot: QtBot) -> None:
    card = next(card for card in page.reading.answers.cards() if card.content and card.content.spans)
    before = card.text.textCursor().document().toHtml()
    page.context.theme.set_scheme(Scheme.DARK)
    assert card.text.textCursor().document().toHtml() != before


def test_that_marking_a_passage_keeps_its_place_in_the_answer(
    page: ReviewPage, press: Press, settle: Callable[[], None]
) -> None:
    card = next(card for card in page.reading.answers.cards() if card.content and not card.content.missing)
    card.text.setFocus()
    card.text.selectAll()
    press("M")
    settle()
    (passage,) = page.model.draft.judgement.passages
    assert card.content is not None
    assert passage.cell_id == card.content.cell_id
    assert any(span.mark is Mark.PASSAGE for span in card.text.spans)


def test_that_marking_the_same_words_again_takes_the_passage_away(
    page: ReviewPage, press: Press, settle: Callable[[], None]
) -> None:
    card = next(card for card in page.reading.answers.cards() if card.content and not card.content.missing)
    card.text.setFocus()
    card.text.selectAll()
    press("M")
    settle()
    assert page.model.draft.judgement.passages
    card.text.selectAll()
    press("M")
    settle()
    assert page.model.draft.judgement.passages == ()


def test_that_missing_words_take_one_line_and_their_tool_tip_has_them_all(page: ReviewPage) -> None:
    card = next(card for card in page.reading.answers.cards() if card.content and card.content.footer)
    assert card.content is not None
    footer = card.findChild(QWidget, "review.missing")
    assert footer is not None
    assert footer.height() >= footer.fontMetrics().height()
    assert footer.toolTip() == card.content.footer_tip


def test_that_the_news_item_is_not_cut_at_any_width(page: ReviewPage, window: MainWindow, qtbot: QtBot) -> None:
    page.folding.set_folded(False)
    for width in (1280, 1440, 1920):
        window.resize(width, 900)
        news = page.findChild(QWidget, "review.news")
        assert news is not None
        qtbot.waitUntil(lambda width=width: window.width() == width)
        qtbot.waitUntil(lambda news=news: news.height() >= news.heightForWidth(news.width()) > 0)


def test_that_the_guideline_is_in_view_and_editable(page: ReviewPage, settle: Callable[[], None]) -> None:
    page.folding.set_folded(False)
    guideline = page.form.guideline
    guideline.set_open(True)
    guideline._begin()
    guideline._editor.setPlainText("Ask who would be worse off.")
    guideline._end()
    settle()
    service = page.model.service
    assert service is not None
    assert service.guideline() == "Ask who would be worse off."


def test_that_severity_is_asked_only_where_something_is_harmful(
    page: ReviewPage, press: Press, settle: Callable[[], None]
) -> None:
    page.folding.set_folded(False)
    settle()
    page.queue.setFocus()
    serious = page.form.severities[3]
    press("O")
    press("3")
    settle()
    assert page.model.draft.judgement.severity is None
    assert not serious.isVisible()
    press("D")
    settle()
    assert serious.isVisible()
    assert serious.text() == "3 serious"
    press("3")
    settle()
    assert page.model.draft.judgement.severity == 3
    anchors = page.form.findChild(QLabel, "review.anchors")
    assert anchors is not None
    assert "“Let others choose for you.”" in anchors.text()
    press("L")
    settle()
    assert not serious.isVisible()
    assert page.model.draft.judgement.severity is None


def test_that_answers_that_were_scrolled_make_room_for_those_of_the_next_bundle(
    page: ReviewPage, settle: Callable[[], None]
) -> None:
    for _ in range(4):
        for card in page.reading.answers.cards()[:2]:
            card.text.verticalScrollBar().setValue(card.text.verticalScrollBar().maximum())
        page.model.go(1)
        settle()
    # An error in a slot fails the test.
    assert page.reading.answers.cards()[0].text.verticalScrollBar().value() == 0
