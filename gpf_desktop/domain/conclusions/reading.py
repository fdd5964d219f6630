"""The bundles that people are asked to read first: those that carry what is concluded, not the noisiest."""

from itertools import chain, zip_longest
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome, ConclusionPage, ConclusionTag

READ_FIRST: Final = 24
"""Sets that would be read before the others: about two hours for one person."""


def to_read_first(page: ConclusionPage, most: int = READ_FIRST) -> tuple[int, ...]:
    """At most *most* bundles, by turns of the conclusions that show a difference; else of those of real models, and of
    these where something can be said."""
    some = [each for each in page.conclusions if _tells(each)]
    some = some or [each for each in page.conclusions if not each.synthetic] or list(page.conclusions)
    some = [each for each in some if each.outcome is not ConclusionOutcome.CHECK_FAILED] or some
    turns = chain.from_iterable(zip_longest(*(each.bundles for each in some)))
    return tuple(dict.fromkeys(bundle for bundle in turns if bundle is not None))[:most]


def moving(page: ConclusionPage) -> frozenset[str]:
    """The names, up to a colon, of the measures that show a difference."""
    measures = (one for each in page.conclusions for one in each.measures)
    shown = (one for one in measures if one.outcome is ConclusionOutcome.DIFFERS and not one.voided_by)
    return frozenset(one.name.partition(":")[0] for one in shown)


def _tells(each: Conclusion) -> bool:
    return each.said is ConclusionOutcome.DIFFERS or bool(each.parts) or ConclusionTag.REFUSALS_DIFFER in each.tags
