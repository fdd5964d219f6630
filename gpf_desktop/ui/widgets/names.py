"""Names of widgets, for screen readers and tests."""

from typing import TypeVar

from PySide6.QtWidgets import QWidget

W = TypeVar("W", bound=QWidget)


def named(widget: W, name: str, says: str = "") -> W:
    """*widget*, called *name* by code and tests, and *says* by a screen reader where it has no words of its own."""
    widget.setObjectName(name)
    if says:
        widget.setAccessibleName(says)
    return widget
