"""Widgets above and beside each other, said in one go."""

from functools import partial
from typing import TypeVar

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

Box = TypeVar("Box", bound=QBoxLayout)
Part = QWidget | QLayout | int | tuple[QWidget | QLayout, int] | tuple[QWidget, int, Qt.AlignmentFlag]
"""What stands in a box. With a number behind it that is its share of the room that is left; a number alone is a share
that stays empty."""
Margins = int | tuple[int, int, int, int] | None
"""On all four sides, or left, above, right and below; None: those of the style."""


class PlainWidget(QWidget):
    """Without a ground of its own: to put others into."""

    def __init__(self, *, name: str = "") -> None:
        super().__init__()
        self.setProperty("plain", True)
        self.setObjectName(name)


def vbox(*parts: Part, parent: QWidget | None = None, spacing: int = -1, margins: Margins = 0) -> QVBoxLayout:
    """*parts* above each other, in *parent* where it is given.

    *spacing* between them; left out, it is that of the box around this one, or of the style where there is none.
    """
    return _filled(QVBoxLayout(), parts, parent, spacing, margins)


def hbox(*parts: Part, parent: QWidget | None = None, spacing: int = -1, margins: Margins = 0) -> QHBoxLayout:
    """*parts* beside each other; else as `vbox`."""
    return _filled(QHBoxLayout(), parts, parent, spacing, margins)


def column_of(*parts: Part, spacing: int = -1, margins: Margins = 0) -> QWidget:
    """*parts* above each other in a plain widget."""
    holder = PlainWidget()
    vbox(*parts, parent=holder, spacing=spacing, margins=margins)
    return holder


def row_of(*parts: Part, spacing: int = -1, margins: Margins = 0) -> QWidget:
    """*parts* beside each other in a plain widget."""
    holder = PlainWidget()
    hbox(*parts, parent=holder, spacing=spacing, margins=margins)
    return holder


def splitter(
    *parts: QWidget | tuple[QWidget, int], orientation: Qt.Orientation = Qt.Orientation.Horizontal
) -> QSplitter:
    """*parts* with edges between them to be dragged, none of which can be dragged away; a number is a share as in a
    box."""
    made = QSplitter(orientation, childrenCollapsible=False)
    for at, part in enumerate(parts):
        widget, share = part if isinstance(part, tuple) else (part, 0)
        made.addWidget(widget)
        made.setStretchFactor(at, share)
    return made


def stacked(*pages: QWidget) -> QStackedWidget:
    """*pages* in one place, of which one is seen at a time, the first to begin with."""
    made = QStackedWidget()
    for page in pages:
        made.addWidget(page)
    return made


def put_in_later(owner: QWidget, *parts: QWidget) -> None:
    """*parts* stand nowhere until they are first asked for, and end with *owner* wherever they are by then.

    What is in a page is styled anew with it, .1 ms each, be it in sight or not.
    """
    for part in parts:
        owner.destroyed.connect(partial(_end, part))


def spaced_grid(
    *,
    parent: QWidget | None = None,
    across: int = -1,
    down: int = -1,
    wide: int | tuple[int, ...] = (),
    margins: Margins = 0,
) -> QGridLayout:
    """An empty grid, its columns *across* and its lines *down* apart; those columns that are *wide* take the room that
    is left."""
    made = QGridLayout()
    if parent is not None:
        parent.setLayout(made)
    _set_margins(made, margins)
    made.setHorizontalSpacing(across)
    made.setVerticalSpacing(down)
    for column in (wide,) if isinstance(wide, int) else wide:
        made.setColumnStretch(column, 1)
    return made


def by_width(
    across: QSizePolicy.Policy = QSizePolicy.Policy.Expanding, down: QSizePolicy.Policy = QSizePolicy.Policy.Preferred
) -> QSizePolicy:
    """The policy of what is as high as its parts are at the width that it has."""
    made = QSizePolicy(across, down)
    made.setHeightForWidth(True)
    return made


def fill(box: QBoxLayout, *parts: Part) -> None:
    """Put *parts* into *box*, behind what stands there."""
    for part in parts:
        match part:
            case int():
                box.addStretch(part)
            case QWidget():
                box.addWidget(part)
            case QLayout():
                box.addLayout(part)
            case (QLayout() as layout, share):
                box.addLayout(layout, share)
            case (QWidget() as widget, share):
                box.addWidget(widget, share)
            case (QWidget() as widget, share, side):
                box.addWidget(widget, share, side)


def _end(part: QWidget) -> None:
    if shiboken6.isValid(part):
        # At once: what is put off while others end waits for another turn, which a program that ends does not have.
        shiboken6.delete(part)


def _filled(box: Box, parts: tuple[Part, ...], parent: QWidget | None, spacing: int, margins: Margins) -> Box:
    if parent is not None:
        parent.setLayout(box)
    _set_margins(box, margins)
    box.setSpacing(spacing)
    fill(box, *parts)
    return box


def _set_margins(layout: QLayout, margins: Margins) -> None:
    if isinstance(margins, int):
        layout.setContentsMargins(margins, margins, margins, margins)
    elif margins is not None:
        layout.setContentsMargins(*margins)
