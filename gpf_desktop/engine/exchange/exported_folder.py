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

from gpf_desktop.documents.answer_files import names_in, parquet_records
from gpf_desktop.documents.csv_cells import unguarded
from gpf_desktop.documents.tables import header_of
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.relations import Cell, FieldKind
from gpf_desktop.domain.reviews import canonical
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.followed_task import Tell
from gpf_desktop.engine.exchange.artifact.contents import DATA
from gpf_desktop.engine.exchange.artifact.opening import restore
from gpf_desktop.engine.exchange.artifact.packing import AUDIT
from gpf_desktop.engine.exchange.artifact.planned import PLANNED
from gpf_desktop.engine.exchange.artifact.sealed_zip import Member
from gpf_desktop.exporters.partitioned_files import values_of
from gpf_desktop.storage import relations, restoring
from gpf_desktop.storage.stored_relation import StoredRelation

_OF_ITSELF: Final = (AUDIT, PLANNED)
_SUFFIX: Final = ".jsonl"
_PARQUET: Final = ".parquet"
_CSV: Final = ".csv"
_OF_AN_EXPORT: Final = frozenset({"cell_id", "bundle_id", "item_id"})
"""Columns that tables of no other program have together; the folders of a parted export tell the round."""
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


def exported_folder(path: Path) -> Path | None:
    """The folder of a whole export that *path* is, or is a file of; None where it is none."""
    if path.is_dir():
        return path if _is_export(path) else None
    # A file of a part lies some folders deeper. Whoever keeps a table of their own below an export means that table.
    parents = [path.parent, *path.parent.parents][:4]
    return next((each for each in parents if _holds(each, path) and _is_export(each)), None)


def _holds(folder: Path, file: Path) -> bool:
    """Whether *file* is called as a relation of an export in *folder* is, or as a part of one."""
    top, *deeper = file.relative_to(folder).parts
    known = _relations()
    if not deeper:
        return file.name in _OF_ITSELF or file.stem in known
    return top in known and deeper[0].startswith("run_id=")


def export_among(paths: Sequence[Path]) -> Path | None:
    """The folder of the whole export that all of *paths* are of; None where they are of none, or of several."""
    folders = {exported_folder(path) for path in paths}
    return folders.pop() if len(folders) == 1 else None


def _is_export(folder: Path) -> bool:
    return (folder / AUDIT).is_file() and all(_files_of(folder, name) for name in ("runs", "answers", "fits"))


def _files_of(folder: Path, name: str) -> list[Path]:
    """The files that hold the relation called *name*: one file, or its parts, those of one round together."""
    whole = [each for suffix in (_SUFFIX, _PARQUET) if (each := folder / f"{name}{suffix}").is_file()]
    parted = whole[:1] or sorted((folder / name).glob(f"run_id=*/model=*/*{_PARQUET}"))
    return parted or [each for each in (folder / f"{name}{_CSV}",) if each.is_file()]


def refuse_part(table: Path) -> None:
    """Raises `UserError` where *table* is one file of an export: what its rows are about stands in others."""
    if {*header_of(table), *names_in(table)} >= _OF_AN_EXPORT:
        raise UserError(
            tr("{file} is one file of an export: what its rows are about stands beside it.", file=table.name),
            tr("Export everything once more, and import the whole folder."),
        )


def restore_export(folder: Path, target: Path, tell: Tell = lambda _done, _of: None) -> int:
    """Make an audit at *target*, which must not exist, of the export in *folder*; returns how many answers it has.

    Blocks; nothing is left on trouble. Raises `UserError` where a file is missing or does not fit the others,
    `StorageError` for what the disk says, and what *tell* raises.
    """
    found = _Folder(folder)
    needed = [name for name in restoring.ORDER if name not in _MAY_LACK]
    missing = [name for name in needed if f"{DATA}{name}{_SUFFIX}" not in found.members]
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
        self._files = {name: [path / name] for name in _OF_ITSELF if (path / name).is_file()}
        self._files |= {f"{DATA}{name}{_SUFFIX}": found for name in restoring.ORDER if (found := _files_of(path, name))}

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
        relation, files = name.removeprefix(DATA).removesuffix(_SUFFIX), self._files[name]
        try:
            read = {_SUFFIX: _json_rows, _CSV: _csv_rows}.get(files[0].suffix)
            for row in read(files[0], relation) if read else self._parquet_rows(files, relation):
                self.answers += relation == "answers" and row["received_at"] is not None
                yield _json(row).encode()
        except (OSError, ValueError, KeyError, TypeError, RecursionError, csv.Error) as error:
            raise self._unreadable(name) from error

    def _parquet_rows(self, files: Sequence[Path], relation: str) -> Iterator[dict[str, Any]]:
        """Round by round, each in the order in which it was written: a row that others name comes first."""
        found = _relations()[relation]
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


@cache
def _relations() -> Mapping[str, StoredRelation]:
    return {**relations.stored_relations(), **relations.restoring_relations()}


def _kinds(relation: str) -> dict[str, FieldKind]:
    return {field.name: field.kind for field in _relations()[relation].fields}


@cache
def _structures() -> Mapping[str, tuple[str, ...]]:
    """The fields of each relation that hold JSON, by the relation's name."""
    return {
        name: tuple(field.name for field in found.fields if field.kind is FieldKind.STRUCTURE)
        for name, found in _relations().items()
    }
