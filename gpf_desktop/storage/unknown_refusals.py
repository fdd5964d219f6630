"""Cells that count as declined by words that no table knows, of all rounds or of one."""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cache
from typing import NamedTuple

from gpf_desktop.domain.ids import CellId, ModelId, RunId
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.unknown_refusals import OF_A_QUESTION, UnknownRefusals, counted, is_unknown


class _Found(NamedTuple):
    cell_id: int
    bundle_id: int
    run_id: int
    model_id: int
    label: str


def within(
    connection: sqlite3.Connection, runs: Collection[int], models: Collection[str] | None = None
) -> UnknownRefusals:
    """The unknown refusals of *runs* and of *models* (None: of all)."""
    found = [each for each in _found(connection) if each.run_id in runs and (models is None or each.label in models)]
    return counted((each.label for each in found), (each.bundle_id for each in found))


def cells(connection: sqlite3.Connection, run_id: RunId) -> list[CellId]:
    return [CellId(each.cell_id) for each in _found(connection, run_id)]


def by_model(connection: sqlite3.Connection, run_id: RunId) -> Counter[ModelId]:
    return Counter(ModelId(each.model_id) for each in _found(connection, run_id))


class GapWords(NamedTuple):
    """The same words of a server to some cells of a model."""

    model: str
    status: int | None
    words: str
    n: int

    @property
    def sentence(self) -> str:
        status = "" if self.status is None else f"HTTP {self.status}: "
        return f"{self.n:,} × {status}“{self.words}”"


def gap_words(connection: sqlite3.Connection, run_id: RunId) -> list[GapWords]:
    """What servers said of the cells that failed or were declined by words not known, the commonest first."""
    rows = connection.execute(
        "SELECT p.missing, m.label, p.status, p.detail, p.finish, count(*) FROM cell c"
        " JOIN response p ON p.cell_id = c.id JOIN model m ON m.id = c.model_id"
        f" WHERE c.run_id = ? AND c.state = 'missing' AND p.missing IN ('{Missing.HTTP_ERROR}', '{Missing.REFUSED}')"
        " GROUP BY 1, 2, 3, 4, 5 ORDER BY 6 DESC, 2, 4",
        (run_id,),
    )
    return [
        GapWords(model, status, words, n)
        for missing, model, status, words, finish, n in rows
        if missing == Missing.HTTP_ERROR or is_unknown(missing, status, words, finish)
    ]


def _found(connection: sqlite3.Connection, run_id: RunId | None = None) -> Iterator[_Found]:
    # Servers say the same of many.
    unknown = cache(is_unknown)
    statuses = ", ".join(map(str, sorted(OF_A_QUESTION)))
    rows = connection.execute(
        "SELECT c.id, c.bundle_id, c.run_id, c.model_id, m.label, p.status, p.detail"
        " FROM response p INDEXED BY response_refused JOIN cell c ON c.id = p.cell_id JOIN model m ON m.id = c.model_id"
        f" WHERE p.missing = '{Missing.REFUSED}' AND p.status IN ({statuses}) AND p.finish = ''"
        " AND c.state = 'missing' AND (?1 IS NULL OR c.run_id = ?1) ORDER BY c.id",
        (run_id,),
    )
    for *found, status, words in rows:
        if unknown(Missing.REFUSED, status, words, ""):
            yield _Found(*found)
