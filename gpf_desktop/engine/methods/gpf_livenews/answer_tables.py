"""Reads tables of answers that came from elsewhere (CSV, JSON lines or XLSX) for `score_table`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gpf_desktop.documents.tables import Columns, TableRow, not_read, read_rows, under_header
from gpf_desktop.domain.errors import SourceError, UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.cells import Condition

REQUIRED: Final = ("model", "article", "dimension", "identity", "family", "response")
DEFAULTS: Final = {"condition": Condition.IDENTITY.value, "paraphrase": "0", "repeat": "0"}
COLUMNS: Final = (
    "model",
    "article",
    "condition",
    "dimension",
    "identity",
    "family",
    "paraphrase",
    "repeat",
    "response",
)
_ASKED: Final = Columns(REQUIRED, tuple(DEFAULTS))
_SHEET_ROWS: Final = 1_048_576
"""What a sheet holds at most."""


def read_answers(path: Path) -> Iterator[TableRow]:
    """The rows of *path*, one at a time, with columns named as in `COLUMNS` and perhaps others.

    JSON lines or the first sheet of a workbook where the file's name ends so, else CSV. Raises `UserError`.
    """
    return _sheet_rows(path) if path.suffix.lower() == ".xlsx" else read_rows(path, _ASKED)


def _sheet_rows(path: Path) -> Iterator[TableRow]:
    """Rows of a workbook's first sheet."""
    from gpf_desktop.sources._workbook import UNPACKED_LIMIT, workbook_rows

    width = 0

    def lines() -> Iterator[tuple[int, list[str]]]:
        # Programs leave formatted but empty cells behind the last column.
        nonlocal width
        for number, cells in enumerate(workbook_rows(path.read_bytes(), most=_SHEET_ROWS), start=1):
            while len(cells) > width and not cells[-1]:
                cells.pop()
            width = width or len(cells)
            yield number, cells + [""] * (width - len(cells))

    try:
        # Before it is read whole into memory.
        if path.stat().st_size > UNPACKED_LIMIT:
            raise UserError(tr("{path} is too large for a workbook.", path=str(path)), tr("Save the rows as CSV."))
        yield from under_header(lines(), _ASKED)
    except OSError as error:
        raise not_read(path, error) from error
    except SourceError as error:
        raise UserError(f"{path}: {error.what}", error.remedy, details=error.details) from error
