"""What every dialog of the program has, and the box that asks whether to go on."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget


class TitledDialog(QDialog):
    """Over *parent*, and no more once it is closed."""

    def __init__(self, parent: QWidget, title: str, name: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


@dataclass(frozen=True, slots=True)
class GoOn:
    """The answer that goes on: its button's label, role and object name, and what it does."""

    label: str
    role: QMessageBox.ButtonRole
    name: str
    then: Callable[[], object]


def ask_whether(
    parent: QWidget, icon: QMessageBox.Icon, what: str, informative: str, name: str, yes: GoOn
) -> QMessageBox:
    """Ask over *parent*, without holding up the window; *Cancel*, the default, changes nothing."""
    asked = QMessageBox(icon, parent.window().windowTitle(), what, parent=parent)
    asked.setInformativeText(informative)
    asked.setTextFormat(Qt.TextFormat.PlainText)
    asked.setObjectName(name)
    go_on = asked.addButton(yes.label, yes.role)
    go_on.setObjectName(yes.name)
    asked.setDefaultButton(asked.addButton(QMessageBox.StandardButton.Cancel))
    asked.finished.connect(lambda _: yes.then() if asked.clickedButton() is go_on else None)
    asked.finished.connect(asked.deleteLater)
    asked.open()
    return asked
