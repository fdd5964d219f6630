"""A figure as a drawing: for web pages, documents and files of its own."""

from collections.abc import Callable, Mapping
from html import escape
from typing import Final, assert_never

from gpf_desktop.domain.text import printable
from gpf_desktop.figures.palette import palette
from gpf_desktop.figures.shapes import Disc, Figure, Line, Polygon, Rectangle, Shape, Spot, Trace, Words

FONTS: Final = "Inter, sans-serif"
"""The fonts of a drawing's words, the first that is there."""
IN_PAGE: Final = {name: f"var(--{name})" for name in palette("light")} | {"surface": "var(--window)"}
"""Colours that a web page has as variables."""


def svg(
    figure: Figure,
    theme: str | Mapping[str, str] = "light",
    *,
    alone: bool = True,
    link: Callable[[int], str] | None = None,
) -> str:
    """*figure* in the colours of the palette called *theme*, or in those that it is itself.

    *alone*: it is a file of its own, with a ground and its font's name. *link*: of a row's number, the address that its
    mark leads to, empty for none.
    """
    colors = palette(theme) if isinstance(theme, str) else theme
    ground = f'<rect width="100%" height="100%" fill="{colors["surface"]}"/>' if alone else ""
    shapes = "".join(_drawn(each, colors) for each in figure.shapes)
    spots = "".join(_spot(each, "" if link is None else link(each.row)) for each in figure.spots)
    size = f' width="{_n(figure.width)}" height="{_n(figure.height)}"' if alone else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{size} viewBox="0 0 {_n(figure.width)} {_n(figure.height)}"'
        f' role="img" font-family="{FONTS}"><title>{escape(printable(figure.title))}</title>'
        f"<desc>{escape(printable(figure.description))}</desc>{ground}{shapes}{spots}</svg>"
    )


def _drawn(each: Shape, colors: Mapping[str, str]) -> str:
    match each:
        case Line():
            return (
                f'<path d="M{_n(each.x1)} {_n(each.y1)}L{_n(each.x2)} {_n(each.y2)}" fill="none"'
                f"{_stroke(each.ink, each.width, colors)}{_dash(each)}{_opacity(each.opacity)}/>"
            )
        case Rectangle():
            radius = f' rx="{_n(each.radius)}"' if each.radius else ""
            return (
                f'<rect x="{_n(each.x)}" y="{_n(each.y)}" width="{_n(max(0.0, each.width))}"'
                f' height="{_n(max(0.0, each.height))}"{radius}'
                f"{_fill(each.fill, colors)}{_edge(each.edge, each.edge_width, colors)}{_opacity(each.opacity)}/>"
            )
        case Disc():
            return (
                f'<circle cx="{_n(each.x)}" cy="{_n(each.y)}" r="{_n(each.radius)}"'
                f"{_fill(each.fill, colors)}{_edge(each.edge, each.edge_width, colors)}/>"
            )
        case Polygon():
            points = " ".join(f"{_n(x)},{_n(y)}" for x, y in each.points)
            return (
                f'<polygon points="{points}" stroke-linejoin="round"'
                f"{_fill(each.fill, colors)}{_edge(each.edge, each.edge_width, colors)}{_opacity(each.opacity)}/>"
            )
        case Trace():
            points = " ".join(f"{_n(x)},{_n(y)}" for x, y in each.points)
            return (
                f'<polyline points="{points}" fill="none" stroke-linejoin="round"'
                f"{_stroke(each.ink, each.width, colors)}/>"
            )
        case Words():
            anchor = "" if each.anchor == "start" else f' text-anchor="{each.anchor}"'
            weight = ' font-weight="600"' if each.bold else ""
            return (
                f'<text x="{_n(each.x)}" y="{_n(each.y)}" font-size="{_n(each.size)}"{anchor}{weight}'
                f' fill="{_color(each.ink, colors)}">{escape(printable(each.text), quote=False)}</text>'
            )
        case _:
            assert_never(each)


def _spot(each: Spot, address: str) -> str:
    box = (
        f'<rect x="{_n(each.x)}" y="{_n(each.y)}" width="{_n(each.width)}" height="{_n(each.height)}"'
        f' fill="#000000" fill-opacity="0"><title>{escape(printable(each.says))}</title></rect>'
    )
    return f'<a href="{escape(address)}">{box}</a>' if address else box


def _color(ink: str, colors: Mapping[str, str]) -> str:
    return ink if ink.startswith("#") else colors[ink]


def _fill(ink: str, colors: Mapping[str, str]) -> str:
    return f' fill="{_color(ink, colors)}"' if ink else ' fill="none"'


def _edge(ink: str, width: float, colors: Mapping[str, str]) -> str:
    return _stroke(ink, width, colors) if ink else ""


def _stroke(ink: str, width: float, colors: Mapping[str, str]) -> str:
    return f' stroke="{_color(ink, colors)}" stroke-width="{_n(width)}"'


def _dash(each: Line) -> str:
    dash = "" if each.dash is None else f' stroke-dasharray="{_n(each.dash[0])} {_n(each.dash[1])}"'
    return dash + (' stroke-linecap="round"' if each.round else "")


def _opacity(value: float) -> str:
    return "" if value == 1.0 else f' opacity="{_n(value)}"'


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
