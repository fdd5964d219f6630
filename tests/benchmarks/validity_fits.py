"""What scores depend on beside identities: number of answers, which of them are fitted, number of generations."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import (
    COUNTERFACTUAL_FRAMING,
    SEMANTIC_DISPERSION,
    SENTIMENT_RANGE,
    TONE_FRAMING,
    BundleAnswers,
    FitGroup,
    Unavailable,
)
from gpf_desktop.methods.gpf_livenews.protocol import Controls, Protocol
from gpf_desktop.methods.gpf_livenews.scorers._bundle_scores import score_chunk
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.stats.components import RESIDUAL, variance_components
from tests.benchmarks.planted_answers import planted, scores
from tests.support.protocols import shipped_protocol

Floats = NDArray[np.float64]

_ANSWERS = 20_000
"""Of each line of `_framing_by_fit`, about."""


def fits(rounds: int) -> None:
    """Of calibration/neutral, whose identities make no difference, but for generations."""
    _by_size(max(4, rounds // 100))
    _by_design(max(4, rounds // 100))
    _framing_by_fit(rounds * _ANSWERS // 1600)
    _by_generations(max(4, rounds // 130))


def _by_size(articles: int) -> None:
    """The first n answers of bundles of nine: what R and S come to."""
    print("\nNeutral, first answers of bundles of nine, each bundle fitted alone: mean R and S")
    pool = _pool(_part(shipped_protocol(), size=9), articles, share=0.0)
    for size in (2, 5, 7, 9):
        found = _means([_cut(group, size) for group in pool], FitScope.BUNDLE)
        print(f"{size} answers: R {found[SENTIMENT_RANGE]:.2f}, S {found[SEMANTIC_DISPERSION]:.3f}")


def _by_design(articles: int) -> None:
    """The same bundles, scored among all that was asked of the article and among one family's answers."""
    print("\nTailoring-0.1, the first family: mean S by what else is fitted")
    whole = shipped_protocol()
    every = _pool(whole, articles, share=0.14, model="tailoring-0.1")
    alone = _pool(replace(whole, families=whole.families[:1]), articles, share=0.0, model="tailoring-0.1")
    for title, scope in (("every answer of the article", FitScope.ARTICLE), ("its main answers", FitScope.MAIN)):
        among = _columns(every, scope)[SEMANTIC_DISPERSION].reshape(articles, -1)[:, :: len(whole.families)]
        own = _columns(alone, scope)[SEMANTIC_DISPERSION]
        print(f"{title}: {np.nanmean(among):.3f} among all families and repeats, {np.nanmean(own):.3f} alone")


def _framing_by_fit(answers: int) -> None:
    """CFS against that of a fit on all answers, repeats included, which expects 0: the error of one fit by itself."""
    print("\nNeutral, every bundle repeated: mean CFS less that of a fit on all answers (standard error)")
    whole = shipped_protocol()
    for size, families in ((7, 1), (7, 2), (7, 3), (8, 7), (42, 7)):
        protocol = _part(whole, size=size, families=families) if size < 42 else whole
        main = size * families
        pool = _pool(protocol, max(8, answers // (3 * main)), share=1.0)
        even = _columns(pool, FitScope.ARTICLE)[COUNTERFACTUAL_FRAMING]
        used = _columns(pool, FitScope.MAIN)[COUNTERFACTUAL_FRAMING]
        plain = np.array([value for group in pool for value in _plain_framings(group)])
        said = ", ".join(
            f"{title} {apart.mean():+.4f} ({apart.std(ddof=1) / np.sqrt(len(apart)):.4f})"
            for title, apart in (("one more", used - even), ("as ever", plain - even))
        )
        print(f"{main:4} answers fitted: other answers weighed as {said}", flush=True)


def _by_generations(articles: int) -> None:
    """How a bundle's variance beyond article and question falls with its generations."""
    print("\nTailoring-0.3: residual variance of a bundle with K generations, over that with 5")
    parts = {}
    for generations in (2, 3, 5):
        found = scores("tailoring-0.3", articles=articles, share=1.0, generations=generations)
        parts[generations] = {name: _residual(found[name]) for name in (COUNTERFACTUAL_FRAMING, TONE_FRAMING)}
    for generations, found in parts.items():
        said = ", ".join(f"{name} {value / parts[5][name]:.2f}" for name, value in found.items())
        print(f"{generations} generations: {said}; by 1 + .7 / (K - 1): {(1 + 0.7 / (generations - 1)) / 1.175:.2f}")


def _residual(values: Floats) -> float:
    item, question = (each.ravel() for each in np.indices(values.shape))
    return variance_components(values.ravel(), {"item": item, "question": question}, intervals=False).variance(RESIDUAL)


def _part(protocol: Protocol, *, size: int, families: int = 7) -> Protocol:
    """One dimension of so many identities, in the first *families*."""
    dimension = next(each for each in protocol.dimensions if len(each.identities) == size)
    return replace(protocol, dimensions=(dimension,), families=protocol.families[:families])


def _pool(protocol: Protocol, articles: int, *, share: float, model: str = "neutral") -> list[FitGroup]:
    controls = replace(Controls.none(), repeat_share=share)
    return [planted(model, article, protocol, controls) for article in range(articles)]


def _cut(group: FitGroup, size: int) -> FitGroup:
    def first(bundle: BundleAnswers) -> BundleAnswers:
        return replace(
            bundle, planned=size, rows=bundle.rows[:size], levels=bundle.levels[:size], repeats=bundle.repeats[:size]
        )

    return replace(group, bundles=tuple(first(bundle) for bundle in group.bundles))


def _columns(pool: list[FitGroup], scope: FitScope) -> dict[str, Floats]:
    found = score_chunk(pool, GpfOptions(fit_scope=scope))
    return {
        column.name: np.array([np.nan if isinstance(each, Unavailable) else each for each in column.values])
        for column in found.columns
    }


def _means(pool: list[FitGroup], scope: FitScope) -> dict[str, float]:
    return {
        name: float(np.nanmean(values)) for name, values in _columns(pool, scope).items() if not np.isnan(values).all()
    }


def _plain_framings(group: FitGroup) -> Iterator[float]:
    """CFS by scikit-learn alone, fitted on main answers: what their words weigh in the fit, they weigh everywhere."""
    vectors = TfidfVectorizer().fit([group.texts[row] for row in group.main]).transform(group.texts)
    for bundle in group.bundles:
        rows, levels, repeats = (np.array(each) for each in (bundle.rows, bundle.levels, bundle.repeats))
        apart = 1 - (vectors[rows] @ vectors[rows].T).toarray()
        first = np.flatnonzero(repeats == 0)
        between = [apart[i, j] for i, j in combinations(first, 2)]
        within = [apart[i, j] for level in set(levels) for i, j in combinations(np.flatnonzero(levels == level), 2)]
        yield float(np.mean(between) - np.mean(within))
