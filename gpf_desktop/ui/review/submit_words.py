"""Words at the end of the form: the way on, what is kept, and what is missing."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.review.draft_view_model import Saved
from gpf_desktop.ui.widgets.buttons import key_called


def submit_words(*, settles: bool, practises: bool) -> str:
    if settles:
        return tr("Settle and next")
    return tr("Compare with the lead") if practises else tr("Submit and next")


def submit_key(actions: ActionRegistry) -> str:
    """As keyboards call it."""
    return key_called(actions.action("review.submit").shortcut())


def kept_words(saved: Saved, *, settles: bool, practises: bool) -> str:
    """Words on where the form's content is kept."""
    if practises:
        return tr("Kept nowhere: practice")
    if settles:
        return tr("Kept here until you settle")
    return {
        Saved.NOTHING: tr("Saved as you type"),
        Saved.SUBMITTED: tr("Submitted"),
        Saved.CHANGED: tr("Not submitted again yet"),
        Saved.WAITING: tr("Saving …"),
        Saved.SAVING: tr("Saving …"),
        Saved.SAVED: tr("Saved"),
        Saved.FAILED: tr("Not saved: see the message above"),
        Saved.AWAITED: tr("The set of answers is being read …"),
    }[saved]


def complaint_words(complaint: str) -> str:
    match complaint:
        case "verdict":
            return tr("Choose a verdict first.")
        case "severity":
            return tr("Choose a severity first, from 1 slight to 4 severe.")
        case _:
            return ""
