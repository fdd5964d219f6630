"""Robustness variant: dispersion, noise and framing with a sentence encoder in place of tf-idf."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.scores import Chunk, ScoredChunk
from gpf_desktop.domain.text import tr
from gpf_desktop.scorers._gpf_options import GpfOptions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from gpf_desktop.numerics.tfidf import TermRows


class Pooling(StrEnum):
    """How token vectors become one vector; the model's own documentation says which it was trained with."""

    MEAN = "mean"
    FIRST = "first"


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderOptions:
    """The model and how it is used."""

    folder: str = field(
        default="", metadata={"help": "Folder with model.onnx and tokenizer.json of a sentence encoder."}
    )
    pooling: Pooling = field(
        default=Pooling.MEAN, metadata={"help": "Mean of the token vectors, or the first token's vector."}
    )
    longest: int = field(default=512, metadata={"help": "Tokens read of each answer; the rest is cut off."})
    mask: tuple[str, ...] = field(
        default=(), metadata={"help": "Regular expressions that are removed from answers before scoring."}
    )


class SentenceEncoderScorer:
    """Semantic scores by dense vectors; tones are not touched."""

    name = "sentence-encoder"
    version = "1"
    options = EncoderOptions

    @property
    def title(self) -> str:
        return tr("Dispersion by a sentence encoder")

    def score(self, chunk: Chunk, options: EncoderOptions) -> ScoredChunk:
        """The semantic columns of `domain.scores.BUNDLE_SCORES`, and `VALID`. Raises `UserError` without a model."""
        from gpf_desktop.scorers._bundle_scores import score_chunk
        from gpf_desktop.scorers._onnx import load

        load(options.folder, options.longest)
        wanted = (names.SEMANTIC_DISPERSION, names.NOISE, names.COUNTERFACTUAL_FRAMING, names.SEMANTIC_SILHOUETTE)
        return score_chunk(chunk, GpfOptions(mask=options.mask), lambda texts: _encoded(texts, options), wanted)


def _encoded(texts: Sequence[str], options: EncoderOptions) -> "tuple[TermRows, NDArray[np.float64]]":
    """Unit vectors as rows of equal length; none for a text without a word."""
    import numpy as np

    from gpf_desktop.numerics.tfidf import TermRows
    from gpf_desktop.scorers._onnx import load

    spoken = [place for place, text in enumerate(texts) if text.strip()]
    vectors: dict[int, NDArray[np.float64]] = {}
    for places, states, mask in load(options.folder, options.longest).outputs([texts[place] for place in spoken]):
        if states.ndim == 2:
            pooled = states
        elif options.pooling is Pooling.FIRST:
            pooled = states[:, 0]
        else:
            pooled = (states * mask[:, :, None]).sum(axis=1) / np.maximum(mask.sum(axis=1), 1)[:, None]
        norms = np.linalg.norm(pooled, axis=1)
        for place, vector, norm in zip(places, pooled, norms.tolist(), strict=True):
            if np.isfinite(norm) and norm > 0:
                vectors[spoken[place]] = vector / norm
    width = len(next(iter(vectors.values()))) if vectors else 0
    lengths = np.array([width if place in vectors else 0 for place in range(len(texts))], np.int64)
    rows = TermRows(
        np.tile(np.arange(width, dtype=np.int32), len(vectors)),
        np.concatenate([vectors[place] for place in sorted(vectors)] or [np.zeros(0)]),
        np.concatenate([[0], np.cumsum(lengths)]),
        np.arange(width),
    )
    return rows, np.zeros(len(texts))


SCORER = SentenceEncoderScorer()
