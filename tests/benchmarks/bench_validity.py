"""What the numbers promise beside what they hold: cover, size and power by simulation, seeded, a table per question.

    python -m tests.benchmarks.bench_validity                 some ten minutes, on one core
    python -m tests.benchmarks.bench_validity --rounds 400    fewer rounds
    python -m tests.benchmarks.bench_validity cover power     some of the tables
    python -m tests.benchmarks.bench_validity lengths --encoder FOLDER   lengths by a sentence encoder too

Nothing here is asserted: read the columns against what stands in the line above them.
"""

import argparse
import sys
from collections.abc import Callable
from functools import partial
from itertools import product
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING, SEMANTIC_DISPERSION, TONE_FRAMING
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.methods.gpf_livenews.scorers.sentence_encoder import EncoderOptions
from gpf_desktop.stats.charts import BASELINE, RISK
from gpf_desktop.stats.components import RESIDUAL, Component, variance_components
from gpf_desktop.stats.power import ClusterSpread, detectable, detectable_rise, rate_power
from gpf_desktop.stats.rates import effective_interval, groups_within, rate_interval
from tests.benchmarks.planted_answers import framings, scores
from tests.benchmarks.validity_choices import choices
from tests.benchmarks.validity_concepts import concepts
from tests.benchmarks.validity_conclusions import conclusions
from tests.benchmarks.validity_contexts import contexts
from tests.benchmarks.validity_cover import ARTICLES, bounded, cover
from tests.benchmarks.validity_cues import cues
from tests.benchmarks.validity_fits import fits
from tests.benchmarks.validity_groups import groups
from tests.benchmarks.validity_imported import imported
from tests.benchmarks.validity_odd import odd
from tests.benchmarks.validity_people import people
from tests.benchmarks.validity_pilots import pilots
from tests.benchmarks.validity_promises import promises
from tests.benchmarks.validity_sizes import (
    RATES,
    SCORES,
    SEED,
    clustered_rates,
    confirmatory,
    remedies,
    sizes,
    variability,
)
from tests.benchmarks.validity_studies import studies
from tests.benchmarks.validity_tails import tails
from tests.benchmarks.validity_targets import targets
from tests.benchmarks.validity_tones import tones
from tests.benchmarks.validity_turns import turns
from tests.support.watched_charts import watch

Floats = NDArray[np.float64]
Draw = np.random.Generator


def rates(rounds: int) -> None:
    print("\n95 % intervals of a refusal rate by article, 21 cells each: share that hold it, and their mean width")
    print(f"{'articles differ':20} {'rate':>5} {'correlation':>12} {'articles':>8} {'used':>13} {'Wilson alone':>13}")
    for kind, drawn in RATES.items():
        for rate, correlation, articles in product((0.02, 0.1, 0.4), (0.0, 0.1, 0.4), ARTICLES):
            draw = np.random.default_rng((SEED, articles))
            events = draw.binomial(21, drawn(draw, rate, correlation, (rounds, articles)))
            trials = np.full(articles, 21)
            said = []
            for way in (rate_interval, effective_interval):
                low, high = np.array([way(row, trials) for row in events]).T
                held = 100 * np.mean((low <= rate) & (rate <= high))
                said.append(f"{held:5.1f} ({np.mean(high - low):.3f})")
            print(f"{kind:20} {rate:5} {correlation:12} {articles:8} {said[0]:>13} {said[1]:>13}", flush=True)


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


def lengths(rounds: int, encoder: str = "") -> None:
    """One planted behaviour in answers of unlike lengths; with *encoder*, a model's folder, by that too."""
    print("\nAnswers of calibration models at several lengths: S, CFS, relative framing (standard error); tone framing")
    kinds: dict[str, GpfOptions | EncoderOptions] = {
        "tf-idf": GpfOptions(),
        "tf-idf with word pairs": GpfOptions(word_pairs=True),
    }
    if encoder:
        kinds["sentence encoder"] = EncoderOptions(model=encoder)
    for title, options in kinds.items():
        for model in ("neutral", "tailoring-0.1", "tailoring-0.3", "tone-0.5"):
            for words in (30, 60, 120, 250, 400):
                articles = min(8, max(3, rounds // 200))
                found = scores(model, articles=articles, share=0.14, words=words, options=options)
                mean = {name: np.nanmean(values, axis=1) for name, values in found.items()}
                relative = mean[RELATIVE_FRAMING]
                tone = f"  tone {mean[TONE_FRAMING].mean():+.3f}" if TONE_FRAMING in mean else ""
                print(
                    f"{title:22} {model:14} {words:4} words  S {mean[SEMANTIC_DISPERSION].mean():.3f}"
                    f"  CFS {mean[COUNTERFACTUAL_FRAMING].mean():+.3f}  relative {relative.mean():+.3f}"
                    f" ({relative.std(ddof=1) / np.sqrt(len(relative)):.3f}){tone}",
                    flush=True,
                )


def charts(rounds: int) -> None:
    print(
        f"\nControl chart. Nothing changes: batches outside per 1000 ({1000 * RISK:.1f} promised), and per cent of"
        " series ever outside, after 12, 20, 30, 60 batches. Shifts of one model by 1, 2, 4 σ after 8, 20, 40 batches:"
        " per cent found within 12"
    )
    kinds: dict[str, dict[str, Any]] = {
        "one model": {},
        "one, taken for independent": {"assumed": 0.0},
        "4 models of one news": {"models": 4, "news": 0.8},
        "4 models, minus peers": {"models": 4, "news": 0.8, "peers": True},
    }
    for (title, kind), correlation in product(kinds.items(), (0.0, 0.3, 0.6, 0.8)):
        asked = {"correlation": correlation, "replicates": rounds, **kind}
        calm = watch(0, batches=60 - BASELINE, **asked)
        lengths_ = [each - BASELINE for each in (12, 20, 30, 60)]
        alarms = " ".join(f"{1000 * calm.false_alarms(each):5.1f}" for each in lengths_)
        ever = " ".join(f"{100 * calm.signalled[each - 1]:4.1f}" for each in lengths_)
        found = "   ".join(
            " ".join(
                f"{100 * watch(shift, after=after, batches=12, **asked).signalled[-1]:3.0f}" for shift in (1, 2, 4)
            )
            for after in (8, 20, 40)
        )
        print(f"{title:27} AR {correlation}  {alarms}   ever {ever}   found {found}", flush=True)


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
    "bounded": bounded,
    "rates": rates,
    "sizes": sizes,
    "confirmatory": confirmatory,
    "remedies": remedies,
    "variability": variability,
    "power": power,
    "planning": planning,
    "pilots": pilots,
    "lengths": lengths,
    "fits": fits,
    "people": people,
    "charts": charts,
    "components": components,
    "targets": targets,
    "studies": studies,
    "contexts": contexts,
    "choices": choices,
    "concepts": concepts,
    "groups": groups,
    "conclusions": conclusions,
    "tails": tails,
    "cues": cues,
    "tones": tones,
    "turns": turns,
    "promises": promises,
    "imported": imported,
    "odd": odd,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", help=f"of {', '.join(TABLES)}; all where none is named")
    parser.add_argument("--rounds", type=int, default=1600, help="simulated rounds per line; some lines take a share")
    parser.add_argument("--encoder", default="", help="folder of a sentence encoder, for the table of lengths")
    asked = parser.parse_args()
    if unknown := set(asked.tables) - set(TABLES):
        parser.error(f"no table is called {', '.join(sorted(unknown))}; there are {', '.join(TABLES)}")
    tables = TABLES | {"lengths": partial(lengths, encoder=asked.encoder)}
    wanted, started, worked = asked.tables or list(TABLES), perf_counter(), process_time()
    for at, name in enumerate(wanted, start=1):
        print(f"[{at} of {len(wanted)}: {name}]", file=sys.stderr, flush=True)
        begin, own = perf_counter(), process_time()
        tables[name](asked.rounds)
        print(f"[{name}: {perf_counter() - begin:.0f} s, of one core {process_time() - own:.0f} s]", flush=True)
    print(f"[all: {perf_counter() - started:.0f} s, of one core {process_time() - worked:.0f} s]")


if __name__ == "__main__":
    main()
