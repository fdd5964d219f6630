"""Reading of all that the page needs when it meets an audit."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.review_queue import FilterChoices, Queue, QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Reviewer
from gpf_desktop.domain.saved_filters import SavedFilter, filter_from_json
from gpf_desktop.engine.review.review_service import ReadingPreferences, ReviewService
from gpf_desktop.engine.review.reviewer_session import Steps


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """All of it at one moment."""

    wanted: QueueFilter
    """What narrows the queue: at first, the sample that was being read."""
    queue: Queue
    choices: FilterChoices
    preferences: ReadingPreferences
    steps: Steps
    reviewer: Reviewer | None
    guideline: str
    tags: Sequence[str]
    saved: tuple[SavedFilter, ...]
    assigned: bool
    """The audit is one reader's assignment."""


def load(
    service: ReviewService, wanted: QueueFilter, order: QueueOrder, preferences: ReadingPreferences | None
) -> Loaded:
    """Blocks; for a worker thread. *preferences* None: those that are kept."""
    first, preferences = preferences is None, preferences or service.preferences()
    if first and preferences.sample and wanted == QueueFilter():
        wanted, _ = filter_from_json(preferences.sample)
    return Loaded(
        wanted=wanted,
        queue=service.queue(wanted, preferences.order(order)),
        choices=service.choices(wanted.method),
        preferences=preferences,
        steps=service.steps(),
        reviewer=service.reviewer(),
        guideline=service.guideline(),
        tags=service.tags(),
        saved=service.filters.saved(),
        assigned=service.assignments.assignment() is not None,
    )
