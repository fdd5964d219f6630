"""How sure a page is of its headline, in words: on the page, in the brief and in files the same."""

from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import ToldPage, by_chance, chance_words
from gpf_desktop.domain.text import tr


def how_sure(told: ToldPage) -> str:
    """A sentence on how sure the headline is, with what weighs on all of it; empty if nothing could be tested."""
    real = [each.conclusion for each in told.told if not each.conclusion.synthetic]
    some = real or [each.conclusion for each in told.told]
    outcomes = {each.outcome for each in some}
    # Of several that differ the least sure one, for what is said of all.
    shown = [each for each in some if each.outcome is ConclusionOutcome.DIFFERS]
    sure = [min(ps) for each in shown if (ps := [one.p for one in each.differing if one.p is not None])]
    if not shown:
        sure = [p for each in some if each.parts and (p := _of_parts(told, each)) is not None]
    if sure:
        said = by_chance(max(sure))
    elif shown or any(each.parts for each in some):
        said = chance_words(told.page)
    elif ConclusionOutcome.ALIKE in outcomes:
        said = tr("Alike means that the whole range lies within what is too small to matter.")
    elif ConclusionOutcome.NOT_SHOWN in outcomes:
        said = tr("Not settled means that a difference was neither shown nor ruled out.")
    else:
        said = ""
    return " ".join(filter(None, (said, *told.of_all)))


def _of_parts(told: ToldPage, one: Conclusion) -> float | None:
    """The least p of the parts on which *one* differs, which have rows of their own."""
    rows = (row for row in told.lead.rows if told.told[row.conclusion].conclusion is one)
    differing = (cell.p for row in rows for cell in row.cells if cell.outcome is ConclusionOutcome.DIFFERS)
    return min((p for p in differing if p is not None), default=None)
