"""Weights of the read bundles that were drawn at random: how many others each of them stands for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain.queue_samples import SampleKind
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.storage.counted_verdicts import CountedVerdict
from gpf_desktop.storage.review_samples import DrawnSample

if TYPE_CHECKING:
    import pandas as pd


_CHOSEN: Final = (SampleKind.TOP, SampleKind.CONCLUSION)
"""Samples whose bundles were chosen by what was computed of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSample:
    """The readings that may be taken for the population's."""

    frame: Any
    """Rows of `ScoreTables.bundles` that were drawn and read, with ``verdict`` and ``weight``."""
    drawn: int
    """Bundles in the samples, read or not."""
    samples: int
    synthetic: bool
    """All of them are of calibration models: these are taken only where no others were read."""


def read_sample(bundles: pd.DataFrame, verdicts: Sequence[CountedVerdict], drawn: Sequence[DrawnSample]) -> ReadSample:
    """The *bundles* in a random or stratified sample that have a verdict which says yes or no, with their weights.

    A weight is 1 over the chance of a bundle to be drawn and read: readings of a sample over its pool, or within a
    stratum over that stratum. All samples of an audit go by one seed, so that the larger holds the smaller: of several
    samples the largest chance counts. An unread rest of a sample is taken for missing at random.
    """
    said = {int(each.bundle_id): each.verdict for each in verdicts if each.verdict not in (None, str(Verdict.UNSURE))}
    chances: dict[int, float] = {}
    every: set[int] = set()
    samples = [each for each in drawn if each.drawing.kind not in _CHOSEN and each.wanted.bundle_ids]
    for sample in samples:
        ids = [int(number) for number in sample.wanted.bundle_ids or ()]
        every.update(ids)
        for number, chance in _chances(sample, [each for each in ids if each in said], bundles):
            chances[number] = max(chances.get(number, 0.0), chance)
    some = bundles[bundles["bundle_id"].isin(list(chances))]
    real = some[~some["synthetic"]]
    kept = (real if len(real) else some).copy()
    kept["verdict"] = [said[int(number)] for number in kept["bundle_id"]]
    kept["weight"] = [1.0 / chances[int(number)] for number in kept["bundle_id"]]
    return ReadSample(frame=kept, drawn=len(every), samples=len(samples), synthetic=not len(real) and len(kept) > 0)


def _chances(sample: DrawnSample, read: Sequence[int], bundles: pd.DataFrame) -> Sequence[tuple[int, float]]:
    """The chance to be drawn and read of each of *read*, bundles of *sample*."""
    drawing = sample.drawing
    # Strata of which these bundles have no column cannot be told apart, nor can what was drawn by a flag or a category
    # be told from the rest: their readings count as drawn evenly.
    unlike = sample.wanted.flag is not None or sample.wanted.categories
    if drawing.kind is SampleKind.RANDOM or unlike or any(name not in bundles for name in drawing.strata):
        return [(number, len(read) / drawing.pool) for number in read]
    pool = _pool(sample, bundles)
    places = zip(*(pool[name].astype(str) for name in drawing.strata), strict=True)
    stratum = dict(zip(pool["bundle_id"].tolist(), places, strict=True))
    sizes: dict[object, int] = {}
    for place in stratum.values():
        sizes[place] = sizes.get(place, 0) + 1
    readings: dict[object, int] = {}
    for number in read:
        readings[stratum.get(number)] = readings.get(stratum.get(number), 0) + 1
    # Who lies outside the present filter has no stratum here, and is left out by it anyway.
    return [(number, readings[stratum[number]] / sizes[stratum[number]]) for number in read if number in stratum]


def _pool(sample: DrawnSample, bundles: pd.DataFrame) -> pd.DataFrame:
    """The part of *bundles* from which *sample* was drawn."""
    wanted = sample.wanted
    keep: Any = bundles["arm"] == wanted.arm if wanted.arm else bundles["bundle_id"].notna()
    asked = (("model", wanted.model), ("article_id", wanted.article_id), ("batch_id", wanted.batch_id))
    for name, value in (*asked, ("run_id", wanted.run_id), ("stratum", wanted.stratum), *wanted.levels):
        if value is not None:
            keep &= bundles[name] == value
    found: pd.DataFrame = bundles[keep]
    return found
