"""Records of TruLens: a row for each call of an app, whose input and output older versions keep as JSON."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from gpf_desktop.documents.tables import TableRow

_MARKS: Final = frozenset({"app_id", "record_id", "input", "output"})


def is_table(names: Collection[str]) -> bool:
    return {*names} >= _MARKS


def table_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The same rows with texts as they were, and an app by its name and version where no model is told."""
    for row in rows:
        told = dict(row.values)
        app = " ".join(filter(None, (told.get("app_name", ""), told.get("app_version", "")))) or told["app_id"]
        texts = {name: _text(told[name]) for name in ("input", "output")}
        yield replace(row, values={"model": app, **told, **texts})


def _text(cell: str) -> str:
    if not (cell.startswith('"') and cell.endswith('"')):
        return cell
    try:
        return str(json.loads(cell))
    except ValueError:
        return cell
