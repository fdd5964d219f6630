"""What dialogs for files and folders give, and that looking into a folder leaves the open audit alone."""

import os
import sys
from pathlib import Path

import platformdirs
import pytest
from PySide6.QtCore import QDir, QStandardPaths
from PySide6.QtWidgets import QFileDialog, QFileSystemModel, QLineEdit, QMessageBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.errors import UserError
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui import file_dialogs
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.folder_field import SaveField
from gpf_desktop.ui.file_dialogs import ask_for_folder, ask_to_open, ask_to_save
from gpf_desktop.ui.main_window import MainWindow


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


def test_that_dialogs_begin_where_the_audit_lies_and_then_where_one_was_answered(
    window: MainWindow, context: Context, qtbot: QtBot, tmp_path: Path
) -> None:
    def begins() -> Path:
        dialog = ask_for_folder(window, "Write", lambda _: None)
        found = Path(dialog.directory().absolutePath())
        dialog.reject()
        return found

    audits, elsewhere = tmp_path / "audits", tmp_path / "elsewhere"
    for folder in (audits, elsewhere):
        folder.mkdir()
    AuditFile.create(audits / "mine.gpf", title="Mine").close()
    window.files.open(audits / "mine.gpf")
    qtbot.waitUntil(lambda: window.status.audit_open and context.bridge.idle)
    assert begins() == audits
    # The sample lies where nobody would find an audit of theirs again.
    sample = platformdirs.user_data_path("gpf-desktop", appauthor=False, ensure_exists=True) / "sample.gpf"
    AuditFile.create(sample, title="Sample").close()
    window.files.open(sample)

    def there() -> bool:
        # Between the two none is open.
        current = context.engine.current
        return current is not None and current.path == sample and context.bridge.idle

    qtbot.waitUntil(there)
    assert begins() == audits
    dialog = ask_to_save(window, "Save", "All (*)", "txt", lambda _: None, suggested=str(elsewhere / "a"))
    dialog.accept()
    assert begins() == elsewhere


def test_that_without_a_folder_of_documents_dialogs_begin_at_home_and_name_no_file(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_dialogs._begin, "folder", "")
    monkeypatch.setattr(QStandardPaths, "writableLocation", lambda _: str(tmp_path / "Documents"))
    parent = QWidget()
    qtbot.addWidget(parent)
    every = " ".join(f"*.kind{n}" for n in range(60))
    dialog = ask_to_open(parent, "Open", f"All ({every})", lambda _: None)
    assert dialog.minimumSizeHint().width() < 1280, "the buttons are on the screen, however many formats there are"
    assert dialog.directory().absolutePath() == QDir.homePath()
    (line,) = dialog.findChildren(QLineEdit, "fileNameEdit")
    assert line.text() == ""
    dialog.reject()


def _locked(*files: Path) -> set[Path]:
    """Those of *files* that this process holds a lock on."""
    held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    mine = {int(each[5].rpartition(":")[2]) for each in held if each[1] == "POSIX" and int(each[4]) == os.getpid()}
    return {file for file in files if file.stat().st_ino in mine}


@pytest.mark.skipif(sys.platform != "linux", reason="tells locks by /proc")
def test_that_a_dialog_that_lists_the_open_audit_leaves_it_its_locks(qtbot: QtBot, tmp_path: Path) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    path = tmp_path / "mine.gpf"
    audit = AuditFile.create(path, title="Mine")
    files = (path, path.with_name("mine.gpf-shm"))
    assert _locked(*files) == set(files)
    dialog = ask_to_open(parent, "Open", "All (*)", lambda _: None)
    model = dialog.findChild(QFileSystemModel)
    assert model is not None
    dialog.setDirectory(str(tmp_path))
    at = model.index(str(tmp_path))
    names = {path.name, "mine.gpf-shm", "mine.gpf-wal"}
    qtbot.waitUntil(lambda: {model.index(row, 0, at).data() for row in range(model.rowCount(at))} >= names)
    # The types come after the names.
    qtbot.waitUntil(lambda: all(model.index(row, 2, at).data() for row in range(model.rowCount(at))))
    assert _locked(*files) == set(files)
    dialog.done(QFileDialog.DialogCode.Rejected)
    audit.close()


def test_that_a_dialog_of_the_window_has_its_colours_and_goes_when_it_is_answered(
    window: MainWindow, qtbot: QtBot
) -> None:
    def dialogs() -> list[QFileDialog]:
        return window.findChildren(QFileDialog)

    ask_to_open(window, "Open", "All (*)", lambda _: None)
    qtbot.waitUntil(lambda: bool(dialogs()[0].styleSheet()))
    dialogs()[0].done(QFileDialog.DialogCode.Rejected)
    qtbot.waitUntil(lambda: not dialogs())


def test_that_no_dialog_gives_an_audit_to_be_written_over(qtbot: QtBot, tmp_path: Path) -> None:
    AuditFile.create(tmp_path / "a.gpf", title="precious").close()
    (tmp_path / "report.csv").symlink_to(tmp_path / "a.gpf")
    parent = QWidget()
    qtbot.addWidget(parent)
    taken: list[Path] = []
    dialog = ask_to_save(parent, "Save", "Tables (*.csv)", "csv", taken.append, suggested=str(tmp_path / "report.csv"))
    dialog.accept()
    refused = dialog.findChild(QMessageBox, "save.refused")
    assert refused is not None
    assert "is an audit" in refused.text()
    refused.close()
    assert dialog.isVisible(), "another name can be chosen"
    dialog.selectFile(str(tmp_path / "other.csv"))
    dialog.accept()
    assert taken == [tmp_path / "other.csv"]


@pytest.mark.parametrize("answer", ["replace.yes", ""])
def test_that_a_typed_name_is_asked_for_before_it_replaces_a_file(qtbot: QtBot, tmp_path: Path, answer: str) -> None:
    (tmp_path / "a.zip").write_text("mine")
    field = SaveField("File", lambda _then: None, name="place")
    qtbot.addWidget(field)
    field.line.setText(str(tmp_path / "a.zip"))
    with pytest.raises(UserError, match="is there already"):
        field.value()
    asked = field.findChild(QMessageBox, "replace.asked")
    assert asked is not None
    if answer:
        with qtbot.waitSignal(field.may_replace):
            asked.findChild(QPushButton, answer).click()
        assert field.value() == tmp_path / "a.zip"
    else:
        asked.reject()
        with pytest.raises(UserError, match="is there already"):
            field.value()
        field.findChildren(QMessageBox, "replace.asked")[-1].reject()
    field.line.setText(str(tmp_path / ("n" * 300)))
    with pytest.raises(UserError, match="too long"):
        field.value()
