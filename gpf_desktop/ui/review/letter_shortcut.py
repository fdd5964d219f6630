"""`.` and then a letter: which answer is affected, without a shortcut for each of up to some hundred letters."""

from collections.abc import Callable, Collection

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

PATIENCE_MS = 4000


class LetterShortcut(QObject):
    """After `listen`, the next letters typed anywhere name an answer; any other key, or waiting, ends it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._letters: Collection[str] = ()
        self._typed = ""
        self._found: Callable[[str], object] = lambda _letter: None
        self._ended: Callable[[], object] = lambda: None
        self._listening = False
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._settle)

    def listen(self, letters: Collection[str], found: Callable[[str], object], ended: Callable[[], object]) -> None:
        """Call *found* with one of *letters*, then *ended*; *ended* alone where none is typed."""
        self.stop()
        self._letters, self._found, self._ended, self._typed = letters, found, ended, ""
        self._listening = True
        application = QApplication.instance()
        assert application is not None
        # Only while it listens: a filter of the application is asked about every event of every widget.
        application.installEventFilter(self)
        self._patience.start()

    def stop(self) -> None:
        if not self._listening:
            return
        self._listening = False
        self._patience.stop()
        application = QApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self._ended()

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            # Taken here, or "D" would be a verdict.
            event.accept()
            return True
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        # The key that began this may still be held down.
        if event.isAutoRepeat():
            return True
        typed = (self._typed + event.text()).upper()
        further = [letter for letter in self._letters if letter.startswith(typed) and letter != typed]
        if event.text() and typed in self._letters and not further:
            found = self._found
            self.stop()
            found(typed)
        elif event.text() and further:
            self._typed = typed
            self._patience.start()
        else:
            self._settle()
        return True

    def _settle(self) -> None:
        """Beyond Z the first letter alone may be meant: A, not AA."""
        typed, found = self._typed, self._found
        self.stop()
        if typed in self._letters:
            found(typed)
