"""Declarations in the window: kept with every letter, undone step by step, and printed."""

from collections.abc import Callable
from pathlib import Path

import pytest
import tomlkit
from pypdf import PdfReader
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.declarations import REQUIRED, ClauseState
from gpf_desktop.domain.reports import ReportKind
from gpf_desktop.engine.reporting.replies.reply_form import form
from gpf_desktop.ui.reports.declarations_panel import DeclarationsPanel
from gpf_desktop.ui.reports.reports_page import ReportsPage
from tests.ui.accessibility import problems_in
from tests.ui.reports.test_report_editor import drafted, page  # noqa: F401 - a fixture

Settle = Callable[[], None]


@pytest.fixture
def panel(page: ReportsPage) -> DeclarationsPanel:  # noqa: F811
    page.tabs.setCurrentIndex(4)
    return page.declarations


def test_that_a_report_is_a_draft_until_all_is_declared_and_its_auditor_says_final(
    page: ReportsPage,  # noqa: F811
    panel: DeclarationsPanel,
    qtbot: QtBot,
) -> None:
    assert "draft" in panel.state.text()
    assert not panel.final.isEnabled()
    for name in REQUIRED:
        qtbot.keyClicks(panel.fields[name].editor, f"our {name}")
    qtbot.waitUntil(panel.final.isEnabled)
    panel.final.click()
    assert drafted(page).declaration.final
    qtbot.waitUntil(lambda: panel.state.text() == "Reports of this audit are final.")
    qtbot.waitUntil(lambda: "our paid_by" in page.preview.toPlainText())
    page.undo.click()
    assert not drafted(page).declaration.final
    page.undo.click()
    assert drafted(page).declaration.withheld == "", "letters typed in a row are one step"
    assert drafted(page).declaration.access == "our access"


def test_that_lines_are_added_typed_and_removed_and_the_usual_ones_offered(
    page: ReportsPage,  # noqa: F811
    panel: DeclarationsPanel,
    qtbot: QtBot,
) -> None:
    panel.recommendations.add.click()
    qtbot.waitUntil(lambda: len(panel.recommendations.cards) == 1)
    qtbot.keyClicks(panel.recommendations.cards[0]["text"].editor, "Ask again.")
    qtbot.keyClicks(panel.recommendations.cards[0]["owner"].editor, "Vendor")
    (kept,) = drafted(page).recommendations
    assert (kept.text, kept.owner) == ("Ask again.", "Vendor")
    panel.offer.click()
    qtbot.waitUntil(lambda: len(panel.retention.cards) == 2)
    assert not panel.offer.isVisible()
    panel.findChild(type(panel.offer), "report.retention.2.remove").click()
    qtbot.waitUntil(lambda: len(panel.retention.cards) == 1)
    assert len(drafted(page).retention) == 1


def test_that_a_clause_is_said_not_to_apply_and_why(
    page: ReportsPage,  # noqa: F811
    panel: DeclarationsPanel,
    qtbot: QtBot,
) -> None:
    panel.clauses.unfold.click()
    box = panel.clauses.states["nyc-yearly"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    qtbot.keyClicks(panel.clauses.reasons["nyc-yearly"], "nobody is employed")
    (answer,) = drafted(page).clauses
    assert (answer.state, answer.why) == (ClauseState.NOT_APPLICABLE, "nobody is employed")
    assert problems_in(page) == []


def test_that_a_reply_is_taken_and_undone_and_one_to_another_audit_refused(
    page: ReportsPage,  # noqa: F811
    panel: DeclarationsPanel,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    audit = page.context.engine.open_audit
    document = tomlkit.parse(form(audit.reports.drafted(drafted(page)), audit.facts().uuid)).unwrap()
    document["findings"][0]["reply"] = "We see it otherwise."
    path = tmp_path / "reply.toml"
    path.write_text(tomlkit.dumps(document), encoding="utf-8")
    page.model.draft.take_reply(path)
    qtbot.waitUntil(lambda: panel.replies.text() == "1 reply is kept.")
    page.undo.click()
    assert drafted(page).replies == ()
    path.write_text(tomlkit.dumps({**document, "audit": "another"}), encoding="utf-8")
    page.model.draft.take_reply(path)
    said = page.context.messages
    qtbot.waitUntil(lambda: any("replies to another audit" in each.text for each in said.messages))


def test_that_the_brief_is_made_from_its_own_menu(page: ReportsPage, tmp_path: Path, qtbot: QtBot) -> None:  # noqa: F811
    names = {each.objectName() for each in page.brief.menu().actions()}
    assert names == {"brief.html", "brief.pdf", "brief.docx", "brief.xlsx"}
    assert page.export.menu().findChild(QAction, "export.answers") is not None
    target = tmp_path / "brief.pdf"
    page.model.export(target, ReportKind.BRIEF)
    qtbot.waitUntil(lambda: target.exists() and not page.model.exporting)
    assert 2 <= len(PdfReader(target).pages) <= 4
