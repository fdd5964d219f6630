"""Whether framing is more than an echo of the reader's name, and whether the tone of answers can be read at all."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.scores import BundleAnswers, Chunk, FitGroup, ScoreColumn, Unavailable
from gpf_desktop.methods.gpf_livenews.scorers._bundle_scores import score_chunk
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.numerics.encoders import OneReading
from gpf_desktop.numerics.english import english_share

SATURATED: Final = 0.95
"""|compound| from which an answer is at an end: VADER's sum is 12 there, and one word more moves it by .01."""
_MASKED: Final = {
    names.RELATIVE_FRAMING: names.FRAMING_OF_OTHER_WORDS,
    names.TONE_FRAMING: names.TONE_OF_OTHER_WORDS,
}


def readability(chunk: Chunk, options: GpfOptions, reading: OneReading) -> Iterator[ScoreColumn]:
    """The columns of `domain.scores.READABILITY`, one value or reason per bundle of *chunk*, whose texts *reading*
    knows."""
    bundles = [bundle for group in chunk for bundle in group.bundles]
    if options.own_words:
        # With what is masked already: a setting that takes out more words takes these out too.
        masked = replace(options, mask=(*options.mask, *options.own_words), own_words=())
        by_name = {
            column.name: column for column in score_chunk(chunk, masked, wanted=tuple(_MASKED), reading=reading).columns
        }
        for plain, name in _MASKED.items():
            yield ScoreColumn(name=name, values=by_name[plain].values)
    else:
        for name in _MASKED.values():
            yield ScoreColumn(name=name, values=[Unavailable.NOT_MASKED] * len(bundles))
    saturated: list[float | Unavailable] = []
    english: list[float | Unavailable] = []
    for group in chunk:
        for bundle in group.bundles:
            # Framing is measured where answers were repeated, and nowhere else is its tone read.
            texts = _main(group, bundle) if any(bundle.repeats) else []
            saturated.append(_at_an_end(reading, texts) if texts else Unavailable.NO_REPEATS)
            english.append(english_share(texts) if texts else Unavailable.NO_REPEATS)
    yield ScoreColumn(name=names.TONE_SATURATED, values=saturated)
    yield ScoreColumn(name=names.TONE_LANGUAGE, values=english)


def _main(group: FitGroup, bundle: BundleAnswers) -> list[str]:
    return [group.texts[row] for row, repeat in zip(bundle.rows, bundle.repeats, strict=True) if repeat == 0]


def _at_an_end(reading: OneReading, texts: Sequence[str]) -> float:
    return float(np.mean(np.abs(reading.tones(texts)) >= SATURATED))
