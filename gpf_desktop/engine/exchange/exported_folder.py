"""The folder of an export as something that an audit can be made of again.

Its JSON lines are read, not its CSV: there an empty cell is either an empty text or nothing at all.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.documents.tables import header_of
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.relations import FieldKind
from gpf_desktop.domain.reviews import canonical
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.told_task import Tell
from gpf_desktop.engine.exchange.artifact.contents import DATA
from gpf_desktop.engine.exchange.artifact.opening import restore
from gpf_desktop.engine.exchange.artifact.packing import AUDIT
from gpf_desktop.engine.exchange.artifact.planned import PLANNED
from gpf_desktop.engine.exchange.artifact.sealed_zip import Member
from gpf_desktop.storage import relations, restoring

_OF_ITSELF: Final = (AUDIT, PLANNED)
_SUFFIX: Final = ".jsonl"
_OF_AN_EXPORT: Final = frozenset({"cell_id", "bundle_id", "run_id", "item_id"})
"""Columns that tables of no other program have together."""
_MAY_LACK: Final = frozenset({"study_notes", "reviewer_groups"})
"""What exports of an earlier program have not, and what none has."""


def exported_folder(path: Path) -> Path | None:
    """The folder of a whole export that *path* is, or is a file of; None where it is none."""
    folder = path if path.is_dir() else path.parent
    needed = [folder / AUDIT, *(folder / f"{name}{_SUFFIX}" for name in ("runs", "answers", "fits"))]
    return folder if all(each.is_file() for each in needed) else None


def refuse_part(table: Path) -> None:
    """Raises `UserError` where *table* is one file of an export: what its rows are about stands in others."""
    first = next(read_answer_rows(table), None) if table.suffix.lower() == _SUFFIX else None
    names = set(header_of(table) if first is None else first.values)
    if names >= _OF_AN_EXPORT:
        raise UserError(
            tr("{file} is one file of an export: what its rows are about stands beside it.", file=table.name),
            tr("Import the whole folder; export it with --format jsonl, if it has only CSV."),
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
            tr("Export once more, everything and as JSON lines."),
        )
    restore(found, target, tell)
    return found.answers


class _Folder:
    """An export by the names that its files have in an artifact."""

    seal: Final = ""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.answers = 0
        self._files = {name: path / name for name in _OF_ITSELF}
        self._files |= {f"{DATA}{name}{_SUFFIX}": path / f"{name}{_SUFFIX}" for name in restoring.ORDER}

    @property
    def members(self) -> Mapping[str, Member]:
        return {
            name: Member(name=name, bytes=file.stat().st_size, sha256="")
            for name, file in self._files.items()
            if file.is_file()
        }

    def text(self, name: str) -> str:
        try:
            return self._files[name].read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise self._unreadable(name) from error

    def lines(self, name: str) -> Iterator[bytes]:
        relation = name.removeprefix(DATA).removesuffix(_SUFFIX)
        structures = _structures()[relation]
        spelled = canonical if relation == "annotations" else _json
        try:
            with self._files[name].open(encoding="utf-8") as file:
                for line in file:
                    row = json.loads(line)
                    # As the very text that is stored, as an artifact has it: a reading is sealed in its spelling.
                    row |= {each: spelled(row[each]) for each in structures if row[each] is not None}
                    self.answers += relation == "answers" and row["received_at"] is not None
                    yield _json(row).encode()
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise self._unreadable(name) from error

    def _unreadable(self, name: str) -> UserError:
        file = self._files[name].name
        return UserError(
            tr("{file} in the export {folder} cannot be read.", file=file, folder=self.path.name),
            tr("It was changed, or copied in part: export once more."),
        )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@cache
def _structures() -> Mapping[str, tuple[str, ...]]:
    """By relation, the fields that hold JSON."""
    every = {**relations.stored_relations(), **relations.restoring_relations()}
    return {
        name: tuple(field.name for field in found.fields if field.kind is FieldKind.STRUCTURE)
        for name, found in every.items()
    }
