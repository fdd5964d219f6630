"""Rounds that come into sight, and rest, while something else is being done."""

from collections.abc import Callable

from PySide6.QtWidgets import QCheckBox

from gpf_desktop.domain.events import RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.runs import RunState
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.cap_dialog import CapDialog
from gpf_desktop.ui.runs.repeat_dialog import RepeatDialog
from gpf_desktop.ui.runs.runs_page import RunsPage
from tests.ui.runs.steps import add, set_up


def test_that_what_is_said_of_a_round_is_said_of_it_though_another_comes_into_sight(
    page: RunsPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    audit = window.context.engine.open_audit
    add(window, Endpoint(provider="calibration", model="neutral"), synthetic=True)
    set_up(page, settle)
    setup = page.setup.model.setup
    assert setup is not None
    first = audit.plan(setup)
    settle()
    dialog = CapDialog(page, page.model)
    second = audit.plan(setup)
    settle()
    assert page.model.run is not None
    assert page.model.run.id == second, "a schedule shows the round that it begins"
    dialog.findChild(QCheckBox).setChecked(True)
    dialog.accept()
    settle()
    assert {run.id: run.spend_cap for run in audit.rounds.runs()} == {first: 10.0, second: None}

    page.model.show_run(RunId(first))
    settle()
    page.model.show_run(RunId(second))
    rested = RunRested(run_id=RunId(first), name="", state=RunState.PAUSED, why="")
    window.context.bridge.announce(rested)
    settle()
    assert page.model.run.id == second, "that was asked for"

    repeat = RepeatDialog(window.context, page, setup)
    repeat.model.choose(6)
    repeat.accept()
    settle()
    (schedule,) = window.context.engine.repeater().schedules()
    assert 'model = "neutral"' in schedule.plan
