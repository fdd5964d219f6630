"""A sheet of an XLSX file as rows of text, refused where its archive is a trap."""

import io
import zipfile
from collections.abc import Iterator
from itertools import islice

from gpf_desktop.documents.workbooks import workbook_rows
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr

_UNPACKED_LIMIT = 96 * 1024 * 1024
_PARTS_LIMIT = 2_000
_ROW_LIMIT = 200_000
_COLUMN_LIMIT = 60


def first_sheet(body: bytes) -> Iterator[list[str]]:
    """Rows from the top, cells as text. Raises `SourceError` in a user's words."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            _refuse_traps(archive.infolist())
            for _, cells in islice(workbook_rows(archive), _ROW_LIMIT):
                yield cells[:_COLUMN_LIMIT]
    except SourceError:
        raise
    except Exception as error:
        # What is no workbook comes as BadZipFile, CalamineError, XmlError, ValueError, zlib's errors and more.
        raise SourceError(
            tr("The XLSX file cannot be read."),
            tr("Save it again as XLSX or CSV and try once more."),
            details=repr(error),
        ) from error


def _refuse_traps(parts: list[zipfile.ZipInfo]) -> None:
    """Raises `SourceError` for archives that unpack to too much."""
    # What the archive declares bounds what is read: zipfile hands out no more of a part than that.
    if len(parts) > _PARTS_LIMIT or sum(part.file_size for part in parts) > _UNPACKED_LIMIT:
        size = _UNPACKED_LIMIT // (1024 * 1024)
        raise SourceError(
            tr("The XLSX file unpacks to more than {size} MB.", size=size),
            tr("Save the rows that you need as CSV."),
        )
