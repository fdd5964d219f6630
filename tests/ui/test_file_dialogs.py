"""Files and folders as they are typed into the dialog that asks for them."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.file_dialogs import ask_for_folder


def test_that_a_folder_whose_path_is_typed_is_the_one_that_is_taken(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.show()
    taken: list[Path] = []
    dialog = ask_for_folder(parent, "Add a folder", taken.append)
    dialog.setDirectory(str(tmp_path))
    name = dialog.findChild(QLineEdit, "fileNameEdit")
    assert name is not None
    qtbot.keyClicks(name, str(tmp_path / "papers"))
    qtbot.waitUntil(lambda: Path(dialog.selectedFiles()[-1]) == tmp_path / "papers")
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert taken == [tmp_path / "papers"]
