"""Pages of second turns on which all readers are given way to alike, and on which some are not."""

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.gpf_livenews.concluding.framing import ArticleScores, fixed_bound, framed, pools
from gpf_desktop.methods.gpf_livenews.concluding.giving_way import ALPHA, UNSEEN_MODELS, added
from tests.benchmarks.validity_sizes import SEED

MODELS, READERS, GENERATIONS = 5, 7, 3


def turns(rounds: int) -> None:
    pages = max(60, rounds // 4)
    print(
        f"\nSecond turns, {MODELS} models, per cent of {pages} pages that call any different where none is (promised 5)"
    )
    for articles in (5, 10, 30):
        for kind in ("beta", "all or nothing"):
            named = sum(bool(_named(page, articles, kind)) for page in range(pages))
            print(f"  {kind:14} {articles:2} articles: {100 * named / pages:5.1f}", flush=True)
    print("Second answers that the first model declines, of two readers of seven and of the others: called different")
    for articles in (10, 30):
        for two, others in ((0.3, 0.3), (0.6, 0.6), (0.6, 0.1)):
            named = sum(0 in _named(page, articles, "beta", declined=(two, others)) for page in range(pages))
            print(f"  {articles:2} articles, {two} and {others}: {100 * named / pages:5.1f}", flush=True)
    print("One model that moves so much further for two readers of seven, found in per cent")
    for articles in (5, 10, 30):
        for size in (0.05, 0.1, 0.2):
            found = sum(0 in _named(page, articles, "beta", size) for page in range(pages))
            print(f"  {articles:2} articles, {size:<4}: {100 * found / pages:5.1f}", flush=True)


def _named(
    page: int, articles: int, kind: str, size: float = 0.0, declined: tuple[float, float] = (0.0, 0.0)
) -> set[int]:
    draw = np.random.default_rng((SEED, page, articles))
    scores = []
    for model in range(MODELS):
        its, none = (size, declined) if model == 0 else (0.0, (0.0, 0.0)), (0.0, (declined[1], declined[1]))
        readers = np.array([_article(draw, kind, *its, bundles=2) for _ in range(articles)])
        labels = np.array([_article(draw, kind, *none, bundles=1) for _ in range(articles)])
        scores.append(ArticleScores(batch=np.arange(articles), planned=readers, other_words=readers, labels=labels))
    pool, limit = pools(scores), fixed_bound(ALPHA / 2, MODELS)
    seen = (framed(each, (articles,), (limit,), pool, models=MODELS, unseen=UNSEEN_MODELS)[1] for each in scores)
    return {at for at, each in enumerate(seen) if each.found}


def _article(
    draw: np.random.Generator, kind: str, size: float, declined: tuple[float, float], *, bundles: int
) -> float:
    """What readers add, mean of *bundles* of one article, whose moves have a level and a width of its own; NaN where
    too few were not *declined*."""
    found = []
    for _ in range(bundles):
        level = draw.beta(4, 8)
        shape = (READERS, GENERATIONS)
        moved: Floats = (
            np.where(draw.random(shape) < level, 0.9, 0.1) + draw.normal(0, 0.02, shape)
            if kind == "all or nothing"
            else draw.beta(12 * level, 12 * (1 - level), shape)
        )
        moved[:2] += size
        moved = np.clip(moved, 0, 1)
        gone = np.repeat([declined[0]] * 2 + [declined[1]] * (READERS - 2), GENERATIONS).reshape(shape)
        if any(declined):
            moved = np.where(draw.random(shape) < gone, np.nan, moved)
        value = added(list(moved))
        if value is not None:
            found.append(value)
    return float(np.mean(found)) if found else np.nan
