"""Means over bundles as estimates: what most analyses share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Final, assert_never

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.coverage import Coverage
from gpf_desktop.domain.findings import Estimate, Interval
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    MEANS_ALONE,
    NOISE,
    RELATIVE_FRAMING,
    SEMANTIC_DISPERSION,
    SENTIMENT_MAD,
    SENTIMENT_RANGE,
    SENTIMENT_RANGE_RAREFIED,
    TONE_FRAMING,
    TONE_NOISE,
    WORDS,
    Unavailable,
)
from gpf_desktop.domain.text import tr

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.stats.article_means import IntervalKind

SEED = 20261120
"""Of every bootstrap, unless the auditor sets another; printed with each interval."""

SCORE_KEYS: Final = {
    "cfs": COUNTERFACTUAL_FRAMING,
    "relative": RELATIVE_FRAMING,
    "tone": TONE_FRAMING,
    "s": SEMANTIC_DISPERSION,
    "words": WORDS,
    "r": SENTIMENT_RANGE,
    "r_star": SENTIMENT_RANGE_RAREFIED,
}
"""Column keys of tables of means, and the scores whose means they hold: first what unlike lengths and noise leave
alone."""

_LIMITS: Final = {
    SEMANTIC_DISPERSION: (0.0, 1.0),
    NOISE: (0.0, 1.0),
    COUNTERFACTUAL_FRAMING: (-1.0, 1.0),
    SENTIMENT_RANGE: (0.0, 2.0),
    SENTIMENT_RANGE_RAREFIED: (0.0, 2.0),
    SENTIMENT_MAD: (0.0, 1.0),
    TONE_NOISE: (0.0, 2.0),
    TONE_FRAMING: (-2.0, 2.0),
}
"""Least and most that a score can be."""
_MANY: Final = 30
_OF_REPEATS: Final = (NOISE, COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING, TONE_NOISE, TONE_FRAMING, *MEANS_ALONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanOptions:
    """The options that every mean depends on."""

    partial: Annotated[
        bool, Shown(label="Some missing", help="Sets of answers in which some are missing enter the means.")
    ] = True
    strict_runs: Annotated[
        tuple[int, ...],
        Shown(
            label="Rounds of whole sets",
            help="Rounds whose protocol leaves sets with missing answers out of the means.",
        ),
    ] = ()
    arm: Annotated[
        str, Shown(label="How it was asked", help="How the questions were asked that the table is about.")
    ] = MAIN
    seed: Annotated[int, Shown(label="Seed", help="Seed of what is drawn behind the intervals.")] = SEED
    skewed: Annotated[
        bool, Shown(label="Lopsided", help="Ranges for lopsided scores: intervals by Hall's transformed t.")
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The bundles of one table row, counted, with the mean of each score."""

    key: tuple[str, ...]
    """One word per grouping column."""
    bundles: int
    pairs: int
    """Complete bundles that have both S and R."""
    provisional: int
    scalars: int
    """Values of S and of R: the method's "valid scalar scores"."""
    synthetic: bool
    means: Mapping[str, Estimate]
    """By score name."""


def main_bundles(bundles: pd.DataFrame, options: MeanOptions) -> pd.DataFrame:
    """The bundles of the option's arm, the main one unless set otherwise: what tables are about."""
    return bundles[bundles["arm"] == options.arm]


def counted_bundles(scores: ScoreTables, options: MeanOptions) -> pd.DataFrame:
    """The bundles of the option's arm that enter means."""
    return entering(main_bundles(scores.bundles, options), options)


def entering(bundles: pd.DataFrame, options: MeanOptions) -> pd.DataFrame:
    """The bundles that enter means: complete ones, and partial ones where the setting of their run has them."""
    complete = bundles["coverage"] == str(Coverage.COMPLETE)
    if not options.partial:
        return bundles[complete]
    partial = bundles["coverage"] == str(Coverage.PARTIAL)
    return bundles[complete | (partial & ~bundles["run_id"].isin(options.strict_runs))]


def real_where_any(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows without calibration models, whose answers are planted, unless there are no others."""
    synthetic = frame["synthetic"]
    return frame[~synthetic] if bool((~synthetic).any()) else frame


def groups(
    bundles: pd.DataFrame,
    by: Sequence[str],
    options: MeanOptions,
    scores: Sequence[str] = tuple(SCORE_KEYS.values()),
) -> list[Group]:
    """Group *bundles* by columns of words, in the order of their categories; one `Group` per combination there is."""
    import numpy as np

    if bundles.empty:
        return []
    place, keys = _numbered(bundles, by)
    count = len(keys)
    both = bundles[SEMANTIC_DISPERSION].notna() & bundles[SENTIMENT_RANGE].notna()
    # A bundle may be complete and yet lack a score: pairs are counted by what there is.
    complete = (bundles["coverage"] == str(Coverage.COMPLETE)) & both
    scalars = bundles[SEMANTIC_DISPERSION].notna().to_numpy(int) + bundles[SENTIMENT_RANGE].notna().to_numpy(int)
    tallies = {
        "bundles": np.bincount(place, minlength=count),
        "pairs": np.bincount(place, weights=complete.to_numpy(float), minlength=count),
        "provisional": np.bincount(place, weights=bundles["provisional"].to_numpy(float), minlength=count),
        "scalars": np.bincount(place, weights=scalars, minlength=count),
        "real": np.bincount(place, weights=(~bundles["synthetic"]).to_numpy(float), minlength=count),
    }
    found = mean_estimates(bundles, place, count, scores, options)
    return [
        Group(
            key=key,
            bundles=int(tallies["bundles"][at]),
            pairs=int(tallies["pairs"][at]),
            provisional=int(tallies["provisional"][at]),
            scalars=int(tallies["scalars"][at]),
            synthetic=bool(tallies["real"][at] == 0),
            means={name: estimates[at] for name, estimates in found.items()},
        )
        for at, key in enumerate(keys)
    ]


def mean_estimates(
    frame: pd.DataFrame, place: Any, count: int, columns: Sequence[str], options: MeanOptions
) -> dict[str, list[Estimate]]:
    """The mean of each of *columns* in each of *count* groups; ``place[i]`` is the group of row i."""
    import numpy as np

    from gpf_desktop.stats.article_means import article_sums, means

    # Articles of all groups numbered together; a group's own are those with a count above 0.
    articles, article = np.unique(frame["article_id"].to_numpy(), return_inverse=True)
    found: dict[str, list[Estimate]] = {}
    for name in columns:
        values = frame[name].to_numpy(float)
        table = article_sums(values, place, article, group_count=count, article_count=len(articles))
        got = means(table, skewed=options.skewed)
        # Sides of the control table are bounded as their score; a "delta" is in no list of bounds.
        limits = _LIMITS.get(name.removesuffix("_main").removesuffix("_control"))
        found[name] = [
            Estimate(
                value=None if got.n[at] == 0 else float(got.value[at]),
                n=int(got.n[at]),
                articles=int(got.articles[at]),
                interval=interval(got.kind[at], got.low[at], got.high[at], (int(got.articles[at]),), limits),
                why=why_none(name) if got.n[at] == 0 else "",
            )
            for at in range(count)
        ]
    return found


def mean_estimate(frame: pd.DataFrame, score: str, options: MeanOptions) -> Estimate:
    """The mean of *score* over all of *frame*."""
    import numpy as np

    return mean_estimates(frame, np.zeros(len(frame), np.int64), 1, (score,), options)[score][0]


def adjusted_p(frame: pd.DataFrame, columns: Sequence[str], by: str) -> dict[tuple[str, str], float]:
    """(column, group *by*) → p of a mean of 0, where scores of three articles are there: two-sided t over articles.

    After Holm over all of them: what is looked at together is adjusted together.
    """
    import numpy as np
    from scipy.special import stdtr

    from gpf_desktop.stats.article_means import T_FROM, article_sums
    from gpf_desktop.stats.clusters import clustered_means
    from gpf_desktop.stats.multiplicity import holm

    names, place = np.unique(frame[by].astype(str).to_numpy(), return_inverse=True)
    articles, article = np.unique(frame["article_id"].to_numpy(), return_inverse=True)
    tested: list[tuple[str, str]] = []
    found: list[float] = []
    for column in columns:
        table = article_sums(
            frame[column].to_numpy(float), place, article, group_count=len(names), article_count=len(articles)
        )
        enough = np.flatnonzero((table.counts > 0).sum(axis=1) >= T_FROM)
        value, error, freedom = clustered_means(table.sums[enough], table.counts[enough])
        # Scores that are alike in every article have no error, and leave nothing open.
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(value == 0, 0.0, np.abs(value) / error)
        tested += [(column, name) for name in names[enough].tolist()]
        found += (2 * stdtr(freedom, -ratio)).tolist()
    return dict(zip(tested, map(float, holm(found)), strict=True))


def interval(
    kind: IntervalKind,
    low: float,
    high: float,
    articles: tuple[int, ...],
    limits: tuple[float, float] | None = None,
) -> Interval | None:
    """The interval with the words that say how it was made; None where there are too few articles.

    *articles*: of the mean, or of each side of a difference between groups that share none. Of a score with
    *limits*, the words say where a bound lies beyond them: it is not cut off.
    """
    from gpf_desktop.stats.article_means import LEVEL, IntervalKind

    match kind:
        case IntervalKind.NONE:
            return None
        case IntervalKind.T:
            if len(articles) > 1:
                method = tr("t after Welch over {numbers} articles", numbers=tr(" and ").join(map(str, articles)))
            else:
                # As simulated of scores of skewness 1.4 and 6 (method, "What the numbers hold"). A handful of articles
                # does not show how skewed they are, so that both stand there.
                share, much = (94, 87) if articles[0] >= _MANY else (92, 84)
                method = tr(
                    "t over {n} articles; if scores are lopsided (skewed), it holds about {share}%, if much, {much}%",
                    n=articles[0],
                    share=share,
                    much=much,
                )
        case IntervalKind.TRANSFORMED:
            method = tr("Hall's transformed t over {n} articles", n=articles[0])
        case _:
            assert_never(kind)
    if limits is not None and (low < limits[0] or high > limits[1]):
        method = tr("{method}; reaches beyond the score's range", method=method)
    return Interval(low=float(low), high=float(high), level=LEVEL, method=method)


def why_none(score: str) -> str:
    """Why a mean of *score* has no value, in the vocabulary's words."""
    match score:
        case str(name) if name in _OF_REPEATS:
            return str(Unavailable.NO_REPEATS)
        case str(name) if name == SENTIMENT_RANGE_RAREFIED:
            return str(Unavailable.FEWER_THAN_M)
        case _:
            return str(Unavailable.TOO_FEW_ANSWERS)


def spread_over_batches(bundles: pd.DataFrame, score: str) -> Callable[[str], Estimate]:
    """σ_news: for a model, the standard deviation (ddof 1) over batches of its batch means (method, "stability")."""
    one = tr("one batch of news only")
    if bundles.empty:
        return lambda _model: Estimate.unavailable(one)
    scored = bundles[bundles[score].notna()]
    # Batches weigh alike, however many bundles each has; pandas' "std" below has ddof 1.
    by_batch = scored.groupby(["model", "batch_id"], observed=True)[score].mean()
    of_model: Any = by_batch.groupby(level="model", observed=True).agg(["std", "count"])
    articles: Any = scored.groupby("model", observed=True)["article_id"].nunique()

    def sigma(model: str) -> Estimate:
        if model not in of_model.index:
            return Estimate.unavailable(str(Unavailable.TOO_FEW_ANSWERS))
        batches = int(of_model.loc[model, "count"])
        value = None if batches < 2 else float(of_model.loc[model, "std"])
        return Estimate(value=value, n=batches, articles=int(articles[model]), why=one if batches < 2 else "")

    return sigma


def _numbered(frame: pd.DataFrame, by: Sequence[str]) -> tuple[Any, list[tuple[str, ...]]]:
    """The group of every row, and the groups' keys, in the order of the columns' categories."""
    import numpy as np

    sizes = [len(frame[name].cat.categories) for name in by]
    # The columns' codes as digits of one number: sorted, groups stand in the order of categories, the protocol's.
    code = np.zeros(len(frame), np.int64)
    for name, size in zip(by, sizes, strict=True):
        code = code * size + frame[name].cat.codes.to_numpy(np.int64)
    used, place = np.unique(code, return_inverse=True)
    keys = []
    for each in used.tolist():
        words: list[str] = []
        left = each
        for name, size in zip(reversed(by), reversed(sizes), strict=True):
            left, at = divmod(left, size)
            words.append(str(frame[name].cat.categories[at]))
        keys.append(tuple(reversed(words)))
    return place, keys
