"""Tone of whole answers against tone by sentence: what either finds, and where it is at an end of its scale.

An answer is so many sentences, each warm, cold or plain. VADER adds the valences of an answer up and bends the sum,
s / √(s² + 15), so that long answers lie at an end; by sentence each is bent by itself and the mean is taken. Planted is
that one reader of seven gets colder sentences, or as warm ones but fewer; what chance does say seven generations of one
message.
"""

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.methods.gpf_livenews.concluding.framing import CONTENT_SHARE, fixed_bound, page_range, tests_of
from tests.benchmarks.validity_conclusions import ALPHA, MODELS
from tests.benchmarks.validity_sizes import SEED

Floats = NDArray[np.float64]
ARTICLES, BUNDLES, READERS = 10, 6, 7
WARM, COLD, VALENCE, APART = 0.4, 0.1, 1.9, 0.8
AN_END = 0.9
NORM = 15.0


def tones(rounds: int) -> None:
    draw, pages = np.random.default_rng(SEED), max(50, rounds // 8)
    bound = fixed_bound(ALPHA, tests_of(1 - CONTENT_SHARE, MODELS))
    print(
        f"\nTone framing of one model of {MODELS}, {ARTICLES} articles: found, % of {pages}; at an end of the scale, %"
    )
    print(f"{'sentences':>10}{'planted for one reader':>26}{'whole':>9}{'by sentence':>13}{'whole at an end':>17}")
    for length in (3, 6, 12, 25, 50):
        for planted, shorter in ((0.0, 1.0), (0.0, 0.75), (0.0, 0.5), (0.1, 1.0), (0.2, 1.0), (0.4, 1.0)):
            found, ends = np.zeros(2), 0.0
            for _ in range(pages):
                readers, again = _answers(draw, length, planted, shorter), _answers(draw, length, 0.0, 1.0)
                for at, (mine, chance) in enumerate(zip(readers, again, strict=True)):
                    framing = (np.ptp(mine, axis=2) - np.ptp(chance, axis=2)).mean(axis=1)
                    told = page_range(framing, np.arange(ARTICLES), bound)
                    found[at] += told is not None and told.low > 0
                ends += float(np.mean(np.abs(readers[0]) > AN_END))
            share = 100 * found / pages
            words = f"{shorter} of the length" if shorter < 1 else f"{planted} colder"
            print(f"{length:10}{words:>26}{share[0]:9.1f}{share[1]:13.1f}{100 * ends / pages:17.1f}", flush=True)


def _answers(draw: np.random.Generator, length: int, planted: float, shorter: float) -> tuple[Floats, Floats]:
    """Of whole answers and by sentence, (articles, bundles, readers); the first reader's are colder, or shorter."""
    shape = (ARTICLES, BUNDLES, READERS, length)
    colder = np.zeros((READERS, 1))
    colder[0] = planted
    kind = draw.random(shape)
    warm, cold = kind < np.maximum(WARM - colder, 0), kind > 1 - COLD - np.minimum(colder, 1 - WARM - COLD)
    valence = (warm * 1.0 - cold * 1.0) * draw.normal(VALENCE, APART, shape)
    there = np.ones((READERS, length))
    there[0] = np.arange(length) < round(shorter * length)
    total = (valence * there).sum(axis=-1)
    by_sentence = (valence / np.sqrt(valence**2 + NORM) * there).sum(axis=-1) / there.sum(axis=-1)
    return total / np.sqrt(total**2 + NORM), by_sentence
