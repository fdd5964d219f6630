"""Parquet files parted by what columns hold, in folders called ``name=value`` as Hive has them: DuckDB, Spark and
pandas read them as one table, and only those that a query asks for.

The columns are in the folders' names alone, written as in addresses (``%2F``); nothing at all is `NOTHING`.
"""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, unquote

from gpf_desktop.domain.relations import Cell, FieldKind, RelationField, Row
from gpf_desktop.exporters.data_files import DataFile, ParquetFile

NOTHING: Final = "__HIVE_DEFAULT_PARTITION__"
_MOST_OPEN: Final = 48
"""Files that are written at a time: a system gives a program some hundred, and each holds a group of rows."""


class PartitionedFiles(DataFile):
    """A folder of them; rows of one part keep their order, over its files in the order of their names."""

    def __init__(self, folder: Path, fields: Sequence[RelationField], by: Sequence[str]) -> None:
        names = [field.name for field in fields]
        self._folder, self._by = folder, by
        self._places = [names.index(name) for name in by]
        self._kept = [at for at, name in enumerate(names) if name not in by]
        self._fields = [fields[at] for at in self._kept]
        self._open: dict[tuple[Cell, ...], tuple[DataFile, ExitStack]] = {}
        self._numbers: dict[tuple[Cell, ...], int] = {}
        self.files: list[str] = []
        """Relative to the folder in which this one is."""

    def add(self, row: Row) -> None:
        part = tuple(row[at] for at in self._places)
        writing = self._open.pop(part, None) or self._begun(part)
        # Behind the others: the one that was not written to for longest is closed first.
        self._open[part] = writing
        writing[0].add([row[at] for at in self._kept])

    def _begun(self, part: tuple[Cell, ...]) -> tuple[DataFile, ExitStack]:
        if len(self._open) == _MOST_OPEN:
            self._open.pop(next(iter(self._open)))[1].close()
        number = self._numbers[part] = self._numbers.get(part, -1) + 1
        path = self._folder
        for name, value in zip(self._by, part, strict=True):
            path /= f"{name}={NOTHING if value is None else quote(str(value), safe=' ')}"
        path.mkdir(parents=True, exist_ok=True)
        path /= f"part-{number:05}.parquet"
        self.files.append(path.relative_to(self._folder.parent).as_posix())
        stack = ExitStack()
        return stack.enter_context(ParquetFile(path, self._fields)), stack

    def __exit__(self, *_: Any) -> None:
        with ExitStack() as closing:
            for _file, stack in self._open.values():
                closing.callback(stack.close)


def values_of(file: Path, folder: Path, kinds: dict[str, FieldKind]) -> dict[str, Cell]:
    """The values told by the folders' names between *folder* and *file*, by column. Raises `ValueError` where they tell
    none."""
    found: dict[str, Cell] = {}
    for part in file.relative_to(folder).parts[:-1]:
        name, equals, text = part.partition("=")
        if not equals or name not in kinds:
            raise ValueError(part)
        value = None if text == NOTHING else unquote(text)
        found[name] = int(value) if value is not None and kinds[name] is FieldKind.INTEGER else value
    return found
