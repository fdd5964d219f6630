"""What Relative Bias hands over of every target in a window: a measure for each encoder and judge, and its checks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, MeasureReading, OtherReading, Standing
from gpf_desktop.domain.conclusions.gates import GateReading, ModelEvidence, PageEvidence, measure_key
from gpf_desktop.domain.conclusions.voice import Material
from gpf_desktop.domain.text import tr
from gpf_desktop.methods._answer_gates import CANNED, canned, quoting
from gpf_desktop.methods.relative_bias.analyses._stored import StoredStudy, stored_study
from gpf_desktop.methods.relative_bias.comparing import Comparison
from gpf_desktop.methods.relative_bias.concluding.refusing import refusals
from gpf_desktop.methods.relative_bias.measures import means, signed_deviations
from gpf_desktop.methods.relative_bias.outcomes import ScoreOutcome, on_themes, outcomes
from gpf_desktop.methods.relative_bias.sentences import judges_itself, measure_words
from gpf_desktop.methods.relative_bias.study import MeasuredStudy, blocked_as
from gpf_desktop.methods.relative_bias.theme_tests import ThemeTest
from gpf_desktop.numerics.answer_diagnostics import SaidAnswer, diagnosed
from gpf_desktop.stats.equivalence import Outcome
from gpf_desktop.stats.judge_reliability import NEEDED, Reliability, with_itself, with_others

_OUTCOMES: Final = {
    Outcome.DIFFERS: ConclusionOutcome.DIFFERS,
    Outcome.EQUIVALENT: ConclusionOutcome.ALIKE,
    Outcome.UNDECIDED: ConclusionOutcome.NOT_SHOWN,
}
_CARRYING: Final = 50
"""Questions that are named at most as those that carry a conclusion."""


def evidence(material: Material) -> PageEvidence:
    """Of every target of the study; none where nothing was answered."""
    stored = stored_study(material.tables)
    if stored is None:
        return PageEvidence(of=(), tests=0)
    voting = [of_score for of_score in stored.comparisons if of_score and of_score[0].score in _voting(stored)]
    found = outcomes(voting, k=stored.k, stated=stored.margin_levels or None)
    scores = [each for each in stored.study.scores if each.name in _voting(stored)]
    themes, of_themes = on_themes(scores, voting, found, stored.k) if voting else ([], 0)
    reliable = dict(_reliabilities(stored.study))
    of = tuple(_of_target(stored, target, found, themes, reliable, material) for target in stored.targets)
    return PageEvidence(of=of, tests=len(found) + of_themes + len(of))


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
    themes: Sequence[tuple[str, ThemeTest]],
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
        **dict(quoting(material.tables.said[material.tables.said["model"] == target])),
        **dict(_by_measure(stored, mine, reliable)),
    }
    if measures and not any(each.outcome is ConclusionOutcome.DIFFERS for each in measures):
        readings["few_for_alike"] = GateReading(value=len(baselines), numbers={"n": len(baselines)})
    numbers: dict[str, float | int | str] = {
        "others": len(baselines),
        "n": asked,
        "themes": _themes(study, place),
    }
    if here := [(score, each) for score, each in themes if each.target == place]:
        named = ", ".join(dict.fromkeys(f"“{answers.themes[each.theme]}”" for _, each in here))
        numbers["on_themes"] = named
    return ModelEvidence(
        model=stored.labels[target],
        synthetic=target in stored.synthetic,
        standing=_standing(stored, asked, material),
        measures=measures,
        readings=readings,
        refusals=refusals(study, place, baselines, len(stored.targets)),
        rows=tuple(f"relative_bias_tests/{each.comparison.score}/{target}" for each in mine),
        bundles=_carrying(stored, mine),
        numbers=numbers,
    )


def _measure(each: ScoreOutcome, stored: StoredStudy) -> MeasureReading:
    """In margins, so that encoders and judges stand on one scale."""
    comparison, margin = each.comparison, each.comparison.margin
    name = comparison.score
    if not margin:
        why = tr("the models compared with do not differ at all: there is no margin to measure by")
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
        ends=(tr("lower than the others"), tr("higher than the others")),
        others=tuple(_others(each, margin, stored)),
    )


def _others(each: ScoreOutcome, margin: float, stored: StoredStudy) -> Iterator[OtherReading]:
    """Where the models compared lie: each one's mean less the mean of theirs, in margins."""
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
    for each in mine:
        name = each.comparison.score
        if each.hangs_on:
            without = ", ".join(models[at] for at in each.hangs_on)
            yield (
                measure_key("hangs_on_one", name),
                GateReading(value=len(each.hangs_on), numbers={"without": without, "measure": measure_words(name)}),
            )
        if name in stored.study.answers.judges:
            yield from _of_judge(stored, each, reliable.get(name))


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
                value=reliable.low, numbers={**named, "value": reliable.value, "low": reliable.low, "needed": NEEDED}
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
        other = _with_blocked(stored, each.comparison, blocked_as(judge, top))
        same = other is None or other.outcome is each.outcome
        yield measure_key("blocked_at_top", judge), GateReading(value=float(same), numbers={**named, "top": top})


def _with_blocked(stored: StoredStudy, comparison: Comparison, score: str) -> ScoreOutcome | None:
    for of_score in stored.comparisons:
        for each in of_score:
            if each.score == score and each.target == comparison.target:
                return next(iter(outcomes([[each]], k=stored.k, stated=stored.margin_levels or None)), None)
    return None


def _reliabilities(study: MeasuredStudy) -> Iterator[tuple[str, Reliability]]:
    """Of each judge, the lower of what it shows with the others and with itself; nothing where neither is known."""
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


def _carrying(stored: StoredStudy, mine: Sequence[ScoreOutcome]) -> tuple[int, ...]:
    """Bundles of the questions on which the target lies farthest off, by the measure by which it does most."""
    sized = [each for each in mine if each.comparison.margin]
    if not sized:
        return ()
    first = max(
        sized, key=lambda each: (each.outcome is Outcome.DIFFERS, abs(each.difference) / (each.comparison.margin or 1))
    )
    values = stored.study.values()[first.comparison.score][0]
    target, others = first.comparison.target, list(first.comparison.baselines)
    apart = (values[:, target] - means(values[:, others].T)) * np.sign(first.difference or 1.0)
    there = np.flatnonzero(~np.isnan(apart))
    order = there[np.argsort(-apart[there], kind="stable")][:_CARRYING]
    answers = stored.study.answers
    keys = [(answers.themes[answers.theme_of[at]], answers.questions[at]) for at in order]
    return tuple(stored.bundles[key] for key in keys if key in stored.bundles)
