"""A set-up that is worked at while reads and writes of the engine are still on their way."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.engine.models.model_service import ModelService
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.studies.study_form import StudyForm

Settle = Callable[[], None]
SetUp = Callable[[str], StudyForm]
METHOD = "contextual-stereoset"


def test_that_no_round_starts_before_all_its_models_are_there(
    set_up: SetUp, window: MainWindow, settle: Settle, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit, bridge = window.context.engine.open_audit, window.context.bridge
    audit.models.add_all([Endpoint(provider="stereoset-calibration", model="typical")]).result()
    form = set_up(METHOD)
    add_all, held = audit.models.add_all, Future[object]()
    asked: list[list[Endpoint]] = []
    monkeypatch.setattr(ModelService, "add_all", lambda _, endpoints: asked.append(endpoints) or held)
    form.model.rehearse()
    form.model.set_number("most_items", 4)
    qtbot.waitUntil(lambda: bridge._under_way == 1 and not bridge._queue)
    assert [each.model for each in asked[0]] == ["steady"]
    assert form.model.counting
    assert not form.begin.isEnabled(), "of one model alone it would be another round"
    form.model.start()
    held.set_result(add_all(asked[0]).result())
    settle()
    (run,) = audit.rounds.runs()
    assert len(run.models) == 2


def test_that_a_protocol_made_by_hand_stands_when_another_is_read_at_last(set_up: SetUp, settle: Settle) -> None:
    form = set_up(METHOD)
    mine = replace(form.model.protocol, name="Mine")
    form.model.choose_set(form.model.sets[-1])
    form.model.take_protocol(mine)
    settle()
    assert form.model.protocol == mine


def test_that_the_method_asked_for_last_is_set_up(set_up: SetUp, settle: Settle) -> None:
    form = set_up(METHOD)
    form.model.show()
    form.model.show("saged")
    settle()
    assert form.model.method is not None
    assert form.model.method.name == "saged"


def test_that_what_is_chosen_while_a_round_is_planned_stays_for_the_next(
    set_up: SetUp, window: MainWindow, settle: Settle
) -> None:
    form = set_up(METHOD)
    form.model.rehearse()
    form.model.set_number("most_items", 4)
    settle()
    form.model.start()
    assert form.model.starting
    form.model.show("saged")
    form.model.set_name("Of another method")
    form.model.set_cap(3.0)
    form.model.choose_set(form.model.sets[0])
    settle()
    assert len(window.context.engine.open_audit.rounds.runs()) == 1
    assert (form.model.name, form.model.spend_cap, form.model.cap_chosen) == ("Of another method", 3.0, True)


def test_that_a_number_is_typed_to_its_end_though_a_count_comes_in(set_up: SetUp) -> None:
    form = set_up(METHOD)
    box = form.numbers["most_items"]
    box.setFocus()
    box.selectAll()
    QTest.keyClick(box, Qt.Key.Key_Delete)
    form.model.touch_now()
    QTest.keyClicks(box, "7")
    assert box.value() == form.model.numbers["most_items"] == 7
