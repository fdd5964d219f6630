"""Each model's batches as a series on a control chart, raw and against its peers on the same articles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpf_desktop.analyses._means import MeanOptions, entering, main_bundles, mean_estimates
from gpf_desktop.analyses._words import SCORE_KEYS, estimate, text
from gpf_desktop.domain.findings import BundleFilter, Column, ColumnKind, Estimate, Finding, Row, Value
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr

if TYPE_CHECKING:
    import pandas as pd

    from gpf_desktop.numerics.charts import ChartPoint

_SERIES = ("raw", "peers")


class Streaming:
    """EWMA limits from each series' first eight batches; none of those can signal."""

    name = "streaming"
    version = "1"
    options = MeanOptions

    @property
    def title(self) -> str:
        return tr("Streaming: batch after batch")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        from gpf_desktop.numerics.charts import BASELINE, SMOOTHING, WIDTH

        bundles = entering(main_bundles(scores.bundles, options), options)
        rows = [
            row for key, title in (("s", tr("S")), ("r_star", tr("R*"))) for row in _of(bundles, key, title, options)
        ]
        return Finding(
            name=self.name,
            title=self.title,
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
            rows=tuple(rows),
            reading=tr(
                "“Outside” says that the smoothed series left the limits that its first {n} batches set; it does not "
                "say why. Against peers, what the news did to every model is taken out.",
                n=BASELINE,
            ),
            highlights=_signals(rows),
            notes=(
                tr(
                    "EWMA with λ = {smoothing} and limits at ±{width} σ; centre and σ are those of a series' first {n} "
                    "batches. With fewer batches there are no limits and no signals.",
                    smoothing=SMOOTHING,
                    width=WIDTH,
                    n=BASELINE,
                ),
                tr(
                    "Peers of a model are the other models asked about the same articles, calibration models among "
                    "themselves. Intervals over articles, seed {seed}.",
                    seed=options.seed,
                ),
            )
            if rows
            else (),
        )


def _chart_columns(series: str) -> tuple[Column, ...]:
    def score(key: str, title: str) -> Column:
        return Column(key=f"{series}_{key}", title=title, kind=ColumnKind.SCORE)

    return (
        score("smoothed", tr("Smoothed")),
        score("low", tr("Lower limit")),
        score("high", tr("Upper limit")),
        text(f"{series}_state", tr("State")),
    )


def _of(bundles: pd.DataFrame, key: str, title: str, options: MeanOptions) -> list[Row]:
    name = SCORE_KEYS[key]
    scored = bundles[bundles[name].notna()]
    if scored.empty:
        return []
    scored = scored.assign(raw=scored[name], peers=_against_peers(scored, name))
    rows: list[Row] = []
    for model in sorted(scored["model"].cat.categories, key=lambda each: _synthetic(scored, each)):
        of_model = scored[scored["model"] == model]
        if not of_model.empty:
            rows += _series(of_model, str(model), title, options)
    return rows


def _synthetic(frame: pd.DataFrame, model: str) -> bool:
    return bool(frame.loc[frame["model"] == model, "synthetic"].any())


def _against_peers(scored: pd.DataFrame, name: str) -> Any:
    """Each bundle's score minus the mean of its peers' on the same question; NaN where it has none."""
    import numpy as np

    question = ["synthetic", "article_id", "dimension", "family"]
    by_model: Any = scored.groupby([*question, "model"], observed=True)[name].mean()
    totals: Any = by_model.groupby(level=question, observed=True).agg(["sum", "count"])
    joined = scored[[*question, "model"]].merge(
        by_model.rename("own").reset_index(), on=[*question, "model"], how="left"
    )
    joined = joined.merge(totals.reset_index(), on=question, how="left")
    others = joined["count"].to_numpy(float) - 1
    mean = (joined["sum"] - joined["own"]).to_numpy(float) / np.where(others > 0, others, np.nan)
    return scored[name].to_numpy(float) - mean


def _series(of_model: pd.DataFrame, model: str, title: str, options: MeanOptions) -> list[Row]:
    import numpy as np

    from gpf_desktop.numerics.charts import ewma

    codes, place = np.unique(of_model["batch"].cat.codes.to_numpy(np.int64), return_inverse=True)
    names = [str(of_model["batch"].cat.categories[code]) for code in codes]
    ids: Any = of_model.groupby("batch", observed=True)["batch_id"].first()
    found = mean_estimates(of_model, place, len(codes), _SERIES, options)
    charts = {series: _charted(found[series], ewma) for series in _SERIES}
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
                bundles=BundleFilter(model=model, batch_id=int(ids[batch]), condition=options.condition),
                synthetic=bool(of_model["synthetic"].any()),
            )
        )
    return rows


def _charted(means: Sequence[Estimate], ewma: Any) -> dict[int, ChartPoint]:
    """The chart's points by the batch's place; batches without a mean are left out of the series."""
    there = [at for at, mean in enumerate(means) if mean.value is not None]
    return dict(zip(there, ewma([means[at].value for at in there]), strict=True))


def _point(series: str, point: ChartPoint | None) -> dict[str, Value]:
    if point is None:
        state = tr("no value")
    elif point.signal is None:
        state = tr("too early") if point.low is None else tr("sets the limits")
    else:
        state = tr("outside") if point.signal else tr("inside")
    return {
        f"{series}_smoothed": None if point is None else point.smoothed,
        f"{series}_low": None if point is None else point.low,
        f"{series}_high": None if point is None else point.high,
        f"{series}_state": state,
    }


def _signals(rows: Sequence[Row]) -> tuple[str, ...]:
    outside = tr("outside")
    return tuple(
        tr(
            "{model}: {score} against its peers was outside its limits at {batch}.",
            model=row.values["model"],
            score=row.values["score"],
            batch=row.values["batch"],
        )
        for row in rows
        if row.values["peers_state"] == outside
    )


ANALYSIS = Streaming()
