"""The probabilities that a text classifier on this machine gives whole texts."""

from collections.abc import Sequence

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.numerics.language_models import LanguageModel


def weighted_odds(
    model: LanguageModel,
    texts: Sequence[str],
    weights: Floats,
    *,
    each_on_its_own: bool = False,
    told: HowFar = lambda _done, _of: None,
) -> Floats:
    """The probabilities of *model*'s classes times *weights*, shapes (classes, columns) and (texts, columns).

    A text longer than the model reads is read in windows, whose numbers are averaged by their tokens; one without a
    word has NaN. *each_on_its_own*: classes do not exclude each other. *told* how many of the distinct texts are read.
    """
    distinct = [text for text in dict.fromkeys(texts) if text.strip()]
    place = {text: number for number, text in enumerate(distinct)}
    # One row more than texts: those without a word point at it, and it stays without a token and so NaN.
    total = np.zeros((len(distinct) + 1, weights.shape[1]))
    tokens = np.zeros(len(distinct) + 1)
    for windows, logits, mask in model.windows(distinct):
        sizes = mask.sum(axis=1)
        # Not `total[windows] +=`, which adds once where a text has several windows in a batch.
        np.add.at(total, windows, _odds(logits, each_on_its_own=each_on_its_own) @ weights * sizes[:, None])
        np.add.at(tokens, windows, sizes)
        told(int(np.count_nonzero(tokens)), len(distinct))
    with np.errstate(divide="ignore", invalid="ignore"):
        means: Floats = np.where(tokens[:, None] > 0, total / tokens[:, None], np.nan)
    return means[[place.get(text, len(distinct)) for text in texts]]


def _odds(logits: Floats, *, each_on_its_own: bool) -> Floats:
    if each_on_its_own:
        apart: Floats = 1 / (1 + np.exp(-logits))
        return apart
    # Less the largest of a row, or `exp` overflows.
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    together: Floats = raised / raised.sum(axis=1, keepdims=True)
    return together
