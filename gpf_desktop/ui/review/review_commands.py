"""Joins the reviewer's keys with the page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.reading_aids.words import Stretch
from gpf_desktop.ui.review.letter_catcher import LetterCatcher
from gpf_desktop.ui.review.wording import VERDICT_ACTIONS

if TYPE_CHECKING:
    from gpf_desktop.ui.review.review_page import ReviewPage


class ReviewCommands(QObject):
    """Handlers of `review.*`, and of undo and redo."""

    def __init__(self, page: ReviewPage) -> None:
        super().__init__(page)
        self._page = page
        self._letters = LetterCatcher(self)
        model, actions = page.model, page.context.actions
        on = actions.on
        for verdict, action in VERDICT_ACTIONS.items():
            on(action, partial(model.draft.set_verdict, verdict))
        for severity in range(1, 5):
            on(f"review.severity{severity}", partial(model.draft.set_severity, severity))
        on("review.affected", self._affected)
        on("review.mark", self._mark)
        on("review.note", partial(self._edit, page.form.note))
        on("review.tags", partial(self._edit, page.form.tags))
        on("review.flag", model.toggle_flag)
        on("review.submit", page._submit)
        on("review.previous", partial(model.go, -1))
        on("review.next", partial(model.go, 1))
        on("review.other_model", model.next_other)
        on("review.layout", model.reader.next_layout)
        on("review.baseline", model.reader.next_baseline)
        on("review.highlight", model.reader.toggle_highlights)
        on("review.next_difference", partial(page.answers.next_difference, 1))
        on("review.previous_difference", partial(page.answers.next_difference, -1))
        for panel in ("why", "prompt", "history"):
            on(f"review.{panel}", partial(page._toggle_panel, panel))
        on("review.reveal", model.reveal)
        on("review.fold", lambda: page.set_folded(not page.is_folded))
        on("review.team", page.toggle_team)
        on("edit.undo", model.undo)
        on("edit.redo", model.redo)

    def _edit(self, field: QObject) -> None:
        page = self._page
        if page.is_folded:
            page.set_folded(False)
        field.setFocus()  # type: ignore[attr-defined]

    def _affected(self) -> None:
        reading = self._page.model.reader.reading
        if reading is None:
            return
        by_letter = {letter: identity for identity, letter in reading.letters.items()}
        messages = self._page.context.messages
        messages.info(tr("Affected answer: press its letter."), topic="review letter")
        self._letters.listen(
            set(by_letter),
            lambda letter: self._page.model.draft.toggle_affected((by_letter[letter],)),
            lambda: messages.clear("review letter"),
        )

    def _mark(self) -> None:
        """Keep the selected words of an answer, as a place in the stored text; marked words selected again go."""
        page = self._page
        draft = page.model.draft
        for card in page.answers.cards():
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
        page.context.messages.info(tr("Select words of an answer first, then mark them."), topic="review")


def _same_place(one: MarkedPassage, other: MarkedPassage) -> bool:
    return (one.cell_id, one.start, one.end) == (other.cell_id, other.start, other.end)
