"""Parts of the inspector that may have nothing to say: they take no room then."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class InspectorContent(QWidget):
    """Tells when it begins to explain something, and when it ends."""

    turned = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.explains = False

    def turn(self, *, explains: bool) -> None:
        """Say so where it is new."""
        if explains is not self.explains:
            self.explains = explains
            self.turned.emit()
