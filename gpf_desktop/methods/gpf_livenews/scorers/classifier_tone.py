"""Robustness variant: tone range, MAD and rarefied range with a sentiment classifier in place of VADER."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.errors import UserError
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

OF_MANY_LANGUAGES: Final = "lxyuan/distilbert-base-multilingual-cased-sentiments-student"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToneClassifierOptions(ModelOptions):
    """The model and how it is used."""

    model: Annotated[str, model_shown("a sentiment classifier with classes “positive” and “negative”")] = ""
    rarefy: Annotated[
        int,
        Shown(
            label="Answers that a fair spread of tone is of",
            help="The spread of tone that this many answers have on average.",
        ),
    ] = 5
    mask: Annotated[tuple[str, ...], MASK] = ()


_WANTED = (
    names.SENTIMENT_RANGE,
    names.SENTIMENT_MAD,
    names.SENTIMENT_RANGE_RAREFIED,
    names.SENTIMENT_SILHOUETTE,
    names.TONE_NOISE,
    names.TONE_FRAMING,
    names.TONE_SHIFT,
)


class ClassifierToneScorer(Scorer, TellsHowFar):
    """Tone of an answer: probability of "positive" minus probability of "negative"; meaning is not touched."""

    name = "classifier-tone"
    version = "6"
    costly = True
    options = ToneClassifierOptions
    title = Translated("Tone by a sentiment classifier")

    @property
    def measures(self) -> tuple[Measure, ...]:
        return measures(*_WANTED)

    @property
    def presets(self) -> Sequence[ScoreVariant]:
        title = tr("Tone in many languages by {model}", model=OF_MANY_LANGUAGES)
        options = ToneClassifierOptions(model=OF_MANY_LANGUAGES)
        needs = tr("The model must be on this machine; it can be fetched here from huggingface.co.")
        return (ScoreVariant(name="tone-many-languages", title=title, scorer=self.name, options=options, needs=needs),)

    def score(self, chunk: Chunk, options: ToneClassifierOptions) -> ScoredChunk:
        """The tone columns of `domain.scores.ALL_SCORES`, and `VALID`. Raises `UserError` without a model."""
        return self.score_telling(chunk, options, lambda _done, _of: None)

    def score_telling(self, chunk: Chunk, options: ToneClassifierOptions, told: HowFar) -> ScoredChunk:
        """Score *chunk* as `score` does; *told* is called with how many answers were read."""
        from gpf_desktop.methods.gpf_livenews.scorers._bundle_scores import score_chunk

        signs = _signs(options.load().folder)
        settings = GpfOptions(mask=options.mask, rarefy=options.rarefy)
        return score_chunk(chunk, settings, lambda texts: _tones(texts, options, signs, told), _WANTED)


def _signs(folder: Path) -> list[float]:
    """+1, -1 or 0 for each class of the model, from the labels in its config.json. Raises `UserError`."""
    try:
        labels = json.loads((folder / "config.json").read_text(encoding="utf-8"))["id2label"]
        named = [str(labels[str(number)]).lower() for number in range(len(labels))]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UserError(
            tr("“{folder}” has no config.json that names the model's classes.", folder=str(folder)),
            tr("Copy config.json of the model into the folder."),
        ) from error
    signs = [1.0 if name.startswith("pos") else -1.0 if name.startswith("neg") else 0.0 for name in named]
    if 1.0 not in signs or -1.0 not in signs:
        raise UserError(
            tr("The model's classes are {labels}: none is “positive” and none “negative”.", labels=", ".join(named)),
            tr("Choose a sentiment classifier, or name its classes in config.json."),
        )
    return signs


def _tones(
    texts: Sequence[str], options: ToneClassifierOptions, signs: Sequence[float], told: HowFar
) -> "tuple[TermRows, Floats]":
    """A tone per text, NaN for one without a word, and vectors that are all alike."""
    import numpy as np

    from gpf_desktop.numerics.text_classes import weighted_odds
    from gpf_desktop.numerics.tfidf import TermRows

    tones = weighted_odds(options.load(), texts, np.array(signs)[:, None], told=told)[:, 0]
    n = len(texts)
    # One common term: an answer without a vector would not be valid, though meaning is not measured here.
    return TermRows(np.zeros(n, np.int32), np.ones(n), np.arange(n + 1), np.arange(1)), tones


SCORER = ClassifierToneScorer()
