"""Planned looks as a track: what is in, where the next look is, and how many there are."""

import math
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import Standing
from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.figures.shapes import Disc, Line, Shape, Words
from gpf_desktop.figures.text_widths import width_of

HEIGHT: Final = 36.0
WIDTH: Final = 320.0
_SIZE: Final = 11.0


def looks_track(standing: Standing, width: float = WIDTH) -> list[Shape]:
    """The track of *standing*, `HEIGHT` high; none where no looks were planned, or by something else than items."""
    looks = standing.looks
    if not looks or standing.reached == len(looks) == 1:
        return []
    left, right, y = 22.0, width - 22.0, 10.0
    most = max(looks[-1], standing.items)

    def x(items: float) -> float:
        # The first look has some room before it, however far apart the others are.
        return left + (right - left) * math.pow(items / most, 0.8)

    now = x(standing.items)
    shapes: list[Shape] = [
        Line(x1=left, y1=y, x2=right, y2=y, ink="border", width=3.5, round=True),
        Line(x1=left, y1=y, x2=now, y2=y, ink="accent", width=3.5, round=True),
    ]
    words = tr("{n} in", n=grouped(standing.items))
    shapes.append(Words(x=now, y=y + 20, text=words, size=_SIZE, ink="accent", anchor="middle", bold=True))
    taken = now + width_of(words, _SIZE, bold=True) / 2
    for at, each in enumerate(looks):
        behind = at < standing.reached
        place = x(each)
        fill, edge = ("accent", "accent") if behind else ("surface", "text_secondary")
        shapes.append(Disc(x=place, y=y, radius=5, fill=fill, edge=edge, edge_width=2))
        said = tr("{n}: first look", n=grouped(each)) if at == 0 and not behind else grouped(each)
        half = width_of(said, _SIZE) / 2
        middle = min(place, width - half)
        if middle - half > taken + 6:
            shapes.append(Words(x=middle, y=y + 20, text=said, size=_SIZE, ink="text_secondary", anchor="middle"))
            taken = middle + half
    shapes.append(Disc(x=now, y=y, radius=4.5, fill="accent"))
    return shapes


def track_words(standing: Standing) -> str:
    """The track in words, for who does not see it; empty where no looks were planned."""
    if not standing.looks:
        return ""
    looks = ", ".join(grouped(each) for each in standing.looks)
    reached = trn("{n} planned look reached", "{n} planned looks reached", standing.reached)
    return tr("{n} in; looks at {looks}; {reached}", n=grouped(standing.items), looks=looks, reached=reached)
