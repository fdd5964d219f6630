"""Stored scores as pandas frames: what analyses read (`domain.score_tables`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.coverage import Coverage
from gpf_desktop.domain.ids import FitGroupId
from gpf_desktop.domain.score_tables import Endings, OtherScores, RunTerms
from gpf_desktop.domain.scores import VALID, Measure
from gpf_desktop.engine.reporting.ending_frame import no_endings
from gpf_desktop.storage.cell_counts import CountedCells
from gpf_desktop.storage.fit_groups import Behind
from gpf_desktop.storage.replies import StoredReply
from gpf_desktop.storage.score_columns import ScoredBundles
from gpf_desktop.storage.scores import TEST_COLUMNS, LevelTestRows
from gpf_desktop.storage.vectors import StoredVector

if TYPE_CHECKING:
    import pandas as pd

_WORDS = ("model", "vendor", "batch", "headline", "stratum", "arm", "reason")
_NUMBERS = ("bundle_id", "run_id", "model_id", "article_id", "fit_group_id", "planned")
_COVERAGES = (Coverage.COMPLETE, Coverage.PARTIAL, Coverage.UNSCORED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Orders:
    """The order in which tables list things; what is not named here comes behind, in the alphabet's order."""

    levels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By factor, in the order of the method; every factor that a bundle can hold fixed is named."""
    batches: tuple[tuple[int, str], ...] = ()
    """(id, name), the oldest first."""

    def named(self, batches: Iterable[int]) -> list[str]:
        """The name of each of *batches*; of one that a damaged audit no longer holds, its number."""
        names = dict(self.batches)
        return [names.get(int(each), str(each)) for each in batches]

    def of(self, column: str) -> tuple[str, ...]:
        return tuple(name for _, name in self.batches) if column == "batch" else self.levels.get(column, ())


class FrameTables:
    """`domain.score_tables.ScoreTables` over frames; those that are seldom asked for are read when they are."""

    def __init__(
        self,
        bundles: pd.DataFrame,
        read_cells: Callable[[], pd.DataFrame],
        read_answers: Callable[[], pd.DataFrame],
        *,
        read_decided: Callable[[], pd.DataFrame],
        read_said: Callable[[], pd.DataFrame],
        read_others: Callable[[], Sequence[OtherScores]] = tuple,
        read_tests: Callable[[], pd.DataFrame] | None = None,
        read_replies: Callable[[str], Sequence[StoredReply]] = lambda _method: (),
        read_vectors: Callable[[str], Sequence[StoredVector]] = lambda _method: (),
        read_ratings: Callable[[str], Mapping[int, Mapping[str, int]]] = lambda _method: {},
        read_terms: Callable[[str], Mapping[int, RunTerms]] = lambda _method: {},
        read_endings: Callable[[str, str], Endings] | None = None,
        read_numbers: Callable[[str], Mapping[int, float]] = lambda _measure: {},
        measures: Sequence[Measure] = (),
        read_scored_answers: Callable[[], pd.DataFrame] | None = None,
        read_scored_pairs: Callable[[], pd.DataFrame] | None = None,
    ) -> None:
        self.measures = tuple(measures)
        self._bundles = bundles
        self._read_cells = read_cells
        self._read_answers = read_answers
        self._read_others = read_others
        self._read_tests = read_tests or (lambda: tested_frame(LevelTestRows(), Orders()))
        self._read_replies, self._read_terms = cache(read_replies), cache(read_terms)
        self._read_vectors, self._read_ratings = read_vectors, read_ratings
        self._read_endings, self._read_numbers = cache(read_endings or no_endings), cache(read_numbers)
        self._read_decided = read_decided
        self._read_said = read_said
        self._read_scored_answers = read_scored_answers
        self._read_scored_pairs = read_scored_pairs

    @property
    def bundles(self) -> pd.DataFrame:
        return self._bundles

    def replies(self, method: str) -> Sequence[StoredReply]:
        return self._read_replies(method)

    def ratings(self, method: str) -> Mapping[int, Mapping[str, int]]:
        return self._read_ratings(method)

    def vectors(self, method: str) -> Sequence[StoredVector]:
        return self._read_vectors(method)

    def endings(self, method: str, measure: str) -> Endings:
        return self._read_endings(method, measure)

    def numbers(self, measure: str) -> Mapping[int, float]:
        return self._read_numbers(measure)

    def terms(self, method: str) -> Mapping[int, RunTerms]:
        return self._read_terms(method)

    # cached_property holds no lock since Python 3.12: two threads may both read, which gives each of them the same.
    @cached_property
    def scored_answers(self) -> pd.DataFrame:
        import pandas as pd

        return self._read_scored_answers() if self._read_scored_answers else pd.DataFrame()

    @cached_property
    def scored_pairs(self) -> pd.DataFrame:
        import pandas as pd

        return self._read_scored_pairs() if self._read_scored_pairs else pd.DataFrame()

    @cached_property
    def cells(self) -> pd.DataFrame:
        return self._read_cells()

    @cached_property
    def decided(self) -> pd.DataFrame:
        return self._read_decided()

    @cached_property
    def said(self) -> pd.DataFrame:
        return self._read_said()

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
    scored: ScoredBundles, orders: Orders, behind: Mapping[FitGroupId, Behind] | None = None
) -> pd.DataFrame:
    """The frame of `domain.score_tables.ScoreTables.bundles`, *scored* read with numbers of bundles and `VALID`.

    *behind*: fit groups with newer answers, where there are any.
    """
    import numpy as np
    import pandas as pd

    given = {name: np.asarray(scored.columns[name], np.int64) for name in _NUMBERS}
    batch, run_place = _looked_up(given["run_id"], scored.batches)
    batch_id = np.array(batch, np.int64)[run_place]
    models, of_model = _looked_up(given["model_id"], scored.models)
    stories, of_pair = _stories(batch_id, given["article_id"], scored)
    words: dict[str, tuple[Sequence[Any], Any]] = {
        # Words stand once for each distinct id, with every row's place among them: rows are many, names are few.
        "model": ([model[0] for model in models], of_model),
        "vendor": ([model[1] for model in models], of_model),
        "batch": (orders.named(batch), run_place),
        "headline": ([story[0] for story in stories], of_pair),
        "stratum": ([story[1] for story in stories], of_pair),
        **{factor: ([""], np.zeros(len(of_model), np.int64)) for factor in orders.levels},
        **scored.words,
    }
    valid = np.nan_to_num(scored.values[VALID]).astype(np.int64)
    # Places in `_COVERAGES`: no difference can be told from fewer than two valid answers.
    state: Any = np.where(valid < 2, 2, np.where(valid == given["planned"], 0, 1))
    return pd.DataFrame(
        {
            **given,
            "batch_id": batch_id,
            "synthetic": np.array([model[2] for model in models], bool)[of_model],
            "provisional": np.asarray(scored.columns["provisional"], bool),
            "newer": _newer(given, behind or {}),
            **{name: _worded(found, place, orders.of(name)) for name, (found, place) in words.items()},
            **{name: values for name, values in scored.values.items() if name != VALID},
            VALID: valid,
            "coverage": _coded(state, _COVERAGES),
        }
    )


def _stories(batch_id: Any, article_id: Any, scored: ScoredBundles) -> tuple[list[tuple[str, str]], Any]:
    """(headline, stratum) of each article of a batch, and each row's place among them."""
    import numpy as np

    articles, of_article = np.unique(article_id, return_inverse=True)
    # One number for a pair, so that a story is looked up once for each and not for each bundle.
    code = batch_id * max(len(articles), 1) + of_article
    pairs, place = np.unique(code, return_inverse=True)
    batches, which = np.divmod(pairs, max(len(articles), 1))
    return [scored.articles[int(batch), int(articles[at])] for batch, at in zip(batches, which, strict=True)], place


def _newer(given: Mapping[str, Any], behind: Mapping[FitGroupId, Behind]) -> Any:
    """Per bundle, how many answers came after its scores were made."""
    import numpy as np

    none = np.zeros(len(given["bundle_id"]), np.int64)
    if not behind:
        return none
    newer = {int(group): each.newer for group, each in behind.items()}
    groups, place = np.unique(given["fit_group_id"], return_inverse=True)
    return np.array([newer.get(int(group), 0) for group in groups], np.int64)[place]


def _looked_up(ids: Any, told: Mapping[int, Any]) -> tuple[list[Any], Any]:
    """The entry in *told* of each distinct id, and each row's place among them."""
    import numpy as np

    distinct, place = np.unique(ids, return_inverse=True)
    return [told[int(number)] for number in distinct], place


def _worded(found: Sequence[Any], place: Any, first: Iterable[str]) -> Any:
    """Categories in order for rows whose words stand at *place* of *found*."""
    import pandas as pd

    words = in_order(pd.Series(found, dtype=object), first)
    return pd.Categorical.from_codes(words.cat.codes.to_numpy()[place], categories=words.cat.categories)


def counted_frame(counted: CountedCells, orders: Orders) -> pd.DataFrame:
    """`domain.score_tables.ScoreTables.cells`, `decided` or `said`."""
    import numpy as np
    import pandas as pd

    numbers = dict(counted.numbers)
    models, of_model = _looked_up(numbers.pop("model_id"), counted.models)
    batch, of_batch = np.unique(numbers["batch_id"], return_inverse=True)
    fixed, of_fixed = np.unique(numbers.pop("fixed"), return_inverse=True)
    varying, of_varying = np.unique(numbers.pop("varying"), return_inverse=True)
    # One number for both, so that their levels are looked up once for each pair.
    pairs, of_pair = np.unique(of_fixed * max(len(varying), 1) + of_varying, return_inverse=True)
    ones, others = np.divmod(pairs, max(len(varying), 1))
    sets = [
        counted.sets[int(fixed[one])].joined(counted.sets[int(varying[other])])
        for one, other in zip(ones, others, strict=True)
    ]
    factors = dict.fromkeys((*orders.levels, *(factor for each in sets for factor, _ in each)))
    words: dict[str, tuple[Sequence[Any], Any]] = {
        "model": ([model[0] for model in models], of_model),
        "vendor": ([model[1] for model in models], of_model),
        "batch": (orders.named(batch), of_batch),
        **counted.words,
        **{factor: ([each.get(factor) for each in sets], of_pair) for factor in factors},
    }
    frame = pd.DataFrame(
        {
            **{name: np.asarray(column, np.int64) for name, column in numbers.items()},
            "synthetic": np.array([model[2] for model in models], bool)[of_model],
            **{name: _worded(found, place, orders.of(name)) for name, (found, place) in words.items()},
        }
    )
    if "repeated" in frame and "repeated" not in counted.counts:
        frame["repeated"] = frame["repeated"].astype(bool)
    return frame


def without_counts(every: CountedCells, taken: CountedCells) -> CountedCells:
    """*every* less the counts of *taken*, which are of some of the same cells."""
    import numpy as np
    import pandas as pd

    # Counts are sums and hold no bundles to leave out, so what is left out is counted as well and taken off.
    less: dict[str, Any] = dict(taken.numbers)
    less |= {name: -less[name] for name in taken.counts}
    for name, (found, place) in taken.words.items():
        here = {word: at for at, word in enumerate(every.words[name][0])}
        less[name] = np.array([here[word] for word in found], np.int32)[place]
    return _summed(every, pd.concat([_places_frame(every), pd.DataFrame(less)]))


def without_bundles(every: CountedCells, aside: Collection[int]) -> CountedCells:
    """*every*, counted bundle by bundle, over all bundles but those."""
    frame = _places_frame(every)
    if aside:
        frame = frame[~frame["bundle_id"].isin(list(aside))]
    return _summed(every, frame.drop(columns="bundle_id"))


def _places_frame(counted: CountedCells) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame({**counted.numbers, **{name: place for name, (_, place) in counted.words.items()}})


def _summed(counted: CountedCells, frame: pd.DataFrame) -> CountedCells:
    """*counted* with a row for each combination of *frame*, and its sums of counts; where there are none, no row."""
    apart = [name for name in frame.columns if name not in counted.counts]
    some: Any = frame.groupby(apart, sort=False, as_index=False).sum()
    some = some[some[counted.counts[0]] != 0]
    return replace(
        counted,
        numbers={name: some[name].to_numpy() for name in counted.numbers if name in some},
        words={name: (found, some[name].to_numpy()) for name, (found, _) in counted.words.items()},
    )


def other_frame(scored: ScoredBundles, behind: Mapping[FitGroupId, Behind] | None = None) -> pd.DataFrame:
    """The frame of `domain.score_tables.OtherScores`, *scored* read with the same numbers; *behind* as above."""
    import pandas as pd

    return pd.DataFrame(
        {
            "bundle_id": scored.columns["bundle_id"],
            **scored.values,
            "newer": _newer(scored.columns, behind or {}),
        }
    )


def tested_frame(tested: LevelTestRows, orders: Orders) -> pd.DataFrame:
    """A frame of a test against chance."""
    texts = {str(row[TEST_COLUMNS.index("coordinates")]) for row in tested.rows}
    sets = {text: Coordinates.from_text(text) for text in texts}
    frame = _frame(tested.rows, (*TEST_COLUMNS, *tested.scores), sets, orders)
    for name in tested.scores:
        frame[name] = frame[name].astype(float)
    return frame


def _frame(
    rows: Sequence[tuple[object, ...]], columns: tuple[str, ...], sets: Mapping[Any, Coordinates], orders: Orders
) -> pd.DataFrame:
    """A frame of *rows* whose column *coordinates* is a key of *sets*: one column per factor stands in its place."""
    import pandas as pd

    frame = pd.DataFrame.from_records(rows, columns=list(columns))
    numbers, found = pd.factorize(frame.pop("coordinates"))
    factors = dict.fromkeys((*orders.levels, *(factor for each in sets.values() for factor, _ in each)))
    for factor in factors:
        words = in_order(pd.Series([sets[key].get(factor) for key in found], dtype=object), orders.of(factor))
        frame[factor] = pd.Categorical.from_codes(words.cat.codes.to_numpy()[numbers], categories=words.cat.categories)
    frame["batch"] = pd.Series(orders.named(frame["batch_id"]), index=frame.index, dtype=object)
    frame["synthetic"] = frame["synthetic"].astype(bool)
    for column in _WORDS:
        if column in frame:
            frame[column] = in_order(frame[column], orders.of(column))
    return frame


def in_order(column: pd.Series[Any], first: Iterable[str]) -> pd.Series[Any]:
    """*column* as categories: those of *first* that occur, then the others in the alphabet's order; what has no word
    is in none."""
    import numpy as np
    import pandas as pd

    found: Any
    codes, found = pd.factorize(column)
    there = set(found)
    known = [name for name in dict.fromkeys(first) if name in there]
    names = known + sorted(there.difference(known))
    place = {name: number for number, name in enumerate(names)}
    # The last for what has no word, whose code is -1.
    numbers = np.array([*(place[name] for name in found), -1], np.int64)
    return pd.Series(_coded(numbers[codes], names), index=column.index)


def _coded(codes: Any, names: Sequence[str]) -> Any:
    import pandas as pd

    categories: Any = pd.Index(list(map(str, names)), dtype=object)
    return pd.Categorical.from_codes(codes, categories=categories)
