"""Results says which scores do not rest on every answer, and brings them up to date."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gpf_desktop.methods.gpf_livenews.scorers.gpf import GpfOptions
from gpf_desktop.storage import fit_groups
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.results.stale_scores_notice import StaleScoresNotice
from tests.support.filled_audit import fill
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


@pytest.fixture
def late(audit: Path, context: Context) -> int:
    """A setting whose scores are older than the last answer."""
    open_audit = context.engine.open_audit
    fill(open_audit.context.audit, models_asked=("neutral",), dimensions=("Political",))
    setting_id = open_audit.rescoring.start("gpf", GpfOptions(word_pairs=True), method="gpf-livenews").result(
        timeout=250
    )
    open_audit.context.audit.write(
        lambda c: c.execute("UPDATE score_basis SET answers = answers - 1 WHERE setting_id = ?", (setting_id,))
    ).result()
    return setting_id


def notice_of(window: MainWindow, context: Context, settle: Settle) -> StaleScoresNotice:
    context.navigator.go("results")
    settle()
    (page,) = window.findChildren(ResultsPage)
    page.behind.model._read()
    settle()
    return page.behind


def test_that_a_setting_that_is_behind_is_named_with_its_counts(
    window: MainWindow, context: Context, late: int, settle: Settle
) -> None:
    notice = notice_of(window, context, settle)
    assert notice.isVisible()
    said = notice.sentence.text()
    assert "“with word pairs”: 4 sets of answers were scored before newer answers came (1)" in said
    assert problems_in(notice) == []


def test_that_the_button_brings_it_up_to_date_and_the_notice_goes(
    window: MainWindow, context: Context, late: int, settle: Settle, qtbot: QtBot
) -> None:
    notice = notice_of(window, context, settle)
    qtbot.mouseClick(notice.refresh, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not notice.isVisible())
    assert context.engine.open_audit.context.audit.read(lambda c: fit_groups.behind(c, late)) == {}


def test_that_nothing_is_said_while_every_score_is_current(
    window: MainWindow, context: Context, audit: Path, settle: Settle
) -> None:
    fill(context.engine.open_audit.context.audit, models_asked=("neutral",), dimensions=("Political",))
    assert not notice_of(window, context, settle).isVisible()
