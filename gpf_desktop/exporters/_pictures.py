"""Figures of a report as pictures, for documents that take no drawings."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.figures import Figure
from gpf_desktop.domain.findings import Finding
from gpf_desktop.exporters._finding_view import View, figure_views
from gpf_desktop.exporters._pdf_view import FIGURE_PIXELS, drawn_figures
from gpf_desktop.figures.files import DENSITY, painted


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One figure, or one page's part of it."""

    png: bytes
    title: str
    reading: str
    """What belongs under it, its key among that."""
    share: float
    """Of a page's width, at most 1."""

    @property
    def height(self) -> float:
        """Inches."""
        # A PNG begins with its signature and the head of its first chunk, in which width and height come first.
        return int.from_bytes(self.png[20:24], "big") / DENSITY

    @property
    def alt(self) -> str:
        """The words for who does not see the picture."""
        return f"{self.title}. {self.reading}"


def pictures(finding: Finding, figures: Sequence[Figure]) -> list[Picture]:
    """*figures* of *finding*, drawn as the web page and the PDF draw them; none where they have nothing to draw.

    Raises `UserError` where one cannot be drawn.
    """
    views: list[View] = [
        view for place, figure in enumerate(figures) for view in figure_views(finding, figure, FIGURE_PIXELS)
    ]
    drawn = drawn_figures(views)
    return [
        Picture(png=png, title=each["title"], reading=each["reading"], share=each["share"])
        for png, each in zip(painted([each["svg"] for each in drawn]), drawn, strict=True)
    ]
