"""What is certain of a batch job that was not taken: a job that may have been taken is looked for, not sent again."""

import pytest

from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import Transient
from gpf_desktop.providers._jobs import not_submitted


@pytest.mark.parametrize(
    ("status", "certain"),
    [(400, True), (401, True), (404, True), (429, True), (408, False), (500, False), (503, False)],
)
def test_that_only_a_clear_no_says_that_a_job_was_not_submitted(status: int, certain: bool) -> None:
    miss = Miss(reason=Missing.HTTP_ERROR, detail="", status=status, retry=Transient())
    assert not_submitted(miss).certain is certain


def test_that_a_server_never_reached_took_nothing_and_a_lost_reply_says_nothing() -> None:
    assert not_submitted(Miss(reason=Missing.UNREACHABLE, detail="", retry=Transient())).certain
    assert not not_submitted(Miss(reason=Missing.TIMED_OUT, detail="", retry=Transient())).certain
