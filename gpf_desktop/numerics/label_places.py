"""The places of names beside the points of a chart, so that as few as can be lie over each other or over a mark."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

SIDES: Final = tuple(product((False, True), (False, True)))
"""(left, below) in the order in which they are tried: right above the point first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: "Box") -> float:
        """The area that both cover."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across * down if across > 0 and down > 0 else 0.0

    def outside(self, frame: "Box") -> float:
        """The area that *frame* does not cover."""
        return (self.right - self.left) * (self.bottom - self.top) - self.shared(frame)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A point with a name of a certain size."""

    x: float
    y: float
    width: float
    height: float

    def box(self, *, left: bool, below: bool, apart: float = 0.0) -> Box:
        """The box of the name when it stands *left* of the point or right of it, *below* or above."""
        x = self.x - apart - self.width if left else self.x + apart
        y = self.y + apart if below else self.y - apart - self.height
        return Box(left=x, top=y, right=x + self.width, bottom=y + self.height)


def label_places(
    points: Sequence[Named], marks: Sequence[Box], frame: Box, *, apart: float = 0.0
) -> list[tuple[bool, bool]]:
    """(left, below) for each of *points*, chosen one after the other: the side that covers least of the names before
    it and of *marks*, and that leaves *frame* least."""
    taken: list[Box] = []
    chosen = []
    for point in points:
        boxes = {(left, below): point.box(left=left, below=below, apart=apart) for left, below in SIDES}

        def cost(side: tuple[bool, bool], boxes: dict[tuple[bool, bool], Box] = boxes) -> float:
            box = boxes[side]
            over = sum(box.shared(each) for each in taken) + sum(box.shared(each) for each in marks)
            # A name that leaves the frame is cut off, which is worse than one that lies over another.
            return over + 4 * box.outside(frame)

        side = min(SIDES, key=cost)
        taken.append(boxes[side])
        chosen.append(side)
    return chosen
