"""A report typeset for paper and for screen readers: a tagged PDF with contents, bookmarks and page numbers."""

import json
from pathlib import Path
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.exporter import Exporter
from gpf_desktop.domain.reports import Report, ReportKind
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.exporters._brief_view import brief_paper
from gpf_desktop.exporters._files import written_beside
from gpf_desktop.exporters._pdf_view import paper_view

_ACCESSIBLE: Final = "ua-1"


class PdfExporter(Exporter):
    """Set by Typst from a shipped template, which is handed the report as data and may read no other file."""

    name = "pdf"
    version = "1"
    suffix = "pdf"
    marks_synthetic = True
    title = Translated("Document to print (PDF)")

    def export(self, report: Report, target: Path, options: NoOptions) -> None:  # noqa: ARG002 - the port's signature
        with written_beside(target) as beside:
            # Where nothing can be written this is said before a report is typeset for seconds.
            beside.touch()
            beside.write_bytes(_typeset(report))


def _typeset(report: Report) -> bytes:
    """The document; it says that it conforms to PDF/UA-1 where Typst finds that it does."""
    from typst import Compiler, TypstError

    folder = resources() / "reports"
    brief = report.kind is ReportKind.BRIEF
    template, view = ("brief.typ", brief_paper(report)) if brief else ("report.typ", paper_view(report))
    compiler = Compiler(
        folder / template,
        root=folder,
        font_paths=[resources() / "fonts"],
        sys_inputs={"report": json.dumps(view)},
    )
    # In place of the clock's moment, which would give other bytes each time that the same report is written.
    made = int(report.made.timestamp())
    try:
        try:
            pages = compiler.compile(format="pdf", pdf_standards=_ACCESSIBLE, timestamp=made)
        except TypstError:
            # An answer may hold a character that no font here can show; then the standard cannot be claimed.
            pages = compiler.compile(format="pdf", timestamp=made)
    except TypstError as error:
        raise UserError(
            tr("This report cannot be set as a PDF."),
            tr("Write it as a web page (.html) and print that."),
            details=f"{error.message} {error.diagnostic}".strip(),
        ) from error
    # Typst's type allows a list, which it gives where a format has a file for each page.
    if not isinstance(pages, bytes):
        raise TypeError(f"Typst returned {type(pages).__name__} for one document")
    return pages


EXPORTER = PdfExporter()
