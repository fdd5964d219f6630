"""Compares scoring with the plain-library way of the same work, in the same run.

    python -m tests.benchmarks.bench_scoring                    420 bundles both ways, then the paper's cohort ours
    python -m tests.benchmarks.bench_scoring --plain 3718       the whole cohort both ways (some minutes)
    python -m tests.benchmarks.bench_scoring --growth 100000    time per bundle and peak memory up to 100,000

The plain way: per article a TfidfVectorizer, then per bundle SentimentIntensityAnalyzer on each answer,
KMeans(2, n_init=10) and silhouette_score on vectors and on compounds. Times are without start-up and without
making the texts. Beside the cohort stands the plain way over every tenth of its articles.
"""

import argparse
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from math import comb
from statistics import median

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import silhouette_score
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.scores import BundleAnswers, FitGroup, ScoredChunk, Unavailable
from gpf_desktop.engine.core.scoring_pool import ScoringPool
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from gpf_desktop.numerics.spelling import one_spelling
from gpf_desktop.stats.two_means import splits
from tests.benchmarks.answers import articles
from tests.benchmarks.processes import bare_workers, peaks, processor_seconds

COHORT = 3718
RAREFY = 5
Floats = NDArray[np.float64]
Plain = dict[str, float | None]


def plain_scores(group: FitGroup, analyser: SentimentIntensityAnalyzer) -> list[tuple[Plain, list[Floats]]]:
    """Scores of one article's bundles as one would write them first, with the points of both 2-means; of texts in the
    one spelling that scores rest on."""
    group = replace(group, texts=tuple(map(one_spelling, group.texts)))
    vectors = TfidfVectorizer().fit_transform(group.texts)
    return [_plain_bundle(group, bundle, vectors, analyser) for bundle in group.bundles]


def _plain_bundle(
    group: FitGroup, bundle: BundleAnswers, vectors: object, analyser: SentimentIntensityAnalyzer
) -> tuple[Plain, list[Floats]]:
    main = [row for row, repeat in zip(bundle.rows, bundle.repeats, strict=True) if repeat == 0]
    points = vectors[main].toarray()  # type: ignore[index]
    n = len(main)
    distances = 1 - points @ points.T
    tones = np.array([analyser.polarity_scores(group.texts[row])["compound"] for row in main])
    ordered = np.sort(tones)
    m = RAREFY
    weights = [comb(i - 1, m - 1) - comb(n - i, m - 1) for i in range(1, n + 1)]
    scores: Plain = {
        names.SEMANTIC_DISPERSION: float(distances[np.triu_indices(n, 1)].mean()),
        names.NOISE: _plain_noise(bundle, vectors),
        names.SENTIMENT_RANGE: float(tones.max() - tones.min()),
        names.SENTIMENT_MAD: float(np.abs(tones - tones.mean()).mean()),
        names.SENTIMENT_RANGE_RAREFIED: sum(w * c for w, c in zip(weights, ordered, strict=True)) / comb(n, m),
    }
    by_meaning = KMeans(2, n_init=10, random_state=0).fit_predict(points)
    scores[names.SEMANTIC_SILHOUETTE] = float(silhouette_score(points, by_meaning, metric="cosine"))
    line = tones[:, None]
    if ordered[0] == ordered[-1]:
        scores[names.SENTIMENT_SILHOUETTE] = None
    else:
        by_tone = KMeans(2, n_init=10, random_state=0).fit_predict(line)
        scores[names.SENTIMENT_SILHOUETTE] = float(silhouette_score(line, by_tone))
    return scores, [points, line]


def _plain_noise(bundle: BundleAnswers, vectors: object) -> float | None:
    each = []
    for identity in dict.fromkeys(bundle.levels):
        rows = [row for row, own in zip(bundle.rows, bundle.levels, strict=True) if own == identity]
        if len(rows) > 1:
            points = vectors[rows].toarray()  # type: ignore[index]
            each.append((1 - points @ points.T)[np.triu_indices(len(rows), 1)].mean())
    return float(np.mean(each)) if each else None


def disagreements(ours: ScoredChunk, plain: Sequence[tuple[Plain, list[Floats]]]) -> tuple[list[str], int]:
    """What differs by more than 1e-9, and how many silhouettes are of a better split than KMeans found."""
    columns = {column.name: column.values for column in ours.columns}
    found: list[str] = []
    better = 0
    for place, (expected, points) in enumerate(plain):
        for name, value in expected.items():
            own = columns[name][place]
            if value is None or isinstance(own, Unavailable):
                if (value is None) != isinstance(own, Unavailable):
                    found.append(f"bundle {place}: {name} {own} instead of {value}")
            elif abs(own - value) > 1e-9:
                which = {names.SEMANTIC_SILHOUETTE: 0, names.SENTIMENT_SILHOUETTE: 1}.get(name)
                if which is not None and _is_better(points[which]):
                    better += 1
                else:
                    found.append(f"bundle {place}: {name} {own} instead of {value}")
    return found, better


def _is_better(points: Floats) -> bool:
    """Whether KMeans, asked again as the plain way asked it, stopped above the optimum or at a tie."""
    inertia = KMeans(2, n_init=10, random_state=0).fit(points).inertia_
    best = []
    for labels in splits(len(points)):
        parts = (points[labels], points[~labels])
        best.append(sum(((part - part.mean(axis=0)) ** 2).sum() for part in parts))
    best.sort()
    return bool(inertia > best[0] + 1e-12 or best[1] <= best[0] + 1e-12)


def in_pool(pool: ScoringPool, groups: Sequence[FitGroup]) -> float:
    """Seconds for scoring *groups* in chunks of about 200 bundles."""
    remaining: Iterator[FitGroup] = iter(groups)
    begun = time.perf_counter()
    futures = []
    while chunk := list(islice(remaining, 5)):
        futures.append(pool.submit(SCORER.name, chunk, GpfOptions(rarefy=RAREFY)))
    for future in futures:
        future.result()
    return time.perf_counter() - begun


def plainly(groups: Sequence[FitGroup]) -> float:
    """Seconds of the plain way for a bundle of *groups*."""
    analyser = SentimentIntensityAnalyzer()
    begun = time.perf_counter()
    for group in groups:
        plain_scores(group, analyser)
    return (time.perf_counter() - begun) / sum(len(group.bundles) for group in groups)


def megabytes(who: int) -> float:
    """Peak resident memory; ru_maxrss is in KB, on macOS in bytes."""
    peak = resource.getrusage(who).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def compare(bundles: int, pool: ScoringPool) -> None:
    """Both ways over the same bundles: ratio per bundle, and every score compared."""
    groups = list(articles(bundles))
    answers = sum(len(group.texts) for group in groups)
    analyser = SentimentIntensityAnalyzer()
    plain_scores(next(articles(2, seed=99)), analyser)
    begun = time.perf_counter()
    plain = list(chain.from_iterable(plain_scores(group, analyser) for group in groups))
    plainly = time.perf_counter() - begun
    SCORER.score(list(articles(420, seed=98)), GpfOptions(rarefy=RAREFY))
    begun = time.perf_counter()
    ours = SCORER.score(groups, GpfOptions(rarefy=RAREFY))
    alone = time.perf_counter() - begun
    both = in_pool(pool, groups)
    found, better = disagreements(ours, plain)
    print(f"{bundles} bundles, {answers} answers of about 200 words")
    print(f"  plain way            {1000 * plainly / bundles:8.3f} ms a bundle")
    print(f"  one process          {1000 * alone / bundles:8.3f} ms a bundle   {plainly / alone:6.1f} times as fast")
    print(f"  {pool.workers} worker processes   {1000 * both / bundles:8.3f} ms a bundle   {plainly / both:6.1f} times")
    print(f"  scores that differ by more than 1e-9: {len(found)}; silhouettes of a better or equal split: {better}")
    for line in found[:10]:
        print("   ", line)


def growth(upto: int, pool: ScoringPool) -> None:
    """Time per bundle as bundles are streamed through the pool, and peak memory of each process.

    The median over blocks of bundles is given beside the total, since other programs disturb single blocks.
    """
    block = 4200
    done, total, each, used = 0, 0.0, list[float](), list[float]()
    marks = sorted({upto // 10, upto // 3, upto})
    for seed in range(1 + upto // block):
        groups = list(articles(min(block, upto - done), seed=seed + 100))
        if not groups:
            break
        before, size = processor_seconds(), sum(len(group.bundles) for group in groups)
        seconds = in_pool(pool, groups)
        total += seconds
        each.append(1000 * seconds / size)
        used.append(1000 * (processor_seconds() - before) / size)
        done += size
        while marks and done >= marks[0]:
            marks.pop(0)
            memory = " + ".join(f"{one:.0f}" for one in peaks())
            print(
                f"  {done:7d} bundles  {total:7.2f} s  the last blocks {median(each[-5:]):6.3f} ms a bundle,"
                f" {median(used[-5:]):6.3f} ms of processor; peak memory {memory} MB",
                flush=True,
            )
    print(f"  peak memory of this process (with the texts it makes) {megabytes(resource.RUSAGE_SELF):.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plain", type=int, default=420, help="bundles scored both ways")
    parser.add_argument("--cohort", type=int, default=COHORT, help="bundles scored our way only")
    parser.add_argument("--growth", type=int, default=0, help="stream up to this many bundles")
    asked = parser.parse_args()
    bare_workers()
    with ScoringPool() as pool:
        for ready in pool.warm():
            ready.result()
        in_pool(pool, list(articles(420, seed=98)))
        compare(asked.plain, pool)
        if asked.cohort:
            cohort = list(articles(asked.cohort, repeated=0.0))
            seconds = in_pool(pool, cohort)
            each = plainly(cohort[::10]) * asked.cohort / seconds
            print(
                f"{asked.cohort} bundles (the paper's cohort is {COHORT}): {seconds:.2f} s with {pool.workers} workers,"
                f" {each:.1f} times as fast as the plain way"
            )
        if asked.growth:
            print("growth:")
            growth(asked.growth, pool)
    print(f"peak memory of a worker {megabytes(resource.RUSAGE_CHILDREN):.0f} MB")


if __name__ == "__main__":
    main()
