"""The package for the audited party: the findings, the quoted answers, how to verify, and a form to reply in."""

import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpf_desktop.documents.whole_files import temporary_folder
from gpf_desktop.domain.reports import Report, ReportKind
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.replies.reply_form import FORM, form
from gpf_desktop.engine.reporting.report_service import ReportService
from gpf_desktop.storage.files import written_whole

_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""Of every file in the zip: the same package has the same bytes."""


def write_package(reports: ReportService, report: Report, audit: str, target: Path) -> Path:
    """Write the package of *report* on the audit whose UUID is *audit* to *target*. Raises `StorageError`."""
    with temporary_folder() as folder, written_whole(target) as beside, zipfile.ZipFile(beside, "w") as out:
        # In full and not as a brief: whoever is audited may be told what a board has no time for.
        findings = reports.export(replace(report, kind=ReportKind.ANNEX), folder / "findings.html")
        _add(out, "README.txt", _readme(quoted=bool(report.bundles)))
        _add(out, "findings.html", findings.read_text(encoding="utf-8"))
        if report.bundles:
            answers = reports.export(replace(report, kind=ReportKind.ANSWERS), folder / "answers.html")
            _add(out, "answers.html", answers.read_text(encoding="utf-8"))
        _add(out, FORM, form(report, audit))
    return target


def _add(out: zipfile.ZipFile, name: str, text: str) -> None:
    entry = zipfile.ZipInfo(name, date_time=_MOMENT)
    entry.compress_type = zipfile.ZIP_DEFLATED
    out.writestr(entry, text.encode("utf-8"))


def _readme(*, quoted: bool) -> str:
    lines = (
        tr("You are asked to reply to an audit before it is final."),
        tr("findings.html   what was found, how, and what it does not show; opens in any browser, without a network"),
        *((tr("answers.html    the quoted answers, each with its check code and how to check it"),) if quoted else ()),
        tr("{form}      your reply: fill it in and send it back; it is printed word for word", form=FORM),
        tr("To check every number, ask the auditor for the shared file: gpf-desktop verify FILE.zip"),
    )
    return "\n\n".join(lines) + "\n"
