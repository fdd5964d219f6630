"""Data frames as pandas and others write them to JSON: columns, rows or lists, each in an object of its own."""

from collections.abc import Collection, Mapping
from itertools import zip_longest
from typing import Any, Final

from gpf_desktop.documents.column_names import INDEX, is_head
from gpf_desktop.documents.programs.flat_records import mapping, words
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

_LEAST: Final = 2


def records_of(found: Any) -> list[dict[str, Any]]:
    """The rows of the frame that *found* is; nothing where it is none. Raises `UserError` where its columns have no
    names."""
    if isinstance(found, list):
        return _of_lists(found)
    told = mapping(found)
    if "fields" in mapping(told.get("schema")) and isinstance(told.get("data"), list):
        return [_without_index(mapping(row)) for row in told["data"]]
    if len(told) < _LEAST:
        return []
    inner = list(told.values())
    if all(isinstance(each, dict) for each in inner):
        return _of_objects(told)
    if is_head(map(words, told)) and all(isinstance(each, list) and len(each) == len(inner[0]) for each in inner):
        return [dict(zip(told, cells, strict=True)) for cells in zip(*inner, strict=True)]
    return []


def _of_objects(told: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a frame by its columns, or by its rows: the names of the columns tell which."""
    first = next(iter(told.values()))
    if is_head(map(words, told)) and all(each.keys() == first.keys() for each in told.values()):
        return [{name: column[row] for name, column in told.items()} for row in first]
    return [dict(row) for row in told.values()] if is_head(map(words, first)) else []


def _of_lists(found: list[Any]) -> list[dict[str, Any]]:
    """The rows of a frame whose rows are lists, the first of them the names."""
    if not found or not all(isinstance(row, list) for row in found):
        return []
    names = list(map(words, found[0]))
    if not is_head(names):
        raise UserError(
            tr("Its rows are lists, and the first has no names of columns."),
            tr('Save it with names: pandas writes them with orient="records".'),
        )
    return [dict(zip_longest(names, row[: len(names)], fillvalue="")) for row in found[1:]]


def _without_index(row: Mapping[str, Any]) -> dict[str, Any]:
    names: Collection[str] = row.keys()
    return {name: row[name] for name in names if not INDEX.fullmatch(name)}
