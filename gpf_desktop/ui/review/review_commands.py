"""Joins the reviewer's keys with the page."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.reading_aids.words import Stretch
from gpf_desktop.ui.review.answers_view import AnswersView
from gpf_desktop.ui.review.letter_catcher import LetterCatcher
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.review.wording import VERDICT_ACTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class PageParts:
    """What the keys reach on the page beside its state."""

    answers: AnswersView
    note: QWidget
    tags: QWidget
    unfold: Callable[[], object]
    """Open the form where it is folded away."""
    fold: Callable[[], object]
    """Fold the form away or open it."""
    submit: Callable[[], object]
    panel: Callable[[str], object]
    """Show or hide the panel of this name."""
    team: Callable[[], object]


class ReviewCommands(QObject):
    """Handlers of `review.*`, and of undo and redo."""

    def __init__(self, model: ReviewViewModel, parts: PageParts, parent: QObject) -> None:
        super().__init__(parent)
        self._model, self._parts = model, parts
        self._letters = LetterCatcher(self)
        on = model.context.actions.on
        for verdict, action in VERDICT_ACTIONS.items():
            on(action, partial(model.draft.set_verdict, verdict))
        for severity in range(1, 5):
            on(f"review.severity{severity}", partial(model.draft.set_severity, severity))
        on("review.affected", self._affected)
        on("review.mark", self._mark)
        on("review.note", partial(self._edit, parts.note))
        on("review.tags", partial(self._edit, parts.tags))
        on("review.flag", model.toggle_flag)
        on("review.submit", parts.submit)
        on("review.previous", partial(model.go, -1))
        on("review.next", partial(model.go, 1))
        on("review.other_model", model.next_other)
        on("review.layout", model.reader.next_layout)
        on("review.baseline", model.reader.next_baseline)
        on("review.highlight", model.reader.toggle_highlights)
        on("review.next_difference", partial(parts.answers.next_difference, 1))
        on("review.previous_difference", partial(parts.answers.next_difference, -1))
        for panel in ("why", "prompt", "history"):
            on(f"review.{panel}", partial(parts.panel, panel))
        on("review.reveal", model.reveal)
        on("review.fold", parts.fold)
        on("review.team", parts.team)
        on("edit.undo", model.undo)
        on("edit.redo", model.redo)

    def _edit(self, field: QWidget) -> None:
        self._parts.unfold()
        field.setFocus()

    def _affected(self) -> None:
        reading = self._model.reader.reading
        if reading is None:
            return
        by_letter = {letter: identity for identity, letter in reading.letters.items()}
        messages = self._model.context.messages
        messages.info(tr("Affected answer: press its letter."), topic="review letter")
        self._letters.listen(
            set(by_letter),
            lambda letter: self._model.draft.toggle_affected((by_letter[letter],)),
            lambda: messages.clear("review letter"),
        )

    def _mark(self) -> None:
        """Keep the selected words of an answer, as a place in the stored text; marked words selected again go."""
        draft = self._model.draft
        for card in self._parts.answers.cards():
            chosen = card.text.selected()
            if chosen is None or card.content is None:
                continue
            place = card.content.shown.stored(Stretch(*chosen))
            if place is not None:
                passage = MarkedPassage(cell_id=card.content.cell_id, start=place.start, end=place.end)
                others = tuple(each for each in draft.judgement.passages if not _same_place(each, passage))
                found = len(others) < len(draft.judgement.passages)
                draft.set_passages(others if found else (*others, passage))
                return
        self._model.context.messages.info(tr("Select words of an answer first, then mark them."), topic="review")


def _same_place(one: MarkedPassage, other: MarkedPassage) -> bool:
    return (one.cell_id, one.start, one.end) == (other.cell_id, other.start, other.end)
