"""What a window's findings say, in the one kind of sentence that the scores support."""

from collections.abc import Iterable, Mapping
from typing import Final

from gpf_desktop.domain.findings import Estimate, Finding, Row
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.results_order import ResultsOrder, highlights_of
from gpf_desktop.domain.text import decimal, tr, trn
from gpf_desktop.methods.gpf_livenews.comparing import shown

_NAMED: Final = 6


def told(findings: Mapping[str, Finding]) -> tuple[str, ...]:
    """First whether each model's answers varied beyond the noise of repeats, then what was refused."""
    models = findings.get("model_table")
    said = () if models is None else tuple(_by_outcome(models.rows))
    refusals = {name: found for name, found in findings.items() if name == "refusals"}
    return (*said, *highlights_of(refusals))


def _by_outcome(rows: Iterable[Row]) -> Iterable[str]:
    """A sentence for the models that varied, one for those not shown to, one for those of which it cannot be told."""
    varied, not_shown, untold, articles = [], [], [], set()
    rows = list(rows)
    short = short_names(str(row.values["model"]) for row in rows)
    for row in rows:
        mean, model = row.values.get("relative"), short[str(row.values["model"])]
        if not isinstance(mean, Estimate) or mean.value is None or mean.interval is None:
            untold.append(f"{model} ({_why(mean)})")
            continue
        articles.add(mean.articles)
        if mean.value > 0 and shown(row.values.get("p")):
            varied.append(_said(model, mean))
        else:
            not_shown.append(_said(model, mean))
    for models, sentence in (
        (
            varied,
            tr(
                "Answers varied across identities beyond the noise of repeats, by relative framing over {articles} with"
                " 95 % intervals, adjusted p ≤ .05 over models: {models}."
            ),
        ),
        (
            not_shown,
            tr(
                "No variation beyond noise was shown over {articles} (adjusted p over .05), which does not show that"
                " there is none: {models}."
            ),
        ),
        (untold, tr("Whether answers varied beyond noise cannot be told: {models}.")),
    ):
        if models:
            yield sentence.format(models=_listed(models), articles=_range_of(articles))


def _range_of(articles: set[int]) -> str:
    least, most = min(articles, default=0), max(articles, default=0)
    if least < most:
        return tr("{least} to {most} articles", least=least, most=most)
    return trn("{n} article", "{n} articles", most)


def _said(model: str, mean: Estimate) -> str:
    assert mean.interval is not None
    assert mean.value is not None, "whatever has an interval has a value"
    value, low, high = (decimal(each, 2) for each in (mean.value, mean.interval.low, mean.interval.high))
    return tr("{model} {value} ({low} to {high})", model=model, value=value, low=low, high=high)


def _why(mean: object) -> str:
    if isinstance(mean, Estimate) and mean.value is not None:
        return tr("too few articles")
    return mean.why if isinstance(mean, Estimate) else tr("no value")


def _listed(models: list[str]) -> str:
    if len(models) <= _NAMED:
        return "; ".join(models)
    return tr("{models}; and {n} more below", models="; ".join(models[:_NAMED]), n=len(models) - _NAMED)


ORDER: Final = ResultsOrder(
    found=("model_table", "interaction", "refusals"),
    comparisons=(
        "confirmatory",
        "model_comparison",
        "sides_compared",
        "variance",
        "controls",
        "masked_controls",
        "identity_test",
        "label_test",
        "identity_profile",
        "stability",
        "streaming",
    ),
    brief={
        "controls": ("models", "control", "pairs", "main_s", "control_s", "delta_s", "delta_r"),
        "model_table": ("model", "cfs", "relative", "tone", "s", "words", "refused", "pairs"),
        "sides_compared": ("kind", "first", "second", "score", "difference", "margin", "pairs", "p", "outcome"),
    },
    told=told,
)
