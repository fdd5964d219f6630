"""The marks of the style sheet are files of the program, in the colours of its palettes as they are today."""

import re

import make_marks as made
import pytest
from PySide6.QtGui import QIcon
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.theme.style_sheet import marks_of, style_sheet
from gpf_desktop.ui.theme.tokens import PaletteName

REMEDY = "run packaging/make_marks.py"


def test_that_the_marks_are_as_icons_and_colours_are() -> None:
    written = {path for name in PaletteName for path in marks_of(name).parent.rglob("*.*")}
    assert written == set(made.marks()), REMEDY
    assert {path: path.read_text(encoding="utf-8") for path in written} == made.marks(), REMEDY


@pytest.mark.parametrize("name", PaletteName)
def test_that_every_picture_of_the_style_sheet_can_be_shown(name: PaletteName, qtbot: QtBot) -> None:
    pictures = set(re.findall(r'url\("([^"]+)"\)', style_sheet(name, 100)))
    assert pictures
    for each in pictures:
        assert not QIcon(each).pixmap(16, 16).isNull(), each
