"""How far what is found by other cues of who asks agrees with what is found where readers are stated.

Each cue is asked of the very bundles that are asked again with the label stated, so that both sides have their noise:
the difference is taken bundle by bundle, then article by article.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.domain.conclusions.conclusion import (
    Caveat,
    CaveatEffect,
    Conclusion,
    ConclusionOutcome,
    MeasureReading,
    Standing,
)
from gpf_desktop.domain.conclusions.digits import with_range
from gpf_desktop.domain.conclusions.gates import Gate, GateReading, ModelEvidence, concluded
from gpf_desktop.domain.conclusions.rendering import of_few
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.scores import FRAMING_OF_OTHER_WORDS, TONE_OF_OTHER_WORDS
from gpf_desktop.domain.text import percent, tr, trn
from gpf_desktop.methods.gpf_livenews.cells import CUES, Condition
from gpf_desktop.methods.gpf_livenews.concluding.framing import LEAST_ARTICLES, clustered_articles, fixed_bound
from gpf_desktop.methods.gpf_livenews.protocol import Protocol

if TYPE_CHECKING:
    import pandas as pd

ALPHA: Final = 0.05
"""Chance of any false *differs* in the table, over its models, cues and measures."""
WORDS: Final = "cue_words"
TONE: Final = "cue_tone"
DECLINED: Final = "cue_declined"
DECLINED_MARGIN: Final = 0.05
"""Of a share of answers: less is held not to matter."""
_DIFFERS: Final = frozenset({ConclusionOutcome.DIFFERS})
_ALIKE: Final = frozenset({ConclusionOutcome.ALIKE})
_PAIR: Final = ["article_id", "dimension", "family"]
_ASKED: Final = [*_PAIR, "identity"]
MEASURES: Final = (WORDS, TONE, DECLINED)
FREEDOM_KEPT: Final = 0.5
"""Of the degrees of freedom of a range: with all of them skewed differences of a dozen articles are called apart three
times as often as is promised, at the level that one of many tests has."""

GATES: Final = (
    Gate(key="few_articles", least=LEAST_ARTICLES, outcome=ConclusionOutcome.TOO_FEW),
    Gate(key="masked", least=1, measures=(WORDS, TONE), bars=_DIFFERS, asked=False),
    *(
        Gate(key=f"skewed_{name}", above=0, measures=(name,), bars=_DIFFERS, effect=CaveatEffect.INFORMS)
        for name in MEASURES
    ),
    *(Gate(key=f"no_spread_{name}", above=0, measures=(name,), bars=_ALIKE) for name in (WORDS, TONE)),
    Gate(key="some_missing", most=0.1, bars=_ALIKE),
    Gate(key="rough", least=10),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CueReading:
    """One model by one cue."""

    condition: Condition
    conclusion: Conclusion
    stated: float | None
    """What readers add where they are stated, mean of the bundles that were asked both ways."""
    shown: float | None
    """What they add by the cue."""
    declined: tuple[int, int]
    """Answers declined, of those decided, by the cue; of questions to readers that were asked both ways."""
    declined_stated: tuple[int, int]
    bundles: tuple[int, ...]
    """Of the cue, the furthest from their stated ones first."""


@dataclass(frozen=True, slots=True)
class _Paired:
    """A measure's differences, cue less stated."""

    batch: Ints
    values: Floats


def readings(bundles: pd.DataFrame, decided: pd.DataFrame, margins: tuple[float, float]) -> Iterator[CueReading]:
    """The reading of every model and cue in *bundles*, the bundles that enter means, of real models or of test models
    alone.

    *margins*: for words and for tone.
    """
    asked = [
        (str(model), condition)
        for model in bundles["model"].astype(str).drop_duplicates()
        for condition in CUES
        if bool(((bundles["model"] == model) & (bundles["arm"] == str(condition))).any())
    ]
    limit = fixed_bound(ALPHA / 2, len(asked) * len(MEASURES))
    for model, condition in asked:
        its = bundles[bundles["model"] == model]
        yield _reading(model, condition, its, decided[decided["model"] == model], margins, limit)


def _reading(
    model: str,
    condition: Condition,
    its: pd.DataFrame,
    decided: pd.DataFrame,
    margins: tuple[float, float],
    limit: float,
) -> CueReading:
    by_cue = its[its["arm"] == str(condition)]
    masked = FRAMING_OF_OTHER_WORDS in its and bool(by_cue[FRAMING_OF_OTHER_WORDS].notna().any())
    pairs = _pairs(by_cue, its[its["arm"] == MAIN])
    declines = _declining(decided, str(condition))
    words, tone = (_by_article(pairs, name) for name in (FRAMING_OF_OTHER_WORDS, TONE_OF_OTHER_WORDS))
    articles = int(np.sum(~np.isnan(words.values)))
    planned, valid = float(by_cue["planned"].sum()), float(by_cue["valid"].sum())
    share = max(0.0, 1 - valid / planned) if planned else 0.0
    evidence = ModelEvidence(
        model=model,
        synthetic=bool(its["synthetic"].all()),
        standing=Standing(items=articles, asked=int(by_cue["article_id"].nunique())),
        measures=(
            _measure(WORDS, tr("what the reader adds"), words, margins[0], limit),
            _measure(TONE, tr("tone the reader adds"), tone, margins[1], limit),
            _measure(DECLINED, tr("share declined"), declines.apart, DECLINED_MARGIN, limit),
        ),
        readings={
            "few_articles": GateReading(value=articles, numbers={"n": articles}),
            "rough": GateReading(value=articles, numbers={"n": articles}),
            "masked": GateReading(value=float(masked)),
            "some_missing": GateReading(value=share, numbers={"share": share}),
            **dict(_skews({WORDS: words, TONE: tone, DECLINED: declines.apart}, limit)),
            f"no_spread_{WORDS}": GateReading(value=_spread(words)),
            f"no_spread_{TONE}": GateReading(value=_spread(tone)),
        },
    )
    return CueReading(
        condition=condition,
        conclusion=concluded(evidence, GATES),
        stated=_mean(pairs, f"{FRAMING_OF_OTHER_WORDS}_stated"),
        shown=_mean(pairs, FRAMING_OF_OTHER_WORDS),
        declined=declines.by_cue,
        declined_stated=declines.stated,
        bundles=_furthest(pairs),
    )


def _pairs(by_cue: pd.DataFrame, stated: pd.DataFrame) -> pd.DataFrame:
    """A row a bundle that was asked both ways."""
    scores = [name for name in (FRAMING_OF_OTHER_WORDS, TONE_OF_OTHER_WORDS) if name in by_cue]
    left = by_cue[["bundle_id", "batch_id", *_PAIR, *scores]].dropna(subset=scores, how="all")
    right: Any = stated[[*_PAIR, *scores]].dropna(subset=scores, how="all")
    right = right.groupby(_PAIR, observed=True)[scores].mean().reset_index()
    return left.merge(right, on=_PAIR, suffixes=("", "_stated"))


def _by_article(pairs: pd.DataFrame, score: str) -> _Paired:
    if score not in pairs or pairs.empty:
        return _Paired(np.zeros(0, np.int64), np.zeros(0))
    apart = pairs.assign(apart_=pairs[score] - pairs[f"{score}_stated"])
    table = apart.groupby(["batch_id", "article_id"], sort=True)["apart_"].mean().reset_index()
    return _Paired(table["batch_id"].to_numpy(np.int64), table["apart_"].to_numpy(float))


@dataclass(frozen=True, slots=True)
class _Declining:
    apart: _Paired
    by_cue: tuple[int, int]
    stated: tuple[int, int]


def _declining(decided: pd.DataFrame, condition: str) -> _Declining:
    """Declined by providers and in words, by the cue and where the same readers are stated in the same questions."""
    some = decided[(decided["decided"] > 0) & (decided["paraphrase"].astype(str) == "0")]
    some = some.assign(declined_=some["refused"] + some["worded_refusals"])
    sides = [
        some[some["condition"] == each].groupby(["batch_id", *_ASKED], observed=True)[["declined_", "decided"]].sum()
        for each in (condition, str(Condition.IDENTITY))
    ]
    both = sides[0].add_suffix("_cue").join(sides[1].add_suffix("_stated"), how="inner")
    apart = both["declined__cue"] / both["decided_cue"] - both["declined__stated"] / both["decided_stated"]
    table = apart.groupby(level=["batch_id", "article_id"]).mean()
    counted = [(int(both[f"declined__{each}"].sum()), int(both[f"decided_{each}"].sum())) for each in ("cue", "stated")]
    batch = table.index.get_level_values("batch_id").to_numpy(np.int64)
    return _Declining(_Paired(batch, table.to_numpy(float)), counted[0], counted[1])


@dataclass(frozen=True, slots=True)
class _Range:
    """A mean difference with its range; *beyond*: by how much skewness leaves it apart from 0, negative where not."""

    value: float
    low: float
    high: float
    beyond: float

    @classmethod
    def of(cls, paired: _Paired, limit: float) -> _Range | None:
        from scipy.special import ndtr, stdtrit

        there = ~np.isnan(paired.values)
        if there.sum() < LEAST_ARTICLES:
            return None
        values = paired.values[there]
        mean = clustered_articles(values, paired.batch[there])
        quantile = -float(stdtrit(FREEDOM_KEPT * mean.freedom, float(ndtr(-limit))))
        half = quantile * mean.error
        return cls(mean.value, mean.value - half, mean.value + half, float(unskewed(values)) - quantile)


def unskewed(values: Floats) -> Floats:
    """How far the mean of *values*, along their last axis, lies from 0, in errors, by Hall's (1992) transformation for
    skewed ones; infinite where they do not vary, 0 where all are 0."""
    n, mean = values.shape[-1], values.mean(axis=-1)
    spread = values.std(axis=-1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        far = mean / spread
        skewness = ((values - mean[..., None]) ** 3).mean(axis=-1) / values.std(axis=-1) ** 3
    told = far + skewness * far**2 / 3 + skewness**2 * far**3 / 27 + skewness / (6 * n)
    flat = np.where(mean == 0, 0.0, np.inf)
    return np.asarray(np.where(spread == 0, flat, np.abs(np.sqrt(n) * told)))


def _measure(name: str, words: str, paired: _Paired, margin: float, limit: float) -> MeasureReading:
    found = _Range.of(paired, limit)
    if found is None:
        few = tr("fewer than {n} articles were asked both ways", n=LEAST_ARTICLES)
        return MeasureReading(name=name, words=words, value=None, margin=margin, why=few)
    if found.low > 0 or found.high < 0:
        outcome = ConclusionOutcome.DIFFERS
    else:
        within = -margin < found.low and found.high < margin
        outcome = ConclusionOutcome.ALIKE if within else ConclusionOutcome.NOT_SHOWN
    return MeasureReading(
        name=name,
        words=words,
        value=found.value,
        low=found.low,
        high=found.high,
        level=1 - ALPHA,
        null=(-margin, margin),
        margin=margin,
        outcome=outcome,
    )


def _skews(of: Mapping[str, _Paired], limit: float) -> Iterator[tuple[str, GateReading]]:
    for name, paired in of.items():
        if (found := _Range.of(paired, limit)) is not None:
            yield f"skewed_{name}", GateReading(value=found.beyond)


def _spread(paired: _Paired) -> float:
    there: Bools = ~np.isnan(paired.values)
    return float(np.ptp(paired.values[there])) if there.any() else 0.0


def _mean(pairs: pd.DataFrame, name: str) -> float | None:
    if name not in pairs or not pairs[name].notna().any():
        return None
    return float(pairs[name].mean())


def _furthest(pairs: pd.DataFrame) -> tuple[int, ...]:
    if FRAMING_OF_OTHER_WORDS not in pairs:
        return ()
    apart = (pairs[FRAMING_OF_OTHER_WORDS] - pairs[f"{FRAMING_OF_OTHER_WORDS}_stated"]).abs()
    ordered = pairs.assign(apart_=apart).sort_values(["apart_", "bundle_id"], ascending=[False, True], kind="stable")
    return tuple(int(each) for each in ordered["bundle_id"])


def cue_words(condition: Condition) -> str:
    """The words for a cue, to stand after “by”."""
    known = {
        Condition.BY_NAME: tr("a name"),
        Condition.BY_HISTORY: tr("an earlier question"),
        Condition.BY_NOTE: tr("a note of earlier talks"),
    }
    return known[condition]


def sentence(each: CueReading) -> str:
    """The conclusion in words, with its caveats."""
    said = each.conclusion
    names = {"m": said.model.rpartition("/")[2], "cue": cue_words(each.condition)}
    match said.outcome:
        case ConclusionOutcome.DIFFERS:
            first = tr("{m} moves with readers otherwise where {cue} shows them than where they are stated: ", **names)
            first += "; ".join(f"{one.words} {_way(one)}" for one in said.differing) + "."
        case ConclusionOutcome.ALIKE:
            first = tr("{m} moves with readers shown by {cue} about as it does with stated ones.", **names)
        case ConclusionOutcome.NOT_SHOWN:
            first = tr(
                "Not settled: that {m} moves otherwise with readers shown by {cue} was neither shown nor ruled out.",
                **names,
            )
        case _:
            first = tr("Too few articles were asked both ways.")
    return " ".join((first, *filter(None, map(_weighs, said.caveats))))


def _way(one: MeasureReading) -> str:
    assert one.value is not None, "what differs was measured"
    told = with_range(one)
    return tr("more by the cue, {apart}", apart=told) if one.value > 0 else tr("less by the cue, {apart}", apart=told)


def _weighs(caveat: Caveat) -> str:
    match caveat.key:
        case "rough":
            n = int(caveat.numbers["n"])
            return of_few(trn("{n:,} article", "{n:,} articles", n))
        case "some_missing":
            return tr("{share} of the answers by the cue are missing.", share=percent(float(caveat.numbers["share"])))
        case "masked":
            return tr("Readers' own names are still in these scores: measure them again.")
        case _:
            return ""


def how_readers_showed(arms: Sequence[str], protocols: Sequence[Protocol]) -> str:
    """The sentence on every page that names the cues of *protocols* by which readers showed beside being stated, each
    with its source; or says that readers were stated alone."""
    sources = dict.fromkeys(
        (Condition(cue.kind), cue.source) for each in protocols for cue in each.cues if str(cue.kind) in arms
    )
    known = {cue for cue, _ in sources}
    # Of imported answers nobody may have said what the cue was.
    unsaid = [(cue, tr("not said")) for cue in CUES if str(cue) in arms and cue not in known]
    told = [tr("{cue} (source: {source})", cue=cue_words(cue), source=source) for cue, source in (*sources, *unsaid)]
    if told:
        return tr("Some readers were shown by other cues too: {cues}.", cues="; ".join(told))
    return tr(
        "Readers were stated in so many words alone: shown by a name or by earlier talk, they may move answers"
        " otherwise."
    )
