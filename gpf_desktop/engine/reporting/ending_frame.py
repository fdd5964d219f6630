"""The ends of cells, as a frame (`domain.score_tables.Endings`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.score_tables import Endings
from gpf_desktop.storage.endings import ENDING_COLUMNS, StoredEndings


def ending_frame(stored: StoredEndings, sets: Mapping[int, Coordinates], corrected: frozenset[int]) -> Endings:
    import pandas as pd

    frame = pd.DataFrame.from_records(stored.rows, columns=list(ENDING_COLUMNS))
    models = frame.pop("model_id")
    frame["model"] = pd.Categorical(models.map({number: label for number, (label, _) in stored.models.items()}))
    frame["synthetic"] = models.isin([number for number, (_, synthetic) in stored.models.items() if synthetic])
    frame["missing"], frame["category"] = pd.Categorical(frame["missing"]), pd.Categorical(frame["category"])
    strata = {item: each.stratum for (_, item), each in stored.items.items()}
    frame["stratum"] = pd.Categorical(frame["item_id"].map(strata))
    return Endings(frame=frame, coordinates=sets, items=stored.items, corrected=corrected)


def some_endings(every: Endings, keep: Any) -> Endings:
    """The rows of *every* for which *keep* holds."""
    return replace(every, frame=every.frame[keep])


def no_endings(_method: str, _measure: str) -> Endings:
    return ending_frame(StoredEndings(rows=[], models={}, items={}), {}, frozenset())
