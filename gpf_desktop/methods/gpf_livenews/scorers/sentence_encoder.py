"""Robustness variant: dispersion, noise and framing with a sentence encoder in place of tf-idf."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Final

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.ports.scorer import HowFar, Scorer, TellsHowFar
from gpf_desktop.domain.scores import Chunk, Measure, ScoredChunk, ScoreVariant
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import MASK, GpfOptions
from gpf_desktop.methods.gpf_livenews.scorers._measures import measures
from gpf_desktop.numerics.model_options import ModelOptions, model_shown

if TYPE_CHECKING:
    from gpf_desktop.arrays import Floats
    from gpf_desktop.numerics.tfidf import TermRows

OF_MANY_LANGUAGES: Final = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"


class Pooling(StrEnum):
    """How token vectors become one vector; the model's own documentation says which it was trained with."""

    AS_TRAINED = "as trained"
    MEAN = "mean"
    FIRST = "first"


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderOptions(ModelOptions):
    """The model and how it is used."""

    model: Annotated[str, model_shown("sentence-transformers/all-MiniLM-L6-v2")] = ""
    pooling: Annotated[
        Pooling,
        Shown(
            label="Pooling",
            help="What the model's own files say (the mean where they say nothing), the mean, or the first.",
        ),
    ] = Pooling.AS_TRAINED
    mask: Annotated[tuple[str, ...], MASK] = ()


_WANTED = (
    names.SEMANTIC_DISPERSION,
    names.NOISE,
    names.COUNTERFACTUAL_FRAMING,
    names.SEMANTIC_SILHOUETTE,
    names.RELATIVE_FRAMING,
    names.DIRECTION_FRAMING,
)


class SentenceEncoderScorer(Scorer, TellsHowFar):
    """Semantic scores by dense vectors; tones are not touched."""

    name = "sentence-encoder"
    version = "6"
    costly = True
    options = EncoderOptions
    title = Translated("How far apart, by meaning (a sentence encoder)")

    @property
    def measures(self) -> tuple[Measure, ...]:
        return measures(*_WANTED)

    @property
    def presets(self) -> Sequence[ScoreVariant]:
        title = tr("How far apart, in many languages by {model}", model=OF_MANY_LANGUAGES)
        options = EncoderOptions(model=OF_MANY_LANGUAGES)
        needs = tr("The model must be on this machine; it can be fetched here from huggingface.co.")
        return (
            ScoreVariant(name="meaning-many-languages", title=title, scorer=self.name, options=options, needs=needs),
        )

    def score(self, chunk: Chunk, options: EncoderOptions) -> ScoredChunk:
        """The semantic columns of `domain.scores.ALL_SCORES`, and `VALID`. Raises `UserError` without a model."""
        return self.score_telling(chunk, options, lambda _done, _of: None)

    def score_telling(self, chunk: Chunk, options: EncoderOptions, told: HowFar) -> ScoredChunk:
        """Score *chunk* as `score` does; *told* is called with how many answers were read."""
        from gpf_desktop.methods.gpf_livenews.scorers._bundle_scores import score_chunk

        # Loaded before any text is read, so that a model that is not here is told at once.
        options.load()
        return score_chunk(chunk, GpfOptions(mask=options.mask), lambda texts: _encoded(texts, options, told), _WANTED)


def _encoded(texts: Sequence[str], options: EncoderOptions, told: HowFar) -> "tuple[TermRows, Floats]":
    """Unit vectors as rows of equal length; none for a text without a word."""
    import numpy as np

    from gpf_desktop.numerics.sentence_vectors import unit_vectors
    from gpf_desktop.numerics.tfidf import TermRows

    by_first = None if options.pooling is Pooling.AS_TRAINED else options.pooling is Pooling.FIRST
    vectors = unit_vectors(options.load(), texts, by_first=by_first, told=told)
    width = len(next(iter(vectors.values()))) if vectors else 0
    lengths = np.array([width if place in vectors else 0 for place in range(len(texts))], np.int64)
    rows = TermRows(
        np.tile(np.arange(width, dtype=np.int32), len(vectors)),
        # By place, as *lengths* counts them: batches of the model come by length of text.
        np.concatenate([vectors[place] for place in sorted(vectors)] or [np.zeros(0)]),
        np.concatenate([[0], np.cumsum(lengths)]),
        np.arange(width),
    )
    # Finite, so that answers stay valid; no score of tone is among those wanted.
    return rows, np.zeros(len(texts))


SCORER = SentenceEncoderScorer()
