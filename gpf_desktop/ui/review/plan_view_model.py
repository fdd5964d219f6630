"""The reading plan of the audit: who reads what, how far they are, and the assignments that go to them."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reading_plans import ReadingPlan
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.review.assignment_service import AssignmentService, ReaderProgress
from gpf_desktop.storage.assignments import Assignment
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel

_Read = tuple[ReadingPlan | None, tuple[ReaderProgress, ...], Assignment | None]


class PlanViewModel(ViewModel):
    """Read again whenever the team is shown; *bundles* are those that the queue's filter leaves."""

    def __init__(self, context: Context, bundles: Callable[[], Sequence[BundleId]], parent: QObject) -> None:
        super().__init__(context, parent)
        self._bundles = bundles
        self.plan: ReadingPlan | None = None
        self.progress: tuple[ReaderProgress, ...] = ()
        self.assignment: Assignment | None = None

    @property
    def service(self) -> AssignmentService | None:
        audit = self.context.engine.current
        return None if audit is None else audit.reviews.assignments

    @property
    def offered(self) -> int:
        """Bundles that would be shared out."""
        return len(self._bundles())

    def load(self) -> None:
        service = self.service
        if service is not None:
            self.context.bridge.run(_read, service, then=self._loaded, owner=self, latest="plan")

    def draw(self, names: Sequence[str], *, each: int, by_all: int, seed: int) -> None:
        service = self.service
        if service is not None:
            draw = partial(service.draw, names, tuple(self._bundles()), each=each, by_all=by_all, seed=seed)
            self.context.bridge.command(draw, then=lambda _plan: self._was_drawn(), failed=self._failed, owner=self)

    def _was_drawn(self) -> None:
        # Why it could not be drawn before holds no more.
        self.context.messages.clear("team")
        self.load()

    def write(self, title: str, folder: Path) -> None:
        """*title* in place of the audit's; empty: its own."""
        service = self.service
        if service is not None:
            write = partial(service.write, folder, title)
            self.context.bridge.command(write, then=partial(self._written, folder), failed=self._failed, owner=self)

    def read(self, progress: ReaderProgress) -> None:
        """Narrow the queue to what one reader of the plan is to read."""
        wanted = QueueFilter(arm=None, bundle_ids=progress.assigned)
        self.context.navigator.go("review", filter=wanted, origin=tr("reading plan: {name}", name=progress.reader.name))

    def _loaded(self, read: _Read) -> None:
        self.plan, self.progress, self.assignment = read
        self.touch_now()

    def _written(self, folder: Path, written: tuple[Path, ...]) -> None:
        said = trn(
            "Wrote {n} assignment to {folder}.", "Wrote {n} assignments to {folder}.", len(written), folder=folder
        )
        self.context.messages.success(said, topic="team")

    def _failed(self, error: BaseException) -> None:
        self.context.messages.failure(error, topic="team")


def _read(service: AssignmentService) -> _Read:
    return service.plan(), service.progress(), service.assignment()
