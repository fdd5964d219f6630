"""Help › Diagnose, Log of faults, What's new, Licences."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.commands.about_program import changes
from gpf_desktop.settings import crash_notes
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.signs_dialog import SignsDialog
from gpf_desktop.ui.shell import daily_copying
from gpf_desktop.ui.shell.program_text_dialog import LicencesDialog, ProgramTextDialog
from tests.ui.accessibility import problems_in


def shown(window: MainWindow, action: str, settle: Callable[[], None]) -> ProgramTextDialog:
    window.context.actions.action(action).trigger()
    settle()
    (found,) = [each for each in window.findChildren(ProgramTextDialog) if each.isVisible()]
    return found


def test_that_a_diagnosis_is_shown_copied_and_saved(
    window: MainWindow, qtbot: QtBot, settle: Callable[[], None], tmp_path: Path
) -> None:
    dialog = shown(window, "help.diagnose", settle)
    said = dialog.text.toPlainText()
    assert said.startswith("sound  GPF Desktop")
    assert problems_in(dialog) == []
    dialog.copy.click()
    assert QApplication.clipboard().text() == said
    dialog.write(tmp_path / "Diagnose.txt")
    settle()
    assert (tmp_path / "Diagnose.txt").read_text(encoding="utf-8") == said


def test_that_a_diagnosis_that_cannot_be_written_says_so(
    window: MainWindow, settle: Callable[[], None], tmp_path: Path
) -> None:
    dialog = shown(window, "help.diagnose", settle)
    dialog.write(tmp_path / "nowhere" / "Diagnose.txt")
    settle()
    assert window.message_bar.isVisible()


def test_that_a_log_is_shown_where_there_is_one(
    window: MainWindow, settle: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crash_notes, "folder", lambda: tmp_path)
    dialog = shown(window, "help.log", settle)
    assert dialog.text.toPlainText() == "Nothing has gone wrong inside the program."
    assert not dialog.copy.isEnabled()
    dialog.close()
    (tmp_path / "crash-20260101-000000-1.txt").write_text("ValueError: something", encoding="utf-8")
    settle()
    assert "ValueError: something" in shown(window, "help.log", settle).text.toPlainText()


def test_that_what_a_sign_means_stands_beside_a_long_line_of_names(window: MainWindow, qtbot: QtBot) -> None:
    names = ", ".join(f"length in words, names left in {n}" for n in range(9))
    dialog = SignsDialog(window.context.theme, [(names, "What more of it means, in a sentence.")], window)
    dialog.show()
    qtbot.waitExposed(dialog)
    (scroll,) = dialog.findChildren(QScrollArea)
    for each in dialog.findChildren(QLabel):
        assert each.mapTo(scroll.viewport(), each.rect().topRight()).x() <= scroll.viewport().width(), each.text()
    dialog.close()


def test_that_what_is_new_is_shown_as_text_and_saved_as_it_is_kept(
    window: MainWindow, settle: Callable[[], None], tmp_path: Path
) -> None:
    dialog = shown(window, "help.news", settle)
    assert dialog.text.toPlainText().startswith("Unreleased\n")
    dialog.write(tmp_path / "new.md")
    settle()
    assert (tmp_path / "new.md").read_text(encoding="utf-8") == changes()


def test_that_the_licence_of_the_chosen_library_is_shown(window: MainWindow, settle: Callable[[], None]) -> None:
    dialog = shown(window, "help.licences", settle)
    assert isinstance(dialog, LicencesDialog)
    assert "Apache License" in dialog.text.toPlainText()
    names = [dialog.libraries.item(row).text() for row in range(dialog.libraries.count())]
    (row,) = [at for at, name in enumerate(names) if name.startswith("PySide6")]
    dialog.libraries.setCurrentRow(row)
    settle()
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in dialog.text.toPlainText()
    assert problems_in(dialog) == []


def test_that_what_cannot_be_read_is_said_where_it_would_stand(
    window: MainWindow, settle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails() -> str:
        raise PermissionError(13, "Permission denied", "log.txt")

    dialog = ProgramTextDialog(window.context, window, fails, title="Log of faults")
    settle()
    assert "Permission denied" in dialog.text.toPlainText()
    assert not dialog.copy.isEnabled()
    monkeypatch.setattr(daily_copying, "_copies", lambda _: fails())
    copies = daily_copying.DailyCopiesDialog(window)
    settle()
    assert "Permission denied" in copies.about.text()
    for each in (dialog, copies):
        each.close()
