"""Sides of any kind, two by two, answer by answer: the same model at another temperature, or with a system prompt."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Final

from gpf_desktop.domain.columns import count, estimate, p_value, score, text
from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome, MeasureReading
from gpf_desktop.domain.conclusions.rendering import chips
from gpf_desktop.domain.findings import Estimate, Finding, Interval, Row, Value
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.score_tables import RunTerms, ScoreTables, SidePair
from gpf_desktop.domain.text import decimal, range_ends, tr
from gpf_desktop.methods._paired_sides import asked_with, otherwise, quoted
from gpf_desktop.methods.contextual_stereoset.analyses._endings import choices_of
from gpf_desktop.methods.contextual_stereoset.analyses._stored import METHOD
from gpf_desktop.methods.contextual_stereoset.asked_twice import PairedChoices, paired_choices
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.concluding.sentences import voice
from gpf_desktop.methods.contextual_stereoset.concluding.two_sides import CHOICE, CONTRASTS, TestedSides, tested
from gpf_desktop.methods.contextual_stereoset.scorers.choices import CHOICE as CHOICE_MEASURE
from gpf_desktop.methods.contextual_stereoset.scorers.choices import CHOICE_MOVES
from gpf_desktop.methods.contextual_stereoset.words import option_title

_NAMED: Final = 3
"""Pairs that are told in sentences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    pair: SidePair
    sides: PairedChoices
    synthetic: bool
    otherwise: str
    """How the first was asked otherwise than the second, in words."""


def of_pairs(pairs: Sequence[SidePair], margins: Mapping[str, float]) -> Finding:
    """Each pair on the items and contexts that both of its sides have; *margins* by `CHOICE` and `CONTRASTS`.

    Where models are not the sides, each model is paired with itself. All comparisons of one kind share one level.
    """
    every = [(pair, list(_ready(pair))) for pair in pairs]
    kinds: dict[str, list[_Ready]] = {}
    for pair, some in every:
        kinds.setdefault(pair.kind, []).extend(some)
    rows: list[Row] = []
    said: list[str] = []
    unchosen: list[str] = []
    for of_kind in kinds.values():
        used = [_margins(each.pair, margins) for each in of_kind]
        found = tested([(each.sides, each.synthetic, stated) for each, stated in zip(of_kind, used, strict=True)])
        for each, result in zip(of_kind, found, strict=True):
            its = list(_rows(each, result))
            rows += its
            unchosen += [] if its else [_names(each.pair)]
            said += [] if each.synthetic else [_sentence(each, result.conclusion)]
    apart = [_names(pair) for pair, some in every if not some]
    return Finding(
        name="sides_compared",
        title=tr("Rounds, protocols and settings compared"),
        columns=(
            text("kind", tr("Compared")),
            text("first", tr("First")),
            text("second", tr("Second")),
            text("models", tr("Models"), tr("Each is paired with itself, where models are not what is compared.")),
            text("score", tr("What")),
            estimate("difference", tr("First − second"), tr("Over items, of cells that have a choice at both.")),
            count("alone", tr("First alone"), tr("Cells that choose the option at the first and not at the second.")),
            count("other", tr("Second alone"), tr("Cells that choose the option at the second and not at the first.")),
            score("same", tr("Same choice"), tr("Share of cells that choose the same option at both.")),
            score("margin", tr("Too small to matter"), tr("A smaller difference, either way, is held not to matter.")),
            p_value(
                "p",
                tr("Adjusted p"),
                tr("All comparisons of this kind counted (Bonferroni)."),
                plain=tr("By chance alone, all counted"),
            ),
            text("outcome", tr("Outcome")),
            text("otherwise", tr("Asked otherwise"), tr("At the first, against the second.")),
            text("weighs", tr("What weighs on it")),
        ),
        rows=tuple(rows),
        reading=tr(
            "Whether the same items were answered otherwise at the two sides. “Not shown” is no evidence of being"
            " alike, and no order follows from it."
        ),
        highlights=tuple(said[:_NAMED]),
        notes=(*(_notes() if rows else ()), *_nothing(apart, unchosen)),
    )


def _notes() -> tuple[str, ...]:
    return (
        tr(
            "Paired by item and context, over questions with a choice at both. Ranges by Student’s t over items hold"
            " for all comparisons of one kind at once, test models apart. A difference is not told that questions"
            " without a choice could make by themselves."
        ),
    )


def _names(pair: SidePair) -> str:
    return tr(" and ").join(pair.names)


def _nothing(apart: Sequence[str], unchosen: Sequence[str]) -> tuple[str, ...]:
    """Notes that name the pairs without a row, and say why."""
    told = (
        (apart, tr("Not compared, because no item was asked in the same context at both: {pairs}.")),
        (unchosen, tr("Not compared, because no question has a choice at both: {pairs}.")),
    )
    return tuple(words.format(pairs=_listed(pairs)) for pairs, words in told if pairs)


def _listed(pairs: Sequence[str]) -> str:
    different = list(dict.fromkeys(pairs))
    more = [tr("{n} more", n=len(different) - _NAMED)] if len(different) > _NAMED else []
    return "; ".join([*different[:_NAMED], *more])


def _ready(pair: SidePair) -> Iterator[_Ready]:
    assert pair.tables is not None, "its pairs are answers"
    sides = [list(_choices(tables)) for tables in pair.tables]
    for first, second in product(*sides):
        if pair.same_models and first.model != second.model:
            continue
        found = paired_choices(first, second)
        if found is not None:
            synthetic = any(
                bool(frame.loc[frame["model"] == each.model, "synthetic"].any())
                for frame, each in zip(pair.frames, (first, second), strict=True)
            )
            yield _Ready(pair=pair, sides=found, synthetic=synthetic, otherwise=_otherwise(pair, found))


def _choices(tables: ScoreTables) -> Iterator[Choices]:
    newest = next(iter(tables.terms(METHOD).values()), None)
    if newest is not None:
        factors = tuple(factor.name for factor in newest.protocol.factors)
        yield from choices_of(tables.endings(METHOD, CHOICE_MEASURE), factors)


def _margins(pair: SidePair, stated: Mapping[str, float]) -> dict[str, float]:
    """The margin of each score: the one *stated*, else that of the protocol of the first run."""
    assert pair.tables is not None
    runs = {run: terms for tables in pair.tables for run, terms in tables.terms(METHOD).items()}
    own = runs[min(runs)].protocol.margin if runs else 0.0
    return {name: stated.get(name) or own for name in (CHOICE, CONTRASTS)}


def _rows(each: _Ready, result: TestedSides) -> Iterator[Row]:
    alone, other = each.sides.moved
    same, of = each.sides.same
    weighs = voice().caveats
    for difference, measure in zip(result.found, result.conclusion.measures, strict=True):
        values: dict[str, Value] = {
            "kind": each.pair.kind,
            "first": each.pair.names[0],
            "second": each.pair.names[1],
            "models": _models(each),
            "score": measure.words,
            "difference": _estimate(measure, difference.items),
            "alone": alone if difference.contrast is None else None,
            "other": other if difference.contrast is None else None,
            "same": same / of if difference.contrast is None and of else None,
            "margin": measure.margin,
            "p": measure.p,
            "outcome": chips()[_outcome(result.conclusion, measure)],
            "otherwise": each.otherwise,
            "weighs": " ".join(
                weighs[caveat.key](caveat)
                for caveat in result.conclusion.caveats
                if not caveat.measures or measure.name in caveat.measures
            ),
        }
        behind = replace(each.pair.behind, score=CHOICE_MOVES, synthetic=each.synthetic)
        yield Row(values=values, bundles=behind, synthetic=each.synthetic)


def _outcome(conclusion: Conclusion, measure: MeasureReading) -> ConclusionOutcome:
    voids_all = conclusion.outcome in {ConclusionOutcome.TOO_FEW, ConclusionOutcome.CHECK_FAILED}
    return conclusion.outcome if voids_all else measure.outcome


def _estimate(measure: MeasureReading, n: int) -> Estimate:
    interval = None
    if measure.low is not None and measure.high is not None:
        words = tr("Student’s t over items, all comparisons counted")
        interval = Interval(low=measure.low, high=measure.high, level=0.95, method=words)
    return Estimate(value=measure.value, n=n, articles=n, interval=interval, why=measure.why)


def _models(each: _Ready) -> str:
    return ", ".join(dict.fromkeys((each.sides.first.model, each.sides.second.model)))


def _sentence(each: _Ready, conclusion: Conclusion) -> str:
    """The sentence that concludes how often the first option is chosen at the two sides."""
    measure = conclusion.measure(CHOICE)
    outcome = ConclusionOutcome.TOO_FEW if measure is None else _outcome(conclusion, measure)
    (first, second), model = each.pair.names, next(iter(short_names([each.sides.first.model]).values()))
    words = {
        "m": model,
        "option": option_title(each.sides.first.labels[0]),
        "first": first,
        "second": second,
    }
    if outcome is ConclusionOutcome.DIFFERS and measure is not None:
        low, high = sorted(abs(end or 0.0) for end in (measure.low, measure.high))
        often = tr("more often") if (measure.value or 0.0) > 0 else tr("less often")
        said = tr(
            "{m} chose the {option} {often} in “{first}” than in “{second}”: {points} points of 100 ({low} to {high})."
        )
        least, most = range_ends(100 * low, 100 * high, 0)
        points = decimal(100 * abs(measure.value or 0.0), 0)
        return said.format(**words, often=often, points=points, low=least, high=most)
    told = {
        ConclusionOutcome.ALIKE: tr("{m} chose the {option} about equally often in “{first}” and in “{second}”."),
        ConclusionOutcome.NOT_SHOWN: tr(
            "Not settled: whether {m} chose the {option} more often in “{first}” or in “{second}”."
        ),
        ConclusionOutcome.CHECK_FAILED: tr(
            "Nothing can be said of {m} in “{first}” and “{second}”: too many answers choose no option."
        ),
    }
    few = tr("Too few items to say whether {m} chose otherwise in “{first}” than in “{second}”.")
    return told.get(outcome, few).format(**words)


def _otherwise(pair: SidePair, sides: PairedChoices) -> str:
    """How the first side's newest round was asked otherwise than the second's."""
    assert pair.tables is not None
    one, other = (next(iter(tables.terms(METHOD).values()), None) for tables in pair.tables)
    if one is None or other is None:
        return ""
    return otherwise(_asked(one, sides.first.model), _asked(other, sides.second.model))


def _asked(terms: RunTerms, model: str) -> dict[str, str]:
    protocol: Any = terms.protocol
    return {
        **asked_with(terms.decoding.get(model) or protocol.decoding, protocol.system_prompt),
        tr("template"): quoted(protocol.template),
        tr("question"): quoted(protocol.questions[0][1]),
    }
