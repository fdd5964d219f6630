"""The comparisons that the protocol named before the first answer, at the looks that it planned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import estimate, text
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.findings import BundleFilter, Estimate, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import Translated, decimal, signed, tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, counted_bundles, mean_estimate
from gpf_desktop.methods.gpf_livenews.comparing import listed, score_words
from gpf_desktop.methods.gpf_livenews.confirmatory_words import plan_words
from gpf_desktop.methods.gpf_livenews.protocol import LEAST_ARTICLES, Alternative, Confirmatory

if TYPE_CHECKING:
    import pandas as pd

_METHOD = "gpf-livenews"
_SKEWED = 1.0
"""Beyond it the plan's chance of a false finding may be twice and more what was planned."""
HOLDS = {
    Alternative.ABOVE: (
        "How far that holds, four means simulated: where readers make no difference, 3 to 6 of 100 "
        "audits find something, lopsided tones or not. Where articles vary very unequally, it is 1 "
        "to 3. If the articles' own scores were lopsided, it would be at most 2 to the right, but 13 "
        "to 22 to the left."
    ),
    Alternative.TWO_SIDED: (
        "How far that holds, four means simulated: where readers make no difference, 4 to 6 of 100 "
        "audits find something. If the articles' own scores were lopsided, it would be 9 to 16, and "
        "25 to 46 if very lopsided."
    ),
}
"""As `tests/benchmarks/bench_validity.py confirmatory` measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Comparison:
    """One model and score of the plan."""

    row: Row
    found: bool
    skewness: float
    """As the row shows it; NaN before the first look."""

    @property
    def words(self) -> str:
        return f"{self.row.values['score']} ({self.row.values['model']})"


class ConfirmatoryTable(TableAnalysis):
    """Models and scores of the plan; calibration models are a family of their own."""

    name = "confirmatory"
    options = MeanOptions
    title = Translated("What was planned beforehand")

    def analyse(self, scores: ScoreTables, options: MeanOptions) -> Finding:
        bundles = counted_bundles(scores, options)
        plans = _plans(scores, set(bundles["run_id"].tolist()))
        plan = plans[0] if plans else Confirmatory()
        compared = (
            [
                each
                # Two families: in one, calibration models that are not found would raise the bounds of real ones.
                for synthetic in (False, True)
                for each in _compared(bundles[bundles["synthetic"] == synthetic], plan, options, synthetic)
            ]
            # Rounds that planned unlike tests have no α in common that could be shared out.
            if plan.scores and len(plans) == 1
            else []
        )
        return self.finding(
            columns=(
                text("model", tr("Model")),
                text("score", tr("Score")),
                estimate("mean", tr("Mean"), tr("Over the articles up to the planned look, each counted once.")),
                text("look", tr("Planned look")),
                text(
                    "z", tr("z"), tr("Of Student's t over the articles, as a normal deviate."), plain=tr("How far out")
                ),
                text("bound", tr("Asked for"), tr("By the spending function, at this look.")),
                text("outcome", tr("Outcome")),
                text(
                    "skewness",
                    tr("Skewness"),
                    tr(
                        "Of the articles up to the planned look: how often the test finds what is not there hangs on "
                        "it (see the notes)."
                    ),
                    plain=tr("Lopsided"),
                ),
            ),
            rows=tuple(each.row for each in compared),
            reading=tr(
                "What was to be tested was decided in the protocol before the first answer. What lies "
                "between two planned looks does not count before the next. That nothing is found yet does "
                "not mean there is nothing."
            ),
            highlights=_found(compared, plan),
            # What takes a finding back stands first: the window shows the first note under the table.
            notes=(*_leaning(compared, plan), *_notes(plans)),
            empty=_notes(plans),
        )


def _plans(scores: ScoreTables, used: set[int]) -> list[Confirmatory]:
    """Unlike plans of the rounds in the window, the newest first."""
    terms = scores.terms(_METHOD)
    return list(dict.fromkeys(terms[run].protocol.confirmatory for run in terms if run in used))


def _notes(plans: list[Confirmatory]) -> tuple[str, ...]:
    if len(plans) > 1:
        return (tr("These rounds follow unlike plans: choose rounds of one plan to see its comparisons."),)
    family = tr("All models counted here are counted together: leave some out, and the planned comparison is another.")
    planned = [plan for plan in plans if plan.scores]
    held = dict.fromkeys(HOLDS[plan.alternative] for plan in planned)
    return (*(plan_words(plan) for plan in plans), *((family, *map(tr, held)) if planned else ()))


def _leaning(compared: list[_Comparison], plan: Confirmatory) -> tuple[str, ...]:
    """Names what was found over articles so skewed that the test finds too much."""
    found = [each for each in compared if each.found and _too_skewed(each.skewness, plan)]
    if not found:
        return ()
    return (
        tr(
            "Do not rely on what was found here: its articles are so lopsided that the test finds too much: {which}.",
            which="; ".join(each.words for each in found),
        ),
    )


def _too_skewed(skewness: float, plan: Confirmatory) -> bool:
    above = plan.alternative is Alternative.ABOVE
    return skewness < -_SKEWED or (not above and skewness > _SKEWED)


def _compared(bundles: pd.DataFrame, plan: Confirmatory, options: MeanOptions, synthetic: bool) -> list[_Comparison]:
    from gpf_desktop.stats.group_sequential import found_at
    from gpf_desktop.stats.spending import SpendingFunction

    asked = [(str(model), score) for model in bundles["model"].unique() for score in plan.scores]
    means = [_by_article(bundles[bundles["model"] == model], score) for model, score in asked]
    how = SpendingFunction.POCOCK if plan.spending == "pocock" else SpendingFunction.OBRIEN_FLEMING
    z = [
        # What came after a look waits for the next one: a test after each article would spend α that was not planned.
        [_z(each[score].to_numpy(float)[:n]) for n in _reached(plan, len(each))]
        for each, (_, score) in zip(means, asked, strict=True)
    ]
    above = plan.alternative is Alternative.ABOVE
    found, bounds = found_at(z, [size / plan.sizes[-1] for size in plan.sizes], plan.alpha, how, above=above)
    return [
        _comparison(model, score, each, plan, (its, found[at], bounds), options, synthetic)
        for at, ((model, score), each, its) in enumerate(zip(asked, means, z, strict=True))
    ]


def _reached(plan: Confirmatory, articles: int) -> list[int]:
    return [size for size in plan.sizes if LEAST_ARTICLES <= size <= articles]


def _by_article(of_model: pd.DataFrame, score: str) -> pd.DataFrame:
    """One row per article that has the score, in the order in which articles were asked."""
    there = of_model[of_model[score].notna()]
    # An article counts once, since its bundles are not independent; numbers rise with time.
    return there.groupby(["batch_id", "article_id"], sort=True)[score].mean().reset_index()


def _z(values: object) -> float:
    """Student's t as the normal deviate of the same p, with its sign; beyond any bound where articles do not differ."""
    import numpy as np
    from scipy.special import ndtri, stdtr

    array = np.asarray(values, np.float64)
    error = float(array.std(ddof=1)) / np.sqrt(len(array))
    if error == 0:
        return 0.0 if array.mean() == 0 else float(np.copysign(np.inf, array.mean()))
    # The lower tail of −|t|: 1 − P(T < |t|) would round small p to 0.
    tail = float(stdtr(len(array) - 1, -abs(float(array.mean())) / error))
    # Bounds of group-sequential tests are of normal deviates; where the tail underflows z is beyond any of them.
    return float(np.copysign(-ndtri(tail) if tail > 0 else np.inf, array.mean()))


def _skewness(values: object) -> float:
    """Third moment about the mean over the cube of the spread; 0 where there is none."""
    import numpy as np

    apart = np.asarray(values, np.float64)
    apart = apart - apart.mean()
    spread = float(np.sqrt((apart**2).mean()))
    return float((apart**3).mean()) / spread**3 if spread else 0.0


def _comparison(
    model: str,
    score: str,
    means: pd.DataFrame,
    plan: Confirmatory,
    tested: tuple[list[float], int | None, list[float]],
    options: MeanOptions,
    synthetic: bool,
) -> _Comparison:
    import numpy as np

    z, at, bounds = tested
    look = len(z) - 1 if at is None else at
    some = means.head(plan.sizes[look] if z else 0)
    # As it is shown: the note of what not to rely on must never disagree with the row.
    skewness = round(_skewness(some[score]), 1) if z else np.nan
    row = Row(
        values={
            "model": model,
            "score": score_words(score),
            "mean": mean_estimate(some, score, options)
            if z
            else Estimate(value=None, n=0, articles=len(means), why=tr("no planned look yet")),
            "look": tr("{n} of {all}", n=look + 1, all=plan.looks)
            if z
            else tr("none: {n} of {first} articles", n=len(means), first=plan.sizes[0]),
            "z": decimal(z[look], 2) if z else "",
            "bound": decimal(bounds[look], 2) if z else decimal(bounds[0], 2),
            "outcome": _outcome(len(z), at, plan),
            "skewness": signed(skewness, 1) if z else "",
        },
        bundles=BundleFilter(model=model, arm=MAIN),
        synthetic=synthetic,
    )
    return _Comparison(row=row, found=at is not None, skewness=skewness)


def _outcome(looks: int, at: int | None, plan: Confirmatory) -> str:
    if not looks:
        return tr("too early")
    if at is not None:
        return tr("found at planned look {n}", n=at + 1)
    return tr("not found yet") if looks < plan.looks else tr("not found")


def _found(compared: list[_Comparison], plan: Confirmatory) -> tuple[str, ...]:
    real = [each for each in compared if not each.row.synthetic and each.row.values["z"]]
    if not real:
        return ()
    told = [each for each in real if each.found]
    skewed = tr(" (not to be relied on: lopsided)")
    who = [each.words + (skewed if _too_skewed(each.skewness, plan) else "") for each in told]
    return (
        tr(
            "Planned beforehand: {n} of {all} comparisons found {what}{who}.",
            what=plan.alternative.words,
            n=len(told),
            all=len(real),
            who=listed(who),
        ),
    )


ANALYSIS = ConfirmatoryTable()
