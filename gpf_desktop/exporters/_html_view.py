"""A report as the page's template wants it: words and numbers, no markup."""

from collections import Counter
from typing import Final

from gpf_desktop.domain.figures import Figure, SeriesChart, Violins
from gpf_desktop.domain.findings import Finding, printed_rows
from gpf_desktop.domain.report_chapters import chapters_of
from gpf_desktop.domain.reports import Report, ReportChapter
from gpf_desktop.domain.text import printable, tr, trn, unbroken
from gpf_desktop.exporters._blocks_view import section_view
from gpf_desktop.exporters._figures import WIDE
from gpf_desktop.exporters._finding_view import View, bundle_view, figure_views, grid_views, table_view
from gpf_desktop.exporters._parts_view import logo_uri, part_view
from gpf_desktop.exporters._properties import document_authors
from gpf_desktop.exporters._text import interval_key, left_out

_LONG_TABLE: Final = 24
"""Rows that are printed of a table at most."""
_LONG_BESIDE_FIGURE: Final = 6
_LEAST_PLACES: Final = 3
_OFTEN: Final = 3
"""Tables from which a note that stands under each of them is said once for all."""


def page_view(report: Report, width: int = WIDE) -> View:
    """Everything that the template names, except the style sheet; figures are *width* pixels across."""
    common = _common_notes(report)
    words = _words(report)
    notation = [words["key"], *map(unbroken, common), f"{words['as_above']}: {words['settings']}."]
    chapters = [_chapter(each, report, common, notation, width) for each in chapters_of(report)]
    return {
        "report": report,
        "title": printable(report.title),
        "banner": _banner(report),
        "words": words,
        "contents": [{"id": each["id"], "title": each["title"]} for each in chapters],
        "organisation": printable(report.organisation),
        "authors": document_authors(report),
        "logo": None if report.logo is None else logo_uri(report.logo),
        "chapters": chapters,
        "notation": notation,
    }


def _chapter(chapter: ReportChapter, report: Report, common: tuple[str, ...], notation: list[str], width: int) -> View:
    bundles = [bundle_view(bundle) for bundle in report.bundles] if chapter.bundles else []
    return {
        "id": chapter.name,
        "title": printable(chapter.title),
        "sections": [section_view(each) for each in chapter.sections],
        "parts": [part_view(part, width) for part in report.parts if part.name in chapter.parts],
        "findings": [_section(each, common, width) for each in report.findings if each.name in chapter.findings],
        "notation": notation if chapter.notation and report.findings else [],
        "bundles": bundles,
        "chosen": report.chosen if bundles else "",
        # A chapter of answers alone needs no second heading.
        "answers": "" if chapter.name == "bundles" else tr("Answers side by side"),
    }


def _words(report: Report) -> dict[str, str]:
    return {
        "synthetic": tr("synthetic"),
        "imported": tr("Imported"),
        "made": tr("Made {moment} UTC by {program}", moment=f"{report.made:%Y-%m-%d %H:%M}", program=report.program),
        "contents": tr("Contents"),
        "people": tr("What people said"),
        "unread": tr("Not reviewed: no person has given a verdict on these answers."),
        "all_rows": tr("All rows"),
        "code": tr("Check code of the whole answer:"),
        "page": tr("page"),
        "turned": tr("The table is wide: it stands on a page on its side, at the end."),
        "turned_title": tr("Wide tables"),
        "further": tr("The same rows, further columns:"),
        "notation": tr("Notation"),
        "settings": printable(report.settings),
        "as_above": tr("How scores and ranges were made"),
        "provisional": tr("until all answers are in"),
        "key": interval_key(report.findings),
        "short": report.statement,
        "by": tr("By {names}", names=", ".join(map(printable, report.authors))) if report.authors else "",
        "logo": tr("Logo"),
        "evidence": tr("Evidence"),
        "signature": tr("Signature and date"),
        "all_marked": tr("All answers synthetic") if report.all_synthetic else tr("Contains synthetic answers (▲)"),
    }


def _banner(report: Report) -> str:
    if report.all_synthetic:
        return tr(
            "Every answer in this report was made up by built-in test models. It "
            "shows how the test works and says nothing about any real model."
        )
    if report.synthetic:
        return tr("Rows with this mark are built-in test models: their answers are made up.")
    return ""


def _section(finding: Finding, common: tuple[str, ...], width: int) -> View:
    printed, long = len(printed_rows(finding)), is_long(finding)
    # Outlines with their points are drawn from counts alone: pages of these would tell nothing that is not drawn.
    drawn = long and bool(finding.figures) and all(isinstance(each, Violins) for each in finding.figures)
    figures = [
        view for figure in finding.figures if not too_short(figure) for view in figure_views(finding, figure, width)
    ]
    return {
        "id": finding.name.replace("_", "-"),
        "title": finding.title,
        "reading": unbroken(finding.reading),
        "synthetic": all(row.synthetic for row in finding.rows),
        "figures": figures,
        "grids": grid_views(finding),
        "highlights": [unbroken(printable(line)) for line in finding.highlights],
        "table": table_view(finding) if printed and not long else None,
        "appendix": rows_elsewhere(finding) if long and not drawn else "",
        "full": table_view(finding) if long and not drawn else None,
        "notes": [
            *(unbroken(printable(note)) for note in finding.notes if printable(note) not in common),
            *(
                [tr("Its {n:,} counts: Save in Results, or “gpf-desktop tables”.", n=len(finding.rows))]
                if drawn
                else []
            ),
            *(
                [tr("No chart yet: a course is drawn from three places on.")]
                if any(map(too_short, finding.figures))
                else []
            ),
            *left_out(finding),
        ],
    }


def _not_drawn(finding: Finding) -> list[str]:
    if not any(map(too_short, finding.figures)):
        return []
    return [tr("No chart yet: a course is drawn from three places on.")]


def is_long(finding: Finding) -> bool:
    """Whether its table is too long to print: the workbook and the shared file have it."""
    return len(printed_rows(finding)) > (_LONG_BESIDE_FIGURE if finding.figures else _LONG_TABLE)


def too_short(figure: Figure) -> bool:
    """Whether a series has fewer places than make a course: its numbers stand in the table."""
    return isinstance(figure, SeriesChart) and len(figure.places) < _LEAST_PLACES


def rows_elsewhere(finding: Finding) -> str:
    """The sentence on where the rows of a table are that is too long to print."""
    rows = trn("Its {n} row", "Its {n:,} rows", len(finding.rows))
    return tr(
        "{rows}: sheet “{name}” of the report as a workbook (.xlsx), and tables/{name}.csv in the shared file.",
        rows=rows,
        name=finding.name,
    )


def _common_notes(report: Report) -> tuple[str, ...]:
    """Notes that belong under most tables, said once: how intervals and scores were made."""
    told = Counter(note for finding in report.findings for note in dict.fromkeys(finding.notes))
    often = [note for note, n in told.items() if n >= _OFTEN or (n > 1 and note in report.scope)]
    return tuple(printable(note) for note in often)
