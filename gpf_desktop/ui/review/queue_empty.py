"""Words and offers of the page where there is nothing to read."""

from dataclasses import dataclass
from enum import Enum, auto

from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.review.queue_state import QueueState


class EmptyPageExit(Enum):
    """The place to which an empty page leads."""

    HOME = auto()
    RUNS = auto()
    CLEAR_FILTER = auto()
    DONE = auto()
    TO_DO = auto()
    DRAFTS = auto()
    TEAM = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Empty:
    """Why there is nothing to read, and what to do."""

    why: str
    button: str = ""
    way: EmptyPageExit | None = None
    then: tuple[str, ...] = ()
    """What comes after that."""


def no_audit() -> Empty:
    why = tr("Here you read the answers to one question side by side, and judge them. Open an audit first.")
    return Empty(why=why, button=tr("Go to Home"), way=EmptyPageExit.HOME)


def why_empty(queue: QueueState, tab: QueueTab, *, filter_name: str = "", assigned: bool = False) -> Empty:
    """Told apart: nothing scored yet, nothing under this filter, nothing in this tab; *assigned* has no scores."""
    if not queue.scored and not assigned:
        return Empty(
            why=tr(
                "Nothing to read yet. Here you read the answers to one question side by side, and judge them. "
                "They come here as soon as a round has scored them."
            ),
            button=tr("Go to Rounds"),
            way=EmptyPageExit.RUNS,
            then=(
                tr("You read a few answers beside each other: what only one of them says is marked."),
                tr("You say what you think of the difference, and which words decided."),
                tr("A second person reads the same answers, and you see how far you agree."),
            ),
        )
    if not len(queue):
        why = tr("No set of answers matches this filter.")
        if filter_name:
            why = tr("No set of answers matches the filter “{name}”.", name=filter_name)
        return Empty(why=why, button=tr("Clear the filter"), way=EmptyPageExit.CLEAR_FILTER)
    if queue.count(tab):
        return Empty(why=tr("Choose a set of answers in the list."))
    if tab is QueueTab.TO_DO:
        return _nothing_to_do(queue.count(QueueTab.DRAFT), assigned=assigned)
    why = tr("There is nothing in this tab.")
    if tab is QueueTab.DISAGREE:
        why = tr("No disagreement is left to settle.")
    return Empty(why=why, button=tr("Go to what is to do"), way=EmptyPageExit.TO_DO)


def _nothing_to_do(begun: int, *, assigned: bool) -> Empty:
    """All is read, but for what is *begun*: a pack, or a report, would lack it."""
    if begun:
        return Empty(
            why=trn(
                "One set of answers is begun and not submitted.",
                "{n} sets of answers are begun and not submitted.",
                begun,
            ),
            button=tr("Go to what you began"),
            way=EmptyPageExit.DRAFTS,
        )
    if assigned:
        return Empty(
            why=tr("You have read everything that this assignment holds. A review pack brings your readings home."),
            button=tr("Go to “Export review pack”"),
            way=EmptyPageExit.TEAM,
        )
    return Empty(
        why=tr("You have read everything that this queue holds."),
        button=tr("Look at what you said"),
        way=EmptyPageExit.DONE,
    )
