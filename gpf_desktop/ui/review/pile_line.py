"""The reader's pile, above the queue: how much was read today, what is left, and how long that takes."""

from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel

from gpf_desktop.domain.reading_pace import ReadingPace
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.wording import about, count


class PileLine(QLabel):
    """Takes no room before there is something to read."""

    said = Signal(str, str)
    """What it says, and the same in a few words; empty: nothing."""

    def __init__(self, model: ReviewViewModel) -> None:
        super().__init__()
        self._model = model
        self._pace: ReadingPace | None = None
        self.setObjectName("review.pile")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "caption")
        self.setWordWrap(True)
        self.hide()
        model.queue_changed.connect(self._ask)
        model.steps.shown.connect(lambda _steps: self._ask())
        model.changed.connect(self.say)

    def _ask(self) -> None:
        service = self._model.service
        if service is None:
            self._pace = None
            self.hide()
            return
        now = datetime.now().astimezone()
        self._model.context.bridge.run(service.pace, now, then=self._came, owner=self, latest="pile")

    def _came(self, pace: ReadingPace) -> None:
        self._pace = pace
        self.say()

    def say(self) -> None:
        """Say it anew, as of now."""
        queue = self._model.queue
        left = queue.count(QueueTab.TO_DO) + queue.count(QueueTab.DRAFT)
        if self._pace is not None:
            self.setText(pile_words(self._pace, left))
        shown = self._pace is not None and bool(left or queue.count(QueueTab.DONE))
        self.setVisible(shown)
        short = few_words(self._pace, left) if shown and self._pace is not None else ""
        self.said.emit(self.text() if shown else "", short)


def pile_words(pace: ReadingPace, left: int) -> str:
    """*left*: sets of answers that the reader has not submitted."""
    read = tr("{n} read today", n=count(pace.today))
    if not left:
        return tr("{read}, none to go.", read=read)
    minutes = pace.minutes(left)
    if minutes is None:
        return tr("{read}, {left} to go. After a few, this says how long they take.", read=read, left=count(left))
    return tr("{read}, {left} to go: about {time} at your pace.", read=read, left=count(left), time=about(minutes))


def few_words(pace: ReadingPace, left: int) -> str:
    """The same where there is little room."""
    return tr("{n} read today, {left} to go", n=count(pace.today), left=count(left))
