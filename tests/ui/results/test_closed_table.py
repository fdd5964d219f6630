"""A table that invites a reading which its data do not support is not shown until somebody opens it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.reports import BundleChoice, ReportWishes
from gpf_desktop.engine.core.catalogue import closed_table
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.finding_section import FindingSection
from gpf_desktop.ui.results.results_page import ResultsPage

PLACES = "stereoset_places"


def test_that_rates_by_place_are_neither_computed_nor_reported_until_they_are_asked_for(
    window: MainWindow, qtbot: QtBot, small_audit: Path, settle: Callable[[], None]
) -> None:
    def rest() -> None:
        # Two models' tables are measured: bootstrap and permutations.
        qtbot.waitUntil(lambda: window.context.bridge.idle)

    window.files.open(small_audit)
    qtbot.waitUntil(lambda: window.status.audit_open)
    window.context.navigator.go("results")
    page = window.stack.current
    assert isinstance(page, ResultsPage)
    rest()
    page.sections.go_to(PLACES)
    rest()
    section = page.sections.findChild(FindingSection, f"section.{PLACES}")
    assert isinstance(section, FindingSection)
    assert not section.asked
    assert "invite an order of places" in closed_table(PLACES)
    assert PLACES not in page.model.sections
    show = section.findChild(QPushButton, f"results.open.{PLACES}")
    assert isinstance(show, QPushButton)
    show.setFocus()
    show.click()
    qtbot.waitUntil(lambda: PLACES in page.model.sections)
    levels = {str(row.values["level"]) for row in page.model.sections[PLACES].rows}
    assert len(levels) == 12
    assert "place · Kenya" in levels
    reports = window.context.engine.open_audit.reports
    usual = reports.report(ReportWishes(bundles=BundleChoice.NONE))
    assert PLACES not in [each.name for each in usual.findings]
    assert PLACES in [name for name, _ in reports.sections()]
    wished = reports.report(ReportWishes(bundles=BundleChoice.NONE, sections=(PLACES,)))
    assert [each.name for each in wished.findings] == [PLACES]
    assert "invite an order of places" in wished.findings[0].reading
    rest()
    settle()
