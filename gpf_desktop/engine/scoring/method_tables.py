"""Writes a table that a method makes."""

from pathlib import Path

from gpf_desktop.documents.csv_cells import CsvWriter
from gpf_desktop.domain.tables import Table
from gpf_desktop.storage.files import written_whole


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
