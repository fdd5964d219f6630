"""The wheel over a box that has not the keyboard scrolls the page and changes nothing."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent, QWindow
from PySide6.QtWidgets import QAbstractSlider, QAbstractSpinBox, QComboBox, QScrollBar, QTabBar, QWidget

_GUARDED = (QAbstractSpinBox, QComboBox, QTabBar)


class WheelGuard(QObject):
    """Watches every window that gets the keyboard, and of the boxes in it only those that the wheel comes over.

    A filter for the whole application would be asked about every event of every widget: that doubled the time that a
    page takes to be built and the look to change.
    """

    def __init__(self, application: QGuiApplication, parent: QObject | None = None) -> None:
        super().__init__(parent)
        application.focusWindowChanged.connect(self._watch)
        self._watch(application.focusWindow())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.Wheel:
            return False
        if isinstance(watched, QWindow) and isinstance(event, QWheelEvent):
            self._guard(watched, event)
        elif isinstance(watched, QWidget) and not watched.hasFocus():
            # Not accepted, so that Qt offers it to the page under the box, which scrolls.
            event.ignore()
            return True
        return False

    def _watch(self, window: QWindow | None) -> None:
        if window is not None:
            # Each time that it gets the keyboard: Qt takes a filter that it has already once.
            window.installEventFilter(self)

    def _guard(self, window: QWindow, event: QWheelEvent) -> None:
        shown = QWidget.find(window.winId())
        box = _box(shown.childAt(event.position().toPoint())) if shown is not None else None
        if box is None:
            return
        if box.focusPolicy() is Qt.FocusPolicy.WheelFocus:
            # By default the wheel itself gives a spin box the keyboard, before a filter of the box sees the event.
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        box.installEventFilter(self)


def _box(widget: QWidget | None) -> QWidget | None:
    """The guarded box that *widget* is or is the field of."""
    for each in (widget, widget.parentWidget() if widget is not None else None):
        if isinstance(each, _GUARDED):
            return each
        if isinstance(each, QAbstractSlider) and not isinstance(each, QScrollBar):
            return each
    return None
