"""Why a bundle scores as it does: numbers that add up to the score they explain (method, "Explanations").

answers   shares of S                 Σ contribution = S
terms     S by term                   Σ contribution = S
tones     VADER words of each answer  Σ contribution + punctuation = the sum that the compound normalises
"""

from dataclasses import dataclass

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import BundleAnswers, FitGroup
from gpf_desktop.numerics.distances import bundle_distances
from gpf_desktop.numerics.encoders import Encoders, fit_rows
from gpf_desktop.numerics.merged_frequencies import weights_within
from gpf_desktop.numerics.tfidf import TermRows, TermTable, weights
from gpf_desktop.numerics.tone_trace import ToneTrace, trace


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerShare:
    """One answer's part in S."""

    level: str
    contribution: float
    """Its part of S: half of each of its pairs; contributions of a bundle add up to S."""
    share: float
    """The same as a share of S; 0 where S is 0."""
    without: float | None
    """S of the other answers; None where fewer than two are left."""
    tone: ToneTrace


@dataclass(frozen=True, slots=True, kw_only=True)
class TermShare:
    """One term's part in S: how unlike its weights are across the answers."""

    term: str
    contribution: float
    weights: tuple[float, ...]
    """Its weight in each answer, in the explanation's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleExplanation:
    """The valid answers of repeat 0 and the terms, largest contribution first."""

    dispersion: float
    answers: tuple[AnswerShare, ...]
    """In the bundle's order."""
    terms: tuple[TermShare, ...]


def explain(
    group: FitGroup, bundle: BundleAnswers, *, fit_scope: FitScope = FitScope.MAIN, word_pairs: bool = False
) -> BundleExplanation | None:
    """Explain *bundle* of *group*; None where it has fewer than two valid answers.

    Where *group* names a wider fit, that is the one its weights come from, as in the scores (`GpfOptions`).

    A term's contribution is Σ_{i<j} (x_it - x_jt)² / (n(n-1)), since 1 - a·b = ½‖a - b‖²; terms of equal weight in all
    answers contribute nothing and are left out.
    """
    encoders = Encoders.of_this_thread(pairs=word_pairs)
    counts, tones, _ = encoders.encode(group.texts, by_sentence=False)
    valid = (counts.lengths > 0) & np.isfinite(tones)
    fitted_rows = [row for row in bundle.rows if valid[row]]
    main = [
        (row, level)
        for row, level, repeat in zip(bundle.rows, bundle.levels, bundle.repeats, strict=True)
        if repeat == 0 and valid[row]
    ]
    if len(main) < 2:
        return None
    texts = np.array([row for row, _ in main])
    if fit_scope is FitScope.BUNDLE:
        alone = weights(counts.of_texts(np.array(fitted_rows)), [0] * len(fitted_rows))
        # Repeats of the bundle are in its fit too, though not in S.
        rows = alone.of_texts(np.array([fitted_rows.index(row) for row, _ in main]))
    elif group.wider is not None:
        # The order is that of the scorer's `blocks`: what is explained must be the score that was kept.
        rows = weights_within(counts.of_texts(texts), encoders.terms, group.wider)
    else:
        wanted = fit_rows(group) if fit_scope is FitScope.MAIN else None
        rows = weights(counts, [0] * len(counts), wanted).of_texts(texts)
    square = bundle_distances(rows, np.array([len(main)])).square(0)
    return BundleExplanation(
        dispersion=dispersion(square),
        answers=tuple(
            AnswerShare(
                level=level,
                contribution=contribution,
                share=share,
                without=without,
                tone=trace(group.texts[row]),
            )
            for (row, level), (contribution, share, without) in zip(main, _answer_shares(square), strict=True)
        ),
        terms=_term_shares(rows, encoders.terms),
    )


def dispersion(square: Floats) -> float:
    """S from the distances (n, n) between n ≥ 2 answers."""
    n = len(square)
    return float(np.clip(square[np.triu_indices(n, 1)].sum() / (n * (n - 1) / 2), 0.0, 1.0))


def _answer_shares(square: Floats) -> list[tuple[float, float, float | None]]:
    """Per answer: contribution to S, share of S, S without it."""
    n = len(square)
    sums = square.sum(axis=1)
    whole = sums.sum()
    shares = []
    for place in range(n):
        left = np.delete(np.arange(n), place)
        without = dispersion(square[np.ix_(left, left)]) if n > 2 else None
        share = float(sums[place] / whole) if whole > 0 else 0.0
        shares.append((float(sums[place] / (n * (n - 1))), share, without))
    return shares


def _term_shares(rows: TermRows, table: TermTable) -> tuple[TermShare, ...]:
    n = len(rows)
    columns: Ints = np.unique(rows.terms)
    square = rows.dense()
    # Σ_{i<j} (x_i − x_j)² = n Σ (x_i − mean)², so the n of n (n − 1) cancels, and no pair is visited.
    parts = ((square - square.mean(axis=0)) ** 2).sum(axis=0) / (n - 1)
    order = np.argsort(-parts, kind="stable")
    return tuple(
        TermShare(
            term=table.term(rows.names[columns[place]]),
            contribution=float(parts[place]),
            weights=tuple(square[:, place].tolist()),
        )
        for place in order.tolist()
        if parts[place] > 0
    )
