"""Each model's batches as a series on a control chart, as measured and against its peers on the same articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from statistics import fmean
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import estimate, score, text
from gpf_desktop.domain.figures import SeriesChart, Track
from gpf_desktop.domain.findings import BundleFilter, Column, Estimate, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.series import SeriesBook
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.gpf_livenews.analyses._means import (
    SCORE_KEYS,
    MeanOptions,
    entering,
    main_bundles,
    mean_estimates,
)

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.stats.charts import ChartPoint

_SERIES = ("raw", "peers")
FINDS = (
    "While nothing changes, 2 of 1000 batches lie outside where batches are independent, 4 where their correlation is "
    ".3 and 9 where it is .6. A shift of 4 standard deviations of a batch is signalled after 9, 24 and 38 batches on "
    "average, one of 2 after 34 or more, one of 1 after 54 or more."
)
"""As `tests/benchmarks/bench_validity.py charts` measured, limits by the estimate over four models."""
_OUTSIDE = {0.0: 0.0027, 0.3: 0.0040, 0.6: 0.0088}
"""Share of batches outside while nothing changes by their correlation, likewise; what is promised where it was less."""
_UNLIKE = 1.5
"""Times as many articles in the first batches as in later ones from which the table warns of it."""


class Streaming(TableAnalysis):
    """EWMA limits from each series' first eight batches; none of those is judged."""

    name = "streaming"
    options = MeanOptions
    title = Translated("Streaming: batch after batch")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = entering(main_bundles(scores.bundles, options), options)
        charted = {title: _of(bundles, key, title, options) for key, title in _scores()}
        rows = tuple(row for some, _ in charted.values() for row in some)
        figure = _figure(bundles)
        finding = self.finding(
            columns=(
                text("model", tr("Model")),
                text("score", tr("Score")),
                text("batch", tr("Batch")),
                estimate("raw", tr("Batch mean")),
                *_chart_columns("raw"),
                estimate(
                    "peers",
                    tr("Minus peers"),
                    tr("Minus the mean of the other models on the same article, dimension and family."),
                ),
                *_chart_columns("peers"),
            ),
            rows=rows,
            reading=tr(
                "The limits are those of the smoothed line, not of single batches. “Outside” says that it left what "
                "the first batches set, in this window; it does not say why. Minus peers, what the news did to every "
                "model is taken out."
            ),
            notes=(
                *_method(),
                *_correlated({title: held for title, (some, held) in charted.items() if _judged(some)}),
                *_by_chance(list(charted.values())),
                *_smaller(rows),
                *_peers(options),
            ),
            figures=(figure,),
        )
        return replace(finding, highlights=_signals(finding, figure))


def _scores() -> tuple[tuple[str, str], ...]:
    """What length and noise leave alone first."""
    return ("cfs", tr("CFS")), ("relative", tr("Relative framing")), ("s", tr("S")), ("r_star", tr("R*"))


def _figure(bundles: pd.DataFrame) -> SeriesChart:
    from gpf_desktop.stats.charts import BASELINE

    used = set(bundles["batch"].cat.codes)
    places = tuple(str(name) for code, name in enumerate(bundles["batch"].cat.categories) if code in used)
    return SeriesChart(
        title=tr("Control chart, batch after batch"),
        along="batch",
        places=places,
        line="model",
        split="score",
        tracks=(_track("peers", tr("minus peers")), _track("raw", tr("as measured"))),
        needed=BASELINE,
        sets=tr("sets the limits"),
        outside=tr("outside"),
    )


def _track(series: str, title: str) -> Track:
    return Track(
        title=title,
        value=series,
        smoothed=f"{series}_smoothed",
        low=f"{series}_low",
        high=f"{series}_high",
        state=f"{series}_state",
    )


def _method() -> tuple[str, ...]:
    from gpf_desktop.stats.charts import BASELINE, RISK, SMOOTHING

    return (
        tr(
            "EWMA with λ = {smoothing}. A series' first {n} batches set centre and spread and are not judged; "
            "smoothing starts at the centre, and the limits are wide enough for the error of both estimates: while "
            "nothing changes, {risk} % of independent batches are promised outside, as with ±3σ where σ is known. "
            "Another window has other first batches and so other limits.",
            smoothing=SMOOTHING,
            n=BASELINE,
            risk=f"{100 * RISK:.2f}",
        ),
        tr(
            "More lie outside by chance where later batches have fewer articles than the first {n}: look at the "
            "intervals of the single batches.",
            n=BASELINE,
        ),
    )


def _judged(rows: Sequence[Row]) -> int:
    """Points that have limits."""
    return sum(row.values[f"{series}_low"] is not None for row in rows for series in _SERIES)


def _correlated(held: Mapping[str, Mapping[str, float]]) -> tuple[str, ...]:
    """Which correlation the limits hold, and what such a chart finds and how often it cries wolf, as measured."""
    if not held:
        return ()
    return (
        tr(
            "Limits are widened for the correlation from one batch to the next that the first batches of all models "
            "show, put right for so few batches: {held} (as measured; minus peers). It stays a rough estimate.",
            held=", ".join(f"{score} {each['raw']:.2f}; {each['peers']:.2f}" for score, each in held.items()),
        ),
        tr(FINDS),
    )


def _by_chance(charted: Sequence[tuple[Sequence[Row], Mapping[str, float]]]) -> tuple[str, ...]:
    """How many points to expect outside though nothing has changed: many series are watched at once."""
    import numpy as np

    judged, expected = 0, 0.0
    for rows, held in charted:
        for series in held:
            points = sum(row.values[f"{series}_low"] is not None for row in rows)
            judged += points
            expected += points * float(np.interp(held[series], list(_OUTSIDE), list(_OUTSIDE.values())))
    if not judged:
        return ()
    return (
        trn(
            "{n} point was judged; {expected} of them would lie outside by chance alone.",
            "{n} points were judged; {expected} of them would lie outside by chance alone.",
            judged,
            expected=tr("less than one") if expected < 1 else tr("about {n}", n=round(expected)),
        ),
    )


def _smaller(rows: Sequence[Row]) -> tuple[str, ...]:
    """Warns of models whose later batches are of fewer articles, and so of wider spread, than those before."""
    sets = tr("sets the limits")
    sizes: dict[str, tuple[list[int], list[int]]] = {}
    for row in rows:
        mean, judged = row.values["raw"], row.values["raw_low"] is not None
        if isinstance(mean, Estimate) and (judged or row.values["raw_state"] == sets):
            sizes.setdefault(str(row.values["model"]), ([], []))[judged].append(mean.articles)
    smaller = [model for model, (first, later) in sizes.items() if later and fmean(first) > _UNLIKE * fmean(later)]
    if not smaller:
        return ()
    return (
        tr(
            "Fewer articles in later batches than in the first ones, so that more lie outside by chance: {models}.",
            models=", ".join(smaller),
        ),
    )


def _peers(options: MeanOptions) -> tuple[str, ...]:
    return (
        tr(
            "Peers of a model are the other models asked about the same articles, calibration models among themselves. "
            "A peer that changes, joins or leaves moves this series too: with one peer, each mirrors the other. "
            "Intervals over articles, seed {seed}.",
            seed=options.seed,
        ),
    )


def _chart_columns(series: str) -> tuple[Column, ...]:
    titles = {"smoothed": tr("Smoothed"), "low": tr("Lower limit"), "high": tr("Upper limit"), "state": tr("State")}
    if series == "peers":
        titles = {key: tr("Peers: {what}", what=title.lower()) for key, title in titles.items()}
    state = titles.pop("state")
    return (
        *(score(f"{series}_{key}", title) for key, title in titles.items()),
        text(f"{series}_state", state),
    )


def _of(bundles: pd.DataFrame, key: str, title: str, options: MeanOptions) -> tuple[list[Row], Mapping[str, float]]:
    """The rows of one score, and the correlation that the limits of each series hold."""
    name = SCORE_KEYS[key]
    scored = bundles[bundles[name].notna()]
    if scored.empty:
        return [], {}
    scored = scored.assign(raw=scored[name], peers=_against_peers(scored, name))
    synthetic = scored.groupby("model", observed=True)["synthetic"].any()
    # Stable: calibration models come last, each kind in the table's order.
    models = sorted(synthetic.index, key=synthetic.__getitem__)
    correlations = _correlations(scored)
    return [
        row
        for model in models
        for row in _series(scored[scored["model"] == model], str(model), title, options, correlations)
    ], correlations


def _correlations(scored: pd.DataFrame) -> dict[str, float]:
    """From one batch to the next, over the batches that set limits, all models together: they read the same news."""
    from gpf_desktop.stats.charts import BASELINE, autocorrelation

    # All models at once: a grouping for each model and series took a third of the table's time.
    means = scored.groupby(["model", "batch"], observed=True)[list(_SERIES)].mean()
    found = {}
    for series in _SERIES:
        told = [each.tolist() for _, each in means[series].dropna().groupby(level="model", observed=True)]
        # Only series that are judged: of shorter ones no limits are drawn.
        first = [each[:BASELINE] for each in told if len(each) > BASELINE]
        found[series] = autocorrelation(*first) if first else 0.0
    return found


def _against_peers(scored: pd.DataFrame, name: str) -> Any:
    """Each bundle's score minus the mean of its peers' on the same question; NaN where it has none."""
    import numpy as np

    question = ["synthetic", "article_id", "dimension", "family"]
    # Averaged by model first: a peer with several bundles of a question is still one peer.
    by_model: Any = scored.groupby([*question, "model"], observed=True)[name].mean()
    totals: Any = by_model.groupby(level=question, observed=True).agg(["sum", "count"])
    joined = scored[[*question, "model"]].merge(
        by_model.rename("own").reset_index(), on=[*question, "model"], how="left"
    )
    # Left merges keep the rows' order, in which the subtraction below meets them again.
    joined = joined.merge(totals.reset_index(), on=question, how="left")
    # A model is not its own peer: with it among them its own change would be drawn towards 0.
    others = joined["count"].to_numpy(float) - 1
    mean = (joined["sum"] - joined["own"]).to_numpy(float) / np.where(others > 0, others, np.nan)
    return scored[name].to_numpy(float) - mean


def _series(
    of_model: pd.DataFrame, model: str, title: str, options: MeanOptions, correlations: Mapping[str, float]
) -> list[Row]:
    import numpy as np

    from gpf_desktop.stats.charts import ewma

    batches = of_model["batch"].cat
    codes, place = np.unique(batches.codes.to_numpy(np.int64), return_inverse=True)
    names = [str(name) for name in batches.categories[codes]]
    ids = dict(zip(place.tolist(), of_model["batch_id"].tolist(), strict=True))
    synthetic = bool(of_model["synthetic"].any())
    found = mean_estimates(of_model, place, len(codes), _SERIES, options)
    charts = {series: _charted(found[series], partial(ewma, correlation=correlations[series])) for series in _SERIES}
    none = tr("no other model on these articles")
    rows = []
    for at, batch in enumerate(names):
        values: dict[str, Value] = {"model": model, "score": title, "batch": batch}
        for series in _SERIES:
            mean = found[series][at]
            values[series] = mean if mean.value is not None else Estimate(value=None, n=0, articles=0, why=none)
            values |= _point(series, charts[series].get(at))
        rows.append(
            Row(
                values=values,
                bundles=BundleFilter(model=model, batch_id=int(ids[at]), arm=options.arm),
                synthetic=synthetic,
            )
        )
    return rows


def _charted(means: Sequence[Estimate], ewma: Any) -> dict[int, tuple[ChartPoint, str]]:
    """The chart's points and states by the batch's place; batches without a mean are left out of the series."""
    # A batch without a mean neither moves the smoothed line nor counts among those that set limits.
    there = [at for at, mean in enumerate(means) if mean.value is not None]
    points: list[ChartPoint] = ewma([means[at].value for at in there])
    return {
        at: (point, _state(point, nth, len(points))) for nth, (at, point) in enumerate(zip(there, points, strict=True))
    }


def _state(point: ChartPoint, nth: int, count: int) -> str:
    from gpf_desktop.stats.charts import BASELINE

    if nth < BASELINE:
        return tr("too early") if count < BASELINE else tr("sets the limits")
    if point.signal is None:
        return tr("no limits")
    return tr("outside") if point.signal else tr("inside")


def _point(series: str, found: tuple[ChartPoint, str] | None) -> dict[str, Value]:
    point, state = found or (None, tr("no value"))
    return {
        f"{series}_smoothed": None if point is None else point.smoothed,
        f"{series}_low": None if point is None else point.low,
        f"{series}_high": None if point is None else point.high,
        f"{series}_state": state,
    }


def _signals(finding: Finding, figure: SeriesChart) -> tuple[str, ...]:
    """One line for each series against peers that left its limits."""
    book, peers = SeriesBook(finding, figure), figure.tracks[0]
    return tuple(
        tr("{model}, {score} minus peers: {says}", model=line.name, score=score, says=line.says)
        for score in book.splits
        for line in book.lines(peers, score)
        if line.signals
    )


ANALYSIS = Streaming()
