"""Words from elsewhere stay words: Qt reads a tool tip as markup, pictures and all, where it looks like it."""

from html import escape

from PySide6 import QtGui

Text = QtGui.Qt
"""Qt's own judgement of what looks like markup."""


def plain_tip(text: str) -> str:
    """*text* for a tool tip, shown letter for letter whatever stands in it."""
    return f'<p style="white-space: pre-wrap">{escape(text)}</p>' if Text.mightBeRichText(text) else text
