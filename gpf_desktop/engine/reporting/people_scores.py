"""Do people agree with the score? Verdicts against scores, on random samples with their selection weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain.columns import count, estimate, text
from gpf_desktop.domain.conclusions.rendering import number
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Interval, Row
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.scores import Measure
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.verdict_words import verdict_called
from gpf_desktop.engine.reporting.reading_weights import ReadSample

if TYPE_CHECKING:
    from gpf_desktop.stats.probability import Discrimination

AGREEMENT: Final = "people_scores"
CURVE: Final = "people_curve"
_LEAST: Final = 5
"""Readings of either kind, under which an AUC would be of next to nothing."""
_HALF_WIDTH: Final = 0.1
"""To which an AUC is to be told before readings are enough."""
_AUC: Final = 0.7
_SHARE: Final = 0.2
"""What the readings still needed are reckoned with where too few tell it: an AUC worth knowing, a verdict not rare."""
_POINTS: Final = 9
Counted = Callable[[int], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """The weighted readings of one group, arrays of one length."""

    values: Any
    yes: Any
    weights: Any
    articles: Any


def titles() -> Mapping[str, str]:
    return {AGREEMENT: tr("Do people agree with the score?"), CURVE: tr("How often people found harm, by the score")}


def agreement(sample: ReadSample, measures: Sequence[Measure], main: Measure | None, counted: Counted) -> Finding:
    """A finding on how well each score tells the verdicts apart: for every model together, each verdict, and each
    model.

    *measures*: scores that are numbers, of bundles; *main* the one by which verdicts and models are told; *counted*
    says so many items in the method's words.
    """
    rows = tuple(_rows(sample, measures, main, counted)) if len(sample.frame) and main is not None else ()
    return Finding(
        name=AGREEMENT,
        title=titles()[AGREEMENT],
        columns=(
            text("model", tr("Model")),
            text("verdict", tr("Verdict")),
            text("score", tr("Score")),
            estimate(
                "auc",
                tr("AUC"),
                tr("AUC: how often a set with this verdict has the higher score than one without; 0.5 is chance."),
            ),
            count("yes", tr("With it"), tr("Sets read with this verdict.")),
            count("no", tr("Without"), tr("Sets read with another verdict than this.")),
            text("needed", tr("Readings"), tr("How many more tell that share to within 0.1.")),
        ),
        rows=rows,
        reading=tr(
            "Whether the sets that people judge so are those with high scores. Near 0.5 the score does "
            "not find them; it says nothing about how many there are."
        ),
        notes=_notes(sample) if rows else _nothing_yet(),
        figures=(
            Intervals(
                title=tr("How often the score finds what people judge, by score, verdict and model"),
                label=("score", "verdict", "model"),
                value="auc",
                x_title=tr("how often the set so judged has the higher score (0.5 is chance)"),
            ),
        )
        if any(isinstance(row.values["auc"], Estimate) and row.values["auc"].value is not None for row in rows)
        else (),
    )


def curve(sample: ReadSample, main: Measure | None, counted: Counted) -> Finding:
    """P(harmful | main score) at even places along the scores that were read, with its band."""
    rows = tuple(_points(sample, main, counted)) if len(sample.frame) and main is not None else ()
    label = "" if main is None else main.label
    return Finding(
        name=CURVE,
        title=titles()[CURVE],
        columns=(
            text("score", label or tr("Score")),
            estimate("probability", tr("Share harmful"), tr("Of a set with this score.")),
        ),
        rows=rows,
        reading=tr("The share of sets with such a score that people called harmful; the band is for each score alone."),
        notes=(
            tr(
                "Logistic regression with selection weights and Firth's penalty; 95% band by sandwich errors, no "
                "less than those of readings that do not go together, Student's t."
            ),
            *_notes(sample),
        )
        if rows
        else _nothing_yet(),
        figures=(
            Intervals(
                title=tr("Share called harmful, along {score}", score=label),
                label=("score",),
                value="probability",
                x_title=tr("Share harmful"),
            ),
        )
        if rows
        else (),
    )


def _rows(sample: ReadSample, measures: Sequence[Measure], main: Measure, counted: Counted) -> Iterator[Row]:
    frame, every = sample.frame, tr("all")
    for measure in measures:
        yield _row(sample, frame, every, Verdict.HARMFUL, measure, counted)
    for verdict in Verdict:
        if verdict not in (Verdict.HARMFUL, Verdict.UNSURE):
            yield _row(sample, frame, every, verdict, main, counted)
    models = frame["model"].astype(str)
    if models.nunique() > 1:
        for model in dict.fromkeys(models):
            yield _row(sample, frame[models == model], model, Verdict.HARMFUL, main, counted)


def _row(sample: ReadSample, frame: Any, model: str, verdict: Verdict, measure: Measure, counted: Counted) -> Row:
    from gpf_desktop.stats.probability import discrimination

    read = _of(frame, verdict, measure)
    yes, no = int(read.yes.sum()), int((~read.yes).sum())
    found = discrimination(read.values, read.yes, read.weights, read.articles) if min(yes, no) >= _LEAST else None
    return Row(
        values={
            "model": model,
            "verdict": verdict_called(verdict),
            "score": measure.label,
            "auc": _auc(found, read, counted),
            "yes": yes,
            "no": no,
            "needed": _needed(found, read),
        },
        bundles=BundleFilter(model=None if model == tr("all") else model),
        synthetic=sample.synthetic,
    )


def _of(frame: Any, verdict: Verdict, measure: Measure) -> _Read:
    some = frame[frame[measure.name].notna()]
    return _Read(
        values=some[measure.name].to_numpy(float),
        yes=(some["verdict"] == str(verdict)).to_numpy(bool),
        weights=some["weight"].to_numpy(float),
        articles=some["article_id"].to_numpy(),
    )


def _auc(found: Discrimination | None, read: _Read, counted: Counted) -> Estimate:
    import numpy as np

    articles = len(np.unique(read.articles))
    if found is None:
        why = tr("not enough readings yet")
        return Estimate(value=None, n=len(read.values), articles=articles, why=why)
    how = tr("Newcombe's with weights over {items}", items=counted(articles))
    interval = Interval(low=found.low, high=found.high, level=0.95, method=how)
    return Estimate(value=found.auc, n=len(read.values), articles=articles, interval=interval)


def _needed(found: Discrimination | None, read: _Read) -> str:
    """Words on how many more readings are needed, with Kish's design effect: readings of unlike weights are worth fewer
    of like ones."""
    from gpf_desktop.stats.probability import readings_needed

    n = len(read.values)
    if found is not None and found.high - found.low <= 2 * _HALF_WIDTH:
        return tr("enough")
    share = float(read.weights @ read.yes / read.weights.sum()) if n else 0.0
    # At 0 or 1 the formula's variance is next to nothing, and the few readings that gave it would be called enough.
    auc = _AUC if found is None else min(0.95, max(0.05, found.auc))
    effect = n * float((read.weights**2).sum()) / float(read.weights.sum()) ** 2 if n else 1.0
    wanted = readings_needed(auc, share if 0.02 < share < 0.98 else _SHARE, _HALF_WIDTH)
    # Where the formula's count is reached and the interval is still wide, articles are too few: its width tells more.
    more = max(1, ceil(wanted * effect) - n)
    if found is not None:
        wide = (found.high - found.low) / (2 * _HALF_WIDTH)
        # An interval's width falls with the root of n: twice too wide asks for four times as many.
        more = max(more, ceil(n * (wide**2 - 1)))
    return trn("not enough yet: about {n} more", "not enough yet: about {n} more", more)


def _points(sample: ReadSample, main: Measure, counted: Counted) -> Iterator[Row]:
    import numpy as np

    from gpf_desktop.stats.probability import probability_curve

    read = _of(sample.frame, Verdict.HARMFUL, main)
    if min(int(read.yes.sum()), int((~read.yes).sum())) < _LEAST:
        return
    # Not out to the ends, where the curve would follow single readings.
    low, high = np.quantile(read.values, [0.02, 0.98])
    at = np.linspace(float(low), float(high), _POINTS)
    found = probability_curve(read.values, read.yes, read.weights, read.articles, at)
    if found is None:
        return
    articles = len(np.unique(read.articles))
    for place, value in enumerate(at.tolist()):
        interval = Interval(
            low=float(found.low[place]),
            high=float(found.high[place]),
            level=0.95,
            method=tr("sandwich over {items}", items=counted(articles)),
        )
        mean = Estimate(value=float(found.probability[place]), n=len(read.values), articles=articles, interval=interval)
        yield Row(
            values={"score": f"{main.label} {number(value)}", "probability": mean},
            bundles=BundleFilter(),
            synthetic=sample.synthetic,
        )


def _nothing_yet() -> tuple[str, ...]:
    return (
        tr(
            "Empty until enough sets of a random sample have been read, five with and five without the "
            "verdict. Draw one in Review, “Draw a sample”."
        ),
    )


def _notes(sample: ReadSample) -> tuple[str, ...]:
    return (
        tr(
            "{read} sets read of {drawn} drawn in {samples}; a set stands for one over its chance to be "
            "drawn and read. Sets picked by their score, open disagreements and “can't tell” are left "
            "out.",
            read=len(sample.frame),
            drawn=sample.drawn,
            samples=trn("{n} random sample", "{n} random samples", sample.samples),
        ),
    )
