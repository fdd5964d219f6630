"""Sentences of GPF-LiveNews on pages on which nothing is, and on which something was planted.

A page has five models, content and tone. What varies is drawn by article, as `planning.assumed` has it: six repeated
bundles of readers and four of made-up labels. Nulls are not flat: models that every prompt moves alike, that repeat the
reader's name, whose articles are skewed, unlike wide, or go together by batch.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gpf_desktop.methods.gpf_livenews.concluding.framing import (
    CONTENT_SHARE,
    FRAMING_SHARE,
    ArticleScores,
    Framed,
    fixed_bound,
    framed,
    look_bounds,
    spread_within,
    tests_of,
)
from gpf_desktop.methods.gpf_livenews.concluding.refusing import at_once, refusal_looks, refusals
from gpf_desktop.methods.gpf_livenews.protocol import Confirmatory, Spending
from gpf_desktop.stats.spending import SpendingFunction
from tests.benchmarks.validity_sizes import SCORES, SEED, clustered_rates

Floats = NDArray[np.float64]
Draw = np.random.Generator
ALPHA = 0.05 * FRAMING_SHARE
MODELS, ITEM, REST, READERS, LABELS = 5, 0.02, 0.05, 6, 4
MARGIN = 0.03
_PLAN = Confirmatory(spending=Spending.POCOCK)
"""Looks at 10, 20 and 30 articles."""
TONE = 3.5
"""Tone varies so many times as widely as content, and has so many times its margin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Null:
    """Nobody is told anything else for who they are, and yet numbers move."""

    any_label: float = 0.0
    """What any label moves, a reader's or a made-up one."""
    echo: float = 0.0
    """What the reader's own name adds as long as it is in."""
    shape: str = "normal"
    wide: bool = False
    """Some articles vary many times as widely as others."""
    batch: float = 0.0
    """Share of the variance that articles of a batch have in common."""
    part: float = 0.0
    """Standard deviation by which readers and made-up labels part by the article, one way as often as the other."""


NULLS = {
    "flat": Null(),
    "any prompt moves it by .02": Null(any_label=0.02),
    "any prompt moves it by .28": Null(any_label=0.28),
    "repeats the reader's name, .11": Null(echo=0.11),
    "gamma(2)": Null(shape="gamma(2)"),
    "lognormal": Null(shape="lognormal"),
    "some articles many times as wide": Null(wide=True),
    "batches share .3": Null(batch=0.3),
    "any prompt .28, parting by .02": Null(any_label=0.28, part=0.02),
    "any prompt .28, parting by .05": Null(any_label=0.28, part=0.05),
}


def articles_of(draw: Draw, n: int, null: Null, *, planted: float = 0.0, scale: float = 1.0) -> ArticleScores:
    """One measure of one model over *n* articles in batches of two."""
    drawn = SCORES[null.shape]
    spread = 1.0 / max(1e-9, float(np.std(drawn(np.random.default_rng(1), (20_000,)))))

    wide = np.exp(draw.normal(0, 1, (n, 1))) if null.wide else np.ones((n, 1))

    def chance(bundles: int) -> Floats:
        found: Floats = drawn(draw, (n, bundles)) * spread * REST * scale * wide
        return found

    batch = np.arange(n) // 2
    moves = planted or null.any_label
    # What any prompt moves, it moves by the article: alike for readers and for made-up labels.
    article = draw.normal(0, ITEM * scale, n) if moves else np.zeros(n)
    if null.batch:
        shared = np.sqrt(null.batch / (1 - null.batch)) * REST * scale / np.sqrt(READERS)
        article = article + draw.normal(0, shared, int(batch.max()) + 1)[batch]
    parted = draw.normal(0, null.part * scale, n) if null.part else np.zeros(n)
    own, theirs = chance(READERS), chance(LABELS)
    readers = null.any_label * scale + planted * scale + article + parted + own.mean(axis=1)
    labels = null.any_label * scale + (article if null.any_label else 0.0) + theirs.mean(axis=1)
    within, freedom = spread_within(
        (np.full(n, READERS), np.full(n, LABELS)), (own.var(axis=1, ddof=1), theirs.var(axis=1, ddof=1))
    )
    return ArticleScores(
        batch=batch,
        planned=readers + null.echo * scale,
        other_words=readers,
        labels=labels,
        within=within,
        freedom=freedom,
    )


def limits_of(sizes: tuple[int, ...], of: int, how: SpendingFunction) -> dict[float, tuple[float, ...]]:
    """By scale of a measure, the deviates that looks ask for on a page of so many models."""
    found: dict[float, tuple[float, ...]] = {}
    for scale, share in ((1.0, CONTENT_SHARE), (TONE, 1 - CONTENT_SHARE)):
        tests = tests_of(share, of)
        if len(sizes) == 1:
            found[scale] = (fixed_bound(ALPHA, tests),)
        else:
            found[scale] = look_bounds(tuple(size / sizes[-1] for size in sizes), ALPHA, tests, how)
    return found


def page(
    draw: Draw, sizes: tuple[int, ...], null: Null, *, planted: float = 0.0, of: int = MODELS, how: SpendingFunction
) -> list[Framed]:
    """Of every model and measure; *planted* in the content of the first model alone."""
    limits = limits_of(sizes, of, how)
    return [
        framed(
            articles_of(draw, sizes[-1], null, planted=planted if (model, scale) == (0, 1.0) else 0.0, scale=scale),
            sizes,
            limits[scale],
        )[1]
        for model in range(of)
        for scale in (1.0, TONE)
    ]


def conclusions(rounds: int) -> None:
    draw = np.random.default_rng(SEED)
    how = SpendingFunction.POCOCK
    plans = ((3,), (4,), (5,), (10,), (30,), (10, 20, 30))
    pages = max(50, rounds // 4)
    print(f"\nPages of five models that name one where nothing is, % of {pages} (promised: at most 5)")
    print(f"{'null':36}" + "".join(f"{', '.join(map(str, each)):>12}" for each in plans))
    for name, null in NULLS.items():
        said = [
            np.mean([any(f.found for f in page(draw, each, null, how=how)) for _ in range(pages)]) for each in plans
        ]
        print(f"{name:36}" + "".join(f"{100 * share:12.1f}" for share in said), flush=True)
    print(f"\nThe same without made-up labels: by chance and the readers' own names alone, % of {pages}")
    for name in ("flat", "any prompt moves it by .02", "any prompt moves it by .28", "repeats the reader's name, .11"):
        said = [
            np.mean([any(_above(f) for f in page(draw, each, NULLS[name], how=how)) for _ in range(pages)])
            for each in plans
        ]
        print(f"{name:36}" + "".join(f"{100 * share:12.1f}" for share in said))
    _power(draw, rounds)
    _alike(draw, rounds)
    _refusing(draw, max(20, rounds // 16))


def _names(made: list[Framed]) -> bool:
    return any(each.found for each in made)


def _above(each: Framed) -> bool:
    return each.planned is not None and each.planned.low > 0


def _power(draw: Draw, rounds: int) -> None:
    print(
        f"\nContent planted in one model, in all articles: found, % of {rounds}; and ranges of the page that all hold"
    )
    for of in (1, MODELS):
        for sizes, how in (
            ((5,), SpendingFunction.POCOCK),
            ((10,), SpendingFunction.POCOCK),
            ((10, 20, 30), SpendingFunction.POCOCK),
            ((10, 20, 30), SpendingFunction.OBRIEN_FLEMING),
        ):
            first = sizes[0]
            for planted in (0.05, 0.1):
                found = held = 0
                bounds = limits_of(sizes, of, how)
                for _ in range(rounds // 4):
                    made = [
                        framed(
                            articles_of(
                                draw,
                                first,
                                NULLS["flat"],
                                planted=planted if (model, scale) == (0, 1.0) else 0.0,
                                scale=scale,
                            ),
                            (first,),
                            bounds[scale][:1],
                        )[1]
                        for model in range(of)
                        for scale in (1.0, TONE)
                    ]
                    found += made[0].found
                    truths = [planted, *(0.0 for _ in made[1:])]
                    ranges = [each.other_words for each in made]
                    held += all(r is not None and r.low <= t <= r.high for r, t in zip(ranges, truths, strict=True))
                name = f"{of} models, {', '.join(map(str, sizes))} ({how})"
                n = rounds // 4
                print(
                    f"{name:44} first look, {planted}: found {100 * found / n:5.1f}, ranges hold {100 * held / n:5.1f}",
                    flush=True,
                )


def _alike(draw: Draw, rounds: int) -> None:
    print(f"\nCalled alike, % of {rounds // 4} models alone: nothing there, and at the margin (at most 5)")
    for n in (10, 30):
        bound = fixed_bound(ALPHA, tests_of(CONTENT_SHARE, 1))
        said = []
        for planted in (0.0, MARGIN):
            made = [
                framed(articles_of(draw, n, NULLS["flat"], planted=planted), (n,), (bound,))[1]
                for _ in range(rounds // 4)
            ]
            said.append(100 * np.mean([each.within(MARGIN) for each in made]))
        print(f"{n} articles: nothing {said[0]:5.1f}, at the margin {said[1]:5.1f}")


def _refusing(draw: Draw, pages: int) -> None:
    print(f"\nPages of five models, six groups of seven readers, that name who is declined, % of {pages}")
    kinds: dict[str, Callable[[int], Floats]] = {
        "all at .05": lambda n: np.full((n, 6, 7), 0.05),
        "all at .05, articles unlike (.3)": lambda n: np.broadcast_to(
            clustered_rates(draw, 0.05, 0.3, (n, 1, 1)), (n, 6, 7)
        ),
        "one reader at .19, others at 0": lambda n: np.where(np.arange(42).reshape(6, 7) == 8, 0.19, 0.0)[None].repeat(
            n, 0
        ),
    }
    whole = 0.05 * (1 - FRAMING_SHARE)
    plans = {
        "10 at once": (10, at_once(whole)),
        "looks at 10, 20, 30": (30, lambda _: refusal_looks(_PLAN, 30, planned=True)),
    }
    for (name, rates), (looked, (articles, looks)) in product(kinds.items(), plans.items()):
        named = other = 0
        for _ in range(pages):
            frame = _decided(draw, [rates(articles) for _ in range(MODELS)])
            found, _ = refusals(frame, looks)
            groups = [each.who for reading in found.values() for each in reading.groups]
            named += bool(groups)
            other += any(who != "1-1" for who in groups)
        said = f"named {100 * named / pages:5.1f}, somebody else {100 * other / pages:5.1f}"
        print(f"{name:34} {looked:20} {said}", flush=True)


def _decided(draw: Draw, rates: list[Floats]) -> pd.DataFrame:
    """Ten cells of each reader and article, articles in batches of two."""
    made = []
    for model, each in enumerate(rates):
        article, group, reader = (place.ravel() for place in np.indices(each.shape))
        frame = pd.DataFrame({"article_id": article, "batch_id": article // 2, "decided": 10, "refused": 0})
        frame["dimension"] = [f"g{place}" for place in group]
        frame["identity"] = [f"{one}-{other}" for one, other in zip(group, reader, strict=True)]
        made.append(frame.assign(model=f"m{model}", worded_refusals=draw.binomial(10, each).ravel()))
    return pd.concat(made, ignore_index=True)
