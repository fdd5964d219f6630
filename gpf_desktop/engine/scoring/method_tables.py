"""Writes the tables that a method makes of answers that came from elsewhere."""

from collections.abc import Mapping
from pathlib import Path

from gpf_desktop.documents.csv_cells import CsvWriter
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports import HowFar
from gpf_desktop.domain.tables import AnswerTables, ScoredAnswers, Table
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.faults import translated
from gpf_desktop.storage.files import written_whole


def score_into(
    scorer: AnswerTables, answers: Path, given: Mapping[str, str], folder: Path, told: HowFar
) -> ScoredAnswers:
    """What *scorer* makes of *answers*, each table written whole into *folder*, which is made where it is missing.

    *told* of texts that language models read.
    Raises `UserError` for the input, `StorageError` for the output.
    """
    scored = scorer.score_table(answers, given, told)
    for name in scored.tables:
        target = folder / name
        if target.exists() and target.samefile(answers):
            raise UserError(
                tr("{path} would overwrite the answers that it was made from.", path=str(target)),
                tr("Choose another folder for the tables."),
            )
    with translated(folder):
        folder.mkdir(exist_ok=True)
    for name, table in scored.tables.items():
        write_table(table, folder / name)
    return scored


def write_table(table: Table, target: Path) -> None:
    """*table* as CSV, whole: beside *target*, then renamed. Raises `StorageError`."""
    # Half a character may stand in answers from elsewhere; UTF-8 cannot hold it.
    with (
        written_whole(target) as beside,
        beside.open("w", encoding="utf-8", errors="replace", newline="") as file,
    ):
        writer = CsvWriter(file)
        writer.row(table.columns)
        for row in table.rows:
            writer.row(row)
