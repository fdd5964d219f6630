"""Stored scores as pandas frames: what analyses read (`domain.score_tables`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.coverage import Coverage
from gpf_desktop.domain.score_tables import OtherScores
from gpf_desktop.domain.scores import BUNDLE_SCORES, IDENTITY_SCORES, VALID
from gpf_desktop.storage.cell_counts import CELL_COLUMNS
from gpf_desktop.storage.score_columns import ScoredBundles
from gpf_desktop.storage.scores import TEST_COLUMNS

if TYPE_CHECKING:
    import pandas as pd

_WORDS = ("model", "vendor", "batch", "headline", "stratum", "condition", "dimension", "identity", "family", "reason")
_NUMBERS = ("bundle_id", "run_id", "model_id", "article_id", "paraphrase", "planned")
_COVERAGES = (Coverage.COMPLETE, Coverage.PARTIAL, Coverage.UNSCORED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """The order in which tables list things; what is not named here comes behind, in the alphabet's order."""

    dimensions: tuple[str, ...] = ()
    families: tuple[str, ...] = ()
    identities: tuple[str, ...] = ()
    batches: tuple[tuple[int, str], ...] = ()
    """(id, name), the oldest first."""

    def of(self, column: str) -> tuple[str, ...]:
        match column:
            case "dimension":
                return self.dimensions
            case "family":
                return self.families
            case "identity":
                return self.identities
            case "batch":
                return tuple(name for _, name in self.batches)
            case _:
                return ()


class FrameTables:
    """`domain.score_tables.ScoreTables` over frames; those that are seldom asked for are read when they are."""

    def __init__(
        self,
        bundles: pd.DataFrame,
        read_cells: Callable[[], pd.DataFrame],
        read_answers: Callable[[], pd.DataFrame],
        *,
        read_others: Callable[[], Sequence[OtherScores]] = tuple,
        read_tests: Callable[[], pd.DataFrame] | None = None,
    ) -> None:
        self._bundles = bundles
        self._read_cells = read_cells
        self._read_answers = read_answers
        self._read_others = read_others
        self._read_tests = read_tests or (lambda: tested_frame((), Orders()))

    @property
    def bundles(self) -> pd.DataFrame:
        return self._bundles

    @cached_property
    def cells(self) -> pd.DataFrame:
        return self._read_cells()

    @cached_property
    def answers(self) -> pd.DataFrame:
        return self._read_answers()

    @cached_property
    def others(self) -> Sequence[OtherScores]:
        return self._read_others()

    @cached_property
    def tests(self) -> pd.DataFrame:
        return self._read_tests()


def bundle_frame(
    scored: ScoredBundles, orders: Orders, behind: Mapping[tuple[int, int, int], int] | None = None
) -> pd.DataFrame:
    """The frame of `domain.score_tables.ScoreTables.bundles`, *scored* read with `BUNDLE_SCORES` and `VALID`.

    *behind*: newer answers by (run, model, article), where there are any.
    """
    import numpy as np
    import pandas as pd

    given = {name: np.asarray(scored.columns[name], np.int64) for name in _NUMBERS}
    batch, run_place = _looked_up(given["run_id"], scored.batches)
    batch_id = np.array(batch, np.int64)[run_place]
    models, of_model = _looked_up(given["model_id"], scored.models)
    stories, of_pair = _stories(batch_id, given["article_id"], scored)
    names = dict(orders.batches)
    words: dict[str, tuple[Sequence[Any], Any]] = {
        "model": ([model[0] for model in models], of_model),
        "vendor": ([model[1] for model in models], of_model),
        "batch": ([names.get(number) for number in batch], run_place),
        "headline": ([story[0] for story in stories], of_pair),
        "stratum": ([story[1] for story in stories], of_pair),
        **scored.words,
    }
    valid = np.nan_to_num(scored.values[VALID]).astype(np.int64)
    state: Any = np.where(valid < 2, 2, np.where(valid == given["planned"], 0, 1))
    return pd.DataFrame(
        {
            **given,
            "batch_id": batch_id,
            "synthetic": np.array([model[2] for model in models], bool)[of_model],
            "provisional": np.asarray(scored.columns["provisional"], bool),
            "newer": _newer(given, behind or {}),
            **{name: _worded(found, place, orders.of(name)) for name, (found, place) in words.items()},
            **{name: scored.values[name] for name in BUNDLE_SCORES},
            VALID: valid,
            "coverage": _coded(state, _COVERAGES),
        }
    )


def _stories(batch_id: Any, article_id: Any, scored: ScoredBundles) -> tuple[list[tuple[str, str]], Any]:
    """(headline, stratum) of each article of a batch, and each row's place among them."""
    import numpy as np

    articles, of_article = np.unique(article_id, return_inverse=True)
    code = batch_id * max(len(articles), 1) + of_article
    pairs, place = np.unique(code, return_inverse=True)
    batches, which = np.divmod(pairs, max(len(articles), 1))
    return [scored.articles[int(batch), int(articles[at])] for batch, at in zip(batches, which, strict=True)], place


def _newer(given: Mapping[str, Any], behind: Mapping[tuple[int, int, int], int]) -> Any:
    """Per bundle, how many answers came after its scores were made."""
    import numpy as np

    none = np.zeros(len(given["bundle_id"]), np.int64)
    if not behind:
        return none
    key = np.stack([given["run_id"], given["model_id"], given["article_id"]])
    groups, place = np.unique(key, axis=1, return_inverse=True)
    told = [behind.get((int(run), int(model), int(article)), 0) for run, model, article in groups.T]
    return np.array(told, np.int64)[place.ravel()]


def _looked_up(ids: Any, told: Mapping[int, Any]) -> tuple[list[Any], Any]:
    """What *told* says of each distinct id, and each row's place among them."""
    import numpy as np

    distinct, place = np.unique(ids, return_inverse=True)
    return [told[int(number)] for number in distinct], place


def _worded(found: Sequence[Any], place: Any, first: Iterable[str]) -> Any:
    """Categories in order for rows whose words stand at *place* of *found*."""
    import pandas as pd

    words = in_order(pd.Series(found, dtype=object), first)
    return pd.Categorical.from_codes(words.cat.codes.to_numpy()[place], categories=words.cat.categories)


def cell_frame(rows: Sequence[tuple[object, ...]], orders: Orders) -> pd.DataFrame:
    """A frame from the rows of `storage.cell_counts.cell_counts`."""
    frame = _frame(rows, CELL_COLUMNS, orders)
    for name in ("n", "worded_refusals", "truncated", "paraphrase"):
        frame[name] = frame[name].astype(int)
    frame["repeated"] = frame["repeated"].astype(bool)
    return frame


def other_frame(scored: ScoredBundles, behind: Mapping[tuple[int, int, int], int] | None = None) -> pd.DataFrame:
    """The frame of `domain.score_tables.OtherScores`, *scored* read with `BUNDLE_SCORES`; *behind* as above."""
    import pandas as pd

    return pd.DataFrame(
        {
            "bundle_id": scored.columns["bundle_id"],
            **{name: scored.values[name] for name in BUNDLE_SCORES},
            "newer": _newer(scored.columns, behind or {}),
        }
    )


def tested_frame(rows: Sequence[tuple[object, ...]], orders: Orders) -> pd.DataFrame:
    """A frame from the rows of `storage.scores.test_rows`."""
    frame = _frame(rows, TEST_COLUMNS, orders)
    for name in IDENTITY_SCORES:
        frame[name] = frame[name].astype(float)
    return frame


def _frame(rows: Sequence[tuple[object, ...]], columns: tuple[str, ...], orders: Orders) -> pd.DataFrame:
    import pandas as pd

    frame = pd.DataFrame.from_records(rows, columns=list(columns))
    names = dict(orders.batches)
    frame["batch"] = frame["batch_id"].map(names).astype(object)
    frame["synthetic"] = frame["synthetic"].astype(bool)
    for column in _WORDS:
        if column in frame:
            frame[column] = in_order(frame[column], orders.of(column))
    return frame


def in_order(column: pd.Series[Any], first: Iterable[str]) -> pd.Series[Any]:
    """*column* as categories: those of *first* that occur, then the others in the alphabet's order."""
    import numpy as np
    import pandas as pd

    found: Any
    codes, found = pd.factorize(column)
    there = set(found)
    known = [name for name in dict.fromkeys(first) if name in there]
    names = known + sorted(there.difference(known))
    place = {name: number for number, name in enumerate(names)}
    numbers = np.array([place[name] for name in found], np.int64)
    return pd.Series(_coded(numbers[codes], names), index=column.index)


def _coded(codes: Any, names: Sequence[str]) -> Any:
    import pandas as pd

    categories: Any = pd.Index(list(map(str, names)), dtype=object)
    return pd.Categorical.from_codes(codes, categories=categories)
