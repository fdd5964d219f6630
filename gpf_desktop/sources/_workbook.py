"""The first sheet of an XLSX file as rows of text, refused where its archive is a trap."""

import io
import warnings
import zipfile
from collections.abc import Iterator
from datetime import datetime

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr

UNPACKED_LIMIT = 96 * 1024 * 1024
_PARTS_LIMIT = 2_000
_ROW_LIMIT = 200_000
_COLUMN_LIMIT = 60


def workbook_rows(body: bytes, *, most: int = _ROW_LIMIT) -> Iterator[list[str]]:
    """At most *most* rows from the top, cells as text, times in ISO 8601. Raises `SourceError` in a user's words."""
    _refuse_traps(body)
    from openpyxl import load_workbook

    try:
        with warnings.catch_warnings():
            # "Workbook contains no default style" is about looks, and other programs' files often have none.
            warnings.simplefilter("ignore")
            book = load_workbook(io.BytesIO(body), read_only=True, data_only=True, keep_links=False)
            try:
                sheet = book.worksheets[0]
                # The library fills gaps with empty rows and cells: one cell in the far corner would make a million of
                # them.
                for row in sheet.iter_rows(max_row=most, max_col=_COLUMN_LIMIT, values_only=True):
                    yield [_text(value) for value in row]
            finally:
                book.close()
    except Exception as error:
        # openpyxl lets KeyError, ValueError, BadZipFile, ParseError and more out for files that are no workbooks.
        raise SourceError(
            tr("The XLSX file cannot be read."),
            tr("Save it again as XLSX or CSV and try once more."),
            details=repr(error),
        ) from error


def _refuse_traps(body: bytes) -> None:
    """Raises `SourceError` for archives that unpack to too much or whose parts define entities."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            parts = archive.infolist()
            # What the archive declares bounds what is read: zipfile hands out no more of a part than that.
            if len(parts) > _PARTS_LIMIT or sum(part.file_size for part in parts) > UNPACKED_LIMIT:
                size = UNPACKED_LIMIT // (1024 * 1024)
                raise SourceError(
                    tr("The XLSX file unpacks to more than {size} MB.", size=size),
                    tr("Save the rows that you need as CSV."),
                )
            for part in parts:
                with archive.open(part) as opened:
                    start = opened.read(2048)
                # The library's parser would expand them, and a few bytes could fill the memory.
                if b"<!DOCTYPE" in start or b"<!ENTITY" in start:
                    raise SourceError(tr("The XLSX file defines entities, which no spreadsheet does; it was refused."))
    except SourceError:
        raise
    except Exception as error:
        # A damaged archive lets BadZipFile, ValueError, zlib.error, struct.error, RuntimeError and more out.
        raise SourceError(tr("The XLSX file is damaged or encrypted."), details=repr(error)) from error


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value)
