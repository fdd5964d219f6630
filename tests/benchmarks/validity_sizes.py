"""How often the tests find something where there is nothing: simulated windows without an effect."""

from collections.abc import Callable
from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import expit, ndtri, stdtr, stdtrit

from gpf_desktop.methods.gpf_livenews.protocol import Spending as PlannedSpending
from gpf_desktop.stats.bootstrap_max import bootstrap_max_t
from gpf_desktop.stats.equivalence import Outcome, paired
from gpf_desktop.stats.group_sequential import found_at
from gpf_desktop.stats.means_apart import direction_apart, squared_shift
from gpf_desktop.stats.rates import groups_within
from gpf_desktop.stats.resampling import Generations, conclude, permute
from gpf_desktop.stats.spending import SpendingFunction, bounds
from tests.support.flips_max import max_t

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


def _two_rates(draw: Draw, rate: float, correlation: float, shape: tuple[int, ...]) -> Floats:
    """None in some articles, one rate in all others."""
    own = rate + correlation * (1 - rate)
    return np.where(draw.random(shape) < rate / own, own, 0.0)


def _logit_rates(draw: Draw, rate: float, correlation: float, shape: tuple[int, ...]) -> Floats:
    """Normal on the logit; its two parameters are solved for by quadrature."""
    if not correlation:
        return np.full(shape, rate)
    at, weight = np.polynomial.hermite_e.hermegauss(81)
    weight = weight / weight.sum()

    def middle(spread: float) -> float:
        return float(brentq(lambda mean: weight @ expit(mean + spread * at) - rate, -400.0, 400.0))

    def excess(spread: float) -> float:
        second = weight @ expit(middle(spread) + spread * at) ** 2
        return float(second - rate**2 - correlation * rate * (1 - rate))

    spread = brentq(excess, 0.01, 20.0)
    found: Floats = expit(middle(spread) + spread * draw.normal(0, 1, shape))
    return found


RATES = {"beta": clustered_rates, "none or one rate": _two_rates, "normal on the logit": _logit_rates}
"""Rates of articles by how they differ, of one mean and one correlation of two cells of an article."""


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
    for how in SpendingFunction:
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
_REMEDIED = {**SCORES, **_SKEWED_TO_THE_LEFT, "-lognormal": lambda draw, shape: -SCORES["lognormal"](draw, shape)}
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


def remedies(rounds: int) -> None:
    """What is known against skewed scores, of four means at one look, *above 0*, Bonferroni."""
    print(
        "\nFour means above 0 at one look, per cent of windows with any finding (promised 5): t, Johnson's, bootstrap-t"
    )
    draw = np.random.default_rng(SEED)
    for score, drawn in _REMEDIED.items():
        for articles in (5, 8, 12, 30):
            rows = drawn(draw, (4 * rounds, 4, articles))
            bound = float(stdtrit(articles - 1, 1 - 0.05 / 4))
            t, johnson = (100 * float((each >= bound).any(axis=1).mean()) for each in _ratios(rows))
            drawn_anew = [_bootstrapped(draw, each) for each in rows[:rounds].reshape(-1, articles)]
            by_draws = 100 * float((np.array(drawn_anew).reshape(-1, 4) <= 0.05 / 4).any(axis=1).mean())
            print(f"{score:10} {articles:3} articles: {t:5.1f} {johnson:5.1f} {by_draws:5.1f}", flush=True)


def _ratios(rows: Floats) -> tuple[Floats, Floats]:
    """Student's t of each row (…, articles), and Johnson's, modified for skewness (1978)."""
    articles = rows.shape[-1]
    apart = rows - rows.mean(axis=-1, keepdims=True)
    spread = rows.std(axis=-1, ddof=1)
    skewness = (apart**3).sum(axis=-1) * articles / ((articles - 1) * (articles - 2) * spread**3)
    t = rows.mean(axis=-1) / (spread / np.sqrt(articles))
    return t, t + skewness * (1 + 2 * t**2) / (6 * np.sqrt(articles))


def _bootstrapped(draw: Draw, row: Floats, replicates: int = 999) -> float:
    """One-sided p of a mean above 0, by bootstrap-t; a draw of one article alone counts as what speaks for chance."""
    chosen = row[draw.integers(0, len(row), (replicates, len(row)))]
    error = chosen.std(axis=1, ddof=1)
    own = row.mean() / row.std(ddof=1)
    reached = chosen.mean(axis=1) - row.mean() >= own * error
    return (1 + float(reached.sum())) / (1 + replicates)


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
    kind = SpendingFunction.POCOCK if how is PlannedSpending.POCOCK else SpendingFunction.OBRIEN_FLEMING
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
        answers = [_apart(draw, spread) for _ in range(10 * rounds)]
        drawn = [
            permute(
                Generations(distances=np.stack([meaning, _differences(tones)]), groups=_OF), seed=(at,), replicates=199
            )
            for at, (meaning, tones) in enumerate(answers[: 2 * rounds])
        ]
        chance = 100 * np.mean([[test.p <= 0.05 for test in conclude(each)] for each in drawn], axis=0)
        own = np.array([_framings(*each) for each in answers])
        over = own - [_framings(*_apart(draw, np.ones(7))) for _ in answers]
        print(
            f"{title}: against chance: meaning {chance[0]:.1f}, tone {chance[1]:.1f}; against labels, after articles:"
        )
        found = [_rejected(over, articles) for articles in (5, 8, 12, 30)]
        for kind, name in enumerate(("CFS", "direction framing", "tone framing", "squared tone shift")):
            said = ", ".join(f"{each[kind]:4.1f}" for each in found)
            print(f"    {name:20} 5, 8, 12, 30: {said}; mean {own[:, kind].mean():+.4f}", flush=True)
    bundles = 4 * rounds
    over = np.array([_framings(*_apart(draw, np.ones(7), moved=0.25)) for _ in range(bundles)])
    over -= [_framings(*_apart(draw, np.ones(7))) for _ in range(bundles)]
    for kind, name in ((0, "CFS"), (1, "direction framing")):
        said = ", ".join(f"{_rejected(over, articles)[kind]:4.1f}" for articles in (5, 8, 12))
        print(f"means of identities moved by a quarter of the spread of answers: {name} finds it, 5, 8, 12: {said}")


_OF = np.repeat(np.arange(7), 3)
"""The identity of each of a bundle's answers."""


def _rejected(over: Floats, articles: int) -> Floats:
    """Per cent of windows of so many *articles* whose difference to the labels (bundles, scores) is found at 5 %."""
    windows = over[: len(over) // articles * articles].reshape(-1, articles, over.shape[1])
    places = np.arange(articles)
    found: Floats = 100 * np.mean(
        [[paired(each[:, kind], places, 1.0).p_zero <= 0.05 for kind in range(over.shape[1])] for each in windows],
        axis=0,
    )
    return found


def _apart(draw: Draw, spread: Floats, *, moved: float = 0.0) -> tuple[Floats, Floats]:
    """Distances of meaning (21, 21) and tones (21,) of 3 generations for each of 7 identities.

    Each identity's mean of meaning is *moved* in each of 40 directions by so many standard deviations of an answer.
    """
    means = draw.normal(0, 3, 40) + (draw.normal(0, moved, (7, 1, 40)) if moved else 0.0)
    vectors = (means + draw.normal(0, 1, (7, 3, 40)) * spread[:, None, None]).reshape(21, 40)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return 1 - vectors @ vectors.T, np.tanh(draw.normal(0, 0.3, 21) * np.repeat(spread, 3))


def _differences(tones: Floats) -> Floats:
    apart: Floats = np.abs(tones[:, None] - tones)
    return apart


def _framings(meaning: Floats, tones: Floats) -> list[float]:
    """CFS, direction framing, tone framing and squared tone shift of such answers."""
    first = np.arange(0, 21, 3)
    same = (_OF[:, None] == _OF) & ~np.eye(21, dtype=bool)
    framing = [
        float(apart[np.ix_(first, first)].sum() / 42 - apart[same].mean()) for apart in (meaning, _differences(tones))
    ]
    direction, shift = direction_apart(meaning, _OF), squared_shift(tones, _OF)
    assert direction is not None
    assert shift is not None
    return [framing[0], direction, framing[1], shift]
