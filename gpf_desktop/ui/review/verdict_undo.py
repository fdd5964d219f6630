"""A decision made by one key is shown, and can be taken back by one click."""

from PySide6.QtCore import QObject

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import judged
from gpf_desktop.engine.review.reviewer_session import Steps
from gpf_desktop.ui.messages import Message, MessageKind, Remedy
from gpf_desktop.ui.review.review_view_model import ReviewViewModel

_TOPIC = "review verdict"
SECONDS = 5


class VerdictUndo(QObject):
    """Offers Undo for five seconds, and only while Undo would take back that very decision."""

    def __init__(self, model: ReviewViewModel, parent: QObject) -> None:
        super().__init__(parent)
        self._model = model
        self._offered: tuple[BundleId, Judgement] | None = None
        self._step: int | None = None
        """Of the decision, once it is stored."""
        model.steps.shown.connect(self._shown)

    def offer(self, bundle: BundleId, judgement: Judgement) -> None:
        """*judgement* is what now stands for *bundle*."""
        self._offered, self._step = (bundle, judgement), None
        words = tr("No verdict") if judgement.verdict is None else judged(judgement.verdict, judgement.severity)
        undo = Remedy(text=tr("Undo"), do=self._model.steps.undo)
        text = tr("Chosen: {verdict}. It counts once you submit it.", verdict=words)
        said = Message(text=text, kind=MessageKind.INFO, remedies=(undo,), topic=_TOPIC, seconds=SECONDS)
        self._model.context.messages.say(said)

    def _shown(self, steps: Steps) -> None:
        step = steps.undo
        if self._offered is None:
            return
        if self._step is None and step is not None and (step.bundle_id, step.after) == self._offered:
            self._step = step.id
        elif self._step is not None and (step is None or step.id != self._step):
            self._offered = self._step = None
            self._model.context.messages.clear(_TOPIC)
