"""What two readers disagree about, and what it is settled to, with real widgets."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import Judgement, MarkedPassage, ReviewAction, Verdict
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage.counted_verdicts import counted_verdicts
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.queue_delegate import LINE_ROLE
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.widgets.cards import Card
from tests.ui.review.conftest import counts
from tests.ui.review.two_readers import FITS, HARM, Settle, two_reviewers


def test_that_the_tab_disagree_is_there_from_the_second_reviewer_on(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    shown = [page.bar.tabs.tabText(at).split()[0] for at in range(page.bar.tabs.count())]
    assert "Disagree" not in shown
    ben = two_reviewers(page, qtbot)
    settle()
    shown = [page.bar.tabs.tabText(at) for at in range(page.bar.tabs.count())]
    assert "Disagree 1" in shown
    third = page.model.queue.ids(QueueTab.TO_DO)[0]
    ben.submit(third, HARM).result()
    page.model.reread()
    settle()
    page.model.open(third)
    settle()
    page.model.draft.set_verdict(Verdict.CONTEXT)
    page.model.submit()
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 2)


def test_that_a_disagreement_is_settled_with_the_form_and_both_readings_stay(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    two_reviewers(page, qtbot)
    page.model.set_tab(QueueTab.DISAGREE)
    settle()
    bundle = page.model.bundle
    assert bundle is not None
    assert [entry.judgement.verdict for entry in bundle.history] == [Verdict.CONTEXT, Verdict.HARMFUL]
    qtbot.waitUntil(lambda: page.form.submit.text().startswith("Settle"))
    page.model.draft.set_verdict(Verdict.UNSURE)
    page.form.submit.click()
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 0)
    service = page.model.service
    assert service is not None
    history = service.bundle(bundle.id).history
    assert [entry.action for entry in history] == [
        ReviewAction.SUBMIT,
        ReviewAction.SUBMIT,
        ReviewAction.ADJUDICATE,
    ]
    assert service.bundle(bundle.id).state.submitted == FITS
    page.model.steps.undo()
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 1)
    settle()
    assert page.model.at == 0
    page.model.steps.redo()
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 0)


def test_that_severities_that_differ_are_settled_as_well_and_it_is_said_in_what_readers_differ(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    ben = two_reviewers(page, qtbot)
    service = page.model.service
    assert service is not None
    unlike, third = page.model.queue.ids(QueueTab.DISAGREE)[0], page.model.queue.ids(QueueTab.TO_DO)[0]
    code = service.codes.create("Talks down").result()
    cell = service.bundle(third).answers[0].cell_id
    passage = MarkedPassage(cell_id=cell, start=0, end=9, codes=(code.id,))
    service.submit(third, replace(HARM, passages=(passage,))).result()
    ben.submit(third, replace(HARM, severity=4)).result()
    page.model.reread()
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 2)
    page.model.set_tab(QueueTab.DISAGREE)
    said = page.reading.panels.findChild(QLabel, "review.readings.unlike")
    for bundle, words in ((unlike, "verdict"), (third, "severity, codes")):
        page.model.open(bundle)
        settle()
        assert said.text() == f"What differs: {words}"
        assert said.isVisible()
    named = [each.text() for each in page.reading.panels.readings.findChildren(QLabel)]
    assert "Talks down" in named
    (counted,) = page.model.context.engine.open_audit.context.audit.read(lambda c: counted_verdicts(c, (third,)))
    assert (counted.verdict, counted.severity, counted.settled_by) == (Verdict.HARMFUL, 4, None), (
        "the highest until then"
    )
    report = service.team()
    assert (report.disagreements, report.severities, report.settled) == (1, 1, 0)
    assert sum(each.graded for each in report.verdicts if each.kind == "model") == 1
    page.toggle_team()
    settle()
    lines = [each.text() for each in page.centre.team.findChildren(QLabel)]
    assert "1 open, 0 settled; 1 more on the severity alone" in lines
    offered = page.centre.team.findChild(QLabel, "team.plan.offered")
    assert offered.height() < 2 * offered.fontMetrics().height(), "its number stands on the same line"
    table = page.centre.team.verdicts
    shown = {table.index(row, at).data() for row in range(table.rowCount()) for at in range(table.columnCount())}
    assert "1 + 1" in shown or "0 + 1" in shown
    assert not any("calibration/" in str(each) for each in shown)
    page.toggle_team()
    page.model.open(third)
    settle()
    page.model.draft.set_verdict(Verdict.HARMFUL)
    page.model.draft.set_severity(3)
    page.form.submit.click()
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 1)
    (counted,) = page.model.context.engine.open_audit.context.audit.read(lambda c: counted_verdicts(c, (third,)))
    assert (counted.severity, counted.settled_by is not None) == (3, True)
    ben.submit(third, replace(HARM, severity=1)).result()
    page.model.reread()
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 2)


def test_that_what_was_settled_is_said_in_its_row_above_the_form_and_as_an_example(
    page: ReviewPage, qtbot: QtBot, settle: Settle, press: Callable[[str], None]
) -> None:
    two_reviewers(page, qtbot)
    page.model.set_tab(QueueTab.DISAGREE)
    settle()
    page.queue.setFocus()
    press("D")
    press("3")
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 0)
    page.model.set_tab(QueueTab.DONE)
    settle()
    first, second = page.model.queue.ids(QueueTab.DONE)
    qtbot.waitUntil(lambda: told_in_row(page, first) == "Harmful, settled")
    assert told_in_row(page, second) == "Fits the reader"
    page.model.open(first)
    settle()
    line = page.reading.top.findChild(QLabel, "review.settled")
    assert line.isVisible()
    assert line.text().endswith("as Harmful, 3 serious: this counts. Your own reading stays in the form.")
    assert page.model.draft.judgement == FITS
    assert page.form.verdicts[Verdict.CONTEXT].isChecked()
    press("J")
    page.reading.panels.guideline.make.click()
    qtbot.waitUntil(lambda: len(page.model.examples.examples) == 1)
    assert page.model.examples.examples[0].slot == (Verdict.HARMFUL, 3)
    page.model.open(second)
    settle()
    assert line.isHidden()
    page.model.steps.undo()
    settle()
    assert page.model.bundle is not None
    assert page.model.bundle.settled is None
    qtbot.waitUntil(lambda: told_in_row(page, first) == "Fits the reader")


def test_that_a_blind_reader_is_not_told_what_another_settled_until_names_are_shown(
    page: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    ben = two_reviewers(page, qtbot)
    first = page.model.queue.ids(QueueTab.DONE)[0]
    ben.adjudicate(first, HARM).result()
    page.model.set_blind(True)
    page.model.set_tab(QueueTab.DONE)
    page.model.open(first)
    settle()
    line = page.reading.top.findChild(QLabel, "review.settled")
    qtbot.waitUntil(lambda: told_in_row(page, first) == "Fits the reader")
    assert line.isHidden()
    assert page.model.settled is None
    page.model.reveal()
    qtbot.waitUntil(line.isVisible)
    assert "by ben as Harmful" in line.text()
    qtbot.waitUntil(lambda: told_in_row(page, first) == "Harmful, settled")


def told_in_row(page: ReviewPage, bundle: BundleId) -> str:
    """The state that stands in a bundle's row of the queue."""
    (at,) = page.queue.rows_model.places({bundle}) or (-1,)
    line = page.queue.rows_model.index(at, 0).data(LINE_ROLE)
    return line.states[0].words if line is not None else ""


def test_that_readings_of_a_line_leave_the_question_and_the_answers_in_sight(
    page: ReviewPage, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    window.resize(1280, 720)
    two_reviewers(page, qtbot)
    page.model.set_tab(QueueTab.DISAGREE)
    settle()
    assert page.reading.panels.shown == "readings"
    area = page.reading.findChild(QScrollArea, "review.reading")
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)


def test_that_a_disagreement_shows_each_reading_beside_the_other_and_preselects_none(
    page: ReviewPage, qtbot: QtBot, settle: Settle, press: Callable[[str], None]
) -> None:
    bundle = page.model.bundle
    assert bundle is not None
    marked = MarkedPassage(cell_id=bundle.answers[1].cell_id, start=0, end=12, comment="cooler for a student")
    open_audit = page.context.engine.open_audit
    ana, ben = open_audit.reviews, ReviewService(open_audit.context, login="ben")
    ana.submit(bundle.id, FITS).result()
    ben.submit(bundle.id, replace(HARM, note="He tells the student to wait", passages=(marked,))).result()
    page.model.reread()
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 1)
    page.model.set_tab(QueueTab.DISAGREE)
    settle()
    page.queue.setFocus()
    said = shown_readings(page, qtbot)
    assert [("ben" in each, "Harmful" in each, "2 moderate" in each) for each in said] == [(False,) * 3, (True,) * 3]
    assert "He tells the student to wait" in said[1]
    assert "cooler for a student" in said[1]
    assert page.model.draft.judgement == Judgement()
    assert not any(radio.isChecked() for radio in page.form.verdicts.values())
    press("U")
    settle()
    assert ana.bundle(bundle.id).state.submitted == FITS
    assert counts(page)[QueueTab.DONE] == 1
    page.model.set_tab(QueueTab.DONE)
    settle()
    assert page.model.draft.judgement.verdict is Verdict.CONTEXT
    assert page.reading.panels.isHidden()
    page.model.set_tab(QueueTab.DISAGREE)
    settle()
    assert page.model.draft.judgement.verdict is Verdict.UNSURE
    page.model.set_blind(True)
    settle()
    blind = shown_readings(page, qtbot)
    assert sorted(each.split("|")[0] for each in blind) == ["Reviewer 1", "Reviewer 2"]
    assert not any("student" in each.casefold() or "ben" in each.split("|")[0] for each in blind)
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 0)
    assert open_audit.context.audit.read(counted_verdicts)[0].verdict == "unsure"


def shown_readings(page: ReviewPage, qtbot: QtBot) -> list[str]:
    """What stands on each reviewer's card."""
    panel = page.reading.panels.readings
    assert panel.isVisible()
    qtbot.waitUntil(lambda: sum(card.isVisible() for card in panel.findChildren(Card)) == 2)
    cards = [card for card in panel.findChildren(Card) if card.isVisible()]
    return ["|".join(each.text() for each in card.findChildren(QLabel) if each.text()) for card in cards]


def test_that_the_keyboard_is_where_one_goes_on_once_the_last_disagreement_is_settled_beside_a_folded_queue(
    page: ReviewPage, qtbot: QtBot, settle: Settle, press: Callable[[str], None]
) -> None:
    two_reviewers(page, qtbot)
    page.model.set_tab(QueueTab.DISAGREE)
    settle()
    page.queue.setFocus()
    press("Z")
    assert page.rail.isVisible()
    press("U")
    press("Ctrl+Return")
    qtbot.waitUntil(page.empty.isVisible)
    settle()
    assert page.empty.sentence.text() == "No disagreement is left to settle."
    assert page.empty.button is not None
    assert page.empty.button.hasFocus()
