"""The wheel over a box that has not the keyboard scrolls the page and changes nothing."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QApplication, QComboBox, QScrollBar, QTabBar, QWidget

_GUARDED = (QAbstractSpinBox, QComboBox, QTabBar)


class WheelGuard(QObject):
    """An event filter for the whole application."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget):
            box = _box(watched)
            if box is not None and not box.hasFocus():
                parent = box.parentWidget()
                if parent is not None:
                    # Passed on, so that the page under the box scrolls as if the box were not there.
                    QApplication.sendEvent(parent, event)
                return True
        return False


def _box(widget: QWidget) -> QWidget | None:
    each: QWidget | None = widget
    for _ in range(2):
        if each is None:
            return None
        if isinstance(each, _GUARDED):
            return each
        if isinstance(each, QAbstractSlider) and not isinstance(each, QScrollBar):
            return each
        each = each.parentWidget()
    return None
