"""Where a scatter's marks stand: the same for the window and for files."""

from dataclasses import dataclass

from gpf_desktop.numerics.label_places import Box
from gpf_desktop.numerics.scatter_layout import Room, scatter_layout


@dataclass(frozen=True)
class Mark:
    x: float
    y: float
    low: float | None = None
    high: float | None = None


def test_that_axes_end_at_round_numbers_around_every_mark_and_interval() -> None:
    marks = [Mark(0.21, 0.11, 0.18, 0.43), Mark(0.3, 0.02)]
    layout = scatter_layout(marks, from_zero=True)
    assert (round(layout.across.low, 9), round(layout.across.high, 9)) == (0.15, 0.45)
    assert (layout.up.low, round(layout.up.high, 9)) == (0.0, 0.12)
    assert scatter_layout(marks, from_zero=False).up.low == 0.02
    alone = scatter_layout([Mark(0.0, 0.0)], from_zero=True)
    assert alone.across.low <= 0.0 < alone.across.high


def test_that_a_name_at_the_right_end_stands_left_of_its_mark() -> None:
    layout = scatter_layout([Mark(0.0, 1.0), Mark(1.0, 2.0)], from_zero=True)
    plot = Box(left=0, top=0, right=300, bottom=200)
    (first, _), (last, _) = layout.sides(plot, plot, Room(names=[(60, 12), (60, 12)], mark=4, apart=6))
    assert (first, last) == (False, True)
