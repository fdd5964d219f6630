"""The words on chips with what each means, for a page that has no conclusion to show yet."""

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import chips
from gpf_desktop.domain.text import tr
from gpf_desktop.figures.marks import chip, chip_width
from gpf_desktop.figures.shapes import Figure, Shape, Words
from gpf_desktop.figures.text_widths import width_of

_ROW = 32.0
_SIZE = 13.0
_APART = 16.0


def chips_figure() -> Figure:
    """A line for each outcome, as wide as its words."""
    said, meant = chips(), _meanings()
    behind = max(map(chip_width, said.values())) + _APART
    title = tr("What a line can say:")
    shapes: list[Shape] = [Words(x=1, y=_ROW / 2 + 4.5, text=title, size=_SIZE, ink="text_secondary")]
    for at, (outcome, words) in enumerate(meant.items(), start=1):
        y = _ROW * (at + 0.5)
        shapes += chip(outcome, said[outcome], 1, y)
        shapes.append(Words(x=behind, y=y + 4.5, text=words, size=_SIZE))
    lines = (f"{said[outcome]}: {words}" for outcome, words in meant.items())
    return Figure(
        width=behind + max(width_of(each, _SIZE) for each in meant.values()) + _APART,
        height=_ROW * (len(meant) + 1),
        shapes=tuple(shapes),
        title=title,
        description=" ".join((title, *lines)),
    )


def _meanings() -> dict[ConclusionOutcome, str]:
    return {
        ConclusionOutcome.DIFFERS: tr("The answers moved by more than chance explains."),
        ConclusionOutcome.ALIKE: tr("They moved by no more than is too small to matter."),
        ConclusionOutcome.NOT_SHOWN: tr("A difference was neither shown nor ruled out."),
        ConclusionOutcome.TOO_EARLY: tr("The answers that were planned are not all in."),
        ConclusionOutcome.CHECK_FAILED: tr("A check failed: the number does not count."),
        ConclusionOutcome.TOO_FEW: tr("Too few answers came for anything to be said."),
    }
