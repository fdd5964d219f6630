"""Undo and redo of a whole form, while the keyboard is in one of its fields."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

_ENDS: Final = frozenset(".!?\r\n")
_PASTE: Final = QKeySequence.StandardKey.Paste


class UndoGuard(QObject):
    """Leaves undo and redo to the form of the *widgets*.

    *pause* ends a step: it is called as one of them is left, after a sentence or a line, and before what is pasted.
    """

    def __init__(self, parent: QObject, pause: Callable[[], object], *widgets: QWidget) -> None:
        super().__init__(parent)
        self._pause = pause
        for each in widgets:
            self.watch(each)

    def watch(self, widget: QWidget) -> None:
        """Take *widget* in as well."""
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.ShortcutOverride if isinstance(event, QKeyEvent) and _is_undo(event):
                # Not accepted, so that the key goes to the window's shortcuts and not to the field's own history.
                event.ignore()
                return True
            case QEvent.Type.FocusOut:
                self._pause()
            case QEvent.Type.KeyRelease if isinstance(event, QKeyEvent) and event.text() in _ENDS:
                self._pause()
            case QEvent.Type.KeyPress if isinstance(event, QKeyEvent) and event.matches(_PASTE):
                self._pause()
        return super().eventFilter(watched, event)


def _is_undo(event: QKeyEvent) -> bool:
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)
