"""Colours, type and icons of the window, all made from ``resources/theme/tokens.json``.

tokens.py       the palettes, read and checked
theme.py        what is in force now; tells painters when it changes
qt_palette.py   tokens as a QPalette
style_sheet.py  tokens as the one style sheet
icons.py        line icons in the colour of the text around them
fonts.py        the typeface that ships with the program
"""

from gpf_desktop.ui.theme.theme import Scheme, Theme
from gpf_desktop.ui.theme.tokens import Palette, PaletteName

__all__ = ["Palette", "PaletteName", "Scheme", "Theme"]
