"""Repeat a round from its set-up, and be told when one ends."""

from collections.abc import Callable
from datetime import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.events import RunRested, TaskFailed
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.schedules import REPEAT_TASK
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.rounds.plans import load_plan
from gpf_desktop.storage import models
from gpf_desktop.ui.home.home_page import HomePage
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.repeat_dialog import RepeatDialog
from gpf_desktop.ui.runs.rest_message import words_for
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.runs.schedules_dialog import SchedulesDialog
from tests.ui.accessibility import problems_in


@pytest.fixture
def dialog(window: MainWindow, audit: Path, settle: Callable[[], None]) -> RepeatDialog:
    """Opened from a set-up of one article and one model."""
    open_audit = window.context.engine.open_audit
    open_audit.sources.take([(SAMPLE, "")], 1)
    endpoint = Endpoint(provider="calibration", model="neutral")
    open_audit.context.audit.write(lambda c: models.keep(c, endpoint, synthetic=True)).result()
    window.context.navigator.go("runs")
    page = window.findChild(RunsPage, "page.runs")
    assert page is not None
    page.model.set_up()
    page.setup.model.reload()
    settle()
    page.setup.model.news.take_newest(1)
    for model in page.setup.model.models:
        page.setup.model.take_model(model, on=True)
    settle()
    repeat = page.findChild(QPushButton, "setup.repeat")
    assert repeat is not None
    repeat.click()
    opened = page.setup.findChild(RepeatDialog, "runs.repeatDialog")
    assert opened is not None
    settle()
    return opened


def test_that_a_round_is_repeated_from_its_set_up_on(
    dialog: RepeatDialog, window: MainWindow, settle: Callable[[], None]
) -> None:
    dialog.model.choose(6)
    assert dialog.model.about.endswith("the newest unused article.")
    assert "Next round" in dialog.model.next_text
    assert dialog.model.left_text == "", "the sample has more articles than the one that is set up"
    dialog.model._count_left(dialog.model._setup.article_ids if dialog.model._setup else ())
    assert dialog.model.left_text.startswith("No unused article is left")
    assert problems_in(dialog) == []
    dialog.accept()
    settle()
    (schedule,) = window.context.engine.repeater().schedules()
    assert schedule.every_hours == 6
    assert 'model = "neutral"' in schedule.plan


def test_that_a_repetition_says_what_its_rounds_may_cost_a_day(
    dialog: RepeatDialog, window: MainWindow, settle: Callable[[], None]
) -> None:
    dialog.model.choose(6)
    settle()
    told = dialog.findChild(QLabel, "repeat.next")
    assert told is not None
    assert "a day" not in told.text(), "a calibration model costs nothing"
    page = window.findChild(RunsPage, "page.runs")
    assert page is not None
    page.setup.model.set_cap(2.5)
    capped = RepeatDialog(window.context, page, page.setup.model.setup)
    settle()
    for choice, most in ((None, ""), (6, "$10.00"), (0, "$5.00")):
        if choice == 0:
            capped.model.type_times("7:30, 19:00")
        capped.model.choose(choice)
        settle()
        told = capped.findChild(QLabel, "repeat.next")
        assert told is not None
        said = f"Each round pauses at $2.50: {most} a day at most."
        assert (said in told.text()) is bool(most)
    capped.deleteLater()


def test_that_times_of_day_are_read_and_wrong_ones_said(
    dialog: RepeatDialog, window: MainWindow, settle: Callable[[], None]
) -> None:
    dialog.model.choose(0)
    dialog.model.type_times("7:30, noon")
    assert dialog.model.problem
    assert dialog.model.schedule is None
    dialog.model.type_times("7:30, 19:00")
    assert dialog.model.schedule is not None
    assert dialog.model.schedule.times == (time(7, 30), time(19))


def test_that_the_scheduler_s_entry_names_a_plan_that_can_be_saved_and_read(
    dialog: RepeatDialog, settle: Callable[[], None]
) -> None:
    dialog.model.choose(12)
    assert str(dialog.model.plan_path) in dialog.entry.toPlainText()
    save = dialog.findChild(QPushButton, "repeat.savePlan")
    assert save is not None
    save.click()
    settle()
    assert load_plan(dialog.model.plan_path).models[0].model == "neutral"
    # What lies there by then, somebody may have changed.
    dialog.model.plan_path.write_text("mine")
    save.click()
    settle()
    assert dialog.model.plan_path.read_text() == "mine"
    replace = dialog.findChild(QPushButton, "replace.yes")
    assert replace is not None
    replace.click()
    settle()
    assert load_plan(dialog.model.plan_path).models[0].model == "neutral"


def test_that_a_repetition_that_fails_is_said_in_the_message_bar(
    window: MainWindow, audit: Path, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with qtbot.waitSignal(window.context.bridge.announced):
        window.context.bridge.announce(
            TaskFailed(task=REPEAT_TASK, what="The feed is gone.", remedy="Add another.", details="")
        )
    assert any("The feed is gone" in message.text for message in window.context.messages.messages)


@pytest.mark.parametrize("state", [RunState.FINISHED, RunState.FINISHED_WITH_GAPS, RunState.PAUSED, RunState.STOPPED])
def test_that_each_way_to_rest_has_its_words(state: RunState) -> None:
    assert words_for(RunRested(run_id=RunId(1), name="Round 1", state=state, why=""))


def test_that_home_follows_a_schedule_and_the_list_holds_on_to_the_one_that_was_changed(
    dialog: RepeatDialog, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    dialog.model.choose(6)
    dialog.accept()
    settle()
    window.context.navigator.go("home")
    home = window.stack.page("home")
    assert isinstance(home, HomePage)
    schedules = SchedulesDialog(window.context, window)
    schedules.open()
    settle()
    schedules.table.selectRow(0)
    qtbot.keyClick(schedules.table, Qt.Key.Key_Return)
    change = schedules.findChild(RepeatDialog, "runs.repeatDialog")
    assert change is not None
    change.model.choose(2)
    change.accept()
    settle()
    row = schedules.table.current_row()
    assert row is not None
    assert row.schedule.every_hours == 2
    assert schedules.focusWidget() is schedules.table
    due = window.context.engine.repeater().next_due()
    qtbot.waitUntil(lambda: home.model.due == due)
    schedules.remove.click()
    qtbot.waitUntil(lambda: home.model.due is None)
    settle()
    assert schedules.table.current_row() is None
    schedules.begin.click()
    qtbot.waitUntil(lambda: window.stack.current is window.stack.page("runs"))
    settle()
