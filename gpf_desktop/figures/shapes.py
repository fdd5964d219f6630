"""The shapes that pictures are made of. Places are pixels from the top left; an ink is a name of the palette, or
``#RRGGBB`` where every palette has the same; empty for none."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, assert_never

from gpf_desktop.domain.findings import BundleFilter

Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    x1: float
    y1: float
    x2: float
    y2: float
    ink: str
    width: float = 1.0
    dash: tuple[float, float] | None = None
    opacity: float = 1.0
    round: bool = False

    def moved(self, x: float, y: float) -> "Line":
        return replace(self, x1=self.x1 + x, x2=self.x2 + x, y1=self.y1 + y, y2=self.y2 + y)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle:
    x: float
    y: float
    width: float
    height: float
    fill: str = ""
    edge: str = ""
    edge_width: float = 1.0
    radius: float = 0.0
    opacity: float = 1.0

    def moved(self, x: float, y: float) -> "Rectangle":
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc:
    x: float
    y: float
    radius: float
    fill: str = ""
    edge: str = ""
    edge_width: float = 1.0

    def moved(self, x: float, y: float) -> "Disc":
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True, kw_only=True)
class Polygon:
    points: tuple[tuple[float, float], ...]
    fill: str = ""
    edge: str = ""
    edge_width: float = 1.0
    opacity: float = 1.0

    def moved(self, x: float, y: float) -> "Polygon":
        return replace(self, points=tuple((a + x, b + y) for a, b in self.points))


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """A line through all its points."""

    points: tuple[tuple[float, float], ...]
    ink: str
    width: float = 1.5

    def moved(self, x: float, y: float) -> "Trace":
        return replace(self, points=tuple((a + x, b + y) for a, b in self.points))


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    x: float
    y: float
    """Of the line that letters stand on."""
    text: str
    size: float = 13
    ink: str = "text"
    anchor: Anchor = "start"
    bold: bool = False

    def moved(self, x: float, y: float) -> "Words":
        return replace(self, x=self.x + x, y=self.y + y)


Shape = Line | Rectangle | Disc | Polygon | Trace | Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A place in the picture that stands for something: hovered, focused, followed to its answers."""

    x: float
    y: float
    width: float
    height: float
    says: str
    """Who it is, its value with its range."""
    row: int
    """Of the lead (`Lead.rows`), or of the finding."""
    bundles: BundleFilter | None = None
    """The sets of answers behind it; None: whoever shows the picture knows."""

    def moved(self, x: float, y: float) -> "Spot":
        return replace(self, x=self.x + x, y=self.y + y)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A whole picture."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
    """The finding."""
    description: str
    """For who does not see it."""
    spots: tuple[Spot, ...] = ()
    reading: str = ""
    """What it shows, in words under it."""
    cuts: tuple[float, ...] = ()
    """Heights between parts that belong together: a page may end there."""
    across: int = 1
    """Spots that stand beside each other: so many further on is the one below."""

    def part(self, top: float, bottom: float) -> "Figure":
        """The part of the figure between these heights."""
        return replace(
            self,
            height=bottom - top,
            shapes=tuple(each.moved(0, -top) for each in self.shapes if _between(each, top, bottom)),
            spots=tuple(each.moved(0, -top) for each in self.spots if top <= each.y + each.height / 2 < bottom),
            cuts=(),
        )


def _between(shape: Shape, top: float, bottom: float) -> bool:
    match shape:
        case Line():
            heights = (shape.y1, shape.y2)
        case Polygon() | Trace():
            heights = (min(y for _, y in shape.points), max(y for _, y in shape.points))
        case Rectangle():
            heights = (shape.y, shape.y + shape.height)
        case Disc() | Words():
            heights = (shape.y, shape.y)
        case _:
            assert_never(shape)
    return min(heights) < bottom and max(heights) >= top


def moved(shapes: Sequence[Shape], x: float, y: float) -> list[Shape]:
    return [each.moved(x, y) for each in shapes]
