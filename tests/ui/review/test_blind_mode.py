"""Reading blind: who was asked, who answered and what others said stay hidden until one has submitted."""

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QTextEdit
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import Judgement, ReviewAction, ReviewStatus, Verdict
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.ui.review import reader_view_model
from gpf_desktop.ui.review.queue_delegate import LINE_ROLE
from gpf_desktop.ui.review.queue_words import QueueLine
from gpf_desktop.ui.review.reading import compose
from gpf_desktop.ui.review.reading_content import Reading
from gpf_desktop.ui.review.readings_panel import standing_readings
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.span_text import Mark
from tests.ui.review.conftest import counts

Press = Callable[[str], None]


@pytest.fixture
def blind(page: ReviewPage, settle: Callable[[], None]) -> ReviewPage:
    page.bar.blind.click()
    settle()
    return page


def words_on(page: ReviewPage) -> str:
    """Everything that can be read or hovered on the page."""
    said = [
        part
        for kind in (QLabel, QAbstractButton)
        for label in page.findChildren(kind)
        if label.isVisibleTo(page)
        for part in (label.text(), label.toolTip(), label.accessibleName())
    ]
    said += [text.toPlainText() for text in page.findChildren(QTextEdit) if text.isVisibleTo(page)]
    row = page.queue.rows_model
    said += [
        str(row.data(row.index(at, 0), role))
        for at in range(row.rowCount())
        for role in (page.queue.itemDelegate() and 0, 3)
    ]
    said += [button.toolTip() for button in page.form.affected.values()]
    return "\n".join(said)


def test_that_neither_identities_nor_models_are_named(blind: ReviewPage) -> None:
    bundle = blind.model.bundle
    assert bundle is not None
    said = words_on(blind)
    assert "calibration" not in said
    assert "synthetic" not in said
    for answer in bundle.answers:
        assert answer.level not in said
    assert [card.content.letter for card in blind.reading.answers.cards() if card.content][:2] == ["A", "B"]


def test_that_the_prompt_is_covered_as_well(blind: ReviewPage, press: Press) -> None:
    blind.queue.setFocus()
    press("P")
    assert blind.reading.panels.isVisible()
    assert "once names are revealed" in words_on(blind)
    assert blind.reading.panels.prompt.choice.itemText(0) == "A"


def test_that_names_are_shown_after_a_submission_and_that_the_history_says_so(
    blind: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    first = blind.model.reader.current
    assert first is not None
    blind.queue.setFocus()
    press("R")
    settle()
    assert blind.model.reader.reading is not None
    assert blind.model.reader.reading.blind
    press("O")
    press("Ctrl+Return")
    settle()
    blind.model.set_tab(QueueTab.DONE)
    settle()
    assert blind.model.reader.current == first
    assert blind.model.reader.reading.blind
    assert "calibration" not in words_on(blind)
    press("R")
    qtbot.waitUntil(lambda: blind.model.reader.reading is not None and not blind.model.reader.reading.blind)
    assert "calibration" in words_on(blind)
    service = blind.model.service
    assert service is not None
    actions = [entry.action for entry in service.bundle(first).history]
    assert actions == [ReviewAction.SUBMIT, ReviewAction.REVEAL]


def test_that_names_stay_shown_where_a_slower_reading_without_them_comes_later(
    blind: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, shown = blind.model.reader, Event()

    def slow_while_blind(bundle: ReadBundle, *choices: Any) -> Reading:
        if not bundle.state.revealed:
            shown.wait(250)
        return compose(bundle, *choices)

    first = reader.current
    blind.queue.setFocus()
    press("O")
    press("Ctrl+Return")
    settle()
    blind.model.open(first)
    settle()
    qtbot.waitUntil(lambda: reader.explanation is not None)
    settle()
    monkeypatch.setattr(reader_view_model, "compose", slow_while_blind)
    reader.recompose()
    press("R")
    qtbot.waitUntil(lambda: reader.reading is not None and not reader.reading.blind)
    shown.set()
    settle()
    assert reader.reading is not None
    assert not reader.reading.blind
    assert any(span.mark is Mark.CARRIES_MOST for card in reader.reading.cards for span in card.spans)


def test_that_a_letter_means_the_same_answer_after_turning_blindness_off(
    blind: ReviewPage, press: Press, settle: Callable[[], None]
) -> None:
    reading = blind.model.reader.reading
    assert reading is not None
    chosen = next(iter(reading.letters))
    blind.queue.setFocus()
    press(".")
    press("A")
    settle()
    assert blind.model.draft.judgement.affected == (chosen,)
    blind.bar.blind.click()
    settle()
    assert blind.form.affected[chosen].isChecked()


def test_that_letters_in_what_readers_wrote_name_the_same_answers_whatever_letters_are_shown(
    blind: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    bundle, reader = blind.model.bundle, blind.model.reader
    assert bundle is not None
    assert reader.reading is not None
    hidden = dict(reader.reading.letters)
    level = next(each.level for at, each in enumerate(bundle.answers) if hidden[each.level] != "ABCDEFGHI"[at])
    plain = "ABCDEFGHI"[[each.level for each in bundle.answers].index(level)]
    blind.queue.setFocus()
    press("O")
    blind.form.note.setFocus()
    qtbot.keyClicks(blind.form.note, f"Answer {hidden[level]} is warmer; I would keep it.")
    press("Ctrl+Return")
    settle()
    audit = blind.context.engine.open_audit
    ben = ReviewService(audit.context, login="ben")
    harm = Judgement(verdict=Verdict.HARMFUL, severity=2, note=f"Answer {plain} is cooler.")
    ben.submit(bundle.id, harm).result()
    kept = audit.reviews.bundle(bundle.id).state.submitted
    assert kept is not None
    assert kept.note.startswith(f"Answer {hidden[level]} is warmer")
    blind.model.reread()
    blind.model.open(bundle.id)
    qtbot.waitUntil(lambda: reader.bundle is not None and reader.bundle.id == bundle.id)
    settle()
    assert reader.bundle is not None
    assert reader.reading is not None
    said = {each.note for each in standing_readings(reader.bundle, reader.reading)}
    assert said == {f"Answer {hidden[level]} is warmer; I would keep it.", f"Answer {hidden[level]} is cooler."}
    blind.queue.setFocus()
    press("R")
    qtbot.waitUntil(lambda: reader.reading is not None and not reader.reading.blind)
    settle()
    said = {each.note for each in standing_readings(reader.bundle, reader.reading)}
    assert said == {f"Answer {plain} is warmer; I would keep it.", f"Answer {plain} is cooler."}
    assert blind.form.note.toPlainText() == f"Answer {plain} is warmer; I would keep it."
    assert counts(blind)[QueueTab.DRAFT] == 0


def test_that_a_note_taken_back_leaves_no_draft(
    blind: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    bundle, reviews = blind.model.bundle, blind.context.engine.open_audit.reviews
    assert bundle is not None
    blind.form.note.setFocus()
    qtbot.keyClicks(blind.form.note, "C")
    blind.model.draft.flush()
    settle()
    assert reviews.bundle(bundle.id).state.status is ReviewStatus.DRAFT
    press("Backspace")
    blind.model.draft.flush()
    settle()
    assert reviews.bundle(bundle.id).state.status is ReviewStatus.TO_DO


def test_that_blindness_is_still_on_after_a_restart(blind: ReviewPage, settle: Callable[[], None]) -> None:
    service = blind.model.service
    assert service is not None
    assert service.preferences().blind
    assert service.preferences().seed == blind.model.preferences.seed


def test_that_scores_are_hidden_from_a_blind_reader_until_they_are_asked_for(
    blind: ReviewPage, settle: Callable[[], None], qtbot: QtBot
) -> None:
    bundle = blind.model.bundle
    assert bundle is not None
    value = bundle.scores["semantic_dispersion"]
    assert isinstance(value, float)
    assert not any(tile.share or tile.tone for tile in blind.reading.strip.tiles.tiles)
    blind.reading.toggle_panel("why")
    settle()
    said = words_on(blind)
    assert f"{value:.2f}" not in said
    assert "share" not in said
    assert not any(line and line.score for line in lines(blind))
    answers = blind.reading.panels.findChild(DataTable, "review.why.answers")
    assert answers.isHidden()
    blind.context.actions.action("review.scores").trigger()
    settle()
    assert f"{value:.2f}" in words_on(blind)
    assert answers.isVisible()
    assert any(tile.share for tile in blind.reading.strip.tiles.tiles)
    assert all(line is None or line.score for line in lines(blind))


def test_that_a_blind_readers_order_hides_ranks_until_one_is_chosen_and_its_heading_says_so(
    page: ReviewPage, settle: Callable[[], None], qtbot: QtBot
) -> None:
    ranked = page.model.queue.ids(QueueTab.TO_DO)
    page.bar.sort.activated.emit(page.bar.sort.findData("semantic_dispersion"))
    settle()
    page.bar.blind.click()
    qtbot.waitUntil(lambda: page.model.queue.ids(QueueTab.TO_DO) != ranked)
    neutral = page.model.queue.ids(QueueTab.TO_DO)
    assert sorted(neutral) == sorted(ranked)
    assert "At random, scores hidden" in page.model.groups()[-1].words
    assert page.bar.sort.currentText() == "At random"
    page.bar.sort.activated.emit(page.bar.sort.findData("semantic_dispersion"))
    qtbot.waitUntil(lambda: page.model.queue.ids(QueueTab.TO_DO) == ranked)
    assert "At random" not in page.model.groups()[-1].words


def test_that_runs_and_batches_are_known_by_number_to_a_blind_reader(
    page: ReviewPage, settle: Callable[[], None]
) -> None:
    page.filters.show()
    runs = page.filters.findChild(QComboBox, "review.filter.run_id")
    assert isinstance(runs, QComboBox)
    named = runs.itemText(1)
    page.bar.blind.click()
    settle()
    assert runs.itemText(1) == f"Round {runs.itemData(1)}" != named
    page.bar.blind.click()
    settle()
    assert runs.itemText(1) == named


def lines(page: ReviewPage) -> list[QueueLine | None]:
    """What the rows of the queue are painted from."""
    rows = page.queue.rows_model
    return [rows.data(rows.index(at, 0), LINE_ROLE) for at in range(rows.rowCount())]


def test_that_reading_blind_is_a_command_as_well(page: ReviewPage, settle: Callable[[], None]) -> None:
    command = page.context.actions.action("review.blind")
    command.trigger()
    settle()
    assert page.model.blind
    assert page.bar.blind.text().strip() == "Names hidden: on"
    command.trigger()
    settle()
    assert not page.model.blind
