"""A report as the page's template wants it: words and numbers, no markup."""

from collections import Counter
from typing import Final

from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import ColumnKind, Finding, printed_rows
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.text import tr, unbroken
from gpf_desktop.exporters._figures import WIDE
from gpf_desktop.exporters._finding_view import View, bundle_view, figure_views, grid_views, table_view
from gpf_desktop.exporters._parts_view import logo_uri, part_view
from gpf_desktop.exporters._text import interval_key, left_out, printable

_LONG_TABLE: Final = 30
"""Rows from which a table goes to the end of the report."""
_LONG_BESIDE_FIGURE: Final = 16


def page_view(report: Report, width: int = WIDE) -> View:
    """Everything that the template names, except the style sheet; figures are *width* pixels across."""
    common = _common_notes(report)
    sections = [_section(finding, common, width) for finding in report.findings]
    words = _words(report)
    bundles = [bundle_view(bundle) for bundle in report.bundles]
    parts = [part_view(part, width) for part in report.parts]
    contents = [{"id": part["id"], "title": part["title"]} for part in parts]
    contents += [{"id": "what-was-found", "title": words["found"]}] if report.found else []
    contents += [{"id": "reading", "title": words["how_to_read"]}]
    contents += [{"id": section["id"], "title": section["title"]} for section in sections]
    contents += [{"id": "bundles", "title": words["bundles"]}] if bundles else []
    contents += [
        {"id": name, "title": words[title]}
        for name, title in (("reviews", "review"), ("limits", "limits"), ("made", "run"))
    ]
    contents += [{"id": "signs", "title": words["signs"]}] if report.signs else []
    return {
        "report": report,
        "title": printable(report.title),
        "banner": _banner(report),
        "words": words,
        "contents": contents,
        "organisation": printable(report.organisation),
        "authors": [printable(author) for author in report.authors],
        "logo": None if report.logo is None else logo_uri(report.logo),
        "parts": parts,
        "signs": [{"name": printable(sign), "value": printable(meaning)} for sign, meaning in report.signs],
        "sections": sections,
        "bundles": bundles,
        "found": [unbroken(printable(line)) for line in report.found],
        "notation": [words["key"], *map(unbroken, common)],
        "facts": [{"name": printable(fact.name), "value": printable(fact.value)} for fact in report.facts],
        "appendix": [section for section in sections if section["appendix"]],
    }


def _words(report: Report) -> dict[str, str]:
    return {
        "synthetic": tr("synthetic"),
        "imported": tr("Imported"),
        "made": tr("Made {moment} UTC by {program}", moment=f"{report.made:%Y-%m-%d %H:%M}", program=report.program),
        "contents": tr("Contents"),
        "found": tr("What was found"),
        "signs": tr("What the signs mean"),
        "how_to_read": tr("How to read this report"),
        "bundles": tr("Answers side by side"),
        "people": tr("What people said"),
        "unread": tr("Not reviewed: no person has given a verdict on these answers."),
        "review": tr("Review"),
        "limits": tr("What these numbers cannot show"),
        "run": tr("What was run, and how"),
        "tables": tr("Tables in full"),
        "further": tr("The same rows, further columns:"),
        "notation": tr("Notation"),
        "settings": printable(report.settings),
        "as_above": tr("How scores and intervals were made"),
        "provisional": tr("provisional"),
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
            "Every answer in this report was made up by calibration models with planted behaviour. It shows how the "
            "instrument works and says nothing about any real model."
        )
    if report.synthetic:
        return tr("Rows with this mark are calibration models: their answers are made up, their behaviour is planted.")
    return ""


def _section(finding: Finding, common: tuple[str, ...], width: int) -> View:
    printed = len(printed_rows(finding))
    long = printed > (_LONG_BESIDE_FIGURE if finding.figures else _LONG_TABLE)
    # Outlines with their points are drawn from counts alone: pages of these would tell nothing that is not drawn.
    drawn = long and bool(finding.figures) and all(isinstance(each, Violins) for each in finding.figures)
    figures = [
        view
        for place, figure in enumerate(finding.figures)
        for view in figure_views(finding, figure, f"{finding.name}-{place}", width)
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
        "appendix": _rows_at_the_end(finding) if long and not drawn else "",
        "full": table_view(finding) if long and not drawn else None,
        "notes": [
            *(unbroken(printable(note)) for note in finding.notes if printable(note) not in common),
            *(
                [tr("Its {n:,} counts: Save in Results, or “gpf-desktop tables”.", n=len(finding.rows))]
                if drawn
                else []
            ),
            *left_out(finding),
        ],
    }


def _rows_at_the_end(finding: Finding) -> str:
    n, intervals = len(printed_rows(finding)), any(each.kind is ColumnKind.ESTIMATE for each in finding.columns)
    if n < len(finding.rows):
        return tr("{n:,} rows, with intervals", n=n) if intervals else tr("{n:,} rows", n=n)
    return tr("All {n:,} rows, with intervals", n=n) if intervals else tr("All {n:,} rows", n=n)


def _common_notes(report: Report) -> tuple[str, ...]:
    """Notes that belong under most tables, said once: how intervals and scores were made."""
    told = Counter(note for finding in report.findings for note in dict.fromkeys(finding.notes))
    often = [note for note, n in told.items() if n > 1 and (n > len(report.findings) / 2 or note in report.scope)]
    return tuple(printable(note) for note in often)
