"""``gpf-desktop report``: the whole audit as one file."""

from dataclasses import replace
from pathlib import Path

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.reports import Report, ReportKind
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.engine.reporting.drafts.draft_files import load_draft, with_template
from gpf_desktop.engine.reporting.report_service import report_formats
from gpf_desktop.engine.reporting.results_filter import ResultsFilter


def check_format(target: Path) -> None:
    """Raises `UserError` where no report can be written in the format that *target* ends in."""
    formats = report_formats()
    suffix = target.suffix.lower().removeprefix(".")
    if suffix not in formats:
        raise UserError(
            tr("A report cannot be written as “{suffix}”.", suffix=target.suffix or target.name),
            tr("Use a name that ends in {suffixes}.", suffixes=", ".join(f".{each}" for each in sorted(formats))),
        )


def chosen_draft(open_audit: OpenAudit, draft: Path | None, template: Path | None) -> ReportDraft:
    """The draft in the file *draft*, else the audit's own, with what *template* brings. Raises `UserError`."""
    chosen = open_audit.drafts.current if draft is None else load_draft(draft)
    return chosen if template is None else with_template(chosen, load_draft(template))


def drafted_report(
    open_audit: OpenAudit,
    draft: ReportDraft,
    wanted: ResultsFilter | None = None,
    *,
    kind: ReportKind = ReportKind.ANNEX,
) -> Report:
    """The report on what is *wanted* of *open_audit* (None: everything that was scored), as *draft* wants it.

    Raises `UserError` where nothing was scored.
    """
    if not open_audit.results.results(ResultsFilter(), ()).window.scored_anywhere:
        raise UserError(
            tr("{audit} holds no scores, so there is nothing to report.", audit=open_audit.path.name),
            tr("Run a round first."),
        )
    open_audit.auto_rescoring.settle().result()
    return open_audit.reports.drafted(draft, wanted or ResultsFilter(), kind)


def annex_beside(target: Path) -> Path:
    """Where the annex goes whose brief is *target*."""
    return target.with_stem(tr("{name} annex", name=target.stem))


def written(open_audit: OpenAudit, report: Report, target: Path, *, both: bool) -> list[Path]:
    """Write *report* and return the paths; *both*: the brief as *target*, the annex in a file beside it. Raises
    `UserError`."""
    if not both:
        return [open_audit.reports.export(report, target)]
    beside = annex_beside(target)
    # The brief first, which may be refused as too long.
    brief = open_audit.reports.export(replace(report, kind=ReportKind.BRIEF), target)
    return [brief, open_audit.reports.export(replace(report, kind=ReportKind.ANNEX), beside)]
