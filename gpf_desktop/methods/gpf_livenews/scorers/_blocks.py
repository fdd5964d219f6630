"""Answers of a chunk on their way to scores: tokenised, fitted and measured some thousand at a time."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import BundleAnswers, Chunk, FitGroup
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.numerics.distances import BundleDistances, bundle_distances
from gpf_desktop.numerics.encoders import TEXTS_AT_ONCE, OneReading, fit_rows
from gpf_desktop.numerics.merged_frequencies import weights_within
from gpf_desktop.numerics.references import masked
from gpf_desktop.numerics.tfidf import TermRows, weights


def together(chunk: Chunk) -> Iterator[list[FitGroup]]:
    """Whole fit groups, some thousand texts at a time; those of a wider fit stand with others of that fit only."""
    block: list[FitGroup] = []
    texts = 0
    for group in chunk:
        # By identity: groups of a run share one fit, and comparing its bytes would walk over the run's vocabulary.
        if block and (texts + len(group.texts) > TEXTS_AT_ONCE or group.wider is not block[-1].wider):
            yield block
            block, texts = [], 0
        block.append(group)
        texts += len(group.texts)
    if block:
        yield block


@dataclass(frozen=True, slots=True)
class BlockAnswers:
    """Valid answers of a block, bundle by bundle."""

    text: Ints
    """Row of the block's texts."""
    bundle: Ints
    repeat: Ints
    identity: Ints
    """A number per identity, within its bundle; all 0 in bundles without repeats."""
    words: Ints
    """Of each answer."""
    present: Ints
    """Per bundle: answers of repeat 0, valid or not."""

    @property
    def bundles(self) -> int:
        return len(self.present)

    @property
    def sizes(self) -> Ints:
        """Valid answers per bundle, repeats included."""
        return np.bincount(self.bundle, minlength=self.bundles)

    @property
    def main(self) -> Ints:
        """Places of the answers of repeat 0."""
        return np.flatnonzero(self.repeat == 0)


def _answers(groups: Sequence[FitGroup], valid: Bools, words: Ints) -> BlockAnswers:
    """*valid* and *words* of each text of *groups*."""
    texts: list[int] = []
    repeats: list[int] = []
    identities: list[int] = []
    sizes: list[int] = []
    base = 0
    for group in groups:
        for bundle in group.bundles:
            texts.extend([base + row for row in bundle.rows])
            repeats.extend(bundle.repeats)
            sizes.append(len(bundle.rows))
            # Who said what is asked for noise alone, and only bundles with repeats have any.
            if any(bundle.repeats):
                numbers = {identity: number for number, identity in enumerate(dict.fromkeys(bundle.levels))}
                identities.extend([numbers[identity] for identity in bundle.levels])
            else:
                identities.extend([0] * len(bundle.rows))
        base += len(group.texts)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    text, repeat = np.array(texts, np.int64), np.array(repeats, np.int64)
    kept = valid[text] if len(text) else np.zeros(0, bool)
    return BlockAnswers(
        text=text[kept],
        words=words[text[kept]],
        bundle=owner[kept],
        repeat=repeat[kept],
        identity=np.array(identities, np.int64)[kept],
        present=np.bincount(owner[repeat == 0], minlength=len(sizes)),
    )


@dataclass(frozen=True, slots=True)
class Slice:
    """Some bundles of a block, low … high - 1, with the vectors of their answers and the distances between them."""

    low: int
    high: int
    begin: int
    """Place of their first answer in the block's `BlockAnswers`."""
    rows: TermRows
    distances: BundleDistances


@dataclass(frozen=True, slots=True)
class Block:
    """Some fit groups, scored together."""

    groups: Sequence[FitGroup]
    answers: BlockAnswers
    tones: Floats
    """One per answer."""
    fitted: TermRows
    """One row per answer."""

    @property
    def bundles(self) -> list[BundleAnswers]:
        """The bundles in the order of their numbers in `BlockAnswers.bundle`."""
        return [bundle for group in self.groups for bundle in group.bundles]

    def slices(self) -> Iterator[Slice]:
        for low, high in _slices(self.answers.sizes):
            begin, end = np.searchsorted(self.answers.bundle, [low, high]).tolist()
            rows = self.fitted.of_texts(np.arange(begin, end))
            yield Slice(low, high, begin, rows, bundle_distances(rows, self.answers.sizes[low:high]))


Encode = Callable[[Sequence[str]], tuple[TermRows, Floats]]
"""Unit vectors and tones of texts by an encoder that needs no fit; a text without a vector is not valid."""


def reading_of(options: GpfOptions) -> OneReading:
    """Reads texts as *options* have it."""
    return OneReading(pairs=options.word_pairs, by_sentence=options.by_sentence)


def blocks(
    chunk: Chunk, options: GpfOptions, encode: Encode | None = None, reading: OneReading | None = None
) -> Iterator[Block]:
    """*chunk* cut into blocks of whole fit groups, encoded and fitted: by tf-idf and VADER, or by *encode*.

    *reading*: what is known of these texts already, and learns what is read here; else each block is read by itself.
    """
    for groups in together(chunk):
        said = [text for group in groups for text in group.texts]
        if encode is not None:
            rows, tones = encode(masked(said, options.mask))
            answers = _answers(groups, (rows.lengths > 0) & np.isfinite(tones), _words(said))
            yield Block(groups, answers, tones[answers.text], rows.of_texts(answers.text))
            continue
        read = reading or reading_of(options)
        counts, tones, words = read(masked(said, options.mask))
        # Of what was said: masked texts are shorter than the answers that the tables speak of.
        answers = _answers(
            groups, (counts.lengths > 0) & np.isfinite(tones), read.words(said) if options.mask else words
        )
        if options.fit_scope is FitScope.BUNDLE:
            fitted = weights(counts.of_texts(answers.text), answers.bundle)
        # `together` leaves groups of one fit only in a block, so that the first speaks for all.
        elif (wider := groups[0].wider) is not None:
            fitted = weights_within(counts, read.terms, wider).of_texts(answers.text)
        else:
            group_of_text = np.repeat(np.arange(len(groups)), [len(group.texts) for group in groups])
            wanted = (
                np.concatenate([fit_rows(group) for group in groups]) if options.fit_scope is FitScope.MAIN else None
            )
            fitted = weights(counts, group_of_text, wanted).of_texts(answers.text)
        yield Block(groups, answers, tones[answers.text], fitted)


def _words(texts: Sequence[str]) -> Ints:
    return np.array([len(text.split()) for text in texts], np.int64)


def _slices(sizes: Ints) -> Iterator[tuple[int, int]]:
    """Runs of bundles with some thousand answers each, so that a fit over a whole run keeps its memory."""
    ends = np.cumsum(sizes)
    low = 0
    while low < len(sizes):
        done = int(ends[low - 1]) if low else 0
        # One bundle at least, however many answers it has: the loop must come forward.
        high = max(low + 1, int(np.searchsorted(ends, done + 2 * TEXTS_AT_ONCE, side="right")))
        yield low, high
        low = high
