"""Findings over many batches, made by the real analyses."""

from collections.abc import Mapping, Sequence

from gpf_desktop.domain.figures import SeriesChart
from gpf_desktop.domain.findings import Finding
from gpf_desktop.engine.reporting.score_frame import FrameTables, Orders
from gpf_desktop.methods.gpf_livenews.analyses import batch_view, streaming
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions
from tests.methods.gpf_livenews.analyses.tables import tables

ARTICLES = 3
"""Of each batch, so that every mean has an interval."""
WIGGLE = (0.012, -0.008, 0.004, -0.011, 0.009, -0.006, 0.002)
CALM = tuple(0.3 + WIGGLE[at % len(WIGGLE)] for at in range(14))
LEAVING = tuple((0.3 if at < 8 else 0.5) + WIGGLE[(3 * at + 2) % len(WIGGLE)] for at in range(14))
"""Its first eight batches are calm, from the ninth on all are higher by .2."""
GAPPED = (*CALM[:3], None, *CALM[4:10], None, None, *CALM[12:])


def over_batches(values: Mapping[str, Sequence[float | None]]) -> FrameTables:
    """The S of each model's batches, None where it has none; ``vendor/model``, calibration models by their vendor."""
    count = max(map(len, values.values()))
    named = tuple((number, f"Round {number}") for number in range(1, count + 1))
    return tables(
        (
            {
                "model": model,
                "vendor": model.partition("/")[0],
                "synthetic": int(model.startswith("calibration/")),
                "batch_id": batch,
                "article_id": batch * ARTICLES + article,
                "run_id": batch,
                "s": s + 0.01 * article,
            }
            for model, series in values.items()
            for batch, s in enumerate(series, start=1)
            if s is not None
            for article in range(ARTICLES)
        ),
        orders=Orders(
            levels={"condition": (), "dimension": ("Religion",), "family": ("Impact",), "paraphrase": ()}, batches=named
        ),
    )


def streaming_of(values: Mapping[str, Sequence[float | None]]) -> tuple[Finding, SeriesChart]:
    """The control chart and what it is drawn from."""
    return _with_figure(streaming.ANALYSIS.analyse(over_batches(values), MeanOptions()))


def batch_view_of(values: Mapping[str, Sequence[float | None]]) -> tuple[Finding, SeriesChart]:
    return _with_figure(batch_view.ANALYSIS.analyse(over_batches(values), MeanOptions()))


def _with_figure(finding: Finding) -> tuple[Finding, SeriesChart]:
    (figure,) = finding.figures
    assert isinstance(figure, SeriesChart)
    return finding, figure
