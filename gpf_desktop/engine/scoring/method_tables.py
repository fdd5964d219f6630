"""Writes the tables that a method makes of answers that came from elsewhere."""

from collections.abc import Mapping
from pathlib import Path

from gpf_desktop.documents.csv_cells import CsvWriter
from gpf_desktop.documents.targets import check_folder
from gpf_desktop.documents.whole_files import together
from gpf_desktop.domain.ports.answer_tables import AnswerTables
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.tables import ScoredAnswers, Table
from gpf_desktop.storage.faults import translated
from gpf_desktop.storage.files import written_whole


def score_into(
    scorer: AnswerTables,
    answers: Path,
    given: Mapping[str, str],
    folder: Path,
    told: HowFar,
    *,
    replaces: bool = False,
) -> ScoredAnswers:
    """Score *answers* with *scorer* and write each table whole into *folder*, which is made if it is missing.

    *told* of texts that language models read; files of the same names there stay unless it *replaces* them. Raises
    `UserError` for the input, `StorageError` for the output.
    """
    reads = [answers, *map(Path, given.values())]
    # Scoring may take minutes: what is sure to be written is looked at before, the rest once it is known.
    check_folder(folder, reads=reads, names=scorer.writes, replaces=replaces)
    scored = scorer.score_table(answers, given, told)
    check_folder(folder, reads=reads, names=scored.tables, replaces=replaces)
    with translated(folder):
        folder.mkdir(exist_ok=True)
    with translated(folder), together():
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
