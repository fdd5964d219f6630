"""The evidence of Relative Bias on every target of a page: a measure for each encoder and judge, and the gates'
readings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, MeasureReading, OtherReading, Standing
from gpf_desktop.domain.conclusions.gates import MOST_CARRIED, GateReading, ModelEvidence, PageEvidence, measure_key
from gpf_desktop.domain.conclusions.voice import Material
from gpf_desktop.domain.text import in_quotes, tr, trn
from gpf_desktop.methods._answer_gates import CANNED, as_they_came, canned
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, stored_study
from gpf_desktop.methods.relative_bias.comparing import StudyScore
from gpf_desktop.methods.relative_bias.concluding.missing import reach
from gpf_desktop.methods.relative_bias.concluding.refusals import refusals
from gpf_desktop.methods.relative_bias.concluding.sentences import tails_words
from gpf_desktop.methods.relative_bias.concluding.wording import of_words
from gpf_desktop.methods.relative_bias.measures import means, signed_deviations
from gpf_desktop.methods.relative_bias.outcomes import (
    ScoreOutcome,
    ThemeOutcome,
    of_distance,
    on_themes,
    outcomes,
)
from gpf_desktop.methods.relative_bias.sentences import judges_itself, measure_words
from gpf_desktop.methods.relative_bias.study import BY_WORDS, MeasuredStudy, blocked_as
from gpf_desktop.numerics.answer_diagnostics import SaidAnswer, diagnosed
from gpf_desktop.stats.equivalence import Outcome
from gpf_desktop.stats.judge_reliability import NEEDED, Reliability, with_itself, with_others

_OUTCOMES: Final = {
    Outcome.DIFFERS: ConclusionOutcome.DIFFERS,
    Outcome.EQUIVALENT: ConclusionOutcome.ALIKE,
    Outcome.UNDECIDED: ConclusionOutcome.NOT_SHOWN,
}


def evidence(material: Material) -> PageEvidence:
    """The evidence on every target of the study; none where nothing was answered."""
    stored = stored_study(material.tables)
    return PageEvidence(of=(), tests=0) if stored is None else of_study(stored, material)


def of_study(stored: StoredStudy, material: Material) -> PageEvidence:
    """The evidence on every target of *stored*; *material* tells what was planned and what answers are."""
    voting = [of_score for of_score in stored.comparisons if of_score and of_score[0].score in _voting(stored)]
    found = outcomes(voting, k=stored.k, stated=stored.margin_levels or None)
    scores = [each for each in stored.study.scores if each.name in _voting(stored)]
    themes, of_themes = on_themes(scores, voting, found, stored.k) if voting else ([], 0)
    parts = dict[tuple[int, str], dict[str, ThemeOutcome]]()
    for each in themes:
        parts.setdefault((each.target, each.score), {})[in_quotes(stored.study.answers.themes[each.theme])] = each
    reliable = dict(_reliabilities(stored.study))
    of = tuple(_of_target(stored, target, found, parts, reliable, material) for target in stored.targets)
    bridge = trn(
        "{n} comparison is of all themes, {k} are of single themes, {m} of how often a model declined.",
        "{n} comparisons are of all themes, {k} of single themes, {m} of how often a model declined.",
        len(found),
        k=of_themes,
        m=len(of),
    )
    return PageEvidence(
        of=of,
        tests=len(found) + of_themes + len(of),
        bridge=bridge if of else "",
        chance_holds=tails_words() if len(stored.targets) > 1 else "",
    )


def _voting(stored: StoredStudy) -> tuple[str, ...]:
    """Scores that vote; a judge's levels with blocked answers at the top only weigh on those without them."""
    study = stored.study
    return tuple(
        each.name for each in study.scores if each.name not in study.levels or each.name in study.answers.judges
    )


def _of_target(
    stored: StoredStudy,
    target: str,
    found: Sequence[ScoreOutcome],
    parts: Mapping[tuple[int, str], Mapping[str, ThemeOutcome]],
    reliable: Mapping[str, Reliability],
    material: Material,
) -> ModelEvidence:
    study, answers = stored.study, stored.study.answers
    place = answers.models.index(target)
    mine = [each for each in found if each.comparison.target == place]
    baselines = [at for at in range(len(answers.models)) if at != place]
    measures = tuple(_measure(each, stored) for each in mine)
    asked = len(np.unique(answers.question[answers.model == place]))
    readings = {
        "few_models": GateReading(value=len(baselines), numbers={"n": len(baselines)}),
        **_of_themes(study, place),
        **dict(_of_answers(study, place)),
        **dict(as_they_came(material.tables.said[material.tables.said["model"] == stored.labels[target]])),
        **dict(_by_measure(stored, mine, reliable)),
        **dict(of_words(study, place, baselines, [each.comparison.score for each in mine])),
    }
    if any(each.outcome is ConclusionOutcome.ALIKE for each in measures):
        reading = [each.name for each in measures if each.value is not None and _reads(each.name, reliable)]
        readings["words_alone"] = GateReading(value=len(reading))
    if measures and not any(each.outcome is ConclusionOutcome.DIFFERS for each in measures):
        readings["few_for_alike"] = GateReading(value=len(baselines), numbers={"n": len(baselines)})
    numbers: dict[str, float | int | str] = {
        "others": len(baselines),
        "n": asked,
        "themes": _themes(study, place),
        "k": stored.k,
    }
    of_parts = {score: named for (of, score), named in parts.items() if of == place}
    its = {score: {part: one for part, one in named.items() if one.told} for score, named in of_parts.items()}
    return ModelEvidence(
        model=stored.labels[target],
        synthetic=target in stored.synthetic,
        standing=_standing(stored, asked, material),
        measures=measures,
        of_parts=tuple(
            _of_part(each, part, one) for each in measures for part, one in of_parts.get(each.name, {}).items()
        ),
        readings=readings,
        refusals=refusals(study, place, baselines, len(stored.targets)),
        rows=tuple(f"relative_bias_tests/{each.comparison.score}/{target}" for each in mine),
        carrying=_carrying(stored, mine),
        refusing=_refusing(stored, place),
        parts={score: tuple(named) for score, named in its.items() if named},
        numbers=numbers,
    )


def _reads(measure: str, reliable: Mapping[str, Reliability]) -> bool:
    """Whether *measure* counts more than words: an encoder of meaning does, and a judge that tells models apart."""
    if of_distance(measure):
        return measure != BY_WORDS
    return measure not in reliable or reliable[measure].low >= NEEDED


def _measure(each: ScoreOutcome, stored: StoredStudy) -> MeasureReading:
    """The measure of one score, in margins, so that encoders and judges stand on one scale."""
    margin, name = _scale(each), each.comparison.score
    if not margin:
        why = tr("nothing sets the models compared apart: no scale tells how far is far")
        return MeasureReading(name=name, words=measure_words(name), value=None, why=why)
    return MeasureReading(
        name=name,
        words=measure_words(name),
        value=each.difference / margin,
        low=each.low / margin,
        high=each.high / margin,
        null=(-1.0, 1.0),
        margin=None if each.alike_within is None else each.alike_within / margin,
        p=each.p,
        outcome=_OUTCOMES[each.outcome],
        widened=_widened(each),
        ends=(tr("closer to the others"), tr("further off"))
        if of_distance(name)
        else (tr("marked lower than the others"), tr("marked higher than the others")),
        others=tuple(_others(each, margin, stored)),
    )


def _of_part(of: MeasureReading, part: str, one: ThemeOutcome) -> MeasureReading:
    """The measure *of* a target on one theme alone."""
    return replace(
        of,
        name=f"{part}/{of.name}",
        words=tr("{measure}, on {theme}", measure=of.words, theme=part),
        value=one.value,
        low=one.low,
        high=one.high,
        margin=None,
        p=one.p,
        outcome=ConclusionOutcome.DIFFERS if one.differs else ConclusionOutcome.NOT_SHOWN,
        widened=None,
        others=(),
    )


def _widened(each: ScoreOutcome) -> float | None:
    """Times the width of a 95 % range of this number alone; None: nothing varies."""
    test = each.comparison.paired.test
    low, high = (0.0, 0.0) if test is None else test.interval(0.95)
    return (each.high - each.low) / (high - low) if high > low else None


def _scale(each: ScoreOutcome) -> float:
    """The margin by the others' own spread; where they have none, the one stated beforehand; 0: there is none."""
    return each.comparison.margin or each.alike_within or 0.0


def _others(each: ScoreOutcome, margin: float, stored: StoredStudy) -> Iterator[OtherReading]:
    """The place of each model compared: its mean less the mean of all of them, in margins."""
    answers, comparison = stored.study.answers, each.comparison
    score = next(one for one in stored.study.scores if one.name == comparison.score)
    among = np.zeros(score.models, bool)
    among[[comparison.target, *comparison.baselines]] = True
    of_models = means(score.values_among(among))
    middle = float(np.nanmean(of_models[list(comparison.baselines)]))
    for baseline in comparison.baselines:
        if not np.isnan(of_models[baseline]):
            yield OtherReading(words=answers.models[baseline], value=(float(of_models[baseline]) - middle) / margin)


def _standing(stored: StoredStudy, asked: int, material: Material) -> Standing:
    """Early until every round of the study has ended; what was imported had no plan."""
    waiting = bool(stored.questions_open)
    return Standing(
        items=asked,
        reached=0 if waiting else 1,
        of=0 if material.imported else 1,
        next_at=stored.questions_open or None,
        planned=not material.imported and not material.left_plan,
        left_plan=material.left_plan,
    )


def _themes(study: MeasuredStudy, place: int) -> int:
    answers = study.answers
    return len(np.unique(answers.theme_of[answers.question[answers.model == place]]))


def _of_themes(study: MeasuredStudy, place: int) -> dict[str, GateReading]:
    n = _themes(study, place)
    reading = GateReading(value=n, numbers={"n": n})
    return {"few_themes": reading, "rough_themes": reading}


def _of_answers(study: MeasuredStudy, place: int) -> Iterator[tuple[str, GateReading]]:
    answers = study.answers
    mine = answers.model == place
    asked = len(np.unique(answers.question))
    lacking = asked - len(np.unique(answers.question[mine]))
    yield "some_missing", GateReading(value=lacking / asked, numbers={"n": lacking, "of": asked})
    given = [
        SaidAnswer(part="", question=int(answers.question[at]), text=answers.texts[at])
        for at in np.flatnonzero(mine)
        if answers.texts[at].strip()
    ]
    if found := diagnosed(given).get(""):
        yield CANNED.key, canned(found.repeated, found.deflected, found.answers)


def _by_measure(
    stored: StoredStudy, mine: Sequence[ScoreOutcome], reliable: Mapping[str, Reliability]
) -> Iterator[tuple[str, GateReading]]:
    models = stored.study.answers.models
    scores = {each.name: each for each in stored.study.scores}
    for each in mine:
        name = each.comparison.score
        named: dict[str, float | int | str] = {"measure": measure_words(name)}
        yield measure_key("no_scale", name), GateReading(value=_scale(each), numbers=named)
        if each.beyond_margin and each.outcome is Outcome.UNDECIDED:
            yield measure_key("of_their_kind", name), _of_their_kind(each, named)
        if each.closer:
            yield measure_key("closer", name), GateReading(value=1, numbers=named)
        yield from _of_missing(stored, each, scores[name], named)
        if each.hangs_on:
            without = ", ".join(models[at] for at in each.hangs_on)
            yield (
                measure_key("hangs_on_one", name),
                GateReading(value=len(each.hangs_on), numbers={"without": without, "measure": measure_words(name)}),
            )
        if name in stored.study.answers.judges:
            yield from _of_judge(stored, each, reliable.get(name))


def _of_their_kind(each: ScoreOutcome, named: Mapping[str, float | int | str]) -> GateReading:
    """Why it is not told though all of its range lies beyond the margin: the margin is itself an estimate."""
    margin = each.comparison.margin or 1.0
    apart = abs(each.difference)
    return GateReading(
        value=apart - each.needed, numbers={**named, "value": apart / margin, "needed": each.needed / margin}
    )


def _of_missing(
    stored: StoredStudy, each: ScoreOutcome, score: StudyScore, named: Mapping[str, float | int | str]
) -> Iterator[tuple[str, GateReading]]:
    """Whether *alike* or *differs* hangs on answers that lack; *not shown* has nothing to lose."""
    by_judge = each.comparison.score in stored.study.answers.judges
    scale = (1.0, float(stored.top_of(each.comparison.score))) if by_judge else (0.0, 1.0)
    found = None if each.outcome is Outcome.UNDECIDED else reach(each, score, scale, k=stored.k)
    if found is None:
        return
    margin = _scale(each)
    numbers: dict[str, float | int | str] = {
        **named,
        "n": found.mine,
        "others": found.theirs,
        "low": found.low / margin,
        "high": found.high / margin,
        "marked": int(by_judge),
    }
    if found.tip is not None:
        numbers["tip"] = found.tip
    key = "missing_reach" if each.outcome is Outcome.EQUIVALENT else "missing_undoes"
    yield measure_key(key, each.comparison.score), GateReading(value=float(found.same), numbers=numbers)


def _of_judge(
    stored: StoredStudy, each: ScoreOutcome, reliable: Reliability | None
) -> Iterator[tuple[str, GateReading]]:
    judge, study = each.comparison.score, stored.study
    named = {"judge": judge}
    if reliable is None:
        yield measure_key("rated_once", judge), GateReading(value=1, numbers=named)
    else:
        yield (
            measure_key("judge_tells_models_apart", judge),
            GateReading(
                value=reliable.low,
                numbers={
                    **named,
                    "value": reliable.value,
                    "low": reliable.low,
                    "needed": NEEDED,
                    "by_others": int(reliable.by_others),
                },
            ),
        )
    if any(found.judge == judge and found.obeys for found in stored.obediences):
        yield measure_key("obeys_orders", judge), GateReading(value=1, numbers=named)
    if judges_itself(judge, study.answers.models):
        yield measure_key("judges_itself", judge), GateReading(value=1, numbers=named)
    for found in stored.agreements:
        if found.person and found.judges[0] == judge and found.alpha.value is not None:
            numbers: dict[str, float | int | str] = {**named, "person": found.judges[1], "value": found.alpha.value}
            yield measure_key("person_disagrees", judge), GateReading(value=found.alpha.value, numbers=numbers)
    if (top := stored.tops.get(judge)) and blocked_as(judge, top) in study.levels:
        other = _with_blocked(stored, each, blocked_as(judge, top))
        same = other is None or other.outcome is each.outcome
        yield measure_key("blocked_at_top", judge), GateReading(value=float(same), numbers={**named, "top": top})


def _with_blocked(stored: StoredStudy, own: ScoreOutcome, score: str) -> ScoreOutcome | None:
    """The outcome with blocked answers at the top level, by *score*, tested as the page asks of its *own*."""
    stated = stored.margin_levels or None
    for of_score in stored.comparisons:
        for each in of_score:
            if each.score == score and each.target == own.comparison.target:
                return next(iter(outcomes([[each]], k=stored.k, stated=stated, page=own.page)), None)
    return None


def _reliabilities(study: MeasuredStudy) -> Iterator[tuple[str, Reliability]]:
    """The reliability of each judge: the lower of its agreement with the others and with itself; none where neither is
    known."""
    answers = study.answers
    deviations = {judge: signed_deviations(study.levels[judge]) for judge in answers.judges}
    for at, judge in enumerate(answers.judges):
        rest = [each for name, each in deviations.items() if name != judge]
        known = []
        if rest:
            theirs = means(np.stack(rest))
            known.append(with_others(deviations[judge], theirs))
        again = answers.levels[:, at, :]
        row, judging = np.nonzero((again > 0) & ((again > 0).sum(axis=1) > 1)[:, None])
        if len(row):
            known.append(with_itself(deviations[judge], again[row, judging].astype(np.float64), row))
        held = [each for each in known if each is not None]
        if held:
            yield judge, min(held, key=lambda each: each.low)


def _carrying(stored: StoredStudy, mine: Sequence[ScoreOutcome]) -> Mapping[str, tuple[int, ...]]:
    """Bundles of the questions on which the target lies farthest off, by measure; first the measures by which it does
    most."""
    sized = sorted(
        (each for each in mine if _scale(each)),
        key=lambda each: (each.outcome is not Outcome.DIFFERS, -abs(each.difference) / _scale(each)),
    )
    values = stored.study.values() if sized else {}
    return {each.comparison.score: _furthest(stored, each, values[each.comparison.score][0]) for each in sized}


def _furthest(stored: StoredStudy, each: ScoreOutcome, values: Floats) -> tuple[int, ...]:
    target, others = each.comparison.target, list(each.comparison.baselines)
    apart = (values[:, target] - means(values[:, others].T)) * np.sign(each.difference or 1.0)
    there = np.flatnonzero(~np.isnan(apart))
    return _bundles(stored, there[np.argsort(-apart[there], kind="stable")])


def _refusing(stored: StoredStudy, place: int) -> tuple[int, ...]:
    """Bundles of the questions that the target declined."""
    study, answers = stored.study, stored.study.answers
    declined = (study.refused | answers.blocked) & (answers.model == place)
    return _bundles(stored, np.unique(answers.question[declined]))


def _bundles(stored: StoredStudy, questions: Ints) -> tuple[int, ...]:
    answers = stored.study.answers
    keys = [(answers.themes[answers.theme_of[at]], answers.questions[at]) for at in questions[:MOST_CARRIED]]
    return tuple(stored.bundles[key] for key in keys if key in stored.bundles)
