"""The Reports page over a real audit: choose, read, export."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QTextDocument, QTextTable
from PySide6.QtWidgets import QApplication, QCheckBox, QFileDialog, QLabel, QRadioButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.reports import BundleChoice
from gpf_desktop.engine.reporting.report_service import ReportService
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.exporters.html import simple_page
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.reports.inert_text import InertBrowser
from gpf_desktop.ui.reports.reports_page import ReportsPage
from gpf_desktop.ui.theme import Scheme
from tests.support.filled_audit import fill
from tests.support.reports import HOSTILE, report
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


def opened(window: MainWindow, settle: Settle) -> ReportsPage:
    # A new audit shows Sources once it is there.
    settle()
    window.context.navigator.go("reports")
    settle()
    page = window.findChild(ReportsPage, "page.reports")
    assert page is not None
    return page


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Settle, qtbot: QtBot) -> ReportsPage:
    fill(
        window.context.engine.open_audit.context.audit,
        models_asked=("tailoring-0.6",),
        dimensions=("Religion", "Political"),
    )
    made = opened(window, settle)
    qtbot.waitUntil(lambda: bool(made.model.page))
    return made


def test_that_the_preview_shows_the_figure_of_what_was_found_no_wider_than_its_page(page: ReportsPage) -> None:
    (name,) = page.model.pictures
    assert f'src="{name}"' in page.model.page
    image = page.preview.document().resource(int(QTextDocument.ResourceType.ImageResource.value), QUrl(name))
    shown = image.deviceIndependentSize()
    assert 300 < shown.width() <= page.preview.lineWrapColumnOrWidth()
    inks = {image.pixelColor(x, y).name() for x in range(0, image.width(), 7) for y in range(0, image.height(), 7)}
    assert len(inks) > 3, "it is drawn"


def test_that_an_audit_without_scores_has_nothing_to_report(window: MainWindow, audit: Path, settle: Settle) -> None:
    page = opened(window, settle)
    assert page.stack.currentWidget() is page.empty
    assert not page.export.isVisible()


def test_that_what_is_said_stands_before_the_tables_are_made(
    window: MainWindow, audit: Path, settle: Settle, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(window.context.engine.open_audit.context.audit, models_asked=("neutral",), dimensions=("Religion",))
    go_on = threading.Event()
    make = ReportService.sections

    def sections(service: ReportService, wanted: ResultsFilter | None = None) -> tuple[tuple[str, str], ...]:
        assert go_on.wait(60)
        return make(service, wanted)

    monkeypatch.setattr(ReportService, "sections", sections)
    settle()
    window.context.navigator.go("reports")
    page = window.findChild(ReportsPage, "page.reports")
    assert page is not None
    try:
        qtbot.waitUntil(lambda: page.title_field.isVisible() and bool(page.model.page))
        assert page.brief.isEnabled()
        assert page.header.subtitle.text() == "Updating the preview …"
        assert "What may not be claimed" in page.preview.toPlainText()
        assert "Group of readers, by kind of question" not in page.preview.toPlainText()
    finally:
        go_on.set()
    qtbot.waitUntil(lambda: "Group of readers, by kind of question" in page.preview.toPlainText())
    assert not page.header.subtitle.text()


def test_that_the_preview_holds_reading_tables_answers_and_the_badge(page: ReportsPage) -> None:
    said = page.preview.toPlainText()
    for words in (
        "What may not be claimed",
        "Group of readers, by kind of question",
        "Answers side by side",
        "Not reviewed",
        "seed 7",
    ):
        assert words in said
    assert page.synthetic.isVisible()


def test_that_a_preview_behind_another_page_takes_another_look_when_it_is_shown(
    page: ReportsPage, window: MainWindow, settle: Settle
) -> None:
    document, theme = page.preview.document(), page.context.theme
    window.context.navigator.go("home")
    settle()
    before = document.revision()
    theme.set_scheme(Scheme.DARK)
    theme.set_text_scale(150)
    assert document.revision() == before
    window.context.navigator.go("reports")
    assert document.revision() != before
    assert document.defaultFont().pointSizeF() == theme.font().pointSizeF()
    assert theme.tokens.text_secondary in document.defaultStyleSheet()


def test_that_no_number_of_the_preview_is_broken_in_two(page: ReportsPage) -> None:
    page.preview.setFixedWidth(420)
    document = page.preview.document()
    tables = [each for each in document.rootFrame().childFrames() if isinstance(each, QTextTable)]
    assert tables
    for table in tables:
        for row in range(table.rows()):
            for column in range(1, table.columns()):
                block = table.cellAt(row, column).firstCursorPosition().block()
                text, lines = block.text(), block.layout().lineCount()
                if text.replace(".", "").replace("−", "").isdigit():
                    assert lines == 1, text


def test_that_a_table_that_is_not_wanted_leaves_the_preview(page: ReportsPage, qtbot: QtBot) -> None:
    page.tabs.setCurrentIndex(3)
    box = page.findChild(QCheckBox, "section.coverage")
    assert box is not None
    assert box.isChecked()
    box.click()
    qtbot.waitUntil(lambda: "Missing answers are left out of means and counted here" not in page.preview.toPlainText())
    assert page.model.wishes.sections is not None
    page.model.draft.undo()
    assert page.model.wishes.sections is None


def test_that_reviewed_bundles_or_none_can_be_quoted(page: ReportsPage, qtbot: QtBot) -> None:
    page.tabs.setCurrentIndex(3)
    none = page.findChild(QRadioButton, "bundles.none")
    assert none is not None
    none.click()
    assert page.model.wishes.bundles is BundleChoice.NONE
    qtbot.waitUntil(lambda: not page.contents.most_field.isVisible())
    qtbot.waitUntil(lambda: "Answers side by side" not in page.preview.toPlainText())


def test_that_the_title_typed_is_the_report_s_and_names_the_file(page: ReportsPage, qtbot: QtBot) -> None:
    qtbot.keyClicks(page.title_field, "Week 47: ../buses")
    qtbot.waitUntil(lambda: "Week 47: ../buses" in page.preview.toPlainText())
    assert page.model.suggested == "Week 47 buses"


def test_that_each_format_is_written_and_said(page: ReportsPage, tmp_path: Path, qtbot: QtBot) -> None:
    for suffix in ("html", "xlsx", "docx", "pdf"):
        target = tmp_path / f"out.{suffix}"
        page.model.export(target)
        assert not page.export.isEnabled()
        qtbot.waitUntil(target.exists)
        qtbot.waitUntil(lambda: not page.model.exporting)
        assert target.stat().st_size > 3000
        said = page.window().findChild(QLabel, "messageText")
        assert said is not None
        assert str(target) in said.text()


def test_that_stop_leaves_no_file_and_what_was_there(page: ReportsPage, tmp_path: Path, qtbot: QtBot) -> None:
    (target := tmp_path / "out.xlsx").write_text("the former one")
    page.model.export(target)
    assert page.header.subtitle.text() == "Writing out.xlsx …"
    assert page.writing.isVisible()
    qtbot.mouseClick(page.stop, Qt.MouseButton.LeftButton)
    assert page.header.subtitle.text() == "Stopping …"
    qtbot.waitUntil(lambda: not page.model.exporting)
    assert page.context.messages.messages[0].text == "Stopped: out.xlsx was not written."
    assert [each.name for each in tmp_path.iterdir() if "out" in each.name] == ["out.xlsx"]
    assert target.read_text() == "the former one"
    assert page.export.isEnabled()
    assert not page.stop.isVisible()


def test_that_a_folder_that_cannot_be_written_is_said_and_export_stays_possible(
    page: ReportsPage, tmp_path: Path, qtbot: QtBot
) -> None:
    page.model.export(tmp_path / "missing" / "r.html")
    qtbot.waitUntil(lambda: not page.model.exporting)
    assert page.model.can_export
    said = page.context.messages.messages[0]
    assert "missing" in said.text
    (elsewhere,) = said.remedies
    assert elsewhere.text == "Save elsewhere …"
    elsewhere.do()
    dialog = page.findChild(QFileDialog)
    assert dialog is not None
    assert dialog.defaultSuffix() == "html"
    dialog.close()


def test_that_a_preview_under_way_is_said_where_it_will_stand(page: ReportsPage, settle: Settle) -> None:
    settle()
    page.model.page = ""
    page.model.touch_now()
    words = page.findChild(QLabel, "report.preparing.words")
    assert words is not None
    assert words.isVisible()
    assert not page.preview.isVisible()


def test_that_the_filter_of_results_comes_along_and_can_be_dropped(
    page: ReportsPage, window: MainWindow, settle: Settle
) -> None:
    window.context.navigator.go("reports", filter=ResultsFilter(stratum="identity-relevant"))
    settle()
    page.tabs.setCurrentIndex(3)
    assert page.contents.everything.isVisible()
    assert page.contents.filter_words.text() == "Filtered as on Results."
    page.contents.everything.click()
    settle()
    assert page.model.wanted == ResultsFilter()


def test_that_a_click_on_a_tab_leaves_the_keyboard_there(page: ReportsPage, qtbot: QtBot) -> None:
    page.title_field.setFocus()
    bar = page.tabs.tabBar()
    qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
    assert page.tabs.currentIndex() == 1
    assert QApplication.focusWidget() is bar, "and not on a button that adds or removes"


def test_that_a_screen_reader_finds_a_name_for_everything(page: ReportsPage) -> None:
    assert problems_in(page) == []


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="file:///etc/hostname">',
        '<img src="//host/share/x.png">',
        '<link rel="stylesheet" href="file:///x.css">',
    ],
)
def test_that_the_preview_loads_nothing(qtbot: QtBot, tmp_path: Path, markup: str) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"secret")
    browser = InertBrowser("Preview", "preview")
    qtbot.addWidget(browser)
    browser.setHtml(markup)
    browser.show()
    kind = int(QTextDocument.ResourceType.ImageResource.value)
    for address in (secret.as_uri(), "//host/share/x.png", str(secret)):
        assert bytes(browser.loadResource(kind, QUrl(address)).data()) == b" "
        assert bytes(browser.document().resource(kind, QUrl(address)).data()) == b" "


@pytest.mark.slow
@pytest.mark.parametrize("text", [each for each in HOSTILE if each.isprintable()])
def test_that_words_from_outside_are_words_in_the_preview(qtbot: QtBot, text: str) -> None:
    browser = InertBrowser("Preview", "preview")
    qtbot.addWidget(browser)
    browser.setHtml(simple_page(report(text)))
    assert text in browser.toPlainText()


def test_that_a_very_long_word_widens_no_preview(qtbot: QtBot) -> None:
    browser = InertBrowser("Preview", "preview")
    qtbot.addWidget(browser)
    browser.resize(700, 500)
    browser.show()
    words = f"{'W' * 300}&{'<' * 90}"
    browser.setHtml(simple_page(report(words)))
    assert browser.horizontalScrollBar().maximum() == 0
    assert words in browser.toPlainText().replace("\u200b", "")
