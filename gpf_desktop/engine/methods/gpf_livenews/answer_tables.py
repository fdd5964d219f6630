"""Reads tables of answers that came from elsewhere (CSV, JSON lines or XLSX) for `score_table`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_files import sheet_rows
from gpf_desktop.documents.tables import Columns, TableRow, read_rows
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


def read_answers(path: Path) -> Iterator[TableRow]:
    """The rows of *path*, one at a time, with columns named as in `COLUMNS` and perhaps others.

    JSON lines or the first sheet of a workbook where the file's name ends so, else CSV. Raises `UserError`.
    """
    return sheet_rows(path, _ASKED) if path.suffix.lower() == ".xlsx" else read_rows(path, _ASKED)
