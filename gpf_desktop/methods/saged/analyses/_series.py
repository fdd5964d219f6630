"""The features of an audit's answers as series: one for each model, role and feature, raw and calibrated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any
from weakref import WeakKeyDictionary

from gpf_desktop.domain.columns import text
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.findings import BundleFilter, Column, Estimate, Interval, Row, Value
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.score_tables import RunTerms, ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged.analyses._choices import HeldAgainst, Percentiles, Selecting, Within, selection
from gpf_desktop.methods.saged.analyses._groups import GROUP, GroupedBy, grouped
from gpf_desktop.methods.saged.analyses._judged import METHOD, Judgements, judgements, with_levels
from gpf_desktop.methods.saged.disparities import LESS_CRITICAL, dixon_critical
from gpf_desktop.methods.saged.features import BASELINE_DISTANCE, OF_A_TEXT, TONE, unmasked_name
from gpf_desktop.methods.saged.scorers.distances_of_answers import MOST_CLUSTERS, cluster_distance, own_cluster_distance
from gpf_desktop.methods.saged.scorers.features_of_answers import CLASSIFIED, calibrated_name
from gpf_desktop.methods.saged.words import feature_title, role_title

if TYPE_CHECKING:
    from gpf_desktop.methods.saged.diagnosis import Diagnosis, Disparity

Ends = Mapping[tuple[str, str], tuple[float, float]]
"""By statistic and disparity."""


def beside_critical(found: Diagnosis, intervals: Ends) -> tuple[Diagnosis, Ends]:
    """*found* and its *intervals* with `LESS_CRITICAL` behind each Dixon's ratio.

    The critical value is that of as many groups as have the statistic; above 0 a disparity is concentrated in one.
    """
    import numpy as np

    critical = {name: dixon_critical(int((~np.isnan(values)).sum())) for name, values in found.statistics.items()}

    def every() -> Iterator[Disparity]:
        for one in found.disparities:
            yield one
            less = critical[one.statistic]
            if one.name in LESS_CRITICAL and one.value is not None and less is not None:
                # p stays: the same number is taken from what is observed and from every draw.
                yield replace(
                    one,
                    name=LESS_CRITICAL[one.name],
                    value=one.value - less,
                    expected=None if one.expected is None else one.expected - less,
                )

    shifted = {
        (statistic, LESS_CRITICAL[name]): (low - less, high - less)
        for (statistic, name), (low, high) in intervals.items()
        if name in LESS_CRITICAL and (less := critical[statistic]) is not None
    }
    return replace(found, disparities=tuple(every())), {**intervals, **shifted}


if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.arrays import Floats, Ints
    from gpf_desktop.methods.saged.chance import Matched
    from gpf_desktop.methods.saged.diagnosis import Diagnosis, Options, Series

LEVEL = 0.95
"""Of intervals."""
COMPARED = ("mean", "selection_rate")
"""Statistics that the boards compare between concepts, beside what chance shows."""
FEATURES = (
    CLASSIFIED,
    *(each.name for each in OF_A_TEXT),
    BASELINE_DISTANCE.name,
    *(name(number) for name in (cluster_distance, own_cluster_distance) for number in range(1, MOST_CLUSTERS + 1)),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardOptions:
    """The options of the boards of SAGED."""

    by: Annotated[GroupedBy, Shown(label="compared by", choice=GroupedBy, hidden=True)] = GroupedBy.CONCEPT
    replicates: Annotated[
        int, Shown(label="Draws", help="How often groups are dealt anew within each sentence's prompts.")
    ] = 499
    standard: Annotated[HeldAgainst, Shown(label="selected by", choice=HeldAgainst, hidden=True)] = HeldAgainst.MEAN
    selects: Annotated[Selecting, Shown(label="selected where", choice=Selecting, hidden=True)] = Selecting.LARGER
    within: Annotated[Within, Shown(label="near the source within", choice=Within, hidden=True)] = Within.TENTH
    percentiles: Annotated[Percentiles, Shown(label="percentiles", choice=Percentiles, hidden=True)] = (
        Percentiles.TENTHS
    )
    seed: Annotated[int, Shown(label="Seed", help="Of what is dealt anew, and of bootstraps over sentences.")] = 1

    @property
    def tolerance(self) -> float:
        return float(self.within)

    def diagnosis(self, replicates: int, drawn: tuple[str, ...], seed: Sequence[int] = (0,)) -> Options:
        """How a series is diagnosed by what is chosen."""
        from gpf_desktop.methods.saged.diagnosis import Options

        return Options(
            selection=selection(self.standard, self.selects),
            tolerance=self.tolerance,
            replicates=replicates,
            drawn=drawn,
            seed=seed,
        )


@dataclass(frozen=True, kw_only=True)
class AskedModel:
    """One model in one role, by the answers that it gave."""

    model: str
    role: str
    synthetic: bool
    by: GroupedBy
    groups: tuple[str, ...]
    """Concepts, or what else is compared."""
    frame: Any
    """Rows of `ScoreTables.scored_answers`, with `GROUP` and a column for each of *judged*, raw and calibrated."""
    judged: tuple[str, ...] = ()
    """Features by judges."""

    @property
    def bundles(self) -> BundleFilter:
        """A filter for the bundles of all groups."""
        return BundleFilter(model=self.model, levels=(("role_play", self.role),), arm=MAIN)

    def bundles_of(self, group: str) -> BundleFilter:
        """Just the answers of one of *groups*."""
        return self._of_group[group]

    @cached_property
    def _of_group(self) -> Mapping[str, BundleFilter]:
        cells = self.frame.groupby(GROUP, observed=True)["cell_id"]
        return {
            str(group): replace(self.bundles, answers=tuple(its.tolist()), about=str(group)) for group, its in cells
        }

    @property
    def features(self) -> tuple[str, ...]:
        return tuple(
            name for name in (*FEATURES, *self.judged) if name in self.frame and self.frame[name].notna().any()
        )

    @property
    def roots(self) -> Ints:
        return self._codes("article_id")

    def told_by(self, feature: str) -> dict[str, Value]:
        """The values of `series_columns`."""
        return {"model": self.model, "role": role_title(self.role), "feature": feature_title(feature)}

    def row(self, values: dict[str, Value], group: str | None = None, *, detail: bool = False) -> Row:
        """A row about one of *groups*, or about all of them."""
        bundles = self.bundles if group is None else self.bundles_of(group)
        return Row(values=values, bundles=bundles, synthetic=self.synthetic, detail=detail)

    def values(self, feature: str, *, calibrated: bool = False) -> Floats:
        found: Floats = self.frame[calibrated_name(feature) if calibrated else feature].to_numpy(float)
        return found

    def baselines(self, feature: str) -> Floats | None:
        """None for a feature that baselines have not."""
        import numpy as np

        if calibrated_name(feature) not in self.frame:
            return None
        # Only an answer's number and the calibrated one are stored: what is between them is the baseline's.
        found = self.values(feature) - self.values(feature, calibrated=True)
        return None if bool(np.isnan(found).all()) else found

    def series(self, feature: str, *, calibrated: bool) -> Series | None:
        """None for a calibrated feature without baselines."""
        from gpf_desktop.methods.saged.diagnosis import Series

        baselines = self.baselines(feature)
        if calibrated and baselines is None:
            return None
        return Series(
            matched=self._matched,
            values=self.values(feature, calibrated=calibrated),
            baselines=baselines,
            calibrated=calibrated,
        )

    def series_of_baselines(self, feature: str) -> Series | None:
        """The baselines' own numbers; None where they have none."""
        from gpf_desktop.methods.saged.diagnosis import Series

        baselines = self.baselines(feature)
        return None if baselines is None else Series(matched=self._matched, values=baselines)

    @cached_property
    def _matched(self) -> Matched:
        import numpy as np

        from gpf_desktop.methods.saged.chance import Matched

        number = {group: place for place, group in enumerate(self.groups)}
        of = np.array([number[each] for each in self.frame[GROUP]], np.int64)
        return Matched(self.roots, of, len(self.groups))

    def _codes(self, column: str) -> Ints:
        import numpy as np

        return np.unique(self.frame[column].to_numpy(), return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosed:
    """A series with what was found in it."""

    asked: AskedModel
    feature: str
    calibrated: bool
    found: Diagnosis
    intervals: Mapping[tuple[str, str], tuple[float, float]]
    """Of each (statistic, disparity), over roots drawn again."""


class Boards:
    """Everything that the boards of one window show, worked out once."""

    def __init__(
        self,
        frame: pd.DataFrame,
        options: BoardOptions,
        judgements: Sequence[Judgements] = (),
        terms: Mapping[int, RunTerms] | None = None,
    ) -> None:
        self._frame, self._options, self._terms = frame, options, terms or {}
        self.judgements = tuple(judgements)

    @cached_property
    def asked(self) -> tuple[AskedModel, ...]:
        """The answers by model and role, in the order of tables; of one bundle's answers the first generation alone."""
        if self._frame.empty or TONE.name not in self._frame:
            return ()
        main = self._frame[(self._frame["repeat"] == 0) & (self._frame["arm"] == MAIN)]
        if self.judgements:
            main = with_levels(main, self.judgements)
        main = grouped(main, self._options.by, self._terms)
        groups = tuple(str(each) for each in main[GROUP].cat.categories)
        return tuple(
            AskedModel(
                model=str(model),
                role=str(role),
                synthetic=bool(rows["synthetic"].all()),
                by=self._options.by,
                groups=groups,
                frame=rows,
                judged=tuple(each.name for each in self.judgements),
            )
            for (model, role), rows in main.groupby(["model", "role_play"], observed=True, sort=True)
        )

    @cached_property
    def alike(self) -> frozenset[str]:
        """Features that are the same in all answers, and in all baselines."""
        import pandas as pd

        if not self.asked:
            return frozenset()
        every = pd.concat([asked.frame for asked in self.asked])
        return frozenset(
            name
            for name in dict.fromkeys(each for asked in self.asked for each in asked.features)
            if all(every[kind].nunique() < 2 for kind in (name, calibrated_name(name)) if kind in every)
        )

    @property
    def alike_note(self) -> tuple[str, ...]:
        """A note that names the features that are the same everywhere; empty where there are none."""
        names = ", ".join(sorted(map(feature_title, self.alike)))
        return (
            (tr("The same in all answers, and in all source sentences: {features}.", features=names),) if names else ()
        )

    def diagnosed(self, drawn: tuple[str, ...] = COMPARED) -> tuple[Diagnosed, ...]:
        """Every series, with what chance shows of the statistics *drawn*."""
        return tuple(self._diagnosed(drawn))

    def with_names(self, asked: AskedModel, feature: str) -> Mapping[tuple[str, str], float | None]:
        """Disparities by (statistic, disparity) of *feature*, calibrated where it can be, with the names of concepts
        left in; empty where it was not kept so."""
        named = unmasked_name(feature)
        if named not in self._frame:
            return {}
        series = asked.series(named, calibrated=True) or asked.series(named, calibrated=False)
        if series is None:
            return {}
        found, _ = _worked_out(_Told.of(series), self._options.diagnosis(0, ()))
        return {(each.statistic, each.name): each.value for each in found.disparities}

    def of_baselines(self, drawn: tuple[str, ...] = ()) -> tuple[Diagnosed, ...]:
        """The same diagnosis of the sources' own sentences, for every feature that these have."""
        return tuple(
            self._worked_out(asked, feature, series, drawn)
            for asked in self.asked
            for feature in asked.features
            if (series := asked.series_of_baselines(feature)) is not None
        )

    def of_named_baselines(self, asked: AskedModel, feature: str) -> Mapping[tuple[str, str], float | None]:
        """Disparities of the baselines like those of `with_names`: how far the names alone move the tool."""
        named = unmasked_name(feature)
        series = asked.series_of_baselines(named) if named in self._frame else None
        if series is None:
            return {}
        found, _ = _worked_out(_Told.of(series), self._options.diagnosis(0, ()))
        return {(each.statistic, each.name): each.value for each in found.disparities}

    def _diagnosed(self, drawn: tuple[str, ...]) -> Iterator[Diagnosed]:
        for asked in self.asked:
            for feature in asked.features:
                for calibrated in (False, True):
                    series = asked.series(feature, calibrated=calibrated)
                    if series is not None:
                        yield self._worked_out(asked, feature, series, drawn)

    def _worked_out(self, asked: AskedModel, feature: str, series: Series, drawn: tuple[str, ...]) -> Diagnosed:
        from gpf_desktop.domain.cells import cell_seed

        seed = (cell_seed(self._options.seed, asked.model, asked.role),)
        replicates = self._options.replicates if drawn else 0
        found, intervals = _worked_out(_Told.of(series), self._options.diagnosis(replicates, drawn, seed))
        return Diagnosed(asked=asked, feature=feature, calibrated=series.calibrated, found=found, intervals=intervals)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A series by its bytes, to be known again by."""

    roots: bytes
    concepts: bytes
    k: int
    values: bytes
    baselines: bytes | None
    calibrated: bool

    @classmethod
    def of(cls, series: Series) -> _Told:
        return cls(
            roots=series.matched.roots.tobytes(),
            concepts=series.matched.concepts.tobytes(),
            k=series.matched.k,
            values=series.values.tobytes(),
            baselines=None if series.baselines is None else series.baselines.tobytes(),
            calibrated=series.calibrated,
        )

    @property
    def series(self) -> Series:
        import numpy as np

        from gpf_desktop.methods.saged.chance import Matched
        from gpf_desktop.methods.saged.diagnosis import Series

        return Series(
            matched=Matched(np.frombuffer(self.roots, np.int64), np.frombuffer(self.concepts, np.int64), self.k),
            values=np.frombuffer(self.values),
            baselines=None if self.baselines is None else np.frombuffer(self.baselines),
            calibrated=self.calibrated,
        )


# A window asks for its tables anew whenever scores have come; most series have not changed since.
@lru_cache(maxsize=512)
def _worked_out(told: _Told, how: Options) -> tuple[Diagnosis, Mapping[tuple[str, str], tuple[float, float]]]:
    from gpf_desktop.methods.saged.diagnosis import diagnose, intervals

    return beside_critical(diagnose(told.series, how), intervals(told.series, how, level=LEVEL))


_KEPT: WeakKeyDictionary[ScoreTables, dict[BoardOptions, Boards]] = WeakKeyDictionary()


def boards(scores: ScoreTables, options: BoardOptions) -> Boards:
    """The boards of *scores*, kept as long as these are."""
    kept = _KEPT.setdefault(scores, {})
    if options not in kept:
        terms = {} if options.by is GroupedBy.CONCEPT else scores.terms(METHOD)
        kept[options] = Boards(scores.scored_answers, options, judgements(scores), terms)
    return kept[options]


def series_columns() -> tuple[Column, ...]:
    """The columns that tell a row's series from others."""
    return text("model", tr("Model")), text("role", tr("Role")), text("feature", tr("Feature"))


def number(value: float) -> float | None:
    """*value*, None for NaN."""
    return None if isnan(value) else value


def root_mean(values: Floats, roots: Ints) -> Estimate:
    """The mean of *values* (n,) over *roots* (n,), NaN left out; with its interval from two roots on."""
    import numpy as np

    from gpf_desktop.stats.clusters import clustered_mean

    there = ~np.isnan(values)
    if not there.any():
        return Estimate.unavailable(tr("no values"))
    _, place = np.unique(roots[there], return_inverse=True)
    sums: Floats = np.bincount(place, values[there]).astype(float)
    counts = np.bincount(place).astype(float)
    found = Estimate(value=float(values[there].mean()), n=int(there.sum()), articles=len(sums))
    if len(sums) < 2:
        return found
    low, high = clustered_mean(sums, counts).interval(LEVEL)
    return replace(found, interval=Interval(low=low, high=high, level=LEVEL, method=tr("t over sentences")))
