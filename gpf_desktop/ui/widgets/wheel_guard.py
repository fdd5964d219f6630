"""The wheel over a box that has not the keyboard scrolls the page and changes nothing."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QComboBox, QScrollBar, QTabBar, QWidget

_GUARDED = (QAbstractSpinBox, QComboBox, QTabBar)


class WheelGuard(QObject):
    """An event filter for the whole application."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Polish:
            # By default the wheel itself gives a spin box the keyboard, before any filter can see the event.
            if isinstance(watched, _GUARDED) and watched.focusPolicy() is Qt.FocusPolicy.WheelFocus:
                watched.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        elif kind == QEvent.Type.Wheel and isinstance(watched, QWidget):
            box = _box(watched)
            if box is not None and not box.hasFocus():
                # Not accepted, so that Qt offers it to the page under the box, which scrolls.
                event.ignore()
                return True
        return False


def _box(widget: QWidget) -> QWidget | None:
    """The guarded box that *widget* is or is the field of."""
    for each in (widget, widget.parentWidget()):
        if isinstance(each, _GUARDED):
            return each
        if isinstance(each, QAbstractSlider) and not isinstance(each, QScrollBar):
            return each
    return None
