"""Scores of an audit beside those that were computed anew from its answers in a copy of it."""

import math
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from gpf_desktop.domain.scores import UnitKind, cells_of
from gpf_desktop.storage import fit_groups, scores

TOLERANCE: Final = 1e-9
"""Another machine's arithmetic may differ in the last digits of a float64, no more."""

Key = tuple[int, str, int, str]
"""Setting, kind of unit, unit, name of the score."""


@dataclass(slots=True, kw_only=True)
class ComparedScores:
    """The result of a comparison of scores."""

    same: int = 0
    older: int = 0
    """Scores that were made before the newest answers, which the program brings up to date by itself."""
    bundles: set[int] = field(default_factory=set)
    """Sets of answers with a score that differs, or that is there on one side alone."""
    apart: int = 0


def compare(stored: sqlite3.Connection, anew: sqlite3.Connection) -> ComparedScores:
    """Every score behind *stored* beside that behind *anew*, a copy in which all were computed again."""
    behind = {each.id: fit_groups.behind(stored, each.id).keys() for each in scores.settings(stored)}
    based = set(stored.execute("SELECT setting_id, fit_group_id FROM score_basis WHERE NOT provisional"))
    places = _Places(stored)
    found = ComparedScores()
    for key, same in _beside(_rows(stored), _rows(anew)):
        if same:
            found.same += 1
            continue
        bundle, fit = places(key)
        if fit in behind.get(key[0], ()) or (key[0], fit) not in based:
            found.older += 1
            continue
        found.apart += 1
        found.bundles.add(bundle)
    return found


def _rows(connection: sqlite3.Connection) -> Iterator[tuple[Key, Any]]:
    rows = connection.execute(
        "SELECT setting_id, unit_kind, unit_id, name, coalesce(value, category, unavailable) FROM score"
        " ORDER BY setting_id, unit_kind, unit_id, name"
    )
    return ((row[:4], row[4]) for row in rows)


def _beside(one: Iterator[tuple[Key, Any]], two: Iterator[tuple[Key, Any]]) -> Iterator[tuple[Key, bool]]:
    """Every key of either side, and whether both have the same value there."""
    mine, other = next(one, None), next(two, None)
    while mine is not None or other is not None:
        if other is None or (mine is not None and mine[0] < other[0]):
            assert mine is not None
            yield mine[0], False
            mine = next(one, None)
        elif mine is None or other[0] < mine[0]:
            yield other[0], False
            other = next(two, None)
        else:
            yield mine[0], _alike(mine[1], other[1])
            mine, other = next(one, None), next(two, None)


def _alike(one: object, two: object) -> bool:
    if isinstance(one, float) and isinstance(two, float):
        return math.isclose(one, two, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    return one == two


class _Places:
    """The set of answers and the fit that a score is of, (0, 0) for what is of neither.

    Of the stored audit alone: the other is its copy. Read as a whole at the first that is asked for: where one score
    differs, as a rule many do.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __call__(self, key: Key) -> tuple[int, int]:
        _, kind, unit, _ = key
        if kind == UnitKind.BUNDLE:
            bundle = unit
        else:
            # Both answers of a pair are of one fit.
            bundle = self._bundles.get(cells_of(unit)[0] if kind == UnitKind.PAIR else unit, 0)
        return (bundle, self._fits[bundle]) if bundle in self._fits else (0, 0)

    @cached_property
    def _bundles(self) -> dict[int, int]:
        return dict(self._connection.execute("SELECT id, bundle_id FROM cell").fetchall())

    @cached_property
    def _fits(self) -> dict[int, int]:
        return dict(self._connection.execute("SELECT id, fit_group_id FROM bundle").fetchall())
