"""Marking passages: what becomes of the form's list when words are marked, marked again or commented on."""

from collections.abc import Sequence
from dataclasses import replace

from gpf_desktop.domain.reviews import MarkedPassage

Place = tuple[int, int, int]
"""A passage's cell, start and end."""


def place_of(passage: MarkedPassage) -> Place:
    return passage.cell_id, passage.start, passage.end


def marked(passages: Sequence[MarkedPassage], new: MarkedPassage) -> tuple[MarkedPassage, ...]:
    """*passages* with *new* marked as well.

    The very same words marked again are unmarked. Words that overlap marked ones join them, with their comments, so
    that no word is marked twice.
    """
    if any(place_of(each) == place_of(new) for each in passages):
        return without(passages, place_of(new))
    joined = new
    kept: list[MarkedPassage] = []
    # Once through is enough: passages never overlap, so what one of them adds at an end reaches no other.
    for each in passages:
        if each.cell_id == new.cell_id and each.start < joined.end and joined.start < each.end:
            comments = dict.fromkeys(comment for comment in (joined.comment, each.comment) if comment)
            joined = replace(
                joined,
                start=min(each.start, joined.start),
                end=max(each.end, joined.end),
                comment="; ".join(comments),
            )
        else:
            kept.append(each)
    return (*kept, joined)


def without(passages: Sequence[MarkedPassage], place: Place) -> tuple[MarkedPassage, ...]:
    return tuple(each for each in passages if place_of(each) != place)


def commented(passages: Sequence[MarkedPassage], place: Place, comment: str) -> tuple[MarkedPassage, ...]:
    """*passages* with *comment* on the one at *place*."""
    return tuple(replace(each, comment=comment) if place_of(each) == place else each for each in passages)
