"""How long to wait, by whatever way a server says it in."""

import time
from typing import Any

import pytest

from gpf_desktop.domain.account_faults import AccountFault, account_fault
from gpf_desktop.domain.retries import NoRetry, RateLimited
from gpf_desktop.providers._errors import error_in
from gpf_desktop.providers._waits import retry_for, stated_wait
from gpf_desktop.providers.gemini import error_of

DATE = "Sat, 28 Nov 2026 18:00:00 GMT"


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("30", 30.0),
        ("1.5", 1.5),
        (" 45 ", 45.0),
        ('"30"', 30.0),
        ("30s", 30.0),
        ("30 seconds", 30.0),
        ("500ms", 0.5),
        ("1m30s", 90.0),
        ("30, 60", 60.0),
        ("Sat, 28 Nov 2026 18:30:00 GMT", 1800.0),
        ("Saturday, 28-Nov-26 18:30:00 GMT", 1800.0),
        ("2026-11-28T18:30:00Z", 1800.0),
        ("1795890600", 1800.0),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
        ("0", 0.0),
        ("-5", None),
        ("nan", None),
        ("inf", None),
        ("soon", None),
        ("", None),
        ("Sat, 31 Feb 2026 18:30:00 GMT", None),
        ("99999999999999999999", None),
        ("99999999", None),
        ("1795888700", 0.0),
    ],
)
def test_that_a_header_is_read_in_every_form(value: str, seconds: float | None) -> None:
    assert stated_wait({"retry-after": value, "date": DATE}, "", None) == seconds


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Please try again in 20s", 20.0),
        ("Please retry after 20 seconds.", 20.0),
        ("Try again in 6m0s", 360.0),
        ("Please try again in 1h2m3s.", 3723.0),
        ("Please wait 30 seconds", 30.0),
        ("try again in about 2 minutes", 120.0),
        ("retry after 60000 milliseconds", 60.0),
        ("It timed out after 30 seconds", None),
        ("Retry in May", None),
    ],
)
def test_that_words_are_read_where_no_header_says_it(words: str, seconds: float | None) -> None:
    assert stated_wait({}, words, None) == seconds


@pytest.mark.parametrize(
    ("status", "words", "codes"),
    [
        (400, "Too many requests, please wait before trying again.", ("ThrottlingException",)),
        (400, "Requests rate limit exceeded, please try again later.", ("Throttling.RateQuota",)),
        (403, "Rate limit exceeded", ()),
    ],
)
def test_that_a_limit_is_one_whatever_its_status(status: int, words: str, codes: tuple[str, ...]) -> None:
    assert retry_for(status, {}, message=words, codes=codes) == RateLimited()
    assert retry_for(status, {"retry-after": "7"}, message=words, codes=codes) == RateLimited(after=7.0)
    assert retry_for(status, {}, message=f"Bad request: {'a word ' * 60} {words}") == NoRetry()


@pytest.mark.parametrize("words", ["Limit 100000 tokens per day (TPD) reached.", "free-models-per-day exceeded"])
def test_that_a_limit_of_the_day_is_waited_for_where_it_lets_calls_through_again_soon(words: str) -> None:
    assert retry_for(429, {}, message=words) == NoRetry()
    assert retry_for(429, {"retry-after": "7200"}, message=words) == NoRetry(after=7200.0)
    assert retry_for(429, {}, message=f"{words} Please try again in 20s") == RateLimited(after=20.0)


def test_that_a_wait_beside_googles_limit_of_the_day_is_not_believed() -> None:
    quota = {"violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}]}
    said = {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "You exceeded your current quota"}
    told = error_of({**said, "details": [quota, {"retryDelay": "34s"}]}, "")
    assert told.wait is not None
    assert 0 < told.wait <= 24 * 3600
    assert retry_for(429, {}, message=told.message, codes=told.codes, wait=7200.0) == NoRetry(after=7200.0)
    assert account_fault(told.message, told.codes) is AccountFault.DAY
    minute = {"violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]}
    assert error_of({**said, "details": [minute, {"retryDelay": "34s"}]}, "").wait == 34.0


def test_that_when_openrouter_counts_anew_is_read_from_its_body() -> None:
    headers: dict[str, Any] = {"X-RateLimit-Reset": str(int((time.time() + 7200) * 1000))}
    body = {"error": {"code": 429, "message": "?", "metadata": {"headers": headers}}}
    told = error_in(body, "")
    assert told is not None
    assert told.wait is not None
    assert 0 < told.wait <= 7200
    for odd in ("", "soon", "1700000000000", "17", "9" * 30):
        headers["X-RateLimit-Reset"] = odd
        told = error_in(body, "")
        assert told is not None
        assert told.wait is None
