"""The answer without an identity beside the bundle's own: shown, stepped through, pinned, compared with, kept apart."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication

from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.review.reading_content import CONTROL, Layout
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.accessibility import problems_in

Press = Callable[[str], None]
Settle = Callable[[], None]


def first_card(page: ReviewPage) -> AnswerCard:
    return page.reading.answers.cards()[0]


@pytest.fixture
def beside(page: ReviewPage, press: Press, settle: Settle) -> ReviewPage:
    """The page after I was pressed."""
    page.queue.setFocus()
    press("I")
    settle()
    return page


def test_that_i_shows_it_and_takes_it_away_without_touching_the_bundle(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    page.folding.set_folded(False)
    page.queue.setFocus()
    shares = [card._words.toolTip() for card in page.reading.answers.cards()]
    letters = [button.text() for button in page.form.affected.values()]
    press("I")
    settle()
    card = first_card(page)
    assert card.content is not None
    assert card.content.levels == (CONTROL,)
    assert card.isVisible()
    assert page.reading.bar.control.isChecked()
    assert problems_in(page.reading) == []
    assert [each._words.toolTip() for each in page.reading.answers.cards()[1:]] == shares
    assert [button.text() for button in page.form.affected.values()] == letters
    press("I")
    settle()
    assert [each._words.toolTip() for each in page.reading.answers.cards()] == shares
    assert not page.reading.bar.control.isChecked()


def test_that_its_button_does_the_same(page: ReviewPage, settle: Settle) -> None:
    page.reading.bar.control.click()
    settle()
    content = first_card(page).content
    assert content is not None
    assert content.generation is not None


def test_that_its_generations_are_stepped_by_key_and_by_button(
    beside: ReviewPage, press: Press, settle: Settle
) -> None:
    def number() -> int:
        content = first_card(beside).content
        assert content is not None
        assert content.generation is not None
        return content.generation.number

    assert number() == 1
    press("G")
    settle()
    assert number() == 2
    first_card(beside).generation_stepped.emit(1)
    settle()
    assert number() == 3
    press("Shift+G")
    settle()
    assert number() == 2


def test_that_it_is_pinned_and_stays_while_the_others_scroll(beside: ReviewPage, settle: Settle) -> None:
    first_card(beside).pin_asked.emit(CONTROL)
    settle()
    assert beside.reading.answers.pinned == (CONTROL,)
    assert not beside.reading.answers.columns.area.isAncestorOf(first_card(beside))


def test_that_choosing_it_as_baseline_shows_it_and_b_comes_past_it(
    page: ReviewPage, press: Press, settle: Settle
) -> None:
    reader = page.model.reader
    reader.set_baseline(CONTROL)
    settle()
    content = first_card(page).content
    assert content is not None
    assert content.baseline
    assert "No reader named" in page.reading.bar._against_button.accessibleName()
    page.queue.setFocus()
    press("B")
    settle()
    assert reader.reading is not None
    assert reader.reading.baseline == ""
    assert reader.options.control
    reader.set_baseline(CONTROL)
    reader.toggle_control()
    settle()
    assert reader.reading.baseline == ""
    assert reader.reading.card_of(CONTROL) is None


def test_that_f8_comes_to_its_differences_first(beside: ReviewPage, press: Press) -> None:
    press("F8")
    assert QApplication.focusWidget() is first_card(beside).text


def test_that_f8_goes_through_the_sentences_that_stand_alone(beside: ReviewPage, press: Press, settle: Settle) -> None:
    beside.model.reader.set_layout(Layout.GRID)
    settle()
    grid = beside.reading.answers.grid
    assert grid.grid_model.headerData(0, grid.horizontalHeader().orientation()) == "No reader named · #1 of 3"
    beside.queue.setFocus()
    press("F8")
    first = grid.currentIndex()
    assert first.isValid()
    press("F8")
    second = grid.currentIndex()
    assert (second.row(), second.column()) > (first.row(), first.column())
    press("Shift+F8")
    assert grid.currentIndex() == first


def test_that_its_prompt_is_the_one_without_an_identity(beside: ReviewPage, press: Press) -> None:
    press("P")
    panel = beside.reading.panels.prompt
    panel.choose(CONTROL)
    bundle = beside.model.bundle
    assert bundle is not None
    assert bundle.anchor.headline in panel._prompt.text
    assert not any(each.level in panel._prompt.text for each in bundle.answers)


def test_that_its_words_cannot_be_marked_as_a_passage_of_the_bundle(
    beside: ReviewPage, press: Press, settle: Settle
) -> None:
    first_card(beside).text.setFocus()
    first_card(beside).text.selectAll()
    press("M")
    settle()
    assert beside.model.draft.judgement.passages == ()
    assert "not in its control's" in beside.context.messages.messages[-1].text


def test_that_a_blind_reading_keeps_its_letters_with_it(page: ReviewPage, press: Press, settle: Settle) -> None:
    page.bar.blind.click()
    settle()
    reading = page.model.reader.reading
    assert reading is not None
    before = reading.letters
    page.queue.setFocus()
    press("I")
    settle()
    now = page.model.reader.reading
    assert now is not None
    assert now.letters == before
    content = first_card(page).content
    assert content is not None
    assert content.generation is not None
    bundle = page.model.bundle
    assert bundle is not None
    assert not any(each.level.casefold() in first_card(page).text.text.casefold() for each in bundle.answers)


def test_that_every_card_is_wide_enough_to_read_and_pins_never_widen_the_window(
    beside: ReviewPage, settle: Settle
) -> None:
    view = beside.reading.answers
    for card in view.cards()[:3]:
        assert card.content is not None
        card.pin_asked.emit(card.content.key)
    settle()
    assert len(view.pinned) == 3
    assert all(card.width() >= 320 for card in view.cards())
    assert beside.window().minimumSizeHint().width() <= 1280
    assert view.columns.area.viewport().width() >= view.cards()[0].width()


def test_that_the_keyboard_stays_with_the_answers_when_the_one_that_was_read_is_taken_away(
    beside: ReviewPage, press: Press, settle: Settle
) -> None:
    last = beside.reading.answers.cards()[-1]
    assert last.content is not None
    (last if last.content.missing else last.text).setFocus()
    press("I")
    settle()
    assert not last.isVisibleTo(beside)
    focused = QApplication.focusWidget()
    assert any(focused in (card, card.text) for card in beside.reading.answers.cards())


def test_that_going_on_at_once_after_a_choice_shows_the_next_bundle_under_it(page: ReviewPage, settle: Settle) -> None:
    model = page.model
    for _ in range(3):
        model.reader.toggle_control()
        model.go(1)
        model.reader.toggle_control()
        model.reader.toggle_control()
        settle()
        assert model.bundle is not None
        assert model.reader.reading is not None
        assert set(model.reader.reading.letters) == {each.level for each in model.bundle.answers}
        shown = model.reader.reading.card_of(CONTROL) is not None
        assert shown is model.reader.options.control
