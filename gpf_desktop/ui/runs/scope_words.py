"""What of a design is asked, in words."""

from collections.abc import Sequence

from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.rounds.scoping import Choice


def scope_words(scope: Scope, offered: Sequence[Choice]) -> str:
    """How many levels of what are asked where some are left out."""
    table = scope.table()
    words = [
        tr(
            "{n} of {all} {what}",
            n=len(choice.levels) - len(table[choice.factor]),
            all=len(choice.levels),
            what=choice.title.lower() or tr("conditions"),
        )
        for choice in offered
        if choice.factor in table
    ]
    return ", ".join(words) if words else tr("The whole design is asked.")
