"""Each model's batches as a series on a control chart, as measured and against its peers on the same articles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import estimate, score, text
from gpf_desktop.domain.figures import SeriesChart, Track
from gpf_desktop.domain.findings import BundleFilter, Column, Estimate, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.series import SeriesBook
from gpf_desktop.domain.text import Translated, decimal, tr, trn, within
from gpf_desktop.methods.gpf_livenews.analyses._means import (
    SCORE_KEYS,
    MeanOptions,
    counted_bundles,
    mean_estimates,
)

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.stats.charts import ChartPoint

_SERIES = ("raw", "peers")
FINDS = (
    "Simulated while nothing changes, 1 of 100 series of 30 batches leaves its limits, and 4 of "
    "100 of 60 batches. That holds where batches are correlated by 0.6 or 0.8 too. Of a model "
    "without others, it is 4 of 100 series of 30 batches at 0.6, and 6 at 0.8. A shift of 4 "
    "standard deviations of a batch is found within 12 batches in 32 to 56 of 100 after the first "
    "8. After 20 batches it is found in 97 or more; at a correlation of 0.6 in 10 to 16, and 36 to "
    "55. A shift of 2 is found in 10 to 16, and 60 to 78; at 0.6 in 4 to 9, and 12 to 20. That "
    "nothing is signalled does not mean that nothing changed."
)
"""As `tests/benchmarks/bench_validity.py charts` measured, of one model, of four of one news, of these minus peers."""
_OUTSIDE = 0.0036
_OUTSIDE_ALONE = 0.0113
"""Share of 60 batches outside while nothing changes at a correlation of .6, likewise: of models beside each other, and
of a model alone. At lower ones it is less."""
_IN_A_ROW = 4
"""Batches outside, one after the other, from which a series is named: scores with heavy tails leave their limits once
in most years, and stay outside four batches in 3 of 100."""
_UNLIKE = 1.5
"""Times as many articles in the first batches as in later ones from which the table warns of it."""


class Streaming(TableAnalysis):
    """EWMA limits, the first from each series' first eight batches; none of those is judged."""

    name = "streaming"
    version = "2"
    options = MeanOptions
    title = Translated("Over time: each batch of news")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = counted_bundles(scores, options)
        charted = {title: _of(bundles, key, title, options) for key, title in _scores()}
        rows = tuple(row for some, _ in charted.values() for row in some)
        figure = _figure(bundles)
        finding = self.finding(
            columns=(
                text("model", tr("Model")),
                text("score", tr("Score")),
                text("batch", tr("Batch of news")),
                estimate("raw", tr("Mean of the batch")),
                *_chart_columns("raw"),
                estimate(
                    "peers",
                    tr("Less other models"),
                    tr("Less the mean of the other models on the same article, group of readers and kind of question."),
                ),
                *_chart_columns("peers"),
            ),
            rows=rows,
            reading=tr(
                "The limits are those of the smoothed line, not of single batches. “Outside” says that it left "
                "what earlier batches set, in this window; it does not say why. Less other models: what the "
                "news did to every model is taken out."
            ),
            notes=(
                # The window shows the first note under the chart: what it finds and how often it cries wolf.
                *((tr(FINDS),) if _judged(rows) else ()),
                *_method(),
                *_correlated({title: held for title, (some, held) in charted.items() if _judged(some)}),
                *_by_chance(rows),
                *_smaller(rows),
                *_peers(options),
            ),
            figures=(figure,),
        )
        return replace(finding, highlights=_signals(finding, figure))


def _scores() -> tuple[tuple[str, str], ...]:
    """Names and titles of the scores that are drawn; those that length and noise leave alone come first."""
    return (
        ("cfs", tr("What the reader adds")),
        ("relative", tr("Share the reader adds")),
        ("s", tr("How far apart, in words")),
        ("r_star", tr("Spread of tone, fair to small groups")),
    )


def _figure(bundles: pd.DataFrame) -> SeriesChart:
    from gpf_desktop.stats.charts import BASELINE

    used = set(bundles["batch"].cat.codes)
    places = tuple(str(name) for code, name in enumerate(bundles["batch"].cat.categories) if code in used)
    return SeriesChart(
        title=tr("Batch after batch, with the limits that earlier batches set"),
        along="batch",
        places=places,
        line="model",
        split="score",
        tracks=(_track("peers", tr("less other models")), _track("raw", tr("as measured"))),
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
            "Control chart, EWMA with λ = {smoothing}. A series' first {n} batches set the first limits "
            "and are not judged. Smoothing starts at the centre; the limits are wide enough for the "
            "error of both estimates. While nothing changes, {risk}% of independent batches lie outside, "
            "as by three known standard deviations. Another window has other first batches, and so other "
            "limits.",
            smoothing=SMOOTHING,
            n=BASELINE,
            risk=f"{100 * RISK:.2f}",
        ),
        tr(
            "More lie outside by chance where later batches have fewer articles than the first {n}: look "
            "at the ranges of single batches.",
            n=BASELINE,
        ),
    )


def _judged(rows: Sequence[Row]) -> int:
    """Points that have limits."""
    return sum(row.values[f"{series}_low"] is not None for row in rows for series in _SERIES)


def _correlated(held: Mapping[str, Mapping[str, float]]) -> tuple[str, ...]:
    """A note on the correlation that the limits hold, and on the batches that set the limits."""
    from gpf_desktop.stats.charts import LAG, MOST

    if not held:
        return ()
    return (
        tr(
            "Limits are widened for the correlation from one batch to the next, by a standard error more "
            "than those batches show. The newest hold {held} (as measured; less other models). Batches set "
            "limits too once they are more than {lag} old, up to {most}, until one is outside.",
            held=", ".join(
                f"{score}: {decimal(each['raw'], 2)}; {decimal(each['peers'], 2)}" for score, each in held.items()
            ),
            lag=LAG,
            most=MOST,
        ),
    )


def _by_chance(rows: Sequence[Row]) -> tuple[str, ...]:
    """How many points to expect outside though nothing has changed: many series are watched at once."""
    judged = _judged(rows)
    if not judged:
        return ()
    alone = len({row.values["model"] for row in rows if row.values["raw_low"] is not None}) == 1
    expected = judged * (_OUTSIDE_ALONE if alone else _OUTSIDE)
    return (
        trn(
            "{n} point was judged; by chance alone up to {expected} would lie outside, at a correlation of up to 0.6.",
            "{n} points were judged; by chance alone up to {expected} would lie outside, at a "
            "correlation of up to 0.6.",
            judged,
            expected=tr("one") if expected < 1 else tr("about {n}", n=round(expected)),
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
            "Other models are those asked about the same articles; built-in test models count among "
            "themselves. One that changes, joins or leaves moves this series too: of two, each mirrors "
            "the other. Ranges over articles, seed {seed}.",
            seed=options.seed,
        ),
    )


def _chart_columns(series: str) -> tuple[Column, ...]:
    titles = {"smoothed": tr("Smoothed"), "low": tr("Lower limit"), "high": tr("Upper limit"), "state": tr("State")}
    if series == "peers":
        titles = {key: tr("Other models: {what}", what=within(title)) for key, title in titles.items()}
    state = titles.pop("state")
    return (
        *(score(f"{series}_{key}", title) for key, title in titles.items()),
        text(f"{series}_state", state),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Model:
    """One model's batches, oldest first."""

    name: str
    synthetic: bool
    batches: tuple[tuple[str, int], ...]
    """Name and number of each."""
    means: Mapping[str, Sequence[Estimate]]
    """By series, one for each batch."""


def _of(bundles: pd.DataFrame, key: str, title: str, options: MeanOptions) -> tuple[list[Row], Mapping[str, float]]:
    """The rows of one score, and the correlation that the newest limits of each series hold."""
    name = SCORE_KEYS[key]
    scored = bundles[bundles[name].notna()]
    if scored.empty:
        return [], {}
    scored = scored.assign(raw=scored[name], peers=_against_peers(scored, name))
    synthetic = scored.groupby("model", observed=True)["synthetic"].any()
    # Stable: calibration models come last, each kind in the table's order.
    names = sorted(synthetic.index, key=synthetic.__getitem__)
    models = [_model(scored[scored["model"] == name], str(name), options) for name in names]
    charts = {series: _charted(models, series) for series in _SERIES}
    rows = [
        row
        for at, model in enumerate(models)
        for row in _rows(model, title, {series: found[at] for series, (found, _) in charts.items()}, options)
    ]
    return rows, {series: held for series, (_, held) in charts.items()}


def _model(scored: pd.DataFrame, name: str, options: MeanOptions) -> _Model:
    import numpy as np

    batches = scored["batch"].cat
    codes, place = np.unique(batches.codes.to_numpy(np.int64), return_inverse=True)
    ids = dict(zip(place.tolist(), scored["batch_id"].tolist(), strict=True))
    return _Model(
        name=name,
        synthetic=bool(scored["synthetic"].any()),
        batches=tuple((str(batch), int(ids[at])) for at, batch in enumerate(batches.categories[codes])),
        means=mean_estimates(scored, place, len(codes), _SERIES, options),
    )


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


def _rows(
    model: _Model, title: str, charts: Mapping[str, Mapping[int, tuple[ChartPoint, str]]], options: MeanOptions
) -> Iterator[Row]:
    none = tr("no other model on these articles")
    for at, (batch, number) in enumerate(model.batches):
        values: dict[str, Value] = {"model": model.name, "score": title, "batch": batch}
        for series in _SERIES:
            mean = model.means[series][at]
            values[series] = mean if mean.value is not None else Estimate.unavailable(none)
            values |= _point(series, charts[series].get(at))
        yield Row(
            values=values,
            bundles=BundleFilter(model=model.name, batch_id=number, arm=options.arm),
            synthetic=model.synthetic,
        )


def _charted(models: Sequence[_Model], series: str) -> tuple[list[dict[int, tuple[ChartPoint, str]]], float]:
    """The chart's points and states of each model, by the batch's place; and the correlation that the newest limits
    hold."""
    from gpf_desktop.stats.charts import ewma

    # A batch without a mean neither moves the smoothed line nor counts among those that set limits.
    there = [
        {at: mean.value for at, mean in enumerate(model.means[series]) if mean.value is not None} for model in models
    ]
    kinds = {model.synthetic for model in models}
    found = ewma(
        [list(own.values()) for own in there],
        # What the news does to a batch it does to every model: their series tell of its waves as one does. Minus peers,
        # only the last of each kind follows from the others.
        independent=max(1, len(models) - len(kinds)) if series == "peers" else 1,
    )
    points = [
        {at: (point, _state(point, nth, len(own))) for nth, (at, point) in enumerate(zip(own, line, strict=True))}
        for own, line in zip(there, found.series, strict=True)
    ]
    return points, found.correlation


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
    """One line for each series against peers that stayed outside its limits; one batch outside is no drift."""
    book, peers = SeriesBook(finding, figure), figure.tracks[0]
    return tuple(
        tr("{model}, {score}, less other models: {says}", model=line.name, score=score, says=line.says)
        for score in book.splits
        for line in book.lines(peers, score)
        if any(len(run) >= _IN_A_ROW for run in line.signal_runs())
    )


ANALYSIS = Streaming()
