"""One item in every context: the grid, what is behind a square, and its correction, with the keyboard alone."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import combinations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.ports.method_abilities import ChoosesOptions
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import Correction, Judgement
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.reporting.unlike_answers import unlike_answers
from gpf_desktop.engine.review.choice_grid import Square, choice_grid, chosen, context_of
from gpf_desktop.storage.corrections import Corrected
from gpf_desktop.ui.review.choice_table import SQUARE_ROLE
from gpf_desktop.ui.review.reader_view_model import _prepare
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.accessibility import problems_in, tab_problems

Press = Callable[[str], None]


def squares(page: ReviewPage) -> dict[tuple[int, int], Square]:
    grid = page.reading.answers.choices.table.choices.grid
    assert grid is not None
    return dict(grid.squares)


def test_that_an_item_is_read_as_a_grid_of_its_choices_with_the_keyboard(
    choices: ReviewPage, press: Press, settle: Callable[[], None]
) -> None:
    view = choices.reading.answers.choices
    assert choices.reading.answers.currentWidget() is view
    assert len(squares(choices)) == 74
    choices.queue.setFocus()
    press("Return")
    assert QApplication.focusWidget() is view.table
    bundle, first = choices.model.reader.current, view.table.currentIndex()
    press("Right")
    assert choices.model.reader.current == bundle
    second = view.table.currentIndex()
    assert (second.row(), second.column()) == min(at for at in squares(choices) if at > (first.row(), first.column()))
    square = second.data(SQUARE_ROLE)
    assert view.detail.answer.text == square.answer.text
    levels = [level for _, level in square.place]
    assert view.detail.where.text() == " · ".join(levels)
    assert levels[0] in view.detail.prompt.text
    assert choices.model.reader.reading is not None
    assert choices.model.reader.reading.choices is not None
    titles = [each.title for each in choices.model.reader.reading.choices.contrasts]
    assert titles == ["1990 – 2030", "gossip – direct", "formal – direct", "unlike the person – like the person"]
    assert problems_in(view) == []
    assert tab_problems(choices.window()) == []
    view.resize(view.width(), 3000)
    assert view.table.height() <= view.table.whole_height()
    across = view.table.horizontalHeader()
    narrow = across.sectionSize(0)
    view.table.resize(4000, view.table.height())
    assert across.sectionSize(0) > across.fontMetrics().horizontalAdvance("unlike the person") * 0.8 > narrow


def test_that_what_follows_is_ready_again_once_the_queue_was_read_anew(
    choices: ReviewPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    """A running round scores without a pause: each turn would wait for its item to be read."""
    model, reader = choices.model, choices.model.reader
    settle()
    model.refresh()
    qtbot.waitUntil(lambda: not model.loading)
    assert reader.current is not None
    following = model.queue.neighbour(model.tab, reader.current, 1)
    assert following is not None
    qtbot.waitUntil(lambda: following in reader._prepared)
    model.go(1)
    assert reader.bundle is not None
    assert reader.bundle.id == following, "at once"


def test_that_an_item_that_was_read_ahead_is_composed_once(
    choices: ReviewPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    model, reader = choices.model, choices.model.reader
    assert reader.current is not None
    following = model.queue.neighbour(model.tab, reader.current, 1)
    qtbot.waitUntil(lambda: following in reader._prepared)
    settle()
    with qtbot.assertNotEmitted(reader.explained):
        model.go(1)
        qtbot.waitUntil(lambda: model.queue.neighbour(model.tab, following, 1) in reader._prepared)
        settle()


def test_that_a_turn_does_not_look_through_thousands_of_choices_of_a_filter(
    choices: ReviewPage, settle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    settle()
    assert choices.model.choices is not None
    many = replace(choices.model.choices, articles=tuple((at, f"item {at}") for at in range(4229)))
    choices.filters.show_filter(many, blind=False)
    box = choices.filters._boxes["article_id"]
    assert box.count() == 4230
    looked: list[int] = []
    monkeypatch.setattr(QComboBox, "itemText", lambda _box, at: looked.append(at))
    choices.filters.show_filter(replace(many, articles=tuple(many.articles)), blind=False)
    assert not looked


def test_that_a_bundle_s_second_reading_of_the_same_choices_paints_no_square_again(
    choices: ReviewPage, settle: Callable[[], None]
) -> None:
    settle()
    view, reader = choices.reading.answers.choices, choices.model.reader
    resets: list[None] = []
    view.table.choices.modelReset.connect(lambda: resets.append(None))
    shown, before = view.table.choices.grid, reader.reading
    reader.recompose()
    settle()
    assert reader.reading is not before
    assert view.table.choices.grid is shown
    assert resets == []


def test_that_a_choice_is_corrected_with_a_reason_and_the_correction_undone(
    choices: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    view = choices.reading.answers.choices
    detail = view.detail
    place, square = next((at, each) for at, each in squares(choices).items() if each.category == "unparsed")
    view.table.setFocus()
    view.table.setCurrentIndex(view.table.choices.index(*place))
    press("Return")
    assert QApplication.focusWidget() is detail.category
    qtbot.keyClick(detail.category, Qt.Key.Key_Home)
    assert detail.category.currentData() == "S"
    assert not detail.save.isEnabled()
    press("Tab")
    qtbot.keyClicks(QApplication.focusWidget(), "It names it in its last line")
    press("Return")
    qtbot.waitUntil(lambda: squares(choices)[place].corrected is not None)
    assert squares(choices)[place].category == "S"
    assert "It names it in its last line" in detail.how.text()
    assert view.table.square() == squares(choices)[place]
    choices.context.actions.action("edit.undo").trigger()
    qtbot.waitUntil(lambda: squares(choices)[place].corrected is None)
    assert squares(choices)[place].category == square.category
    settle()


def test_that_letters_choose_what_an_answer_comes_to_and_judge_nothing(choices: ReviewPage, press: Press) -> None:
    view = choices.reading.answers.choices
    place = next(at for at, each in squares(choices).items() if each.category == "A")
    view.table.setFocus()
    view.table.setCurrentIndex(view.table.choices.index(*place))
    press("Return")
    assert QApplication.focusWidget() is view.detail.category
    press("U")
    assert view.detail.category.currentData() == "U"
    assert choices.model.draft.judgement == Judgement()


def test_that_a_blind_reader_sees_the_choices_and_no_contrasts_until_the_bundle_is_submitted_and_revealed(
    choices: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    view, model = choices.reading.answers.choices, choices.model
    place, square = next((at, each) for at, each in squares(choices).items() if each.category == "A")
    said = Correction(cell_id=square.answer.cell_id, measure="choice", category="U", rules="A")
    first = model.reader.current
    model.correct(said, "Mine")
    qtbot.waitUntil(lambda: squares(choices)[place].corrected is not None)
    model.set_blind(True)
    qtbot.waitUntil(lambda: model.reader.reading is not None and model.reader.reading.blind)
    settle()
    assert choices.reading.answers.currentWidget() is view
    assert len(squares(choices)) == 74
    assert squares(choices)[place].category == "U"
    shown = " ".join(each.text() for each in choices.findChildren(QLabel) if each.isVisibleTo(choices))
    assert "1990 – 2030" not in shown
    assert "calibration" not in shown
    said = " ".join(each.text() for each in view.contrasts.findChildren(QLabel))
    assert "Shifts between contexts are not shown" in said
    choices.queue.setFocus()
    for key in ("O", "Ctrl+Return"):
        press(key)
        settle()
    model.set_tab(QueueTab.DONE)
    settle()
    assert model.reader.current == first
    press("R")
    qtbot.waitUntil(lambda: model.reader.reading is not None and not model.reader.reading.blind)
    grid = view.table.choices.grid
    assert grid is not None
    assert grid.contrasts[0].title == "1990 – 2030"


def test_that_a_correction_outlives_what_was_being_composed_without_it(
    choices: ReviewPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    model, reader = choices.model, choices.model.reader
    place, square = next((at, each) for at, each in squares(choices).items() if each.category == "A")
    assert reader.bundle is not None
    said = Correction(cell_id=square.answer.cell_id, measure="choice", category="U", rules="A")
    assert model.service is not None
    model.service.correct(reader.bundle.id, (said,), reason="So").result()
    corrected = _prepare(model.service, reader.bundle.id, reader.options, explain=True, book=CodeBook())
    reader.recompose()
    reader._opened(corrected)
    settle()
    assert squares(choices)[place].category == "U"


def test_that_a_blind_reader_is_not_told_what_others_corrected(choices: ReviewPage) -> None:
    bundle = choices.model.reader.bundle
    assert bundle is not None
    answer = next(each for each in bundle.answers if each.scores["choice"] == "A")
    said = Correction(cell_id=answer.cell_id, measure="choice", category="U", rules="A")
    other = Corrected(
        bundle_id=bundle.id,
        reviewer="Ben",
        reason="So",
        at=datetime(2026, 1, 1, tzinfo=UTC),
        by_measure={"choice": said},
    )
    with_it = replace(bundle, corrected={answer.cell_id: other})
    for blind, category in ((False, "U"), (True, "A")):
        grid = choice_grid(with_it, blind=blind)
        assert grid is not None
        assert {each.category for each in grid.squares.values() if each.answer.cell_id == answer.cell_id} == {category}


def test_that_what_is_shown_to_move_a_model_stands_between_the_quotations(choices: ReviewPage) -> None:
    bundle = choices.model.reader.bundle
    assert bundle is not None
    read = [(context_of(bundle, each.answer), chosen(bundle, each.answer)) for each in bundle.answers]
    for factor, levels in (("observer", {"unlike the person", "like the person"}), ("style", {"gossip", "direct"})):
        found = unlike_answers(bundle, {factor})
        assert found is not None
        one, other = (set(each.who.split(" · ")) for each in found.pair)
        assert one ^ other <= levels | {"formal"}
        assert one != other
        # Most pairs that differ in this alone turn as it does.
        turned = Counter(
            frozenset(((first - second).pop() + a.title, (second - first).pop() + b.title))
            for (x, a), (y, b) in combinations(read, 2)
            if a is not None and b is not None and {a.title, b.title} == {each.chose for each in found.pair}
            for first, second in [(set(x.split(" · ")), set(y.split(" · ")))]
            if len(first - second) == 1 and (first ^ second) <= levels | {"formal"}
        )
        shown = frozenset(((one - other).pop() + found.pair[0].chose, (other - one).pop() + found.pair[1].chose))
        assert turned[shown] == max(turned.values())


def test_that_what_was_chosen_is_quoted_and_not_its_letter(choices: ReviewPage) -> None:
    bundle = choices.model.reader.bundle
    assert bundle is not None
    found = unlike_answers(bundle)
    assert found is not None
    (item,) = bundle.facts.items.values()
    method = catalogue.method(bundle.facts.method)
    assert isinstance(method, ChoosesOptions)
    own = {option.title: option.text for option in method.options(item) if option.text}
    assert {each.chose for each in found.pair} <= own.keys()
    assert all(each.words == own[each.chose] for each in found.pair)
    assert found.pair[0].chose != found.pair[1].chose
    one, other = (each.who.split(" · ") for each in found.pair)
    assert sum(a != b for a, b in zip(one, other, strict=True)) == 1, "what moved the choice is seen, not all at once"
    forms = {each.level.rpartition(" · ")[2] for each in bundle.answers}
    assert not any(each.who.endswith(tuple(forms)) for each in found.pair), "how it was asked is no context"
