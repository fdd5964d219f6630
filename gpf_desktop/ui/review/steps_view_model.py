"""Undo and redo by name, across submits and restarts."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.engine.review.review_undo import StepDone
from gpf_desktop.engine.review.reviewer_session import Steps
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.review.wording import step_words

LONG = 2000
"""Bundles from which on taking a step back takes long enough to say that it has begun."""


class StepsViewModel(QObject):
    """Undo and Redo: their names now, and their work."""

    asked = Signal()
    """A step is about to be taken back or done again: whatever was typed must be saved before."""
    done = Signal(object)
    """A `StepDone`."""
    shown = Signal(object)
    """`Steps`: what Undo and Redo would do now."""
    foreseen = Signal()
    """Something is being written that Undo will take back before anything else."""
    waiting = Signal()
    """A step begins to be taken back or done again, or that has ended."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._steps = Steps(undo=None, redo=None)
        self._asked: Pending | None = None

    @property
    def awaits(self) -> bool:
        """True while it is not known which bundle will be in sight."""
        return self._asked is not None and not self._asked.over

    def undo(self) -> None:
        if self._steps.undo is not None and self._steps.undo.bundles > LONG:
            self._begin(tr("Taking back: {step} …", step=step_words(self._steps.undo)))
        self._step(lambda service: service.undo(), tr("Undone: {step}."))

    def redo(self) -> None:
        if self._steps.redo is not None and self._steps.redo.bundles > LONG:
            self._begin(tr("Doing again: {step} …", step=step_words(self._steps.redo)))
        self._step(lambda service: service.redo(), tr("Done again: {step}."))

    def foresee(self) -> None:
        """Something is being written: it can be taken back though the file has not told of it yet."""
        self._context.actions.set_fact(Fact.CAN_UNDO, True)
        self.foreseen.emit()

    def show(self, steps: Steps) -> None:
        """Name what the two commands would do."""
        self._steps = steps
        actions = self._context.actions
        for name, verb, step, fact in (
            ("edit.undo", tr("&Undo"), steps.undo, Fact.CAN_UNDO),
            ("edit.redo", tr("&Redo"), steps.redo, Fact.CAN_REDO),
        ):
            actions.action(name).setText(verb if step is None else f"{verb} {step_words(step)}")
            actions.set_fact(fact, step is not None)
        self.shown.emit(steps)

    def _begin(self, words: str) -> None:
        self._context.messages.info(words, topic="review")

    def _step(self, ask: "Callable[[ReviewService], Future[StepDone | None]]", sentence: str) -> None:
        audit = self._context.engine.current
        if audit is not None:
            self.asked.emit()
            future = ask(audit.reviews)
            self._asked = self._context.bridge.follow(
                future, then=partial(self._step_done, sentence), failed=self._not_done, owner=self
            )
            self.waiting.emit()

    def _not_done(self, error: BaseException) -> None:
        self._context.messages.failure(error, topic="review")
        self.waiting.emit()

    def _step_done(self, sentence: str, done: StepDone | None) -> None:
        if done is not None:
            self.show(done.steps)
            self._context.messages.info(sentence.format(step=step_words(done.step)), topic="review")
            self.done.emit(done)
        self.waiting.emit()
