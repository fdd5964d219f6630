"""The report's editor over a real audit: what is written is kept, printed and taken back."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QKeySequence, QTextDocument
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.engine.reporting.drafts.draft import DraftPart
from gpf_desktop.engine.reporting.drafts.evidence import EvidenceService
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.reports.number_dialog import NumberDialog
from gpf_desktop.ui.reports.reports_page import ReportsPage
from tests.support.filled_audit import fill
from tests.support.reports import DOT
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Settle, qtbot: QtBot) -> ReportsPage:
    fill(window.context.engine.open_audit.context.audit, models_asked=("tailoring-0.6",), dimensions=("Religion",))
    settle()
    window.context.navigator.go("reports")
    settle()
    page = window.findChild(ReportsPage, "page.reports")
    assert page is not None
    qtbot.waitUntil(lambda: bool(page.model.page) and page.model.draft.draft is not None)
    return page


def drafted(page: ReportsPage):
    return page.context.engine.open_audit.drafts.current


def field(page: ReportsPage, part: DraftPart) -> QPlainTextEdit:
    return page.write.texts[part].editor


def test_that_what_is_typed_is_in_the_audit_with_every_letter_and_then_in_the_preview(
    page: ReportsPage, qtbot: QtBot
) -> None:
    qtbot.keyClicks(field(page, DraftPart.SUMMARY), "Three models moved.")
    assert drafted(page).summary == "Three models moved."
    qtbot.waitUntil(lambda: "Three models moved." in page.preview.toPlainText())
    said = page.preview.toPlainText()
    assert said.index("9 Findings") < said.index("Executive summary") < said.index("10 What people read")


def test_that_undo_takes_back_step_by_step_from_inside_a_text_and_names_the_step(
    page: ReportsPage, qtbot: QtBot
) -> None:
    summary, limits = field(page, DraftPart.SUMMARY), field(page, DraftPart.LIMITS)
    summary.setFocus()
    qtbot.keyClicks(summary, "One")
    limits.setFocus()
    qtbot.keyClicks(limits, "Two")
    assert page.undo.text() == "Undo"
    assert "limits" in page.context.actions.action("edit.undo").text().lower()
    qtbot.keySequence(limits, QKeySequence("Ctrl+Z"))
    qtbot.waitUntil(lambda: limits.toPlainText() == "")
    assert summary.toPlainText() == "One"
    qtbot.keySequence(limits, QKeySequence("Ctrl+Z"))
    qtbot.waitUntil(lambda: summary.toPlainText() == "")
    qtbot.keySequence(limits, QKeySequence("Ctrl+Shift+Z"))
    qtbot.waitUntil(lambda: summary.toPlainText() == "One")


def test_that_text_in_another_size_is_nothing_typed(page: ReportsPage, qtbot: QtBot) -> None:
    """What is painted anew counts as changed for Qt, and was kept as typed, in an audit that might be closing."""
    text, told = page.write.texts[DraftPart.SUMMARY], list[str]()
    qtbot.keyClicks(text.editor, "One")
    text._typed = told.append
    page.context.theme.set_text_scale(125)
    assert told == []
    qtbot.keyClicks(text.editor, ".")
    assert told == ["One."]


def test_that_undo_takes_back_what_was_typed_sentence_by_sentence(page: ReportsPage, qtbot: QtBot) -> None:
    editor = field(page, DraftPart.SUMMARY)
    editor.setFocus()
    QApplication.clipboard().setText(" Pasted")
    qtbot.keyClicks(editor, "One. Two")
    qtbot.keySequence(editor, QKeySequence(QKeySequence.StandardKey.Paste))
    for left in ("One. Two", "One.", ""):
        page.model.draft.undo()
        qtbot.waitUntil(lambda left=left: editor.toPlainText() == left)
    assert drafted(page).summary == ""


def test_that_a_number_is_put_in_by_reference_and_the_preview_shows_it(page: ReportsPage, qtbot: QtBot) -> None:
    page.findChild(QPushButton, "report.summary.number").click()
    dialog = page.findChild(NumberDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: bool(dialog.rows.rows))
    dialog.search.setText("items")
    qtbot.waitUntil(
        lambda: all("item" in f"{each.table} {each.row} {each.column}".lower() for each in dialog.rows.rows)
    )
    (found,) = [each for each in dialog.rows.rows if each.column == "Items"]
    dialog.table.selectRow(dialog.rows.index_of(found.reference))
    assert problems_in(dialog) == []
    assert dialog.interval.isChecked(), "a number is told with its interval where it has one and nobody says otherwise"
    dialog.insert.click()
    assert field(page, DraftPart.SUMMARY).toPlainText() == "{{window; articles}}"
    qtbot.waitUntil(lambda: page.preview.toPlainText().partition("Executive summary")[2].split()[:1] == ["1"])


def test_that_enter_in_the_search_puts_in_the_first_number_that_was_found(page: ReportsPage, qtbot: QtBot) -> None:
    page.findChild(QPushButton, "report.summary.number").click()
    dialog = page.findChild(NumberDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: bool(dialog.rows.rows))
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert field(page, DraftPart.SUMMARY).toPlainText() == ""
    qtbot.keyClicks(dialog.search, "about items")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert field(page, DraftPart.SUMMARY).toPlainText() == "{{window; articles}}"


def test_that_coming_back_to_another_tab_leaves_the_keyboard_in_sight_and_shortcuts_heard(
    page: ReportsPage, window: MainWindow, qtbot: QtBot
) -> None:
    page.tabs.setCurrentIndex(1)
    for place in ("results", "reports"):
        window.context.navigator.go(place)
    qtbot.waitUntil(lambda: QApplication.focusWidget() is page.tabs.tabBar())
    assert page.tabs.tabBar().isVisible()


def test_that_the_keyboard_stays_in_the_text_when_nothing_is_left_to_undo(page: ReportsPage, qtbot: QtBot) -> None:
    page.activateWindow()
    summary = field(page, DraftPart.SUMMARY)
    summary.setFocus()
    qtbot.keyClicks(summary, "One")
    for each in (page.undo, page.redo):
        while each.isEnabled():
            qtbot.mouseClick(each, Qt.MouseButton.LeftButton)
        assert QApplication.focusWidget() is summary


def test_that_a_reference_to_nothing_is_told_in_words_beside_the_texts(page: ReportsPage, qtbot: QtBot) -> None:
    field(page, DraftPart.SUMMARY).insertPlainText("{{gone; s}}")
    qtbot.waitUntil(lambda: "there is no table “gone” here" in page.unresolved.text())
    assert "[no number: there is no table “gone” here]" in page.preview.toPlainText()


def test_that_a_finding_is_written_with_severity_and_evidence_of_the_tray(page: ReportsPage, qtbot: QtBot) -> None:
    open_audit = page.context.engine.open_audit
    evidence = EvidenceService(open_audit.context, open_audit.results)
    open_audit.drafts.add_evidence(evidence.bundle(BundleId(1)))
    open_audit.drafts.add_evidence(evidence.table(ResultsFilter(), "coverage"))
    page.tabs.setCurrentIndex(1)
    page.findings.add.click()
    qtbot.waitUntil(lambda: bool(page.findings.cards))
    (card,) = page.findings.cards.values()
    assert card.heading.editor.hasFocus()
    qtbot.keyClicks(card.heading.editor, "Refused more often")
    qtbot.keyClicks(card.text.editor, "In words.")
    card.severity.setCurrentIndex(3)
    card.severity.activated.emit(3)
    for at in (0, 0):
        card.attach.menu().aboutToShow.emit()
        card.attach.menu().actions()[at].trigger()
    card.attach.menu().aboutToShow.emit()
    assert not card.attach.menu().actions()
    found = drafted(page).findings[0]
    assert (found.title, found.text, found.severity, found.evidence) == ("Refused more often", "In words.", 3, (1, 2))
    qtbot.waitUntil(lambda: "3 serious" in page.preview.toPlainText())
    said = page.preview.toPlainText()
    assert said.index("1. Refused more often") < said.rindex("SHA-256") < said.index("10 What people read")
    assert page.tabs.tabText(1) == "Findings (1)"
    assert problems_in(page) == []
    page.activateWindow()
    for number in (2, 1):
        out = card.findChild(QToolButton, f"report.finding.1.evidence.{number}.out")
        assert out is not None
        out.setFocus()
        out.click()
        qtbot.waitUntil(lambda number=number: number not in drafted(page).findings[0].evidence)
        qtbot.waitUntil(card.attach.hasFocus)


def test_that_the_tray_is_reordered_emptied_and_brought_back(page: ReportsPage, qtbot: QtBot) -> None:
    open_audit = page.context.engine.open_audit
    evidence = EvidenceService(open_audit.context, open_audit.results)
    for number in (1, 2):
        open_audit.drafts.add_evidence(evidence.bundle(BundleId(number)))
    model = page.model.draft
    qtbot.waitUntil(lambda: model.draft is not None and len(model.draft.tray) == 2)
    model.move_evidence(1, 1)
    assert [each.bundle for each in drafted(page).tray] == [2, 1]
    model.remove_evidence(1)
    assert [each.bundle for each in drafted(page).tray] == [2]
    model.undo()
    assert [each.bundle for each in drafted(page).tray] == [2, 1]


def test_that_sections_are_moved_and_left_out(page: ReportsPage, qtbot: QtBot) -> None:
    page.tabs.setCurrentIndex(3)
    field(page, DraftPart.SUMMARY).insertPlainText("The summary.")
    field(page, DraftPart.CONCLUSION).insertPlainText("The end.")
    for _ in range(4):
        up = next(each for each in page.findChildren(QToolButton, "part.conclusion.up") if each.isVisible())
        up.setFocus()
        before = page.contents.part_boxes[DraftPart.CONCLUSION]
        qtbot.keyClick(up, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda before=before: page.contents.part_boxes[DraftPart.CONCLUSION] is not before)
        qtbot.waitUntil(page.contents.part_boxes[DraftPart.CONCLUSION].isVisible)
        focused = QApplication.focusWidget()
        assert focused is not up
        assert focused.objectName().startswith("part.conclusion.")
    qtbot.waitUntil(lambda: "The end." in page.preview.toPlainText())
    qtbot.waitUntil(
        lambda: page.preview.toPlainText().index("The end.") < page.preview.toPlainText().index("The summary.")
    )
    page.contents.part_boxes[DraftPart.SUMMARY].click()
    qtbot.waitUntil(lambda: "The summary." not in page.preview.toPlainText())
    before = [name for name, _ in page.model.ordered_sections()]
    page.model.move_section(before[1], -1)
    moved = [name for name, _ in page.model.ordered_sections()]
    assert moved[:2] == [before[1], before[0]]
    box = page.contents.table_boxes[before[4]]
    box.setFocus()
    for on in (False, True):
        qtbot.keyClick(box, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda on=on: page.model.is_in(before[4]) == on)
        assert [name for name, _ in page.model.ordered_sections()] == moved, "a table that is left out keeps its place"
        assert QApplication.focusWidget() is box


def test_that_a_template_goes_out_to_a_file_and_comes_back_with_its_logo(
    page: ReportsPage, tmp_path: Path, qtbot: QtBot
) -> None:
    model = page.model.draft
    (tmp_path / "logo.png").write_bytes(DOT)
    model.choose_logo(tmp_path / "logo.png")
    qtbot.waitUntil(lambda: bool(drafted(page).logo))
    qtbot.waitUntil(lambda: page.preview.toPlainText().startswith("\N{OBJECT REPLACEMENT CHARACTER}"))
    kind = int(QTextDocument.ResourceType.ImageResource.value)
    name = next(each for each in page.model.pictures if "logo" in each)
    assert page.preview.document().resource(kind, QUrl(name)).height() == 2, "one line of the page"
    qtbot.keyClicks(page.write.organisation.editor, "The office")
    model.save_template(tmp_path / "t.toml")
    qtbot.waitUntil((tmp_path / "t.toml").exists)
    qtbot.waitUntil(lambda: any("template is in" in each.text for each in page.context.messages.messages))
    model.remove_logo()
    page.write.organisation.editor.clear()
    model.type("organisation", "organisation", "")
    model.use_template(tmp_path / "t.toml")
    qtbot.waitUntil(lambda: drafted(page).organisation == "The office")
    assert drafted(page).logo
    (tmp_path / "bad.png").write_bytes(b"no picture")
    model.choose_logo(tmp_path / "bad.png")
    qtbot.waitUntil(lambda: any("no PNG or JPEG" in each.text for each in page.context.messages.messages))


def test_that_the_draft_is_there_again_after_the_audit_was_closed(
    page: ReportsPage, window: MainWindow, audit: Path, settle: Settle, qtbot: QtBot
) -> None:
    qtbot.keyClicks(field(page, DraftPart.SCOPE), "Kept")
    window.files.close_audit()
    qtbot.waitUntil(lambda: not window.context.engine.has_open_audit)
    settle()
    window.files.open(audit)
    settle()
    window.context.navigator.go("reports")
    qtbot.waitUntil(lambda: field(page, DraftPart.SCOPE).toPlainText() == "Kept")
    qtbot.waitUntil(lambda: not page.undo.isEnabled())
    assert drafted(page).scope == "Kept"
