"""Text in cells of tables that other programs open: never a formula, and the same text again when read back.

A spreadsheet takes a cell that begins with one of `STARTERS` for a formula or strips it. Such a cell gets an
apostrophe in front, as spreadsheets have it for "this is text"; so does a cell that begins with an apostrophe, so
that taking one away brings every text back. Numbers are written as numbers and never pass through here.
"""

from typing import Final

STARTERS: Final = "=+-@\t\r\n＝＋－＠"
_MARK: Final = "'"


def guarded(text: str) -> str:
    """*text* as a cell that stays text."""
    return _MARK + text if text[:1] and text[0] in STARTERS + _MARK else text


def unguarded(cell: str) -> str:
    """The text that `guarded` was given."""
    return cell.removeprefix(_MARK)
