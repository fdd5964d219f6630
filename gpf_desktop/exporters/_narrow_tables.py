"""Tables for a narrow column of text: one that is too wide goes on below itself."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gpf_desktop.exporters._finding_view import View

_ROOM: Final = 500
"""Pixels at 100 % of the narrowest preview, that of a window 1280 pixels wide, less a tenth: widths are estimated."""
_DIGIT, _LETTER, _SMALL = 7.5, 6.4, 5.4
"""Pixels of a character, in figures, words and small type."""
_PADDING: Final = 8
_BREAK: Final = re.compile(r" |(?<=[/-])")


def narrow(view: View) -> list[View]:
    """*view* in parts that need no scrolling sideways, each beginning with the columns that name its rows."""
    columns = view["columns"]
    named = next((at for at, column in enumerate(columns) if column["numeric"]), len(columns)) or 1
    widths = [_width(view, at) for at in range(len(columns))]
    parts = filled(widths, named, _ROOM)
    # Parts of like width, not full ones with a rest of one column.
    for room in range(_ROOM, 0, -_ROOM // 20):
        if len(others := filled(widths, named, room)) > len(parts):
            break
        parts = others
    return [
        {
            "columns": [columns[at] for at in part],
            "rows": [{**row, "cells": [row["cells"][at] for at in part]} for row in view["rows"]],
        }
        for part in parts
    ]


def filled(widths: Sequence[float], named: int, room: float) -> list[list[int]]:
    """Columns of *widths* in parts of at most *room*, where that can be; each begins with the first *named* ones."""
    names = list(range(named))
    parts, free = [[*names]], room - sum(widths[:named])
    for at in range(named, len(widths)):
        if widths[at] > free and len(parts[-1]) > named:
            parts.append([*names])
            free = room - sum(widths[:named])
        parts[-1].append(at)
        free -= widths[at]
    return parts


def _width(view: View, at: int) -> float:
    """What nothing in a column can be broken further than."""
    column = view["columns"][at]
    lines = [_SMALL * len(word) for word in column["title"].split()]
    for row in view["rows"]:
        lines += _lines(row["cells"][at])
    return max(lines, default=0) + _PADDING


def _lines(cell: View) -> Iterator[float]:
    if cell["numeric"]:
        yield _DIGIT * len(cell["text"])
    else:
        yield from (_LETTER * len(word) for word in _BREAK.split(cell["text"]))
    yield _SMALL * len(f"{cell['interval']} {cell['kind']}")
    yield _SMALL * len(cell["count"])
    yield from (_SMALL * len(word) for word in cell["why"].split())
