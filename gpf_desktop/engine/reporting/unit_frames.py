"""Frames of what a scorer says of answers, of pairs of answers, and in categories (`domain.score_tables`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.scores import Measure, UnitKind, cells_of
from gpf_desktop.engine.reporting.score_frame import Orders, in_order
from gpf_desktop.storage.unit_scores import ANSWER_PLACE, Row

if TYPE_CHECKING:
    import pandas as pd

Values = Mapping[str, Iterable[Row]]
"""By measure, (unit, number or category)."""

_WORDS = ("model", "vendor", "role", "headline", "stratum", "arm")


def of_unit(measures: Iterable[Measure], kind: UnitKind) -> tuple[Measure, ...]:
    return tuple(each for each in measures if each.unit is kind)


def column(units: Sequence[int], measure: Measure, values: Iterable[Row]) -> Any:
    """The values of *units*: numbers, NaN where there is none; or categories in the measure's order."""
    import numpy as np
    import pandas as pd

    found: dict[object, Any] = dict(values)  # type: ignore[arg-type]
    if measure.categories:
        return pd.Categorical([found.get(unit) for unit in units], categories=list(measure.categories))
    return np.array([found.get(unit, np.nan) for unit in units], np.float64)


def answer_frame(
    rows: Sequence[Row],
    sets: Mapping[int, Coordinates],
    measures: Sequence[Measure],
    values: Values,
    orders: Orders,
) -> pd.DataFrame:
    """`ScoreTables.scored_answers` from the rows of `storage.unit_scores.places`."""
    import pandas as pd

    frame = pd.DataFrame.from_records(rows, columns=list(ANSWER_PLACE))
    fixed, varying = frame.pop("fixed"), frame.pop("varying")
    where = [sets[one].joined(sets[other]) for one, other in zip(fixed, varying, strict=True)]
    for factor in orders.levels:
        levels = pd.Series([each.get(factor) for each in where], dtype=object)
        frame[factor] = in_order(levels, orders.of(factor))
    for name in _WORDS:
        frame[name] = in_order(frame[name], orders.of(name))
    frame["batch"] = in_order(frame["batch_id"].map(dict(orders.batches)).astype(object), orders.of("batch"))
    frame["synthetic"] = frame["synthetic"].astype(bool)
    units = frame["cell_id"].tolist()
    for each in measures:
        frame[each.name] = column(units, each, values.get(each.name, ()))
    return frame


def pair_frame(measures: Sequence[Measure], values: Values) -> pd.DataFrame:
    """`ScoreTables.scored_pairs`."""
    import pandas as pd

    # As lists, for they are gone over twice, which an iterator allows once.
    known = {name: list(rows) for name, rows in values.items()}
    units = sorted({int(str(unit)) for rows in known.values() for unit, _ in rows})
    cells = [cells_of(unit) for unit in units]
    frame = pd.DataFrame({"first_cell": [one for one, _ in cells], "second_cell": [other for _, other in cells]})
    for each in measures:
        frame[each.name] = column(units, each, known.get(each.name, ()))
    return frame
