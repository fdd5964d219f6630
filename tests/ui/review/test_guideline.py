"""The guideline with its examples, one key away, and practising on them: nothing of it counts."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.engine.review.answer_letters import relettered
from gpf_desktop.ui.review.queue_delegate import LINE_ROLE
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.accessibility import problems_in
from tests.ui.review.conftest import counts

Settle = Callable[[], None]


def test_that_a_bundle_becomes_an_example_and_is_practised_without_counting(
    page: ReviewPage, qtbot: QtBot, settle: Settle, press: Callable[[str], None]
) -> None:
    page.queue.setFocus()
    bundle = page.model.reader.current
    guideline = page.reading.panels.guideline
    press("J")
    assert page.reading.panels.shown == "guideline"
    guideline.make.click()
    assert "needs a verdict" in page.context.messages.messages[-1].text
    press("D")
    press("3")
    page.model.draft.type_note("The poor are warned where others are advised")
    settle()
    guideline.make.click()
    qtbot.waitUntil(lambda: len(page.model.examples.examples) == 1)
    assert page.model.examples.examples[0].slot == (Verdict.HARMFUL, 3)
    assert problems_in(page.reading) == []
    page.model.steps.undo()
    settle()

    def told() -> list[str]:
        assert bundle is not None
        (at,) = page.queue.rows_model.places({bundle})
        line = page.queue.rows_model.index(at, 0).data(LINE_ROLE)
        return [] if line is None else [state.spoken or state.words for state in line.states]

    guideline.practise.click()
    qtbot.waitUntil(lambda: page.model.queue.order == (bundle,) and page.model.practising)
    settle()
    before = counts(page)
    qtbot.waitUntil(lambda: told() == ["open"])
    assert not guideline.given.isVisible()
    assert page.model.draft.judgement.verdict is None
    assert page.form.submit.text().startswith("Compare")
    page.queue.setFocus()
    press("O")
    press("Ctrl+Return")
    settle()
    said = guideline.feedback.text()
    assert guideline.feedback.isVisible()
    assert "You: " in said
    assert "3 serious" in said
    assert "The poor are warned" in said
    assert "Practised 1 of 1, 0 as the lead" in said
    assert told() == ["practised, not as the lead"]
    assert counts(page) == before
    assert page.model.service is not None
    assert page.model.service.bundle(bundle).history == ()  # type: ignore[arg-type]

    page.model.filters.clear()
    qtbot.waitUntil(lambda: len(page.model.queue) > 1)
    assert not page.model.practising
    assert "as the lead" not in page.queue.rows_model.index(0, 0).data()
    assert guideline.given.isVisible()
    assert page.form.submit.text().startswith("Submit")
    assert counts(page)[QueueTab.DONE] == 0


def test_that_a_guideline_that_is_opened_or_edited_comes_into_sight_with_its_buttons(
    long_page: ReviewPage, qtbot: QtBot
) -> None:
    long_page.folding.set_folded(False)
    long_page.resize(long_page.width(), 600)
    guideline = long_page.form.guideline
    guideline.set_open(False)
    qtbot.mouseClick(guideline.head, Qt.MouseButton.LeftButton)

    def in_sight(words: str) -> QPushButton:
        each = next(part for part in guideline.findChildren(QPushButton) if part.text() == words)
        qtbot.waitUntil(lambda: each.isVisible() and each.visibleRegion().boundingRect() == each.rect())
        return each

    qtbot.mouseClick(in_sight("Edit"), Qt.MouseButton.LeftButton)
    in_sight("Keep")


def test_that_the_form_shows_the_verdicts_of_the_next_bundle_and_no_gap_where_a_long_guideline_was(
    page: ReviewPage, desktop: Desktop, qtbot: QtBot, press: Callable[[str], None]
) -> None:
    desktop.window.resize(1280, 600)
    page.folding.set_folded(False)
    words = page.form.guideline.findChildren(QLabel)[-1]
    page.form.guideline.set_open(True)
    area = page.form.findChild(QScrollArea, "review.form.scroll")
    assert area is not None
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    high = words.height()
    page.form.guideline.show_text("Mark what decides.")
    assert words.height() < high
    bar.setValue(bar.maximum())
    assert bar.value() > 0
    before = page.model.reader.current
    page.queue.setFocus()
    press("Right")
    qtbot.waitUntil(lambda: page.model.reader.current != before)
    qtbot.waitUntil(lambda: bar.value() == 0)


def test_that_letters_in_the_note_of_an_example_are_those_of_who_reads_it(
    page: ReviewPage, qtbot: QtBot, settle: Settle, press: Callable[[str], None]
) -> None:
    page.queue.setFocus()
    reading = page.model.reader.reading
    assert reading is not None
    plain = dict(reading.letters)
    level = next(each for each in plain if plain[each] == "C")
    press("D")
    press("2")
    page.model.draft.type_note("Answer C withholds what the others get; C's tone differs.")
    settle()
    page.reading.panels.guideline.make.click()
    qtbot.waitUntil(lambda: len(page.model.examples.examples) == 1)
    page.model.set_blind(True)
    qtbot.waitUntil(lambda: page.model.reader.reading is not None and page.model.reader.reading.blind)
    settle()
    page.model.examples.load()
    settle()
    blind = page.model.reader.reading
    assert blind is not None
    note = page.model.examples.examples[0].judgement.note
    bundle = page.model.bundle
    assert bundle is not None
    own = blind.letters[level] if bundle.id == page.model.examples.examples[0].bundle_id else ""
    assert note.startswith(f"Answer {own} withholds")
    assert f"; {own}'s tone" in note
    page.model.set_blind(False)
    settle()
    page.model.examples.load()
    settle()
    assert page.model.examples.examples[0].judgement.note.startswith("Answer C withholds")


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("Answer C withholds what A and B get.", "Answer G withholds what I and H get."),
        ("I find A reader of D warned. I do.", "I find A reader of F warned. I do."),
        ("A is warmer; (I) is not, than A.", "I is warmer; (A) is not, than I."),
        ("A would do, as I would. So do I.", "Answer I would do, as I would. So do I."),
        ("See (C), or E's end; answers A, I: warm.", "See (G), or E's end; answers I, A: warm."),
        ("A vitamin of the U.S. kind", "A vitamin of the U.S. kind"),
    ],
)
def test_that_only_letters_that_stand_for_answers_are_exchanged(said: str, read: str) -> None:
    assert relettered(said, "ABCDEFGHI", "IHGFEDCBA") == read


def test_that_a_queue_read_before_a_guideline_is_stored_does_not_bring_the_old_one_back(
    page: ReviewPage, settle: Settle
) -> None:
    model = page.model
    model.refresh()
    read = model.context.bridge._latest[id(model), "queue"].read
    assert read is not None
    assert read.result().guideline == ""
    model.set_guideline("Harm is what a lawyer would call so.")
    settle()
    assert model.guideline == "Harm is what a lawyer would call so."
