"""The figure that leads a brief."""

from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.report_blocks import DrawnFigure
from gpf_desktop.figures.lead import PAPER, lead_figure
from gpf_desktop.figures.lead_words import finding
from gpf_desktop.figures.svg import svg


def lead_drawing(told: ToldPage) -> DrawnFigure | None:
    """The lead figure of *told*, its finding as title; None where there is nothing to draw."""
    if not told.told:
        return None
    figure = lead_figure(told, PAPER, with_title=False)
    title, subtitle = finding(told)
    return DrawnFigure(
        title=title,
        subtitle=subtitle,
        svg=svg(figure, alone=False),
        width=figure.width,
        height=figure.height,
        alt=figure.description,
    )
