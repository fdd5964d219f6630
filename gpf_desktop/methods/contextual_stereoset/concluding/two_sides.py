"""Conclusions on two sides of an audit: the method's gates, with all comparisons of one kind counted together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.domain.conclusions.conclusion import Conclusion, MeasureReading, Standing
from gpf_desktop.domain.conclusions.gates import GateReading, ModelEvidence, concluded, measure_key
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.asked_twice import PairedChoices, SideDifference
from gpf_desktop.methods.contextual_stereoset.concluding.evidence import name, outcome_of
from gpf_desktop.methods.contextual_stereoset.concluding.gates import ALPHA, FEWEST_ITEMS, GATES, ROUGH_ITEMS
from gpf_desktop.methods.contextual_stereoset.concluding.shifts import ItemMean, item_mean, same_way
from gpf_desktop.methods.contextual_stereoset.position import most_chosen_letter
from gpf_desktop.methods.contextual_stereoset.words import contrast_words, option_title

CHOICE: Final = "choice"
CONTRASTS: Final = "contrasts"
"""The two scores of a comparison, by which a margin may be stated."""
_FEWEST_TESTED: Final = 3
_KEPT: Final = frozenset(
    {
        "few_items",
        "few_of_contrast",
        "no_choice",
        "one_letter",
        "missing_could_make_it",
        "some_missing",
        "rough_items",
        "rough_contrast",
    }
)
"""Gates that two sides of a model have readings for: the orders of options are the same at both."""
_GATES: Final = tuple(gate for gate in GATES if gate.key in _KEPT)


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedSides:
    """Two sides with what is concluded of them."""

    sides: PairedChoices
    found: tuple[SideDifference, ...]
    """As many as measures, in their order."""
    conclusion: Conclusion


def tested(every: Sequence[tuple[PairedChoices, bool, Mapping[str, float]]]) -> list[TestedSides]:
    """Each of *every* pair of sides (whether it is made up, and its margins), with one level for all tests; real ones
    and test models apart."""
    found = [[each for each in sides.differences() if each.items >= _FEWEST_TESTED] for sides, _, _ in every]
    tests = {
        kind: sum(len(some) for some, (_, synthetic, _) in zip(found, every, strict=True) if synthetic == kind)
        for kind in (False, True)
    }
    return [
        TestedSides(
            sides=sides,
            found=tuple(some),
            conclusion=concluded(_evidence(sides, some, synthetic, ALPHA / max(tests[synthetic], 1), margins), _GATES),
        )
        for (sides, synthetic, margins), some in zip(every, found, strict=True)
    ]


def _evidence(
    sides: PairedChoices, found: Sequence[SideDifference], synthetic: bool, alpha: float, margins: Mapping[str, float]
) -> ModelEvidence:
    means = [item_mean(each.by_item, alpha) for each in found]
    taken = [
        [item_mean(way, alpha) for way in each.extremes if (~np.isnan(way)).sum() >= _FEWEST_TESTED] for each in found
    ]
    used = max((each.items for each in means), default=0)
    asked = int(sides.asked.sum())
    letters = [most_chosen_letter(each) for each in (sides.first, sides.second)]
    letter, often = max(letters, key=lambda each: each[1])
    readings = {
        "few_items": GateReading(value=len(sides.first.items), numbers={"n": len(sides.first.items)}),
        "no_choice": GateReading(
            value=used if len(sides.first.items) >= FEWEST_ITEMS else FEWEST_ITEMS,
            numbers={"n": sides.missing, "of": asked, "items": used},
        ),
        "rough_items": GateReading(value=used, numbers={"n": used}),
        "one_letter": GateReading(value=often, numbers={"letter": letter, "share": often}),
        "some_missing": GateReading(value=sides.missing / max(asked, 1), numbers={"n": sides.missing, "of": asked}),
        **dict(_by_measure(found, means, taken, used)),
    }
    return ModelEvidence(
        model=sides.first.model,
        synthetic=synthetic,
        standing=Standing(items=used),
        measures=tuple(
            _measure(each, mean, ways, sides.first.labels, margins)
            for each, mean, ways in zip(found, means, taken, strict=True)
        ),
        readings=readings,
    )


def _by_measure(
    found: Sequence[SideDifference], means: Sequence[ItemMean], taken: Sequence[Sequence[ItemMean]], used: int
) -> Iterator[tuple[str, GateReading]]:
    for each, mean, ways in zip(found, means, taken, strict=True):
        numbers: dict[str, float | int | str] = {"measure": _words(each), "n": mean.items}
        if used >= FEWEST_ITEMS:
            yield measure_key("few_of_contrast", _name(each)), GateReading(value=mean.items, numbers=numbers)
        if used >= ROUGH_ITEMS and mean.items >= FEWEST_ITEMS:
            yield measure_key("rough_contrast", _name(each)), GateReading(value=mean.items, numbers=numbers)
        if mean.told:
            lost = float(not same_way(mean, ways))
            yield measure_key("missing_could_make_it", _name(each)), GateReading(value=lost, numbers=numbers)


def _measure(
    each: SideDifference, mean: ItemMean, ways: Sequence[ItemMean], labels: str, margins: Mapping[str, float]
) -> MeasureReading:
    margin = margins.get(CHOICE if each.contrast is None else CONTRASTS) or None
    option = option_title(labels[0])
    return MeasureReading(
        name=_name(each),
        words=tr("{option} chosen", option=option) if each.contrast is None else _words(each),
        value=mean.value,
        low=mean.low,
        high=mean.high,
        null=(0.0, 0.0),
        margin=margin,
        p=mean.p,
        outcome=outcome_of(mean, margin, ways),
        scale=(-1.0, 1.0) if each.contrast is None else (-2.0, 2.0),
    )


def _name(each: SideDifference) -> str:
    return CHOICE if each.contrast is None else name(each.contrast)


def _words(each: SideDifference) -> str:
    return tr("the choice") if each.contrast is None else contrast_words(each.contrast)
