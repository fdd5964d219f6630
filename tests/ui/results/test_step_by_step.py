"""Cards are made one by one, and what was superseded leaves nothing behind."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.events import AuditClosed
from gpf_desktop.ui.bridge import Bridge
from gpf_desktop.ui.results.step_by_step import HiddenHolder, StepByStep


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[Bridge]:
    made = Bridge()
    yield made
    made.close()
    made.deleteLater()


def test_that_the_window_answers_between_two_steps(qtbot: QtBot, bridge: Bridge) -> None:
    owner, order = QObject(), []
    steps = StepByStep(bridge, owner)
    click = QTimer(owner)
    click.setSingleShot(True)
    click.timeout.connect(lambda: order.append("click"))

    def first() -> None:
        order.append("first")
        click.start(0)

    steps.do("page", (first, lambda: None, lambda: None, lambda: order.append("last")))
    assert steps.busy
    qtbot.waitUntil(lambda: not steps.busy)
    assert order == ["first", "click", "last"]


@pytest.mark.slow
def test_that_new_steps_for_a_page_take_the_place_of_those_left_and_leave_other_pages_alone(
    qtbot: QtBot, bridge: Bridge
) -> None:
    owner, done = QObject(), []
    steps = StepByStep(bridge, owner)
    steps.do("page", [lambda: done.append("old")])
    steps.do("section", [lambda: done.append("section")])
    steps.do("page", [lambda: done.append("new")])
    qtbot.waitUntil(lambda: not steps.busy)
    assert done == ["section", "new"]
    steps.do("page", [lambda: done.append("dropped")])
    steps.drop("page")
    assert not steps.busy


def test_that_steps_of_an_audit_end_with_it(qtbot: QtBot, bridge: Bridge) -> None:
    owner, done = QObject(), []
    steps = StepByStep(bridge, owner)
    steps.do("page", [lambda: done.append("of the audit")])
    bridge.leave()
    with qtbot.waitSignal(bridge.announced):
        bridge.announce(AuditClosed(path=Path("one.gpf")))
    steps.do("page", [lambda: done.append("of the next")])
    qtbot.waitUntil(lambda: not steps.busy)
    assert done == ["of the next"]


@pytest.mark.slow
def test_that_a_card_that_never_got_its_place_goes(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    bench = HiddenHolder(page)
    card = QLabel("made, not placed")
    bench.hold(card)
    assert not card.isVisible()
    with qtbot.waitSignal(card.destroyed):
        bench.clear()
    assert bench.findChildren(QLabel) == []
