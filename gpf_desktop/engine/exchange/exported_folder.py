"""The folder of an export as something that an audit can be made of again.

Its JSON lines are read, else its Parquet, parted or whole, else its CSV.
"""

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.answer_files import parquet_records
from gpf_desktop.documents.csv_cells import unguarded
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.relations import Cell, FieldKind
from gpf_desktop.domain.reviews import canonical
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.followed_task import Tell
from gpf_desktop.engine.exchange.artifact.contents import DATA
from gpf_desktop.engine.exchange.artifact.opening import restore
from gpf_desktop.engine.exchange.artifact.sealed_zip import Member
from gpf_desktop.engine.exchange.export_files import LINES, OF_ITSELF, TABLE, files_of, relations_by_name
from gpf_desktop.exporters.partitioned_files import values_of
from gpf_desktop.storage import restoring

_SPELLED: Final[Mapping[str, Callable[[Any], str]]] = {
    "annotations": canonical,
    "study_notes": canonical,
    "settings": json.dumps,
}
"""Relations whose structures are sealed in the spelling that is stored."""
_NOTHING: Final = frozenset(
    {"model", "published_at", "started_at", "finished_at", "received_at", "missing", "category", "unavailable"}
    | {"served_model", "served_fingerprint", "served_host", "verdict"}
)
"""Texts that are nothing at all where a cell of CSV is empty; any other one is an empty text there."""
_MAY_LACK: Final = frozenset({"study_notes", "reviewer_groups"})
"""What exports of an earlier program have not, and what none has."""


def restore_export(folder: Path, target: Path, tell: Tell = lambda _done, _of: None) -> int:
    """Make an audit at *target*, which must not exist, of the export in *folder*; returns how many answers it has.

    Blocks; nothing is left on trouble. Raises `UserError` where a file is missing or does not fit the others,
    `StorageError` for what the disk says, and what *tell* raises.
    """
    found = _Folder(folder)
    needed = [name for name in restoring.ORDER if name not in _MAY_LACK]
    missing = [name for name in needed if f"{DATA}{name}{LINES}" not in found.members]
    if missing:
        raise UserError(
            tr(
                "The export in {folder} is not whole: it lacks {names}.",
                folder=folder.name,
                names=", ".join(missing),
            ),
            tr("Export once more, everything."),
        )
    restore(found, target, tell)
    return found.answers


class _Folder:
    """An export by the names that its files have in an artifact."""

    seal: Final = ""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.answers = 0
        self._files = {name: [path / name] for name in OF_ITSELF if (path / name).is_file()}
        self._files |= {f"{DATA}{name}{LINES}": found for name in restoring.ORDER if (found := files_of(path, name))}

    @property
    def members(self) -> Mapping[str, Member]:
        return {
            name: Member(name=name, bytes=sum(file.stat().st_size for file in files), sha256="")
            for name, files in self._files.items()
        }

    def text(self, name: str) -> str:
        try:
            return self._files[name][0].read_text(encoding="utf-8")
        except (OSError, ValueError, KeyError) as error:
            raise self._unreadable(name) from error

    def lines(self, name: str) -> Iterator[bytes]:
        relation, files = name.removeprefix(DATA).removesuffix(LINES), self._files[name]
        try:
            read = {LINES: _json_rows, TABLE: _csv_rows}.get(files[0].suffix)
            for row in read(files[0], relation) if read else self._parquet_rows(files, relation):
                self.answers += relation == "answers" and row["received_at"] is not None
                yield _json(row).encode()
        except (OSError, ValueError, KeyError, TypeError, RecursionError, csv.Error) as error:
            raise self._unreadable(name) from error

    def _parquet_rows(self, files: Sequence[Path], relation: str) -> Iterator[dict[str, Any]]:
        """Round by round, each in the order in which it was written: a row that others name comes first."""
        found = relations_by_name()[relation]
        kinds = _kinds(relation) | {"run_id": FieldKind.INTEGER, "model": FieldKind.TEXT}
        root = self.path / relation
        parts = [(file, values_of(file, root, kinds) if file.is_relative_to(root) else {}) for file in files]
        parts.sort(key=lambda part: (part[1].get("run_id") or 0, part[0]))
        for _, together in groupby(parts, key=lambda part: part[1].get("run_id")):
            streams = [_parted_rows(*part) for part in together]
            yield from merge(*streams, key=itemgetter(*found.key)) if len(streams) > 1 else streams[0]

    def _unreadable(self, name: str) -> UserError:
        file = name.removeprefix(DATA)
        return UserError(
            tr("{file} in the export {folder} cannot be read.", file=file, folder=self.path.name),
            tr("It was changed, or copied in part: export once more."),
        )


def _parted_rows(path: Path, values: Mapping[str, Cell]) -> Iterator[dict[str, Any]]:
    for row in parquet_records(path):
        yield {**row, **values}


def _json_rows(path: Path, relation: str) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield _spelled(json.loads(line), relation)


def _csv_rows(path: Path, relation: str) -> Iterator[dict[str, Any]]:
    kinds = _kinds(relation)
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            read = {name: _value(name, cell, kinds.get(name, FieldKind.TEXT)) for name, cell in row.items()}
            yield _spelled(read, relation)


def _value(name: str, cell: str, kind: FieldKind) -> Any:
    """What `exporters.data_files` wrote as *cell*."""
    if not cell:
        return "" if kind is FieldKind.TEXT and name not in _NOTHING else None
    match kind:
        case FieldKind.TEXT:
            return unguarded(cell)
        case FieldKind.INTEGER:
            return int(cell)
        case FieldKind.NUMBER:
            return float(cell)
        case FieldKind.FLAG:
            return bool(int(cell))
        case FieldKind.STRUCTURE | FieldKind.TURNS:
            return json.loads(cell)


def _spelled(row: dict[str, Any], relation: str) -> dict[str, Any]:
    """*row* with its structures as the very text that is stored, as an artifact has it."""
    spelled = _SPELLED.get(relation, _json)
    return row | {each: spelled(row[each]) for each in _structures()[relation] if row[each] is not None}


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _kinds(relation: str) -> dict[str, FieldKind]:
    return {field.name: field.kind for field in relations_by_name()[relation].fields}


@cache
def _structures() -> Mapping[str, tuple[str, ...]]:
    """The fields of each relation that hold JSON, by the relation's name."""
    return {
        name: tuple(field.name for field in found.fields if field.kind is FieldKind.STRUCTURE)
        for name, found in relations_by_name().items()
    }
