"""Cells and bundles of a run on their way into the store."""

import sqlite3
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from gpf_desktop.domain.cells import Grouping
from gpf_desktop.domain.coordinates import PlannedAnswer
from gpf_desktop.domain.embeddings import EMBEDDED
from gpf_desktop.domain.ids import ArticleId, CellId, ModelId, RunId
from gpf_desktop.storage.coordinate_sets import PartNumbers
from gpf_desktop.storage.used_numbers import next_number

_COLUMNS: Final = (
    "id, run_id, bundle_id, model_id, item_id, coordinates_id, repeat, stage, parent_cell_id, seed, position, state"
)
_ROW: Final = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_AT_ONCE: Final = 500
"""Rows that one statement stores: a statement for each row took twice the time."""
FIT_BY_ITEM = frozenset({"model", "item"})
"""An encoder is fitted on one model's answers about one item."""


class PlannedCell(NamedTuple):
    """A cell on its way into the store: a tuple, which is made in a third of the time, for a round has 300,000."""

    model_id: ModelId
    article_id: ArticleId
    answer: PlannedAnswer
    seed: int
    position: int
    """Place in the order of asking."""
    parent: CellId | None = None
    """The cell whose answer it rests on."""
    state: str = "open"
    """Or how it ended, where it was asked elsewhere: "answered" or "missing"."""


def plan(
    connection: sqlite3.Connection,
    run_id: RunId,
    grouping: Grouping,
    cells: Iterable[PlannedCell],
    *,
    fitted_on: frozenset[str] = FIT_BY_ITEM,
    stages: int = 0,
) -> int:
    """Store a run's *cells*, and the bundles they fall into; returns how many there are.

    Cells of one bundle get ascending ids in the order given: the protocol's order. *fitted_on*: of ``model`` and
    ``item`` those that the answers of one fit have in common. *stages*: how many later ones there will be.
    """
    writer = _Writer(connection, run_id, grouping, fitted_on, stages)
    for cell in cells:
        writer.add(cell)
    return writer.write()


def add(
    connection: sqlite3.Connection,
    run_id: RunId,
    grouping: Grouping,
    cells: Iterable[PlannedCell],
    *,
    fitted_on: frozenset[str],
) -> Counter[ModelId]:
    """Store further *cells* of a run beside those that there are, which stay as they are; how many each model got."""
    writer = _Writer(connection, run_id, grouping, fitted_on, 0)
    asked: Counter[ModelId] = Counter()
    for cell in cells:
        if not writer.is_there(cell):
            asked[cell.model_id] += 1
            writer.add(cell)
    writer.write()
    return asked


class _Writer:
    """Gathers a run's cells, and finds or makes the fit groups and bundles that they fall into."""

    def __init__(
        self, connection: sqlite3.Connection, run_id: RunId, grouping: Grouping, fitted_on: frozenset[str], stages: int
    ) -> None:
        self._connection, self._run_id, self._grouping, self._stages = connection, run_id, grouping, stages
        self._fitted_on_model, self._fitted_on_item = "model" in fitted_on, "item" in fitted_on
        self._models_vary, self._items_vary = "model" in grouping.varies, "item" in grouping.varies
        self._parts = PartNumbers(connection, grouping)
        self._groups: dict[tuple[Any, ...], int] = {}
        self._bundles: dict[tuple[Any, ...], int] = {}
        self._planned: Counter[int] = Counter()
        self._open_of: Counter[int] = Counter()
        self._answered_of: Counter[int] = Counter()
        self._bundles_of: Counter[int] = Counter()
        self._whose: tuple[ModelId, ArticleId] | None = None
        self._places: dict[tuple[int, str], tuple[int, int]] = {}
        self._values: list[object] = []
        self._waiting = self._written = 0
        self._next_bundle = next_number(connection, "bundle")
        self._fresh = connection.execute("SELECT 1 FROM cell WHERE run_id = ? LIMIT 1", (run_id,)).fetchone() is None

    def add(self, cell: PlannedCell) -> None:
        model_id, article_id, answer, seed, position, parent, state = cell
        held, varying = self._parts[answer.coordinates]
        bundle_id, group = self._place(cell, held)
        self._open_of[group] += state == "open"
        self._answered_of[group] += state == "answered"
        self._planned[bundle_id] += answer.repeat == 0
        number = None if self._waiting else next_number(self._connection, "cell")
        self._values += (number, self._run_id, bundle_id, model_id, article_id, varying)
        self._values += (answer.repeat, answer.stage, parent, seed, position, state)
        self._waiting += 1
        if self._waiting == _AT_ONCE:
            self._write_rows()

    def is_there(self, cell: PlannedCell) -> bool:
        """Whether the run has this very cell."""
        held, varying = self._parts[cell.answer.coordinates]
        known = self._connection.execute(
            "SELECT 1 FROM cell WHERE bundle_id = ? AND model_id = ? AND item_id = ? AND coordinates_id = ?"
            " AND repeat = ? AND parent_cell_id IS ?",
            (
                self._place(cell, held)[0],
                cell.model_id,
                cell.article_id,
                varying,
                cell.answer.repeat,
                cell.parent,
            ),
        )
        return known.fetchone() is not None

    def write(self) -> int:
        connection = self._connection
        self._write_rows()
        connection.executemany(
            "UPDATE bundle SET planned = planned + ? WHERE id = ?", [(n, id_) for id_, n in self._planned.items()]
        )
        connection.executemany(
            "UPDATE fit_group SET bundles = bundles + ?, unended = unended + ?, answers = answers + ?,"
            " changes = changes + 1 WHERE id = ?",
            [(self._bundles_of[group], n, self._answered_of[group], group) for group, n in self._open_of.items()],
        )
        return self._written

    def _write_rows(self) -> None:
        if self._waiting:
            rows = ", ".join([_ROW] * self._waiting)
            self._connection.execute(f"INSERT INTO cell ({_COLUMNS}) VALUES {rows}", self._values)
        self._written += self._waiting
        self._waiting = 0
        self._values.clear()

    def _place(self, cell: PlannedCell, held: int) -> tuple[int, int]:
        """Its bundle and its fit group; the cells of one model and item, which come together, share few."""
        if cell[:2] != self._whose:
            self._whose, self._places = cell[:2], {}
        key = held, cell.answer.arm
        place = self._places.get(key)
        if place is None:
            group = self._group(cell)
            place = self._places[key] = self._bundle(cell, held, group), group
        return place

    def _group(self, cell: PlannedCell) -> int:
        fit = cell.model_id if self._fitted_on_model else None, cell.article_id if self._fitted_on_item else None
        group = self._groups.get(fit)
        if group is None:
            group = self._groups[fit] = self._found(
                "SELECT id FROM fit_group WHERE run_id = ? AND model_id IS ? AND item_id IS ?", (self._run_id, *fit)
            ) or _insert(
                self._connection,
                "INSERT INTO fit_group (run_id, model_id, item_id, unended, stages, stages_left)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (self._run_id, *fit, self._stages, self._stages, self._stages),
            )
        return group

    def _bundle(self, cell: PlannedCell, held: int, group: int) -> int:
        key = (
            None if self._models_vary else cell.model_id,
            None if self._items_vary else cell.article_id,
            held,
            cell.answer.arm,
        )
        bundle = self._bundles.get(key)
        if bundle is None:
            there = self._found(
                # IS, since NULL equals nothing. The table's UNIQUE goes by the same rule, so that it would let a second
                # bundle in where models or items vary.
                "SELECT id FROM bundle WHERE run_id = ? AND grouping = ? AND model_id IS ? AND item_id IS ?"
                " AND coordinates_id = ? AND arm = ?",
                (self._run_id, self._grouping.name, *key),
            )
            if not there and cell.answer.arm != EMBEDDED:
                self._bundles_of[group] += 1
            bundle = self._bundles[key] = there or _insert(
                self._connection,
                "INSERT INTO bundle (id, run_id, grouping, model_id, item_id, coordinates_id, arm, planned,"
                " fit_group_id) VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?)",
                (self._next_bundle, self._run_id, self._grouping.name, *key, group),
            )
            if not there:
                self._next_bundle = None
        return bundle

    def _found(self, statement: str, values: tuple[Any, ...]) -> int:
        """0 where there is none; nothing is looked for while a run gets its first cells."""
        row = None if self._fresh else self._connection.execute(statement, values).fetchone()
        return 0 if row is None else int(row[0])


def set_parents(connection: sqlite3.Connection, parents: Iterable[tuple[CellId, CellId]]) -> None:
    """(cell, the one whose answer it rests on), of answers that came from elsewhere."""
    connection.executemany("UPDATE cell SET parent_cell_id = ? WHERE id = ?", [(on, cell) for cell, on in parents])


def _insert(connection: sqlite3.Connection, statement: str, values: tuple[Any, ...]) -> int:
    return connection.execute(statement, values).lastrowid or 0
