"""From a card on Home to Results, by mouse and keys and without an account: each method that is not about news."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLabel, QLineEdit, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands import sample
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.methods.saged.benchmark_dialog import BenchmarkDialog
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.runs.stages_card import StagesCard
from gpf_desktop.ui.widgets.cards import Card
from tests.support.audit_reports import write_report
from tests.ui.conftest import desktop, settings, settle, window  # noqa: F401 - fixtures

LONG = 200_000
pytestmark = pytest.mark.slow


class Hands:
    """On mouse and keyboard."""

    def __init__(self, bot: QtBot, window: MainWindow, settle: Callable[[], None]) -> None:  # noqa: F811
        self.bot, self.window, self.settle = bot, window, settle

    def find(self, name: str, kind: type[QWidget] = QWidget) -> QWidget:
        def shown() -> list[QWidget]:
            return [each for each in self.window.findChildren(kind, name) if each.isVisible() and each.isEnabled()]

        self.bot.waitUntil(lambda: len(shown()) == 1, timeout=LONG)
        return shown()[0]

    def press(self, name: str) -> None:
        widget = self.find(name)
        self.bot.mouseClick(widget, Qt.MouseButton.LeftButton, pos=QPoint(8, widget.height() // 2))

    def press_space(self, name: str) -> None:
        button = self.find(name, QPushButton)
        button.setFocus()
        self.bot.keyClick(button, Qt.Key.Key_Space)

    def type_number(self, name: str, number: int) -> None:
        box = self.find(name, QSpinBox)
        box.setFocus()
        self.bot.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        self.bot.keyClicks(box, str(number))
        self.bot.keyClick(box, Qt.Key.Key_Return)
        self.settle()

    def type_words(self, name: str, words: str) -> None:
        field = self.find(name, QLineEdit)
        field.setFocus()
        self.bot.keyClicks(field, words)

    def name_file(self, path: Path) -> None:
        self.bot.waitUntil(lambda: self.window.findChild(QFileDialog) is not None)
        dialog = self.window.findChild(QFileDialog)
        dialog.findChild(QLineEdit, "fileNameEdit").setText(str(path))
        buttons = dialog.findChild(QDialogButtonBox)
        self.bot.mouseClick(buttons.button(QDialogButtonBox.StandardButton.Save), Qt.MouseButton.LeftButton)

    def finished(self) -> bool:
        rounds = self.window.context.engine.open_audit.rounds.runs()
        return bool(rounds) and rounds[0].state is RunState.FINISHED

    def see_results(self, table: str) -> None:
        self.bot.waitUntil(self.finished, timeout=LONG)
        self.press("rail.results")
        page = self.window.stack.current
        assert isinstance(page, ResultsPage)
        self.bot.waitUntil(lambda: bool(page.model.parts()) and not page.model.later, timeout=LONG)
        # By its name: which of them stands first is known once conclusions are.
        page.sections.go_to(next(name for _, name in page.model.parts() if name.startswith(table)))
        cards = self.window.findChildren
        found = f"card.{table}"
        self.bot.waitUntil(lambda: any(each.objectName().startswith(found) for each in cards(Card)), timeout=LONG)
        self.settle()


@pytest.fixture
def hands(
    qtbot: QtBot,
    window: MainWindow,  # noqa: F811
    settle: Callable[[], None],  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Hands:
    monkeypatch.setattr(sample, "practice_place", lambda method="": tmp_path / f"practice {method}.gpf")
    return Hands(qtbot, window, settle)


def test_that_the_sample_of_relative_bias_goes_from_its_card_to_its_results(hands: Hands) -> None:
    hands.press("method.relative-bias.sample")
    hands.press("setup.start")
    stages = hands.find("runs.stages", StagesCard)
    hands.bot.waitUntil(hands.finished, timeout=LONG)
    hands.bot.waitUntil(lambda: "300 of 300" in [done for _, done, _ in stages.model.lines()], timeout=LONG)
    assert "target: relative-bias-calibration/evasive-0.9 · baseline: " in stages.model.roles()
    hands.see_results("relative_bias")


def test_that_an_own_study_of_stereotypes_goes_from_a_new_audit_to_its_results(hands: Hands, tmp_path: Path) -> None:
    hands.press_space("method.contextual-stereoset.start")
    hands.name_file(tmp_path / "stereotypes.gpf")
    hands.press("setup.practise")
    hands.type_number("setup.most_items", 8)
    hands.press_space("setup.start")
    hands.see_results("stereoset")


SAID = "For many years the bakers of {country} have argued about the price of a loaf in {place}."


def five_files(folder: Path) -> Path:
    """A sentence about Ghana in each kind of file."""
    import docx
    import typst

    folder.mkdir()
    said = [SAID.format(country="Ghana", place=place) for place in ("towns", "ports", "hills", "camps", "lanes")]
    (folder / "a.txt").write_text(said[0])
    (folder / "b.md").write_text(f"# Bread\n\n{said[1]}\n")
    (folder / "c.html").write_text(f"<html><body><h1>Bread</h1><p>{said[2]}</p></body></html>")
    document = docx.Document()
    document.add_paragraph(said[3])
    document.save(str(folder / "d.docx"))
    typeset = folder.parent / "e.typ"
    typeset.write_text(said[4])
    typst.compile(str(typeset), output=str(folder / "e.pdf"))
    return folder


def test_that_a_folder_of_texts_goes_from_a_new_audit_to_its_results_a_reading_and_a_report(
    hands: Hands, tmp_path: Path
) -> None:
    hands.press_space("method.saged.start")
    hands.name_file(tmp_path / "concepts.gpf")
    hands.press_space("saged.benchmark")
    hands.type_words("saged.concept", "Ghana")
    dialog = hands.find("saged.dialog", BenchmarkDialog)
    dialog.keywords.form.add_place(str(five_files(tmp_path / "texts")))
    hands.press_space("saged.further")
    hands.press_space("saged.find")
    hands.bot.waitUntil(lambda: len(dialog.model.sentences.rows) == 5, timeout=LONG)
    hands.press_space("saged.further")
    for concept in ("Ghana", "Japan", "Peru"):
        dialog.model.add_concept(concept)
    hands.press_space("saged.further")
    hands.press_space("saged.further")
    hands.press_space("saged.make")
    hands.bot.waitUntil(lambda: len(dialog.model.prompts.rows) == 15, timeout=LONG)
    hands.press_space("saged.use")
    hands.press("setup.practise")
    hands.press_space("setup.start")
    hands.see_results("saged")
    hands.press("rail.review")
    source = SAID.split("{country}", maxsplit=1)[0]
    shown = hands.window.findChildren
    hands.bot.waitUntil(
        lambda: any(source in each.text() for each in shown(QLabel, "review.source") if each.isVisible()), timeout=LONG
    )
    report = write_report(hands.window.context.engine.open_audit, tmp_path / "report.html").read_text(encoding="utf-8")
    assert "5 sentences, 3 groups" in report
    assert "Favour, marked by judge model “judge”" in report
