"""Everything scored under one setting, column by column: what a table over a hundred thousand bundles is made from.

Read row by row, with every word joined in and every score picked by its name, the same takes some five times as long.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from gpf_desktop.domain.scores import UnitKind
from gpf_desktop.storage import scores

Column = Any
"""A sequence, or a numpy array."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredBundles:
    """Bundles in the order of their ids; every column of one length."""

    columns: Mapping[str, Column]
    """``bundle_id run_id model_id article_id condition dimension family paraphrase planned provisional``."""
    values: Mapping[str, Column]
    """By the score's name; None or NaN: unavailable."""
    models: Mapping[int, tuple[str, str, bool]]
    """(``provider/model``, vendor, synthetic) by model id."""
    batches: Mapping[int, int]
    """Batch id by run id."""
    articles: Mapping[tuple[int, int], tuple[str, str]]
    """(headline, stratum) by batch id and article id."""


_COLUMNS = (
    "bundle_id",
    "run_id",
    "model_id",
    "article_id",
    "condition",
    "dimension",
    "family",
    "paraphrase",
    "planned",
)


def scored_bundles(connection: sqlite3.Connection, setting_id: int, names: Sequence[str]) -> ScoredBundles:
    """The bundles that have scores under the setting, with those called *names*."""
    units, values = _values(connection, setting_id, names)
    rows = connection.execute(
        "SELECT id, run_id, model_id, article_id, condition, dimension, family, paraphrase, planned FROM bundle"
        " ORDER BY id"
    ).fetchall()
    if len(rows) != len(units):
        scored = set(units)
        rows = [row for row in rows if row[0] in scored]
    columns: dict[str, Column] = dict(zip(_COLUMNS, zip(*rows, strict=True), strict=True)) if rows else {}
    provisional = {
        row[0]
        for row in connection.execute(
            "SELECT DISTINCT unit_id FROM score WHERE setting_id = ? AND unit_kind = ? AND provisional",
            (setting_id, UnitKind.BUNDLE),
        )
    }
    columns = {name: columns.get(name, ()) for name in _COLUMNS}
    columns["provisional"] = [unit in provisional for unit in units] if provisional else [False] * len(units)
    return ScoredBundles(
        columns=columns,
        values=values,
        models={
            row[0]: (row[1], row[2], bool(row[3]))
            for row in connection.execute(
                "SELECT id, provider || '/' || model,"
                " coalesce(nullif(json_extract(endpoint, '$.vendor'), ''), provider), synthetic FROM model"
            )
        },
        batches=dict(connection.execute("SELECT id, batch_id FROM run").fetchall()),
        articles={
            (row[0], row[1]): (row[2], row[3])
            for row in connection.execute("SELECT batch_id, article_id, headline, stratum FROM batch_article")
        },
    )


def _values(
    connection: sqlite3.Connection, setting_id: int, names: Sequence[str]
) -> tuple[list[int], Mapping[str, Column]]:
    """The units' ids, ascending, and columns by name, unavailable values as NaN.

    A scorer gives every unit of a setting the same names, so the primary key's order is a table; where it is not,
    SQLite picks value by value.
    """
    import numpy as np

    # Infinity stands for NULL on its way into the array: 900,000 rows as tuples would take three times as long.
    rows = connection.execute(
        "SELECT unit_id, coalesce(value, 9e999) FROM score WHERE setting_id = ? AND unit_kind = ?"
        " ORDER BY unit_id, name",
        (setting_id, UnitKind.BUNDLE),
    )
    flat = np.fromiter(chain.from_iterable(rows), np.float64)
    if not len(flat):
        return [], {name: np.zeros(0) for name in names}
    there = [
        row[0]
        for row in connection.execute(
            "SELECT name FROM score WHERE setting_id = ? AND unit_kind = ? AND unit_id = ? ORDER BY name",
            (setting_id, UnitKind.BUNDLE, int(flat[0])),
        )
    ]
    if len(flat) % (2 * len(there)) == 0:
        table = flat.reshape(-1, len(there), 2)
        units = table[:, 0, 0]
        if bool((table[:, :, 0] == units[:, None]).all() and (np.diff(units) > 0).all()):
            values = np.where(np.isinf(table[:, :, 1]), np.nan, table[:, :, 1])
            none = np.full(len(units), np.nan)
            found = {name: values[:, there.index(name)] if name in there else none for name in names}
            return units.astype(np.int64).tolist(), found
    ids, *columns = zip(*scores.values(connection, setting_id, names), strict=True)
    return list(ids), {name: np.array(column, np.float64) for name, column in zip(names, columns, strict=True)}
