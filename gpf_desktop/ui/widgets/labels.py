"""Words on a page."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

MIN_TEXT_WIDTH = 180
"""A wrapped label never gets narrower than this, so that it does not become a column of single words."""


def label(text: str = "", role: str = "", *, wrap: bool = False, name: str = "") -> QLabel:
    """A label of plain text; *role* is one of the style sheet's (title, heading, secondary, caption, ...)."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setObjectName(name)
    if role:
        made.setProperty("role", role)
    if wrap:
        made.setWordWrap(True)
        made.setMinimumWidth(MIN_TEXT_WIDTH)
    return made


def heading(text: str, *, name: str = "") -> QLabel:
    """The title of a part of a page."""
    return label(text, "heading", name=name)


def caption(text: str = "", *, name: str = "") -> QLabel:
    """Small, quiet, wrapped text under something."""
    return label(text, "caption", wrap=True, name=name)


def secondary(text: str = "", *, wrap: bool = False, name: str = "") -> QLabel:
    return label(text, "secondary", wrap=wrap, name=name)


def problem_label(text: str = "", *, name: str = "") -> QLabel:
    """What keeps a field or a button from being used; takes no room while it is empty."""

    class _Problem(QLabel):
        def setText(self, words: str) -> None:
            super().setText(words)
            self.setVisible(bool(words))

    made = _Problem()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(True)
    made.setMinimumWidth(MIN_TEXT_WIDTH)
    made.setProperty("role", "problem")
    made.setObjectName(name)
    made.setText(text)
    return made
