"""What *What this finds* promises, beside how often the conclusions' own rules say *differs* of what is planted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt

import numpy as np

from gpf_desktop.domain.round_planning import Extent, Findable, Variation
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.contextual_stereoset import planning as contexts
from gpf_desktop.methods.contextual_stereoset.concluding.gates import ALPHA, few_more
from gpf_desktop.methods.contextual_stereoset.concluding.shifts import item_mean
from gpf_desktop.methods.contextual_stereoset.method import METHOD as STEREOSET
from gpf_desktop.methods.gpf_livenews import planning as framing
from gpf_desktop.methods.gpf_livenews.concluding.framing import (
    CONTENT_SHARE,
    ArticleScores,
    framed,
    page_looks,
    pools,
    tests_of,
)
from gpf_desktop.methods.gpf_livenews.method import METHOD as GPF
from gpf_desktop.methods.relative_bias import planning as targets
from gpf_desktop.methods.relative_bias.comparing import K, StudyScore, compare
from gpf_desktop.methods.relative_bias.method import METHOD as RELATIVE
from gpf_desktop.methods.relative_bias.outcomes import outcomes
from gpf_desktop.methods.relative_bias.protocol import BiasStudy
from gpf_desktop.methods.saged import planning as concepts
from gpf_desktop.methods.saged.gaps import widest_gap
from gpf_desktop.methods.saged.method import METHOD as SAGED
from gpf_desktop.methods.saged.protocol import TONE, BenchmarkStudy, Sizes
from gpf_desktop.stats.equivalence import Outcome
from tests.benchmarks.validity_sizes import SEED

Draw = np.random.Generator


def promises(rounds: int) -> None:
    pages = max(100, rounds // 2)
    print(f"\nThe size that is promised to be found on 80 of 100 pages: found, % of {pages} (± {40 / sqrt(pages):.1f},")
    print(f"its standard error; of SAGED of a third of them, ± {40 / sqrt(pages / 3):.1f})")
    draw = np.random.default_rng(SEED)
    for title, size, found in (
        *_framing(draw, pages),
        *_targets(draw, pages),
        *_contexts(draw, pages),
        *_gaps(draw, pages),
    ):
        print(f"{title:64} {size:8.3f} {100 * found:7.1f}", flush=True)


def _framing(draw: Draw, pages: int) -> Iterator[tuple[str, float, float]]:
    """Readers' bundles and made-up labels drawn one by one, as the pilot says that they vary."""
    protocol, pilot = load_protocol(GPF.default_protocol, method=GPF.name), framing.assumed()
    plan, its = protocol.confirmatory, pilot.variation[COUNTERFACTUAL_FRAMING]
    for articles in (10, 20, 30):
        for models in (1, 5):
            size = _smallest(framing.findable(protocol, protocol.controls, _extent(articles, models), pilot))
            sizes, limits = page_looks(plan, articles, tests_of(CONTENT_SHARE, models), planned=True)
            named = 0
            for _ in range(pages):
                page = [_articles(draw, its, articles, size if not model else 0.0) for model in range(models)]
                named += framed(page[0], sizes, limits, pools(page), models=models)[1].found
            yield f"GPF-LiveNews, {articles} articles, {models} models, words", size, named / pages


def _articles(draw: Draw, its: Variation, articles: int, size: float) -> ArticleScores:
    """Of one model: six repeated bundles of 42 of readers, four of made-up labels."""
    article = size + draw.normal(0, sqrt(its.item), articles)
    question = draw.normal(0, sqrt(its.question), 42)
    asked = np.array([draw.choice(42, 6, replace=False) for _ in range(articles)])
    own = question[asked] - question.mean() + draw.normal(0, sqrt(its.residual), (articles, 6))
    readers, labels = article + own.mean(axis=1), draw.normal(0, sqrt(its.residual), (articles, 4)).mean(axis=1)
    return ArticleScores(batch=np.arange(articles), planned=readers, other_words=readers, labels=labels)


def _targets(draw: Draw, pages: int) -> Iterator[tuple[str, float, float]]:
    study, pilot = load_protocol(RELATIVE.default_protocol, method=RELATIVE.name), targets.assumed()
    assert isinstance(study, BiasStudy)
    for baselines in (3, 5, 8):
        for themes in (5, 10):
            protocol = study if themes == 5 else replace(study, themes=(*study.themes, *study.themes))
            extent = Extent(items=10 * themes, models=baselines + 1, targets=1)
            size = _smallest(targets.findable(protocol, extent, pilot))
            its = pilot.variation[targets.JUDGE]
            named = sum(_called(draw, baselines, themes, size, its) for _ in range(pages))
            yield f"Relative Bias, {baselines} baselines, {themes} themes of ten, a judge", size, named / pages


def _called(draw: Draw, baselines: int, themes: int, size: float, its: Variation) -> bool:
    """Whether the first of two scores calls a target different that lies *size* from where all models do."""
    theme_of, models = np.repeat(np.arange(themes), 10), baselines + 1
    own = draw.normal(0, sqrt(its.model), models)
    own[0] = size
    values = own + draw.normal(0, sqrt(its.item), (themes, models))[theme_of]
    values = values + draw.normal(0, sqrt(its.residual), (10 * themes, models))
    scores = (values, draw.normal(0, 1, values.shape))
    compared = [
        [compare(StudyScore.of_judge(f"judge {at}", each, theme_of), 0, range(1, models), seed=1, leave_out=False)]
        for at, each in enumerate(scores)
    ]
    return outcomes(compared, k=K)[0].outcome is Outcome.DIFFERS


def _contexts(draw: Draw, pages: int) -> Iterator[tuple[str, float, float]]:
    """Choices of the stereotype drawn one by one, in fifteen matched pairs; the rule is that of `concluding.shifts`."""
    protocol, pilot = load_protocol(STEREOSET.default_protocol, method=STEREOSET.name), contexts.assumed()
    its = pilot.variation[contexts.CONTRAST]
    for items in (16, 40, 100):
        size = _smallest(contexts.findable(protocol, _extent(items, 1), pilot))
        alpha = ALPHA / 8
        named = 0
        for _ in range(pages):
            moves = np.clip(size + draw.normal(0, sqrt(its.item), (items, 1)), -1, 1)
            # Each pair differs by −1, 0 or 1, with the pilot's variance and this item's mean.
            up, down = (its.residual + moves) / 2, (its.residual - moves) / 2
            chance = draw.random((items, 15))
            apart = np.where(chance < up, 1.0, np.where(chance > 1 - down, -1.0, 0.0)).mean(axis=1)
            found = item_mean(apart, alpha)
            named += found.low > 0 and items * found.value > few_more(items)
        yield f"Contextual StereoSet, {items} items, one model", size, named / pages


def _gaps(draw: Draw, pages: int) -> Iterator[tuple[str, float, float]]:
    """The sample's eight concepts, evenly over the gap, in answers as the pilot has them; a third of the pages."""
    study, pilot, sizes = load_protocol(SAGED.default_protocol, method=SAGED.name), concepts.assumed(), Sizes()
    assert isinstance(study, BenchmarkStudy)
    its, k = pilot.variation[TONE], len(study.concepts)
    for prompts in (12, 20, 60):
        for models in (1, 5):
            extent = _extent(prompts, models)
            size = _smallest(concepts.findable(study, sizes, extent, pilot))
            tests = concepts.tests_of(study, extent)
            named = 0
            for at in range(pages // 3):
                told = np.linspace(0, size, k) + draw.normal(0, 0.3, (prompts, 1))
                gap = widest_gap(
                    told + draw.normal(0, sqrt(its.item + its.residual), (prompts, k)), tests=tests, seed=(at,)
                )
                named += gap is not None and gap.told
            yield f"SAGED, tone, {prompts} prompts, {k} concepts, {models} models", size, named / (pages // 3)
    for prompts in (20, 60):
        extent = Extent(items=prompts, models=1, others=1)
        size = _smallest(concepts.findable(study, sizes, extent, pilot)[1:])
        named = sum(_marked(draw, prompts, k, size, concepts.tests_of(study, extent)) for _ in range(pages // 3))
        yield f"SAGED, a judge's marks, {prompts} prompts, {k} concepts, 1 model", size, named / (pages // 3)


def _marked(draw: Draw, prompts: int, k: int, size: float, tests: int) -> bool:
    """Whether a gap is told of whole marks from 1 to 5, which rounding makes vary by half a level."""
    own = np.linspace(0, size, k) - size / 2 + draw.normal(0, 0.3, (prompts, 1))
    latent = 3 + own + draw.normal(0, sqrt(0.5**2 - 1 / 12), (prompts, k))
    gap = widest_gap(np.clip(np.rint(latent), 1, 5), tests=tests, seed=(int(draw.integers(1 << 30)),))
    return gap is not None and gap.told


def _extent(items: int, models: int) -> Extent:
    return Extent(items=items, models=models)


def _smallest(found: Sequence[Findable]) -> float:
    size = found[0].smallest
    assert size is not None
    return size
