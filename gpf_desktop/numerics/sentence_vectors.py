"""Vectors of whole texts by a sentence encoder on this machine."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.numerics.language_models import LanguageModel

Floats = NDArray[np.float64]


def unit_vectors(model: LanguageModel, texts: Sequence[str], *, by_first: bool | None = None) -> dict[int, Floats]:
    """Place in *texts* → unit vector; none for a text without a word.

    *by_first*: a text's vector is that of its first token, else the mean over its tokens; None: as the model's own
    files say, the mean where they say nothing.
    """
    if by_first is None:
        by_first = model.said("1_Pooling/config.json").get("pooling_mode_cls_token") is True
    spoken = [place for place, text in enumerate(texts) if text.strip()]
    vectors: dict[int, Floats] = {}
    for places, states, mask in model.outputs([texts[place] for place in spoken]):
        if states.ndim == 2:
            # Some exports pool inside the model.
            pooled = states
        elif by_first:
            pooled = states[:, 0]
        else:
            # Padding has states too, which belong to no text.
            pooled = (states * mask[:, :, None]).sum(axis=1) / np.maximum(mask.sum(axis=1), 1)[:, None]
        norms = np.linalg.norm(pooled, axis=1)
        for place, vector, norm in zip(places, pooled, norms.tolist(), strict=True):
            # A text without a direction is not valid (method, "Validity"); a NaN from the model must not reach a mean.
            if np.isfinite(norm) and norm > 0:
                vectors[spoken[place]] = vector / norm
    return vectors
