"""Sentences that say what would tell more than a page of conclusions does."""

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.ports.method_abilities import Concludes
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue


def next_look(told: ToldPage) -> str:
    """A sentence that says what to add for the next planned look; empty if none is to come."""
    standing = told.told[0].conclusion.standing if told.told else None
    method = catalogue.method(told.page.method)
    more = 0 if standing is None or standing.next_at is None else standing.next_at - standing.items
    if standing is None or more <= 0 or not isinstance(method, Concludes):
        return ""
    return tr(
        "The next planned look waits for more: add {items}{where}.",
        items=method.voice.counted(more),
        where=f", {method.voice.counted_where}" if standing.asked > standing.items else "",
    )


def too_little(told: ToldPage) -> str:
    """A sentence that a larger round would tell, and why, if too little was asked of every model; else empty."""
    method = catalogue.method(told.page.method)
    of = [each.conclusion for each in told.told]
    if not isinstance(method, Concludes) or any(each.outcome is not ConclusionOutcome.TOO_FEW for each in of):
        return ""
    why = " ".join(dict.fromkeys(method.voice.needs(each) for each in of))
    return tr("A larger round. {why}", why=why) if why else ""
