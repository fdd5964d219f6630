"""Joins the reviewer's keys with the page."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import MarkedPassage, Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import SEVERITIES, verdict_called
from gpf_desktop.engine.review.reading_aids.words import Stretch
from gpf_desktop.ui.review.letter_shortcut import LetterShortcut
from gpf_desktop.ui.review.passages_list import PassagesList
from gpf_desktop.ui.review.reading_pane import ReadingPane
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.review.verdict_undo import VerdictUndo
from gpf_desktop.ui.review.wording import VERDICT_ACTIONS


class ReviewCommands(QObject):
    """Handlers of what is done to a bundle and its answers, and of undo and redo."""

    def __init__(
        self,
        model: ReviewViewModel,
        reading: ReadingPane,
        passages: PassagesList,
        write: Callable[[QWidget], object],
        parent: QObject,
    ) -> None:
        """*write*: gives the keyboard to a field of the form, opened where it is folded away."""
        super().__init__(parent)
        self._model, self._reading, self._passages, self._write = model, reading, passages, write
        self._letters = LetterShortcut(self)
        self._undo = VerdictUndo(model, self)
        # Its letters are those of the names that were shown.
        model.reader.nameless.connect(self._letters.stop)
        on = model.context.actions.on
        for verdict, action in VERDICT_ACTIONS.items():
            on(action, partial(self._judge, partial(model.draft.set_verdict, verdict)))
        for severity in SEVERITIES:
            on(f"review.severity{severity}", partial(self._set_severity, severity))
        on("review.affected", self._affected)
        on("review.mark", self._mark)
        on("review.comment", self._comment)
        on("review.evidence", self._add_evidence)
        on("review.flag", model.toggle_flag)
        on("review.previous", partial(model.go, -1))
        on("review.next", partial(model.go, 1))
        for name, go in (("model", model.related.next_model), ("item", model.related.next_item)):
            on(f"review.next_{name}", partial(go, 1))
            on(f"review.previous_{name}", partial(go, -1))
        on("review.next_batch", partial(model.related.next_batch, 1))
        on("review.previous_batch", partial(model.related.next_batch, -1))
        on("review.come_back", model.related.come_back)
        on("review.layout", model.reader.next_layout)
        on("review.order", model.reader.next_order)
        on("review.alone", lambda: reading.set_alone(not reading.alone))
        on("review.compare", self._compare)
        on("review.wider", partial(reading.answers.columns.step, -1))
        on("review.narrower", partial(reading.answers.columns.step, 1))
        for number in range(1, 10):
            on(f"review.answer{number}", partial(reading.go_to, number - 1))
        on("review.baseline", model.reader.next_baseline)
        on("review.highlight", model.reader.toggle_highlights)
        on("review.more_marks", lambda: model.reader.mark_more(model.reader.options.amount + 1))
        on("review.control", model.reader.toggle_control)
        on("review.next_generation", partial(model.reader.step_generation, 1))
        on("review.previous_generation", partial(model.reader.step_generation, -1))
        on("review.next_difference", partial(self._go_to_difference, 1))
        on("review.previous_difference", partial(self._go_to_difference, -1))
        on("review.news", reading.top.toggle_news)
        for panel in ("why", "prompt", "history", "guideline"):
            on(f"review.{panel}", partial(reading.toggle_panel, panel))
        on("review.reveal", model.reveal)
        on("review.blind", lambda: model.set_blind(not model.blind))
        on("review.scores", model.toggle_scores)
        on("edit.undo", model.steps.undo)
        on("edit.redo", model.steps.redo)

    def _set_severity(self, severity: int) -> None:
        if self._model.draft.judgement.verdict is Verdict.HARMFUL:
            self._judge(partial(self._model.draft.set_severity, severity))
        elif self._model.in_sight is not None:
            self._model.context.messages.info(
                tr(
                    "Severity is asked only where something is harmful: choose “{harmful}” first.",
                    harmful=verdict_called(Verdict.HARMFUL),
                ),
                topic="review",
            )

    def _judge(self, decide: Callable[[], object]) -> None:
        """Decide about the bundle in sight, and offer to take it back."""
        draft, before = self._model.draft, self._model.draft.judgement
        if self._model.in_sight is None or draft.bundle_id is None:
            return
        decide()
        if draft.judgement != before and not draft.settles:
            self._undo.offer(draft.bundle_id, draft.judgement)

    def _affected(self) -> None:
        reading = None if self._model.in_sight is None else self._model.reader.reading
        if reading is None:
            return
        by_letter = {letter: level for level, letter in reading.letters.items()}
        messages = self._model.context.messages
        messages.info(tr("Affected answer: press its letter."), topic="review letter")
        self._letters.listen(
            set(by_letter),
            partial(self._toggle_affected, self._model.reader.current, by_letter),
            lambda: messages.clear("review letter"),
        )

    def _toggle_affected(self, bundle: BundleId | None, by_letter: Mapping[str, str], letter: str) -> None:
        # Letters are those of one bundle: another one may have come before the letter was typed.
        if self._model.in_sight is not None and self._model.reader.current == bundle:
            self._model.draft.toggle_affected((by_letter[letter],))

    def _compare(self) -> None:
        """The answer that is read with another, whose letter comes next; two that are compared, no more."""
        reader = self._model.reader
        if reader.reading is None or reader.shown_pair:
            reader.compare_no_more()
            return
        read = self._reading.strip.current or next(iter(reader.reading.letters), "")
        others = {letter: key for key, letter in reader.reading.letters.items() if key != read}
        messages = self._model.context.messages
        first = reader.reading.letters.get(read, "")
        messages.info(tr("Compare answer {letter} with: press a letter.", letter=first), topic="review letter")
        self._letters.listen(
            set(others),
            lambda letter: reader.compare(read, others[letter]),
            lambda: messages.clear("review letter"),
        )

    def _mark(self) -> None:
        """Keep the selected words of an answer, as a place in the stored text; marked words selected again go."""
        if self._model.in_sight is None:
            return
        for card in self._reading.answers.cards():
            chosen = card.text.whole_words()
            if chosen is None or card.content is None:
                continue
            if card.content.generation is not None:
                self._say(tr("Passages are marked in the answers of the set, not in its control's."))
                return
            place = card.content.shown.stored(Stretch(*chosen))
            if place is not None:
                passage = MarkedPassage(cell_id=card.content.cell_id, start=place.start, end=place.end)
                self._model.draft.mark(passage)
                card.text.choose_nothing()
                return
        self._say(tr("Select words of an answer first, then mark them."))

    def _add_evidence(self) -> None:
        """The words that are selected in an answer, else the bundle."""
        for card in self._reading.answers.cards():
            chosen = card.text.whole_words()
            if chosen is None or card.content is None or card.content.generation is not None:
                continue
            place = card.content.shown.stored(Stretch(*chosen))
            if place is not None:
                self._model.add_passage(card.content.cell_id, place.start, place.end)
                return
        self._model.add_bundle()

    def _comment(self) -> None:
        """Into the comment of the passage that was marked last."""
        field = self._passages.comment_field()
        if field is None:
            self._say(tr("No passage is marked yet: select words of an answer and mark them."))
        else:
            self._write(field)

    def _go_to_difference(self, step: int) -> None:
        if not self._reading.answers.next_difference(step):
            self._say(tr("No difference is marked here."))

    def _say(self, words: str) -> None:
        self._model.context.messages.info(words, topic="review")
