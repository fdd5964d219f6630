"""Contextual StereoSet in the real window: from the starter set to a report that holds an auditor's correction."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from gpf_desktop.ui.reports.reports_page import ReportsPage
from gpf_desktop.ui.review.choice_table import ChoiceTable
from tests.journeys.test_studies import LONG, Hands, hands
from tests.ui.conftest import desktop, settings, settle, window

__all__ = ["desktop", "hands", "settings", "settle", "window"]
REASON = "It says so in its last line"
pytestmark = pytest.mark.slow


def test_that_stereotypes_go_from_the_starter_set_to_a_report_with_a_correction(
    hands: Hands,
    tmp_path: Path,
) -> None:
    hands.press_space("method.contextual-stereoset.start")
    hands.name_file(tmp_path / "stereotypes.gpf")
    hands.press("setup.practise")
    hands.type_number("setup.most_items", 6)
    hands.press_space("setup.start")
    hands.see_results("stereoset")
    correct_a_choice(hands)
    page = export_a_report(hands, tmp_path / "report.html")
    assert "How much each part of the context moves the choice" in page
    assert "1 choice was corrected by a reviewer" in page
    assert REASON in page
    assert "It does not show harm: what is" in page


def correct_a_choice(hands: Hands) -> None:
    """By keys: into the grid, to the next square, to its correction."""
    hands.press("rail.review")
    table = hands.find("review.choices.table", ChoiceTable)
    assert isinstance(table, ChoiceTable)
    hands.window.activateWindow()
    table.setFocus()
    hands.bot.waitUntil(table.hasFocus)
    hands.bot.keyClick(table, Qt.Key.Key_Right)
    before = table.square()
    assert before is not None
    hands.bot.keyClick(table, Qt.Key.Key_Return)
    box = QApplication.focusWidget()
    assert box is not None
    hands.bot.keyClick(box, Qt.Key.Key_Home if before.category != "S" else Qt.Key.Key_Down)
    hands.bot.keyClick(box, Qt.Key.Key_Tab)
    hands.bot.keyClicks(QApplication.focusWidget(), REASON)
    hands.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    hands.bot.waitUntil(lambda: (now := table.square()) is not None and now.corrected is not None, timeout=LONG)
    audit = hands.window.context.engine.open_audit
    audit.auto_rescoring.settle().result()


def export_a_report(hands: Hands, path: Path) -> str:
    hands.press("rail.reports")
    page = hands.window.stack.current
    assert isinstance(page, ReportsPage)
    hands.bot.waitUntil(lambda: page.model.can_export, timeout=LONG)
    html = page.export.menu().findChild(QAction, "export.html")
    assert isinstance(html, QAction)
    html.trigger()
    hands.name_file(path)
    hands.bot.waitUntil(path.exists, timeout=LONG)
    hands.bot.waitUntil(lambda: not page.model.exporting, timeout=LONG)
    return path.read_text(encoding="utf-8")
