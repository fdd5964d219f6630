"""Sentences about decisions over many bundles."""

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.review.bulk_service import BulkDone, Left
from gpf_desktop.storage.review_steps import StepKind
from gpf_desktop.ui.wording import count


def bundles(n: int) -> str:
    """1,204 bundles"""
    return tr("{n} set", n=count(n)) if n == 1 else tr("{n} sets", n=count(n))


def done_words(done: BulkDone) -> str:
    """Sentences on what was changed, and on what was left and why."""
    n = len(done.places)
    said = [_changed(done, n)] if n else [tr("Nothing was changed.")]
    if done.reopened:
        said.append(
            trn(
                "{n} of them was submitted before and is a draft again.",
                "{n} of them were submitted before and are drafts again.",
                done.reopened,
            )
        )
    said += [_left(why, left) for why, left in done.left.items()]
    return " ".join(said)


def _changed(done: BulkDone, n: int) -> str:
    many = bundles(n)
    match done.kind:
        case StepKind.FLAG:
            flagged = next(iter(done.places.values())).flagged
            if flagged:
                return tr("Flagged {bundles}.", bundles=many)
            return tr("Took the flag off {bundles}.", bundles=many)
        case StepKind.TAGS:
            return tr("Added the tag to {bundles}; they are drafts until you submit them.", bundles=many)
        case StepKind.VERDICT:
            return tr("Set the verdict of {bundles}; they are drafts until you submit them.", bundles=many)
        case StepKind.SUBMIT:
            return tr("Submitted {bundles}.", bundles=many)
        case _:
            return tr("Changed {bundles}.", bundles=many)


def _left(why: Left, n: int) -> str:
    many = bundles(n)
    return {
        Left.SAME: tr("{bundles} said so already.", bundles=many),
        Left.NO_DRAFT: tr("{bundles} had no draft to submit.", bundles=many),
        Left.INCOMPLETE: tr("{bundles} kept as drafts: a verdict or its severity is missing.", bundles=many),
    }[why]
