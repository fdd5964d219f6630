"""A report as the typesetter wants it: JSON of words and vector figures, none of it markup."""

import re
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.text import printable, shortened, tr, trn
from gpf_desktop.exporters._figures import TALLEST
from gpf_desktop.exporters._finding_view import View
from gpf_desktop.exporters._html_view import page_view
from gpf_desktop.exporters._parts_view import logo_svg
from gpf_desktop.exporters._text import NO_VALUE
from gpf_desktop.figures.palette import palette
from gpf_desktop.figures.shapes import Figure
from gpf_desktop.figures.svg import svg

FIGURE_PIXELS: Final = 720
"""Across a figure: on A4, its smallest words are then 7 points high."""
_HALF: Final = 460
"""Pixels of a figure that takes no more than half a page."""
_FIGURES: Final = 2
"""Of one table."""
_RUNNING: Final = 70
"""Characters of the title in running heads."""
_UNBROKEN: Final = re.compile(r"[^\s\u2E80-\uD7FF]{28,}")
"""Runs in which a line cannot break, longer than a narrow column is wide."""
_STEP: Final = 14
_WHOLE: Final = 700
"""Characters of an answer that no page parts."""
_DIRECTED: Final = frozenset({"R", "AL", "RLE", "LRE", "RLO", "LRO", "PDF", "RLI", "LRI", "FSI", "PDI"})
# Strings that are no words: a place to break, put into them, would make another drawing or address.
_AS_IT_IS: Final = frozenset({"svg", "link", "id", "kind", "voice", "chapter"})


def paper_view(report: Report) -> View:
    """The values that ``report.typ`` sets."""
    view = page_view(report, FIGURE_PIXELS)
    title = " ".join(view["title"].split()) or tr("Report")
    synthetic = ""
    if report.synthetic:
        synthetic = tr("All answers synthetic") if report.all_synthetic else tr("Contains synthetic answers (▲)")
    return {
        "title": _said(title),
        "running": _said(shortened(title, _RUNNING)),
        "program": report.program,
        "window": _said(report.window),
        "synthetic": " · ".join(filter(None, (synthetic, tr("Imported answers") if report.imported else ""))),
        "imported": _said(report.imported),
        "all_synthetic": report.all_synthetic,
        "colors": palette("light"),
        **plain({key: view[key] for key in ("banner", "words", "authors")}),
        "organisation": _said(view["organisation"]),
        "logo": None if report.logo is None else logo_svg(report.logo),
        "chapters": [_chapter(chapter) for chapter in view["chapters"]],
    }


def _chapter(view: View) -> View:
    kept = ("id", "title", "sections", "notation", "chosen", "answers")
    return {
        **plain({name: view[name] for name in kept}),
        "parts": [_part(part) for part in view["parts"]],
        "findings": [_section(section) for section in view["findings"]],
        "bundles": [_bundle(bundle) for bundle in view["bundles"]],
    }


def _part(view: View) -> View:
    findings = [
        {**plain({**found, "evidence": []}), "evidence": [_evidence(each) for each in found["evidence"]]}
        for found in view["findings"]
    ]
    return {**plain({**view, "findings": []}), "findings": findings}


def _evidence(view: View) -> View:
    kept = plain({name: each for name, each in view.items() if name not in ("figures", "grids", "bundle")})
    bundle = None if view["bundle"] is None else _bundle(view["bundle"])
    return {**kept, "bundle": bundle, "figures": drawn_figures(view["figures"])}


def _section(view: View) -> View:
    kept = ("id", "title", "reading", "synthetic", "highlights", "table", "appendix", "notes")
    # Half a page of a chart tells what two pages of it do; the window and the workbook have all of it.
    some = [each for each in view["figures"] if each["height"] <= _HALF][:_FIGURES]
    left = len({each["title"] for each in view["figures"]} - {each["title"] for each in some})
    notes = view["notes"]
    if left:
        more = trn("{n} further figure", "{n} further figures", left)
        notes = [tr("{more}: sheet “Figures” of the report as a workbook (.xlsx).", more=more), *notes]
    return {**plain({key: view[key] for key in kept} | {"notes": notes}), "figures": drawn_figures(some)}


def drawn_figures(figures: Sequence[View]) -> list[View]:
    """*figures* as drawings that each fit on a page: ``svg``, ``title``, ``reading``, ``share`` of the page's width.

    ``slices``: the same in pieces, between which a page may end. ``told``: the drawing above has the same reading.
    """
    return [
        {
            "svg": svg(part["figure"]),
            "slices": [svg(each) for each in _slices(part["figure"])],
            "title": _said(part["title"]),
            "reading": _said(part["reading"]),
            "told": before is not None and part["reading"] == before["reading"],
            "share": min(1.0, TALLEST / part["height"]),
        }
        for before, part in zip([None, *figures], figures, strict=False)
    ]


def _bundle(view: View) -> View:
    answers = [
        {
            **answer,
            "level": _or_dash(answer["level"]),
            "source": _said(answer["source"]),
            "text": [
                {"words": _said(line), "rtl": _leads_right_to_left(line)}
                for line in answer["text"].split("\n")
                if line.strip()
            ],
            "long": len(answer["text"]) > _WHOLE,
        }
        for answer in view["answers"]
    ]
    return {**plain({**view, "place": _or_dash(view["place"]), "answers": []}), "answers": answers}


def _slices(figure: Figure) -> Iterator[Figure]:
    """*figure* cut where a page may end."""
    for top, bottom in pairwise([0.0, *figure.cuts, figure.height]):
        yield figure.part(top, bottom)


def plain(value: Any, key: str = "") -> Any:
    """*value* with every word in it made fit for a line."""
    match value:
        case str():
            return value if key in _AS_IT_IS else _said(value)
        case dict():
            return {name: plain(each, name) for name, each in value.items()}
        case list() | tuple():
            return [plain(each) for each in value]
        case _:
            return value


def _said(text: str) -> str:
    """*text* with places to break in what would leave the page, and kept from turning the words around it."""
    # A zero-width space is a place to break that shows nothing; the isolates below end a turned direction with the
    # text.
    text = _UNBROKEN.sub(_with_breaks, printable(text))
    return f"\u2068{text}\u2069" if any(unicodedata.bidirectional(each) in _DIRECTED for each in text) else text


def _with_breaks(run: re.Match[str]) -> str:
    """The run with breaks at its joints, so that no last letter of a name stands alone; without joints, every `_STEP`
    characters."""
    pieces = re.split(r"(?<=[/\-_.:])(?=\w)", run[0])
    return "\u200b".join(part for piece in pieces for part in textwrap.wrap(piece, _STEP))


def _or_dash(text: str) -> str:
    return _said(text.strip() or NO_VALUE)


def _leads_right_to_left(text: str) -> bool:
    """Whether the first letter that has a direction runs from right to left, as a browser's ``dir="auto"`` asks."""
    return next((way != "L" for each in text if (way := unicodedata.bidirectional(each)) in ("L", "R", "AL")), False)
