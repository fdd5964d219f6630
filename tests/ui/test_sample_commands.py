"""The sample audit and the practice run, from the command to the bundle that is read."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands import sample
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.review_page import ReviewPage

LONG = 200_000
"""Milliseconds; a round of one article takes two seconds on an idle machine."""


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Samples and practice runs kept in a folder of the test."""
    monkeypatch.setattr(sample, "_folder", lambda: tmp_path)


@pytest.fixture
def places(context: Context) -> list[str]:
    """Every page shown from now on."""
    shown: list[str] = []
    context.navigator.moved.connect(lambda place: shown.append(place.page))
    return shown


def states(context: Context) -> list[RunState]:
    return [run.state for run in context.engine.open_audit.rounds.runs()]


def is_reading(window: MainWindow) -> bool:
    page = window.stack.current
    return isinstance(page, ReviewPage) and page.model.bundle is not None


def test_that_demo_opens_the_shipped_sample_on_a_bundle_that_explains_itself(
    small: None, window: MainWindow, context: Context, qtbot: QtBot, tmp_path: Path, places: list[str]
) -> None:
    window.sample.open_copy(tmp_path / "mine.gpf")
    qtbot.waitUntil(lambda: is_reading(window) and bool(context.messages.messages), timeout=LONG)
    assert places == ["review"]
    assert context.engine.open_audit.path == tmp_path / "mine.gpf"
    assert len(states(context)) == 2
    message = context.messages.messages[0].text
    assert "no real model said" in message
    assert "of the model tailoring-0.7: it is made to let 70% of its sentences depend on the reader" in message
    context.navigator.go("results")
    assert context.messages.messages == ()


def test_that_a_practice_run_is_watched_then_read(
    small: None, window: MainWindow, context: Context, qtbot: QtBot, places: list[str]
) -> None:
    context.actions.action("sample.practice").trigger()
    qtbot.waitUntil(lambda: bool(context.messages.messages), timeout=LONG)
    message = context.messages.messages[0]
    assert places == ["runs"]
    assert message.remedies[0].text == "Read the answers"
    message.remedies[0].do()
    qtbot.waitUntil(lambda: is_reading(window), timeout=LONG)


def test_that_the_next_practice_run_is_kept_beside_the_first(
    small: None, window: MainWindow, context: Context, qtbot: QtBot
) -> None:
    for number in (1, 2):
        context.actions.action("sample.practice").trigger()
        qtbot.waitUntil(
            lambda number=number: (
                context.engine.has_open_audit  # type: ignore[misc]
                and states(context) == [RunState.FINISHED] * number
                and context.engine.open_audit.rounds.active is None
            ),
            timeout=LONG,
        )
    assert [run.name for run in context.engine.open_audit.rounds.runs()] == ["Practice round 2", "Practice round 1"]


def test_that_a_round_under_way_is_not_stopped_without_asking(
    small: None, window: MainWindow, context: Context, qtbot: QtBot, audit: Path, settle: Callable[[], None]
) -> None:
    settle()
    open_audit = context.engine.open_audit
    open_audit.sources.add_sample().result()
    setup = RunSetup(
        method="gpf-livenews",
        name="Mine",
        protocol=open_audit.protocols.current(),
        model_ids=tuple(open_audit.models.add_calibration(["neutral"]).result()),
        article_ids=tuple(open_audit.sources.article_ids()[:4]),
        controls=Controls.none(),
    )
    resting = open_audit.rounds.start(open_audit.rounds.plan(setup).result())
    context.actions.action("sample.practice").trigger()
    assert context.engine.open_audit is open_audit
    message = context.messages.messages[0]
    assert message.text.startswith("A round is being asked")
    message.remedies[0].do()
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held is not open_audit, timeout=LONG)
    assert resting.result() in (RunState.PAUSED, RunState.FINISHED)
    qtbot.waitUntil(lambda: states(context) == [RunState.FINISHED], timeout=LONG)


def test_that_a_sample_that_was_damaged_says_what_to_do(
    small: None, window: MainWindow, context: Context, qtbot: QtBot, tmp_path: Path
) -> None:
    sample.default_place().write_text("not an audit")
    context.actions.action("sample.open").trigger()
    qtbot.waitUntil(lambda: bool(context.messages.messages))
    assert "is not an audit file" in context.messages.messages[0].text
    shutil.move(sample.default_place(), tmp_path / "aside")


def test_that_the_sample_opens_on_a_scored_bundle_and_keeps_what_was_said_there(
    small: None, window: MainWindow, context: Context, qtbot: QtBot
) -> None:
    context.actions.action("sample.open").trigger()
    qtbot.waitUntil(lambda: is_reading(window), timeout=LONG)
    first = context.engine.open_audit.path
    context.engine.open_audit.reviews.set_flagged(BundleId(1), True).result()
    window.files.close_audit()
    qtbot.waitUntil(lambda: window.stack.current is window.stack.page("home"))
    context.actions.action("sample.open").trigger()
    qtbot.waitUntil(lambda: is_reading(window), timeout=LONG)
    assert context.engine.open_audit.path == first
    assert context.engine.open_audit.reviews.bundle(BundleId(1)).state.judgement.flagged


def test_that_a_message_goes_once_its_button_is_pressed_and_with_its_audit(
    small: None, window: MainWindow, context: Context, qtbot: QtBot
) -> None:
    context.actions.action("sample.practice").trigger()
    qtbot.waitUntil(lambda: bool(context.messages.messages), timeout=LONG)
    (read,) = window.message_bar.remedy_buttons()
    qtbot.mouseClick(read, Qt.MouseButton.LeftButton)
    assert context.messages.messages == ()
    assert window.stack.current is window.stack.page("review")
    context.actions.action("sample.practice").trigger()
    qtbot.waitUntil(lambda: bool(context.messages.messages), timeout=LONG)
    window.files.close_audit()
    qtbot.waitUntil(lambda: window.stack.current is window.stack.page("home"))
    assert context.messages.messages == ()


def test_that_the_queue_shows_the_bundle_that_the_sample_opens_on(
    small: None, window: MainWindow, context: Context, qtbot: QtBot
) -> None:
    context.actions.action("sample.open").trigger()
    qtbot.waitUntil(lambda: is_reading(window), timeout=LONG)
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    page.folding.set_roomy(False)
    qtbot.waitUntil(page.queue.isVisible)
    current = page.queue.currentIndex()
    assert current.row() > 20
    assert page.queue.viewport().rect().intersects(page.queue.visualRect(current))
