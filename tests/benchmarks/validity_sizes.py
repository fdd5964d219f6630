"""How often the tests find something where there is nothing: simulated windows without an effect."""

from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr

from gpf_desktop.methods.gpf_livenews.protocol import Spending as PlannedSpending
from gpf_desktop.stats.bootstrap_max import bootstrap_max_t
from gpf_desktop.stats.equivalence import Outcome, paired
from gpf_desktop.stats.group_sequential import found_at
from gpf_desktop.stats.rates import groups_within
from gpf_desktop.stats.resampling import Generations, conclude, permute
from gpf_desktop.stats.sign_flips import max_t
from gpf_desktop.stats.spending import Spending, bounds

Floats = NDArray[np.float64]
Draw = np.random.Generator

SEED = 20261120

SCORES: dict[str, Callable[[Draw, tuple[int, ...]], Floats]] = {
    "normal": lambda draw, shape: draw.normal(0, 1, shape),
    "gamma(2)": lambda draw, shape: draw.gamma(2, 1, shape) - 2,
    "lognormal": lambda draw, shape: draw.lognormal(0, 1, shape) - np.exp(0.5),
}
"""Of mean 0: as scores of one model over articles are, somewhat skewed (1.4), and heavily (6.2)."""


def clustered_rates(draw: Draw, rate: float, correlation: float, shape: tuple[int, ...]) -> Floats:
    if not correlation:
        return np.full(shape, rate)
    scale = 1 / correlation - 1
    return draw.beta(rate * scale, (1 - rate) * scale, shape)


def sizes(rounds: int) -> None:
    print("\nFamilies with a false finding at 5 % where there is no effect (promised: at most 5)")
    draw = np.random.default_rng(SEED)
    for articles in (5, 8, 12, 30):
        for rate in (0.05, 0.3):
            own = clustered_rates(draw, rate, 0.3, (rounds // 4, articles, 1))
            events = draw.binomial(7, np.repeat(own, 7, axis=2))
            trials = np.full((articles, 7), 7)
            found = np.mean([(groups_within(each, trials).adjusted <= 0.05).any() for each in events])
            print(f"refusals of 7 identities, rate {rate}, {articles:3} articles: {100 * found:5.1f}")
    for articles in (5, 8, 12, 30):
        for score, drawn in SCORES.items():
            rows = drawn(draw, (rounds // 8, articles, 9))
            rows -= rows.mean(axis=2, keepdims=True)
            moved = rows + 1.2 * rows.std() * (np.arange(9) == 0) - 0.15 * rows.std() * (np.arange(9) > 0)
            said = []
            for test in (max_t, bootstrap_max_t):
                found = np.mean([(test(each, seed=SEED, replicates=499).adjusted <= 0.05).any() for each in rows])
                told = np.mean([test(each, seed=SEED, replicates=499).adjusted[0] <= 0.05 for each in moved])
                said.append(f"{100 * found:5.1f} (finds 1.2 sd in one: {100 * told:3.0f})")
            print(f"profile of 9 identities, {score:9} {articles:3} articles: flips {said[0]}, draws {said[1]}")
    for how in Spending:
        times = np.array([0.1, 0.25, 0.5, 0.6, 1.0])
        steps = draw.normal(0, np.sqrt(np.diff(times, prepend=0)), (20 * rounds, 5))
        outside = np.abs(np.cumsum(steps, axis=1) / np.sqrt(times)) > bounds(times.tolist(), 0.05, how)
        print(f"five looks at one window, {how}: {100 * outside.any(axis=1).mean():5.2f}")
    for articles in (5, 12, 30):
        outcomes = [
            paired(row, np.arange(articles), 0.5).beyond_margin() for row in draw.normal(0.5, 1, (rounds, articles))
        ]
        wrong = [100 * np.mean([one is each for one in outcomes]) for each in (Outcome.EQUIVALENT, Outcome.DIFFERS)]
        print(f"a difference at the margin, {articles:3} articles: equivalent {wrong[0]:4.1f}, differs {wrong[1]:4.1f}")


_PLANS = ((5,), (8,), (12,), (30,), (5, 10, 15), (10, 20, 30))
_SKEWED_TO_THE_LEFT = {"-gamma(2)": lambda draw, shape: -SCORES["gamma(2)"](draw, shape)}
_ANSWERS: dict[str, Callable[[Draw, tuple[int, ...]], Floats]] = {
    **SCORES,
    "normal, unlike": lambda draw, shape: draw.normal(0, 1, shape) * np.exp(draw.normal(0, 1, (*shape[:2], 1, 1, 1))),
}
"""Tones of single answers; the last with articles of very unlike spread."""


def confirmatory(rounds: int) -> None:
    """Four means at one look and at three; then those of models to whom identities make no difference."""
    print("\nConfirmatory comparisons of four means: windows with any false finding at 5 % in all (promised 5)")
    draw = np.random.default_rng(SEED)
    for score, drawn in (SCORES | _SKEWED_TO_THE_LEFT).items():
        for planned in _PLANS:
            rows = drawn(draw, (2 * rounds, 4, planned[-1]))
            said = []
            for how, above in product(PlannedSpending, (True, False)):
                found = 100 * any_found(rows, planned, how, above=above)
                said.append(f"{how} {'above 0' if above else 'both sides'} {found:4.1f}")
            print(f"{score:9} looks after {planned!s:12}: {', '.join(said)}", flush=True)
    print("\nThe same of tone framing, 6 bundles of 7 identities in an article, where identities make no difference")
    for kind, told in _ANSWERS.items():
        for planned in _PLANS:
            shape = (4, planned[-1], 6, 7, 3)
            rows = np.stack([_tone_framings(told(draw, shape)).mean(axis=2) for _ in range(max(50, rounds // 2))])
            sides = [
                100 * any_found(rows, planned, PlannedSpending.OBRIEN_FLEMING, above=each) for each in (True, False)
            ]
            print(f"answers {kind:14} looks after {planned!s:12}: above 0 {sides[0]:4.1f}, both sides {sides[1]:4.1f}")


def _tone_framings(tones: Floats) -> Floats:
    """Tone framing of bundles (..., identities, generations)."""
    first, identities, generations = tones[..., 0], tones.shape[-2], tones.shape[-1]
    between = np.abs(first[..., :, None] - first[..., None, :]).sum(axis=(-1, -2)) / (identities * (identities - 1))
    apart = np.abs(tones[..., :, None] - tones[..., None, :]).sum(axis=(-1, -2)) / (generations * (generations - 1))
    framing: Floats = between - apart.mean(axis=-1)
    return framing


def any_found(rows: Floats, planned: tuple[int, ...], how: PlannedSpending, *, above: bool) -> float:
    """Share of windows (rounds, hypotheses, articles) in which something is found at any look."""
    stages = [rows[:, :, :size] for size in planned]
    ratios = [each.mean(axis=2) / (each.std(axis=2, ddof=1) / np.sqrt(each.shape[2])) for each in stages]
    z = np.stack(
        [-np.sign(t) * ndtri(stdtr(size - 1, -np.abs(t))) for size, t in zip(planned, ratios, strict=True)], axis=2
    )
    kind = Spending.POCOCK if how is PlannedSpending.POCOCK else Spending.OBRIEN_FLEMING
    shares = [size / planned[-1] for size in planned]
    # Whoever finds anything finds it at the first step of Holm's, whose bounds are the same in every window.
    bound = np.array(found_at([[0.0]] * rows.shape[1], shares, 0.05, kind, above=above)[1])
    return float(((z if above else np.abs(z)) >= bound).any(axis=(1, 2)).mean())


def variability(rounds: int) -> None:
    """Identities whose answers lie in one direction, two of seven of which vary twice as much as the others.

    Not cut off at 0: answers that vary more would also point elsewhere, which is an effect and no error.
    """
    print("\nRejections at 5 % where identities differ in variability alone: a bundle's test, and labels over articles")
    draw = np.random.default_rng(SEED)
    for title, wide in (("all alike", 1.0), ("two of seven twice as wide", 2.0)):
        spread = np.where(np.arange(7) < 2, wide, 1.0)
        answers = [_apart(draw, spread) for _ in range(rounds // 4)]
        drawn = [
            permute(Generations(distances=each, groups=np.repeat(np.arange(7), 3)), seed=(at,), replicates=199)
            for at, each in enumerate(answers)
        ]
        chance = 100 * np.mean([[test.p <= 0.05 for test in conclude(each)] for each in drawn], axis=0)
        own = np.array([_framings(each) for each in answers])
        over = own - [_framings(_apart(draw, np.ones(7))) for _ in answers]
        labels = ", ".join(
            f"{articles} articles CFS {found[0]:.1f}, tone framing {found[1]:.1f}, CFS by likeness {found[2]:.1f}"
            for articles in (8, 12, 30)
            for found in [_rejected(over, articles)]
        )
        print(
            f"{title:27} against chance: meaning {chance[0]:.1f}, tone {chance[1]:.1f};"
            f" against labels: {labels};"
            f" mean CFS {own[:, 0].mean():+.4f}, tone framing {own[:, 1].mean():+.4f}"
        )


def _rejected(over: Floats, articles: int) -> Floats:
    """Per cent of windows of so many *articles* whose difference to the labels (bundles, 3 scores) is found at 5 %."""
    windows = over[: len(over) // articles * articles].reshape(-1, articles, 3)
    places = np.arange(articles)
    found: Floats = 100 * np.mean(
        [[paired(each[:, kind], places, 1.0).p_zero <= 0.05 for kind in range(3)] for each in windows], axis=0
    )
    return found


def _apart(draw: Draw, spread: Floats) -> Floats:
    """Distances of meaning and tone (2, 21, 21) between 3 generations for each of 7 identities."""
    vectors = (draw.normal(0, 3, 40) + draw.normal(0, 1, (7, 3, 40)) * spread[:, None, None]).reshape(21, 40)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    tones = np.tanh(draw.normal(0, 0.3, 21) * np.repeat(spread, 3))
    return np.stack([1 - vectors @ vectors.T, np.abs(tones[:, None] - tones)])


def _framings(apart: Floats) -> list[float]:
    """CFS and tone framing of such distances; and CFS with each pair's likeness over that of both identities' own
    generations, which asks for direction alone (Spearman 1904, attenuation)."""
    first = np.arange(0, 21, 3)
    between = apart[:, first][:, :, first].sum(axis=(1, 2)) / 42
    within = np.array([apart[:, at : at + 3, at : at + 3].sum(axis=(1, 2)) / 6 for at in first])
    alike = (1 - apart[0][np.ix_(first, first)]) / np.sqrt(np.outer(1 - within[:, 0], 1 - within[:, 0]))
    by_likeness = 1 - alike[~np.eye(len(first), dtype=bool)].mean()
    return [*(float(each) for each in between - within.mean(axis=0)), float(by_likeness)]
