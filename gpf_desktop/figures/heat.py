"""What the cells of a heat map look like, for whoever draws it: colours and numbers are those of the picture."""

from typing import Final

from gpf_desktop.domain.grid_picture import GridCell, GridPicture
from gpf_desktop.domain.text import decimal, percent
from gpf_desktop.numerics.color_scale import CIVIDIS, DIVERGING, color_at, faded, mixed

_DIGITS: Final = 2


def stops(picture: GridPicture) -> tuple[str, ...]:
    """The colours of its scale, from its low end to its high one, evenly apart."""
    return CIVIDIS if picture.centre is None else DIVERGING


def cell_fill(picture: GridPicture, cell: GridCell, ground: str) -> str:
    """``#RRGGBB`` of a *cell* that has a value, on *ground*."""
    assert cell.value is not None
    if not picture.told(cell):
        # It carries no number that must be read on it, and is to step back on a dark ground too.
        return mixed(color_at(picture.share(cell.value), stops(picture)), picture.strength(cell), ground)
    return faded(color_at(picture.share(cell.value), stops(picture)), picture.strength(cell), ground)


def cell_words(picture: GridPicture, cell: GridCell) -> str:
    """The number in a cell; of one by its distance from the mean, that distance, and nothing where it is not told."""
    if cell.value is None or not picture.told(cell):
        return ""
    return end_words(picture, cell.value, _DIGITS)


def end_words(picture: GridPicture, value: float, digits: int) -> str:
    """*value* as it stands in the picture and at the ends of its scale."""
    if picture.centre is not None:
        apart = value - picture.centre
        words = percent(apart, 1) if picture.percent else decimal(apart, max(digits, _DIGITS))
        return f"+{words}" if apart > 0 and not words.startswith("−") else words
    return percent(value, 1) if picture.percent else decimal(value, digits)
