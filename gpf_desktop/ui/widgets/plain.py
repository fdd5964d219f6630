"""Words from elsewhere stay words: Qt reads a tool tip as markup, pictures and all, where it looks like it."""

from html import escape
from typing import Final

from PySide6 import QtGui

Text = QtGui.Qt
"""Qt's own judgement of what looks like markup."""

_LINE: Final = 100
"""Letters that fit into a line of a tip beside the smallest screen's edge, with large text too."""


def plain_tip(text: str) -> str:
    """*text* for a tool tip, shown letter for letter whatever stands in it, and whole: Qt wraps markup alone."""
    wraps = Text.mightBeRichText(text) or any(len(line) > _LINE for line in text.splitlines())
    return f'<p style="white-space: pre-wrap">{escape(text, quote=False)}</p>' if wraps else text


def plain_entry(text: str) -> str:
    """*text* for an entry of a menu or a button: Qt underlines the letter behind each “&”, and leaves the sign out."""
    return text.replace("&", "&&")
