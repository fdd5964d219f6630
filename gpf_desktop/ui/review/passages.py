"""Marking passages: what becomes of the form's list when words are marked, coded, marked again or commented on."""

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
    that no word is marked twice; what has codes stays as it was coded.
    """
    if any(place_of(each) == place_of(new) for each in passages):
        return without(passages, place_of(new))
    joined = new
    kept: list[MarkedPassage] = []
    # Once through is enough: passages without codes never overlap, so what one adds at an end reaches no other.
    for each in passages:
        if not each.codes and each.cell_id == new.cell_id and each.start < joined.end and joined.start < each.end:
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


def coded(passages: Sequence[MarkedPassage], new: MarkedPassage, code: str) -> tuple[MarkedPassage, ...]:
    """*passages* with *code* on the words of *new*, or without it where these very words have it.

    Words of other passages may be among them: two codes may speak of two stretches that overlap. A passage that is
    left with neither code nor comment is not marked any more.
    """
    found = next((each for each in passages if place_of(each) == place_of(new)), None)
    if found is None:
        return (*passages, replace(new, codes=(code,)))
    if code not in found.codes:
        return _instead(passages, replace(found, codes=(*found.codes, code)))
    left = replace(found, codes=tuple(each for each in found.codes if each != code))
    return _instead(passages, left) if left.codes or left.comment else without(passages, place_of(new))


def _instead(passages: Sequence[MarkedPassage], passage: MarkedPassage) -> tuple[MarkedPassage, ...]:
    return tuple(passage if place_of(each) == place_of(passage) else each for each in passages)
