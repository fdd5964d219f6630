"""A report as the page's template wants it: words and numbers, no markup."""

from collections import Counter
from typing import Any, Final, assert_never
from urllib.parse import urlsplit

from gpf_desktop.domain.figures import Figure, HeatMap, Intervals, Scatter, SeriesChart
from gpf_desktop.domain.findings import Column, ColumnKind, Estimate, Finding, Row, Value
from gpf_desktop.domain.reports import Report, ReportBundle, ReportReading, ReportScore
from gpf_desktop.domain.text import tr
from gpf_desktop.exporters._figures import WIDE, grid, heat_view, scatter_view
from gpf_desktop.exporters._interval_figures import interval_view
from gpf_desktop.exporters._series_figures import series_views
from gpf_desktop.exporters._text import bounds, number, printable, shown, telling_columns

_LONG_TABLE: Final = 30
"""Rows from which a table goes to the end of the report."""
_LONG_BESIDE_FIGURE: Final = 16

View = dict[str, Any]


def page_view(report: Report, width: int = WIDE) -> View:
    """Everything that the template names, except the style sheet; figures are *width* pixels across."""
    common = _common_notes(report)
    sections = [_section(finding, common, width) for finding in report.findings]
    words = _words(report)
    bundles = [_bundle(bundle) for bundle in report.bundles]
    contents = [{"id": "reading", "title": words["how_to_read"]}]
    contents += [{"id": section["id"], "title": section["title"]} for section in sections]
    contents += [{"id": "bundles", "title": words["bundles"]}] if bundles else []
    contents += [
        {"id": name, "title": words[title]}
        for name, title in (("reviews", "review"), ("limits", "limits"), ("made", "run"))
    ]
    return {
        "report": report,
        "title": printable(report.title),
        "banner": _banner(report),
        "words": words,
        "contents": contents,
        "sections": sections,
        "bundles": bundles,
        "notation": [words["key"], *common],
        "facts": [{"name": printable(fact.name), "value": printable(fact.value)} for fact in report.facts],
        "appendix": [section for section in sections if section["appendix"]],
    }


def table_view(finding: Finding) -> View:
    """The whole table of *finding*, without counts that are 0 throughout."""
    columns, silent = telling_columns(finding)
    return {
        "columns": [
            {"title": column.title, "help": column.help, "numeric": column.kind is not ColumnKind.TEXT}
            for column in columns
        ],
        "rows": [_row(row, columns) for row in finding.rows],
        "silent": tr("0 in every row: {columns}.", columns=", ".join(column.title for column in silent))
        if silent
        else "",
    }


def _words(report: Report) -> dict[str, str]:
    return {
        "synthetic": tr("synthetic"),
        "imported": tr("Imported"),
        "made": tr("Made {moment} UTC by {program}", moment=f"{report.made:%Y-%m-%d %H:%M}", program=report.program),
        "contents": tr("Contents"),
        "how_to_read": tr("How to read this report"),
        "bundles": tr("Answers side by side"),
        "people": tr("What people said"),
        "unread": tr("Not reviewed: no person has given a verdict on these answers."),
        "review": tr("Review"),
        "limits": tr("What these numbers cannot show"),
        "run": tr("What was run, and how"),
        "tables": tr("Tables in full"),
        "notation": tr("Notation"),
        "settings": printable(report.settings),
        "as_above": tr("How scores and intervals were made"),
        "provisional": tr("provisional"),
        "key": tr(
            "Under each mean: its 95 % interval, made by b: bootstrap over articles, t: t-interval, w: Wilson's; "
            "and n, the bundles (cells, models or batches) it rests on, where it differs from the row's."
        ),
        "short": report.statement,
    }


def _banner(report: Report) -> str:
    if report.all_synthetic:
        return tr(
            "Every answer in this report was made up by calibration models with planted behaviour. It shows how the "
            "instrument works and says nothing about any real model."
        )
    if report.synthetic:
        return tr("Rows with this mark are calibration models: their answers are made up, their behaviour is planted.")
    return ""


def _section(finding: Finding, common: tuple[str, ...], width: int) -> View:
    long = len(finding.rows) > (_LONG_BESIDE_FIGURE if finding.figures else _LONG_TABLE)
    figures = [
        view for number, figure in enumerate(finding.figures) for view in _figures(finding, figure, number, width)
    ]
    return {
        "id": finding.name.replace("_", "-"),
        "title": finding.title,
        "reading": finding.reading,
        "synthetic": all(row.synthetic for row in finding.rows),
        "figures": figures,
        "grids": [_grid(finding, figure) for figure in finding.figures if isinstance(figure, HeatMap)],
        "highlights": [printable(line) for line in finding.highlights],
        "table": None if long else table_view(finding),
        "appendix": tr("All {n} rows, with intervals", n=len(finding.rows)) if long else "",
        "full": table_view(finding) if long else None,
        "notes": [printable(note) for note in finding.notes if printable(note) not in common],
    }


def _common_notes(report: Report) -> tuple[str, ...]:
    """Notes that belong under most tables, said once: how intervals and scores were made."""
    told = Counter(note for finding in report.findings for note in dict.fromkeys(finding.notes))
    often = [note for note, n in told.items() if n > 1 and (n > len(report.findings) / 2 or note in report.scope)]
    return tuple(printable(note) for note in often)


def _figures(finding: Finding, figure: Figure, place: int, width: int) -> list[View]:
    match figure:
        case HeatMap():
            return [heat_view(finding, figure, f"{finding.name}-{place}", width)]
        case Scatter():
            made = scatter_view(finding, figure, width)
            return [] if made is None else [made]
        case Intervals():
            made = interval_view(finding, figure, width)
            return [] if made is None else [made]
        case SeriesChart():
            return list(series_views(finding, figure, width))
        case _:
            assert_never(figure)


def _grid(finding: Finding, figure: HeatMap) -> View:
    """A heat map as a table, for a reader that draws no figures."""
    made = grid(finding, figure)
    return {
        "title": figure.title,
        "across": made.across,
        "rows": [{"label": label, "cells": cells} for label, cells in zip(made.down, made.cells, strict=True)],
    }


def _row(row: Row, columns: tuple[Column, ...]) -> View:
    # An n that a count of the same row already says is not said again.
    whole = frozenset(value for value in row.values.values() if isinstance(value, int))
    return {"synthetic": row.synthetic, "cells": [_cell(row.values[column.key], column, whole) for column in columns]}


def _cell(value: Value, column: Column, whole: frozenset[int]) -> View:
    view: View = {
        "text": shown(value, column.kind),
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
        view["kind"] = value.interval.method[:1].lower()
    if value.n not in whole:
        view["count"] = f"n {value.n:,}"
    return view


def _bundle(bundle: ReportBundle) -> View:
    link = bundle.url if urlsplit(printable(bundle.url)).scheme in ("http", "https") else ""
    return {
        "place": printable(" · ".join(level for _, level in bundle.place) or bundle.arm),
        "model": printable(bundle.model),
        "synthetic": bundle.synthetic,
        "provisional": bundle.provisional,
        "count": tr(
            "bundle {number}, {valid} of {planned} answers",
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
                "identity": printable(answer.identity),
                "text": printable(answer.text),
                "missing": tr("No valid answer: {reason}.", reason=answer.missing) if answer.missing else "",
                "flags": [printable(mark) for mark in answer.marks],
            }
            for answer in bundle.answers
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
                "identity": printable(passage.identity),
                "words": printable(passage.words),
                "comment": printable(passage.comment),
            }
            for passage in reading.passages
        ],
    }
