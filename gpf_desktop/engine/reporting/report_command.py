"""``gpf-desktop report``: the whole audit as one file."""

from pathlib import Path

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.reports import ReportWishes
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.report_desk import report_formats
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.session import Session


def check_format(target: Path) -> None:
    """Raises `UserError` where no report can be written in the format that *target* ends in."""
    formats = report_formats()
    suffix = target.suffix.lower().removeprefix(".")
    if suffix not in formats:
        raise UserError(
            tr("A report cannot be written as “{suffix}”.", suffix=target.suffix or target.name),
            tr("Use a name that ends in {suffixes}.", suffixes=", ".join(f".{each}" for each in sorted(formats))),
        )


def write_report(session: Session, target: Path) -> Path:
    """Write a report on everything scored in *session* to *target*, in the format of its suffix.

    Raises `UserError` where nothing was scored or there is no such format, `StorageError` where it cannot be written.
    """
    check_format(target)
    if not session.results.results(ResultsFilter(), ()).window.scored_anywhere:
        raise UserError(
            tr("{audit} holds no scores, so there is nothing to report.", audit=session.path.name),
            tr("Run a round first."),
        )
    session.upkeep.settle().result()
    return session.reports.export(session.reports.report(ReportWishes()), target)
