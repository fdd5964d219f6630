"""One table, figure or bundle of a report as templates want it."""

import math
from collections.abc import Iterable
from typing import Any, assert_never
from urllib.parse import urlsplit

from gpf_desktop.domain.figures import Figure, HeatMap, Intervals, PointMap, Profiles, Scatter, SeriesChart, Violins
from gpf_desktop.domain.findings import Column, ColumnKind, Estimate, Finding, Row, Value, printed_rows, telling_columns
from gpf_desktop.domain.reports import ReportBundle, ReportReading, ReportScore
from gpf_desktop.domain.text import printable, tr, unbroken
from gpf_desktop.exporters._figures import TALLEST, WIDE, drawn_view, grid
from gpf_desktop.exporters._text import bounds, interval_letter, number, shown
from gpf_desktop.figures import intervals, violins
from gpf_desktop.figures.heat import heat_figure
from gpf_desktop.figures.point_map import map_figure
from gpf_desktop.figures.profiles import profile_figure
from gpf_desktop.figures.scatter import scatter_figure
from gpf_desktop.figures.series import series_figures
from gpf_desktop.figures.shapes import Figure as Drawn

View = dict[str, Any]


def table_view(finding: Finding) -> View:
    """The rows of *finding* that are printed, without counts that are 0 throughout."""
    columns, silent = telling_columns(finding)
    return {
        "columns": [
            {"title": column.title, "help": column.help, "numeric": column.kind is not ColumnKind.TEXT}
            for column in columns
        ],
        "rows": [_row(row, columns) for row in printed_rows(finding)],
        "silent": tr("0 in every row: {columns}.", columns=", ".join(column.title for column in silent))
        if silent
        else "",
    }


def figure_views(finding: Finding, figure: Figure, width: int) -> list[View]:
    """*figure*, drawn *width* pixels across. Empty where it has nothing to draw."""
    return [drawn_view(each) for each in _drawn(finding, figure, width) if each is not None]


def _drawn(finding: Finding, figure: Figure, width: int) -> Iterable[Drawn | None]:
    paper = width < WIDE
    tallest = float(TALLEST) if paper else math.inf
    made: Iterable[Drawn | None]
    match figure:
        case HeatMap():
            made = [heat_figure(finding, figure, width)]
        case Scatter():
            made = [scatter_figure(finding, figure, width)]
        case PointMap():
            made = [map_figure(finding, figure, width)]
        case Intervals():
            pitch = intervals.CLOSE if paper else intervals.PITCH
            known = intervals.has_values(finding, figure)
            made = intervals.interval_figures(finding, figure, width, pitch=pitch, tallest=tallest) if known else []
        case Violins():
            made = [violins.violin_figure(finding, figure, width, pitch=violins.CLOSE if paper else violins.PITCH)]
        case Profiles():
            made = [profile_figure(finding, figure, width)]
        case SeriesChart():
            made = series_figures(finding, figure, width, tallest=tallest)
        case _:
            assert_never(figure)
    return made


def grid_views(finding: Finding) -> list[View]:
    """Its heat maps as tables, for a reader that draws no figures."""
    return [_grid(finding, figure) for figure in finding.figures if isinstance(figure, HeatMap)]


def _grid(finding: Finding, figure: HeatMap) -> View:
    made = grid(finding, figure)
    return {
        "title": figure.title,
        "across": made.across,
        "rows": [{"label": label, "cells": cells} for label, cells in zip(made.down, made.cells, strict=True)],
    }


def _row(row: Row, columns: tuple[Column, ...]) -> View:
    return {"synthetic": row.synthetic, "cells": [_cell(row.values[column.key], column) for column in columns]}


def _cell(value: Value, column: Column) -> View:
    view: View = {
        "text": unbroken(shown(value, column.kind)),
        "numeric": column.kind is not ColumnKind.TEXT,
        **dict.fromkeys(("interval", "method", "kind", "count", "why"), ""),
    }
    if not isinstance(value, Estimate):
        return view
    if value.value is None:
        return {**view, "why": printable(value.why)}
    if value.interval is not None:
        view["interval"] = bounds(value.interval, column.kind)
        view["method"] = value.interval.method
        view["kind"] = interval_letter(value.interval)
    return {**view, "count": f"n {value.n:,}"}


def bundle_view(bundle: ReportBundle) -> View:
    """*bundle* with its answers."""
    # Addresses come from feeds and tables: one that runs a script when it is clicked stays plain text.
    link = bundle.url if urlsplit(printable(bundle.url)).scheme in ("http", "https") else ""
    return {
        "place": printable(bundle.heading),
        "model": printable(bundle.model),
        "synthetic": bundle.synthetic,
        "provisional": bundle.provisional,
        "numbered": tr("set of answers {number}", number=bundle.number),
        "count": tr(
            "set {number}, {valid} of {planned} answers",
            number=bundle.number,
            valid=bundle.valid,
            planned=bundle.planned,
        )
        + (f", {bundle.arm}" if bundle.arm else ""),
        "question": printable(bundle.question),
        "headline": printable(bundle.headline),
        "description": printable(bundle.description),
        "source": printable(bundle.source),
        "url": printable(bundle.url),
        "link": printable(link),
        "scores": [_score(score) for score in bundle.scores],
        "reviews": [_review(reading) for reading in bundle.reviews],
        "answers": [
            {
                "level": printable(answer.level),
                "text": printable(answer.page_text),
                "missing": tr("No valid answer: {reason}.", reason=answer.missing) if answer.missing else "",
                "flags": [printable(mark) for mark in answer.marks],
                "source": printable(answer.source_words),
            }
            for answer in bundle.printed
        ],
    }


def _score(score: ReportScore) -> View:
    text = (
        "–" if score.value is None else printable(score.value) if isinstance(score.value, str) else number(score.value)
    )
    return {"title": score.title, "text": text, "why": score.why if score.value is None else ""}


def _review(reading: ReportReading) -> View:
    return {
        "what": printable(reading.what),
        "who": printable(reading.reviewer),
        "at": f"{reading.at:%Y-%m-%d %H:%M} UTC",
        "note": printable(reading.note),
        "passages": [
            {
                "level": printable(passage.level),
                "words": printable(passage.words),
                "comment": printable(passage.comment),
            }
            for passage in reading.passages
        ],
    }
