"""File dialogs that do not hold up the window: the choice comes later, as a call."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PySide6.QtCore import QDir, QStandardPaths, Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QMessageBox, QWidget

from gpf_desktop.documents.targets import check_target
from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.widgets.dialogs import GoOn, ask_whether

AUDIT_SUFFIX = "gpf"
SHARED_SUFFIX = "zip"
_SHARED_DATA = "XDG_DATA_DIRS"
_USUAL = "/usr/local/share:/usr/share"
"""What the variable stands for where it is not set."""


@cache
def keep_audits_closed() -> None:
    """Have Qt tell audits by their names alone; to be called before Qt tells files for the first time.

    It looks into what it does not know by name when a folder is listed. On POSIX systems closing a file takes away
    every lock that the process has on it, SQLite's too: the next program that reads the open audit then takes it for
    nobody's, and cuts off the memory that this one writes in (SIGBUS).
    """
    if sys.platform not in ("win32", "darwin"):
        os.environ[_SHARED_DATA] = f"{resources()}{os.pathsep}{os.environ.get(_SHARED_DATA) or _USUAL}"


def audit_filter() -> str:
    return tr("Audits") + f" (*.{AUDIT_SUFFIX})"


def ask_to_open(parent: QWidget, title: str, name_filter: str, then: Callable[[Path], object]) -> QFileDialog:
    """Ask for a file that exists."""
    dialog = _dialog(parent, title, name_filter, then)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.open()
    return dialog


def ask_to_open_several(
    parent: QWidget, title: str, name_filter: str, then: Callable[[Sequence[Path]], object]
) -> QFileDialog:
    """Ask for files that exist, one or more."""
    dialog = _made(parent, title, name_filter)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(lambda chosen: then(tuple(map(Path, chosen))))
    dialog.open()
    return dialog


def ask_for_folder(parent: QWidget, title: str, then: Callable[[Path], object]) -> QFileDialog:
    """Ask for a folder that exists, or make one."""
    dialog = _dialog(parent, title, "", then)
    # Qt keeps folders selected that a typed path passed through, and has no `fileSelected` of several.
    dialog.filesSelected.connect(lambda chosen: then(Path(max(chosen, key=len))) if len(chosen) > 1 else None)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.open()
    return dialog


def ask_to_save(
    parent: QWidget, title: str, name_filter: str, suffix: str, then: Callable[[Path], object], *, suggested: str = ""
) -> QFileDialog:
    """Ask where to put a new file; *suffix* is added where none is typed."""
    dialog = _dialog(parent, title, name_filter, then, SaveDialog)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(suffix)
    if suggested:
        dialog.selectFile(suggested)
    dialog.open()
    return dialog


class SaveDialog(QFileDialog):
    """Stays open where the chosen file can be written by nobody or would take the place of an audit, and says why."""

    def accept(self) -> None:
        try:
            for chosen in self.selectedFiles():
                # Qt asks by itself before it gives a file that is there.
                check_target(Path(chosen), replaces=True)
        except GpfError as error:
            refused = QMessageBox(QMessageBox.Icon.Warning, self.windowTitle(), error.what, parent=self)
            refused.setInformativeText(error.remedy)
            refused.setTextFormat(Qt.TextFormat.PlainText)
            refused.setObjectName("save.refused")
            refused.finished.connect(refused.deleteLater)
            if not self.isVisible():
                # The system's own dialog is gone by now.
                refused.finished.connect(self.open)
            refused.open()
            return
        super().accept()


def ask_to_replace(parent: QWidget, files: Sequence[Path], then: Callable[[], object]) -> QMessageBox:
    """Ask whether *files*, which are there, may be replaced; then go on with *then*."""
    what = (
        tr("{name} is there already.", name=files[0].name)
        if len(files) == 1
        else tr("{n} files of a former export are there already.", n=len(files))
    )
    return ask_whether(
        parent,
        QMessageBox.Icon.Warning,
        what,
        tr("Replacing cannot be undone."),
        "replace.asked",
        GoOn(tr("Replace"), QMessageBox.ButtonRole.DestructiveRole, "replace.yes", then),
    )


def begin_in(folder: Path) -> None:
    """Have dialogs begin in *folder*, until one is answered in another."""
    _begin.folder = str(folder)


def _dialog(
    parent: QWidget,
    title: str,
    name_filter: str,
    then: Callable[[Path], object],
    kind: type[QFileDialog] = QFileDialog,
) -> QFileDialog:
    dialog = _made(parent, title, name_filter, kind)
    dialog.fileSelected.connect(lambda chosen: then(Path(chosen)))
    return dialog


def _made(parent: QWidget, title: str, name_filter: str, kind: type[QFileDialog] = QFileDialog) -> QFileDialog:
    keep_audits_closed()
    # Qt's own choice would be the folder that the program was started in.
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    # Of a folder that is not there Qt makes the name of a file.
    places = (HERE.get("folders.audits"), documents, QDir.homePath())
    usual = next(place for place in places if place and Path(place).is_dir())
    dialog = kind(parent, title, _begin.folder or usual)
    dialog.setNameFilter(name_filter)
    kinds = dialog.findChild(QComboBox, "fileTypeCombo")
    if kinds is not None:
        # Qt's own dialog is as wide as the names of all formats: its buttons would lie beyond a small screen.
        kinds.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    dialog.accepted.connect(lambda: begin_in(Path(dialog.directory().absolutePath())))
    dialog.finished.connect(dialog.deleteLater)
    return dialog


@dataclass(slots=True)
class _Begin:
    folder: str = ""
    """Where the next dialog begins; empty: none was answered yet, and no audit opened."""


_begin = _Begin()
