"""What is read when the page meets an audit."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.review_queue import FilterChoices, Queue, QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Reviewer
from gpf_desktop.domain.saved_filters import SavedFilter
from gpf_desktop.engine.review.review_desk import ReviewDesk, Ways
from gpf_desktop.engine.review.review_seat import Steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """All of it at one moment."""

    queue: Queue
    choices: FilterChoices
    ways: Ways
    steps: Steps
    reviewer: Reviewer | None
    guideline: str
    tags: Sequence[str]
    saved: tuple[SavedFilter, ...]


def load(desk: ReviewDesk, wanted: QueueFilter, order: QueueOrder) -> Loaded:
    """Blocks; for a worker thread."""
    return Loaded(
        queue=desk.queue(wanted, order),
        choices=desk.choices(),
        ways=desk.ways(),
        steps=desk.steps(),
        reviewer=desk.reviewer(),
        guideline=desk.guideline(),
        tags=desk.tags(),
        saved=desk.filters.saved(),
    )
