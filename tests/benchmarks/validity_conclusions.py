"""Sentences of GPF-LiveNews on pages on which nothing is, and on which something was planted.

A page has five models, content and tone. What varies is drawn by article, as `planning.assumed` has it: six repeated
bundles of readers and four of made-up labels. Nulls are not flat: models that every prompt moves alike, that repeat the
reader's name, whose articles are skewed, unlike wide, or go together by batch; whose readers and labels part by the
article, all alike, one far more than another, together, or by a tail.

Many pages are told at once, by arithmetic on whole arrays; the first of each kind are held against the rule itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr, ndtri, stdtrit

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.methods.gpf_livenews.concluding.framing import (
    CONTENT_SHARE,
    FRAMING_SHARE,
    LEAST_BATCHES,
    MOST_FREEDOM,
    UPPER_SHARE,
    ArticleScores,
    fixed_bound,
    framed,
    look_bounds,
    pools,
    stricter,
    tests_of,
    weight_of_page,
)
from gpf_desktop.methods.gpf_livenews.concluding.refusals import at_once, refusal_looks, refusals
from gpf_desktop.methods.gpf_livenews.protocol import Confirmatory, Spending
from gpf_desktop.stats.spending import SpendingFunction
from tests.benchmarks.validity_sizes import SCORES, SEED, clustered_rates

Draw = np.random.Generator
ALPHA = 0.05 * FRAMING_SHARE
MODELS, ITEM, REST, READERS, LABELS = 5, 0.02, 0.05, 6, 4
MARGIN = 0.03
CHECKED = 5
"""Pages of each kind that are told by the rule itself too."""
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
    tail: str = "normal"
    """How that is distributed."""
    unlike: int = 0
    """Of so many models five times as widely."""
    together: float = 0.0
    """Share of it that all models have in common."""


PARTS: dict[str, Callable[[Draw, tuple[int, ...]], Floats]] = {
    "normal": lambda draw, shape: draw.normal(0, 1, shape),
    "t3": lambda draw, shape: draw.standard_t(3, shape) / np.sqrt(3),
    "to the left": lambda draw, shape: 1 - draw.exponential(1, shape),
    "one article": lambda draw, shape: (
        np.sqrt(shape[-1]) * draw.choice([-1, 1], shape) * (np.arange(shape[-1]) == draw.integers(shape[-1]))
    ),
}
"""Of variance 1 over articles."""
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
    "the same, by .05": Null(any_label=0.28, part=0.05),
    "by .2": Null(any_label=0.28, part=0.2),
    "by .05, three models by .25": Null(any_label=0.28, part=0.05, unlike=3),
    "the same, together": Null(any_label=0.28, part=0.05, unlike=3, together=0.95),
    "by .05, all models together": Null(any_label=0.28, part=0.05, together=0.95),
    "by .05, heavy tails (t3)": Null(any_label=0.28, part=0.05, tail="t3"),
    "by .05, skewed to the left": Null(any_label=0.28, part=0.05, tail="to the left"),
    "the same, all models together": Null(any_label=0.28, part=0.05, tail="to the left", together=0.95),
    "by one article alone": Null(any_label=0.28, part=0.05, tail="one article"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """One measure of many pages, (pages, models, articles)."""

    planned: Floats
    other_words: Floats
    labels: Floats

    def scores(self, page: int) -> list[ArticleScores]:
        """Of the models of one page."""
        return [
            ArticleScores(batch=_batches(len(planned)), planned=planned, other_words=other_words, labels=labels)
            for planned, other_words, labels in zip(
                self.planned[page], self.other_words[page], self.labels[page], strict=True
            )
        ]


def _batches(articles: int) -> Ints:
    """In twos."""
    found: Ints = np.arange(articles) // 2
    return found


def pages_of(draw: Draw, pages: int, of: int, n: int, null: Null, *, planted: float = 0.0, scale: float = 1.0) -> Pages:
    """One measure over *n* articles in batches of two; *planted* in the first model of each page."""
    shape = (pages, of, n)
    drawn = SCORES[null.shape]
    spread = 1.0 / max(1e-9, float(np.std(drawn(np.random.default_rng(1), (20_000,)))))
    wide = np.exp(draw.normal(0, 1, (*shape, 1))) if null.wide else np.ones((*shape, 1))

    def chance(bundles: int) -> Floats:
        found: Floats = (drawn(draw, (*shape, bundles)) * spread * REST * scale * wide).mean(axis=-1)
        return found

    first = (np.arange(of) == 0)[:, None] * planted
    # What any prompt moves, it moves by the article: alike for readers and for made-up labels.
    article = draw.normal(0, ITEM * scale, shape) * (1.0 if null.any_label else first > 0)
    if null.batch:
        shared = np.sqrt(null.batch / (1 - null.batch)) * REST * scale / np.sqrt(READERS)
        article = article + draw.normal(0, shared, (pages, of, n // 2 + 1))[..., _batches(n)]
    parted = np.sqrt(1 - null.together) * PARTS[null.tail](draw, shape)
    parted = parted + np.sqrt(null.together) * PARTS[null.tail](draw, (pages, 1, n))
    parted = parted * null.part * scale * np.where(np.arange(of) < null.unlike, 5.0, 1.0)[:, None]
    readers = (null.any_label + first) * scale + article + parted + chance(READERS)
    labels = null.any_label * scale + (article if null.any_label else 0.0) + chance(LABELS)
    return Pages(planned=readers + null.echo * scale, other_words=readers, labels=labels)


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What the articles up to one look say of each model of each page."""

    planned: Floats
    """Low ends of ranges, as the next two."""
    other_words: Floats
    beyond: Floats
    high: Floats
    """Of `other_words`."""

    @property
    def found(self) -> Bools:
        told: Bools = np.minimum(np.minimum(self.planned, self.other_words), self.beyond) > 0
        return told


def told_at(pages: Pages, size: int, limit: float) -> Told:
    """As `framing._at` tells it of one page."""
    planned, other_words = (_moments(each[..., :size]) for each in (pages.planned, pages.other_words))
    beyond = _moments((pages.other_words - pages.labels)[..., :size])
    ends = [mean - _reach(freedom, limit) * error for mean, error, freedom in (planned, other_words)]
    mean, error, freedom = beyond
    of = mean.shape[1]
    degrees = np.full_like(mean, freedom)
    if of > 1:
        variance = error**2
        weight = weight_of_page(variance, np.full(of, float(freedom)))[:, None]
        error = np.sqrt((weight * variance.mean(1, keepdims=True) + freedom * variance) / (weight + freedom))
        degrees = degrees * np.minimum(weight / freedom + 1, MOST_FREEDOM)
    asked = stricter(limit, of)
    upper = float(-ndtri(UPPER_SHARE * ndtr(-limit)))
    high = other_words[0] + _reach(other_words[2], upper) * other_words[1]
    return Told(planned=ends[0], other_words=ends[1], beyond=mean - _reach(degrees, asked) * error, high=high)


def _moments(values: Floats) -> tuple[Floats, Floats, int]:
    """Mean, standard error and degrees of freedom, over articles or, where there are enough, over batches of two."""
    if values.shape[-1] // 2 >= LEAST_BATCHES:
        values = values.reshape(*values.shape[:-1], -1, 2).mean(axis=-1)
    n = values.shape[-1]
    return values.mean(axis=-1), values.std(axis=-1, ddof=1) / np.sqrt(n), n - 1


def _reach(freedom: Floats | float, limit: float) -> Any:
    return -stdtrit(freedom, ndtr(-limit))


def found_on(pages: Pages, sizes: tuple[int, ...], limits: tuple[float, ...]) -> Bools:
    """Which models are called different at one of the looks (pages, models); the first pages by the rule itself too."""
    found = np.any([told_at(pages, *look).found for look in zip(sizes, limits, strict=True)], axis=0)
    for page in range(min(CHECKED, len(found))):
        scores = pages.scores(page)
        pool = pools(scores)
        by_rule = [framed(each, sizes, limits, pool, models=len(scores))[1].found for each in scores]
        assert by_rule == found[page].tolist(), "not the rule"
    told: Bools = found
    return told


def conclusions(rounds: int) -> None:
    draw = np.random.default_rng(SEED)
    how = SpendingFunction.POCOCK
    plans = ((3,), (4,), (5,), (10,), (30,), (10, 20, 30))
    pages = max(50, rounds)
    error = 100 * np.sqrt(0.05 * 0.95 / pages)
    print(
        f"\nPages of five models that name one where nothing is, % of {pages} (± {error:.1f} at 5; promised: at most 4)"
    )
    print(f"{'null':36}" + "".join(f"{', '.join(map(str, each)):>12}" for each in plans))

    def named(null: Null, sizes: tuple[int, ...], of: int = MODELS) -> float:
        limits, some = limits_of(sizes, of, how), np.zeros(pages, bool)
        for scale, its in limits.items():
            some |= found_on(pages_of(draw, pages, of, sizes[-1], null, scale=scale), sizes, its).any(axis=1)
        return 100 * float(some.mean())

    for name, null in NULLS.items():
        print(f"{name:36}" + "".join(f"{named(null, each):12.1f}" for each in plans), flush=True)
    print(f"\nThe same of pages of one, two and three models, % of {pages}")
    few = ((3,), (5,), (8,), (10,), (30,), (10, 20, 30))
    print(f"{'null':36}" + "".join(f"{', '.join(map(str, each)):>18}" for each in few))
    for name in (
        "any prompt moves it by .28",
        "the same, by .05",
        "by .05, heavy tails (t3)",
        "by .05, skewed to the left",
        "the same, all models together",
    ):
        said = [" · ".join(f"{named(NULLS[name], each, of=of):.1f}" for of in (1, 2, 3)) for each in few]
        print(f"{name:36}" + "".join(f"{each:>18}" for each in said), flush=True)
    print(f"\nThe same without made-up labels: by chance and the readers' own names alone, % of {pages}")
    for name in ("flat", "any prompt moves it by .02", "any prompt moves it by .28", "repeats the reader's name, .11"):
        said = []
        for sizes in plans:
            some = np.zeros(pages, bool)
            for scale, its in limits_of(sizes, MODELS, how).items():
                drawn = pages_of(draw, pages, MODELS, sizes[-1], NULLS[name], scale=scale)
                for look in zip(sizes, its, strict=True):
                    some |= (told_at(drawn, *look).planned > 0).any(axis=1)
            said.append(100 * some.mean())
        print(f"{name:36}" + "".join(f"{share:12.1f}" for share in said))
    _power(draw, rounds)
    _alike(draw, rounds)
    _refusing(draw, max(20, min(60, rounds // 16)))


def _power(draw: Draw, pages: int) -> None:
    print(
        "\nContent planted in one model, in all articles: found at the first look; and all ranges of the page hold,"
        f" % of {pages}"
    )
    plans = (
        ((5,), SpendingFunction.POCOCK),
        ((10,), SpendingFunction.POCOCK),
        ((10, 20, 30), SpendingFunction.POCOCK),
        ((10, 20, 30), SpendingFunction.OBRIEN_FLEMING),
    )
    beside = {"": Null(), ", others part by .05": Null(part=0.05), ", others part by .1": Null(part=0.1)}
    for of, (sizes, how), planted, (name, null) in product((1, MODELS), plans, (0.05, 0.1), beside.items()):
        if name and of == 1:
            continue
        limits = limits_of(sizes, of, how)
        held = np.ones(pages, bool)
        found = np.zeros(pages, bool)
        for scale, its in limits.items():
            content = scale == 1.0
            drawn = pages_of(draw, pages, of, sizes[0], Null(), planted=planted * content, scale=scale)
            if name:
                others = pages_of(draw, pages, of, sizes[0], null, scale=scale)
                drawn = _with_first_of(drawn, others)
            told = told_at(drawn, sizes[0], its[0])
            truth = (np.arange(of) == 0) * planted * content
            held &= ((told.other_words <= truth) & (truth <= told.high)).all(axis=1)
            if content:
                found = found_on(drawn, sizes[:1], its[:1])[:, 0]
        title = f"{of} models, {', '.join(map(str, sizes))} ({how}){name}"
        print(
            f"{title:64} {planted}: found {100 * found.mean():5.1f}, ranges hold {100 * held.mean():5.1f}", flush=True
        )


def _with_first_of(first: Pages, others: Pages) -> Pages:
    def of(one: Floats, rest: Floats) -> Floats:
        return np.concatenate([one[:, :1], rest[:, 1:]], axis=1)

    return Pages(
        planned=of(first.planned, others.planned),
        other_words=of(first.other_words, others.other_words),
        labels=of(first.labels, others.labels),
    )


def _alike(draw: Draw, pages: int) -> None:
    print(f"\nCalled alike, % of {pages} models alone: nothing there, and at the margin (at most 5)")
    for n in (10, 30):
        bound = fixed_bound(ALPHA, tests_of(CONTENT_SHARE, 1))
        said = []
        for planted in (0.0, MARGIN):
            told = told_at(pages_of(draw, pages, 1, n, Null(), planted=planted), n, bound)
            said.append(100 * float(np.mean((told.other_words > -MARGIN) & (told.high < MARGIN))))
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
