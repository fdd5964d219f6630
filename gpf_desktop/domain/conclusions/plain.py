"""Conclusions as plain data: what `conclusions --json`, `tables`, `run --json` and shared files hold."""

from typing import Any

from gpf_desktop.domain.conclusions.conclusion import (
    Caveat,
    Conclusion,
    ConclusionOutcome,
    ControlReading,
    MeasureReading,
    RefusalReading,
)
from gpf_desktop.domain.conclusions.rendering import Told, ToldPage
from gpf_desktop.domain.registration import Registration


def plain_page(told: ToldPage) -> dict[str, Any]:
    """A page, in the order of its fields; numbers in full."""
    page = told.page
    return {
        "method": page.method,
        "question": page.question,
        "window": {
            "from": None if page.first is None else page.first.date().isoformat(),
            "to": None if page.last is None else page.last.date().isoformat(),
            "items": page.items,
            "filtered": bool(page.filtered),
        },
        "headline": told.headline,
        "says": page.says,
        "tests": page.tests,
        "alpha": page.alpha,
        "planned": page.planned,
        "changed": list(page.changed),
        "registered": None if page.registered is None else _registered(page.registered),
        "footnote": list(told.footnote),
        "conclusions": [_one(each) for each in told.told],
    }


def _registered(found: Registration) -> dict[str, Any]:
    return {
        "at": found.plan.at,
        "code": found.plan.code,
        "beforehand": found.holds,
        "differs": [each.words for each in found.differs],
        "sentences": list(found.sentences),
    }


def _one(told: Told) -> dict[str, Any]:
    each = told.conclusion
    standing = each.standing
    return {
        "model": each.model,
        "about": each.about,
        "synthetic": each.synthetic,
        "outcome": str(each.outcome),
        "so_far": None if each.so_far is None else str(each.so_far),
        "tags": [str(tag) for tag in each.tags],
        "sentence": told.sentence,
        "further": list(told.further),
        "why": list(told.why),
        "items": standing.items,
        "look": {"reached": standing.reached, "of": standing.of, "next_at": standing.next_at},
        # What no page tells may have been set whenever: a program that reads this alone gets the cautious word.
        "planned": standing.registered,
        "plan": str(standing.plan),
        "reading": standing.reading,
        "measures": [_measure(each, one) for one in each.measures],
        "controls": [_control(one) for one in each.controls],
        "weighs": [_caveat(one, words) for one, words in zip(each.caveats, told.weighs, strict=True)],
        "refusals": None if each.refusals is None else _refusals(each.refusals),
        "read": {"sets": each.read.sets, "people": each.read.people},
        "evidence": list(each.rows),
        "bundles": list(each.bundles),
        "parts": list(each.parts),
        "of_parts": [_measure(each, one) for one in each.of_parts],
    }


def _measure(of: Conclusion, one: MeasureReading) -> dict[str, Any]:
    # A program that reads "outcome" alone gets the cautious word.
    outcome = (
        ConclusionOutcome.TOO_EARLY if of.outcome is ConclusionOutcome.TOO_EARLY and not one.voided_by else one.outcome
    )
    return {
        "name": one.name,
        "words": one.words,
        "value": one.value,
        "unmasked": one.unmasked,
        "low": one.low,
        "high": one.high,
        "level": one.level,
        "null": None if one.null is None else list(one.null),
        "margin": one.margin,
        "p": one.p,
        "outcome": str(outcome),
        "so_far": str(one.outcome) if outcome is ConclusionOutcome.TOO_EARLY else None,
        "voided_by": one.voided_by or None,
        "why": one.why or None,
    }


def _control(one: ControlReading) -> dict[str, Any]:
    value, low, high = one.difference or (None, None, None)
    return {
        "name": one.name,
        "words": one.words,
        "value": one.value,
        "difference": value,
        "low": low,
        "high": high,
        "held": str(one.held),
    }


def _caveat(one: Caveat, words: str) -> dict[str, Any]:
    return {"key": one.key, "effect": str(one.effect), "numbers": dict(one.numbers), "words": words}


def _refusals(one: RefusalReading) -> dict[str, Any]:
    return {
        "outcome": str(one.outcome),
        "declined": one.declined,
        "of": one.of,
        "in_words": one.in_words,
        "groups": [
            {
                "who": each.who,
                "declined": each.declined,
                "of": each.of,
                "others_declined": each.others,
                "others_of": each.others_of,
                "more": each.more,
                "p": each.p,
            }
            for each in one.groups
        ],
    }
