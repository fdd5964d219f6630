"""The menu of the words that are selected in an answer, at the right mouse button."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction

from gpf_desktop.ui.widgets.span_text import SpanTextView


def offer(text: SpanTextView, actions: Sequence[QAction]) -> None:
    """Put *actions* before *Copy* in the menu of *text*, while words of it are selected."""

    def show(at: QPoint) -> None:
        menu = text.createStandardContextMenu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if text.selected() is not None:
            usual = menu.actions()[0]
            menu.insertActions(usual, actions)
            menu.insertSeparator(usual)
        menu.popup(text.viewport().mapToGlobal(at))

    text.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    text.customContextMenuRequested.connect(show)
