"""Vectors of whole texts by a sentence encoder on this machine."""

from collections.abc import Iterator, Sequence

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.numerics.language_models import LanguageModel


def unit_vectors(
    model: LanguageModel,
    texts: Sequence[str],
    *,
    by_first: bool | None = None,
    told: HowFar = lambda _done, _of: None,
) -> dict[int, Floats]:
    """Place in *texts* → unit vector; none for a text without a word.

    A text longer than the model reads is read in several windows: its vector is the mean of their unit vectors, each
    counted by its tokens, brought to length 1. *by_first*: a window's vector is that of its first token, else the mean
    over its tokens; None: as the model's files say, the mean where they say nothing. *told* how many texts are read.
    """
    by_first = _as_trained(model) if by_first is None else by_first
    total: dict[int, Floats] = {}
    for places, states, mask in model.windows(texts):
        tokens = mask.sum(axis=1)
        for window, unit in _units(_pooled(states, mask, by_first=by_first)):
            place = places[window]
            total[place] = total.get(place, np.zeros_like(unit)) + tokens[window] * unit
        told(len(total), len(texts))
    spoken = [place for place in total if texts[place].strip()]
    if not spoken:
        return {}
    return {spoken[at]: unit for at, unit in _units(np.array([total[place] for place in spoken]))}


def _as_trained(model: LanguageModel) -> bool:
    return model.said("1_Pooling/config.json").get("pooling_mode_cls_token") is True


def _pooled(states: Floats, mask: Floats, *, by_first: bool) -> Floats:
    """A row for each text."""
    if states.ndim == 2:
        # Some exports pool inside the model.
        return states
    if by_first:
        first: Floats = states[:, 0]
        return first
    # Padding has states too, which belong to no text.
    mean: Floats = (states * mask[:, :, None]).sum(axis=1) / np.maximum(mask.sum(axis=1), 1)[:, None]
    return mean


def _units(rows: Floats) -> Iterator[tuple[int, Floats]]:
    """Place and unit vector of each of *rows* that has a direction."""
    for place, norm in enumerate(np.linalg.norm(rows, axis=1).tolist()):
        # A text without a direction is not valid (method, "Validity"); a NaN from the model must not reach a mean.
        if np.isfinite(norm) and norm > 0:
            yield place, rows[place] / norm
