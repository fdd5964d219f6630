"""What is read when the page meets an audit, and what it says where there is nothing to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpf_desktop.domain.review_queue import FilterChoices, Queue, QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.reviews import Reviewer
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.review_desk import ReviewDesk, Steps, Ways

if TYPE_CHECKING:
    from gpf_desktop.ui.review.review_view_model import ReviewViewModel


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty:
    """Why there is nothing to read, and what to do."""

    why: str
    button: str = ""
    do: Callable[[], object] | None = None


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
    )


def why_empty(model: ReviewViewModel) -> Empty | None:
    """None while something is open, or on its way."""
    go = model.context.navigator.go
    if model.desk is None:
        return Empty(why=tr("Open an audit to read its answers."), button=tr("Go to Home"), do=lambda: go("home"))
    if model.reader.current is not None or model.loading:
        return None
    if not model.queue.scored:
        return Empty(
            why=tr("Nothing to read yet: bundles come here as soon as a run has scored them."),
            button=tr("Go to Runs"),
            do=lambda: go("runs"),
        )
    if not len(model.queue):
        return Empty(
            why=tr("No bundle matches this filter."),
            button=tr("Clear the filter"),
            do=lambda: model.set_filter(QueueFilter()),
        )
    return _empty_tab(model)


def _empty_tab(model: ReviewViewModel) -> Empty:
    if model.queue.count(model.tab):
        return Empty(why=tr("Choose a bundle in the list."))
    if model.tab is QueueTab.TO_DO:
        return Empty(
            why=tr("You have read everything that this queue holds."),
            button=tr("Look at what you said"),
            do=lambda: model.set_tab(QueueTab.DONE),
        )
    return Empty(
        why=tr("There is nothing in this tab."),
        button=tr("Go to what is to do"),
        do=lambda: model.set_tab(QueueTab.TO_DO),
    )
