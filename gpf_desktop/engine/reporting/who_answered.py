"""Notes on who answered in some rounds, as servers say: for Results, comparisons, reports and commands
alike."""

from collections.abc import Collection, Iterable

from gpf_desktop.domain.served import RoundAnswered, ServedNote, notes
from gpf_desktop.domain.text import trn

_LISTED = 6
"""Sentences under a table; what is more is counted."""


def who_answered(
    rounds: Iterable[RoundAnswered], runs: Collection[int], models: Collection[str] | None = None
) -> list[ServedNote]:
    """The notes on *runs* among *rounds* and on *models* (None: all), about changes and names alike."""
    return [note for note in notes([each for each in rounds if each.run in runs]) if _is_about(note, models)]


def weighing_words(found: Iterable[ServedNote]) -> tuple[str, ...]:
    """The sentences of *found* that weigh on numbers: those that stand under a table."""
    said = [note.sentence for note in found if note.weighs]
    more = len(said) - _LISTED
    if more <= 0:
        return tuple(said)
    return (
        *said[:_LISTED],
        trn("{n} more such change stands under Rounds.", "{n} more such changes stand under Rounds.", more),
    )


def _is_about(note: ServedNote, models: Collection[str] | None) -> bool:
    # Of judges and encoders every filter of models lets the scores through.
    return models is None or note.model in models or not note.answering
