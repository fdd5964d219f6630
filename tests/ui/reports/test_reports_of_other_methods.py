"""From a card of Results to a report that another program reads, for methods beside GPF-LiveNews."""

import re
from pathlib import Path

import pypdf
import pytest
from docx import Document
from openpyxl import load_workbook
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.reports.number_dialog import NumberDialog
from gpf_desktop.ui.reports.reports_page import ReportsPage
from gpf_desktop.ui.results.finding_cards import TableCard
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.widgets.chart_card import ChartCard
from tests.support.answer_tables import write_answers

pytestmark = pytest.mark.slow

PATIENCE = 200_000
"""Milliseconds: permutations and bootstraps on a machine that has other work."""


def add_first_figure(page: ResultsPage, qtbot: QtBot) -> str:
    """Press "Add to report › This figure" of the first card that draws one, or add the first table; its title."""

    def cards() -> list[ChartCard | TableCard]:
        return [*page.sections.findChildren(ChartCard), *page.sections.findChildren(TableCard)]

    qtbot.waitUntil(lambda: bool(page.model.parts()) and not page.model.later, timeout=PATIENCE)
    page.sections.go_to(page.model.parts()[0][1])
    qtbot.waitUntil(lambda: bool(cards()), timeout=PATIENCE)
    card = cards()[0]
    add = card.findChild(QPushButton, f"{card.objectName()}.add")
    assert add is not None
    add.menu().actions()[0].trigger()
    return card.finding.title


def written(folder: Path) -> dict[str, str]:
    """The words of each file, as another program reads them."""
    book = load_workbook(folder / "r.xlsx")
    cells = (str(cell) for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row if cell)
    return {
        "pdf": " ".join(page.extract_text() for page in pypdf.PdfReader(folder / "r.pdf").pages),
        "html": (folder / "r.html").read_text("utf-8"),
        "docx": " ".join(each.text for each in Document(str(folder / "r.docx")).paragraphs),
        "xlsx": " ".join(cells),
    }


@pytest.mark.parametrize("method", ["contextual-stereoset", "relative-bias", "saged"])
def test_that_a_card_becomes_evidence_of_a_finding_with_a_number_in_every_format(
    window: MainWindow, method: str, tmp_path: Path, qtbot: QtBot
) -> None:
    table = write_answers(tmp_path, method)
    with Headless(quiet=True) as headless:
        import_tables(headless, [table], method, {}, tmp_path / "study.gpf")
    window.files.open(tmp_path / "study.gpf")
    qtbot.waitUntil(lambda: window.status.audit_open)
    window.context.navigator.go("results")
    results = window.findChild(ResultsPage, "page.results")
    assert results is not None
    title = add_first_figure(results, qtbot)
    drafts = window.context.engine.open_audit.drafts
    qtbot.waitUntil(lambda: len(drafts.current.tray) == 1, timeout=PATIENCE)
    window.context.navigator.go("reports")
    page = window.findChild(ReportsPage, "page.reports")
    assert page is not None
    qtbot.waitUntil(lambda: bool(page.model.page) and page.model.draft.draft is not None, timeout=PATIENCE)
    page.findChild(QPushButton, "report.summary.number").click()
    dialog = page.findChild(NumberDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: len({each.table for each in dialog.rows.rows}) > 1, timeout=PATIENCE)
    number = next(each for each in dialog.rows.rows if re.search(r"\d", each.shown) and each.row)
    dialog.table.selectRow(dialog.rows.index_of(number.reference))
    dialog.insert.click()
    assert drafts.current.summary == (number.with_interval or number.reference)
    page.tabs.setCurrentIndex(1)
    page.findings.add.click()
    qtbot.waitUntil(lambda: bool(page.findings.cards))
    (finding,) = drafts.current.findings
    page.model.draft.type_finding(finding.id, "title", "What a reader should know")
    page.model.draft.attach(finding.id, drafts.current.tray[0].id)
    qtbot.waitUntil(lambda: "What a reader should know" in page.preview.toPlainText(), timeout=PATIENCE)
    for suffix in ("pdf", "html", "docx", "xlsx"):
        page.model.export(tmp_path / f"r.{suffix}")
        qtbot.waitUntil(lambda: not page.model.exporting, timeout=PATIENCE)
    for suffix, words in written(tmp_path).items():
        for each in ("What a reader should know", title, catalogue.method(method).title, number.shown):
            assert each in " ".join(words.split()), (suffix, each)
        assert "no number:" not in words, suffix
