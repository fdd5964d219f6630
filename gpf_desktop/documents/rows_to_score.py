"""Rows of a table that is scored: by the columns that are asked for, or else as an import reads it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from gpf_desktop.documents.answer_files import READABLE, WORKBOOKS, sheet_rows
from gpf_desktop.documents.tables import Columns, OtherColumnsError, TableRow, read_rows
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import ImportedStudy, problem_words
from gpf_desktop.domain.ports.importer import Importer
from gpf_desktop.domain.tables import ScoredAnswers

_TABLES = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", *WORKBOOKS})
"""Kinds of file of which it is said which columns are lacking, rather than that their shape is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsToScore:
    """The rows of a table, in the columns of a method's tables of answers."""

    again: Callable[[], Iterator[TableRow]]
    """Reads them from the first on, as often as they are wanted."""
    said: tuple[str, ...] = ()
    """What an import made of the file, and what it left out."""
    left_out: bool = False
    """Whether it left out any row."""

    def told(self, scored: ScoredAnswers) -> ScoredAnswers:
        """*scored*, with what is said of the rows."""
        return replace(scored, said=(*self.said, *scored.said), gaps=scored.gaps or self.left_out)


def rows_to_score(
    path: Path, columns: Columns, importer: Importer, rows_of: Callable[[ImportedStudy], Iterable[TableRow]]
) -> RowsToScore:
    """The rows of *path* by exactly these *columns*; of a file without them, those that *rows_of* makes of what the
    *importer* reads. Raises `UserError`."""
    try:
        next(_by_columns(path, columns), None)
    except OtherColumnsError as error:
        if path.suffix.lower() not in READABLE:
            raise
        try:
            study = importer.study([path], {}, lambda *_: None)
        except UserError as other:
            raise (error if path.suffix.lower() in _TABLES else other) from None
        rows = list(rows_of(study))
        said = (*study.said, *problem_words(study.problems))
        return RowsToScore(again=partial(iter, rows), said=said, left_out=bool(study.problems))
    return RowsToScore(again=partial(_by_columns, path, columns))


def _by_columns(path: Path, columns: Columns) -> Iterator[TableRow]:
    """Rows of the first table of a workbook, of JSON lines, or of CSV."""
    return sheet_rows(path, columns) if path.suffix.lower() in WORKBOOKS else read_rows(path, columns)
