"""Tells whether files are of an export of this program, and of which; what becomes of them is `exported_folder`'s."""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_files import names_in
from gpf_desktop.documents.tables import header_of
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.exchange.artifact.member_names import AUDIT, PLANNED
from gpf_desktop.storage import relations
from gpf_desktop.storage.stored_relation import StoredRelation

OF_ITSELF: Final = (AUDIT, PLANNED)
"""Files that hold no relation."""
LINES: Final = ".jsonl"
TABLE: Final = ".csv"
_PARTS: Final = ".parquet"
_OF_AN_EXPORT: Final = frozenset({"cell_id", "bundle_id", "item_id"})
"""Columns that tables of no other program have together; the folders of a parted export tell the round."""


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
    known = relations_by_name()
    if not deeper:
        return file.name in OF_ITSELF or file.stem in known
    return top in known and deeper[0].startswith("run_id=")


def export_among(paths: Sequence[Path]) -> Path | None:
    """The folder of the whole export that all of *paths* are of; None where they are of none, or of several."""
    folders = {exported_folder(path) for path in paths}
    return folders.pop() if len(folders) == 1 else None


def _is_export(folder: Path) -> bool:
    return (folder / AUDIT).is_file() and all(files_of(folder, name) for name in ("runs", "answers", "fits"))


def files_of(folder: Path, name: str) -> list[Path]:
    """The files that hold the relation called *name*: one file, or its parts, those of one round together."""
    whole = [each for suffix in (LINES, _PARTS) if (each := folder / f"{name}{suffix}").is_file()]
    parted = whole[:1] or sorted((folder / name).glob(f"run_id=*/model=*/*{_PARTS}"))
    return parted or [each for each in (folder / f"{name}{TABLE}",) if each.is_file()]


def refuse_part(table: Path) -> None:
    """Raises `UserError` where *table* is one file of an export: what its rows are about stands in others."""
    if {*header_of(table), *names_in(table)} >= _OF_AN_EXPORT:
        raise UserError(
            tr("{file} is one file of an export: what its rows are about stands beside it.", file=table.name),
            tr("Export everything once more, and import the whole folder."),
        )


@cache
def relations_by_name() -> Mapping[str, StoredRelation]:
    """Those that an export holds, and those from which alone an audit is made again."""
    return {**relations.stored_relations(), **relations.restoring_relations()}
