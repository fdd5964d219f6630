"""Each main answer beside its bundle and beside the identity-free answers: what the identity profile reads.

Made from the stored answers when it is asked for, one article at a time, always with tf-idf fitted on one article's
main answers: only then have answers of unlike bundles a distance.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.scores import FitGroup
from gpf_desktop.methods.gpf_livenews.cells import Condition

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class BundlePlace:
    """The facts about a bundle that are needed to place its answers."""

    arm: str
    dimension: str
    family: str


def places_of(bundles: pd.DataFrame) -> dict[int, BundlePlace]:
    """The place of each bundle in a bundle frame, by its number."""
    columns = ("bundle_id", "arm", "dimension", "family")
    return {
        int(number): BundlePlace(arm=str(arm), dimension=str(dimension), family=str(family))
        for number, arm, dimension, family in zip(*(bundles[name].tolist() for name in columns), strict=True)
    }


class IdentityAnswers:
    """`domain.answer_profiles.AnswerProfile`. *tone_shift*: an answer's compound minus its bundle's mean; *to_others*:
    its mean distance to the others; *to_identity_free*: to the identity-free answers of the same model, article and
    family (NaN where there are none)."""

    factors = ("dimension", "identity", "family")
    numbers = ("tone_shift", "to_others", "to_identity_free")

    def __init__(self, bundles: pd.DataFrame) -> None:
        self._places = places_of(bundles)

    def rows(self, group: FitGroup) -> Iterable[tuple[Any, ...]]:
        return _answer_rows(group, self._places)


def _answer_rows(group: FitGroup, places: Mapping[int, BundlePlace]) -> Iterable[tuple[Any, ...]]:
    """The rows for the answers of the main bundles of one model and article."""
    import numpy as np

    from gpf_desktop.numerics.distances import bundle_likenesses
    from gpf_desktop.numerics.encoders import Encoders, fit_rows
    from gpf_desktop.numerics.tfidf import weights

    if not group.texts:
        return
    counts, tones, _ = Encoders.of_this_thread(pairs=False).encode(group.texts, by_sentence=False)
    # Identity-free answers are outside of this fit and weigh as the one more (method, "Fit scope").
    fitted = weights(counts, np.zeros(len(group.texts), np.int64), fit_rows(group))
    valid = (counts.lengths > 0) & np.isfinite(tones)
    # Gathered first: identity-free bundles may stand behind the ones that are held against them.
    free: dict[str, list[int]] = {}
    for bundle in group.bundles:
        place = places.get(bundle.bundle)
        if place is not None and place.arm == Condition.IDENTITY_FREE:
            free.setdefault(place.family, []).extend(row for row in bundle.rows if valid[row])
    held = []
    for bundle in group.bundles:
        place = places.get(bundle.bundle)
        if place is None or place.arm != MAIN:
            continue
        members = [
            (row, identity)
            for row, identity, repeat in zip(bundle.rows, bundle.levels, bundle.repeats, strict=True)
            if repeat == 0 and valid[row]
        ]
        if len(members) > 1:
            held.append((bundle.bundle, place, members))
    # Each bundle's answers and those without an identity behind them: most pairs of a group are never asked for.
    rows = [[*(row for row, _ in members), *free.get(place.family, ())] for _, place, members in held]
    asked, sizes = (np.array(some, np.int64) for some in ([row for some in rows for row in some], [*map(len, rows)]))
    like = bundle_likenesses(fitted.of_texts(asked), sizes)
    for number, (bundle_id, place, members) in enumerate(held):
        # Rounding puts equal answers a little beyond a cosine of 1.
        apart = 1.0 - np.clip(like.square(number), 0.0, 1.0)
        count = len(members)
        middle = float(tones[rows[number][:count]].mean())
        for at, (row, identity) in enumerate(members):
            others = [other for other in range(count) if other != at]
            yield (
                bundle_id,
                place.dimension,
                identity,
                place.family,
                float(tones[row]) - middle,
                float(apart[at, others].mean()),
                float(apart[at, count:].mean()) if len(apart) > count else float("nan"),
            )
