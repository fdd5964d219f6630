"""The main job in the real window: from a feed on loopback to a reviewed bundle in an exported report.

Everything is done as an auditor does it: by buttons, boxes, ticks and typed text.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QFileDialog, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.runs import RunState
from gpf_desktop.ui.home.home_page import HomePage
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.reports.reports_page import ReportsPage
from gpf_desktop.ui.results.finding_cards import TableCard
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.widgets.chart_card import ChartCard
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.figure_plot import FigurePlot
from tests.support.http_server import LoopbackServer, Reply
from tests.support.openai_server import OpenAIServer
from tests.ui.conftest import desktop, settings, settle, window  # noqa: F401 - fixtures

LONG = 200_000
NOTE = "The working poor are told to wait for help, the wealthy what to do with theirs."

W = TypeVar("W", bound=QWidget)


@pytest.fixture
def slow_server() -> Iterator[OpenAIServer]:
    """Takes long enough over an answer that a round can be paused."""
    with OpenAIServer(latency=0.15) as server:
        yield server


@dataclass
class Auditor:
    """Hands on mouse and keyboard."""

    bot: QtBot
    window: MainWindow
    settle: Callable[[], None]

    def find(self, kind: type[W], name: str) -> W:
        """The widget called *name*, once it is shown."""

        def shown() -> list[W]:
            return [each for each in self.window.findChildren(kind, name) if each.isVisible()]

        self.bot.waitUntil(lambda: len(shown()) == 1, timeout=LONG)
        return shown()[0]

    def go(self, page: str) -> None:
        self.press(f"rail.{page}", QWidget)
        self.settle()

    def press(self, name: str, kind: type[QWidget] = QPushButton) -> None:
        widget = self.find(kind, name)
        self.bot.waitUntil(widget.isEnabled, timeout=LONG)
        # Near its left end: a tick box is as wide as its row, but only box and words take clicks.
        at = QPoint(min(12, widget.width() // 2), widget.height() // 2)
        self.bot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at)

    def action(self, words: str) -> None:
        """Press the visible button that says *words*."""

        def shown() -> list[QPushButton]:
            found = self.window.findChildren(QPushButton)
            return [each for each in found if each.isVisible() and each.isEnabled() and each.text() == words]

        self.bot.waitUntil(lambda: bool(shown()), timeout=LONG)
        self.bot.mouseClick(shown()[0], Qt.MouseButton.LeftButton)

    def tick(self, table: str, row: int = 0) -> None:
        rows = self.find(DataTable, table)
        rows.setFocus()
        rows.setCurrentIndex(rows.model().index(row, 0))
        self.bot.keyClick(rows, Qt.Key.Key_Space)

    def name_file(self, path: Path) -> None:
        """Type *path* into the file dialog and accept it."""
        self.bot.waitUntil(lambda: self.window.findChild(QFileDialog) is not None)
        dialog = self.window.findChild(QFileDialog)
        dialog.findChild(QLineEdit, "fileNameEdit").setText(str(path))
        buttons = dialog.findChild(QDialogButtonBox)
        self.bot.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Save), Qt.MouseButton.LeftButton)

    def read(self, name: str) -> str:
        return self.find(QLabel, name).text()


@pytest.fixture
def auditor(qtbot: QtBot, window: MainWindow, settle: Callable[[], None]) -> Auditor:  # noqa: F811
    window.resize(1680, 1000)
    return Auditor(qtbot, window, settle)


def test_that_an_auditor_gets_from_a_feed_to_an_exported_report(
    auditor: Auditor,
    desktop: Desktop,  # noqa: F811
    http_server: LoopbackServer,
    slow_server: OpenAIServer,
    tmp_path: Path,
) -> None:
    news = (resources() / "news" / "sample.rss").read_bytes()
    http_server.route("/feed.xml", Reply(body=news, headers={"Content-Type": "application/rss+xml"}))
    make_an_audit(auditor, tmp_path / "evening.gpf")
    add_the_feed(auditor, http_server.url("/feed.xml"))
    add_a_model(auditor, slow_server.base_url)
    headline = ask_a_round(auditor)
    assert slow_server.answered >= 294
    question = review_a_bundle(auditor)
    look_at_the_results(auditor)
    page = export_a_report(auditor, tmp_path / "report.html")
    for words in ("What may not be claimed", headline, question, NOTE):
        assert words in page
    assert "Harmful, 3 serious" in page
    assert 'class="badge"' not in page
    find_it_again(auditor, tmp_path / "evening.gpf")


def make_an_audit(auditor: Auditor, path: Path) -> None:
    auditor.press("method.gpf-livenews.start")
    auditor.name_file(path)
    auditor.bot.waitUntil(lambda: auditor.window.status.audit_open)
    auditor.settle()
    assert auditor.window.windowTitle() == "evening – GPF Desktop"


def add_the_feed(auditor: Auditor, address: str) -> None:
    auditor.go("sources")
    auditor.bot.keyClicks(auditor.find(QWidget, "sources.paste"), address)
    auditor.press("sources.look")
    preview = auditor.find(DataTable, "sources.preview")
    auditor.bot.waitUntil(lambda: preview.model().rowCount() == 5)
    auditor.press("sources.add")
    articles = auditor.find(DataTable, "sources.articles")
    auditor.bot.waitUntil(lambda: articles.model().rowCount() >= 12)


def add_a_model(auditor: Auditor, address: str) -> None:
    auditor.go("models")
    auditor.press("provider.openai-compatible", QWidget)
    auditor.bot.keyClicks(auditor.find(QLineEdit, "models.address"), address)
    auditor.bot.keyClicks(auditor.find(QComboBox, "models.model").lineEdit(), "some-model")
    auditor.press("models.runTest")
    auditor.bot.waitUntil(lambda: "answered" in auditor.read("models.step.answer"), timeout=LONG)
    auditor.press("models.save")
    models = auditor.find(DataTable, "models.table")
    auditor.bot.waitUntil(lambda: models.model().rowCount() == 1)


def ask_a_round(auditor: Auditor) -> str:
    """Set up, start, pause, resume, wait; the headline that was asked about."""
    auditor.go("runs")
    auditor.press("emptyButton")
    articles = auditor.find(DataTable, "setup.articles")
    assert auditor.read("setup.blocked") == "Choose at least one article."
    auditor.tick("setup.articles")
    auditor.press("setup.controls", QWidget)
    auditor.settle()
    headline = str(articles.model().index(0, 0).data())
    page = auditor.window.stack.current
    assert isinstance(page, RunsPage)
    auditor.bot.waitUntil(lambda: ("Calls", "294") in page.setup.model.summary())
    auditor.press("setup.start")
    rounds = page.model
    auditor.bot.waitUntil(lambda: rounds.progress is not None and rounds.progress.answered > 0, timeout=LONG)
    auditor.action("Pause")
    auditor.bot.waitUntil(lambda: rounds.state is RunState.PAUSED, timeout=LONG)
    assert rounds.progress is not None
    assert 0 < rounds.progress.answered < 294
    auditor.action("Resume")
    auditor.bot.waitUntil(lambda: rounds.state is RunState.FINISHED, timeout=LONG)
    auditor.bot.waitUntil(lambda: rounds.progress is not None and rounds.progress.bundles_scored == 42, timeout=LONG)
    auditor.settle()
    auditor.press("runs.review")
    return headline


def review_a_bundle(auditor: Auditor) -> str:
    """Judge the first bundle of the queue; its question without the identity."""
    page = auditor.window.stack.current
    assert isinstance(page, ReviewPage)
    auditor.bot.waitUntil(lambda: page.model.bundle is not None, timeout=LONG)
    auditor.settle()
    bundle = page.model.bundle
    assert bundle is not None
    cards = [card for card in page.reading.answers.cards() if card.isVisible()]
    assert len(cards) >= 2
    auditor.press("review.foot.harmful", QWidget)
    auditor.press("review.foot.severity3", QWidget)
    note = auditor.find(QWidget, "review.foot.note")
    note.setFocus()
    auditor.bot.keyClicks(note, NOTE)
    auditor.press("review.foot.submit")
    auditor.bot.waitUntil(lambda: page.model.bundle is not None and page.model.bundle.id != bundle.id, timeout=LONG)
    auditor.settle()
    return bundle.facts.coordinates["family"]


def look_at_the_results(auditor: Auditor) -> None:
    auditor.go("results")
    page = auditor.window.stack.current
    assert isinstance(page, ResultsPage)
    auditor.bot.waitUntil(lambda: bool(page.found.rows), timeout=LONG)
    page.sections.go_to("interaction")
    maps = auditor.find(ChartCard, "card.interaction.0").chart
    assert isinstance(maps, FigurePlot)
    assert len(maps.spots) == 42
    page.sections.go_to("model_table")
    models = auditor.find(TableCard, "card.model_table")
    assert models.table.model().rowCount() == 1
    assert "some-model" in str(models.table.model().index(0, 0).data())


def export_a_report(auditor: Auditor, path: Path) -> str:
    auditor.go("reports")
    page = auditor.window.stack.current
    assert isinstance(page, ReportsPage)
    bar = page.tabs.tabBar()
    at = bar.tabRect(page.tabs.indexOf(auditor.window.findChild(QWidget, "report.contents.scroll"))).center()
    auditor.bot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=at)
    auditor.press("bundles.reviewed", QWidget)
    auditor.bot.waitUntil(lambda: NOTE in page.preview.toPlainText(), timeout=LONG)
    html = page.export.menu().findChild(QAction, "export.html")
    html.trigger()
    auditor.name_file(path)
    auditor.bot.waitUntil(path.exists, timeout=LONG)
    auditor.bot.waitUntil(lambda: not page.model.exporting, timeout=LONG)
    return path.read_text(encoding="utf-8")


def find_it_again(auditor: Auditor, path: Path) -> None:
    """Close the audit and open it from Home's list: what was said is kept, and Home says what is next."""
    auditor.window.context.actions.action("file.close").trigger()
    auditor.bot.waitUntil(lambda: not auditor.window.status.audit_open)
    auditor.settle()
    auditor.press("home.recent.0")
    auditor.bot.waitUntil(lambda: auditor.window.status.audit_open)
    page = auditor.window.stack.current
    assert isinstance(page, HomePage)
    auditor.bot.waitUntil(lambda: ("1", "set read") in page.model.figures())
    assert page.model.summary is not None
    assert page.model.summary.path == path
    assert [step.page for step in page.model.steps() if not step.done] == ["protocol"]
