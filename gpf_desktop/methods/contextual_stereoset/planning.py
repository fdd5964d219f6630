"""The smallest ΔSS of each contrast that a round will find, told before it is paid for."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from gpf_desktop.domain.registration import comparisons
from gpf_desktop.domain.round_planning import Effect, EffectScale, Enough, Extent, Findable, Pilot, Variation
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.contextual_stereoset.asked_items import asked_items, distinct, labels_asked
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.concluding.gates import ALPHA, FEWEST_ITEMS, few_more
from gpf_desktop.methods.contextual_stereoset.concluding.types import FEWEST_OF_TYPE
from gpf_desktop.methods.contextual_stereoset.contrasts import contrasts_of
from gpf_desktop.methods.contextual_stereoset.grid import Contrast, contexts_of, matched_pairs, named_contrasts
from gpf_desktop.methods.contextual_stereoset.protocol import GridSizes, StereoProtocol
from gpf_desktop.methods.contextual_stereoset.words import contrast_words, option_title
from gpf_desktop.stats.neighbours import by_chance
from gpf_desktop.stats.power import ClusterSpread, fewest, least_found

CONTRAST: Final = "contrast"
"""The pilot's variation: of one item's mean difference over its matched pairs."""
_SHOWN_SIZES: Final = (0.05, 0.1)
"""Shifts of which the chance to be found is told too."""
LEAST_ITEMS: Final = 2
MOST_ITEMS: Final = 100_000
_PARTS: Final = 9
_ASSUMED: Final = Variation(item=0.05**2, residual=0.3)
"""In three of ten matched pairs the choice of the stereotype differs, and items differ by 5 points in how much."""


def assumed() -> Pilot:
    return Pilot(
        variation={CONTRAST: _ASSUMED},
        origin=tr(
            "Nothing was measured in this audit yet. Assumed: the choice differs in three of ten matched "
            "pairs, and items differ by 5 points in how far they move."
        ),
        measured=False,
    )


def pilot(scores: ScoreTables) -> Pilot | None:
    """The pilot measured on the contrasts of the models that were asked; of real ones where there are any."""
    from gpf_desktop.methods.contextual_stereoset.analyses._stored import stored_choices

    stored = stored_choices(scores)
    every = [each.choices for each in stored.models]
    real = [choices for choices in every if choices.model not in stored.synthetic]
    found = [each for choices in real or every for each in _variances(choices)]
    if not found:
        return None
    words = tr("How much choices vary was measured on the rounds of this audit.")
    if not real:
        words = tr("{words} All of it by built-in test models: a language model varies otherwise.", words=words)
    between, within = (sum(column) / len(found) for column in zip(*found, strict=True))
    return Pilot(variation={CONTRAST: Variation(item=between, residual=within)}, origin=words, measured=True)


def _variances(choices: Choices) -> list[tuple[float, float]]:
    """Two variances for each contrast with several pairs: between items' true means, and of one pair's difference
    within an item."""
    found = []
    chosen = choices.chose(choices.labels[0]).astype(np.float64)
    for contrast in contrasts_of(choices):
        pairs = matched_pairs(choices.contexts, choices.place(contrast.factor), contrast.a, contrast.b)
        a, b = np.array(pairs).T
        # Items with every pair valid: what is taken off below is then the same share for each.
        whole = (choices.valid[:, a] & choices.valid[:, b]).all(axis=1)
        if len(pairs) > 1 and whole.sum() >= LEAST_ITEMS:
            apart = chosen[np.ix_(whole, a)] - chosen[np.ix_(whole, b)]
            within = float(apart.var(axis=1, ddof=1).mean())
            # The variance of items' means holds a pair's over their number too, which is no difference of items.
            found.append((max(float(apart.mean(axis=1).var(ddof=1)) - within / len(pairs), 0.0), within))
    return found


def findable(protocol: StereoProtocol, extent: Extent, pilot: Pilot) -> tuple[Findable, ...]:
    """One for each named contrast that has matched pairs."""
    named, option = pairs_of(protocol), option_title(labels_asked(protocol)[0])
    types = _of_one_type(protocol, extent.items)
    extent = replace(extent, items=_counted(protocol, extent.items))
    if extent.items < FEWEST_ITEMS:
        why = tr("nothing can be concluded of fewer than {n} items", n=FEWEST_ITEMS)
        return tuple(Findable(name=_name(each), title=_title(each, option), smallest=None, why=why) for each in named)
    return tuple(
        Findable(
            name=_name(each),
            title=_title(each, option),
            smallest=_smallest(named, _spread(pairs, pilot), extent),
            shares=tuple((size, _found(size, _spread(pairs, pilot), named, extent)) for size in _SHOWN_SIZES),
            tested="; ".join(filter(None, (_tested(pairs, named, extent), types))),
        )
        for each, pairs in named.items()
    )


def _tested(pairs: int, named: Mapping[Contrast, int], extent: Extent) -> str:
    return tr(
        "Student's t over {items} with {pairs} each; {tests} counted together",
        items=trn("{n} item", "{n} items", extent.items),
        pairs=trn("{n} matched pair", "{n} matched pairs", pairs),
        tests=comparisons(_tests(named, extent)),
    )


def _of_one_type(protocol: StereoProtocol, items: int) -> str:
    """Of how many types something can be told by itself, where *items* have several; empty: all have one."""
    asked = asked_items(protocol)
    of_types = Counter(each.group for each in asked)
    if len(of_types) < 2:
        return ""
    large = sum(its * items // len(asked) >= FEWEST_OF_TYPE for its in of_types.values())
    if large:
        return tr(
            "by itself {k} of {of} types of items can be told, of those with {n} items or more",
            k=large,
            of=len(of_types),
            n=FEWEST_OF_TYPE,
        )
    return tr("no type of items can be told by itself: it takes {n} of a type", n=FEWEST_OF_TYPE)


def enough(effect: Effect, protocol: StereoProtocol, controls: GridSizes, extent: Extent, pilot: Pilot) -> Enough:
    """The fewest items that find *effect* in the contrast that it names."""
    del controls  # a further generation at temperature 0 tells nothing of another item
    named = pairs_of(protocol)
    pairs = next((pairs for each, pairs in named.items() if _name(each) == effect.name), None)
    if pairs is None:
        return Enough(items=None)
    spread = _spread(pairs, pilot)
    items = fewest(lambda n: _found(effect.size, spread, named, replace(extent, items=n)) >= extent.power, MOST_ITEMS)
    if items is None:
        return Enough(items=None)
    asked = asked_items(protocol)
    return Enough(items=-(-max(FEWEST_ITEMS, items) * len(asked) // distinct(asked)) if asked else items)


def _found(size: float, spread: float, named: Mapping[Contrast, int], extent: Extent) -> float:
    """The chance that a shift of *size* is told: its range leaves 0 out, and a few items more, turned wholly the other
    way, would not undo it (`few_more`). Ranges of some are wider, items asked one after another going together by
    chance."""
    from scipy.special import chdtri, ndtr

    from gpf_desktop.stats.clusters import t_quantile

    items, alpha = extent.items, _alpha(named, extent)
    least = few_more(items) / items
    if not spread:
        return float(size > least)
    of_one = items**0.5 / spread
    # Standard deviations that are found of so many items, each as likely.
    found = np.sqrt(chdtri(items - 1, (np.arange(_PARTS) + 0.5) / _PARTS) / (items - 1))
    told = 0.0
    for share, widened in by_chance(items):
        reach = t_quantile(1 - alpha / 2, max(items / widened - 1, 1.0)) * widened**0.5
        told += share * float(np.mean(ndtr(size * of_one - np.maximum(reach * found, least * of_one))))
    return told


def _smallest(named: Mapping[Contrast, int], spread: float, extent: Extent) -> float | None:
    """The smallest shift found with the chance `extent.power`; it may exceed 1, though no shift of choices does."""
    return least_found(lambda size: _found(size, spread, named, extent) >= extent.power, 1.0)


def _counted(protocol: StereoProtocol, items: int) -> int:
    """The number that *items* count as, if as many of them are nearly alike as of the protocol's."""
    asked = asked_items(protocol)
    return items * distinct(asked) // len(asked) if asked else items


def _title(contrast: Contrast, option: str) -> str:
    return tr("How much more often {option} is chosen, {contrast}", option=option, contrast=contrast_words(contrast))


def _tests(named: Mapping[Contrast, int], extent: Extent) -> int:
    """The number of tests of the page: every contrast of every model, and as many on how often no choice is made."""
    return 2 * len(named) * max(1, extent.models)


def _alpha(named: Mapping[Contrast, int], extent: Extent) -> float:
    """One test's share (`concluding.shifts`): all of a page hold together."""
    return ALPHA / _tests(named, extent)


def effects() -> Mapping[str, EffectScale]:
    """The effects that can be planned for, by name: contrasts of the default grid; sizes are shares of choices."""
    named = (("year", "1990", "2030"), ("style", "gossip", "direct"), ("style", "formal", "direct"))
    contrasts = [Contrast(factor=factor, a=a, b=b) for factor, a, b in named]
    contrasts.append(Contrast(factor="observer", a="dissimilar", b="similar"))
    return {
        _name(each): EffectScale(
            words=tr("shift of the stereotype, {contrast}, as a share of choices", contrast=each),
            first=0.1,
            least=0.01,
            most=1.0,
            step=0.01,
        )
        for each in contrasts
    }


def pairs_of(protocol: StereoProtocol) -> dict[Contrast, int]:
    """How many matched pairs each named contrast has, of those that have any."""
    contexts = contexts_of(protocol)
    names = [factor.name for factor in protocol.factors]
    levels = {factor.name: [level.name for level in factor.levels] for factor in protocol.factors}
    counted = {
        each: len(matched_pairs(contexts, names.index(each.factor), each.a, each.b)) for each in named_contrasts(levels)
    }
    return {each: pairs for each, pairs in counted.items() if pairs}


def _spread(pairs: int, pilot: Pilot) -> float:
    """Standard deviation of one item's mean difference over its matched pairs."""
    its = pilot.variation[CONTRAST]
    return ClusterSpread(between=its.item, within=its.residual).of_mean(pairs)


def _name(contrast: Contrast) -> str:
    return f"{contrast.factor}:{contrast.a}-{contrast.b}"
