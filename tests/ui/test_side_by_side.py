"""Two parts of a page next to each other."""

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.side_by_side import SideBySide


def test_that_parts_stand_next_to_each_other_in_the_first_frame(qtbot: QtBot, theme: Theme) -> None:
    left, right = QLabel("left"), QLabel("right")
    both = SideBySide(theme, left, right)
    qtbot.addWidget(both)
    both.resize(1200, 400)
    both.show()
    assert not both.stacked
    assert right.x() >= left.geometry().right()
    assert right.y() == left.y()
