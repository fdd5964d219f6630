"""Dialogs that compute: rescoring, the test against chance, the instrument check."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QPushButton, QScrollArea
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.checks import CheckLine
from gpf_desktop.domain.ladders import Ladder, Rung
from gpf_desktop.engine.checking import InstrumentReport
from gpf_desktop.engine.commands.method_check import start_check
from gpf_desktop.storage import scores
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.level_test_dialog import LevelTestDialog
from gpf_desktop.ui.results.rescore_dialog import RescoreDialog
from gpf_desktop.ui.shell import check_dialog
from gpf_desktop.ui.shell.check_dialog import CheckDialog
from gpf_desktop.ui.widgets.ladder_plot import LadderPlot
from tests.support.filled_audit import fill

Settle = Callable[[], None]


@pytest.fixture
def filled(audit: Path, context: Context) -> Path:
    fill(context.engine.open_audit.context.audit, models_asked=("neutral",), repeats=2, dimensions=("Political",))
    return audit


def press(qtbot: QtBot, dialog: QDialog, name: str) -> None:
    found = dialog.findChild(QPushButton, name)
    assert found is not None
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def opened(window: MainWindow, kind: type[QDialog]) -> QDialog:
    (dialog,) = window.findChildren(kind)
    return dialog


def test_that_no_field_of_measuring_again_is_cut_at_its_end_in_large_text(
    window: MainWindow, context: Context, filled: Path, settle: Settle
) -> None:
    context.theme.set_text_scale(200)
    context.actions.action("scores.rescore").trigger()
    dialog = opened(window, RescoreDialog)
    settle()
    area = dialog.findChild(QScrollArea, "rescore.options")
    assert area is not None
    assert area.widget().width() <= area.viewport().width()
    dialog.close()


def test_that_rescoring_from_the_menu_keeps_a_second_setting_and_says_so(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle
) -> None:
    context.actions.action("scores.rescore").trigger()
    dialog = opened(window, RescoreDialog)
    assert isinstance(dialog, RescoreDialog)
    assert dialog.focusWidget() is dialog.variant
    settle()
    assert dialog.focusWidget() is dialog.variant
    assert dialog.variant.count() >= 6
    assert dialog.run.count() == 2
    dialog.variant.setCurrentIndex(dialog.variant.findText("By words, with pairs of words"))
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "rescore.begin")
    settle()
    settings = context.engine.open_audit.context.audit.read(scores.settings)
    assert [setting.options["word_pairs"] for setting in settings] == [False, True]
    assert any("earlier scores are kept" in message.text for message in context.messages.messages)


def test_that_a_variant_without_its_model_is_refused_in_the_dialog(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle
) -> None:
    context.actions.action("scores.rescore").trigger()
    dialog = opened(window, RescoreDialog)
    assert isinstance(dialog, RescoreDialog)
    settle()
    dialog.variant.setCurrentIndex(dialog.variant.findText("How far apart, by meaning (a sentence encoder)"))
    press(qtbot, dialog, "rescore.begin")
    qtbot.waitUntil(lambda: "No model is named" in dialog.problem.text())
    assert not dialog.model.running
    assert dialog.begin.isEnabled()
    dialog.close()


def test_that_rescoring_can_be_cancelled_and_started_again(
    window: MainWindow, context: Context, audit: Path, qtbot: QtBot, settle: Settle
) -> None:
    fill(context.engine.open_audit.context.audit, models_asked=("neutral",), items=3, repeats=3)
    context.actions.action("scores.rescore").trigger()
    dialog = opened(window, RescoreDialog)
    assert isinstance(dialog, RescoreDialog)
    settle()
    press(qtbot, dialog, "rescore.begin")
    qtbot.waitUntil(lambda: dialog.model.of is not None)
    dialog.model.cancel()
    qtbot.waitUntil(lambda: not dialog.model.running)
    assert dialog.problem.text() == "Cancelled."
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "rescore.begin")
    settle()


def test_that_the_test_against_chance_ends_in_results(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle
) -> None:
    context.actions.action("scores.test").trigger()
    dialog = opened(window, LevelTestDialog)
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "levelTest.begin")
    settle()
    assert context.engine.open_audit.context.audit.read(scores.test_rows).rows
    assert any("against chance" in message.text for message in context.messages.messages)


def test_that_an_audit_without_repeats_is_told_what_to_do(
    window: MainWindow, context: Context, audit: Path, qtbot: QtBot
) -> None:
    context.actions.action("scores.test").trigger()
    dialog = opened(window, LevelTestDialog)
    assert isinstance(dialog, LevelTestDialog)
    press(qtbot, dialog, "levelTest.begin")
    qtbot.waitUntil(lambda: "in which questions are asked again" in dialog.problem.text())
    dialog.close()


def test_that_a_method_without_a_test_against_chance_says_so(
    window: MainWindow, context: Context, audit: Path, qtbot: QtBot
) -> None:
    dialog = LevelTestDialog(context, window, "saged")
    dialog.open()
    assert "groups" in dialog.windowTitle()
    press(qtbot, dialog, "levelTest.begin")
    qtbot.waitUntil(lambda: "Its tables say what chance would show" in dialog.problem.text())
    dialog.close()


def report(*, passed: bool) -> InstrumentReport:
    line = CheckLine(model="calibration/neutral", must_show="CFS near 0", found="CFS +0.0011", passed=passed)
    rungs = (Rung(delta=0, found=1, of=41), Rung(delta=0.02, found=16, of=41))
    ladder = Ladder(title="Content planted", rungs=rungs)
    return InstrumentReport(lines=(line, line), articles=6, cells=100, seed=1, ladders=(ladder,))


@pytest.mark.parametrize(("passed", "words"), [(True, "shows what was planted"), (False, "do not rely on scores")])
def test_that_the_check_shows_its_table_and_its_verdict(
    window: MainWindow,
    context: Context,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    passed: bool,
    words: str,
) -> None:
    done: Future[InstrumentReport] = Future()
    done.set_result(report(passed=passed))
    asked = []
    monkeypatch.setattr(check_dialog, "start_check", lambda _engine, method: asked.append(method) or done)
    context.actions.action("help.check").trigger()
    dialog = opened(window, CheckDialog)
    assert isinstance(dialog, CheckDialog)
    qtbot.waitUntil(dialog.begin.isEnabled)
    dialog.method.setCurrentIndex(dialog.method.findData("relative-bias"))
    press(qtbot, dialog, "check.begin")
    qtbot.waitUntil(lambda: words in dialog.verdict.text())
    assert asked == ["relative-bias"]
    assert dialog.area.isVisible()
    plot = dialog.findChild(LadderPlot)
    assert plot is not None
    assert plot.accessibleDescription() == "Content planted: δ 0: 1 of 41, δ 0.02: 16 of 41"
    ink, drawn = context.theme.color("synthetic").rgb(), plot.grab().toImage()
    assert any(drawn.pixel(x, y) == ink for x in range(drawn.width()) for y in range(0, drawn.height(), 2))
    dialog.close()


@pytest.mark.parametrize("method", ["gpf-livenews", "relative-bias"])
def test_that_a_check_can_be_cancelled_and_its_dialog_closed(
    window: MainWindow, context: Context, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, settle: Settle, method: str
) -> None:
    monkeypatch.setattr(check_dialog, "start_check", partial(start_check, quick=True))
    context.actions.action("help.check").trigger()
    dialog = opened(window, CheckDialog)
    assert isinstance(dialog, CheckDialog)
    qtbot.waitUntil(dialog.begin.isEnabled)
    dialog.method.setCurrentIndex(dialog.method.findData(method))
    press(qtbot, dialog, "check.begin")
    qtbot.waitUntil(lambda: dialog.model.of is not None)
    dialog.model.cancel()
    qtbot.waitUntil(lambda: "cancelled" in dialog.problem.text())
    dialog.close()
    settle()
