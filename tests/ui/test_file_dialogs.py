"""Folders as the dialog that asks for one gives them."""

from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.file_dialogs import ask_for_folder


def test_that_of_folders_on_the_way_to_a_typed_one_the_last_is_taken(qtbot: QtBot, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    taken: list[Path] = []
    dialog = ask_for_folder(parent, "Add a folder", taken.append)
    dialog.filesSelected.emit([str(tmp_path), str(tmp_path / "papers")])
    assert taken == [tmp_path / "papers"]
    dialog.filesSelected.emit([str(tmp_path)])
    dialog.fileSelected.emit(str(tmp_path))
    assert taken == [tmp_path / "papers", tmp_path]
