"""What the numbers promise beside what they hold: cover, size and power by simulation, seeded, a table per question.

    python -m tests.benchmarks.bench_validity                 minutes, on one core
    python -m tests.benchmarks.bench_validity --rounds 400    a tenth of the rounds
    python -m tests.benchmarks.bench_validity cover power     some of the tables

Nothing here is asserted: read the columns against what stands in the line above them.
"""

import argparse
from collections.abc import Callable
from itertools import product
from time import perf_counter

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtr, stdtrit

from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING, SEMANTIC_DISPERSION, TONE_FRAMING
from gpf_desktop.methods.gpf_livenews.protocol import Spending as PlannedSpending
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.stats.bootstrap_max import bootstrap_max_t
from gpf_desktop.stats.charts import RISK, watch
from gpf_desktop.stats.clusters import bootstrap_t, clustered_mean, degrees_of_freedom
from gpf_desktop.stats.components import RESIDUAL, Component, variance_components
from gpf_desktop.stats.equivalence import Outcome, paired
from gpf_desktop.stats.group_sequential import found_at
from gpf_desktop.stats.power import ClusterSpread, detectable, detectable_rise, rate_power
from gpf_desktop.stats.rates import groups_within, rate_interval
from gpf_desktop.stats.resampling import Generations, conclude, permute
from gpf_desktop.stats.sign_flips import max_t
from gpf_desktop.stats.spending import Spending, bounds
from tests.benchmarks.planted_answers import framings, scores

Floats = NDArray[np.float64]
Draw = np.random.Generator

SEED = 20261120
ARTICLES = (3, 5, 8, 10, 12, 30)
SCORES: dict[str, Callable[[Draw, tuple[int, ...]], Floats]] = {
    "normal": lambda draw, shape: draw.normal(0, 1, shape),
    "gamma(2)": lambda draw, shape: draw.gamma(2, 1, shape) - 2,
    "lognormal": lambda draw, shape: draw.lognormal(0, 1, shape) - np.exp(0.5),
}
"""Of mean 0: as scores of one model over articles are, somewhat skewed (1.4), and heavily (6.2)."""


def counts_of(kind: str, articles: int) -> Floats:
    """Bundles per article: all 42; half of them; or from 6 to 42 in even steps."""
    match kind:
        case "equal":
            return np.full(articles, 42.0)
        case "uneven":
            return np.rint(np.linspace(6, 42, articles))
        case _:
            return np.array([42.0, *[6.0] * (articles - 1)])


def cover(rounds: int) -> None:
    """Articles' means vary, and bundles within an article by as much again."""
    print("\n95 % intervals of a mean over bundles: share that hold it (promised 95; 93 to 97 asked for)")
    print(f"{'scores':10} {'bundles':8} {'articles':>8} {'t, CR2':>8} {'boot-t':>8} {'freedom':>8}")
    for score, drawn in SCORES.items():
        for kind in ("equal", "uneven", "one big"):
            for articles in ARTICLES:
                draw = np.random.default_rng((SEED, articles))
                counts = counts_of(kind, articles)
                of_articles = drawn(draw, (rounds, articles)) + draw.normal(0, 1, (rounds, articles)) / np.sqrt(counts)
                sums = of_articles * counts
                found = [clustered_mean(row, counts) for row in sums]
                reach = float(stdtrit(degrees_of_freedom(counts), 0.975))
                by_t = np.mean([abs(each.value) <= reach * each.error for each in found])
                some = [bootstrap_t(row, counts, level=0.95, seed=SEED, replicates=999) for row in sums[: rounds // 2]]
                by_bootstrap = np.mean([low <= 0 <= high for low, high in some])
                print(
                    f"{score:10} {kind:8} {articles:8}"
                    f" {100 * by_t:8.1f} {100 * by_bootstrap:8.1f} {degrees_of_freedom(counts):8.1f}"
                )


def rates(rounds: int) -> None:
    print("\n95 % intervals of a refusal rate by article, 21 cells each: share that hold it")
    print(f"{'rate':>6} {'correlation':>12} {'articles':>8} {'by article':>10}")
    draw = np.random.default_rng(SEED)
    for rate in (0.02, 0.1, 0.4):
        for correlation in (0.0, 0.1, 0.4):
            for articles in ARTICLES:
                events = draw.binomial(21, clustered_rates(draw, rate, correlation, (rounds, articles)))
                trials = np.full(articles, 21)
                held = [low <= rate <= high for low, high in (rate_interval(row, trials) for row in events)]
                print(f"{rate:6} {correlation:12} {articles:8} {100 * np.mean(held):10.1f}")


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
    for how, planned in product(PlannedSpending, ((5, 10, 15), (10, 20, 30))):
        for score, drawn in SCORES.items():
            rows = drawn(draw, (rounds // 2, 4, planned[-1]))
            found = any_found(rows, planned, how)
            print(f"confirmatory, 4 means, looks after {planned}, {how}, {score:9}: {100 * found:5.2f}")
    for articles in (5, 12, 30):
        outcomes = [
            paired(row, np.arange(articles), 0.5).beyond_margin() for row in draw.normal(0.5, 1, (rounds, articles))
        ]
        wrong = [100 * np.mean([one is each for one in outcomes]) for each in (Outcome.EQUIVALENT, Outcome.DIFFERS)]
        print(f"a difference at the margin, {articles:3} articles: equivalent {wrong[0]:4.1f}, differs {wrong[1]:4.1f}")


def any_found(rows: Floats, planned: tuple[int, ...], how: PlannedSpending) -> float:
    """Share of windows (rounds, hypotheses, articles) in which something is found at any look."""
    stages = [rows[:, :, :size] for size in planned]
    ratios = [each.mean(axis=2) / (each.std(axis=2, ddof=1) / np.sqrt(each.shape[2])) for each in stages]
    z = np.stack([-ndtri(stdtr(size - 1, -np.abs(t))) for size, t in zip(planned, ratios, strict=True)], axis=2)
    kind = Spending.POCOCK if how is PlannedSpending.POCOCK else Spending.OBRIEN_FLEMING
    shares = [size / planned[-1] for size in planned]
    return float(np.mean([any(at is not None for at in found_at(each.tolist(), shares, 0.05, kind)[0]) for each in z]))


def variability(rounds: int) -> None:
    """Identities whose answers have one mean, two of seven of which vary twice as much as the others."""
    print(
        "\nRejections at 5 % where identities differ in variability alone: a bundle's test, and labels over 8 articles"
    )
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
        by_article = over[: len(over) // 8 * 8].reshape(-1, 8, 2)
        labels = 100 * np.mean(
            [[paired(each[:, kind], np.arange(8), 1.0).p_zero <= 0.05 for kind in (0, 1)] for each in by_article],
            axis=0,
        )
        print(
            f"{title:27} against chance: meaning {chance[0]:.1f}, tone {chance[1]:.1f};"
            f" against labels: CFS {labels[0]:.1f}, tone framing {labels[1]:.1f};"
            f" mean CFS {own[:, 0].mean():+.4f}, tone framing {own[:, 1].mean():+.4f}"
        )


def _apart(draw: Draw, spread: Floats) -> Floats:
    """Distances of meaning and tone (2, 21, 21) between 3 generations for each of 7 identities."""
    vectors = np.abs(draw.normal(0, 3, 40) + draw.normal(0, 1, (7, 3, 40)) * spread[:, None, None]).reshape(21, 40)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    tones = np.tanh(draw.normal(0, 0.3, 21) * np.repeat(spread, 3))
    return np.stack([1 - vectors @ vectors.T, np.abs(tones[:, None] - tones)])


def _framings(apart: Floats) -> list[float]:
    """CFS and tone framing of such distances."""
    first = np.arange(0, 21, 3)
    between = apart[:, first][:, :, first].sum(axis=(1, 2)) / 42
    within = np.mean([apart[:, at : at + 3, at : at + 3].sum(axis=(1, 2)) / 6 for at in first], axis=0)
    return [float(each) for each in between - within]


def power(rounds: int) -> None:
    print("\nPromised and simulated power (within 3 points)")
    draw = np.random.default_rng(SEED)
    for score, drawn in SCORES.items():
        scale = float(np.std(drawn(draw, (400_000,))))
        for articles in (3, 5, 8, 12, 30):
            for repeats in (1, 3):
                spread = ClusterSpread(between=0.05**2, within=0.08**2)
                effect = detectable(spread.of_mean(repeats), articles)
                assert effect is not None
                shape = (4 * rounds, articles)
                own = 0.05 * drawn(draw, shape) / scale + draw.normal(0, 0.08 / np.sqrt(repeats), shape) + effect
                ratio = own.mean(axis=1) / (own.std(axis=1, ddof=1) / np.sqrt(articles))
                found = np.mean(ratio > stdtrit(articles - 1, 0.975))
                print(
                    f"mean, {score:10} {articles:3} articles, {repeats} repeats: effect {effect:.4f},"
                    f" promised 80.0, found {100 * found:5.1f}"
                )
    for rate in (0.02, 0.1):
        for articles in (4, 8):
            asked = {"groups": 7, "trials": 7, "clusters": articles}
            rise = detectable_rise(rate, **asked)
            if rise is None:
                print(f"refusals {rate}, {articles} articles: no rise is found with 80 %")
                continue
            promised = rate_power(rate, rise, **asked)
            found = rate_power(rate, rise, **asked, seed=SEED + 1, replicates=max(1000, rounds))
            print(
                f"refusals {rate}, {articles:3} articles: rise {rise:.3f}, promised {100 * promised:5.1f},"
                f" found {100 * found:5.1f}"
            )


def _parts(values: Floats) -> tuple[float, float, float]:
    """Variances of articles, questions and residual of *values* (articles, questions)."""
    item, question = (each.ravel() for each in np.indices(values.shape))
    parts = variance_components(values.ravel(), {"item": item, "question": question}, intervals=False)
    return parts.variance("item"), parts.variance("question"), parts.variance(RESIDUAL)


def planning(rounds: int) -> None:
    """Rounds with the articles, questions and residuals of calibration models' answers to made-up news."""
    print("\nPlan before you pay: promised 80 % on answers of calibration models, found (within 3 points)")
    print(f"{'model':14} {'score':5} {'bundles':>8} " + " ".join(f"{n:>7}" for n in (3, 5, 8, 12, 30)))
    draw = np.random.default_rng(SEED)
    for model in ("neutral", "tailoring-0.3", "tone-0.5"):
        for score, values in framings(model, articles=24).items():
            item, question, residual = (np.sqrt(each) for each in _parts(values))
            questions = values.mean(axis=0) - values.mean()
            questions *= question / questions.std(ddof=1)
            left = values - values.mean(axis=0)
            left = (left - left.mean(axis=1, keepdims=True)).ravel()
            left *= residual / left.std()
            for bundles in (6, 21, 42):
                spread = ClusterSpread(between=item**2, within=residual**2 + question**2 * (1 - bundles / 42))
                found = []
                for articles in (3, 5, 8, 12, 30):
                    effect = detectable(spread.of_mean(bundles), articles)
                    assert effect is not None
                    shape = (rounds, articles)
                    asked = np.argsort(draw.random((*shape, 42)), axis=2)[:, :, :bundles]
                    means_ = (questions[asked] + draw.choice(left, (*shape, bundles))).mean(axis=2)
                    means_ += draw.normal(0, item, shape) + effect
                    ratio = means_.mean(axis=1) / (means_.std(axis=1, ddof=1) / np.sqrt(articles))
                    found.append(100 * float(np.mean(ratio > stdtrit(articles - 1, 0.975))))
                print(f"{model:14} {score:5} {bundles:8} " + " ".join(f"{each:7.1f}" for each in found))
    for rate, correlation in ((0.02, 0.0), (0.02, 0.1), (0.1, 0.1)):
        for articles in (4, 8, 16):
            asked_of = {"groups": 9, "trials": 12, "clusters": articles, "correlation": correlation}
            rise = detectable_rise(rate, **asked_of, alpha=0.05 / 9)
            assert rise is not None
            own = clustered_rates(draw, rate, correlation, (rounds // 2, articles, 1))
            chance = np.repeat(own, 9, axis=2)
            chance[:, :, 0] = np.minimum(1, chance[:, :, 0] + rise)
            trials = np.full((articles, 9), 12)
            by_holm = [groups_within(each, trials).adjusted[0] <= 0.05 for each in draw.binomial(12, chance)]
            print(
                f"refusals {rate}, correlation {correlation}, {articles:2} articles: a rise of {rise:.3f} in 1 of 9"
                f" identities, found after Holm {100 * float(np.mean(by_holm)):5.1f}"
            )


def lengths(rounds: int) -> None:
    """One planted behaviour in answers of unlike lengths."""
    print("\nAnswers of calibration models at several lengths: S, CFS, relative framing (standard error); tone framing")
    for title, options in (("tf-idf", GpfOptions()), ("tf-idf with word pairs", GpfOptions(word_pairs=True))):
        for model in ("neutral", "tailoring-0.1", "tailoring-0.3", "tone-0.5"):
            for words in (30, 60, 120, 250, 400):
                found = scores(model, articles=max(3, rounds // 200), share=0.14, words=words, options=options)
                by_article = {name: np.nanmean(values, axis=1) for name, values in found.items()}
                relative, tone = by_article[RELATIVE_FRAMING], by_article[TONE_FRAMING]
                print(
                    f"{title:22} {model:14} {words:4} words  S {by_article[SEMANTIC_DISPERSION].mean():.3f}"
                    f"  CFS {by_article[COUNTERFACTUAL_FRAMING].mean():+.3f}  relative {relative.mean():+.3f}"
                    f" ({relative.std(ddof=1) / np.sqrt(len(relative)):.3f})  tone {tone.mean():+.3f}"
                )


def charts(rounds: int) -> None:
    print(f"\nControl chart: false alarms per 1000 batches (promised {1000 * RISK:.1f}), shifts found after 12 batches")
    for correlation in (0.0, 0.3, 0.6):
        for title, assumed, together in (
            ("taken for 0", 0.0, 1),
            ("known", correlation, 1),
            ("estimated", None, 1),
            ("of 4 models", None, 4),
        ):
            shifts = {
                shift: watch(
                    shift, correlation=correlation, assumed=assumed, together=together, batches=60, replicates=rounds
                )
                for shift in (1, 2, 4)
            }
            said = ", ".join(
                f"{shift} σ {100 * each.found[11]:3.0f} % (half after {each.half_found_after or 'more than 60'},"
                f" run length {each.run_length:.1f})"
                for shift, each in shifts.items()
            )
            print(f"AR {correlation}, {title:12} {1000 * shifts[1].false_alarms:5.1f}   {said}")


def components(rounds: int) -> None:
    print("\n95 % intervals of a source's standard deviation, 4 models, 42 questions: share that hold it")
    print(f"{'articles':>8} {'batches':>8} " + " ".join(f"{name:>10}" for name in _PLANTED))
    for articles in (4, 8, 12, 30):
        draw = np.random.default_rng((SEED, articles))
        held = np.zeros(len(_PLANTED))
        for _ in range(max(10, rounds // 20)):
            found = _taken_apart(draw, articles)
            held += [part.low <= _PLANTED[part.name] ** 2 <= part.high for part in found]
        shares = " ".join(f"{100 * each / max(10, rounds // 20):10.1f}" for each in held)
        print(f"{articles:8} {articles // 2:8} {shares}")


_PLANTED = {"article": 0.02, "batch": 0.02, "model": 0.1, "dimension": 0.02, "family": 0.02, RESIDUAL: 0.05}


def _taken_apart(draw: Draw, articles: int) -> tuple[Component, ...]:
    sizes = {"article": articles, "model": 4, "dimension": 6, "family": 7}
    places = dict(zip(sizes, (each.ravel() for each in np.indices(tuple(sizes.values()))), strict=True))
    numbers = {"article": places["article"], "batch": places["article"] // 2, **places}
    values = draw.normal(0, _PLANTED[RESIDUAL], len(numbers["article"]))
    for name, number in numbers.items():
        values += draw.normal(0, _PLANTED[name], int(number.max()) + 1)[number]
    return variance_components(values, numbers).parts


TABLES: dict[str, Callable[[int], None]] = {
    "cover": cover,
    "rates": rates,
    "sizes": sizes,
    "variability": variability,
    "power": power,
    "planning": planning,
    "lengths": lengths,
    "charts": charts,
    "components": components,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", help=f"of {', '.join(TABLES)}; all where none is named")
    parser.add_argument("--rounds", type=int, default=4000, help="simulated rounds per line; some lines take a share")
    asked = parser.parse_args()
    for name in asked.tables or TABLES:
        begin = perf_counter()
        TABLES[name](asked.rounds)
        print(f"[{name}: {perf_counter() - begin:.0f} s]")


if __name__ == "__main__":
    main()
