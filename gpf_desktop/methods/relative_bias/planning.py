"""How far beyond the margin a target must lie for a round to find it, told before it is paid for."""

from collections.abc import Mapping
from math import ceil
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.domain.round_planning import Effect, Enough, Extent, Findable, Pilot, Variation
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.relative_bias.protocol import BiasStudy

JUDGE: Final = "judge"
EMBEDDING: Final = "embedding"
LEAST_THEMES: Final = 2
MOST_QUESTIONS: Final = 100_000
_ASSUMED: Final = {
    JUDGE: Variation(item=0.3**2, residual=1.0**2),
    EMBEDDING: Variation(item=0.02**2, residual=0.05**2),
}
"""Of a model's difference from the others: item, between themes; residual, of one question within its theme."""


def assumed() -> Pilot:
    return Pilot(
        variation=_ASSUMED,
        origin=tr(
            "Assumed: a model's difference from the others varies by 0.3 levels or 0.02 of distance between themes, and"
            " by 1 level or 0.05 between questions of a theme. Nothing was measured in this audit yet."
        ),
        measured=False,
    )


def pilot(scores: ScoreTables) -> Pilot | None:
    """From the differences of every model that answered; of real ones where there are any."""
    from gpf_desktop.methods.relative_bias.analyses._stored import stored_study
    from gpf_desktop.methods.relative_bias.measures import signed_deviations
    from gpf_desktop.methods.relative_bias.study import TFIDF

    stored = stored_study(scores)
    if stored is None:
        return None
    study = stored.study
    models = [at for at, model in enumerate(study.answers.models) if model not in stored.synthetic]
    words = tr("How much models differ was measured on the rounds of this audit.")
    if not models:
        models = list(range(len(study.answers.models)))
        words = tr("{words} All of it by calibration models: a language model varies otherwise.", words=words)
    values = study.values()
    by_kind = {JUDGE: study.answers.judges, EMBEDDING: (f"embedding:{TFIDF}",)}
    variation = {}
    for kind, scores_of in by_kind.items():
        apart = [signed_deviations(values[score][0])[:, models] for score in scores_of if score in values]
        parts = [part for each in apart for model in each.T if (part := _parts(model, study.answers.theme_of))]
        if parts:
            between, within = (sum(column) / len(parts) for column in zip(*parts, strict=True))
            variation[kind] = Variation(item=between, residual=within)
    return Pilot(variation=variation, origin=words, measured=True) if variation else None


def _parts(differences: Floats, theme_of: Ints) -> tuple[float, float] | None:
    """Variances between themes and within one; None where fewer than two themes have two questions.

    By the moments of a one-way analysis of variance (Searle, Casella and McCulloch 1992, ch. 3), floor 0.
    """
    by_theme = [differences[(theme_of == theme) & ~np.isnan(differences)] for theme in np.unique(theme_of)]
    several = [each for each in by_theme if len(each) > 1]
    if len(several) < LEAST_THEMES:
        return None
    within = sum(float(((each - each.mean()) ** 2).sum()) for each in several) / sum(len(each) - 1 for each in several)
    means = np.array([each.mean() for each in several])
    of_a_mean = within * float(np.mean([1 / len(each) for each in several]))
    return max(float(means.var(ddof=1)) - of_a_mean, 0.0), within


def findable(protocol: BiasStudy, extent: Extent, pilot: Pilot) -> tuple[Findable, ...]:
    """By each kind of score, what the paired test over themes finds beyond the margin; nothing where none is asked."""
    from gpf_desktop.stats.power import detectable

    if protocol.checked:
        return ()
    themes = len(protocol.themes)
    if themes < LEAST_THEMES:
        why = tr("needs {n} themes", n=LEAST_THEMES)
        return tuple(Findable(name=name, title=effects()[name], smallest=None, why=why) for name in pilot.variation)
    tested = tr(
        "paired, over {themes} with {questions} in all",
        themes=trn("{n} theme", "{n} themes", themes),
        questions=trn("{n} question", "{n} questions", extent.items),
    )
    return tuple(
        Findable(
            name=name,
            title=effects()[name],
            # Each direction beyond the margin is tested at half of 5 %, as a two-sided test of no difference is.
            smallest=detectable(_spread(its, extent.items / themes), themes, wanted=extent.power),
            tested=tested,
        )
        for name, its in pilot.variation.items()
    )


def enough(effect: Effect, protocol: BiasStudy, extent: Extent, pilot: Pilot) -> Enough:
    """The fewest questions that find *effect*, in further themes with as many questions each: within the same themes
    no number of questions takes away what themes differ by."""
    from gpf_desktop.stats.power import clusters_needed

    if effect.name not in pilot.variation or not protocol.themes:
        return Enough(items=None)
    each = extent.items / len(protocol.themes)
    themes = clusters_needed(effect.size, _spread(pilot.variation[effect.name], each), wanted=extent.power)
    questions = None if themes is None else ceil(themes * each)
    return Enough(items=None if questions is None or questions > MOST_QUESTIONS else questions)


def effects() -> Mapping[str, str]:
    return {
        JUDGE: tr("deviation beyond the margin, in a judge's levels"),
        EMBEDDING: tr("deviation beyond the margin, in distance by tf-idf"),
    }


def _spread(its: Variation, questions: float) -> float:
    """Standard deviation of a theme's mean difference over so many questions."""
    from gpf_desktop.stats.power import ClusterSpread

    return ClusterSpread(between=its.item, within=its.residual).of_mean(questions)
