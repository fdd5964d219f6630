"""The part of a design that is asked, in words."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.text import tr, within
from gpf_desktop.engine.rounds.scoping import Choice, Narrowing


def not_asked_words(narrowing: Narrowing) -> str:
    """The levels that a round leaves out, by name; empty: it asks the whole design."""
    table = narrowing.scope.table()
    named = [
        words for choice in narrowing.offered for level, words in choice.levels if level in table.get(choice.factor, ())
    ]
    return tr("Not asked: {levels}.", levels=", ".join(named)) if named else ""


def part_words(choice: Choice, left_out: AbstractSet[tuple[str, str]]) -> str:
    """How many levels of *choice* are asked; empty: all of them."""
    asked = sum((choice.factor, level) not in left_out for level, _ in choice.levels)
    return "" if asked == len(choice.levels) else tr("{n} of {all}", n=asked, all=len(choice.levels))


def scope_words(scope: Scope, offered: Sequence[Choice]) -> str:
    """How many levels of what are asked where some are left out."""
    table = scope.table()
    words = [
        tr(
            "{n} of {all} {what}",
            n=len(choice.levels) - len(table[choice.factor]),
            all=len(choice.levels),
            what=within(choice.title) or tr("ways of asking"),
        )
        for choice in offered
        if choice.factor in table
    ]
    return ", ".join(words) if words else tr("The whole design is asked.")
