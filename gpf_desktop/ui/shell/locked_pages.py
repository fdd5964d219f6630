"""Pages take no clicks and no keys while their audit is being exchanged for another."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QStackedWidget, QWidget

_INPUT = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.KeyPress,
        QEvent.Type.Wheel,
        QEvent.Type.Drop,
    }
)


class LockedPages(QObject):
    """Keeps pages still until the other audit is there: what they show may be of one that is closed already."""

    def __init__(self, stack: QStackedWidget) -> None:
        super().__init__(stack)
        self._stack = stack
        self._still = False

    def keep_still(self, still: bool) -> None:
        """Let nothing be done on the pages, or again."""
        application = QApplication.instance()
        if still is self._still or application is None:
            return
        self._still = still
        # A page that is disabled instead is styled anew as a whole, and loses the keyboard.
        if still:
            application.installEventFilter(self)
        else:
            application.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        return event.type() in _INPUT and isinstance(watched, QWidget) and self._stack.isAncestorOf(watched)
