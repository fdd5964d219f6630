"""The keyboard goes from what begins something to its Stop, and back."""

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget


class StopFocus:
    """Buttons that begin something, and the *stop* that is seen while it runs.

    Qt hands the keyboard of a button that can be pressed no more to whatever comes next by Tab, be it a field.
    """

    def __init__(self, stop: QWidget) -> None:
        self._stop = stop
        self._pressed: QWidget | None = None
        """What had the keyboard before Stop."""

    def show(self, can_begin: Mapping[QWidget, bool], *, running: bool) -> None:
        """*can_begin*: each button or field, and whether it may be used while nothing runs."""
        if running:
            self._stop.show()
            pressed = next(filter(_has_keyboard, can_begin), None)
            if pressed is not None:
                self._pressed = pressed
                self._stop.setFocus()
        for each, can in can_begin.items():
            each.setEnabled(can and not running)
        if not running:
            if self._pressed is not None and self._pressed.isEnabled() and _has_keyboard(self._stop):
                self._pressed.setFocus()
            self._pressed = None
            self._stop.hide()


def _has_keyboard(widget: QWidget) -> bool:
    """Whether keys go to *widget*, or would if its window were the one in front."""
    return widget.window().focusWidget() is widget
