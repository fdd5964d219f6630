"""Two reviewers who read the same bundles and do not agree."""

from collections.abc import Callable

from pytestqt.qtbot import QtBot

from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.review.conftest import counts

Settle = Callable[[], None]
FITS = Judgement(verdict=Verdict.CONTEXT)
HARM = Judgement(verdict=Verdict.HARMFUL, severity=2)


def two_reviewers(page: ReviewPage, qtbot: QtBot) -> ReviewService:
    """Both read two bundles and disagree about the first."""
    open_audit = page.context.engine.open_audit
    ben = ReviewService(open_audit.context, login="ben")
    first, second = page.model.queue.ids(QueueTab.TO_DO)[:2]
    open_audit.reviews.submit(first, FITS).result()
    ben.submit(first, HARM).result()
    for service in (open_audit.reviews, ben):
        service.submit(second, FITS).result()
    page.model.reread()
    qtbot.waitUntil(lambda: counts(page)[QueueTab.DISAGREE] == 1)
    return ben
