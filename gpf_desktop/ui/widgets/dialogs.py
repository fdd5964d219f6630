"""What every dialog of the program has."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QWidget


class TitledDialog(QDialog):
    """Over *parent*, and no more once it is closed."""

    def __init__(self, parent: QWidget, title: str, name: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
