"""What a window's findings say, in the one kind of sentence that the scores support."""

from collections.abc import Iterable, Mapping
from typing import Final

from gpf_desktop.domain.findings import Estimate, Finding, Row
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.results_order import ResultsOrder, highlights_of
from gpf_desktop.domain.text import decimal, tr, trn
from gpf_desktop.methods.gpf_livenews.comparing import shown

_NAMED: Final = 6
_SCORES: Final = {"relative": "p", "tone": "p_tone"}
"""Columns of the model table: a mean, and the p of a mean of 0."""
_Told = tuple[str, Mapping[str, Estimate]]
"""A model and the means that are told of it, by column."""


def told(findings: Mapping[str, Finding]) -> tuple[str, ...]:
    """First whether each model's answers varied beyond the noise of repeats, then what was refused."""
    models = findings.get("model_table")
    said = () if models is None else tuple(_by_outcome(models.rows))
    refusals = {name: found for name, found in findings.items() if name == "refusals"}
    return (*said, *highlights_of(refusals))


def _by_outcome(rows: Iterable[Row]) -> Iterable[str]:
    """A sentence for each score by which models varied, one for models not shown to by either, one for those of which
    it cannot be told."""
    rows = list(rows)
    short = short_names(str(row.values["model"]) for row in rows)
    varied: dict[str, list[_Told]] = {key: [] for key in _SCORES}
    not_shown: list[_Told] = []
    untold: list[str] = []
    for row in rows:
        model = short[str(row.values["model"])]
        means = {key: row.values.get(key) for key in _SCORES}
        told = {key: mean for key, mean in means.items() if isinstance(mean, Estimate) and mean.interval is not None}
        found = [key for key, mean in told.items() if (mean.value or 0.0) > 0 and shown(row.values.get(_SCORES[key]))]
        for key in found:
            varied[key].append((model, {"": told[key]}))
        if not told:
            untold.append(f"{model} ({_why(means['relative'])})")
        elif not found:
            not_shown.append((model, told))
    for models, sentence in (
        (
            varied["relative"],
            tr(
                "Answers varied across identities beyond the noise of repeats, by relative framing over {articles} with"
                " 95 % intervals, adjusted p ≤ .05 over models and both scores: {models}."
            ),
        ),
        (
            varied["tone"],
            tr("Their tone varied too, by tone framing over {articles}, adjusted likewise: {models}.")
            if varied["relative"]
            else tr(
                "The tone of answers varied across identities beyond the noise of repeats, by tone framing over"
                " {articles} with 95 % intervals, adjusted p ≤ .05 over models and both scores: {models}."
            ),
        ),
        (
            not_shown,
            tr(
                "No variation beyond noise was shown over {articles}, in relative framing or in tone framing (adjusted"
                " p over .05; the intervals are not adjusted), which does not show that there is none: {models}."
            ),
        ),
    ):
        if models:
            articles = _range_of({mean.articles for _, means in models for mean in means.values()})
            yield sentence.format(models=_listed([_said(*each) for each in models]), articles=articles)
    if untold:
        yield tr("Whether answers varied beyond noise cannot be told: {models}.", models=_listed(untold))


def _range_of(articles: set[int]) -> str:
    least, most = min(articles, default=0), max(articles, default=0)
    if least < most:
        return tr("{least} to {most} articles", least=least, most=most)
    return trn("{n} article", "{n} articles", most)


def _said(model: str, means: Mapping[str, Estimate]) -> str:
    values = ", ".join(f"{tr('tone')} {_value(mean)}" if key == "tone" else _value(mean) for key, mean in means.items())
    return f"{model} {values}"


def _value(mean: Estimate) -> str:
    assert mean.interval is not None
    assert mean.value is not None, "whatever has an interval has a value"
    value, low, high = (decimal(each, 2) for each in (mean.value, mean.interval.low, mean.interval.high))
    return tr("{value} ({low} to {high})", value=value, low=low, high=high)


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
