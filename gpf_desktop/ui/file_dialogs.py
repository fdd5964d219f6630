"""File dialogs that do not hold up the window: the choice comes later, as a call."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from gpf_desktop.domain.text import tr

AUDIT_SUFFIX = "gpf"


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
    dialog = QFileDialog(parent, title)
    dialog.setNameFilter(name_filter)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(lambda chosen: then(tuple(map(Path, chosen))))
    dialog.finished.connect(dialog.deleteLater)
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
    dialog = _dialog(parent, title, name_filter, then)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(suffix)
    if suggested:
        dialog.selectFile(suggested)
    dialog.open()
    return dialog


def _dialog(parent: QWidget, title: str, name_filter: str, then: Callable[[Path], object]) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setNameFilter(name_filter)
    dialog.fileSelected.connect(lambda chosen: then(Path(chosen)))
    dialog.finished.connect(dialog.deleteLater)
    return dialog
