"""A report on paper: the simple page, laid out by Qt. Blocks: call it from a worker thread."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMarginsF, QSizeF, QThread
from PySide6.QtGui import QFont, QPageLayout, QPageSize, QPdfWriter, QTextDocument

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.text import tr
from gpf_desktop.exporters.html import simple_page
from gpf_desktop.ui.reports.inert_text import InertDocument

SUFFIX: Final = "pdf"
_DPI: Final = 96
_POINTS: Final = 9


def write_pdf(report: Report, target: Path) -> Path:
    """Write *report* to *target* whole, beside it first. Raises `StorageError`."""
    beside = target.with_name(f".{target.name[:80]}.{os.getpid()}.part")
    try:
        beside.touch()
        printer = _Printer(report, beside)
        printer.start()
        printer.wait()
        if not beside.stat().st_size:
            raise OSError("nothing was written")
        beside.replace(target)
    except OSError as error:
        raise StorageError(
            tr("{path} cannot be written.", path=str(target)),
            tr("Close it where it is open, or choose another name or folder."),
            fault=StorageFault.READ_ONLY,
            details=str(error),
        ) from error
    finally:
        with suppress(OSError):
            beside.unlink()
    return target


class _Printer(QThread):
    """A thread that Qt started: layouting wants timers, which a thread of Python's own cannot give it."""

    def __init__(self, report: Report, path: Path) -> None:
        super().__init__()
        self._report, self._path = report, path

    def run(self) -> None:
        _print(self._report, self._path)


def _print(report: Report, path: Path) -> None:
    writer = QPdfWriter(str(path))
    writer.setTitle(report.title)
    writer.setCreator(report.program)
    writer.setResolution(_DPI)
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4),
            QPageLayout.Orientation.Portrait,
            QMarginsF(14, 14, 14, 14),
            QPageLayout.Unit.Millimeter,
        )
    )
    document: QTextDocument = InertDocument()
    document.setDefaultFont(QFont("Inter", _POINTS))
    document.documentLayout().setPaintDevice(writer)
    document.setHtml(simple_page(report, whole=True))
    document.setPageSize(QSizeF(writer.width(), writer.height()))
    document.print_(writer)
