"""How far from the others a target must lie for a round to find it, told before it is paid for.

How often a study calls a target different that lies so far off is the power of `outcomes`, simulated: the margin and
the prediction interval rest on the standard deviation of a few baselines' means, an estimate which no formula of the
paired test alone accounts for; promised by that, 80 of 100 were 41 to 67.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.domain.registration import comparisons
from gpf_desktop.domain.round_planning import Effect, EffectScale, Enough, Extent, Findable, Pilot, Variation
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.relative_bias.comparing import K
from gpf_desktop.methods.relative_bias.measures import means
from gpf_desktop.methods.relative_bias.outcomes import Kind, PageLevel
from gpf_desktop.methods.relative_bias.protocol import FEWEST_BASELINES, BiasStudy
from gpf_desktop.stats.clusters import t_quantile
from gpf_desktop.stats.power import ClusterSpread, fewest, least_found

_DRAWS: Final = 8000


@dataclass(frozen=True, kw_only=True)
class TargetPower:
    """A study as far as its power goes; distances in the score's unit."""

    baselines: int
    themes: int
    apart: float
    """Standard deviation of models' own means."""
    spread: float
    """Standard deviation of a theme's mean difference of one model."""
    page: PageLevel = field(default_factory=lambda: PageLevel(tests=1))
    k: float = K
    seed: int = 1

    def found(self, distance: float) -> float:
        """The chance that a target so far from the mean of all models of the baselines' kind is called different."""
        noise, half, reach = self._drawn
        differences = distance + noise
        return float(np.mean((differences - half > reach[0]) & (differences > reach[1])))

    def smallest(self, wanted: float) -> float:
        """The least distance found with the chance *wanted*; where nothing varies, any."""
        varies = self.apart + self.spread
        return least_found(lambda distance: self.found(distance) >= wanted, varies) or 0.0 if varies else 0.0

    @cached_property
    def _drawn(self) -> tuple[Floats, Floats, tuple[Floats, Floats]]:
        """Arrays (draws,): the error of the difference, half its interval, and (the margin, what one more model may
        show)."""
        draw = np.random.default_rng(self.seed)
        freedom = self.themes - 1
        error = self.spread / np.sqrt(self.themes)
        means = draw.normal(0, self.apart, (_DRAWS, self.baselines))
        means += draw.normal(0, error, (_DRAWS, self.baselines))
        deviation = means.std(axis=1, ddof=1)
        estimated = error * np.sqrt((1 + 1 / self.baselines) * draw.chisquare(freedom, _DRAWS) / freedom)
        half = t_quantile(1 - self.page.alpha / 2, freedom) * estimated
        one = Kind(deviation=1.0, freedom=self.baselines - 1, baselines=self.baselines)
        reach = self.k * deviation, self.page.needed(one) * deviation
        return draw.normal(0, error, _DRAWS) - means.mean(axis=1), half, reach


JUDGE: Final = "judge"
EMBEDDING: Final = "embedding"
LEAST_THEMES: Final = 2
MOST_QUESTIONS: Final = 100_000
MOST_THEMES: Final = 1000
_NORMAL: Final = 1.4826
"""Standard deviations of a normal variable in one median absolute deviation."""
_SHOWN_SIZES: Final = {JUDGE: (1.0, 2.0), EMBEDDING: (0.05, 0.1)}
"""Distances of which the chance to be found is told too."""
_ASSUMED: Final = {
    JUDGE: Variation(model=0.2**2, item=0.3**2, residual=1.0**2),
    EMBEDDING: Variation(model=0.01**2, item=0.02**2, residual=0.05**2),
}
"""Of a model's difference from the others: model, between models' means; item, between themes; residual, of one
question within its theme."""


def assumed() -> Pilot:
    return Pilot(
        variation=_ASSUMED,
        origin=tr(
            "Nothing was measured in this audit yet. Assumed: a model's difference from the others "
            "varies by 0.2 marks, or 0.01 of distance, from model to model. It varies by 0.3 or 0.02 "
            "from theme to theme, and by 1 or 0.05 between questions of a theme."
        ),
        measured=False,
    )


def pilot(scores: ScoreTables) -> Pilot | None:
    """The pilot measured on the differences of every model that answered; of real ones where there are any."""
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
        words = tr("{words} All of it by built-in test models: a language model varies otherwise.", words=words)
    values = study.values()
    by_kind = {JUDGE: study.answers.judges, EMBEDDING: (f"embedding:{TFIDF}",)}
    variation = {}
    for kind, scores_of in by_kind.items():
        apart = [signed_deviations(values[score][0])[:, models] for score in scores_of if score in values]
        parts = [part for each in apart for model in each.T if (part := _parts(model, study.answers.theme_of))]
        if parts:
            between, within = (sum(column) / len(parts) for column in zip(*parts, strict=True))
            variation[kind] = Variation(model=_between_models(apart), item=between, residual=within)
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


def _between_models(apart: Sequence[Floats]) -> float:
    """The variance of models' mean differences (questions, models), the mean over scores; by the median absolute
    deviation, so that a model that does differ does not make all others seem to."""
    found = []
    for each in apart:
        own = means(each)
        own = own[~np.isnan(own)]
        if len(own) > 1:
            found.append((_NORMAL * float(np.median(np.abs(own - np.median(own))))) ** 2)
    return sum(found) / len(found) if found else 0.0


def findable(protocol: BiasStudy, extent: Extent, pilot: Pilot) -> tuple[Findable, ...]:
    """The smallest distance from the others that is found, for each kind of score; nothing where no
    question is asked."""
    if protocol.checked:
        return ()
    themes, baselines = len(protocol.themes), extent.models - 1
    why = ""
    if themes < LEAST_THEMES:
        why = tr("nothing can be concluded of fewer than {n} themes", n=LEAST_THEMES)
    elif baselines < FEWEST_BASELINES:
        why = tr("nothing can be concluded with fewer than {n} models to compare with", n=FEWEST_BASELINES)
    if why:
        return tuple(
            Findable(name=name, title=effects()[name].words, smallest=None, why=why) for name in pilot.variation
        )
    page = _page(extent, pilot)
    tested = tr(
        "simulated: beyond the margin and beyond what one more model of their kind would show, against {baselines},"
        " over {themes} with {questions} in all; {tests} counted together",
        tests=comparisons(page.tests),
        baselines=trn("{n} other model", "{n} other models", baselines),
        themes=trn("{n} theme", "{n} themes", themes),
        questions=trn("{n} question", "{n} questions", extent.items),
    )

    def of_page(name: str, asked: PageLevel) -> TargetPower:
        return _power(pilot.variation[name], baselines, themes, extent.items / themes, asked, protocol)

    def told(name: str) -> str:
        if page.targets == 1:
            return tested
        alone = of_page(name, PageLevel(tests=page.tests // page.targets)).smallest(extent.power)
        return tr("{tested}. Of one model under study that is named beforehand: {n:.2g}", tested=tested, n=alone)

    return tuple(
        Findable(
            name=name,
            title=effects()[name].words,
            smallest=(power := of_page(name, page)).smallest(extent.power),
            shares=tuple((size, power.found(size)) for size in _SHOWN_SIZES.get(name, ())),
            tested=told(name),
        )
        for name in pilot.variation
    )


def _page(extent: Extent, pilot: Pilot) -> PageLevel:
    """Of scores and targets: by words, and by each judge and encoder."""
    targets = max(1, extent.targets or extent.models)
    return PageLevel(tests=targets * max(1 + extent.others, len(pilot.variation)), targets=targets)


def enough(effect: Effect, protocol: BiasStudy, extent: Extent, pilot: Pilot) -> Enough:
    """The fewest questions that find *effect*, in further themes with as many questions each: within the same themes
    no number of questions takes away what themes differ by."""
    baselines = extent.models - 1
    if effect.name not in pilot.variation or not protocol.themes or not effect.size or baselines < FEWEST_BASELINES:
        return Enough(items=None)
    each, its = extent.items / len(protocol.themes), pilot.variation[effect.name]

    page = _page(extent, pilot)

    def found(themes: int) -> bool:
        return _power(its, baselines, themes, each, page, protocol).found(effect.size) >= extent.power

    themes = fewest(found, MOST_THEMES)
    questions = None if themes is None else ceil(themes * each)
    return Enough(items=None if questions is None or questions > MOST_QUESTIONS else questions)


def effects() -> Mapping[str, EffectScale]:
    marks = tr("How far from the other models, in a judge model's marks")
    words = tr("How far from the other models, in words")
    return {
        JUDGE: EffectScale(words=marks, first=1.0, least=0.1, most=9.0, step=0.1),
        EMBEDDING: EffectScale(words=words, first=0.05, least=0.005, most=1.0, step=0.005),
    }


def _power(
    its: Variation, baselines: int, themes: int, questions: float, page: PageLevel, protocol: BiasStudy
) -> TargetPower:
    """The power for one target, held to what the *page* asks; *questions* in each theme."""
    return TargetPower(
        baselines=baselines,
        themes=themes,
        apart=its.model**0.5,
        spread=ClusterSpread(between=its.item, within=its.residual).of_mean(questions),
        page=page,
        k=protocol.margin_k,
    )
