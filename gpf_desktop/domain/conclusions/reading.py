"""The bundles that people are asked to read first: those that carry what is concluded, not the noisiest."""

from itertools import chain, zip_longest
from math import isclose
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


def silent_measure(page: ConclusionPage) -> str:
    """The words of the one measure of which nothing is shown where another differs; empty: none is, or several are."""
    told = moving(page)
    silent = {
        one.name.partition(":")[0]: one.words
        for each in page.conclusions
        for one in each.measures
        if one.outcome is ConclusionOutcome.NOT_SHOWN and one.name.partition(":")[0] not in told
    }
    return next(iter(silent.values())) if told and len(silent) == 1 else ""


def groups_told(page: ConclusionPage) -> frozenset[str]:
    """The groups between which a gap is told, by name: the ends of each that differs."""
    measures = (one for each in page.conclusions for one in each.measures)
    ends = set()
    for one in measures:
        if one.outcome is ConclusionOutcome.DIFFERS and not one.voided_by and len(one.others) > 1:
            low, *_, high = sorted(one.others, key=lambda each: each.value)
            # Others may be models that the value stands beside, too.
            if one.value is not None and isclose(one.value, high.value - low.value, abs_tol=1e-9):
                ends |= {low.words, high.words}
    return frozenset(ends)


def _tells(each: Conclusion) -> bool:
    return each.said is ConclusionOutcome.DIFFERS or bool(each.parts) or ConclusionTag.REFUSALS_DIFFER in each.tags
